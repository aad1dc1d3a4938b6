// Host memory around a compiled kernel.
#include "tests/support/cpu_kernel.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "ir/facts.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "runtime/device_impl.h"
#include "support/check.h"
#include "tests/support/random.h"

namespace sinter::tests {

namespace {

using Sizes = std::map<std::string, std::int64_t>;

// Memory that nothing may touch holds this.
constexpr unsigned char kUntouched = 0xa5;

std::vector<std::int64_t> strides_for(CpuLayout layout, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t next = layout == CpuLayout::Spread ? 2 : 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t d = layout == CpuLayout::Transposed ? i : extents.size() - 1 - i;
    strides[d] = layout == CpuLayout::Reversed ? -next : next;
    next *= std::max<std::int64_t>(extents[d], 1);
    if (layout == CpuLayout::Padded) next += 3;
    if (layout == CpuLayout::Spread) next *= 2;
  }
  return strides;
}

/// A tensor in memory of its own, with a guard around it.
class HostTensor {
 public:
  HostTensor(const BitsTensor& tensor, CpuLayout layout)
      : tensor_(tensor), strides_(strides_for(layout, tensor.extents)) {
    std::int64_t low = 0, high = 0;
    for (std::size_t d = 0; d < strides_.size(); ++d) {
      const std::int64_t reach = strides_[d] * std::max<std::int64_t>(tensor.extents[d] - 1, 0);
      (reach < 0 ? low : high) += reach;
    }
    first_ = kGuard - low;
    memory_.assign(static_cast<std::size_t>(2 * kGuard + high - low + 1) * size(), kUntouched);
    each([&](std::int64_t at, std::size_t i) { std::memcpy(place(at), &tensor_.bits[i], size()); });
    original_ = memory_;
  }

  ir::BoundTensor bind(const std::string& name) {
    return {name, reinterpret_cast<std::uint64_t>(place(0)), tensor_.extents, strides_};
  }

  BitsTensor read() {
    BitsTensor result = tensor_;
    each([&](std::int64_t at, std::size_t i) {
      result.bits[i] = 0;
      std::memcpy(&result.bits[i], place(at), size());
    });
    return result;
  }

  /// True where the memory between and around the elements is as it was (for inputs: all of it).
  bool is_rest_untouched(bool is_output) {
    std::vector<unsigned char> now = memory_;
    std::vector<unsigned char> then = original_;
    if (is_output) {
      each([&](std::int64_t at, std::size_t) {
        const std::size_t offset = static_cast<std::size_t>(first_ + at) * size();
        std::memset(now.data() + offset, 0, size());
        std::memset(then.data() + offset, 0, size());
      });
    }
    return now == then;
  }

 private:
  static constexpr std::int64_t kGuard = 64;

  std::size_t size() const { return size_bytes(tensor_.dtype); }
  unsigned char* place(std::int64_t at) {
    return memory_.data() + static_cast<std::size_t>(first_ + at) * size();
  }

  template <typename Visit>
  void each(const Visit& visit) const {
    const std::size_t count = tensor_.bits.size();
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t at = 0;
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t d = strides_.size(); d-- > 0;) {
        at += rest % tensor_.extents[d] * strides_[d];
        rest /= tensor_.extents[d];
      }
      visit(at, i);
    }
  }

  BitsTensor tensor_;
  std::vector<std::int64_t> strides_;
  std::int64_t first_ = 0;
  std::vector<unsigned char> memory_, original_;
};

ir::Facts choose_class(const codegen::Schedule& schedule, const ir::Kernel& kernel,
                       const ir::CallFacts& call, int wanted) {
  const std::vector<ir::Facts> classes = schedule.classes(kernel);
  if (wanted >= 0) return classes.at(static_cast<std::size_t>(wanted));
  for (const ir::Facts& facts : classes) {
    if (!ir::find_mismatch(facts, call)) return facts;
  }
  support::throw_internal("no class of {} holds", schedule.name);
}

CpuLayout layout_of(const CpuRun& options, const std::string& name) {
  const auto found = options.layouts.find(name);
  return found == options.layouts.end() ? CpuLayout::Dense : found->second;
}

std::uint64_t special_bits(ir::DType dtype, Random& random) {
  if (!ir::is_float(dtype)) return random.next();
  const double infinity = std::numeric_limits<double>::infinity();
  const double specials[] = {0.0,    -0.0, infinity, -infinity, std::nan(""), 1e-40,
                             -1e-40, 3e38, 1e-8,     448,       464,          0.5,
                             1.5,    2.5,  -2.5,     65519,     65520,        2147483648.0};
  return ir::encode_float(dtype, specials[random.below(std::size(specials))]);
}

}  // namespace

const codegen::Schedule& cpu_schedule(const std::string& name) {
  for (const codegen::Schedule& schedule : codegen::cpu_schedules()) {
    if (schedule.name == name) return schedule;
  }
  support::throw_internal("there is no CPU schedule {}", name);
}

codegen::Program cpu_program(const ir::Kernel& kernel, const std::string& schedule,
                             const ir::Facts& facts, const codegen::Target& target) {
  const codegen::Schedule& chosen = cpu_schedule(schedule);
  const auto reason = chosen.refuses(kernel, target);
  if (reason) support::throw_internal("{} refuses: {}", schedule, *reason);
  const auto candidates = chosen.candidates(kernel, facts, target, {});
  return chosen.emit(kernel, facts, candidates.at(0).config, target);
}

std::map<std::string, BitsTensor> run_on_cpu(const ir::Kernel& kernel, const Sizes& sizes,
                                             const std::map<std::string, BitsTensor>& inputs,
                                             const CpuRun& options) {
  runtime::DeviceImpl& device = *runtime::cpu_device();
  std::map<std::string, HostTensor> tensors;
  runtime::CallBindings call;
  call.facts.sizes = sizes;
  for (const ir::KernelParam& param : kernel.params()) {
    BitsTensor tensor{param.dtype, extents_of(param, sizes), {}};
    tensor.bits.assign(static_cast<std::size_t>(element_count(tensor.extents)), 0);
    if (param.role == ir::ParamRole::In) tensor = inputs.at(param.name);
    tensors.emplace(param.name, HostTensor(tensor, layout_of(options, param.name)));
    call.facts.tensors.push_back(tensors.at(param.name).bind(param.name));
  }
  const codegen::Schedule& schedule = cpu_schedule(options.schedule);
  const ir::Facts facts = choose_class(schedule, kernel, call.facts, options.facts_class);
  codegen::Target target = device.target();
  if (!options.has_features) target.features.clear();
  const codegen::Program program = cpu_program(kernel, options.schedule, facts, target);
  std::vector<std::vector<unsigned char>> workspaces;
  for (const codegen::Workspace& workspace : program.workspaces) {
    const std::int64_t size = ir::evaluate(workspace.size_bytes, {sizes, {}, {}});
    workspaces.emplace_back(static_cast<std::size_t>(size), workspace.zeroed ? 0 : kUntouched);
    call.workspaces[workspace.name] = workspaces.back().data();
  }
  device.load(program, device.compile(program))->launch(nullptr, call);
  std::map<std::string, BitsTensor> outputs;
  for (const ir::KernelParam& param : kernel.params()) {
    const bool is_output = param.role == ir::ParamRole::Out;
    INFO("memory of ", param.name);
    CHECK(tensors.at(param.name).is_rest_untouched(is_output));
    if (is_output) outputs[param.name] = tensors.at(param.name).read();
  }
  return outputs;
}

BitsTensor random_tensor(ir::DType dtype, std::vector<std::int64_t> extents, std::uint64_t seed,
                         bool has_specials) {
  Random random(seed);
  BitsTensor tensor{dtype, std::move(extents), {}};
  const std::uint64_t mask =
      dtype == ir::DType::Bool ? 1 : ~std::uint64_t{0} >> (64 - ir::bits(dtype));
  const std::int64_t count = element_count(tensor.extents);
  for (std::int64_t i = 0; i < count; ++i) {
    if (has_specials && random.chance(0.4)) {
      tensor.bits.push_back(special_bits(dtype, random) & mask);
    } else if (ir::is_float(dtype)) {
      tensor.bits.push_back(ir::encode_float(dtype, random.normal()));
    } else {
      tensor.bits.push_back(static_cast<std::uint64_t>(random.between(-9, 9)) & mask);
    }
  }
  return tensor;
}

std::map<std::string, BitsTensor> random_inputs(const ir::Kernel& kernel, const Sizes& sizes,
                                                std::uint64_t seed, bool has_specials) {
  std::map<std::string, BitsTensor> inputs;
  for (const ir::KernelParam& param : kernel.params()) {
    if (param.role == ir::ParamRole::Out) continue;
    inputs[param.name] =
        random_tensor(param.dtype, extents_of(param, sizes), seed + inputs.size(), has_specials);
  }
  return inputs;
}

std::size_t count_differences(const BitsTensor& actual, const BitsTensor& expected) {
  REQUIRE(actual.bits.size() == expected.bits.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < actual.bits.size(); ++i) {
    const ir::Literal a{actual.dtype, actual.bits[i]};
    const ir::Literal b{expected.dtype, expected.bits[i]};
    const bool are_nan =
        ir::is_float(a.dtype) && std::isnan(ir::as_double(a)) && std::isnan(ir::as_double(b));
    if (a == b || are_nan) continue;
    if (count++ == 0) {
      MESSAGE("element ", i, " is ", ir::to_string(a), ", expected ", ir::to_string(b));
    }
  }
  return count;
}

namespace {

double largest_difference(const BitsTensor& actual, const BitsTensor& expected) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < actual.bits.size(); ++i) {
    const double a = ir::as_double({actual.dtype, actual.bits[i]});
    const double b = ir::as_double({expected.dtype, expected.bits[i]});
    largest = std::max(largest, std::fabs(b));
    difference = std::max(difference, std::fabs(a - b));
  }
  return difference / std::max(largest, 1e-30);
}

}  // namespace

void check_cpu_kernel(const ir::Kernel& kernel, const Sizes& sizes,
                      const std::map<std::string, BitsTensor>& inputs, const CpuRun& options,
                      double tolerance) {
  ir::verify_kernel(kernel);
  const auto expected = interpret_kernel(kernel, sizes, inputs);
  const auto actual = run_on_cpu(kernel, sizes, inputs, options);
  for (const auto& [name, tensor] : expected) {
    INFO("kernel ", kernel.name(), ", output ", name);
    if (tolerance == 0) {
      CHECK(count_differences(actual.at(name), tensor) == 0);
    } else {
      CHECK(largest_difference(actual.at(name), tensor) <= tolerance);
    }
  }
}

void check_cpu_kernel(const std::string& text, const Sizes& sizes, const CpuRun& options,
                      double tolerance) {
  const ir::Kernel kernel = ir::parse_kernel(text);
  check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 1), options, tolerance);
}

}  // namespace sinter::tests
