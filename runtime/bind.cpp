// Binding of views and sizes.
#include "runtime/bind.h"

#include <algorithm>
#include <optional>

#include "support/check.h"

namespace sinter::runtime {

namespace {

using Sizes = std::map<std::string, std::int64_t>;

// coefficient * name + constant = extent, solved for the one unknown name; false where it is not
// of that form. Terms in known names count into the constant.
bool solve_for_name(const ir::Dim& dim, std::int64_t extent, Sizes& sizes) {
  std::optional<std::string> unknown;
  std::int64_t coefficient = 0;
  ir::Dim rest = dim;
  for (const ir::Term& term : dim.terms()) {
    const bool is_name = term.factors.size() == 1 && term.factors[0].kind == ir::AtomKind::Size;
    if (!is_name || sizes.contains(term.factors[0].name)) continue;
    if (unknown) return false;
    unknown = term.factors[0].name;
    coefficient = term.coefficient;
    rest = rest - ir::IndexExpr::from_terms({term});
  }
  if (!unknown) return false;
  for (const std::string& name : ir::sizes_of(rest)) {
    if (!sizes.contains(name)) return false;
  }
  const std::int64_t remaining = extent - ir::evaluate(rest, {sizes, {}, {}});
  if (remaining % coefficient != 0 || remaining / coefficient < 0) return false;
  sizes[*unknown] = remaining / coefficient;
  return true;
}

// Offsets in bytes are products of extents, also those of a tensor with an extent of 0: all of them
// have to fit 63 bits, for elements of at most 8 bytes.
void check_size(const std::vector<std::int64_t>& extents, const std::string& role) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 60;
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0) support::throw_user("{} has the negative extent {}", role, extent);
    const bool overflows =
        __builtin_mul_overflow(elements, std::max<std::int64_t>(extent, 1), &elements);
    if (!overflows && elements <= kMostElements) continue;
    support::throw_user(
        "{} has shape [{}]; its extents may multiply to 2^60 at most (0 counts as 1)", role,
        fmt::join(extents, ", "));
  }
}

void check_extents(const ir::Graph& graph, std::size_t input,
                   const std::vector<std::int64_t>& extents, const Sizes& sizes) {
  const ir::NodeId id = graph.parameters()[input];
  const ir::Shape& shape = graph.type({id, 0}).shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    for (const std::string& name : ir::sizes_of(shape[d])) {
      if (!sizes.contains(name)) {
        support::throw_user(
            "dimension '{}' of {} cannot be told from the shapes of the inputs (here [{}] for {})",
            name, graph.name(), fmt::join(extents, ", "), ir::to_string(shape));
      }
    }
    const std::int64_t needed = ir::evaluate(shape[d], {sizes, {}, {}});
    if (needed == extents[d]) continue;
    std::string bound;
    for (const std::string& name : ir::sizes_of(shape[d])) {
      bound += fmt::format(", where {} = {}", name, sizes.at(name));
    }
    support::throw_user("input {} has shape [{}]; {} is needed{}", graph.parameter_name(id),
                        fmt::join(extents, ", "), ir::to_string(shape), bound);
  }
}

// Strides are the caller's: the lowest and the highest byte must have an offset of 63 bits.
void check_reach(const TensorView& view, DType dtype, const std::string& role) {
  auto low = static_cast<std::int64_t>(size_bytes(dtype));
  std::int64_t high = low;
  for (std::size_t d = 0; d < view.strides.size(); ++d) {
    std::int64_t reach = 0;
    bool overflows = __builtin_mul_overflow(view.strides[d], view.shape[d] - 1, &reach);
    overflows |=
        __builtin_mul_overflow(reach, static_cast<std::int64_t>(size_bytes(dtype)), &reach);
    std::int64_t& end = reach < 0 ? low : high;
    overflows |= __builtin_add_overflow(end, reach, &end);
    if (!overflows) continue;
    support::throw_user("{} has strides [{}] for shape [{}]; offsets must fit 63 bits", role,
                        fmt::join(view.strides, ", "), fmt::join(view.shape, ", "));
  }
}

std::string place_of(const TensorView& view) {
  return view.device_kind == DeviceKind::Cuda ? fmt::format("cuda:{}", view.device_index)
                                              : std::string("cpu");
}

/// What has to be true of a view on any device.
void check_layout(const TensorView& view, DType dtype, const std::string& role) {
  if (view.dtype != dtype) {
    support::throw_user("{} has dtype {}; {} is needed", role, to_string(view.dtype),
                        to_string(dtype));
  }
  if (!view.strides.empty() && view.strides.size() != view.shape.size()) {
    support::throw_user("{} has {} strides for rank {}", role, view.strides.size(),
                        view.shape.size());
  }
  bool is_empty = false;
  for (const std::int64_t extent : view.shape) {
    if (extent < 0) support::throw_user("{} has the negative extent {}", role, extent);
    is_empty |= extent == 0;
  }
  if (is_empty) return;
  if (!view.data) support::throw_user("{} has a null pointer", role);
  check_reach(view, dtype, role);
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(view.data) + view.byte_offset;
  if (address % size_bytes(dtype) != 0) {
    support::throw_user("{} starts at address {:#x}; {} needs a multiple of {} bytes", role,
                        address, to_string(dtype), size_bytes(dtype));
  }
}

}  // namespace

std::map<std::string, std::int64_t> bind_sizes(
    const ir::Graph& graph, const std::vector<std::vector<std::int64_t>>& extents) {
  const std::vector<ir::NodeId>& parameters = graph.parameters();
  if (extents.size() != parameters.size()) {
    support::throw_user("{} takes {} inputs; {} were given", graph.name(), parameters.size(),
                        extents.size());
  }
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const ir::Shape& shape = graph.type({parameters[i], 0}).shape;
    if (shape.size() != extents[i].size()) {
      support::throw_user("input {} has shape [{}] of rank {}; {} of rank {} is needed",
                          graph.parameter_name(parameters[i]), fmt::join(extents[i], ", "),
                          extents[i].size(), ir::to_string(shape), shape.size());
    }
    check_size(extents[i], "input " + graph.parameter_name(parameters[i]));
  }
  Sizes sizes;
  for (bool is_progress = true; is_progress;) {
    is_progress = false;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const ir::Shape& shape = graph.type({parameters[i], 0}).shape;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        is_progress |= solve_for_name(shape[d], extents[i][d], sizes);
      }
    }
  }
  for (std::size_t i = 0; i < extents.size(); ++i) check_extents(graph, i, extents[i], sizes);
  return sizes;
}

std::vector<std::int64_t> evaluate_shape(const ir::Shape& shape, const Sizes& sizes) {
  std::vector<std::int64_t> extents;
  for (const ir::Dim& dim : shape) {
    extents.push_back(ir::evaluate(dim, {sizes, {}, {}}));
    if (extents.back() < 0) {
      support::throw_user("dimension {} is {}; a size is at least 0", ir::to_string(dim),
                          extents.back());
    }
  }
  check_size(extents, fmt::format("a tensor of type {}", ir::to_string(shape)));
  return extents;
}

void check_view(const TensorView& view, DType dtype, const Device& device,
                const std::string& role) {
  if (view.device_kind != device.kind() || view.device_index != device.index()) {
    support::throw_user("{} lies on {}; the operator was compiled for {}", role, place_of(view),
                        device.id());
  }
  check_layout(view, dtype, role);
}

void check_host_scalar(const TensorView& view, DType dtype, const std::string& role) {
  if (view.device_kind != DeviceKind::Cpu) {
    support::throw_user("{} lies on {}; a host scalar lies in host memory", role, place_of(view));
  }
  check_layout(view, dtype, role);
}

void check_output(const TensorView& view, const std::vector<std::int64_t>& extents,
                  const std::string& role) {
  if (view.shape != extents) {
    support::throw_user("{} has shape [{}]; [{}] is needed", role, fmt::join(view.shape, ", "),
                        fmt::join(extents, ", "));
  }
  if (view.strides.empty() || std::find(extents.begin(), extents.end(), 0) != extents.end()) {
    return;
  }
  // Sorted by stride, each dimension must step over all that the smaller ones reach.
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // |stride|, extent
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] > 1) dims.emplace_back(std::abs(view.strides[d]), extents[d]);
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t reach = 0;
  for (const auto& [stride, extent] : dims) {
    if (stride <= reach) {
      support::throw_user("{} overlaps itself: shape [{}] with strides [{}]", role,
                          fmt::join(extents, ", "), fmt::join(view.strides, ", "));
    }
    reach += stride * (extent - 1);
  }
}

ir::BoundTensor to_bound_tensor(const std::string& param, const TensorView& view) {
  ir::BoundTensor bound;
  bound.param = param;
  bound.address = reinterpret_cast<std::uint64_t>(view.data) + view.byte_offset;
  bound.extents = view.shape;
  bound.strides = view.strides.empty() && !view.shape.empty() ? ir::contiguous_strides(view.shape)
                                                              : view.strides;
  return bound;
}

ByteRange byte_range(const TensorView& view) {
  const ir::BoundTensor bound = to_bound_tensor("", view);
  std::int64_t low = 0;
  std::int64_t high = 1;
  for (std::size_t d = 0; d < bound.extents.size(); ++d) {
    if (bound.extents[d] == 0) return {bound.address, bound.address};
    const std::int64_t span = bound.strides[d] * (bound.extents[d] - 1);
    (span < 0 ? low : high) += span;
  }
  const auto element = static_cast<std::int64_t>(size_bytes(view.dtype));
  return {bound.address + static_cast<std::uint64_t>(low * element),
          bound.address + static_cast<std::uint64_t>(high * element)};
}

}  // namespace sinter::runtime
