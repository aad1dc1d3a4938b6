// Work of the check core shared out among the host's cores.
#pragma once

#include <cstddef>
#include <functional>

namespace sinter::runtime {

/// Runs body(begin, end) on parts of [0, count) at the same time, one a core and each of at least `least`.
/// An exception of one passes through, once all have ended.
void run_in_shares(std::size_t count, std::size_t least,
                   const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace sinter::runtime
