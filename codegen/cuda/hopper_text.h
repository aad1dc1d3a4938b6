// Device functions for asynchronous copies and matrix products of compute capability 9.0: barriers in
// shared memory (mbarrier), the tensor-copy engine (TMA), warpgroup products (wgmma). PTX ISA names the
// instructions; shared memory is addressed by its 32-bit window address.
#pragma once

#include <cstdint>
#include <string>

#include "ir/dtype.h"

namespace sinter::codegen::cuda {

/// struct TensorMap, 128 bytes, and the functions on barriers:
///   init_barrier(barrier, count), arrive(barrier), arrive_at(barrier, rank of a block of the cluster),
///   expect_bytes(barrier, bytes), wait(barrier, parity), wait_all_blocks() of a cluster
std::string barrier_functions();

/// load_tile_<rank>d(destination, map, x, y[, z], barrier, policy) for one block, or, with `multicast`,
/// multicast_tile_<rank>d(..., mask of the cluster's blocks).
std::string tile_load_function(int rank, bool multicast);
/// store_tile_<rank>d(source, map, x, y[, z], policy), which is committed as a group of its own.
std::string tile_store_function(int rank);

/// How a 128-byte-swizzled operand lies in shared memory.
enum class OperandLines {
  K,      // lines of 64 elements along the summed axis
  Outer,  // lines along rows of A or columns of B
};

/// multiply(d, a, b, accumulates): d[64, n] = or += A[64, 16]·B[16, n] of descriptors a and b, in f32, n a
/// multiple of 8 up to 256; and finish_products(d), which waits for all of them.
std::string product_functions(std::int64_t n, ir::DType dtype, OperandLines a, OperandLines b);

}  // namespace sinter::codegen::cuda
