// A plain copy as a contender: what a kernel whose limit is memory is measured against.
#pragma once

#include <memory>

#include "runtime/profile/probe_memory.h"
#include "runtime/profile/timing.h"

namespace sinter::runtime {

/// Of several, the one that is fastest in a short pass of its own.
Contender pick_fastest(DeviceImpl& device, std::vector<Contender> contenders, Cache cache);

/// Plain copies one after the other, of one device: they share memory, which is filled once, and each text is
/// compiled once.
class PlainCopies {
 public:
  explicit PlainCopies(DeviceImpl& device);
  ~PlainCopies();
  PlainCopies(const PlainCopies&) = delete;
  PlainCopies& operator=(const PlainCopies&) = delete;

  /// Reads and writes as many bytes in one kernel, in the fastest of a few shapes, over `rotation` sets of
  /// buffers that no other kind of contender uses. EnvironmentError where memory is short.
  Contender make(double bytes_read, double bytes_written, std::int64_t rotation, Cache cache);

 private:
  struct State;
  void make_room(std::int64_t reads, std::int64_t writes, std::int64_t rotation);

  DeviceImpl& device_;
  std::unique_ptr<State> state_;
};

/// One alone.
Contender plain_copy(DeviceImpl& device, double bytes_read, double bytes_written,
                     std::int64_t rotation, Cache cache);

/// A contender that launches a program on tensors of its own.
Contender probe_contender(DeviceImpl& device, const std::string& name,
                          const codegen::Program& program, const std::vector<ProbeTensor>& tensors);

}  // namespace sinter::runtime
