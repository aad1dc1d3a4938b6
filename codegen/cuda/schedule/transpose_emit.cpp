// The text of transposed kernels: what is read from memory, what is put into shared memory, the elements along
// a, and results across.
#include <algorithm>
#include <map>

#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/linear_launch.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/transpose.h"
#include "codegen/cuda/schedule/transpose_tile.h"
#include "codegen/cuda/types.h"
#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AxisId;
using ir::DType;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

constexpr std::string_view kTransposeWords[] = {
    "a",      "along_a", "along_b",  "b",          "bits",  "block",  "columns",
    "e",      "first_a", "first_b",  "group",      "item",  "k",      "lane",
    "left_a", "left_b",  "length_a", "length_b",   "outer", "r",      "room_a",
    "room_b", "row",     "rows",     "rows_total", "s",     "square", "tile_a",
    "tile_b", "tiles_a", "tiles_b",  "unit",       "w",     "warp"};

class TransposeText {
 public:
  TransposeText(const Kernel& kernel, const ir::Facts& facts, const Config& config)
      : kernel_(kernel),
        tiles_(match_transpose(kernel, facts)),
        tile_a_(config.at("tile_a")),
        tile_b_(config.at("tile_b")),
        threads_(config.at("threads")),
        is_b_first_(config.at("b_first") != 0),
        vectors_{config.at("vector_a"), config.at("vector_b")},
        lanes_(lanes_along(kernel, tiles_, vectors_)),
        is_narrow_(is_narrow_index(kernel, facts)),
        text_(kernel, facts, false, kTransposeWords),
        out_(text_.body()) {
    support::check(tile_a_ % (lanes_ * vectors_.a) == 0 && items() * threads_ == vectors_of_tile(),
                   "transpose: tiles of {} x {} for {} threads", tile_a_, tile_b_, threads_);
    for (const NodeId id : of_kind(Op::Load, TileAccess::Across)) add_tile(id, loads_);
    for (const NodeId id : of_kind(Op::Store, TileAccess::Across)) add_tile(id, stores_);
  }

  Program make_program() {
    emit_place();
    emit_rows();
    emit_origins();
    for (TileText& tile : loads_) tile.emit_declarations();
    for (TileText& tile : stores_) tile.emit_declarations();
    for (TileText& tile : loads_) tile.emit_reads();
    emit_early_loads();
    for (TileText& tile : loads_) tile.emit_puts();
    if (!loads_.empty()) out_.line("__syncthreads();");
    out_.blank();
    emit_items([&] { emit_vector(); });
    if (!stores_.empty()) {
      out_.line("__syncthreads();");
      for (TileText& tile : stores_) tile.emit_writes();
    }
    return text_.make_program(comment(), std::to_string(threads_), make_launch());
  }

 private:
  std::vector<NodeId> of_kind(Op op, TileAccess kind) const {
    return tiles_.of_kind(op, kind, kernel_);
  }

  void add_tile(NodeId id, std::vector<TileText>& to) {
    const TileShape shape(kernel_, id, tiles_, vectors_, tile_a_, tile_b_);
    to.emplace_back(text_, id, shape, threads_);
  }

  IndexExpr length_a() const { return extent_of(kernel_, tiles_.line_a); }
  IndexExpr length_b() const { return extent_of(kernel_, tiles_.line_b); }
  std::int64_t vectors_of_tile() const { return tile_a_ / vectors_.a * tile_b_; }
  std::int64_t items() const { return vectors_of_tile() / threads_; }

  std::string comment() const {
    return fmt::format(
        "// {}, schedule transpose: tiles of {} x {}, {} elements at a time along the first side, "
        "{} "
        "along the other.",
        text_.symbol(), tile_a_, tile_b_, vectors_.a, vectors_.b);
  }

  // Where the tile lies.

  void emit_place() {
    out_.line("const idx length_a = {};", text_.index().emit(length_a()));
    out_.line("const idx length_b = {};", text_.index().emit(length_b()));
    out_.line("const idx tiles_a = (length_a + {}) / {};", tile_a_ - 1, tile_a_);
    out_.line("const idx tiles_b = (length_b + {}) / {};", tile_b_ - 1, tile_b_);
    const char* inner = is_b_first_ ? "b" : "a";
    const char* outer = is_b_first_ ? "a" : "b";
    if (is_narrow_) {
      out_.line("const idx block = blockIdx.x;");
    } else {
      out_.line("const idx block = (idx)blockIdx.y * gridDim.x + blockIdx.x;");
      out_.line("const idx rows_total = {};", text_.index().emit(extent_of(kernel_, tiles_.rows)));
      out_.line("if (block >= rows_total * tiles_a * tiles_b) return;");
    }
    if (tiles_.rows.empty()) {
      out_.line("const idx tile_{} = block / tiles_{};", outer, inner);
      out_.line("const idx tile_{0} = block - tile_{1} * tiles_{0};", inner, outer);
    } else {
      out_.line("const idx outer = block / tiles_{};", inner);
      out_.line("const idx tile_{0} = block - outer * tiles_{0};", inner);
      out_.line("const idx row = outer / tiles_{};", outer);
      out_.line("const idx tile_{0} = outer - row * tiles_{0};", outer);
    }
    emit_side("a", length_a(), tile_a_);
    emit_side("b", length_b(), tile_b_);
    out_.line("const int lane = threadIdx.x % 32;");
    out_.line("const int warp = threadIdx.x / 32;");
  }

  /// Where the tile begins along one of its lines, and how many elements of it there are.
  void emit_side(const char* side, const IndexExpr& length, std::int64_t tile) {
    out_.line("const idx first_{0} = tile_{0} * {1};", side, tile);
    const auto number = length.as_constant();
    if (number && *number % tile == 0) return out_.line("const int room_{} = {};", side, tile);
    out_.line("const idx left_{0} = length_{0} - first_{0};", side);
    out_.line("const int room_{0} = left_{0} < {1} ? (int)left_{0} : {1};", side, tile);
  }

  bool varies_along(NodeId id, const std::vector<AxisId>& line) const {
    const auto& domain = kernel_.node(id).domain;
    return std::any_of(domain.begin(), domain.end(),
                       [&](const AxisId axis) { return has_axis(line, axis); });
  }

  /// What all elements of the tile share.
  void emit_rows() {
    if (!tiles_.rows.empty()) text_.emit_axes("row", tiles_.rows);
    for (const NodeId id : tiles_.live) {
      if (!varies_along(id, tiles_.line_a) && !varies_along(id, tiles_.line_b)) {
        text_.emit_node(id, {});
      }
    }
  }

  /// Pointers to the tile's first element.
  void emit_origins() {
    std::vector<NodeId> moved;
    for (const NodeId id : tiles_.accesses) {
      if (tiles_.kinds[id] == TileAccess::Across || is_direct(id)) moved.push_back(id);
    }
    for (const NodeId id : moved) {
      const DType dtype = tensor_of(kernel_, kernel_.node(id)).dtype;
      bases_[id] = text_.make_name("base_" + std::to_string(id));
      out_.line("{}{}* {};", kernel_.node(id).op == Op::Load ? "const " : "",
                memory_type(dtype, text_.pieces()), bases_[id]);
    }
    out_.line("{{");
    {
      const Scope scope(out_);
      text_.emit_axes("first_a", tiles_.line_a);
      text_.emit_axes("first_b", tiles_.line_b);
      for (const NodeId id : moved) out_.line("{} = {};", bases_[id], text_.pointer(id));
    }
    out_.line("}}");
    for (std::vector<TileText>* kind : {&loads_, &stores_}) {
      for (TileText& tile : *kind) {
        tile.set_origin(bases_.at(tile.id()), text_.step(tile.id(), tiles_.line_a.back()),
                        text_.step(tile.id(), tiles_.line_b.back()));
      }
    }
  }

  // Vectors along a.

  template <typename Body>
  void emit_items(const Body& body) {
    const std::int64_t groups = tile_a_ / (lanes_ * vectors_.a);
    out_.line("#pragma unroll");
    out_.line("for (int item = 0; item < {}; ++item) {{", items());
    {
      const Scope scope(out_);
      out_.line("const int group = item * {} + warp;", threads_ / 32);
      out_.line("const int a = (group % {} * {} + lane % {}) * {};", groups, lanes_, lanes_,
                vectors_.a);
      out_.line("const int b = group / {} * {} + lane / {};", groups, 32 / lanes_, lanes_);
      out_.line("if (a < room_a && b < room_b) {{");
      {
        const Scope inner(out_);
        body();
      }
      out_.line("}}");
    }
    out_.line("}}");
  }

  /// Whether all elements of the vector lie next to each other, from a multiple of their length.
  bool is_vector(NodeId id) const {
    return tiles_.kinds[id] == TileAccess::Along &&
           is_vector_access(kernel_, id, tiles_.line_a, {vectors_.a, std::nullopt});
  }
  /// Whether it is moved as one piece of memory.
  bool is_direct(NodeId id) const {
    return tiles_.kinds[id] == TileAccess::Along && (is_vector(id) || vectors_.a == 1);
  }

  std::string pack_type(NodeId id) {
    const DType dtype = tensor_of(kernel_, kernel_.node(id)).dtype;
    return vectors_.a == 1 ? memory_type(dtype, text_.pieces())
                           : text_.vector_type(dtype, vectors_.a);
  }

  std::string pointer(NodeId id) const {
    std::string offset;
    for (const auto& [place, axis] :
         {std::pair{"a", tiles_.line_a.back()}, {"b", tiles_.line_b.back()}}) {
      const std::string step = text_.step(id, axis);
      if (step == "0") continue;
      offset += fmt::format(" + {}", place) + (step == "1" ? "" : " * " + step);
    }
    return bases_.at(id) + offset;
  }

  void emit_early_loads() {
    std::vector<NodeId> loads;
    for (const NodeId id : of_kind(Op::Load, TileAccess::Along)) {
      if (!is_direct(id)) continue;
      loads.push_back(id);
      packs_[id] = text_.make_name("read_" + std::to_string(id));
      out_.line("{} {}[{}];", pack_type(id), packs_[id], items());
    }
    if (loads.empty()) return;
    emit_items([&] {
      for (const NodeId id : loads) {
        out_.line("{}[item] = *(const {}*)({});", packs_[id], pack_type(id), pointer(id));
      }
    });
  }

  TileText* tile_of(NodeId id) {
    for (std::vector<TileText>* kind : {&loads_, &stores_}) {
      for (TileText& tile : *kind) {
        if (tile.id() == id) return &tile;
      }
    }
    return nullptr;
  }

  void emit_vector() {
    out_.line("const idx along_b = first_b + b;");
    text_.emit_axes("along_b", tiles_.line_b);
    for (const NodeId id : tiles_.live) {
      const bool is_of_b = varies_along(id, tiles_.line_b) && !varies_along(id, tiles_.line_a);
      if (is_of_b) text_.emit_node(id, {});
    }
    for (TileText& tile : loads_) tile.emit_fetch();
    for (TileText& tile : stores_) tile.emit_fetch();
    std::vector<NodeId> packed_stores;
    for (const NodeId id : of_kind(Op::Store, TileAccess::Along)) {
      if (vectors_.a == 1 || !is_vector(id)) continue;
      packed_stores.push_back(id);
      packs_[id] = text_.make_name("pack_" + std::to_string(id));
      out_.line("{} {};", pack_type(id), packs_[id]);
    }
    if (vectors_.a == 1) {
      emit_element("0");
    } else {
      out_.line("#pragma unroll");
      out_.line("for (int e = 0; e < {}; ++e) {{", vectors_.a);
      {
        const Scope scope(out_);
        emit_element("e");
      }
      out_.line("}}");
    }
    for (const NodeId id : packed_stores) {
      out_.line("*({}*)({}) = {};", pack_type(id), pointer(id), packs_[id]);
    }
    for (TileText& tile : stores_) tile.emit_return();
  }

  void emit_element(const std::string& e) {
    out_.line("const idx along_a = first_a + a{};", e == "0" ? "" : " + " + e);
    text_.emit_axes("along_a", tiles_.line_a);
    for (const NodeId id : tiles_.live) {
      if (varies_along(id, tiles_.line_a)) emit_node(id, e);
    }
  }

  void emit_node(NodeId id, const std::string& e) {
    const KernelNode& node = kernel_.node(id);
    TileText* tile = tile_of(id);
    if (node.op == Op::Store) {
      if (tile == nullptr && !is_direct(id)) return text_.emit_node(id, {});
      const ScalarText stored = text_.value(node.operands.front());
      if (tile != nullptr) return tile->set_element(e, stored.text);
      const bool is_bool = stored.dtype == DType::Bool;
      const std::string place = vectors_.a == 1 ? fmt::format("*({})", pointer(id))
                                                : fmt::format("{}.e[{}]", packs_.at(id), e);
      return out_.line("{} = {}{};", place, is_bool ? "(" + text_.pieces().use("u8") + ")" : "",
                       stored.text);
    }
    if (tile == nullptr && !packs_.contains(id)) return text_.emit_node(id, {});
    const DType dtype = node.results.front();
    std::string element;
    if (tile != nullptr) {
      element = tile->element(e);
    } else {
      element = packs_.at(id) + "[item]" + (vectors_.a == 1 ? "" : ".e[" + e + "]");
      if (dtype == DType::Bool) element = "(" + element + " != 0)";
    }
    out_.line("const {} {} = {};", text_.type(dtype), text_.name_value({id, 0}), element);
  }

  LaunchRecipe make_launch() const {
    const IndexExpr tiles = ir::floor_div(length_a() + (tile_a_ - 1), tile_a_) *
                            ir::floor_div(length_b() + (tile_b_ - 1), tile_b_);
    return make_linear_launch(extent_of(kernel_, tiles_.rows) * tiles, threads_, is_narrow_);
  }

  const Kernel& kernel_;
  const TransposeKernel tiles_;
  const std::int64_t tile_a_, tile_b_, threads_;
  const bool is_b_first_;
  const TileVectors vectors_;
  const std::int64_t lanes_;
  const bool is_narrow_;
  KernelText text_;
  support::TextWriter& out_;
  std::vector<TileText> loads_, stores_;
  std::map<NodeId, std::string> bases_;
  std::map<NodeId, std::string> packs_;  // of early loads and of stores in vectors
};

}  // namespace

Program emit_transpose(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                       const Target&) {
  const Kernel expanded = expand_for_gpu(kernel);
  return TransposeText(expanded, facts, config).make_program();
}

}  // namespace sinter::codegen::cuda
