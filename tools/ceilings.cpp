// `sinter ceilings`: the most that a device was measured to do.
#include "runtime/profile/ceilings.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "sinter/device.h"
#include "tools/subcommands.h"

namespace sinter::tools {

namespace {

struct CeilingArguments {
  std::string device = "best";
  bool is_json = false;
  bool is_fresh = false;
};

struct Row {
  std::string name;
  std::string unit;
  runtime::Ceiling ceiling;
};

std::vector<Row> measure_all(runtime::DeviceImpl& device, bool is_fresh) {
  runtime::Ceilings ceilings(device, is_fresh);
  std::vector<Row> rows = {{"copy", "GB/s", ceilings.copy()}, {"read", "GB/s", ceilings.read()}};
  for (const runtime::Arithmetic arithmetic : runtime::all_arithmetic()) {
    if (const auto ceiling = ceilings.arithmetic(arithmetic)) {
      rows.push_back({std::string(to_string(arithmetic)), "GFLOP/s", *ceiling});
    }
  }
  return rows;
}

void print_json(const Device& device, const std::vector<Row>& rows) {
  nlohmann::ordered_json json;
  json["schema"] = {{"name", "sinter.ceilings"}, {"version", "1.0.0"}};
  json["device"] = device.id();
  json["device_description"] = device.description();
  for (const Row& row : rows) {
    json["ceilings"].push_back({{"name", row.name},
                                {"value", row.ceiling.giga_per_s},
                                {"unit", row.unit},
                                {"how", row.ceiling.how},
                                {"clock_mhz", row.ceiling.clock_mhz}});
  }
  fmt::print("{}\n", json.dump(2));
}

ExitCode run(const CeilingArguments& arguments) {
  const Device device = Device::parse(arguments.device);
  const std::vector<Row> rows = measure_all(device.impl(), arguments.is_fresh);
  if (arguments.is_json) {
    print_json(device, rows);
    return ExitCode::Ok;
  }
  fmt::print("{} ({})\n", device.id(), device.description());
  for (const Row& row : rows) {
    const double mhz = row.ceiling.clock_mhz;
    fmt::print("{:<14} {:>10.1f} {:<8} {}{}\n", row.name, row.ceiling.giga_per_s, row.unit,
               row.ceiling.how, mhz > 0 ? fmt::format(", {:.0f} MHz", mhz) : "");
  }
  return ExitCode::Ok;
}

}  // namespace

Subcommand ceilings_subcommand() {
  const auto arguments = std::make_shared<CeilingArguments>();
  return {"ceilings",
          "Measure what the device can do at most, or print what was measured before",
          {{"--device", "cpu, gpu, cuda:<index> or best", &arguments->device},
           {"--json", "Print JSON instead of a table", &arguments->is_json},
           {"--fresh", "Measure again", &arguments->is_fresh}},
          [arguments] { return run(*arguments); }};
}

}  // namespace sinter::tools
