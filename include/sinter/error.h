// The three kinds of error that Sinter throws. Messages start lower-case, print the values that
// were given, say what is needed, and end without a period.
#pragma once

#include <stdexcept>
#include <string>

namespace sinter {

/// A place in the user's own source file; `line` 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
};

/// Base of everything Sinter throws. `what()` is the whole message.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The program, file or call is wrong; the user can mend it.
class UserError : public Error {
 public:
  explicit UserError(const std::string& message, SourceLocation location = {});

  /// Where in the user's source the mistake stands, as far as it is known.
  const SourceLocation& location() const { return location_; }

 private:
  SourceLocation location_;
};

/// Device, driver, disk or compiler failed; names the operation, the code and what to do.
class RuntimeError : public Error {
 public:
  using Error::Error;
};

/// The machine lacks what was asked for (no such device, too little memory): exit code 6 in tools.
class EnvironmentError : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

/// Generated code was refused by its compiler or by the driver: exit code 7 in tools.
class CompileError : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

/// A mistake of Sinter's own.
class InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace sinter
