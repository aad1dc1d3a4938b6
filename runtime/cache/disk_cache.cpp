// Reading and writing of cache entries.
#include "runtime/cache/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/log.h"
#include "support/hash.h"
#include "support/options.h"

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

std::string entry_path(const std::string& folder, std::string_view key) {
  return folder + "/" + support::hash_hex(key) + ".sinter";
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0;
}

// An entry is code that will run: others must not be able to plant one. Empty where all is well.
std::string distrust(const std::string& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return {};
  if (status.st_uid != ::geteuid()) return fmt::format("folder {} belongs to another user", folder);
  if (status.st_mode & S_IWOTH) return fmt::format("folder {} is writable for everybody", folder);
  return {};
}

// Empty on success, else what failed.
std::string write_entry(const std::string& folder, const std::string& path,
                        std::string_view entry) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return fmt::format("cannot make folder {}: {}", folder, code.message());
  std::string temporary = folder + "/.tmp.XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return fmt::format("cannot write in {}: {}", folder, std::strerror(errno));
  const bool is_written = write_all(file, entry);
  const int write_error = errno;
  const bool is_closed = ::close(file) == 0;
  if (is_written && is_closed && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const int error = is_written ? errno : write_error;
  ::unlink(temporary.c_str());
  return fmt::format("cannot write {}: {}", path, std::strerror(error));
}

}  // namespace

std::optional<std::string> DiskCache::find(std::string_view key) const {
  if (folder_.empty() || !distrust(folder_).empty()) return std::nullopt;
  const std::string path = entry_path(folder_, key);
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  const std::string entry = std::move(text).str();
  std::string_view payload;
  switch (read_entry(entry, key, payload)) {
    case EntryState::Good: return std::string(payload);
    case EntryState::OtherKey: return std::nullopt;
    case EntryState::Damaged: break;
  }
  logger().warn("cache entry {} is damaged; it is removed and compiled again", path);
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return std::nullopt;
}

void DiskCache::store(std::string_view key, std::string_view payload) const {
  if (folder_.empty()) return;
  std::string trouble = distrust(folder_);
  if (trouble.empty()) {
    trouble = write_entry(folder_, entry_path(folder_, key), make_entry(key, payload));
  }
  if (!trouble.empty()) {
    warn_once(fmt::format("kernel cache: {}; kernels are kept in memory only", trouble));
  }
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
