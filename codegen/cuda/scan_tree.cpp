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

FoldNames ScanTree::declare(const std::string& hint, bool is_identity) {
  FoldNames names;
  for (std::size_t i = 0; i < fold_.accumulators().size(); ++i) {
    names.push_back(text_.make_name(fmt::format("{}_{}", hint, i)));
    const std::string type = text_.type(fold_.accumulators()[i].dtype);
    text_.body().line("{} {}{};", type, names.back(), is_identity ? " = " + fold_.identity(i) : "");
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

void ScanTree::assign_identity(const FoldNames& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    text_.body().line("{} = {};", to[i], fold_.identity(i));
  }
}

void ScanTree::emit_sum(const FoldNames& to, const FoldNames& left, const FoldNames& right) {
  if (to != left) assign(to, left);
  fold_.emit_combine(to, right);
}

void ScanTree::emit_up(const FoldNames& values, const std::string& distance, std::int64_t span) {
  support::TextWriter& out = text_.body();
  const FoldNames others = declare("other", false);
  for (std::size_t i = 0; i < others.size(); ++i) {
    out.line("{} = {};", others[i], fold_.shuffled("shuffle_up", i, values[i], distance));
  }
  fold_.emit_combine(others, values);
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
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_alone = span == stride;
      if (wanted.all) {
        out.line("{}[{}] = {};", whole[i], index,
                 is_alone ? values[i] : fold_.shuffled("shuffle", i, values[i], last));
      }
      if (!wanted.ahead) continue;
      if (is_alone) {
        out.line("{} = {};", values[i], fold_.identity(i));
        continue;
      }
      out.line("{} = {};", values[i],
               fold_.shuffled("shuffle_up", i, values[i], std::to_string(stride)));
      out.line("if (threadIdx.x % {} < {}) {} = {};", span, stride, values[i], fold_.identity(i));
    }
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
  const Warps warps{wanted.ahead ? declare("ahead") : FoldNames(), declare("all", false)};
  assign(warps.all, at(shared, "0"));
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
  const FoldNames values = declare("of_lane", false);
  assign(values, at(shared, fmt::format("threadIdx.x % {}", count)));
  out.line("#pragma unroll");
  out.line("for (int distance = 1; distance < {}; distance *= 2) {{", count);
  {
    const Scope scope(out);
    emit_up(values, "distance", count);
  }
  out.line("}}");
  const Warps warps{wanted.ahead ? declare("ahead", false) : FoldNames(),
                    wanted.all ? declare("all", false) : FoldNames()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Warp 0 asks for some lane: nothing is ahead of it.
    if (wanted.ahead) {
      out.line("{} = {};", warps.ahead[i], fold_.shuffled("shuffle", i, values[i], "warp - 1"));
    }
    if (wanted.all) {
      out.line("{} = {};", warps.all[i],
               fold_.shuffled("shuffle", i, values[i], std::to_string(count - 1)));
    }
  }
  return warps;
}

std::int64_t ScanTree::lanes_depth(std::int64_t span) { return levels_of(span); }

std::int64_t ScanTree::warps_depth(std::int64_t count) {
  return count <= kMostReadWarps ? count - 1 : levels_of(count);
}

}  // namespace sinter::codegen::cuda
