// Compiled with -O3 -march=native (bench/CMakeLists.txt).
#include "bench/peers/cpu_ceiling.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

#include "support/check.h"

namespace sinter::bench {

namespace {

using Words = std::vector<std::uint32_t>;

/// What one thread does: words [begin, end) of each stream that is read; of each that is written as many as
/// there are in proportion.
template <int reads, int writes>
std::uint32_t move_words(const std::uint32_t* const* from, std::uint32_t* const* to,
                         std::int64_t begin, std::int64_t end) {
  std::uint32_t sum = 0;
  const std::uint32_t* __restrict a = from[0];
  const std::uint32_t* __restrict b = from[reads > 1 ? 1 : 0];
  const std::uint32_t* __restrict c = from[reads > 2 ? 2 : 0];
  std::uint32_t* __restrict y = to[0];
  std::uint32_t* __restrict z = to[1];
  for (std::int64_t i = begin; i < end; ++i) {
    std::uint32_t value = a[i];
    if (reads > 1) value += b[i];
    if (reads > 2) value += c[i];
    if (writes > 0) y[i] = value;
    if (writes > 1) z[i] = value;
    if (writes == 0) sum += value;
  }
  return sum;
}

using Mover = std::uint32_t (*)(const std::uint32_t* const*, std::uint32_t* const*, std::int64_t,
                                std::int64_t);

constexpr Mover kMovers[3][3] = {
    {move_words<1, 0>, move_words<1, 1>, move_words<1, 2>},
    {move_words<2, 0>, move_words<2, 1>, move_words<2, 2>},
    {move_words<3, 0>, move_words<3, 1>, move_words<3, 2>},
};

constexpr std::int64_t kChunkWords = 1 << 16;

}  // namespace

struct CpuCeiling::Streams {
  std::vector<Words> read, written;
  const std::uint32_t* from[3] = {};
  std::uint32_t* to[2] = {};
  Mover mover = nullptr;
  std::int64_t both = 0;  // words of a stream that are read and written
  std::int64_t read_only = 0;
  std::atomic<std::uint32_t> sum = 0;
};

CpuCeiling::CpuCeiling(runtime::ThreadPool& pool, const ByteMix& mix)
    : pool_(pool), streams_(std::make_unique<Streams>()) {
  const std::size_t words = mix.read_bytes / sizeof(std::uint32_t) / mix.read_streams;
  const std::size_t written = mix.written_streams == 0
                                  ? 0
                                  : mix.written_bytes / sizeof(std::uint32_t) /
                                        static_cast<std::size_t>(mix.written_streams);
  support::check(written <= words, "a ceiling of more words written than read");
  for (int r = 0; r < mix.read_streams; ++r) {
    Words& stream = streams_->read.emplace_back(words);
    std::uint32_t value = static_cast<std::uint32_t>(r) + 1;
    for (std::uint32_t& word : stream) word = value = value * 1664525U + 1013904223U;
    streams_->from[r] = stream.data();
  }
  for (int w = 0; w < mix.written_streams; ++w) {
    streams_->to[w] = streams_->written.emplace_back(written, 1).data();
  }
  streams_->mover = kMovers[mix.read_streams - 1][mix.written_streams];
  streams_->both = static_cast<std::int64_t>(mix.written_streams == 0 ? words : written);
  streams_->read_only = static_cast<std::int64_t>(words) - streams_->both;
  const std::size_t counted = mix.written_streams == 0 ? words : written;
  for (const Words& stream : streams_->read) {
    for (std::size_t i = 0; i < counted; ++i) expected_sum_ += stream[i];
  }
}

CpuCeiling::~CpuCeiling() = default;

void CpuCeiling::run() {
  Streams& streams = *streams_;
  streams.sum = 0;
  pool_.parallel_for(streams.both, kChunkWords, [&](std::int64_t begin, std::int64_t end) {
    streams.sum += streams.mover(streams.from, streams.to, begin, end);
  });
  const Mover reader = kMovers[streams.read.size() - 1][0];
  pool_.parallel_for(streams.read_only, kChunkWords, [&](std::int64_t begin, std::int64_t end) {
    streams.sum += reader(streams.from, streams.to, streams.both + begin, streams.both + end);
  });
}

std::uint32_t CpuCeiling::sum() const {
  if (streams_->written.empty()) return streams_->sum;
  std::uint32_t sum = 0;
  for (const std::uint32_t word : streams_->written[0]) sum += word;
  return sum;
}

}  // namespace sinter::bench
