// Libraries that are opened at run time, so that one binary starts on every machine.
#pragma once

#include <string>
#include <vector>

namespace sinter::runtime {

/// A library opened by dlopen; it stays open until the process ends.
class SharedLibrary {
 public:
  /// Tries `names` in order. EnvironmentError "cannot load <what>: <the loader's words>".
  static SharedLibrary open(const std::string& what, const std::vector<std::string>& names);

  /// The symbol's address; EnvironmentError where the library lacks it.
  template <typename Function>
  void find(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(address(symbol));
  }
  /// The same; leaves null where the library lacks it.
  template <typename Function>
  void find_if_there(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(address_if_there(symbol));
  }
  /// The path by which it was found.
  const std::string& name() const { return name_; }

 private:
  SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* address(const char* symbol) const;
  void* address_if_there(const char* symbol) const;
  void* handle_;
  std::string name_;
};

}  // namespace sinter::runtime
