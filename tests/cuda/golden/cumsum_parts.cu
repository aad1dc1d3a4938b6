// sinter_g_0, schedule scan: parts of rows for each block of 256, 16 elements of a thread at a time.
typedef int i32;
typedef long long i64;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short bf16;  // bits

inline float bf16_to_f32(bf16 x) { return __uint_as_float((u32)x << 16); }

inline bf16 f32_to_bf16(float x) {
  bf16 result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}

inline u32 shuffle_up_4(u32 x, int distance) { return __shfl_up_sync(0xffffffffu, x, distance); }

inline u32 shuffle_4(u32 x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }

inline void publish_word(u64* to, u32 bits) { *(volatile u64*)to = (u64)1 << 32 | bits; }

inline u32 await_word(const u64* from) {
  u64 word = *(const volatile u64*)from;
  while (word >> 32 == 0) word = *(const volatile u64*)from;
  return (u32)word;
}
typedef i32 idx;  // the class says that every index fits

struct alignas(16) pack_bf16_8 {
  bf16 e[8];
};

extern "C" __global__ void __launch_bounds__(256) sinter_g_0(
    const bf16* __restrict__ x,
    bf16* out0,
    i64 m_i64,
    i64 n_i64,
    u64* state) {
  const idx m = (idx)m_i64;
  const idx n = (idx)n_i64;
  const idx length = n;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const u32 sequences = (u32)m;
  const u32 parts = (u32)((n + 4095) / 4096);
  const u32 groups = (u32)((n + 1048575) / 1048576);
  u64* of_parts = state + 1;
  u64* of_groups = of_parts + (idx)sequences * parts * 1;
  __shared__ u32 drawn;
  if (threadIdx.x == 0) drawn = atomicAdd((u32*)state, 1u);
  __syncthreads();
  for (u32 piece = drawn; piece < sequences * parts; piece = drawn) {
    const u32 part = piece / sequences;
    const u32 sequence = piece % sequences;
    const idx row = sequence;
    const idx i = row;
    const idx reach = length;
    const bf16* base_0;
    {
      const idx j = 0;
      base_0 = x + (i * n + j);
    }
    bf16* base_4;
    {
      const idx j = 0;
      base_4 = out0 + (i * n + j);
    }
    const idx left = reach - (idx)part * 4096;
    pack_bf16_8 pack_0[2];
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
      const int offset = ((warp * 2 + item) * 32 + lane) * 8;
      if (offset < left) {
        const idx first = reach - left + offset;
        pack_0[item] = *(const pack_bf16_8*)(base_0 + first);
      }
    }

    // Each run by itself, then the runs of the team.
    float running_2_all[2];
    #pragma unroll
    for (int e = 0; e < 2; ++e) running_2_all[e] = 0.0f;
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
      const int offset = ((warp * 2 + item) * 32 + lane) * 8;
      if (offset < left) {
        const idx first = reach - left + offset;
        float& running_2 = running_2_all[item];
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const idx element = first + e;
          const idx j = element;
          const bf16 x_0 = pack_0[item].e[e];
          const float cast_1 = bf16_to_f32(x_0);
          running_2 = running_2 + cast_1;
        }
      }
    }
    float whole_0[2];
    #pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      #pragma unroll
      for (int item = 0; item < 2; ++item) {
        float other_0 = __uint_as_float(shuffle_up_4(__float_as_uint(running_2_all[item]), distance));
        other_0 = other_0 + running_2_all[item];
        if (threadIdx.x % 32 >= distance) running_2_all[item] = other_0;
      }
    }
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
      whole_0[item] = __uint_as_float(shuffle_4(__float_as_uint(running_2_all[item]), threadIdx.x | 31));
      running_2_all[item] = __uint_as_float(shuffle_up_4(__float_as_uint(running_2_all[item]), 1));
      if (threadIdx.x % 32 < 1) running_2_all[item] = 0.0f;
    }
    float of_warp_0 = whole_0[0];
    #pragma unroll
    for (int item = 1; item < 2; ++item) {
      float sum_0 = of_warp_0;
      sum_0 = sum_0 + running_2_all[item];
      running_2_all[item] = lane == 0 ? of_warp_0 : sum_0;
      of_warp_0 = of_warp_0 + whole_0[item];
    }
    __shared__ float of_warps_0[8];
    if (threadIdx.x % 32 == 0) of_warps_0[warp] = of_warp_0;
    __syncthreads();
    float of_lane_0 = of_warps_0[threadIdx.x % 8];
    #pragma unroll
    for (int distance = 1; distance < 8; distance *= 2) {
      float other_0_2 = __uint_as_float(shuffle_up_4(__float_as_uint(of_lane_0), distance));
      other_0_2 = other_0_2 + of_lane_0;
      if (threadIdx.x % 8 >= distance) of_lane_0 = other_0_2;
    }
    float ahead_0 = __uint_as_float(shuffle_4(__float_as_uint(of_lane_0), warp - 1));
    float all_0 = __uint_as_float(shuffle_4(__float_as_uint(of_lane_0), 7));

    // What the parts ahead hand on.
    const u32 place = sequence * parts + part;
    const u32 group = part / 256;
    const int ahead_in_group = part % 256;
    if (threadIdx.x == 0) {
      publish_word(of_parts + (place), (u32)__float_as_uint(all_0));
    }
    if (threadIdx.x == 0) drawn = atomicAdd((u32*)state, 1u);
    const int slot = 255 - (int)threadIdx.x;
    float handed_0[1];
    handed_0[0] = 0.0f;
    if (slot < ahead_in_group) {
      handed_0[0] = __uint_as_float(await_word(of_parts + (place - 1 - slot)));
    } else if (slot == ahead_in_group && group > 0) {
      handed_0[0] = __uint_as_float(await_word(of_groups + (sequence * groups + group - 1)));
    }
    float whole_0_2[1];
    #pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      #pragma unroll
      for (int e = 0; e < 1; ++e) {
        float other_0_3 = __uint_as_float(shuffle_up_4(__float_as_uint(handed_0[e]), distance));
        other_0_3 = other_0_3 + handed_0[e];
        if (threadIdx.x % 32 >= distance) handed_0[e] = other_0_3;
      }
    }
    #pragma unroll
    for (int e = 0; e < 1; ++e) {
      whole_0_2[e] = __uint_as_float(shuffle_4(__float_as_uint(handed_0[e]), threadIdx.x | 31));
    }
    __shared__ float of_warps_0_2[8];
    if (threadIdx.x % 32 == 0) of_warps_0_2[warp] = whole_0_2[0];
    __syncthreads();
    float of_lane_0_2 = of_warps_0_2[threadIdx.x % 8];
    #pragma unroll
    for (int distance = 1; distance < 8; distance *= 2) {
      float other_0_4 = __uint_as_float(shuffle_up_4(__float_as_uint(of_lane_0_2), distance));
      other_0_4 = other_0_4 + of_lane_0_2;
      if (threadIdx.x % 8 >= distance) of_lane_0_2 = other_0_4;
    }
    float all_0_2 = __uint_as_float(shuffle_4(__float_as_uint(of_lane_0_2), 7));
    if (ahead_in_group == 255 && threadIdx.x == 0) {
      float end_0 = all_0_2;
      end_0 = end_0 + all_0;
      publish_word(of_groups + (sequence * groups + group), (u32)__float_as_uint(end_0));
    }
    float base_0_2 = all_0_2;
    float sum_0_2 = all_0_2;
    sum_0_2 = sum_0_2 + ahead_0;
    if (warp > 0) base_0_2 = sum_0_2;
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
      float sum_0_3 = base_0_2;
      sum_0_3 = sum_0_3 + running_2_all[item];
      running_2_all[item] = lane == 0 && item == 0 ? base_0_2 : sum_0_3;
    }

    // Each element on top of all that is ahead of it.
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
      const int offset = ((warp * 2 + item) * 32 + lane) * 8;
      if (offset < left) {
        const idx first = reach - left + offset;
        float& running_2 = running_2_all[item];
        pack_bf16_8 pack_4;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const idx element = first + e;
          const idx j = element;
          const bf16 x_0_2 = pack_0[item].e[e];
          const float cast_1_2 = bf16_to_f32(x_0_2);
          running_2 = running_2 + cast_1_2;
          const float scan_2 = running_2;
          const bf16 cast_3 = f32_to_bf16(scan_2);
          pack_4.e[e] = cast_3;
        }
        *(pack_bf16_8*)(base_4 + first) = pack_4;
      }
    }
  }
}
