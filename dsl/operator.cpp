// Tracing an operator's body, and the registry of operators.
#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "dsl/trace.h"
#include "ir/conditions.h"
#include "sinter/op.h"
#include "sinter/tensor.h"
#include "support/check.h"
#include "support/nearest.h"

namespace sinter {

namespace {

struct Registry {
  std::mutex mutex;
  std::deque<Operator> storage;  // stable addresses
  std::vector<const Operator*> sorted;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

// "(sn::Tensor x, const sn::Tensor& y)" -> {"x", "y"}: the last identifier of each parameter.
std::vector<std::string> parameter_names(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  bool is_open = false;
  for (const char c : text.substr(1)) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (is_word) {
      if (!is_open) name.clear();
      name += c;
    } else if ((c == ',' || c == ')') && !name.empty()) {
      names.push_back(name);
      name.clear();
    }
    is_open = is_word;
  }
  return names;
}

ir::Value add_parameter(ir::Graph& graph, const Operator& op, std::size_t index,
                        const TensorSpec& spec) {
  const std::string& name = op.parameters[index];
  const ir::Type type{spec.dtype, dsl::to_shape(spec.shape)};
  const bool is_scalar = std::ranges::count(op.host_scalars, name) > 0;
  if (spec.constant_bits && !is_scalar) {
    support::throw_user_at(op.location, "parameter {} of {} is a Tensor; only a Scalar is constant",
                           name, op.name);
  }
  if (!is_scalar) return graph.add_parameter(name, type, op.location);
  if (!type.shape.empty()) {
    support::throw_user_at(op.location, "parameter {} of {} is a Scalar, of rank 0; {} was given",
                           name, op.name, ir::to_string(type));
  }
  if (spec.constant_bits) {
    return graph.add_constant({spec.dtype, *spec.constant_bits}, op.location);
  }
  return graph.add_host_scalar(name, spec.dtype, op.location);
}

[[noreturn]] void refuse_count(const Operator& op, const std::vector<std::string>& parameters,
                               std::size_t given) {
  support::throw_user_at(op.location, "{} has {} parameters ({}); {} types were given", op.name,
                         parameters.size(), fmt::join(parameters, ", "), given);
}

/// Types beyond those of op.parameters must be what follows from them.
ir::Graph trace_derived(const Operator& op, const std::vector<TensorSpec>& specs) {
  const std::size_t given = op.parameters.size();
  ir::Graph graph = op.derive({specs.begin(), specs.begin() + static_cast<std::ptrdiff_t>(given)});
  const std::vector<ir::NodeId>& ids = graph.parameters();
  if (specs.size() != given && specs.size() != ids.size()) {
    std::vector<std::string> names;
    for (const ir::NodeId id : ids) names.push_back(graph.parameter_name(id));
    refuse_count(op, names, specs.size());
  }
  for (std::size_t i = given; i < specs.size(); ++i) {
    const ir::Type type{specs[i].dtype, dsl::to_shape(specs[i].shape)};
    const ir::Type& needed = graph.type({ids[i], 0});
    if (type == needed) continue;
    support::throw_user_at(op.location, "parameter {} of {} is {}; {} was given",
                           graph.parameter_name(ids[i]), op.name, ir::to_string(needed),
                           ir::to_string(type));
  }
  ir::check_sizes_are_known(graph);
  return graph;
}

}  // namespace

DType Tensor::dtype() const { return trace_->graph.type({node_, result_}).dtype; }

std::vector<Dim> Tensor::shape() const {
  std::vector<Dim> dims;
  for (const ir::Dim& dim : trace_->graph.type({node_, result_}).shape) dims.emplace_back(dim);
  return dims;
}

int Tensor::rank() const {
  return static_cast<int>(trace_->graph.type({node_, result_}).shape.size());
}

TensorSpec constant(DType dtype, const Operand& literal) {
  return {dtype, {}, dsl::literal_of(literal, dtype, "constant").bits};
}

ir::Graph Operator::trace(const std::vector<TensorSpec>& specs) const {
  if (derive && specs.size() >= parameters.size()) return trace_derived(*this, specs);
  if (specs.size() != parameters.size()) {
    refuse_count(*this, parameters, specs.size());
  }
  const auto trace = std::make_shared<dsl::Trace>(name, "operator " + name);
  std::vector<Tensor> arguments;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const ir::Value value = add_parameter(trace->graph, *this, i, specs[i]);
    arguments.emplace_back(trace, value.node, value.result);
  }
  std::vector<ir::Value> outputs;
  {
    const dsl::TraceScope scope(trace);
    for (const Tensor& tensor : body(arguments)) {
      if (tensor.trace() != trace) {
        const bool is_again = tensor.trace()->owner == trace->owner;
        support::throw_user_at(location,
                               "{} returns a tensor of {}{}; it is valid only inside the body that "
                               "made it",
                               name, is_again ? "an earlier trace of " : "", tensor.trace()->owner);
      }
      outputs.push_back(dsl::to_value(tensor));
    }
  }
  if (outputs.empty()) {
    support::throw_user_at(location, "{} returns nothing; at least one tensor is needed", name);
  }
  trace->graph.set_outputs(std::move(outputs));
  ir::check_sizes_are_known(trace->graph);
  return trace->graph;
}

const std::vector<const Operator*>& registered_operators() { return registry().sorted; }

const Operator& register_operator(Operator op) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto at = std::lower_bound(
      all.sorted.begin(), all.sorted.end(), op.name,
      [](const Operator* entry, const std::string& name) { return entry->name < name; });
  all.storage.push_back(std::move(op));
  const Operator& stored = all.storage.back();
  // The first of a name stays the registered one: a header's SINTER_OP is seen once a file.
  if (at == all.sorted.end() || (*at)->name != stored.name) all.sorted.insert(at, &stored);
  return stored;
}

const Operator& find_operator(const std::string& name) {
  std::vector<std::string> names;
  for (const Operator* op : registered_operators()) {
    if (op->name == name) return *op;
    names.push_back(op->name);
  }
  support::throw_user("there is no operator '{}'{}", name, support::did_you_mean(name, names));
}

void load_operators(const std::string& path) {
  // A bare name is a file of the current folder, not one of the system's libraries.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  const std::size_t before = registered_operators().size();
  if (!dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    support::throw_user("operator library '{}' cannot be loaded: {}", path, dlerror());
  }
  if (registered_operators().size() == before) {
    support::throw_user("operator library '{}' registers no operator; it needs a SINTER_OP", path);
  }
}

namespace dsl {

const Operator& register_operator(Operator op, const char* parameters,
                                  const std::vector<bool>& is_scalar) {
  op.parameters = parameter_names(parameters);
  support::check(op.parameters.size() == is_scalar.size(),
                 "{} parameter names found in '{}', {} expected", op.parameters.size(), parameters,
                 is_scalar.size());
  for (std::size_t i = 0; i < is_scalar.size(); ++i) {
    if (is_scalar[i]) op.host_scalars.push_back(op.parameters[i]);
  }
  return sinter::register_operator(std::move(op));
}

}  // namespace dsl

}  // namespace sinter
