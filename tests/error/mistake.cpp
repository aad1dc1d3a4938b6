// Traces a body that stands in no SINTER_OP.
#include "tests/error/mistake.h"

#include "ir/graph.h"

namespace sinter::tests {

std::string message_of(const std::vector<TensorSpec>& specs,
                       const std::function<Result(const Tensors&)>& body, const char* file,
                       int line) {
  Operator op;
  op.name = "op";
  op.location = {file, line};
  op.body = [&](const Tensors& tensors) { return body(tensors).tensors(); };
  for (std::size_t i = 0; i < specs.size(); ++i) {
    op.parameters.push_back(std::string(1, static_cast<char>('a' + i)));
  }
  try {
    op.trace(specs);
  } catch (const UserError& error) {
    const SourceLocation& place = error.location();
    const std::string text = error.what();
    const std::string head = place.file + ":" + std::to_string(place.line) + ": ";
    const bool is_here = place.file == file && place.line >= line - 3 && place.line <= line + 3;
    if (!is_here || !text.starts_with(head))
      return "in place of " + std::string(file) + ": " + text;
    return text.substr(head.size());
  }
  return "no error";
}

}  // namespace sinter::tests
