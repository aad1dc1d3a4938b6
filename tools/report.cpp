// Printing of run reports.
#include "tools/report.h"

#include <nlohmann/json.hpp>

#include "support/check.h"
#include "support/counted.h"
#include "support/text_writer.h"

namespace sinter::tools {

namespace {

// Rates by the median, in units of 1e9 a second.
double giga_per_second(double amount, double time_us) {
  return time_us > 0 ? amount / time_us * 1e-3 : 0;
}

std::string share(double rate, double peak, const std::string& unit) {
  if (peak <= 0) return {};
  return fmt::format(" ({:.1f} % of the device's {:.0f} {})", 100 * rate / peak, peak, unit);
}

std::string bytes_text(double bytes) {
  return bytes < 1e6 ? fmt::format("{:.0f} bytes", bytes) : fmt::format("{:.1f} MB", bytes * 1e-6);
}

}  // namespace

std::string to_text(const RunReport& report) {
  const double gflop_per_s = giga_per_second(report.flops, report.median_us);
  const double gb_per_s = giga_per_second(report.ideal_bytes, report.median_us);
  support::TextWriter out;
  out.line("task      {}", report.task);
  out.line("device    {} ({})", report.device, report.device_description);
  out.line("kernels   {}, fusion {}", report.kernels, report.fuse ? "on" : "off");
  if (!report.fusion.empty()) out.line("fusion    {}", report.fusion);
  out.line("memory    {} needed", bytes_text(report.memory_bytes));
  for (const StageTime& stage : report.stages) {
    out.line("{:<9} {:.3f} ms", stage.name, stage.time_ms);
  }
  out.line("result    {}", report.is_right ? "right" : "WRONG");
  out.line("check     {}", report.check);
  out.line("time      mean {:.3f} us, median {:.3f} us, minimum {:.3f} us over {}", report.mean_us,
           report.median_us, report.min_us,
           support::counted(static_cast<std::size_t>(report.iterations), "iteration"));
  out.line("work      {:.4g} FLOP, {} moved at least", report.flops,
           bytes_text(report.ideal_bytes));
  out.line("rate      {:.4f} TFLOP/s{}", gflop_per_s * 1e-3,
           share(gflop_per_s, report.peak_gflop_per_s, "GFLOP/s " + report.peak_kind));
  out.line("bandwidth {:.2f} GB/s{}", gb_per_s, share(gb_per_s, report.peak_gb_per_s, "GB/s"));
  out.line("share     {}", to_string(report.share));
  return out.text();
}

std::string to_json(const RunReport& report) {
  const double gflop_per_s = giga_per_second(report.flops, report.median_us);
  const double gb_per_s = giga_per_second(report.ideal_bytes, report.median_us);
  nlohmann::ordered_json json;
  json["schema"] = "sinter.run 1.1";
  json["task"] = report.task;
  json["device"] = report.device;
  json["device_description"] = report.device_description;
  json["fuse"] = report.fuse;
  json["fusion"] = report.fusion;
  json["kernels"] = report.kernels;
  for (const StageTime& stage : report.stages) json[stage.name + "_ms"] = stage.time_ms;
  json["is_right"] = report.is_right;
  json["check"] = report.check;
  json["iterations"] = report.iterations;
  json["mean_us"] = report.mean_us;
  json["median_us"] = report.median_us;
  json["min_us"] = report.min_us;
  json["flops"] = report.flops;
  json["ideal_bytes"] = report.ideal_bytes;
  json["tflop_per_s"] = gflop_per_s * 1e-3;
  json["gb_per_s"] = gb_per_s;
  const auto share_of = [](double rate, double peak) {
    return peak > 0 ? nlohmann::ordered_json(rate / peak) : nlohmann::ordered_json(nullptr);
  };
  json["tflop_share_of"] = report.peak_kind;
  json["tflop_share"] = share_of(gflop_per_s, report.peak_gflop_per_s);
  json["gb_share"] = share_of(gb_per_s, report.peak_gb_per_s);
  json["memory_bytes"] = report.memory_bytes;
  json["share"] = share_of(report.share.value, report.share.value > 0 ? 1 : 0);
  json["share_of"] = report.share.binding;
  json["copy_us"] = report.share.bytes_us;
  json["arithmetic_us"] = report.share.flops_us;
  json["is_plausible"] = !report.share.is_implausible;
  // Names of files and tasks need not be UTF-8; JSON has to be.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sinter::tools
