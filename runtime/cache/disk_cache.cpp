// Reading and writing of cache entries.
#include "runtime/cache/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "runtime/cache/trusted_folder.h"
#include "runtime/log.h"
#include "support/hash.h"
#include "support/options.h"
#include "support/regular_file.h"

namespace sinter::runtime {

namespace {

constexpr std::string_view kMagic = "SINTERC1";
constexpr std::size_t kHeaderBytes = 56;

std::string length_field(std::size_t length) {
  std::string field;
  for (int byte = 0; byte < 8; ++byte) field += static_cast<char>(length >> (8 * byte) & 0xff);
  return field;
}

std::size_t read_length(std::string_view field) {
  std::size_t length = 0;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(field[byte])) << (8 * byte);
  }
  return length;
}

std::string checksum(std::string_view key, std::string_view payload) {
  return support::hash_hex(fmt::format("{}{}{}", length_field(key.size()), key, payload));
}

std::string make_entry(std::string_view key, std::string_view payload) {
  return fmt::format("{}{}{}{}{}{}", kMagic, length_field(key.size()), length_field(payload.size()),
                     checksum(key, payload), key, payload);
}

enum class EntryState { Good, Damaged, OtherKey };

EntryState read_entry(std::string_view entry, std::string_view key, std::string_view& payload) {
  if (entry.size() < kHeaderBytes || !entry.starts_with(kMagic)) return EntryState::Damaged;
  const std::size_t key_bytes = read_length(entry.substr(8));
  const std::size_t payload_bytes = read_length(entry.substr(16));
  const std::size_t body_bytes = entry.size() - kHeaderBytes;
  if (key_bytes > body_bytes || payload_bytes != body_bytes - key_bytes) {
    return EntryState::Damaged;
  }
  const std::string_view stored_key = entry.substr(kHeaderBytes, key_bytes);
  payload = entry.substr(kHeaderBytes + key_bytes);
  if (entry.substr(24, 32) != checksum(stored_key, payload)) return EntryState::Damaged;
  return stored_key == key ? EntryState::Good : EntryState::OtherKey;
}

std::string entry_name(std::string_view key) { return support::hash_hex(key) + ".sinter"; }

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0;
}

// Empty on success, else what failed.
std::string write_entry(int folder, const std::string& name, std::string_view entry) {
  static std::atomic<std::uint64_t> count{0};
  std::string temporary;
  int file = -1;
  do {  // a name may be left over from another process of this number
    temporary = fmt::format(".tmp.{}.{}", ::getpid(), count++);
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    file = ::openat(folder, temporary.c_str(), kFlags, 0600);
  } while (file < 0 && errno == EEXIST);
  if (file < 0) return fmt::format("cannot write {}: {}", temporary, std::strerror(errno));
  const bool is_written = write_all(file, entry);
  const int write_error = errno;
  const bool is_closed = ::close(file) == 0;
  const bool is_good = is_written && is_closed;
  if (is_good && ::renameat(folder, temporary.c_str(), folder, name.c_str()) == 0) return {};
  const int error = is_written ? errno : write_error;
  ::unlinkat(folder, temporary.c_str(), 0);
  return fmt::format("cannot write {}: {}", name, std::strerror(error));
}

void warn_unused(const std::string& trouble) {
  warn_once(fmt::format("kernel cache: {}; kernels are kept in memory only", trouble));
}

}  // namespace

std::optional<std::string> DiskCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  const TrustedFolder folder(folder_);
  if (!folder.trouble().empty()) return std::nullopt;  // said by `store`
  const std::string name = entry_name(key);
  support::RegularFile file(name, support::RegularFile::Links::Refuse, folder.file());
  const std::string entry = file.read_all();
  if (file.is_missing()) return std::nullopt;
  if (!file.trouble().empty()) {
    warn_once(fmt::format("cache entry {}/{} cannot be read: {}", folder_, name, file.trouble()));
    return std::nullopt;
  }
  std::string_view payload;
  switch (read_entry(entry, key, payload)) {
    case EntryState::Good: return std::string(payload);
    case EntryState::OtherKey: return std::nullopt;
    case EntryState::Damaged: break;
  }
  log_warning(
      fmt::format("cache entry {}/{} is damaged; it is removed and compiled again", folder_, name));
  ::unlinkat(folder.file(), name.c_str(), 0);
  return std::nullopt;
}

void DiskCache::store(std::string_view key, std::string_view payload) const {
  if (folder_.empty()) return;
  if (TrustedFolder(folder_).is_missing()) {
    const std::string trouble = make_private_folder(folder_);
    if (!trouble.empty()) return warn_unused(trouble);
  }
  const TrustedFolder folder(folder_);
  std::string trouble = folder.trouble();
  if (trouble.empty()) {
    trouble = write_entry(folder.file(), entry_name(key), make_entry(key, payload));
    if (!trouble.empty()) trouble = fmt::format("in folder {}: {}", folder_, trouble);
  }
  if (!trouble.empty()) warn_unused(trouble);
}

std::string default_cache_folder() {
  using support::Option;
  const std::string stated = support::option_text(Option::CacheDir);
  if (stated == "off") return {};
  if (!stated.empty()) return stated;
  const std::string xdg = support::option_text(Option::XdgCacheHome);
  if (!xdg.empty()) return xdg + "/sinter";
  const std::string home = support::option_text(Option::Home);
  return home.empty() ? std::string() : home + "/.cache/sinter";
}

}  // namespace sinter::runtime
