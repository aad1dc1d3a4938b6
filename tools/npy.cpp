// The .npy header is a Python dict in fixed spelling; format:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "tools/npy.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/check.h"

namespace sinter::tools {

namespace {

const std::map<std::string_view, DType>& dtypes() {
  static const std::map<std::string_view, DType> table = {
      {"|b1", DType::Bool}, {"|i1", DType::I8},  {"<i2", DType::I16}, {"<i4", DType::I32},
      {"<i8", DType::I64},  {"|u1", DType::U8},  {"<u2", DType::U16}, {"<u4", DType::U32},
      {"<u8", DType::U64},  {"<f2", DType::F16}, {"<f4", DType::F32}, {"<f8", DType::F64}};
  return table;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path))
    support::throw_user("input file '{}' cannot be read", path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// The text after "'key':" in the header.
std::string_view field(std::string_view header, std::string_view key, const std::string& path) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) {
    support::throw_user("'{}' is no .npy file: its header has no '{}'", path, key);
  }
  std::string_view rest = header.substr(at + key.size() + 3);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return rest;
}

std::vector<std::int64_t> parse_shape(std::string_view text, const std::string& path) {
  std::vector<std::int64_t> shape;
  const std::size_t close = text.find(')');
  if (text.empty() || text.front() != '(' || close == std::string_view::npos) {
    support::throw_user("'{}' is no .npy file: its shape cannot be read", path);
  }
  const char* at = text.data() + 1;
  const char* end = text.data() + close;
  while (at < end) {
    std::int64_t extent = 0;
    const auto [stop, code] = std::from_chars(at, end, extent);
    if (code == std::errc()) shape.push_back(extent);
    at = code == std::errc() ? stop : at + 1;
  }
  return shape;
}

}  // namespace

NpyArray read_npy(const std::string& path) {
  const std::string bytes = read_file(path);
  if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0) {
    support::throw_user("'{}' is no .npy file", path);
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const bool is_version_1 = byte(6) == 1;
  std::size_t length = byte(8) + byte(9) * std::size_t{256};
  if (!is_version_1) length += (byte(10) + byte(11) * std::size_t{256}) << 16;
  const std::size_t start = (is_version_1 ? 10 : 12) + length;
  if (start > bytes.size()) support::throw_user("'{}' is cut short: no whole header", path);
  const std::string_view header = std::string_view(bytes).substr(8, start - 8);

  NpyArray array;
  std::string_view descr = field(header, "descr", path);
  descr = descr.substr(0, std::min<std::size_t>(descr.find(','), 5));
  if (descr.size() > 2) descr = descr.substr(1, descr.size() - 2);
  const auto found = dtypes().find(descr);
  if (found == dtypes().end()) {
    support::throw_user("'{}' holds elements of type '{}', which is no dtype of Sinter", path,
                        descr);
  }
  array.dtype = found->second;
  if (!field(header, "fortran_order", path).starts_with("False")) {
    support::throw_user("'{}' is in Fortran order; C order is needed", path);
  }
  array.shape = parse_shape(field(header, "shape", path), path);
  std::size_t needed = size_bytes(array.dtype);
  for (const std::int64_t extent : array.shape) {
    if (extent < 0 || __builtin_mul_overflow(needed, static_cast<std::size_t>(extent), &needed)) {
      support::throw_user("'{}' says shape [{}], which is no shape of a file", path,
                          fmt::join(array.shape, ", "));
    }
  }
  if (bytes.size() - start < needed) {
    support::throw_user("'{}' is cut short: {} bytes of {} are there", path, bytes.size() - start,
                        needed);
  }
  array.data.resize(needed);
  std::copy_n(reinterpret_cast<const std::byte*>(bytes.data()) + start, needed, array.data.begin());
  return array;
}

}  // namespace sinter::tools
