// Loads and stores of a row in vectors, in the text of rows and pointwise.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/line_access.h"

namespace sinter::codegen::cuda {

/// Vectors of a load behind the first reduction that are asked for at once.
inline constexpr std::int64_t kItemsAhead = 2;

/// A config of either schedule, spelled out.
struct RowConfig {
  std::int64_t blocks = 1;  // a row; more than one are a cluster
  std::int64_t threads = 0;
  std::int64_t team = 1;   // threads of a block that share a row
  std::int64_t items = 1;  // vectors that a thread has at once
  bool keeps = true;       // all of the row is there at once, in registers
  LineVectors vectors;
  /// The text takes vectors of which only a part is in the row.
  bool partial = false;

  std::int64_t vector() const { return vectors.length; }
  /// Rows begin anywhere.
  bool shifted() const { return vectors.shared_start.has_value(); }
  std::int64_t lanes() const { return team * blocks; }
};

/// The text around it names `item` (rows), the vector's `first` element, the row's `length`, and where vectors may be
/// partial, `is_full`: all of the vector is in the row.
class RowVectors {
 public:
  /// Refers to all of them.
  RowVectors(KernelText& text, const std::vector<ir::AxisId>& line, const RowConfig& config,
             bool is_pointwise)
      : text_(text), line_(line), config_(config), is_pointwise_(is_pointwise) {}

  /// Whether the node is a load or store in vectors; whether it is such a load.
  bool has(ir::NodeId id) const;
  bool is_load(ir::NodeId id) const;

  /// Vectors of the load are held as whole words, if they have any: what is done to a vector as such is done to
  /// words then, and what widens an element takes it out of its word.
  void hold_words(ir::NodeId id);

  /// Declares where the row begins in the tensor of such a load or store, once.
  void emit_base(ir::NodeId id);
  /// Declares what holds the vectors. `is_filled`: every lane loads all of its.
  void declare_loads(ir::NodeId id, bool is_filled);
  void declare_store(ir::NodeId id);
  bool is_declared(ir::NodeId id) const { return names_.contains(id); }
  /// The name of what holds the vectors, and another one for the same.
  const std::string& name(ir::NodeId id) const { return names_.at(id); }
  void rename(ir::NodeId id, const std::string& name) { names_[id] = name; }
  /// Rows begin elsewhere from here on.
  void forget_bases() {
    bases_.clear();
    rooms_.clear();
  }

  void emit_load(ir::NodeId id);
  /// Where `is_masked`, only what the row has. `guard` is put ahead ("if (is_inside) ").
  void emit_store(ir::NodeId id, bool is_masked, const std::string& guard);

  /// Element `e` of a loaded vector as a value; sets that of a vector to be stored to the stored value.
  std::string element(ir::NodeId id, const std::string& e) { return element_of(pack(id), id, e); }
  void set_element(ir::NodeId id, const std::string& e);
  /// A loaded vector, its type, and element `e` of another variable of that type.
  std::string pack(ir::NodeId id) const { return name(id) + (is_pointwise_ ? "" : "[item]"); }
  std::string load_type(ir::NodeId id);
  std::string element_of(const std::string& pack, ir::NodeId id, const std::string& e);

  /// A loop over e around `body`.
  void emit_elements(const std::function<void()>& body);

 private:
  ir::DType memory_dtype(ir::NodeId id) const;
  std::size_t width(ir::NodeId id) const { return size_bytes(memory_dtype(id)); }
  std::int64_t elements_of_word(ir::NodeId id) const;
  std::string pack_type(ir::NodeId id);
  std::string words_type(std::int64_t words);
  std::string pointer(ir::NodeId id) const;
  ir::IndexExpr tensor_elements(ir::NodeId id) const;
  /// The same over those that the row has.
  void emit_elements_here(const std::function<void()>& body);
  void emit_single_load(ir::NodeId id, const std::string& pack);
  void emit_words_store(ir::NodeId id);

  KernelText& text_;
  const std::vector<ir::AxisId>& line_;
  const RowConfig& config_;
  const bool is_pointwise_;
  std::map<ir::NodeId, std::string> bases_;
  std::map<ir::NodeId, std::string> rooms_;  // elements from the row's first to the tensor's last
  std::map<ir::NodeId, std::string> names_;  // of vectors
  std::set<std::string> types_;
  std::set<ir::NodeId> in_words_;  // beside those of rows that begin anywhere
};

}  // namespace sinter::codegen::cuda
