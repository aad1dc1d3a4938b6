// The registry fills before main and while libraries are opened, where nothing can be thrown: names that
// two places claim are kept, and refused by those who ask.
#include "dsl/registry.h"

#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <mutex>
#include <span>

#include "sinter/op.h"
#include "sinter/tensor.h"
#include "support/check.h"
#include "support/nearest.h"

namespace sinter {

namespace {

/// Two operators of one name, in the order in which they were registered.
struct Clash {
  const Operator* first;
  const Operator* second;
};

struct Registry {
  std::mutex mutex;
  std::deque<Operator> storage;  // stable addresses
  std::vector<const Operator*> sorted;
  std::vector<Clash> clashes;
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

// A header's SINTER_OP is registered once a file that includes it.
bool is_same_place(const SourceLocation& a, const SourceLocation& b) {
  const auto path = [](const SourceLocation& location) {
    return std::filesystem::path(location.file).lexically_normal();
  };
  return a.line == b.line && path(a) == path(b);
}

std::string place_of(const Operator& op) {
  return op.location.line == 0 ? "an unknown place"
                               : fmt::format("{}:{}", op.location.file, op.location.line);
}

[[noreturn]] void refuse(std::span<const Clash> clashes, std::string_view prefix) {
  std::vector<std::string> texts;
  for (const Clash& clash : clashes) {
    texts.push_back(fmt::format("'{}' at {} and at {}", clash.first->name, place_of(*clash.first),
                                place_of(*clash.second)));
  }
  support::throw_user("{}operators of one name are defined: {}; rename one of each", prefix,
                      fmt::join(texts, "; "));
}

/// Says of a library that was just opened why there is no new operator.
[[noreturn]] void refuse_empty(const std::string& path, const std::vector<Operator>& known) {
  if (known.empty()) {
    support::throw_user("operator library '{}' registers no operator; it needs a SINTER_OP", path);
  }
  std::vector<std::string> texts;
  for (const Operator& op : known) texts.push_back(fmt::format("{} of {}", op.name, place_of(op)));
  support::throw_user(
      "operator library '{}' registers only what is there already, from the same source: {}", path,
      fmt::join(texts, ", "));
}

}  // namespace

const std::vector<const Operator*>& registered_operators() { return registry().sorted; }

const Operator& register_operator(Operator op) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto at = std::lower_bound(
      all.sorted.begin(), all.sorted.end(), op.name,
      [](const Operator* entry, const std::string& name) { return entry->name < name; });
  all.storage.push_back(std::move(op));
  const Operator& stored = all.storage.back();
  if (at == all.sorted.end() || (*at)->name != stored.name) {
    all.sorted.insert(at, &stored);
  } else if (!is_same_place((*at)->location, stored.location)) {
    all.clashes.push_back({*at, &stored});
  }
  return stored;
}

const Operator& find_operator(const std::string& name) {
  for (const Clash& clash : registry().clashes) {
    if (clash.first->name == name) refuse({&clash, 1}, "");
  }
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
  if (dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
    support::throw_user("operator library '{}' is loaded already; it may be given once", path);
  }
  const Registry& all = registry();
  const std::size_t sorted = all.sorted.size();
  const std::size_t stored = all.storage.size();
  const std::size_t clashes = all.clashes.size();
  if (!dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    support::throw_user("operator library '{}' cannot be loaded: {}", path, dlerror());
  }
  if (all.clashes.size() > clashes) {
    refuse(std::span(all.clashes).subspan(clashes), fmt::format("operator library '{}': ", path));
  }
  if (all.sorted.size() > sorted) return;
  refuse_empty(path,
               {all.storage.begin() + static_cast<std::ptrdiff_t>(stored), all.storage.end()});
}

namespace dsl {

void check_operator_names() {
  if (!registry().clashes.empty()) refuse(registry().clashes, "");
}

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
