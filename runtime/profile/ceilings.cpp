#include "runtime/profile/ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/log.h"
#include "runtime/profile/copy_contender.h"
#include "runtime/profile/probe.h"

namespace sinter::runtime {

namespace {

/// Changes with the probes: what older ones measured is measured again.
constexpr int kProbeVersion = 1;
constexpr double kMostPlausible = 1.02;
constexpr double kGpuBytes = 0x1p30;
constexpr double kCpuBytes = 0x1p28;
/// An f32 product as accurate as f32 takes at least three products of tf32 parts.
constexpr double kTf32PartProducts = 3;

TimingOptions probe_options(const DeviceImpl& device) {
  TimingOptions options;
  options.cache = Cache::BackToBack;
  options.budget_ms = 500;
  options.precision = 0.003;
  // A host that others use never gets calm; it has no clock to wait for either.
  if (device.target().backend == codegen::Backend::Cpu) {
    options.warm_up = {.least_ms = 20, .most_ms = 20};
    options.budget_ms = 100;
    options.cache = Cache::Cold;
  }
  return options;
}

std::string to_payload(const std::optional<Ceiling>& ceiling) {
  nlohmann::ordered_json json;
  json["schema"] = "sinter.ceiling 1.0";
  json["is_known"] = ceiling.has_value();
  const Ceiling& value = ceiling.value_or(Ceiling{});
  json["giga_per_s"] = value.giga_per_s;
  json["how"] = value.how;
  json["clock_mhz"] = value.clock_mhz;
  return json.dump();
}

/// Nullopt where the text is none of ours.
std::optional<std::optional<Ceiling>> parse_payload(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.value("giga_per_s", nlohmann::json()).is_number() ||
      !json.value("how", nlohmann::json()).is_string() ||
      !json.value("clock_mhz", nlohmann::json()).is_number() ||
      !json.value("is_known", nlohmann::json()).is_boolean()) {
    return std::nullopt;
  }
  if (!json["is_known"].get<bool>()) return std::optional<Ceiling>();
  const Ceiling ceiling = {json["giga_per_s"], json["how"], json["clock_mhz"]};
  if (!(ceiling.giga_per_s > 0)) return std::nullopt;
  return std::optional(ceiling);
}

/// What stands in where the device has no unit for it; of wide products the multiply-adds may be faster, too.
std::vector<Arithmetic> substitutes(Arithmetic arithmetic, bool has_unit) {
  switch (arithmetic) {
    case Arithmetic::ProductF64: return {Arithmetic::F64};
    case Arithmetic::ProductF32: return {Arithmetic::F32};
    case Arithmetic::ProductTf32:
    case Arithmetic::ProductF16:
    case Arithmetic::ProductBf16:
    case Arithmetic::ProductF8:
      // Narrow operands are exact in f32.
      if (!has_unit) return {Arithmetic::ProductF32};
      return {};
    case Arithmetic::F64:
    case Arithmetic::F32:
    case Arithmetic::ProductI8: return {};
  }
  return {};
}

}  // namespace

Ceilings::Ceilings(DeviceImpl& device, bool is_fresh, std::string folder)
    : device_(device), is_fresh_(is_fresh), cache_(std::move(folder)) {}

std::optional<Ceiling> Ceilings::find_or_measure(
    const std::string& name, const std::function<std::optional<Ceiling>()>& measure) {
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  const std::string key = fmt::format("ceiling {} of {}, {}, probe version {}", name,
                                      device_.description(), device_.toolchain(), kProbeVersion);
  std::optional<std::optional<Ceiling>> found;
  if (const auto payload = cache_.find(key); payload && !is_fresh_) found = parse_payload(*payload);
  if (!found) {
    found = measure();
    cache_.store(key, to_payload(*found));
  }
  return known_[name] = *found;
}

std::optional<Ceiling> Ceilings::arithmetic(Arithmetic arithmetic) {
  const std::string name(to_string(arithmetic));
  std::optional<Ceiling> best =
      find_or_measure(name, [&] { return measure_arithmetic(arithmetic); });
  const auto offer = [&](const std::optional<Ceiling>& other) {
    if (other && (!best || other->giga_per_s > best->giga_per_s)) best = other;
  };
  for (const Arithmetic other : substitutes(arithmetic, best.has_value())) {
    const std::optional<Ceiling> ceiling = this->arithmetic(other);
    if (ceiling) {
      offer(Ceiling{ceiling->giga_per_s, fmt::format("{}: {}", to_string(other), ceiling->how),
                    ceiling->clock_mhz});
    }
  }
  if (arithmetic == Arithmetic::ProductF32 && device_.target().backend == codegen::Backend::Cuda) {
    const auto tf32 = find_or_measure(std::string(to_string(Arithmetic::ProductTf32)),
                                      [&] { return measure_arithmetic(Arithmetic::ProductTf32); });
    if (tf32) {
      offer(Ceiling{tf32->giga_per_s / kTf32PartProducts, "a third of tf32 products: " + tf32->how,
                    tf32->clock_mhz});
    }
  }
  return best;
}

std::optional<Ceiling> Ceilings::measure_arithmetic(Arithmetic arithmetic) {
  std::optional<Ceiling> best;
  for (const ArithmeticProbe& probe : arithmetic_probes(device_.target())) {
    if (probe.arithmetic != arithmetic) continue;
    const Contender contender = probe_contender(
        device_, probe.how, probe.program,
        {{"data", kProbeDataBytes, probe.dtype}, {"out", kProbeDataBytes, probe.dtype}});
    const Timing timing =
        time_interleaved(device_, {contender}, probe_options(device_)).timings.front();
    if (timing.samples == 0) continue;
    // On a host that others use only the fastest launch tells what the machine can do.
    const bool is_cpu = device_.target().backend == codegen::Backend::Cpu;
    const double time_us = is_cpu ? timing.minimum_us : timing.median_us;
    const double rate = probe.flops / time_us * 1e-3;
    if (!best || rate > best->giga_per_s) best = Ceiling{rate, probe.how, timing.clock_mhz};
  }
  return best;
}

Ceiling Ceilings::measure_bandwidth(double bytes_read, double bytes_written) {
  const TimingOptions options = probe_options(device_);
  const Contender copy = plain_copy(device_, bytes_read, bytes_written, 1, options.cache);
  const Timing timing = time_interleaved(device_, {copy}, options).timings.front();
  const double time_us = std::max(timing.median_us, 1e-3);
  return {(bytes_read + bytes_written) / time_us * 1e-3,
          fmt::format("{:.0f} MiB read, {:.0f} MiB written", bytes_read / 0x1p20,
                      bytes_written / 0x1p20),
          timing.clock_mhz};
}

double Ceilings::large_bytes() const {
  const bool is_cpu = device_.target().backend == codegen::Backend::Cpu;
  return std::min(is_cpu ? kCpuBytes : kGpuBytes, static_cast<double>(device_.free_bytes()) / 16);
}

Ceiling Ceilings::copy() {
  const double bytes = large_bytes();
  return *find_or_measure("copy", [&] { return measure_bandwidth(bytes / 2, bytes / 2); });
}

Ceiling Ceilings::read() {
  const double bytes = large_bytes();
  return *find_or_measure("read", [&] { return measure_bandwidth(bytes, 64); });
}

Share find_share(const TimingRun& run, std::size_t op, std::optional<std::size_t> copy,
                 const Work& work, Ceilings& ceilings) {
  const Timing& timing = run.timings.at(op);
  Share share;
  if (timing.samples == 0) return share;
  double surely = 0;  // the share with both ends of the intervals against it
  const auto offer = [&](double value, double at_least, const std::string& binding) {
    if (value <= share.value) return;
    share.value = value;
    share.binding = binding;
    surely = at_least;
  };
  if (copy && run.timings.at(*copy).samples > 0) {
    share.bytes_us = run.timings[*copy].median_us;
    const TimeRatio ratio = ratio_of_times(run, *copy, op);
    offer(ratio.median, ratio.low, run.timings[*copy].name);
  }
  for (const auto& [arithmetic, flops] : work.flops_by_kind) {
    const auto ceiling = ceilings.arithmetic(arithmetic);
    if (!ceiling) continue;
    const double time_us = flops / ceiling->giga_per_s * 1e-3;
    share.flops_us = std::max(share.flops_us, time_us);
    offer(time_us / timing.median_us, time_us / timing.high_us,
          fmt::format("{:.1f} TFLOP/s of {} ({})", ceiling->giga_per_s * 1e-3,
                      to_string(arithmetic), ceiling->how));
  }
  const bool can_judge =
      timing.clock_mhz > 0 && !work.is_upper_bound && timing.verdict != Verdict::Inconclusive;
  share.is_implausible = can_judge && surely > kMostPlausible;
  return share;
}

std::string to_string(const Share& share) {
  if (share.value <= 0) return "not known";
  return fmt::format("{:.1f} % of {}{}", 100 * share.value, share.binding,
                     share.is_implausible ? ": more than that is not possible" : "");
}

}  // namespace sinter::runtime
