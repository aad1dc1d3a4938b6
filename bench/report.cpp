#include "bench/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/summary.h"
#include "support/check.h"
#include "support/text_writer.h"

namespace sinter::bench {

namespace {

using runtime::Cache;
using Json = nlohmann::ordered_json;

// Of 50 comparisons, each of which holds with 95 %.
constexpr int kMostFalseDifferences = 2;

const char* cache_name(Cache cache) { return cache == Cache::Cold ? "cold" : "back_to_back"; }

std::string verified_text(const Figure& figure) {
  if (!figure.timing.mistake.empty()) return "WRONG: " + figure.timing.mistake;
  if (!figure.timing.is_verified) return "";
  return figure.is_peer ? "agrees" : "right";
}

std::string rate_text(const CaseResult& result, double time_us) {
  const double work = result.is_rate_bytes ? result.ideal_bytes : result.flops;
  return fmt::format("{:7.2f} {}", time_us > 0 ? work / time_us * 1e-6 : 0,
                     result.is_rate_bytes ? "TB/s" : "TFLOP/s");
}

std::string ratio_text(const Figure& figure, const Figure& first) {
  if (figure.to_sinter.median <= 0) return "";
  const std::string ratio = fmt::format("{:.3f}x {}", figure.to_sinter.median, first.timing.name);
  if (figure.is_foreign) return ratio + " (another process)";
  return fmt::format("{} [{:.3f}, {:.3f}]", ratio, figure.to_sinter.low, figure.to_sinter.high);
}

void write_figure(support::TextWriter& out, const CaseResult& result, const Figure& figure,
                  const Figure& first) {
  const runtime::Timing& timing = figure.timing;
  std::vector<std::string> notes;
  const auto note = [&](std::string text) {
    if (!text.empty()) notes.push_back(std::move(text));
  };
  if (&figure != &first) note(ratio_text(figure, first));
  if (figure.share.value > 0) note(to_string(figure.share));
  note(verified_text(figure));
  if (timing.verdict == runtime::Verdict::Inconclusive) note("INCONCLUSIVE: " + timing.reason);
  if (timing.verdict == runtime::Verdict::Wide) note("wide");
  if (timing.rejected > 0) note(fmt::format("{} samples rejected", timing.rejected));
  if (timing.was_power_capped) note("power cap");
  out.line("    {:8.2f} us [{:.2f}, {:.2f}] n {:4} {:4.0f} MHz {}  {}", timing.median_us,
           timing.low_us, timing.high_us, timing.samples, timing.clock_mhz,
           rate_text(result, timing.median_us),
           fmt::format("{:<38} {}", timing.name, fmt::join(notes, "; ")));
}

const char* settled_text(const ModeResult& mode) {
  if (mode.has_settled) return "settled";
  return mode.has_settled_before ? "settled before" : "not settled";
}

Json number(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json to_json(const Figure& figure) {
  const runtime::Timing& timing = figure.timing;
  Json json;
  json["name"] = timing.name;
  json["is_peer"] = figure.is_peer;
  json["median_us"] = number(timing.median_us);
  json["low_us"] = number(timing.low_us);
  json["high_us"] = number(timing.high_us);
  json["minimum_us"] = number(timing.minimum_us);
  json["quarter_us"] = number(timing.quarter_us);
  json["three_quarters_us"] = number(timing.three_quarters_us);
  json["samples"] = timing.samples;
  json["rejected"] = timing.rejected;
  json["clock_mhz"] = number(timing.clock_mhz);
  json["was_power_capped"] = timing.was_power_capped;
  json["launching"] = launching_text(timing);
  json["verdict"] = to_string(timing.verdict);
  if (!timing.reason.empty()) json["reason"] = timing.reason;
  json["is_verified"] = timing.is_verified;
  json["mistake"] = timing.mistake.empty() ? Json(nullptr) : Json(timing.mistake);
  if (figure.share.value > 0) {
    json["share"] = {{"value", figure.share.value},
                     {"of", figure.share.binding},
                     {"copy_us", number(figure.share.bytes_us)},
                     {"arithmetic_us", number(figure.share.flops_us)},
                     {"is_plausible", !figure.share.is_implausible}};
  }
  if (figure.to_sinter.median > 0) {
    json["time_over_sinter"] = {{"median", figure.to_sinter.median},
                                {"low", number(figure.to_sinter.low)},
                                {"high", number(figure.to_sinter.high)},
                                {"pairs", figure.to_sinter.rounds}};
  }
  return json;
}

Json to_json(const CaseResult& result) {
  Json json;
  json["suite"] = result.suite;
  json["name"] = result.name;
  json["description"] = result.description;
  json["flops"] = number(result.flops);
  json["ideal_bytes"] = number(result.ideal_bytes);
  if (!result.missing.empty()) json["missing_peers"] = result.missing;
  if (!result.failure.empty()) json["failure"] = result.failure;
  if (result.compared_elements > 0) json["compared_elements"] = result.compared_elements;
  if (result.point) {
    json["point"] = {{"row", result.point->row},
                     {"length", result.point->length},
                     {"share", number(copy_share(result))}};
  }
  if (result.comparisons > 0) {
    json["comparisons"] = result.comparisons;
    json["false_differences"] = result.false_differences;
  }
  if (result.call_ns > 0) {
    json["call_ns"] = result.call_ns;
    json["fastest_call_ns"] = result.fastest_call_ns;
  }
  json["modes"] = Json::array();
  for (const ModeResult& mode : result.modes) {
    Json figures = Json::array();
    for (const Figure& figure : mode.figures) figures.push_back(to_json(figure));
    json["modes"].push_back({{"cache", cache_name(mode.cache)},
                             {"warm_up_ms", mode.warm_up_ms},
                             {"has_settled", mode.has_settled},
                             {"has_settled_before", mode.has_settled_before},
                             {"contenders", figures}});
  }
  return json;
}

/// One of torch's figures for a mode, beside the others.
void add_torch_figure(ModeResult& mode, const std::string& name, const nlohmann::json& values) {
  Figure figure;
  figure.is_peer = figure.is_foreign = true;
  figure.timing.name = name;
  figure.timing.median_us = values.at("median_us");
  figure.timing.low_us = values.at("low_us");
  figure.timing.high_us = values.at("high_us");
  figure.timing.samples = values.at("samples");
  figure.timing.verdict = runtime::Verdict::Wide;
  const double own_us = mode.figures.empty() ? 0 : mode.figures.front().timing.median_us;
  if (own_us > 0) figure.to_sinter.median = figure.timing.median_us / own_us;
  mode.figures.push_back(std::move(figure));
}

}  // namespace

std::string to_text(const CaseResult& result) {
  support::TextWriter out;
  out.line("{}: {}", result.name, result.description);
  if (!result.failure.empty()) out.line("  FAILED: {}", result.failure);
  if (!result.missing.empty()) out.line("  no peer: {}", result.missing);
  if (result.call_ns > 0) {
    out.line("  {:8.0f} ns a call (fastest {:.0f})", result.call_ns, result.fastest_call_ns);
  }
  if (result.comparisons > 0) {
    for (const ModeResult& mode : result.modes) {
      const double first_us = mode.figures[0].timing.median_us;
      const double second_us = mode.figures[1].timing.median_us;
      out.line("  {:8.2f} us, again {:+.2f} %", first_us,
               first_us > 0 ? 100 * (second_us / first_us - 1) : 0);
      for (const Figure& figure : mode.figures) {
        if (figure.timing.verdict != runtime::Verdict::Inconclusive) continue;
        out.line("      INCONCLUSIVE: {}", figure.timing.reason);
      }
    }
    out.line("  {} of {} differences beyond their own intervals", result.false_differences,
             result.comparisons);
    return out.text();
  }
  for (const ModeResult& mode : result.modes) {
    out.line("  {}, {}; warm-up {:.0f} ms, clock {}",
             mode.cache == Cache::Cold ? "cold" : "back to back",
             mode.figures.empty() ? "" : launching_text(mode.figures.front().timing),
             mode.warm_up_ms, settled_text(mode));
    for (const Figure& figure : mode.figures) {
      write_figure(out, result, figure, mode.figures.front());
    }
  }
  if (result.compared_elements > 0) {
    out.line("  {} elements compared with the reference", result.compared_elements);
  }
  return out.text();
}

std::string to_json(const BenchResult& result) {
  Json json;
  json["schema"] = {{"name", "sinter.bench"}, {"version", "1.0.0"}};
  json["fingerprint"] = {{"device", result.fingerprint.device},
                         {"toolchain", result.fingerprint.toolchain},
                         {"version", result.fingerprint.version},
                         {"date", result.fingerprint.date}};
  json["cases"] = Json::array();
  for (const CaseResult& one : result.cases) json["cases"].push_back(to_json(one));
  if (const auto sweep = summarize_sweep(result)) {
    json["sweep"] = {{"points", sweep->points},    {"geometric_mean", sweep->geometric_mean},
                     {"least", sweep->least},      {"least_name", sweep->least_name},
                     {"below_fine", sweep->below}, {"fine", kFineShare}};
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void merge_torch(BenchResult& result, const std::string& json_text) {
  try {
    const auto json = nlohmann::json::parse(json_text);
    if (json.at("schema").at("name") != "sinter.torch_peer") {
      support::throw_user("--torch: the file is none of scripts/torch_peer.py");
    }
    for (CaseResult& one : result.cases) {
      if (!json.at("cases").contains(one.name)) continue;
      for (ModeResult& mode : one.modes) {
        for (const auto& [name, values] :
             json.at("cases").at(one.name).at(cache_name(mode.cache)).items()) {
          add_torch_figure(mode, name, values);
        }
      }
    }
  } catch (const nlohmann::json::exception& error) {
    support::throw_user("--torch: the file is none of scripts/torch_peer.py: {}", error.what());
  }
}

tools::ExitCode exit_code_of(const BenchResult& result) {
  int false_differences = 0;
  bool is_inconclusive = false;
  tools::ExitCode failure = tools::ExitCode::Ok;
  for (const CaseResult& one : result.cases) {
    false_differences += one.false_differences;
    if (failure == tools::ExitCode::Ok) failure = one.failure_code;
    for (const ModeResult& mode : one.modes) {
      for (const Figure& figure : mode.figures) {
        if (!figure.timing.mistake.empty() || figure.share.is_implausible) {
          return tools::ExitCode::WrongResult;
        }
        is_inconclusive =
            is_inconclusive || figure.timing.verdict == runtime::Verdict::Inconclusive;
      }
    }
  }
  if (failure != tools::ExitCode::Ok) return failure;
  if (is_inconclusive || false_differences > kMostFalseDifferences) {
    return tools::ExitCode::Inconclusive;
  }
  return tools::ExitCode::Ok;
}

}  // namespace sinter::bench
