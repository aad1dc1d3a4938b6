// The values of the input families, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinter/check.h"

namespace sinter::runtime {

/// Fills `data`, dense elements of `dtype`, with input number `ordinal` of a family.
void fill_family(InputFamily family, DType dtype, std::uint64_t seed, std::size_t ordinal,
                 std::span<std::byte> data);

}  // namespace sinter::runtime
