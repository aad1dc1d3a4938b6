#include "codegen/cuda/scan_tree.h"

#include <bit>

namespace sinter::codegen::cuda {

using Scope = support::TextWriter::Scope;

namespace {

/// So many warps' folds are read by each thread one after the other; more are shared out among lanes.
constexpr std::int64_t kMostReadWarps = 4;

std::int64_t levels_of(std::int64_t count) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

}  // namespace

FoldNames ScanTree::declare(const std::string& hint) {
  FoldNames identities;
  for (std::size_t i = 0; i < fold_.accumulators().size(); ++i) {
    identities.push_back(fold_.identity(i));
  }
  return declare(hint, identities);
}

FoldNames ScanTree::declare(const std::string& hint, const FoldNames& values) {
  FoldNames names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    names.push_back(text_.make_name(fmt::format("{}_{}", hint, i)));
    const std::string type = text_.type(fold_.accumulators()[i].dtype);
    text_.body().line("{} {} = {};", type, names.back(), values[i]);
  }
  return names;
}

FoldNames ScanTree::declare_arrays(const std::string& hint, std::int64_t count) {
  FoldNames names;
  for (std::size_t i = 0; i < fold_.accumulators().size(); ++i) {
    names.push_back(text_.make_name(fmt::format("{}_{}", hint, i)));
    text_.body().line("{} {}[{}];", text_.type(fold_.accumulators()[i].dtype), names.back(), count);
  }
  return names;
}

FoldNames ScanTree::at(const FoldNames& arrays, const std::string& index) {
  FoldNames elements;
  for (const std::string& array : arrays) elements.push_back(array + "[" + index + "]");
  return elements;
}

void ScanTree::assign(const FoldNames& to, const FoldNames& from, const std::string& guard) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    text_.body().line("{}{} = {};", guard, to[i], from[i]);
  }
}

void ScanTree::assign_identity(const FoldNames& to, const std::string& guard) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    text_.body().line("{}{} = {};", guard, to[i], fold_.identity(i));
  }
}

FoldNames ScanTree::declare_sum(const std::string& hint, const FoldNames& left,
                                const FoldNames& right) {
  const FoldNames sum = declare(hint, left);
  emit_sum(sum, right);
  return sum;
}

void ScanTree::emit_sum(const FoldNames& left, const FoldNames& right) {
  fold_.emit_combine(left, right);
}

FoldNames ScanTree::shuffled(const std::string& piece, const FoldNames& values,
                             const std::string& argument) {
  FoldNames others;
  for (std::size_t i = 0; i < values.size(); ++i) {
    others.push_back(fold_.shuffled(piece, i, values[i], argument));
  }
  return others;
}

void ScanTree::emit_up(const FoldNames& values, const std::string& distance, std::int64_t span) {
  const FoldNames others = declare("other", shuffled("shuffle_up", values, distance));
  emit_sum(others, values);
  assign(values, others, fmt::format("if (threadIdx.x % {} >= {}) ", span, distance));
}

FoldNames ScanTree::emit_lanes(const FoldNames& arrays, std::int64_t count, std::int64_t stride,
                               std::int64_t span, const std::string& index, const Wanted& wanted) {
  support::TextWriter& out = text_.body();
  const FoldNames whole = wanted.all ? declare_arrays("whole", count) : FoldNames();
  const FoldNames values = at(arrays, index);
  const auto emit_loop = [&](const auto& body) {
    out.line("#pragma unroll");
    out.line("for (int {0} = 0; {0} < {1}; ++{0}) {{", index, count);
    {
      const Scope scope(out);
      body();
    }
    out.line("}}");
  };
  if (span > stride) {
    // The shuffles of all elements are under way together.
    out.line("#pragma unroll");
    out.line("for (int distance = {}; distance < {}; distance *= 2) {{", stride, span);
    {
      const Scope scope(out);
      emit_loop([&] { emit_up(values, "distance", span); });
    }
    out.line("}}");
  }
  const std::string last = stride == 1
                               ? fmt::format("threadIdx.x | {}", span - 1)
                               : fmt::format("threadIdx.x % {} + {}", stride, span - stride);
  emit_loop([&] {
    const bool is_alone = span == stride;
    if (wanted.all) {
      assign(at(whole, index), is_alone ? values : shuffled("shuffle", values, last));
    }
    if (!wanted.ahead) return;
    if (is_alone) return assign_identity(values);
    assign(values, shuffled("shuffle_up", values, std::to_string(stride)));
    assign_identity(values, fmt::format("if (threadIdx.x % {} < {}) ", span, stride));
  });
  return whole;
}

FoldNames ScanTree::emit_shared(const FoldNames& own, std::int64_t count, const std::string& turn) {
  support::TextWriter& out = text_.body();
  FoldNames shared;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string name = text_.make_name(fmt::format("of_warps_{}", i));
    const std::string type = text_.type(fold_.accumulators()[i].dtype);
    out.line("__shared__ {} {}{}[{}];", type, name, turn.empty() ? "" : "[2]", count);
    shared.push_back(turn.empty() ? name : name + "[" + turn + "]");
    out.line("if (threadIdx.x % 32 == 0) {}[warp] = {};", shared.back(), own[i]);
  }
  out.line("__syncthreads();");
  return shared;
}

ScanTree::Warps ScanTree::emit_warps(const FoldNames& own, std::int64_t count,
                                     const std::string& turn, const Wanted& wanted) {
  const FoldNames shared = emit_shared(own, count, turn);
  return count <= kMostReadWarps ? emit_few_warps(shared, count, wanted)
                                 : emit_many_warps(shared, count, wanted);
}

ScanTree::Warps ScanTree::emit_few_warps(const FoldNames& shared, std::int64_t count,
                                         const Wanted& wanted) {
  support::TextWriter& out = text_.body();
  const Warps warps{wanted.ahead ? declare("ahead") : FoldNames(), declare("all", at(shared, "0"))};
  out.line("#pragma unroll");
  out.line("for (int other = 1; other < {}; ++other) {{", count);
  {
    const Scope scope(out);
    if (wanted.ahead) assign(warps.ahead, warps.all, "if (other == warp) ");
    fold_.emit_combine(warps.all, at(shared, "other"));
  }
  out.line("}}");
  return warps;
}

ScanTree::Warps ScanTree::emit_many_warps(const FoldNames& shared, std::int64_t count,
                                          const Wanted& wanted) {
  support::TextWriter& out = text_.body();
  const FoldNames values = declare("of_lane", at(shared, fmt::format("threadIdx.x % {}", count)));
  out.line("#pragma unroll");
  out.line("for (int distance = 1; distance < {}; distance *= 2) {{", count);
  {
    const Scope scope(out);
    emit_up(values, "distance", count);
  }
  out.line("}}");
  Warps warps;
  // Warp 0 asks for some lane: nothing is ahead of it.
  if (wanted.ahead) warps.ahead = declare("ahead", shuffled("shuffle", values, "warp - 1"));
  if (wanted.all) {
    warps.all = declare("all", shuffled("shuffle", values, std::to_string(count - 1)));
  }
  return warps;
}

std::int64_t ScanTree::lanes_depth(std::int64_t span) { return levels_of(span); }

std::int64_t ScanTree::warps_depth(std::int64_t count) {
  return count <= kMostReadWarps ? count - 1 : levels_of(count);
}

}  // namespace sinter::codegen::cuda
