// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
//   bytes 0-5   "\x93NUMPY"
//   bytes 6-7   version, 1.0 to 3.0
//   then        length of the header, little-endian: 2 bytes in version 1, 4 from version 2 on
//   then        header, data
#include "tools/npy.h"

#include <algorithm>
#include <array>
#include <map>

#include "support/check.h"
#include "support/printable.h"
#include "support/regular_file.h"
#include "tools/npy_header.h"
#include "tools/write_file.h"

namespace sinter::tools {

namespace {

/// NumPy itself reads at most 10000 bytes of what it does not trust.
constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

const std::map<std::string_view, DType>& dtypes() {
  static const std::map<std::string_view, DType> table = {
      {"|b1", DType::Bool}, {"|i1", DType::I8},  {"<i2", DType::I16}, {"<i4", DType::I32},
      {"<i8", DType::I64},  {"|u1", DType::U8},  {"<u2", DType::U16}, {"<u4", DType::U32},
      {"<u8", DType::U64},  {"<f2", DType::F16}, {"<f4", DType::F32}, {"<f8", DType::F64}};
  return table;
}

struct HeaderPlace {
  std::size_t start = 0;
  std::size_t bytes = 0;
};

HeaderPlace find_header(support::RegularFile& file, const std::string& path) {
  std::array<char, 12> head{};
  const std::size_t there = std::min(head.size(), file.size_bytes());
  if (there == 0) support::throw_user("'{}' is empty, no .npy file", path);
  const bool is_read = file.read(std::span(head).first(there), 0);
  if (!is_read || std::string_view(head.data(), there).substr(0, 6) != "\x93NUMPY") {
    support::throw_user("'{}' is no .npy file: it does not begin with the bytes 93 'NUMPY'", path);
  }
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(head[i]));
  };
  if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0) {
    support::throw_user("'{}' has .npy version {}.{}; 1.0, 2.0 or 3.0 is needed", path, byte(6),
                        byte(7));
  }
  HeaderPlace place;
  place.start = byte(6) == 1 ? 10 : 12;
  place.bytes = byte(8) + (byte(9) << 8);
  if (byte(6) > 1) place.bytes += (byte(10) << 16) + (byte(11) << 24);
  if (place.start + place.bytes > file.size_bytes()) {
    support::throw_user("'{}' is cut short: its header ends at byte {}, the file at byte {}", path,
                        place.start + place.bytes, file.size_bytes());
  }
  if (place.bytes > kLongestHeader) {
    support::throw_user("'{}' is no .npy file: its header has {} bytes, at most {} are needed",
                        path, place.bytes, kLongestHeader);
  }
  return place;
}

void read_piece(support::RegularFile& file, std::span<char> data, std::size_t offset,
                const std::string& path) {
  if (file.read(data, offset)) return;
  support::throw_user("input file '{}' cannot be read: {}", path,
                      file.trouble().empty() ? "it became shorter" : file.trouble());
}

/// Bytes of the array that the header describes.
std::size_t data_bytes(const NpyArray& array, const std::string& path) {
  std::size_t bytes = size_bytes(array.dtype);
  for (const std::int64_t extent : array.shape) {
    // The extents of an empty array count too: strides are products of them.
    const auto factor = static_cast<std::size_t>(std::max<std::int64_t>(extent, 1));
    if (__builtin_mul_overflow(bytes, factor, &bytes) || bytes > INT64_MAX) {
      support::throw_user("'{}' says shape [{}]; the product of the extents is too large", path,
                          fmt::join(array.shape, ", "));
    }
  }
  return std::count(array.shape.begin(), array.shape.end(), 0) > 0 ? 0 : bytes;
}

void check_bools(const NpyArray& array, const std::string& path) {
  if (array.dtype != DType::Bool) return;
  const auto wrong = std::find_if(array.data.begin(), array.data.end(),
                                  [](std::byte byte) { return byte > std::byte{1}; });
  if (wrong == array.data.end()) return;
  support::throw_user("'{}': element {} is {}; a bool is 0 or 1", path, wrong - array.data.begin(),
                      std::to_integer<int>(*wrong));
}

/// The name of the dtype in .npy files; empty where they have none.
std::string_view descr_of(DType dtype) {
  for (const auto& [descr, known] : dtypes()) {
    if (known == dtype) return descr;
  }
  return {};
}

}  // namespace

bool is_npy_dtype(DType dtype) { return !descr_of(dtype).empty(); }

void write_npy(const std::string& path, const NpyArray& array) {
  const std::string_view descr = descr_of(array.dtype);
  support::check(!descr.empty(), ".npy files have no {}", to_string(array.dtype));
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                  fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  // The data begins at a multiple of 64 bytes, after a line end.
  constexpr std::size_t kStart = 10;
  header.append(63 - (kStart + header.size()) % 64, ' ');
  header += '\n';
  const std::string head{"\x93NUMPY\x01\x00", 8};
  const char length[] = {static_cast<char>(header.size() & 0xff),
                         static_cast<char>(header.size() >> 8)};
  write_file(path, {head,
                    {length, sizeof length},
                    header,
                    {reinterpret_cast<const char*>(array.data.data()), array.data.size()}});
}

NpyArray read_npy(const std::string& path) {
  support::RegularFile file(path);
  if (!file.trouble().empty()) {
    support::throw_user("input file '{}' cannot be read: {}", path, file.trouble());
  }
  const HeaderPlace place = find_header(file, path);
  std::string text(place.bytes, '\0');
  read_piece(file, text, place.start, path);
  const NpyHeader header = parse_npy_header(text, place.start, path);
  const auto found = dtypes().find(header.descr);
  if (found == dtypes().end()) {
    support::throw_user("'{}' holds elements of type '{}', which is no dtype of Sinter", path,
                        support::printable(header.descr));
  }
  if (header.is_fortran_order) {
    support::throw_user("'{}' is in Fortran order; C order is needed", path);
  }
  NpyArray array{found->second, header.shape, {}};
  const std::size_t needed = data_bytes(array, path);
  const std::size_t start = place.start + place.bytes;
  const std::size_t there = file.size_bytes() - start;
  if (there < needed) {
    support::throw_user("'{}' is cut short: {} bytes of {} are there", path, there, needed);
  }
  if (there > needed) {
    support::throw_user("'{}' holds {} bytes after its array; one array is needed", path,
                        there - needed);
  }
  array.data.resize(needed);
  read_piece(file, {reinterpret_cast<char*>(array.data.data()), needed}, start, path);
  check_bools(array, path);
  return array;
}

}  // namespace sinter::tools
