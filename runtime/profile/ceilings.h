// The most that a device was ever measured to do: rates of arithmetic, kept in the cache folder by device,
// driver and toolchain; and what share of it a timing reaches.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "runtime/cache/disk_cache.h"
#include "runtime/device_impl.h"
#include "runtime/profile/timing.h"
#include "runtime/profile/work.h"

namespace sinter::runtime {

struct Ceiling {
  double giga_per_s = 0;  // operations, or bytes
  std::string how;        // "fma", "wgmma", "a third of tf32 products by wgmma", "copy of 512 MiB"
  double clock_mhz = 0;   // while it was measured; 0: not known
};

/// Measures on first use what the cache folder does not hold.
class Ceilings {
 public:
  /// `is_fresh`: what the folder holds is measured again.
  explicit Ceilings(DeviceImpl& device, bool is_fresh = false,
                    std::string folder = default_cache_folder());

  /// The fastest way of the device; nullopt where it has none that we know.
  std::optional<Ceiling> arithmetic(Arithmetic arithmetic);
  /// Of buffers much larger than the cache: half read and half written; or all read.
  Ceiling copy();
  Ceiling read();

 private:
  std::optional<Ceiling> find_or_measure(const std::string& name,
                                         const std::function<std::optional<Ceiling>()>& measure);
  std::optional<Ceiling> measure_arithmetic(Arithmetic arithmetic);
  double large_bytes() const;
  Ceiling measure_bandwidth(double bytes_read, double bytes_written);

  DeviceImpl& device_;
  bool is_fresh_;
  DiskCache cache_;
  std::map<std::string, std::optional<Ceiling>> known_;
};

/// What an operator took against what its work takes at least.
struct Share {
  double value = 0;     // of its time; 0: nothing to compare with
  std::string binding;  // the limit that it is the share of
  double bytes_us = 0;  // of a plain copy of as many bytes; 0: not measured
  double flops_us = 0;  // at the ceilings, each kind of arithmetic beside the others
  /// It took so much less time than the limit that one of the figures is wrong: above 1.02, with both ends of
  /// the intervals against it. Never said where the device does not tell its clock (nobody knows then at which
  /// one the ceiling was measured) or where the work is an upper bound.
  bool is_implausible = false;
};

/// `run` has the operator at `op` and, unless nullopt, the plain copy of its bytes at `copy`.
Share find_share(const TimingRun& run, std::size_t op, std::optional<std::size_t> copy,
                 const Work& work, Ceilings& ceilings);
/// "81.2 % of a plain copy of as many bytes"; "not known".
std::string to_string(const Share& share);

}  // namespace sinter::runtime
