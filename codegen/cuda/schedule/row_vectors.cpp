// Where vectors may be partial, one is moved in one of two ways, whole or element by element. Elements
// that share a word would have to be taken apart, and so be waited for, where the ways of a load meet; and
// stores of both ways would be made the same single ones. So whole vectors are words there.
#include "codegen/cuda/schedule/row_vectors.h"

#include <algorithm>

#include "codegen/cuda/types.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {

using ir::AxisId;
using ir::DType;
using ir::IndexExpr;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

bool RowVectors::has(NodeId id) const {
  return is_vector_access(text_.kernel(), id, line_, config_.vectors);
}

bool RowVectors::is_load(NodeId id) const {
  return text_.kernel().node(id).op == Op::Load && has(id);
}

DType RowVectors::memory_dtype(NodeId id) const {
  return tensor_of(text_.kernel(), text_.kernel().node(id)).dtype;
}

std::int64_t RowVectors::elements_of_word(NodeId id) const {
  if (!config_.partial && !in_words_.contains(id)) return 1;
  return std::max<std::int64_t>(4 / static_cast<std::int64_t>(width(id)), 1);
}

void RowVectors::hold_words(NodeId id) {
  if (config_.vector() * static_cast<std::int64_t>(width(id)) >= 4) in_words_.insert(id);
}

std::string RowVectors::pack_type(NodeId id) {
  return text_.vector_type(memory_dtype(id), config_.vector());
}

std::string RowVectors::words_type(std::int64_t words) {
  const std::string name = fmt::format("words_{}", words);
  if (types_.insert(name).second) {
    text_.functions().line("struct alignas({}) {} {{", 4 * words, name);
    text_.functions().line("  {} w[{}];", text_.pieces().use("u32"), words);
    text_.functions().line("}};");
  }
  return name;
}

std::string RowVectors::load_type(NodeId id) {
  const std::int64_t in_word = elements_of_word(id);
  return in_word == 1 ? pack_type(id) : words_type(config_.vector() / in_word);
}

std::string RowVectors::pointer(NodeId id) const {
  return is_pointwise_ ? text_.pointer(id) : bases_.at(id) + " + first";
}

IndexExpr RowVectors::tensor_elements(NodeId id) const {
  IndexExpr count = 1;
  for (const IndexExpr& extent : tensor_of(text_.kernel(), text_.kernel().node(id)).shape) {
    count = count * extent;
  }
  return count;
}

void RowVectors::emit_base(NodeId id) {
  if (!has(id) || bases_.contains(id)) return;
  support::TextWriter& out = text_.body();
  const bool is_read = text_.kernel().node(id).op == Op::Load;
  const std::string name = text_.make_name("base_" + std::to_string(id));
  out.line("{}{}* {};", is_read ? "const " : "", memory_type(memory_dtype(id), text_.pieces()),
           name);
  out.line("{{");
  {
    const Scope scope(out);
    for (const AxisId axis : line_) out.line("const idx {} = 0;", text_.axis(axis));
    out.line("{} = {};", name, text_.pointer(id));
  }
  out.line("}}");
  bases_[id] = name;
  if (!config_.partial || !is_read) return;
  rooms_[id] = text_.make_name("room_" + std::to_string(id));
  out.line("const idx {} = {};", rooms_[id],
           text_.index().emit(tensor_elements(id) - *config_.vectors.shared_start));
}

void RowVectors::declare_loads(NodeId id, bool is_filled) {
  const std::string type = load_type(id);
  names_[id] = text_.make_name("pack_" + std::to_string(id));
  const std::string count = is_pointwise_ ? "" : fmt::format("[{}]", config_.items);
  text_.body().line("{} {}{}{};", type, names_[id], count, is_filled ? "" : " = {}");
}

void RowVectors::declare_store(NodeId id) {
  const std::string type = pack_type(id);
  names_[id] = text_.make_name("pack_" + std::to_string(id));
  text_.body().line("{} {};", type, names_[id]);
}

void RowVectors::emit_load(NodeId id) {
  support::TextWriter& out = text_.body();
  const std::string pack = this->pack(id);
  const std::string whole = fmt::format("{} = *(const {}*)({});", pack, load_type(id), pointer(id));
  if (!config_.partial) return out.line("{}", whole);
  // Neighbours of the row are read with it, but nothing outside of the tensor.
  out.line("if (first + {} <= {}) {{", config_.vector(), rooms_.at(id));
  out.line("  {}", whole);
  out.line("}} else {{");
  {
    const Scope scope(out);
    emit_elements_here([&] { emit_single_load(id, pack); });
  }
  out.line("}}");
}

void RowVectors::emit_single_load(NodeId id, const std::string& pack) {
  support::TextWriter& out = text_.body();
  const std::int64_t in_word = elements_of_word(id);
  if (in_word == 1) return out.line("{}.e[e] = ({})[e];", pack, pointer(id));
  const std::string type = text_.pieces().use(in_word == 2 ? "u16" : "u8");
  out.line("{}.w[e / {}] |= (u32)((const {}*)({}))[e] << e % {} * {};", pack, in_word, type,
           pointer(id), in_word, 32 / in_word);
}

void RowVectors::emit_store(NodeId id, bool is_masked, const std::string& guard) {
  support::TextWriter& out = text_.body();
  if (!guard.empty()) {
    out.line("{}{{", guard);
    out.indent();
  }
  if (!config_.partial) {
    out.line("{}*({}*)({}) = {};", is_masked ? "if (is_full) " : "", pack_type(id), pointer(id),
             names_.at(id));
  } else {
    out.line("if (is_full) {{");
    {
      const Scope scope(out);
      emit_words_store(id);
    }
    out.line("}} else if (first < length) {{");
    {
      const Scope scope(out);
      emit_elements_here([&] { out.line("({})[e] = {}.e[e];", pointer(id), names_.at(id)); });
    }
    out.line("}}");
  }
  if (!guard.empty()) {
    out.dedent();
    out.line("}}");
  }
}

void RowVectors::emit_words_store(NodeId id) {
  support::TextWriter& out = text_.body();
  const std::string& pack = names_.at(id);
  const std::int64_t in_word = elements_of_word(id);
  if (in_word == 1) return out.line("*({}*)({}) = {};", pack_type(id), pointer(id), pack);
  const std::int64_t count = config_.vector() / in_word;
  const std::string bits = text_.pieces().use(in_word == 2 ? "u16" : "u8");
  const std::string words = text_.make_name("words");
  out.line("{} {}[{}] = {{}};", text_.pieces().use("u32"), words, count);
  out.line("#pragma unroll");
  out.line("for (int e = 0; e < {}; ++e) {}[e / {}] |= (u32)({}){}.e[e] << e % {} * {};",
           config_.vector(), words, in_word, bits, pack, in_word, 32 / in_word);
  out.line("{}({}, {});", text_.pieces().use(fmt::format("store_words_{}", count)), pointer(id),
           words);
}

std::string RowVectors::element_of(const std::string& pack, NodeId id, const std::string& e) {
  std::string element = fmt::format("{}.e[{}]", pack, e);
  if (const std::int64_t in_word = elements_of_word(id); in_word > 1) {
    element = fmt::format("({})({}.w[{} / {}] >> {} % {} * {})",
                          memory_type(memory_dtype(id), text_.pieces()), pack, e, in_word, e,
                          in_word, 32 / in_word);
  }
  const bool is_bool = text_.kernel().node(id).results.front() == DType::Bool;
  return is_bool ? "(" + element + " != 0)" : element;
}

void RowVectors::set_element(NodeId id, const std::string& e) {
  const ScalarText stored = text_.value(text_.kernel().node(id).operands.front());
  const bool is_bool = stored.dtype == DType::Bool;
  if (is_bool) text_.pieces().use("u8");
  text_.body().line("{}.e[{}] = {}{};", names_.at(id), e, is_bool ? "(u8)" : "", stored.text);
}

void RowVectors::emit_elements(const std::function<void()>& body) {
  support::TextWriter& out = text_.body();
  out.line("#pragma unroll");
  out.line("for (int e = 0; e < {}; ++e) {{", config_.vector());
  {
    const Scope scope(out);
    body();
  }
  out.line("}}");
}

void RowVectors::emit_elements_here(const std::function<void()>& body) {
  support::TextWriter& out = text_.body();
  emit_elements([&] {
    out.line("if (first + e >= 0 && first + e < length) {{");
    {
      const Scope scope(out);
      body();
    }
    out.line("}}");
  });
}

}  // namespace sinter::codegen::cuda
