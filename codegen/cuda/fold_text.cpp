// Accumulators of a Function have its types; those of an operator the type it computes in.
#include "codegen/cuda/fold_text.h"

#include <algorithm>
#include <bit>

#include "codegen/cuda/types.h"
#include "ir/define/positions.h"
#include "ir/graph.h"
#include "support/check.h"

namespace sinter::codegen::cuda {

using ir::AttributeName;
using ir::DType;
using ir::Graph;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using ir::Value;

namespace {

/// So many sums of warps, or of blocks, are read by each thread one after the other; more are shared out among lanes.
constexpr std::int64_t kMostReadPartials = 4;
constexpr std::int64_t kMostReadBlocks = 8;

using FunctionNames = std::map<Value, std::string>;

/// One scalar operator of a reducer's Function.
void emit_function_node(const Graph& function, NodeId id, FunctionNames& names, PieceSet& pieces,
                        support::TextWriter& out) {
  const ir::Node& node = function.node(id);
  if (node.op == Op::Parameter) return;
  if (node.op == Op::Constant) {
    const auto& literal = node.attributes.get<ir::Literal>(AttributeName::Value);
    names[{id, 0}] = emit_literal(literal, pieces);
    return;
  }
  std::vector<ScalarText> operands;
  for (const Value used : node.operands) {
    operands.push_back({names.at(used), function.type(used).dtype});
  }
  const DType result = node.results.front().dtype;
  const std::string value = emit_scalar(node.op, operands, result, pieces);
  names[{id, 0}] = fmt::format("{}_{}", ir::to_string(node.op), id);
  out.line("const {} {} = {};", value_type(result, pieces), names[{id, 0}], value);
}

}  // namespace

bool can_share_fold(const Kernel& kernel, NodeId fold) {
  return kernel.node(fold).op != Op::Scan && can_combine_parts(kernel, fold);
}

bool can_combine_parts(const Kernel& kernel, NodeId fold) {
  const KernelNode& node = kernel.node(fold);
  if (node.op == Op::Contract) return true;
  if (!node.attributes.get<ir::Reducer>(AttributeName::Reducer).function) return true;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (kernel.dtype(node.operands[i]) != node.results[i]) return false;
  }
  return true;
}

FoldText::FoldText(KernelText& text, NodeId fold)
    : text_(text), id_(fold), node_(text.kernel().node(fold)) {
  if (node_.op != Op::Contract) {
    reducer_ = node_.attributes.get<ir::Reducer>(AttributeName::Reducer);
    extremum_ = ir::position_extremum(reducer_);
  }
  const std::string hint = std::string(ir::to_string(node_.op)) + "_" + std::to_string(id_);
  for (std::size_t i = 0; i < node_.results.size(); ++i) {
    const DType result = node_.results[i];
    std::string name = node_.op == Op::Scan ? "running_" + std::to_string(id_) : hint;
    if (node_.results.size() > 1) name += "_" + std::to_string(i);
    accumulators_.push_back(
        {text.make_name(name), reducer_.function ? result : ir::compute_dtype(result)});
  }
  if (reducer_.function) {
    function_name_ = text.make_name("fold_" + std::to_string(id_));
    emit_function(*reducer_.function);
  }
}

std::string FoldText::identity(std::size_t accumulator) const {
  const DType dtype = accumulators_[accumulator].dtype;
  ir::Literal identity{dtype, 0};
  if (reducer_.function) identity = reducer_.identity[accumulator];
  if (reducer_.op != Op::None) identity = *ir::identity_of(reducer_.op, dtype);
  return emit_literal(identity, text_.pieces());
}

void FoldText::emit_accumulators() {
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    text_.body().line("{} {} = {};", text_.type(accumulators_[i].dtype), accumulators_[i].text,
                      identity(i));
  }
}

void FoldText::emit_accumulator_arrays(std::int64_t count) {
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    arrays_.push_back(text_.make_name(accumulators_[i].text + "_all"));
    text_.body().line("{} {}[{}];", text_.type(accumulators_[i].dtype), arrays_.back(), count);
    text_.body().line("#pragma unroll");
    text_.body().line("for (int e = 0; e < {}; ++e) {}[e] = {};", count, arrays_.back(),
                      identity(i));
  }
}

void FoldText::emit_references(const std::string& index) {
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    text_.body().line("{}& {} = {}[{}];", text_.type(accumulators_[i].dtype), accumulators_[i].text,
                      arrays_[i], index);
  }
}

void FoldText::emit_reset() {
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    text_.body().line("{} = {};", accumulators_[i].text, identity(i));
  }
}

void FoldText::emit_step() {
  const bool is_scan = node_.op == Op::Scan;
  const bool is_exclusive = node_.attributes.get_or<bool>(AttributeName::Exclusive, false);
  const auto emit_running = [&] {
    for (std::uint32_t i = 0; i < accumulators_.size(); ++i) {
      const ScalarText& running = accumulators_[i];
      const std::string rounded =
          emit_cast(running.text, running.dtype, node_.results[i], text_.pieces());
      const std::string type = text_.type(node_.results[i]);
      text_.body().line("const {} {} = {};", type, text_.name_value({id_, i}), rounded);
    }
  };
  if (is_scan && is_exclusive) emit_running();
  if (node_.op == Op::Contract) {
    const ScalarText& sum = accumulators_.front();
    const std::string next = emit_multiply_add(text_.value(node_.operands[0]),
                                               text_.value(node_.operands[1]), sum, text_.pieces());
    text_.body().line("{} = {};", sum.text, next);
  } else {
    emit_operands();
  }
  if (is_scan && !is_exclusive) emit_running();
}

void FoldText::emit_operands() {
  std::vector<ScalarText> elements;
  for (const Value operand : node_.operands) elements.push_back(text_.value(operand));
  emit_fold(elements);
}

void FoldText::emit_combine(const std::vector<std::string>& left,
                            const std::vector<std::string>& right) {
  const std::vector<ScalarText> accumulators = accumulators_;
  for (std::size_t i = 0; i < left.size(); ++i) accumulators_[i].text = left[i];
  emit_merge(right);
  accumulators_ = accumulators;
}

void FoldText::emit_fold(const std::vector<ScalarText>& elements) {
  if (reducer_.function) {
    std::string arguments;
    for (const ScalarText& accumulator : accumulators_) {
      arguments += (arguments.empty() ? "" : ", ") + accumulator.text;
    }
    for (const ScalarText& element : elements) arguments += ", " + element.text;
    text_.body().line("{}({});", function_name_, arguments);
    return;
  }
  const ScalarText& folded = accumulators_.front();
  const ScalarText& element = elements.front();
  const ScalarText operands[] = {
      folded, {emit_cast(element.text, element.dtype, folded.dtype, text_.pieces()), folded.dtype}};
  // Partial sums of a contraction are added.
  const Op op = reducer_.op == Op::None ? Op::Add : reducer_.op;
  text_.body().line("{} = {};", folded.text,
                    emit_scalar(op, operands, folded.dtype, text_.pieces()));
}

void FoldText::emit_merge(const std::vector<std::string>& others) {
  std::vector<ScalarText> elements;
  for (std::size_t i = 0; i < others.size(); ++i) {
    elements.push_back({others[i], accumulators_[i].dtype});
  }
  emit_fold(elements);
}

bool FoldText::is_wide(std::size_t accumulator) const {
  return ir::bits(accumulators_[accumulator].dtype) > 32;
}

std::string FoldText::to_carrier(std::size_t accumulator, const std::string& text) {
  const DType dtype = accumulators_[accumulator].dtype;
  if (dtype != DType::F32 && dtype != DType::F64) return text;
  const DType carrier = is_wide(accumulator) ? DType::U64 : DType::U32;
  return emit_bitcast(text, dtype, carrier, text_.pieces());
}

std::string FoldText::from_carrier(std::size_t accumulator, const std::string& text) {
  const DType dtype = accumulators_[accumulator].dtype;
  if (dtype == DType::F32 || dtype == DType::F64) {
    const DType carrier = is_wide(accumulator) ? DType::U64 : DType::U32;
    return emit_bitcast(text, carrier, dtype, text_.pieces());
  }
  if (dtype == DType::Bool) return text + " != 0";
  return "(" + text_.type(dtype) + ")" + text;
}

std::string FoldText::shuffled(const std::string& piece, std::size_t accumulator,
                               const std::string& text, const std::string& argument) {
  const std::string function = text_.pieces().use(piece + (is_wide(accumulator) ? "_8" : "_4"));
  const std::string sent = to_carrier(accumulator, text);
  return from_carrier(accumulator, function + "(" + sent + ", " + argument + ")");
}

void FoldText::emit_extremum_of_lanes(Op extremum, std::size_t accumulator, std::int64_t lanes) {
  support::TextWriter& out = text_.body();
  const ScalarText& own = accumulators_[accumulator];
  if (own.dtype == DType::I32 && extremum == Op::Minimum && lanes == 32) {
    return out.line("{0} = __reduce_min_sync(0xffffffffu, {0});", own.text);
  }
  out.line("for (int distance = {}; distance > 0; distance /= 2) {{", lanes / 2);
  {
    const support::TextWriter::Scope scope(out);
    const ScalarText other{text_.make_name("other"), own.dtype};
    out.line("const {} {} = {};", text_.type(own.dtype), other.text,
             shuffled("shuffle_xor", accumulator, own.text, "distance"));
    const ScalarText operands[] = {own, other};
    out.line("{} = {};", own.text, emit_scalar(extremum, operands, own.dtype, text_.pieces()));
  }
  out.line("}}");
}

void FoldText::emit_position_of_lanes(std::int64_t lanes) {
  support::TextWriter& out = text_.body();
  const auto& [best, dtype] = accumulators_[0];
  const std::string own = text_.make_name("own");
  out.line("const {} {} = {};", text_.type(dtype), own, best);
  emit_extremum_of_lanes(*extremum_, 0, lanes);
  const std::string is_number = ir::is_float(dtype) ? fmt::format(" && {0} == {0}", own) : "";
  out.line("if ({} != {}{}) {} = {};", own, best, is_number, accumulators_[1].text, identity(1));
  emit_extremum_of_lanes(Op::Minimum, 1, lanes);
}

void FoldText::emit_warp(const std::string& piece, std::int64_t lanes) {
  // Where each lane has the extremum, those that do not hold it drop out.
  if (extremum_ && piece == "shuffle_xor") return emit_position_of_lanes(lanes);
  support::TextWriter& out = text_.body();
  out.line("for (int distance = {}; distance > 0; distance /= 2) {{", lanes / 2);
  {
    const support::TextWriter::Scope scope(out);
    std::vector<std::string> others;
    for (std::size_t i = 0; i < accumulators_.size(); ++i) {
      const std::string type = text_.type(accumulators_[i].dtype);
      others.push_back(text_.make_name("other_" + std::to_string(i)));
      out.line("const {} {} = {};", type, others.back(),
               shuffled(piece, i, accumulators_[i].text, "distance"));
    }
    emit_merge(others);
  }
  out.line("}}");
}

std::vector<std::string> FoldText::emit_partials(std::int64_t warps, const std::string& thread) {
  support::TextWriter& out = text_.body();
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    const std::string type = text_.type(accumulators_[i].dtype);
    const std::string name = text_.make_name("partial_" + std::to_string(i));
    out.line("__shared__ {} {}[{}];", type, name, warps);
    out.line("if ({0} % 32 == 0) {1}[{0} / 32] = {2};", thread, name, accumulators_[i].text);
    parts.push_back(name);
  }
  out.line("__syncthreads();");
  return parts;
}

void FoldText::emit_team(std::int64_t team) {
  support::TextWriter& out = text_.body();
  const std::int64_t warps = team / 32;
  out.blank();
  out.line("// Fold the lanes of a warp{}: always in the same order.",
           warps > 1 ? ", then the warps" : "");
  emit_warp("shuffle_down", 32);
  if (warps == 1) return out.line("if (lane != 0) return;");

  std::vector<std::string> parts = emit_partials(warps, "lane");
  for (std::string& part : parts) part += "[warp]";
  out.line("if (lane != 0) return;");
  out.line("for (int warp = 1; warp < {}; ++warp) {{", warps);
  {
    const support::TextWriter::Scope scope(out);
    emit_merge(parts);
  }
  out.line("}}");
}

void FoldText::emit_all_team(std::int64_t team) {
  support::TextWriter& out = text_.body();
  if (team == 1) return;
  emit_warp("shuffle_xor", std::min<std::int64_t>(team, 32));
  if (team <= 32) return;
  const std::int64_t warps = team / 32;
  std::vector<std::string> parts = emit_partials(warps, "threadIdx.x");
  if (warps > kMostReadPartials) {
    // Each lane takes one warp's, then the lanes of each warp are added up as before.
    const auto lanes = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(warps)));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string own = fmt::format("{}[threadIdx.x % {}]", parts[i], lanes);
      if (lanes == warps) {
        out.line("{} = {};", accumulators_[i].text, own);
      } else {
        out.line("{} = threadIdx.x % {} < {} ? {} : {};", accumulators_[i].text, lanes, warps, own,
                 identity(i));
      }
    }
    emit_warp("shuffle_xor", lanes);
    return;
  }
  emit_sequence("warp", warps, [&](std::size_t i, const std::string& warp) {
    return parts[i] + "[" + warp + "]";
  });
}

void FoldText::emit_sequence(
    const std::string& index, std::int64_t count,
    const std::function<std::string(std::size_t, const std::string&)>& part) {
  support::TextWriter& out = text_.body();
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    out.line("{} = {};", accumulators_[i].text, part(i, "0"));
    parts.push_back(part(i, index));
  }
  out.line("#pragma unroll");
  out.line("for (int {0} = 1; {0} < {1}; ++{0}) {{", index, count);
  {
    const support::TextWriter::Scope scope(out);
    emit_merge(parts);
  }
  out.line("}}");
}

void FoldText::declare_cluster(std::int64_t blocks) {
  support::TextWriter& out = text_.body();
  PieceSet& pieces = text_.pieces();
  cluster_ = {text_.make_name("arrived"), {}, blocks};
  out.line("__shared__ {} {};", pieces.use("u64"), cluster_.barrier);
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    cluster_.sums.push_back(text_.make_name("sum_of_block_" + std::to_string(i)));
    out.line("__shared__ {} {}[{}];", pieces.use(is_wide(i) ? "u64" : "u32"), cluster_.sums.back(),
             blocks);
  }
  out.line("if (threadIdx.x == 0) {}({}(&{}), 1);", pieces.use("init_barrier"),
           pieces.use("shared_address"), cluster_.barrier);
}

void FoldText::emit_all_cluster(const std::string& rank) {
  support::TextWriter& out = text_.body();
  PieceSet& pieces = text_.pieces();
  const std::string address = pieces.use("shared_address");
  const std::string barrier = fmt::format("{}(&{})", address, cluster_.barrier);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    const int size = is_wide(i) ? 8 : 4;
    bytes += size * cluster_.blocks;
    out.line("if (threadIdx.x < {}) {}({}(&{}[{}]), {}, threadIdx.x, {});", cluster_.blocks,
             pieces.use(fmt::format("send_{}", size)), address, cluster_.sums[i], rank, barrier,
             to_carrier(i, accumulators_[i].text));
  }
  out.line("if (threadIdx.x == 0) {}({}, {});", pieces.use("expect_bytes"), barrier, bytes);
  out.line("{}({}, 0);", pieces.use("wait"), barrier);
  if (cluster_.blocks > kMostReadBlocks) {
    // As many are a power of two: each lane takes one block's.
    for (std::size_t i = 0; i < accumulators_.size(); ++i) {
      const std::string own =
          fmt::format("{}[threadIdx.x % {}]", cluster_.sums[i], cluster_.blocks);
      out.line("{} = {};", accumulators_[i].text, from_carrier(i, own));
    }
    return emit_warp("shuffle_xor", cluster_.blocks);
  }
  emit_sequence("block", cluster_.blocks, [&](std::size_t i, const std::string& block) {
    return from_carrier(i, cluster_.sums[i] + "[" + block + "]");
  });
}

std::int64_t FoldText::tree_depth(std::int64_t team, std::int64_t blocks) {
  const auto levels = [](std::int64_t count) {
    return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
  };
  const std::int64_t warps = std::max<std::int64_t>(team / 32, 1);
  const auto across = [&](std::int64_t count, std::int64_t most_read) {
    return count > most_read ? levels(count) : count - 1;
  };
  return levels(std::min<std::int64_t>(team, 32)) + across(warps, kMostReadPartials) +
         across(blocks, kMostReadBlocks);
}

void FoldText::emit_results() {
  for (std::uint32_t i = 0; i < accumulators_.size(); ++i) {
    const auto& [name, dtype] = accumulators_[i];
    const DType result = node_.results[i];
    if (dtype == result) {
      text_.set_value({id_, i}, name);
      continue;
    }
    const std::string rounded = emit_cast(name, dtype, result, text_.pieces());
    const std::string type = text_.type(result);
    text_.body().line("const {} {} = {};", type, text_.name_value({id_, i}), rounded);
  }
}

void FoldText::emit_function(const Graph& function) {
  support::TextWriter& out = text_.functions();
  PieceSet& pieces = text_.pieces();
  const std::size_t count = accumulators_.size();
  FunctionNames names;
  std::string parameters;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const Value parameter{function.parameters()[i], 0};
    const bool is_accumulator = i < count;
    names[parameter] = fmt::format("{}{}", is_accumulator ? "acc" : "element", i % count);
    if (i > 0) parameters += ", ";
    parameters += value_type(function.type(parameter).dtype, pieces);
    parameters += (is_accumulator ? "& " : " ") + names[parameter];
  }
  out.line("// Folds one element into the accumulators of {} %{}.", ir::to_string(node_.op), id_);
  out.line("inline void {}({}) {{", function_name_, parameters);
  {
    const support::TextWriter::Scope scope(out);
    for (NodeId id = 0; id < function.nodes().size(); ++id) {
      emit_function_node(function, id, names, pieces, out);
    }
    // All outputs are read before the first accumulator changes.
    for (std::size_t i = 0; i < count; ++i) {
      const Value output = function.outputs()[i];
      const std::string type = value_type(function.type(output).dtype, pieces);
      out.line("const {} next{} = {};", type, i, names.at(output));
    }
    for (std::size_t i = 0; i < count; ++i) out.line("acc{} = next{};", i, i);
  }
  out.line("}}");
}

}  // namespace sinter::codegen::cuda
