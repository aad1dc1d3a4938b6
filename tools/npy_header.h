// The header of a .npy file: a Python dict of three keys in fixed spelling.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::tools {

struct NpyHeader {
  std::string descr;  // NumPy's name of the dtype: "<f4"
  bool is_fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" and blanks behind it. `start` is
/// the number of its first byte in the file. UserError "'path' is no .npy file: header byte 71:
/// found ..., ... is needed" for anything else: other, missing or repeated keys, other types of
/// values, numbers above 2^63 - 1, text behind the dict.
NpyHeader parse_npy_header(std::string_view text, std::size_t start, const std::string& path);

}  // namespace sinter::tools
