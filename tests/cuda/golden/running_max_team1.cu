// sinter_running_max, schedule generic: one thread an element of (i).
typedef int i32;
typedef long long i64;

inline float maximum_f32(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
typedef i32 idx;  // the class says that every index fits

extern "C" __global__ void __launch_bounds__(256) sinter_running_max(
    const float* __restrict__ x,
    float* y,
    i64 m_i64,
    i64 n_i64) {
  const idx m = (idx)m_i64;
  const idx n = (idx)n_i64;
  const idx index = (idx)blockIdx.x * 256 + (idx)threadIdx.x;
  const idx total = m;
  if (index >= total) return;
  const idx i = index;

  // scan over (j), in ascending order.
  float running_1 = __uint_as_float(0xff800000u);
  #pragma unroll 4
  for (idx j = n - 1; j >= 0; --j) {
    const float x_0 = x[i * n + j];
    const float scan_1 = running_1;
    running_1 = maximum_f32(running_1, x_0);
    y[i * n + j] = scan_1;
  }
}
