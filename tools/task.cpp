// Reading of task files: every key is known, every value checked, errors name file and line.
#include "tools/task.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "ir/bind_sizes.h"
#include "ir/dtype.h"
#include "ir/mode.h"
#include "support/check.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "support/regular_file.h"

namespace sinter::tools {

namespace {

constexpr std::size_t kLongestFile = std::size_t{16} << 20;

class TaskReader {
 public:
  explicit TaskReader(std::string path) : path_(std::move(path)) {}

  Task read() {
    const std::string text = read_text();
    try {
      const YAML::Node root = load(text);
      check_keys(root, "the file", {"task"});
      if (!root["task"]) fail(root, "the key 'task' is missing");
      return read_task_map(root["task"]);
    } catch (const YAML::DeepRecursion& error) {
      fail_at(error.mark, "the text nests deeper than {}", error.depth());
    } catch (const YAML::Exception& error) {
      // Newer versions of the library add the anchor's name; the place says which it is.
      fail_at(error.mark, "{}", error.msg.substr(0, error.msg.find(": ")));
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(const YAML::Node& node, fmt::format_string<Args...> format,
                         Args&&... args) const {
    fail_at(node.Mark(), format, std::forward<Args>(args)...);
  }

  template <typename... Args>
  [[noreturn]] void fail_at(const YAML::Mark& mark, fmt::format_string<Args...> format,
                            Args&&... args) const {
    support::throw_user("{}: {}", place(mark), fmt::format(format, std::forward<Args>(args)...));
  }

  std::string place(const YAML::Mark& mark) const {
    return mark.is_null() ? path_ : fmt::format("{}:{}:{}", path_, mark.line + 1, mark.column + 1);
  }

  std::string read_text() const {
    support::RegularFile file(path_);
    if (file.trouble().empty() && file.size_bytes() > kLongestFile) {
      support::throw_user("task file '{}' has {} bytes; at most {} are read", path_,
                          file.size_bytes(), kLongestFile);
    }
    std::string text = file.read_all();
    if (!file.trouble().empty()) {
      support::throw_user("task file '{}' cannot be read: {}", path_, file.trouble());
    }
    return text;
  }

  YAML::Node load(const std::string& text) const {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) {
      fail(documents[1], "the file has {} documents; one is needed", documents.size());
    }
    if (text.empty()) {
      support::throw_user("{}: the file is empty; a map with the key 'task' is needed", path_);
    }
    if (documents.empty()) support::throw_user("{}: a map with the key 'task' is needed", path_);
    if (!documents[0].IsMap()) fail(documents[0], "a map with the key 'task' is needed");
    return documents[0];
  }

  void check_keys(const YAML::Node& map, const std::string& what,
                  const std::vector<std::string>& known) const {
    if (!map.IsMap()) fail(map, "{} is not a map", what);
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const auto key = text(entry.first, "a key of " + what, "a name");
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail(entry.first, "unknown key '{}' in {}{}", key, what, support::did_you_mean(key, known));
      }
      if (!seen.insert(key).second) fail(entry.first, "key '{}' stands twice in {}", key, what);
    }
  }

  template <typename T>
  T scalar(const YAML::Node& node, const std::string& key, const char* needed) const {
    try {
      return node.as<T>();
    } catch (const YAML::Exception&) {
      fail(node, "{} is {}; {} is needed", key,
           node.IsScalar() ? fmt::format("'{}'", node.Scalar()) : std::string("not a plain value"),
           needed);
    }
  }

  std::string text(const YAML::Node& node, const std::string& key, const char* needed) const {
    const auto value = scalar<std::string>(node, key, needed);
    const bool is_control = std::any_of(value.begin(), value.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    });
    if (is_control) {
      fail(node, "{} is '{}', with a control character; {} is needed", key,
           support::printable(value), needed);
    }
    if (value.empty()) fail(node, "{} is empty; {} is needed", key, needed);
    return value;
  }

  std::int64_t count(const YAML::Node& node, const std::string& key, std::int64_t least) const {
    const auto value = scalar<std::int64_t>(node, key, "a whole number");
    if (value < least) fail(node, "{} is {}; at least {} is needed", key, value, least);
    return value;
  }

  std::uint64_t seed(const YAML::Node& node) const {
    const auto parsed = node.IsScalar() ? ir::parse_literal(DType::U64, node.Scalar())
                                        : std::optional<ir::Literal>();
    if (parsed) return parsed->bits;
    fail(node, "seed is {}; a whole number from 0 to 2^64 - 1 is needed",
         node.IsScalar() ? fmt::format("'{}'", node.Scalar()) : std::string("not a plain value"));
  }

  DType dtype(const YAML::Node& node) const {
    const std::string name = text(node, "dtype", "a dtype");
    const auto parsed = ir::parse_dtype(name);
    if (parsed) return *parsed;
    std::vector<std::string> names;
    for (int i = 0; i < kDTypeCount; ++i) names.emplace_back(to_string(static_cast<DType>(i)));
    fail(node, "unknown dtype '{}'{}", name, support::did_you_mean_or_list(name, names));
  }

  std::vector<std::int64_t> shape(const YAML::Node& node) const {
    if (!node.IsSequence()) fail(node, "shape is not a list of whole numbers");
    std::vector<std::int64_t> extents;
    for (const YAML::Node& extent : node) {
      extents.push_back(count(extent, "an extent of shape", 0));
    }
    if (!ir::is_addressable(extents)) {
      fail(node, "the extents of shape [{}] multiply to more than 2^60 (0 counts as 1)",
           fmt::join(extents, ", "));
    }
    return extents;
  }

  static std::string needed_value(DType dtype) {
    const std::string_view name = to_string(dtype);
    if (dtype == DType::Bool) return "true or false, a value of bool,";
    if (ir::is_float(dtype)) {
      return fmt::format("a number, .inf, -.inf or .nan, a value of {},", name);
    }
    const std::size_t bits = 8 * size_bytes(dtype);
    if (!ir::is_signed_integer(dtype)) {
      return fmt::format("a whole number from 0 to {}, a value of {},",
                         ~std::uint64_t{0} >> (64 - bits), name);
    }
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
    return fmt::format("a whole number from {} to {}, a value of {},", -most - 1, most, name);
  }

  /// A number of the dtype: floats round to it, integers hold it.
  ir::Literal literal(const YAML::Node& node, DType dtype) const {
    const std::string needed = needed_value(dtype);
    if (ir::is_float(dtype)) {
      const auto value = scalar<double>(node, "value", needed.c_str());
      const ir::Literal rounded = ir::make_literal(dtype, value);
      const bool is_near = std::isinf(value) == std::isinf(ir::as_double(rounded)) &&
                           std::abs(ir::as_double(rounded)) * 2 >= std::abs(value);
      if (std::isfinite(value) && !is_near && std::abs(value) > 1) {
        fail(node, "value is '{}', which is beyond {}", node.Scalar(), to_string(dtype));
      }
      return rounded;
    }
    const auto parsed =
        node.IsScalar() ? ir::parse_literal(dtype, node.Scalar()) : std::optional<ir::Literal>();
    if (!parsed) {
      fail(node, "value is {}; {} is needed",
           node.IsScalar() ? fmt::format("'{}'", node.Scalar()) : std::string("not a plain value"),
           needed);
    }
    return *parsed;
  }

  TaskInput read_input(const YAML::Node& map, DType default_dtype) const {
    check_keys(map, "an input", {"name", "shape", "dtype", "file", "value"});
    TaskInput input;
    input.dtype = default_dtype;
    if (!map["name"]) fail(map, "an input has no name");
    input.name = text(map["name"], "name", "a name");
    if (map["dtype"]) input.dtype = dtype(map["dtype"]);
    if (map["value"]) {
      if (map["shape"] || map["file"]) {
        fail(map, "input '{}' has a value, so it has no shape and no file", input.name);
      }
      input.value = literal(map["value"], input.dtype);
      return input;
    }
    if (!map["shape"]) fail(map, "input '{}' has no shape", input.name);
    input.shape = shape(map["shape"]);
    if (map["file"]) input.file = text(map["file"], "file", "a path");
    return input;
  }

  void read_fusion(const YAML::Node& map, Task& task) const {
    check_keys(map, "fusion", {"enable", "fused_ops"});
    if (map["enable"]) task.fuse = scalar<bool>(map["enable"], "fusion.enable", "true or false");
    if (!map["fused_ops"]) return;
    if (!map["fused_ops"].IsSequence()) fail(map["fused_ops"], "fused_ops is not a list of names");
    for (const YAML::Node& name : map["fused_ops"]) {
      task.fused_ops.push_back(text(name, "a name of fused_ops", "a name"));
    }
  }

  Task read_task_map(const YAML::Node& map) const {
    check_keys(map, "task",
               {"name", "graph", "device", "dtype", "inputs", "fusion", "warmup_iterations",
                "benchmark_iterations", "seed", "mode", "rounding"});
    Task task;
    task.path = path_;
    task.inputs_place = path_;
    if (!map["name"]) fail(map, "the task has no name");
    task.name = text(map["name"], "name", "a name");
    if (map["graph"]) task.graph = text(map["graph"], "graph", "a graph text");
    if (map["device"]) task.device = text(map["device"], "device", "a device");
    const DType default_dtype = map["dtype"] ? dtype(map["dtype"]) : DType::F32;
    if (map["inputs"]) read_inputs(map["inputs"], default_dtype, task);
    if (map["fusion"]) read_fusion(map["fusion"], task);
    if (map["warmup_iterations"]) {
      task.warmup_iterations = count(map["warmup_iterations"], "warmup_iterations", 0);
    }
    if (map["benchmark_iterations"]) {
      task.benchmark_iterations = count(map["benchmark_iterations"], "benchmark_iterations", 1);
    }
    if (map["seed"]) task.seed = seed(map["seed"]);
    if (map["mode"]) task.mode = mode(map["mode"]);
    if (map["rounding"]) task.rounding = rounding(map["rounding"]);
    return task;
  }

  void read_inputs(const YAML::Node& list, DType default_dtype, Task& task) const {
    if (!list.IsSequence()) fail(list, "inputs is not a list");
    task.inputs_place = place(list.Mark());
    for (const YAML::Node& entry : list) {
      TaskInput input = read_input(entry, default_dtype);
      for (const TaskInput& earlier : task.inputs) {
        if (earlier.name == input.name) fail(entry, "input '{}' stands twice", input.name);
      }
      task.inputs.push_back(std::move(input));
    }
  }

  Mode mode(const YAML::Node& node) const {
    const std::string name = text(node, "mode", "a mode");
    const auto parsed = ir::parse_mode(name);
    if (!parsed) fail(node, "unknown mode '{}'; default, strict or fast is needed", name);
    return static_cast<Mode>(*parsed);
  }

  Rounding rounding(const YAML::Node& node) const {
    const std::string name = text(node, "rounding", "outputs or each");
    if (name == "outputs") return Rounding::Outputs;
    if (name != "each") fail(node, "unknown rounding '{}'; outputs or each is needed", name);
    return Rounding::Each;
  }

  std::string path_;
};

}  // namespace

Task read_task(const std::string& path) { return TaskReader(path).read(); }

}  // namespace sinter::tools
