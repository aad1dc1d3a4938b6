#include "codegen/cuda/schedule/transpose_tile.h"

#include <algorithm>

#include "codegen/cuda/line_access.h"
#include "codegen/cuda/types.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::DType;
using ir::NodeId;
using Scope = support::TextWriter::Scope;

constexpr std::int64_t kWordBytes = 4;
constexpr std::int64_t kChunkBytes = 16;
constexpr std::int64_t kChunksOfBanks = 8;  // all banks have 128 bytes

}  // namespace

TileShape::TileShape(const ir::Kernel& kernel, NodeId id, const TransposeKernel& tiles,
                     const TileVectors& vectors, std::int64_t tile_a, std::int64_t tile_b)
    : a(tile_a),
      b(tile_b),
      element_bytes(
          static_cast<std::int64_t>(size_bytes(tensor_of(kernel, kernel.node(id)).dtype))),
      vector_a(vectors.a) {
  const std::int64_t narrow = std::max<std::int64_t>(kWordBytes / element_bytes, 1);
  if (vector_a >= narrow) packed = narrow;
  const bool is_vector = is_vector_access(kernel, id, tiles.line_b, {vectors.b, std::nullopt});
  if (is_vector) vector_b = std::min(vectors.b, kChunkBytes / element_bytes);
  if (vector_b < packed) vector_b = 1;
}

TileText::TileText(KernelText& text, NodeId id, const TileShape& shape, std::int64_t threads)
    : text_(text), id_(id), shape_(shape), threads_(threads) {
  const std::string suffix = "_" + std::to_string(id);
  shared_ = text.make_name("tile" + suffix);
  pack_ = text.make_name("read" + suffix);
  words_ = text.make_name("words" + suffix);
  turn_ = text.make_name("turn" + suffix);
}

DType TileText::dtype() const { return tensor_of(text_.kernel(), text_.kernel().node(id_)).dtype; }

std::string TileText::bits_type() const {
  return text_.pieces().use(shape_.element_bytes == 1 ? "u8" : "u16");
}

std::string TileText::vector_type() {
  if (shape_.vector_b == 1) return memory_type(dtype(), text_.pieces());
  if (!has_squares()) return text_.vector_type(dtype(), shape_.vector_b);
  return text_.vector_type(DType::U32, shape_.vector_b / shape_.packed);
}

std::string TileText::columns_type() {
  const std::int64_t length = std::min(shape_.vector_b, kChunkBytes / kWordBytes);
  return text_.vector_type(DType::U32, length);
}

void TileText::set_origin(const std::string& base, const std::string& step_a,
                          const std::string& step_b) {
  base_ = base;
  step_a_ = step_a;
  step_b_ = step_b;
}

void TileText::emit_declarations() {
  support::TextWriter& out = text_.body();
  const std::string type =
      shape_.packed > 1 ? text_.pieces().use("u32") : memory_type(dtype(), text_.pieces());
  out.line("alignas(16) __shared__ {} {}[{} * {}];", type, shared_, shape_.a / shape_.packed,
           shape_.b);
  if (text_.kernel().node(id_).op != ir::Op::Load) return;
  const std::int64_t items = (shape_.units() + threads_ - 1) / threads_;
  const std::string rows = shape_.packed > 1 ? fmt::format("[{}]", shape_.packed) : "";
  out.line("{} {}[{}]{};", vector_type(), pack_, items, rows);
}

std::string TileText::pointer(const std::string& row) const {
  const std::string b = step_b_ == "1" ? "b" : "b * " + step_b_;
  return fmt::format("{} + {} * {} + {}", base_, row, step_a_, b);
}

std::string TileText::word(const std::string& row, const std::string& column) const {
  return fmt::format("{} * {} + ({} ^ {})", row, shape_.b, column, turn_);
}

/// Which words of a row lie where: the head of transpose.h.
void TileText::emit_turn() {
  support::TextWriter& out = text_.body();
  if (shape_.vector_a == 1 && shape_.vector_b == 1) {
    return out.line("const int {} = a % 32;", turn_);
  }
  const std::int64_t chunk = kChunkBytes / shape_.word_bytes();
  const std::int64_t chunks = std::min(kChunksOfBanks, shape_.b / chunk);
  out.line("const int {} = (a / {} ^ b / {}) % {} * {};", turn_, shape_.vector_a, chunks * chunk,
           chunks, chunk);
}

template <typename Body>
void TileText::emit_units(const Body& body) {
  support::TextWriter& out = text_.body();
  const std::int64_t items = (shape_.units() + threads_ - 1) / threads_;
  out.line("#pragma unroll");
  out.line("for (int item = 0; item < {}; ++item) {{", items);
  {
    const Scope scope(out);
    out.line("const int unit = item * {} + (int)threadIdx.x;", threads_);
    out.line("const int a = unit / {}{};", shape_.vectors_of_row(),
             shape_.packed > 1 ? fmt::format(" * {}", shape_.packed) : "");
    out.line("const int b = unit % {}{};", shape_.vectors_of_row(),
             shape_.vector_b > 1 ? fmt::format(" * {}", shape_.vector_b) : "");
    out.line("if (a < room_a && b < room_b) {{");
    {
      const Scope inner(out);
      body();
    }
    out.line("}}");
  }
  out.line("}}");
}

void TileText::emit_reads() {
  support::TextWriter& out = text_.body();
  const std::string type = vector_type();
  emit_units([&] {
    if (shape_.packed == 1) {
      out.line("{}[item] = *(const {}*)({});", pack_, type, pointer("a"));
      return;
    }
    out.line("#pragma unroll");
    out.line("for (int r = 0; r < {}; ++r) {}[item][r] = *(const {}*)({});", shape_.packed, pack_,
             type, pointer("(a + r)"));
  });
}

std::string TileText::bits_of(const std::string& element) const {
  return fmt::format("(u32)({}){}", bits_type(), element);
}

void TileText::emit_puts() {
  support::TextWriter& out = text_.body();
  emit_units([&] {
    emit_turn();
    if (has_squares()) return emit_squares(true);
    if (shape_.packed == 1) {
      out.line("*({}*)({} + {}) = {}[item];", vector_type(), shared_, word("a", "b"), pack_);
      return;
    }
    std::string bits;
    for (std::int64_t r = 0; r < shape_.packed; ++r) {
      bits += (r == 0 ? "" : " | ") + bits_of(fmt::format("{}[item][{}]", pack_, r)) +
              (r == 0 ? "" : fmt::format(" << {}", 8 * shape_.element_bytes * r));
    }
    out.line("{}[{}] = {};", shared_, word(fmt::format("a / {}", shape_.packed), "b"), bits);
  });
}

/// Vectors of several rows become words of their columns in shared memory, or the other way.
void TileText::emit_squares(bool is_load) {
  support::TextWriter& out = text_.body();
  const std::int64_t side = shape_.packed;
  const std::int64_t length = std::min(shape_.vector_b, kChunkBytes / kWordBytes);
  const std::string chunk =
      fmt::format("*({}{}*)({} + {})", is_load ? "" : "const ", columns_type(), shared_,
                  word(fmt::format("a / {}", side), fmt::format("(b + k * {})", length)));
  const std::string column =
      fmt::format("columns[(w * {0} + s) / {1}].e[(w * {0} + s) % {1}]", side, length);
  const std::string row = fmt::format("{}[s].e[w]", is_load ? pack_ + "[item]" : "rows");
  out.line("{} columns[{}];", columns_type(), shape_.vector_b / length);
  if (!is_load) {
    out.line("{} rows[{}];", vector_type(), side);
    out.line("#pragma unroll");
    out.line("for (int k = 0; k < {}; ++k) columns[k] = {};", shape_.vector_b / length, chunk);
  }
  out.line("#pragma unroll");
  out.line("for (int w = 0; w < {}; ++w) {{", shape_.vector_b / side);
  {
    const Scope scope(out);
    out.line("u32 square[{}];", side);
    out.line("#pragma unroll");
    out.line("for (int s = 0; s < {}; ++s) square[s] = {};", side, is_load ? row : column);
    out.line("{}(square);", text_.pieces().use(fmt::format("transpose_{}", side)));
    out.line("#pragma unroll");
    out.line("for (int s = 0; s < {}; ++s) {} = square[s];", side, is_load ? column : row);
  }
  out.line("}}");
  out.line("#pragma unroll");
  if (is_load) {
    out.line("for (int k = 0; k < {}; ++k) {} = columns[k];", shape_.vector_b / length, chunk);
  } else {
    out.line("for (int r = 0; r < {}; ++r) *({}*)({}) = rows[r];", side, vector_type(),
             pointer("(a + r)"));
  }
}

void TileText::emit_writes() {
  support::TextWriter& out = text_.body();
  emit_units([&] {
    emit_turn();
    if (has_squares()) return emit_squares(false);
    if (shape_.packed == 1) {
      out.line("*({0}*)({1}) = *(const {0}*)({2} + {3});", vector_type(), pointer("a"), shared_,
               word("a", "b"));
      return;
    }
    out.line("const u32 bits = {}[{}];", shared_, word(fmt::format("a / {}", shape_.packed), "b"));
    out.line("#pragma unroll");
    out.line("for (int r = 0; r < {}; ++r) *({}) = {};", shape_.packed, pointer("(a + r)"),
             element_of("bits", "r"));
  });
}

std::string TileText::element_of(const std::string& word, const std::string& e) const {
  return fmt::format("({})({} >> {} * {})", memory_type(dtype(), text_.pieces()), word, e,
                     8 * shape_.element_bytes);
}

void TileText::emit_fetch() {
  support::TextWriter& out = text_.body();
  const std::int64_t count = shape_.vector_a / shape_.packed;
  const bool is_load = text_.kernel().node(id_).op == ir::Op::Load;
  const std::string type = shape_.packed > 1 ? "u32" : memory_type(dtype(), text_.pieces());
  emit_turn();
  out.line("{} {}[{}]{};", type, words_, count, is_load || shape_.packed == 1 ? "" : " = {}");
  if (!is_load) return;
  out.line("#pragma unroll");
  out.line("for (int w = 0; w < {}; ++w) {}[w] = {}[{}];", count, words_, shared_,
           word(fmt::format("(a / {} + w)", shape_.packed), "b"));
}

std::string TileText::element(const std::string& e) const {
  std::string element = fmt::format("{}[{}]", words_, e);
  if (shape_.packed > 1) {
    element = element_of(fmt::format("{}[{} / {}]", words_, e, shape_.packed),
                         fmt::format("({} % {})", e, shape_.packed));
  }
  return dtype() == DType::Bool ? "(" + element + " != 0)" : element;
}

void TileText::set_element(const std::string& e, const std::string& value) {
  support::TextWriter& out = text_.body();
  if (shape_.packed == 1) {
    const bool is_bool = dtype() == DType::Bool;
    return out.line("{}[{}] = {}{};", words_, e, is_bool ? "(u8)" : "", value);
  }
  out.line("{}[{} / {}] |= {} << {} % {} * {};", words_, e, shape_.packed, bits_of(value), e,
           shape_.packed, 8 * shape_.element_bytes);
}

void TileText::emit_return() {
  support::TextWriter& out = text_.body();
  out.line("#pragma unroll");
  out.line("for (int w = 0; w < {}; ++w) {}[{}] = {}[w];", shape_.vector_a / shape_.packed, shared_,
           word(fmt::format("(a / {} + w)", shape_.packed), "b"), words_);
}

}  // namespace sinter::codegen::cuda
