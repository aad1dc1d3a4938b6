#include "runtime/cpu/launch.h"

namespace sinter::runtime {

void run_parallel(const CpuEntry& entry, const CallArguments& call, ThreadPool& pool) {
  SlotBuffer slots;
  fill_slots(entry.slots, call, slots);
  // Two pointers fit into std::function without an allocation.
  const auto run = [function = entry.function, arguments = slots.data()](
                       std::int64_t begin, std::int64_t end) { function(arguments, begin, end); };
  pool.parallel_for(entry.extent.evaluate(call.sizes), entry.grain, run);
}

}  // namespace sinter::runtime
