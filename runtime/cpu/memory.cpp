// Limits come from /proc/meminfo and from the cgroups (version 2, or 1) that hold this process.
#include "runtime/cpu/memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "support/check.h"

namespace sinter::runtime {

namespace {

constexpr std::size_t kAlignment = 256;
// Linux promises more than it has: larger requests are compared with what is free.
constexpr std::size_t kAlwaysTried = std::size_t{16} << 20;

/// "MemAvailable:   123 kB" of /proc/meminfo, in bytes.
std::optional<std::uint64_t> meminfo_bytes(const std::string& name) {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::uint64_t kilobytes = 0;
    if (key == name + ":" && file >> kilobytes) return kilobytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// A file with one number; nullopt for "max" and where there is no such file.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// File cache that the kernel drops before it runs short.
std::uint64_t droppable_bytes(const std::string& folder) {
  std::ifstream file(folder + "/memory.stat");
  std::string key;
  for (std::uint64_t number = 0; file >> key >> number;) {
    if (key == "inactive_file") return number;
  }
  return 0;
}

struct Limit {
  std::uint64_t total = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t free = std::numeric_limits<std::uint64_t>::max();
};

void apply(Limit& limit, const std::string& folder, const char* most, const char* current) {
  const auto total = number_in(folder + "/" + most);
  const auto used = number_in(folder + "/" + current);
  if (!total || !used) return;
  const std::uint64_t kept = *used - std::min(*used, droppable_bytes(folder));
  limit.total = std::min(limit.total, *total);
  limit.free = std::min(limit.free, *total - std::min(*total, kept));
}

/// The tightest limit of this process's cgroup and those above it.
Limit cgroup_limit() {
  Limit limit;
  std::ifstream file("/proc/self/cgroup");
  std::string path;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::")) path = line.substr(3);
  }
  while (true) {
    apply(limit, "/sys/fs/cgroup" + path, "memory.max", "memory.current");
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) break;
    path.resize(slash);
  }
  apply(limit, "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
  return limit;
}

}  // namespace

std::size_t host_total_bytes() {
  return std::min(meminfo_bytes("MemTotal").value_or(0), cgroup_limit().total);
}

std::size_t host_free_bytes() {
  return std::min(meminfo_bytes("MemAvailable").value_or(0), cgroup_limit().free);
}

void* allocate_host(std::size_t size_bytes) {
  const auto fail = [&] {
    support::throw_environment("cannot allocate {} bytes on the CPU: {} bytes are free", size_bytes,
                               host_free_bytes());
  };
  if (size_bytes > std::numeric_limits<std::size_t>::max() - kAlignment) fail();
  if (size_bytes > kAlwaysTried && size_bytes > host_free_bytes()) fail();
  const std::size_t rounded =
      std::max(kAlignment, (size_bytes + kAlignment - 1) / kAlignment * kAlignment);
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) fail();
  return memory;
}

void free_host(void* memory) noexcept { std::free(memory); }

}  // namespace sinter::runtime
