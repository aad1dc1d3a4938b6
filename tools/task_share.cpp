#include "tools/task_share.h"

#include "runtime/profile/copy_contender.h"

namespace sinter::tools {

namespace {

constexpr double kBudgetMs = 150;

}  // namespace

runtime::Share measure_share(runtime::DeviceImpl& device,
                             const std::function<void(runtime::StreamHandle)>& launch,
                             const runtime::Work& work) {
  runtime::TimingOptions options;
  options.budget_ms = kBudgetMs;
  // A GPU has been warmed up by the timed launches, but its clock may not have settled.
  const bool is_gpu = device.target().backend == codegen::Backend::Cuda;
  options.warm_up = is_gpu ? runtime::WarmUpOptions{.least_ms = 100, .most_ms = 1000}
                           : runtime::WarmUpOptions{.least_ms = 5, .most_ms = 5};
  std::vector<runtime::Contender> contenders = {
      {"operator", [&](runtime::StreamHandle stream, std::int64_t) { launch(stream); }}};
  std::optional<std::size_t> copy;
  if (work.ideal_bytes > 0 && 4 * work.ideal_bytes < static_cast<double>(device.free_bytes())) {
    contenders.push_back(plain_copy(device, work.bytes_read, work.bytes_written, 1, options.cache));
    copy = 1;
  }
  const runtime::TimingRun run = time_interleaved(device, contenders, options);
  runtime::Ceilings ceilings(device);
  return find_share(run, 0, copy, work, ceilings);
}

}  // namespace sinter::tools
