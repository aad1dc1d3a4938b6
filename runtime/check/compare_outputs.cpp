// Samples are spread by the golden ratio.
#include "runtime/check/compare_outputs.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>

#include "runtime/check/shares.h"

namespace sinter::runtime {

std::vector<std::int64_t> sample_indices(std::int64_t count, std::int64_t wanted,
                                         std::uint64_t seed) {
  std::vector<std::int64_t> indices;
  if (wanted == 0 || count <= wanted) {
    indices.resize(static_cast<std::size_t>(count));
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
  }
  // Steps of the golden ratio reach every region; one that shares no factor with the count meets no element
  // twice.
  const auto total = static_cast<std::uint64_t>(count);
  auto golden = static_cast<std::uint64_t>(static_cast<double>(count) * 0.6180339887);
  while (std::gcd(golden, total) != 1) ++golden;
  indices.push_back(count - 1);
  for (std::uint64_t i = 0; indices.size() < static_cast<std::size_t>(wanted); ++i) {
    const auto index = static_cast<std::int64_t>((seed + i * golden) % total);
    if (index != count - 1) indices.push_back(index);
  }
  std::sort(indices.begin(), indices.end());  // what they share is evaluated once
  return indices;
}

namespace {

constexpr std::size_t kLeastEvaluated = 64;  // elements of a share

/// Neighbours stay together: they share what they need.
reference::ReferenceOutput evaluate_in_shares(const ir::Graph& graph,
                                              std::span<const reference::HostTensor> inputs,
                                              std::size_t output,
                                              std::span<const std::int64_t> indices,
                                              const reference::EvaluateOptions& options) {
  if (indices.empty()) return reference::evaluate(graph, inputs, output, indices, options);
  std::map<std::size_t, reference::ReferenceOutput> parts;  // by their begin
  std::mutex mutex;
  run_in_shares(indices.size(), kLeastEvaluated, [&](std::size_t begin, std::size_t end) {
    auto part =
        reference::evaluate(graph, inputs, output, indices.subspan(begin, end - begin), options);
    const std::scoped_lock lock(mutex);
    parts.emplace(begin, std::move(part));
  });
  reference::ReferenceOutput whole = std::move(parts.begin()->second);
  for (auto part = std::next(parts.begin()); part != parts.end(); ++part) {
    const reference::ReferenceOutput& more = part->second;
    whole.indices.insert(whole.indices.end(), more.indices.begin(), more.indices.end());
    whole.elements.insert(whole.elements.end(), more.elements.begin(), more.elements.end());
    whole.visits.insert(whole.visits.end(), more.visits.begin(), more.visits.end());
  }
  return whole;
}

/// Elements of a few lines along the last dimension: what those of a line share is evaluated once.
std::vector<std::int64_t> sample_lines(std::span<const std::int64_t> extents, std::int64_t elements,
                                       std::int64_t lines) {
  const std::int64_t length = extents.empty() ? 1 : extents.back();
  const std::int64_t each = std::max<std::int64_t>(elements / lines, 1);
  std::vector<std::int64_t> indices;
  for (const std::int64_t line :
       sample_indices(reference::count_elements(extents) / length, lines)) {
    for (const std::int64_t along :
         sample_indices(length, each, static_cast<std::uint64_t>(line))) {
      indices.push_back(line * length + along);
    }
  }
  return indices;
}

std::vector<std::int64_t> affordable_indices(const ir::Graph& graph,
                                             std::span<const reference::HostTensor> inputs,
                                             std::size_t output,
                                             const reference::EvaluateOptions& options,
                                             const SampleOptions& sample) {
  const auto evaluate = [&](std::span<const std::int64_t> indices) {
    return reference::evaluate(graph, inputs, output, indices, options);
  };
  // Without an element it costs nothing, and tells the extents.
  const std::vector<std::int64_t> extents = evaluate({}).extents;
  const std::int64_t count = reference::count_elements(extents);
  const std::int64_t wanted = sample.elements == 0 ? count : sample.elements;
  if (sample.most_visits == 0 || count == 0) return sample_indices(count, wanted, sample.seed);
  // The last line's two ends: the second one costs what it does not share with the first.
  const std::int64_t length = extents.empty() ? 1 : extents.back();
  const std::array<std::int64_t, 2> ends = {count - 1, count - length};
  const std::vector<std::int64_t> visits = evaluate(ends).visits;
  const std::int64_t alone = visits[0];
  const std::int64_t more = length == 1 ? alone : visits[1];
  if (wanted * alone <= sample.most_visits) return sample_indices(count, wanted, sample.seed);
  const std::int64_t for_lines = sample.most_visits - wanted * more;
  if (for_lines <= 0 || more >= alone) {
    const std::int64_t affordable = std::max<std::int64_t>(sample.most_visits / alone, 1);
    return sample_indices(count, affordable, sample.seed);
  }
  return sample_lines(extents, wanted,
                      std::clamp<std::int64_t>(for_lines / (alone - more), 1, wanted));
}

}  // namespace

reference::ReferenceOutput evaluate_sample(const ir::Graph& graph,
                                           std::span<const reference::HostTensor> inputs,
                                           std::size_t output,
                                           const reference::EvaluateOptions& options,
                                           const SampleOptions& sample) {
  const auto indices = affordable_indices(graph, inputs, output, options, sample);
  return evaluate_in_shares(graph, inputs, output, indices, options);
}

std::vector<reference::Comparison> compare_outputs(const ir::Graph& graph,
                                                   std::span<const reference::HostTensor> inputs,
                                                   std::span<const reference::HostTensor> outputs,
                                                   const reference::EvaluateOptions& options,
                                                   std::int64_t elements, std::uint64_t seed) {
  std::vector<reference::Comparison> verdicts;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const auto expected =
        evaluate_sample(graph, inputs, o, options, {.elements = elements, .seed = seed});
    verdicts.push_back(reference::compare(expected, outputs[o]));
  }
  return verdicts;
}

}  // namespace sinter::runtime
