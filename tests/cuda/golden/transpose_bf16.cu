// sinter_g_0, schedule transpose: tiles of 64 x 64, 8 elements at a time along the first side, 8 along the other.
typedef int i32;
typedef long long i64;
typedef unsigned int u32;
typedef unsigned short bf16;  // bits

inline void transpose_2(u32 (&w)[2]) {
  const u32 first = __byte_perm(w[0], w[1], 0x5410);
  w[1] = __byte_perm(w[0], w[1], 0x7632);
  w[0] = first;
}
typedef i32 idx;  // the class says that every index fits

struct alignas(16) pack_u32_4 {
  u32 e[4];
};
struct alignas(16) pack_bf16_8 {
  bf16 e[8];
};

extern "C" __global__ void __launch_bounds__(256) sinter_g_0(
    const bf16* x,
    bf16* out0,
    i64 m_i64,
    i64 n_i64) {
  const idx m = (idx)m_i64;
  const idx n = (idx)n_i64;
  const idx length_a = m;
  const idx length_b = n;
  const idx tiles_a = (length_a + 63) / 64;
  const idx tiles_b = (length_b + 63) / 64;
  const idx block = blockIdx.x;
  const idx tile_b = block / tiles_a;
  const idx tile_a = block - tile_b * tiles_a;
  const idx first_a = tile_a * 64;
  const idx left_a = length_a - first_a;
  const int room_a = left_a < 64 ? (int)left_a : 64;
  const idx first_b = tile_b * 64;
  const idx left_b = length_b - first_b;
  const int room_b = left_b < 64 ? (int)left_b : 64;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const bf16* base_0;
  bf16* base_1;
  {
    const idx j = first_a;
    const idx i = first_b;
    base_0 = x + (j * n + i);
    base_1 = out0 + (i * m + j);
  }
  alignas(16) __shared__ u32 tile_0[32 * 64];
  pack_u32_4 read_0[1][2];
  #pragma unroll
  for (int item = 0; item < 1; ++item) {
    const int unit = item * 256 + (int)threadIdx.x;
    const int a = unit / 8 * 2;
    const int b = unit % 8 * 8;
    if (a < room_a && b < room_b) {
      #pragma unroll
      for (int r = 0; r < 2; ++r) read_0[item][r] = *(const pack_u32_4*)(base_0 + (a + r) * n + b);
    }
  }
  #pragma unroll
  for (int item = 0; item < 1; ++item) {
    const int unit = item * 256 + (int)threadIdx.x;
    const int a = unit / 8 * 2;
    const int b = unit % 8 * 8;
    if (a < room_a && b < room_b) {
      const int turn_0 = (a / 8 ^ b / 32) % 8 * 4;
      pack_u32_4 columns[2];
      #pragma unroll
      for (int w = 0; w < 4; ++w) {
        u32 square[2];
        #pragma unroll
        for (int s = 0; s < 2; ++s) square[s] = read_0[item][s].e[w];
        transpose_2(square);
        #pragma unroll
        for (int s = 0; s < 2; ++s) columns[(w * 2 + s) / 4].e[(w * 2 + s) % 4] = square[s];
      }
      #pragma unroll
      for (int k = 0; k < 2; ++k) *(pack_u32_4*)(tile_0 + a / 2 * 64 + ((b + k * 4) ^ turn_0)) = columns[k];
    }
  }
  __syncthreads();

  #pragma unroll
  for (int item = 0; item < 2; ++item) {
    const int group = item * 8 + warp;
    const int a = (group % 1 * 8 + lane % 8) * 8;
    const int b = group / 1 * 4 + lane / 8;
    if (a < room_a && b < room_b) {
      const idx along_b = first_b + b;
      const idx i = along_b;
      const int turn_0 = (a / 8 ^ b / 32) % 8 * 4;
      u32 words_0[4];
      #pragma unroll
      for (int w = 0; w < 4; ++w) words_0[w] = tile_0[(a / 2 + w) * 64 + (b ^ turn_0)];
      pack_bf16_8 pack_1;
      #pragma unroll
      for (int e = 0; e < 8; ++e) {
        const idx along_a = first_a + a + e;
        const idx j = along_a;
        const bf16 x_0 = (bf16)(words_0[e / 2] >> (e % 2) * 16);
        pack_1.e[e] = x_0;
      }
      *(pack_bf16_8*)(base_1 + a + b * m) = pack_1;
    }
  }
}
