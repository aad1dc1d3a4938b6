// Emits a kernel's values at the current point of a loop nest. Scopes follow the loops: a scope
// knows which axes are bound, which axis runs over vector lanes, and which values are already in
// registers. A value is emitted once a scope, in the outermost scope that has all of its axes
// (hoist), so that what does not change in a loop is computed before it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/kernel_queries.h"
#include "codegen/llvm/lane_writer.h"
#include "codegen/llvm/layout.h"
#include "ir/kernel.h"

namespace sinter::codegen::llvm {

/// Numbers of lanes for loops over the lane axis: the main loop, and narrower ones for what it
/// leaves (the last is always 1).
std::vector<int> lane_widths(int width, int tail_width);

struct EmitterOptions {
  bool has_f16c = false;
  int width = 1;       // lanes of the main loops
  int tail_width = 1;  // lanes of the second loop
};

/// Begin and end of the part of an axis that is folded (i64 texts).
struct AxisRange {
  std::string begin, end;
};

class ValueEmitter {
 public:
  ValueEmitter(FunctionWriter& out, const ir::Kernel& kernel, const ir::Facts& facts,
               EmitterOptions options);

  /// Opens a scope within the current one; closes it when destroyed.
  class Scope {
   public:
    explicit Scope(ValueEmitter& emitter) : emitter_(emitter) { emitter_.open_scope(); }
    ~Scope() { emitter_.scopes_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ValueEmitter& emitter_;
  };

  /// In the current scope the axis has this value (i64 text).
  void bind_axis(ir::AxisId axis, const std::string& text);
  /// The same for the axis that runs over `width` lanes, starting at `text`.
  void bind_lanes(ir::AxisId axis, const std::string& text, int width);
  /// The value is this register, in the current scope.
  void preset(ir::Value value, const Register& value_register);
  /// Folds only this part of the axis, of at most `length` elements, wherever it is folded.
  void restrict_axis(ir::AxisId axis, AxisRange range, ir::IndexExpr length) {
    ranges_[axis] = std::move(range);
    lengths_[axis] = std::move(length);
  }
  /// A value of which `producer` computes all `count` elements along `axis` is written down then, and read
  /// wherever it is needed later in the item.
  void keep(ir::NodeId id, ir::NodeId producer, ir::AxisId axis, std::int64_t count);
  /// Tensors that live elsewhere: loads and stores of `param` go to this argument, dense.
  void redirect(std::int64_t param, const Argument& argument);

  /// Emits, here, everything that `targets` need and that does not depend on an unbound axis.
  void hoist(const std::vector<ir::NodeId>& targets);
  /// The value at the current point: a scalar, or a vector where it depends on the lane axis.
  Register value(ir::Value value);
  void store(ir::NodeId id);
  /// Asks the cache for the line that the load would read first.
  void prefetch(ir::NodeId id);
  /// For all dense loads at this point that `targets` need and that move with `axis`: asks for what their lanes read where
  /// `axis` stands `ahead` further, which may be past its end. The lane axis is bound.
  void prefetch_ahead(const std::vector<ir::NodeId>& targets, ir::AxisId axis, std::int64_t ahead);
  /// What the store writes, in its type in memory, and the second half of store().
  Register stored(ir::NodeId id);
  void write(ir::NodeId id, const Register& stored);
  /// Accumulators of a reduce or contract, in the type that it computes in.
  std::vector<Register> accumulate(ir::NodeId id);
  /// The same, going on from `accumulators`, over elements [begin, end) of the outermost folded axis.
  std::vector<Register> accumulate_further(ir::NodeId id, const AxisRange& range,
                                           const std::vector<Register>& accumulators);
  /// Notes the chain of a fold that goes through its elements one after the other.
  void note_whole_chain(ir::NodeId id);
  /// By fold: roundings that one term goes through at most, in what was emitted so far.
  const std::map<ir::NodeId, ir::IndexExpr>& chains() const { return chains_; }
  void note_chain(ir::NodeId id, const ir::IndexExpr& roundings);

  /// An index expression: a scalar i64, or a vector where it depends on the lane axis.
  Register index(const ir::IndexExpr& expr);
  /// A scalar i64 (for expressions that do not depend on the lane axis).
  std::string scalar_index(const ir::IndexExpr& expr);
  std::string extent(ir::AxisId axis);

  /// Where the axis that runs over lanes stands: its value in lane 0.
  std::string lane_begin() const;

  /// Lanes of a value of this domain at the current point.
  int width_of(const std::vector<ir::AxisId>& domain) const;
  LaneWriter lanes(int width) const { return {out_, width, options_.has_f16c}; }
  FunctionWriter& out() { return out_; }
  const ir::Kernel& kernel() const { return kernel_; }
  const EmitterOptions& options() const { return options_; }
  std::string axis_name(ir::AxisId axis) const;

 private:
  struct ScopeState {
    std::map<ir::Value, Register> values;
    std::map<ir::AxisId, std::string> axes;
    std::optional<ir::AxisId> lane_axis;
    int width = 1;
  };

  struct Kept {
    ir::NodeId producer = 0;
    ir::AxisId axis = 0;
    std::string place;
    bool is_written = false;
  };
  std::string kept_address(const Kept& kept, ir::DType dtype);
  void open_scope();
  const std::string& value_of_axis(ir::AxisId axis) const;
  const Register* find(ir::Value value) const;
  bool is_bound(const std::vector<ir::AxisId>& domain) const;
  void comment_node(ir::NodeId id);
  void emit_node(ir::NodeId id);
  /// The operand of a minimum or maximum that is a constant, neither zero nor NaN.
  std::optional<std::size_t> limit_of(const ir::KernelNode& node) const;
  std::vector<Register> operands(const ir::KernelNode& node, int width);

  // Index expressions (value_emitter_index.cpp).
  bool depends_on_lanes(const ir::IndexExpr& expr) const;
  Register index_term(const ir::Term& term);
  Register index_atom(const ir::Atom& atom);
  Register index_division(const ir::Atom& atom);
  Register index_binary(const char* opcode, const Register& a, const Register& b);

  // Loads and stores (value_emitter_access.cpp).
  struct Access;
  Access make_access(const ir::KernelNode& node);
  std::string address(const Access& access, const std::string& offset);
  std::string lane_address(const Access& access, int lane);
  std::optional<Register> where_mask(const ir::KernelNode& node);
  Register load(const ir::KernelNode& node);
  Register load_scalar(const Access& access, const std::string& address);
  Register load_vector(const Access& access);
  Register load_lanes(const Access& access);
  void store_vector(const Access& access, const Register& value);
  void store_lanes(const Access& access, const Register& value);

  // Folds (value_emitter_fold.cpp).
  ir::IndexExpr length_of(ir::AxisId axis) const;
  AxisRange range_of(ir::AxisId axis);
  std::vector<Register> accumulate_over(ir::NodeId id, const std::vector<ir::AxisId>& axes,
                                        std::size_t depth,
                                        const std::vector<Register>& accumulators);
  std::vector<Register> step_fold(ir::NodeId id, const std::vector<Register>& accumulators);
  std::vector<Register> accumulate_lanes(ir::NodeId id, ir::AxisId lane_axis);
  std::vector<Register> accumulate_lanes_over(ir::NodeId id, const std::vector<ir::AxisId>& outer,
                                              ir::AxisId lane_axis, std::size_t depth,
                                              const std::vector<Register>& accumulators);
  /// One loop over `range`, each set of accumulators a vector further; `next`: where it ended.
  std::vector<Register> accumulate_sets(ir::NodeId id, ir::AxisId lane_axis, const AxisRange& range,
                                        std::string& next,
                                        const std::vector<Register>& accumulators);

  FunctionWriter& out_;
  const ir::Kernel& kernel_;
  const ir::Facts& facts_;
  EmitterOptions options_;
  std::vector<ScopeState> scopes_;
  std::map<ir::AxisId, AxisRange> ranges_;
  std::map<ir::AxisId, ir::IndexExpr> lengths_;  // of ranges_
  std::map<ir::NodeId, ir::IndexExpr> chains_;
  std::map<std::int64_t, Argument> redirected_;
  std::map<ir::NodeId, Kept> kept_;
};

/// The reduced axis that a fold runs over vector lanes where no other axis does: the one along
/// which all that it loads is unit-stride or invariant. None in strict mode (order), and for folds
/// by a Function.
std::optional<ir::AxisId> reduced_lane_axis(const ir::Kernel& kernel, const ir::Facts& facts,
                                            ir::NodeId fold);
/// What it costs to run `axis` over lanes: accesses of `nodes` that are gathers, those in loops of
/// folds counted more.
double lane_cost(const ir::Kernel& kernel, const ir::Facts& facts,
                 const std::vector<ir::NodeId>& nodes, ir::AxisId axis);

}  // namespace sinter::codegen::llvm
