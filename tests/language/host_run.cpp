// See host_run.h.
#include "tests/language/host_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

#include "ir/literal.h"

namespace sinter::tests {

namespace {

struct Memory {
  std::vector<std::byte> bytes;
  TensorView view;
};

std::size_t count(const std::vector<std::int64_t>& shape) {
  std::size_t product = 1;
  for (const std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
  return product;
}

Memory to_memory(const HostArray& array) {
  Memory memory;
  const std::size_t size = size_bytes(array.dtype);
  memory.bytes.resize(array.values.size() * size + 1);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const std::uint64_t bits = ir::make_literal(array.dtype, array.values[i]).bits;
    std::memcpy(memory.bytes.data() + i * size, &bits, size);
  }
  memory.view.data = memory.bytes.data();
  memory.view.dtype = array.dtype;
  memory.view.shape = array.shape;
  return memory;
}

HostArray to_array(const Memory& memory) {
  HostArray array{memory.view.shape, {}, memory.view.dtype};
  const std::size_t size = size_bytes(array.dtype);
  for (std::size_t i = 0; i < count(array.shape); ++i) {
    ir::Literal literal{array.dtype, 0};
    std::memcpy(&literal.bits, memory.bytes.data() + i * size, size);
    array.values.push_back(ir::as_double(literal));
  }
  return array;
}

}  // namespace

std::vector<HostArray> run_on_host(const Body& body, const std::vector<HostArray>& inputs,
                                   bool named_sizes) {
  Operator op;
  op.name = "tested";
  op.body = body;
  std::vector<TensorSpec> specs;
  std::vector<Memory> memory;
  std::vector<TensorView> views;
  for (const HostArray& input : inputs) {
    TensorSpec spec{input.dtype, {}};
    for (std::size_t d = 0; d < input.shape.size(); ++d) {
      spec.shape.push_back(named_sizes ? Dim(fmt::format("d{}_{}", specs.size(), d))
                                       : Dim(input.shape[d]));
    }
    op.parameters.push_back(fmt::format("x{}", specs.size()));
    specs.push_back(spec);
    views.push_back(memory.emplace_back(to_memory(input)).view);
  }
  const Executable executable = compile(op, Device::cpu(), specs);
  std::vector<TensorView> outputs = executable.output_views(views);
  std::vector<Memory> results;
  for (TensorView& view : outputs) {
    Memory& result = results.emplace_back();
    result.bytes.resize(count(view.shape) * size_bytes(view.dtype) + 1);
    view.data = result.bytes.data();
    result.view = view;
  }
  executable.run(executable.device().make_stream(), views, outputs);
  std::vector<HostArray> arrays;
  for (const Memory& result : results) arrays.push_back(to_array(result));
  return arrays;
}

HostArray make_array(const std::vector<std::int64_t>& shape, int salt, DType dtype) {
  HostArray array{shape, {}, dtype};
  for (std::size_t i = 0; i < count(shape); ++i) {
    const auto number = static_cast<int>((i * 7919 + static_cast<std::size_t>(salt) * 104729) % 41);
    array.values.push_back((number - 20) * 0.125);
  }
  return array;
}

std::string difference(const HostArray& given, const std::vector<std::int64_t>& shape,
                       const std::vector<double>& values, double tolerance) {
  if (given.shape != shape || given.values.size() != values.size()) {
    return fmt::format("shape [{}], not [{}]", fmt::join(given.shape, ", "),
                       fmt::join(shape, ", "));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = given.values[i];
    const double b = values[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (std::abs(a - b) <= tolerance * (1 + std::abs(b))) continue;
    return fmt::format("element {} is {}, not {}", i, a, b);
  }
  return "";
}

}  // namespace sinter::tests
