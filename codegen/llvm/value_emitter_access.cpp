// Loads and stores. Known neighbours move as vectors, everything else lane by lane; an access whose
// `where` does not hold goes to a dummy place, so that nothing outside of the tensor is touched.
#include <fmt/format.h>

#include "codegen/llvm/casts.h"
#include "codegen/llvm/value_emitter.h"
#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::DType;
using ir::IndexExpr;

/// One load or store at the current point.
struct ValueEmitter::Access {
  std::string name;  // of the parameter
  std::string pointer;
  DType dtype;
  int width = 1;
  LaneStride stride;
  Register offset;               // of lane 0; of every lane where the stride is Irregular
  std::string distance;          // Strided: from lane to lane
  std::optional<Register> mask;  // scalar or vector; absent: all lanes
  ir::Literal outside;

  std::string element_type() const { return memory_type(dtype); }
  std::string vector() const { return vector_type(element_type(), width); }
  std::size_t size_bytes() const { return sinter::size_bytes(dtype); }
};

namespace {

constexpr int kLineBytes = 64;

/// Memory to register: bool is a byte.
Register from_memory(const LaneWriter& lanes, const std::string& text, DType dtype) {
  if (dtype != DType::Bool) return {text, dtype, lanes.width()};
  const Register byte = {text, DType::U8, lanes.width()};
  return lanes.compare("icmp ne", byte, lanes.integer(DType::U8, 0));
}

Register to_memory(const LaneWriter& lanes, const Register& value) {
  return value.dtype == DType::Bool ? lanes.convert("zext", value, DType::U8) : value;
}

/// The lanes in opposite order.
Register reverse(const LaneWriter& lanes, const Register& value) {
  std::string mask;
  for (int lane = lanes.width(); lane-- > 0;) {
    mask += fmt::format("{}i32 {}", mask.empty() ? "" : ", ", lane);
  }
  const std::string type = type_of(value);
  const std::string text = fmt::format("shufflevector {} {}, {} poison, ", type, value.text, type);
  return lanes.assign("reversed", text + fmt::format("<{} x i32> <{}>", lanes.width(), mask),
                      value.dtype);
}

}  // namespace

std::optional<Register> ValueEmitter::where_mask(const ir::KernelNode& node) {
  std::optional<Register> mask;
  for (const IndexExpr& expr : node.attributes.get_or<ir::Shape>(AttributeName::Where, {})) {
    const Register number = index(expr);
    const LaneWriter own = lanes(number.width);
    const Register holds = own.compare("icmp sge", number, own.integer(DType::I64, 0));
    if (!mask) {
      mask = holds;
      continue;
    }
    const LaneWriter wide = lanes(std::max(mask->width, holds.width));
    mask = wide.binary("and", wide.widen(*mask), wide.widen(holds));
  }
  return mask;
}

std::string ValueEmitter::lane_begin() const { return value_of_axis(*scopes_.back().lane_axis); }

const std::string& ValueEmitter::value_of_axis(ir::AxisId axis) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].axes.find(axis);
    if (found != scopes_[i].axes.end()) return found->second;
  }
  support::throw_internal("axis {} is used outside of its loop", axis_name(axis));
}

ValueEmitter::Access ValueEmitter::make_access(const ir::KernelNode& node) {
  const auto param = node.attributes.get<std::int64_t>(AttributeName::Param);
  const ir::KernelParam& tensor = kernel_.params()[static_cast<std::size_t>(param)];
  const ScopeState& scope = scopes_.back();
  Access access;
  access.name = tensor.name;
  access.dtype = tensor.dtype;
  const auto elsewhere = redirected_.find(param);
  Argument argument{ArgumentKind::Pointer, tensor.name};
  if (elsewhere != redirected_.end()) argument = elsewhere->second;
  access.pointer = out_.argument(argument);
  access.mask = where_mask(node);
  access.outside = node.attributes.get_or<ir::Literal>(AttributeName::Outside,
                                                       ir::make_literal(tensor.dtype, 0.0));
  const IndexExpr offset = offset_of(kernel_, facts_, node);
  access.width = width_of(node.domain);
  if (access.width == 1) {
    access.offset = index(offset);
    return access;
  }
  access.stride = lane_stride(kernel_, facts_, node, *scope.lane_axis);
  if (access.stride.step == LaneStep::Irregular) {
    access.offset = lanes(access.width).widen(index(offset));
    return access;
  }
  // The offset of lane 0, as a scalar.
  const ir::AxisId axis = *scope.lane_axis;
  const IndexExpr rest = offset - IndexExpr::axis(axis) * access.stride.distance;
  const std::string first = lane_begin();
  const Register distance = index(access.stride.distance);
  const Register moved = index_binary("mul", distance, {first, DType::I64, 1});
  access.offset = index_binary("add", index(rest), moved);
  access.distance = distance.text;
  return access;
}

std::string ValueEmitter::address(const Access& access, const std::string& offset) {
  return out_.assign(access.name + ".at",
                     fmt::format("getelementptr {}, ptr {}, i64 {}", access.element_type(),
                                 access.pointer, offset));
}

std::string ValueEmitter::lane_address(const Access& access, int lane) {
  std::string offset = access.offset.text;
  if (access.stride.step == LaneStep::Irregular) {
    offset = lanes(access.width).extract(access.offset, lane).text;
  } else if (lane != 0 && access.stride.step != LaneStep::Invariant) {
    const Register distance = {access.distance, DType::I64, 1};
    const Register moved = index_binary("mul", {std::to_string(lane), DType::I64, 1}, distance);
    offset = index_binary("add", access.offset, moved).text;
  }
  const std::string place = address(access, offset);
  if (!access.mask) return place;
  const Register holds = lanes(access.width).extract(*access.mask, lane);
  return out_.assign(
      "safe", fmt::format("select i1 {}, ptr {}, ptr {}", holds.text, place, out_.nowhere()));
}

/// One element, from an address that may be read.
Register ValueEmitter::load_scalar(const Access& access, const std::string& place) {
  const std::string text = out_.assign(
      access.name,
      fmt::format("load {}, ptr {}, align {}", access.element_type(), place, access.size_bytes()));
  return from_memory(lanes(1), text, access.dtype);
}

Register ValueEmitter::load_vector(const Access& access) {
  const LaneWriter wide = lanes(access.width);
  const bool is_reversed = access.stride.step == LaneStep::Reversed;
  std::string first = access.offset.text;
  if (is_reversed) {
    const Register back = {std::to_string(1 - access.width), DType::I64, 1};
    first = index_binary("add", access.offset, back).text;
  }
  const std::string place = address(access, first);
  if (!access.mask) {
    const std::string text = out_.assign(
        access.name,
        fmt::format("load {}, ptr {}, align {}", access.vector(), place, access.size_bytes()));
    const Register loaded = from_memory(wide, text, access.dtype);
    return is_reversed ? reverse(wide, loaded) : loaded;
  }
  Register mask = wide.widen(*access.mask);
  if (is_reversed) mask = reverse(wide, mask);
  const Register outside = to_memory(wide, wide.constant(access.outside));
  const std::string suffix = intrinsic_suffix(outside.dtype, access.width);
  const std::string mask_type = vector_type("i1", access.width);
  out_.declare(fmt::format("declare {0} @llvm.masked.load.{1}.p0(ptr, i32, {2}, {0})",
                           access.vector(), suffix, mask_type));
  const std::string call =
      fmt::format("call {} @llvm.masked.load.{}.p0(ptr {}, ", access.vector(), suffix, place) +
      fmt::format("i32 {}, {} {}, ", access.size_bytes(), mask_type, mask.text) +
      fmt::format("{} {})", access.vector(), outside.text);
  const Register loaded = from_memory(wide, out_.assign(access.name, call), access.dtype);
  return is_reversed ? reverse(wide, loaded) : loaded;
}

Register ValueEmitter::load_lanes(const Access& access) {
  const LaneWriter wide = lanes(access.width);
  const std::string type = vector_type(lane_type(access.dtype), access.width);
  Register gathered = {"poison", access.dtype, access.width};
  for (int lane = 0; lane < access.width; ++lane) {
    const Register element = load_scalar(access, lane_address(access, lane));
    const std::string text = fmt::format("insertelement {} {}, {} {}, ", type, gathered.text,
                                         type_of(element), element.text) +
                             fmt::format("i64 {}", lane);
    gathered = wide.assign("gathered", text, access.dtype);
  }
  if (!access.mask) return gathered;
  return wide.select(wide.widen(*access.mask), gathered, wide.constant(access.outside));
}

Register ValueEmitter::load(const ir::KernelNode& node) {
  const Access access = make_access(node);
  if (access.width == 1) {
    const Register element = load_scalar(access, lane_address(access, 0));
    if (!access.mask) return element;
    return lanes(1).select(*access.mask, element, lanes(1).constant(access.outside));
  }
  const LaneStep step = access.stride.step;
  if (step == LaneStep::Unit || step == LaneStep::Reversed) return load_vector(access);
  return load_lanes(access);
}

void ValueEmitter::store_vector(const Access& access, const Register& value) {
  const LaneWriter wide = lanes(access.width);
  const std::string place = address(access, access.offset.text);
  if (!access.mask) {
    out_.line(fmt::format("store {} {}, ptr {}, align {}", access.vector(), value.text, place,
                          access.size_bytes()));
    return;
  }
  const std::string suffix = intrinsic_suffix(value.dtype, access.width);
  const std::string mask_type = vector_type("i1", access.width);
  out_.declare(fmt::format("declare void @llvm.masked.store.{}.p0({}, ptr, i32, {})", suffix,
                           access.vector(), mask_type));
  const Register mask = wide.widen(*access.mask);
  out_.line(fmt::format("call void @llvm.masked.store.{}.p0({} {}, ptr {}, ", suffix,
                        access.vector(), value.text, place) +
            fmt::format("i32 {}, {} {})", access.size_bytes(), mask_type, mask.text));
}

void ValueEmitter::store_lanes(const Access& access, const Register& value) {
  for (int lane = 0; lane < access.width; ++lane) {
    const Register element = lanes(access.width).extract(value, lane);
    const std::string place = lane_address(access, lane);
    out_.line(fmt::format("store {} {}, ptr {}, align {}", access.element_type(), element.text,
                          place, access.size_bytes()));
  }
}

void ValueEmitter::prefetch(ir::NodeId id) {
  const Access access = make_access(kernel_.node(id));
  out_.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)");
  out_.line(fmt::format("call void @llvm.prefetch.p0(ptr {}, i32 0, i32 3, i32 1)",
                        address(access, access.offset.text)));
}

void ValueEmitter::prefetch_ahead(const std::vector<ir::NodeId>& targets, ir::AxisId axis,
                                  std::int64_t ahead) {
  const ir::AxisId lane_axis = *scopes_.back().lane_axis;
  const int width = scopes_.back().width;
  const std::string begin = lane_begin();
  const auto moved = [&](const std::string& text, std::int64_t by) {
    return index_binary("add", {text, DType::I64, 1}, {std::to_string(by), DType::I64, 1}).text;
  };
  for (const ir::NodeId id : needed_nodes(kernel_, targets)) {
    const ir::KernelNode& node = kernel_.node(id);
    if (node.op != ir::Op::Load || node.attributes.find(AttributeName::Where) != nullptr) continue;
    if (!has_axis(node.domain, axis) || !has_axis(node.domain, lane_axis)) continue;
    // An axis of length 1 may be only the reduction's.
    if (!is_bound(node.domain)) continue;
    if (lane_stride(kernel_, facts_, node, lane_axis).step != LaneStep::Unit) continue;
    if (lane_stride(kernel_, facts_, node, axis).step == LaneStep::Irregular) continue;
    const int line = kLineBytes / static_cast<int>(sinter::size_bytes(node.results[0]));
    for (int first = 0; first < width; first += line) {
      const Scope scope(*this);
      bind_axis(axis, moved(value_of_axis(axis), ahead));
      bind_lanes(lane_axis, moved(begin, first), width);
      prefetch(id);
    }
  }
}

void ValueEmitter::store(ir::NodeId id) { write(id, stored(id)); }

Register ValueEmitter::stored(ir::NodeId id) {
  const ir::KernelNode& node = kernel_.node(id);
  const int width = width_of(node.domain);
  return to_memory(lanes(width), operands(node, width)[0]);
}

void ValueEmitter::write(ir::NodeId id, const Register& stored) {
  const ir::KernelNode& node = kernel_.node(id);
  comment_node(id);
  const Access access = make_access(node);
  if (access.width > 1 && access.stride.step == LaneStep::Unit) {
    store_vector(access, stored);
  } else {
    store_lanes(access, stored);
  }
}

}  // namespace sinter::codegen::llvm
