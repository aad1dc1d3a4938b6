// See composite.h.
#include "dsl/composite.h"

#include "support/check.h"

namespace sinter::dsl {

Tensor add_composite(ir::Op op, const Operand& first, const std::vector<Tensor>& others,
                     ir::Attributes attributes) {
  const Tensor& tensor = require_tensor(first, std::string(ir::to_string(op)).c_str());
  std::vector<ir::Value> values{to_value(tensor)};
  for (const Tensor& other : others) {
    trace_of({&first, std::make_unique<Operand>(other).get()});  // refuses another operator's
    values.push_back(to_value(other));
  }
  return add_node(tensor.trace(), op, std::move(values), std::move(attributes), first.location());
}

std::vector<std::int64_t> expand_list(const std::vector<std::int64_t>& list, std::size_t count,
                                      std::int64_t fallback, const char* name,
                                      const Operand& first) {
  if (list.empty()) return std::vector<std::int64_t>(count, fallback);
  if (list.size() == 1) return std::vector<std::int64_t>(count, list[0]);
  if (list.size() == count) return list;
  const std::string needed = count == 1 ? "1 is" : fmt::format("1 or {} are", count);
  support::throw_user_at(first.location(), "{} has {} numbers; {} needed", name, list.size(),
                         needed);
}

}  // namespace sinter::dsl
