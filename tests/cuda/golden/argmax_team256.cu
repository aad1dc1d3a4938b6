// sinter_argmax, schedule generic: one block an element of (i).
typedef long long i64;
typedef unsigned int u32;
typedef unsigned long long u64;

inline u32 shuffle_down_4(u32 x, int distance) {
  return __shfl_down_sync(0xffffffffu, x, distance);
}

inline u64 shuffle_down_8(u64 x, int distance) {
  const u32 low = __shfl_down_sync(0xffffffffu, (u32)x, distance);
  const u32 high = __shfl_down_sync(0xffffffffu, (u32)(x >> 32), distance);
  return (u64)high << 32 | low;
}
typedef i64 idx;  // sizes are not bounded

// Folds one element into the accumulators of reduce %2.
inline void fold_2(float& acc0, i64& acc1, float element0, i64 element1) {
  const bool gt_4 = element0 > acc0;
  const bool eq_5 = element0 == acc0;
  const bool lt_6 = element1 < acc1;
  const bool and_7 = eq_5 && lt_6;
  const bool or_8 = gt_4 || and_7;
  const float select_9 = or_8 ? element0 : acc0;
  const i64 select_10 = or_8 ? element1 : acc1;
  const float next0 = select_9;
  const i64 next1 = select_10;
  acc0 = next0;
  acc1 = next1;
}

extern "C" __global__ void __launch_bounds__(256) sinter_argmax(
    const float* x,
    float* largest,
    i64* position,
    i64 m_i64,
    i64 n_i64) {
  const idx m = (idx)m_i64;
  const idx n = (idx)n_i64;
  const idx index = (idx)blockIdx.y * gridDim.x + blockIdx.x;
  const int lane = threadIdx.x;
  const idx total = m;
  if (index >= total) return;
  const idx i = index;

  // reduce over (j), shared out among the lanes.
  float reduce_2_0 = __uint_as_float(0xff800000u);
  i64 reduce_2_1 = 9223372036854775807ll;
  #pragma unroll 4
  for (idx step = lane; step < n; step += 256) {
    const idx j = step;
    const float x_0 = x[i * n + j];
    const i64 index_1 = (i64)j;
    fold_2(reduce_2_0, reduce_2_1, x_0, index_1);
  }

  // Fold the lanes of a warp, then the warps: always in the same order.
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_0 = __uint_as_float(shuffle_down_4(__float_as_uint(reduce_2_0), distance));
    const i64 other_1 = (i64)shuffle_down_8(reduce_2_1, distance);
    fold_2(reduce_2_0, reduce_2_1, other_0, other_1);
  }
  __shared__ float partial_0[8];
  if (lane % 32 == 0) partial_0[lane / 32] = reduce_2_0;
  __shared__ i64 partial_1[8];
  if (lane % 32 == 0) partial_1[lane / 32] = reduce_2_1;
  __syncthreads();
  if (lane != 0) return;
  for (int warp = 1; warp < 8; ++warp) {
    fold_2(reduce_2_0, reduce_2_1, partial_0[warp], partial_1[warp]);
  }

  // Behind the loops.
  largest[i] = reduce_2_0;
  position[i] = reduce_2_1;
}
