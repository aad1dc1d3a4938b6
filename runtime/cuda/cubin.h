// Reads a cubin (an ELF file) without a GPU: what each kernel in it needs.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/device_impl.h"

namespace sinter::runtime {

/// One row a kernel, sorted by symbol. RuntimeError where `cubin` is not a 64-bit ELF file or is
/// cut short. Verified against `cuobjdump -res-usage` of CUDA 13.
std::vector<EntryResources> read_cubin_resources(std::string_view cubin);

}  // namespace sinter::runtime
