// Reading of task files: every key is known, every value checked, errors name file and line.
#include "tools/task.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "ir/dtype.h"
#include "ir/mode.h"
#include "support/check.h"
#include "support/nearest.h"

namespace sinter::tools {

namespace {

class TaskReader {
 public:
  explicit TaskReader(std::string path) : path_(std::move(path)) {}

  Task read() {
    const YAML::Node root = load();
    check_keys(root, "the file", {"task"});
    if (!root["task"]) fail(root, "the key 'task' is missing");
    return read_task_map(root["task"]);
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(const YAML::Node& node, fmt::format_string<Args...> format,
                         Args&&... args) const {
    const YAML::Mark mark = node.Mark();
    const std::string where =
        mark.is_null() ? path_ : fmt::format("{}:{}:{}", path_, mark.line + 1, mark.column + 1);
    support::throw_user("{}: {}", where, fmt::format(format, std::forward<Args>(args)...));
  }

  YAML::Node load() const {
    if (!std::filesystem::is_regular_file(path_)) {
      support::throw_user("task file '{}' cannot be read", path_);
    }
    try {
      const YAML::Node root = YAML::LoadFile(path_);
      if (!root.IsMap()) fail(root, "a map with the key 'task' is needed");
      return root;
    } catch (const YAML::BadFile&) {
      support::throw_user("task file '{}' cannot be read", path_);
    } catch (const YAML::ParserException& error) {
      support::throw_user("{}:{}:{}: {}", path_, error.mark.line + 1, error.mark.column + 1,
                          error.msg);
    }
  }

  void check_keys(const YAML::Node& map, const std::string& what,
                  const std::vector<std::string>& known) const {
    if (!map.IsMap()) fail(map, "{} is not a map", what);
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const auto key = scalar<std::string>(entry.first, "a key of " + what, "a name");
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

  std::int64_t count(const YAML::Node& node, const std::string& key, std::int64_t least) const {
    const auto value = scalar<std::int64_t>(node, key, "a whole number");
    if (value < least) fail(node, "{} is {}; at least {} is needed", key, value, least);
    return value;
  }

  DType dtype(const YAML::Node& node) const {
    const auto text = scalar<std::string>(node, "dtype", "a dtype");
    const auto parsed = ir::parse_dtype(text);
    if (parsed) return *parsed;
    std::vector<std::string> names;
    for (int i = 0; i < kDTypeCount; ++i) names.emplace_back(to_string(static_cast<DType>(i)));
    fail(node, "unknown dtype '{}'; one of {} is needed", text, fmt::join(names, ", "));
  }

  std::vector<std::int64_t> shape(const YAML::Node& node) const {
    if (!node.IsSequence()) fail(node, "shape is not a list of whole numbers");
    std::vector<std::int64_t> extents;
    std::int64_t elements = 1;
    for (const YAML::Node& extent : node) {
      extents.push_back(count(extent, "an extent of shape", 0));
      if (__builtin_mul_overflow(elements, std::max<std::int64_t>(extents.back(), 1), &elements)) {
        fail(node, "shape [{}] has more than 2^63 elements", fmt::join(extents, ", "));
      }
    }
    return extents;
  }

  /// A number of the dtype: floats round to it, integers hold it.
  ir::Literal literal(const YAML::Node& node, DType dtype) const {
    const std::string needed = fmt::format("a value of {}", to_string(dtype));
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
    input.name = scalar<std::string>(map["name"], "name", "a name");
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
    if (map["file"]) input.file = scalar<std::string>(map["file"], "file", "a path");
    return input;
  }

  void read_fusion(const YAML::Node& map, Task& task) const {
    check_keys(map, "fusion", {"enable", "fused_ops"});
    if (map["enable"]) task.fuse = scalar<bool>(map["enable"], "fusion.enable", "true or false");
    if (!map["fused_ops"]) return;
    if (!map["fused_ops"].IsSequence()) fail(map["fused_ops"], "fused_ops is not a list of names");
    for (const YAML::Node& name : map["fused_ops"]) {
      task.fused_ops.push_back(scalar<std::string>(name, "a name of fused_ops", "a name"));
    }
  }

  Task read_task_map(const YAML::Node& map) const {
    check_keys(map, "task",
               {"name", "graph", "device", "dtype", "inputs", "fusion", "warmup_iterations",
                "benchmark_iterations", "seed", "mode"});
    Task task;
    if (!map["name"]) fail(map, "the task has no name");
    task.name = scalar<std::string>(map["name"], "name", "a name");
    if (map["graph"]) task.graph = scalar<std::string>(map["graph"], "graph", "a graph text");
    if (map["device"]) task.device = scalar<std::string>(map["device"], "device", "a device");
    const DType default_dtype = map["dtype"] ? dtype(map["dtype"]) : DType::F32;
    if (map["inputs"]) read_inputs(map["inputs"], default_dtype, task);
    if (map["fusion"]) read_fusion(map["fusion"], task);
    if (map["warmup_iterations"]) {
      task.warmup_iterations = count(map["warmup_iterations"], "warmup_iterations", 0);
    }
    if (map["benchmark_iterations"]) {
      task.benchmark_iterations = count(map["benchmark_iterations"], "benchmark_iterations", 1);
    }
    if (map["seed"]) task.seed = static_cast<std::uint64_t>(count(map["seed"], "seed", 0));
    if (map["mode"]) task.mode = mode(map["mode"]);
    return task;
  }

  void read_inputs(const YAML::Node& list, DType default_dtype, Task& task) const {
    if (!list.IsSequence()) fail(list, "inputs is not a list");
    for (const YAML::Node& entry : list) {
      TaskInput input = read_input(entry, default_dtype);
      for (const TaskInput& earlier : task.inputs) {
        if (earlier.name == input.name) fail(entry, "input '{}' stands twice", input.name);
      }
      task.inputs.push_back(std::move(input));
    }
  }

  Mode mode(const YAML::Node& node) const {
    const auto text = scalar<std::string>(node, "mode", "a mode");
    const auto parsed = ir::parse_mode(text);
    if (!parsed) fail(node, "unknown mode '{}'; default, strict or fast is needed", text);
    return static_cast<Mode>(*parsed);
  }

  std::string path_;
};

}  // namespace

Task read_task(const std::string& path) { return TaskReader(path).read(); }

}  // namespace sinter::tools
