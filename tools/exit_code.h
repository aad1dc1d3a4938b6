// The closed set of exit codes; docs/exit_codes.md.
#pragma once

namespace sinter::tools {

enum class ExitCode : int {
  Ok = 0,
  Internal = 1,      // a mistake of Sinter's own
  Usage = 2,         // command line, task file or operator is wrong
  WrongResult = 3,   // a result differs from the reference, or came too fast to be true
  Inconclusive = 5,  // a timing proves nothing; of the program bench
  Environment = 6,   // no such device, too little memory, driver trouble
  Compile = 7,       // generated code was refused by its compiler
};

}  // namespace sinter::tools
