#include "codegen/permute_kernel.h"

#include "ir/rewrite.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

/// The part of `orders` that is about each parameter begins here; one place more for the end.
std::vector<std::size_t> first_places(const ir::Kernel& kernel) {
  std::vector<std::size_t> places = {0};
  for (const ir::KernelParam& param : kernel.params()) {
    places.push_back(places.back() + param.shape.size());
  }
  return places;
}

ir::Shape permuted(const ir::Shape& shape, const DimensionOrders& orders, std::size_t first) {
  ir::Shape result;
  for (std::size_t d = 0; d < shape.size(); ++d) result.push_back(shape.at(orders[first + d]));
  return result;
}

}  // namespace

ir::Kernel permute_kernel(const ir::Kernel& kernel, const DimensionOrders& orders) {
  const std::vector<std::size_t> places = first_places(kernel);
  support::check(orders.size() == places.back(), "kernel {} has {} dimensions, not {}",
                 kernel.name(), places.back(), orders.size());
  ir::Kernel result(kernel.name(), kernel.mode());
  for (const ir::Axis& axis : kernel.axes()) result.add_axis(axis.name, axis.extent);
  for (std::size_t p = 0; p < kernel.params().size(); ++p) {
    ir::KernelParam param = kernel.params()[p];
    param.shape = permuted(param.shape, orders, places[p]);
    result.add_param(std::move(param));
  }
  for (const ir::KernelNode& node : kernel.nodes()) {
    ir::Attributes attributes = node.attributes;
    if (node.op == ir::Op::Load || node.op == ir::Op::Store) {
      const auto param = attributes.get<std::int64_t>(ir::AttributeName::Param);
      const auto map = attributes.get<ir::Shape>(ir::AttributeName::Map);
      attributes.set(ir::AttributeName::Map,
                     permuted(map, orders, places[static_cast<std::size_t>(param)]));
    }
    result.add(node.op, node.operands, std::move(attributes), node.location);
  }
  return result;
}

}  // namespace sinter::codegen
