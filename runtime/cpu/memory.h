// Host memory as device memory.
#pragma once

#include <cstddef>

namespace sinter::runtime {

/// Bytes of memory that this process may use in all: the machine's, or less by its cgroups.
std::size_t host_total_bytes();
/// Bytes that are still free for this process, caches that can be dropped included.
std::size_t host_free_bytes();

/// Aligned to 256 bytes; never null. EnvironmentError where memory is short.
void* allocate_host(std::size_t size_bytes);
void free_host(void* memory) noexcept;

}  // namespace sinter::runtime
