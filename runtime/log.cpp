// One logger, and the debug ladder of the options table.
#include "runtime/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <mutex>
#include <set>

#include "support/options.h"

namespace sinter::runtime {
namespace {

/// The logger "sinter" on standard error.
spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("sinter",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("sinter: %l: %v");
    return made;
  }();
  return *instance;
}

}  // namespace

void log_info(const std::string& message) { logger().info("{}", message); }

void log_warning(const std::string& message) { logger().warn("{}", message); }

void warn_once(const std::string& message) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(message).second) log_warning(message);
}

int debug_level(const std::string& operator_name) {
  const auto level = static_cast<int>(support::option_integer(support::Option::Debug));
  const std::string filter = support::option_text(support::Option::DebugFilter);
  return operator_name.find(filter) == std::string::npos ? 0 : level;
}

}  // namespace sinter::runtime
