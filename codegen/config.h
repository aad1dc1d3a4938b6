// Config: the numbers that a schedule chose (tiles, stages, warps, vector width, ...). Part of the
// key; the tuner varies it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sinter::codegen {

struct Config {
  std::string schedule;
  std::map<std::string, std::int64_t> values;
  /// The value; InternalError where the schedule did not set it.
  std::int64_t at(const std::string& name) const;
  friend bool operator==(const Config&, const Config&) = default;
};
/// "generic{threads: 256}".
std::string to_string(const Config& config);

}  // namespace sinter::codegen
