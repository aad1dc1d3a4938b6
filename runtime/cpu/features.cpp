#include "runtime/cpu/features.h"

namespace sinter::runtime {
namespace {

/// Where `feature`, with its sign, stands as an item of the list.
std::size_t find_feature(const std::string& features, const std::string& feature) {
  return ("," + features + ",").find("," + feature + ",");
}

}  // namespace

std::string usable_features(std::string features) {
  const std::size_t at = find_feature(features, "+avx512fp16");
  if (at != std::string::npos) features[at] = '-';
  return features;
}

int vector_bytes(const std::string& features) {
  if (find_feature(features, "+avx512f") != std::string::npos) return 64;
  return find_feature(features, "+avx") != std::string::npos ? 32 : 16;
}

}  // namespace sinter::runtime
