// NumPy's .npy files (format versions 1 to 3), as inputs and outputs of tasks.
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

/// Whether .npy files have elements of this dtype: bf16 and the f8 have none.
bool is_npy_dtype(DType dtype);

/// What np.save writes (version 1.0, C order), whole or not at all. The dtype is one of .npy files.
/// RuntimeError names path and reason.
void write_npy(const std::string& path, const NpyArray& array);

}  // namespace sinter::tools
