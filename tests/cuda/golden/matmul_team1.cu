// sinter_matmul, schedule generic: one thread an element of (i, j).
typedef long long i64;
typedef unsigned int u32;
typedef unsigned short bf16;  // bits

inline float bf16_to_f32(bf16 x) { return __uint_as_float((u32)x << 16); }

inline bf16 f32_to_bf16(float x) {
  bf16 result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}
typedef i64 idx;  // sizes are not bounded

extern "C" __global__ void __launch_bounds__(256) sinter_matmul(
    const bf16* a,
    const bf16* b,
    const float* bias,
    bf16* c,
    i64 depth_i64,
    i64 m_i64,
    i64 n_i64,
    i64 a_stride0_i64,
    i64 a_stride1_i64,
    i64 b_stride0_i64,
    i64 b_stride1_i64,
    i64 bias_stride0_i64,
    i64 c_stride0_i64,
    i64 c_stride1_i64) {
  const idx depth = (idx)depth_i64;
  const idx m = (idx)m_i64;
  const idx n = (idx)n_i64;
  const idx a_stride0 = (idx)a_stride0_i64;
  const idx a_stride1 = (idx)a_stride1_i64;
  const idx b_stride0 = (idx)b_stride0_i64;
  const idx b_stride1 = (idx)b_stride1_i64;
  const idx bias_stride0 = (idx)bias_stride0_i64;
  const idx c_stride0 = (idx)c_stride0_i64;
  const idx c_stride1 = (idx)c_stride1_i64;
  const idx index = ((idx)blockIdx.y * gridDim.x + blockIdx.x) * 256 + (idx)threadIdx.x;
  const idx total = m * n;
  if (index >= total) return;
  const idx i = index / n;
  const idx j = index - i * n;

  // contract over (k), in ascending order.
  float contract_2 = 0.0f;
  #pragma unroll 4
  for (idx k = 0; k < depth; ++k) {
    const bf16 a_0 = a[i * a_stride0 + k * a_stride1];
    const bf16 b_1 = b[k * b_stride0 + j * b_stride1];
    contract_2 = __fmaf_rn(bf16_to_f32(a_0), bf16_to_f32(b_1), contract_2);
  }

  // Behind the loops.
  const float bias_3 = bias[j * bias_stride0];
  const float add_4 = contract_2 + bias_3;
  const bf16 cast_5 = f32_to_bf16(add_4);
  c[i * c_stride0 + j * c_stride1] = cast_5;
}
