// NumPy's .npy files (format versions 1 to 3), as inputs of tasks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinter/dtype.h"

namespace sinter::tools {

struct NpyArray {
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // row-major, dense
};

/// UserError, naming the file, what was found and what is needed, where it is missing or no regular
/// file, no .npy file (its header is read strictly), cut short or too long, in Fortran order,
/// big-endian, or of a dtype that Sinter does not have.
NpyArray read_npy(const std::string& path);

}  // namespace sinter::tools
