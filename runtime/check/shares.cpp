#include "runtime/check/shares.h"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace sinter::runtime {

void run_in_shares(std::size_t count, std::size_t least,
                   const std::function<void(std::size_t begin, std::size_t end)>& body) {
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  const std::size_t shares =
      std::clamp<std::size_t>(count / std::max<std::size_t>(least, 1), 1, cores);
  const std::size_t size = (count + shares - 1) / shares;
  std::vector<std::future<void>> others;
  for (std::size_t begin = size; begin < count; begin += size) {
    others.push_back(std::async(std::launch::async, body, begin, std::min(begin + size, count)));
  }
  // Futures of std::async wait for their thread where they go, also while an exception passes.
  body(0, std::min(size, count));
  for (std::future<void>& other : others) other.get();
}

}  // namespace sinter::runtime
