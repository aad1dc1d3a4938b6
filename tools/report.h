// What `sinter run` found, as text and as JSON: the same figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/profile/ceilings.h"

namespace sinter::tools {

struct StageTime {
  std::string name;  // compile, load, warm_up, execute, share, collect
  double time_ms = 0;
};

struct RunReport {
  std::string task;
  std::string device;
  std::string device_description;
  bool fuse = true;
  std::string fusion;  // verdict on the claim; empty where none was made
  std::size_t kernels = 0;
  std::vector<StageTime> stages;
  bool is_right = false;
  std::string check;  // what was compared, and the worst element
  std::int64_t iterations = 0;
  double mean_us = 0;
  double median_us = 0;
  double min_us = 0;
  double flops = 0;
  double ideal_bytes = 0;
  double peak_gflop_per_s = 0;  // of the device; 0: not known
  std::string peak_kind;        // what runs at that rate: "f32", "bf16 products"
  double peak_gb_per_s = 0;
  double memory_bytes = 0;
  runtime::Share share;  // of the measured limits
};

std::string to_text(const RunReport& report);
std::string to_json(const RunReport& report);

}  // namespace sinter::tools
