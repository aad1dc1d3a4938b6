// Counted loops with carried values, as LLVM blocks.
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/function_writer.h"

namespace sinter::codegen::llvm {

/// A value that each iteration hands to the next.
struct Carried {
  std::string hint;
  std::string type;
  std::string initial;
};

/// for (index = begin; index < end; index += step). The constructor opens the loop (instructions go
/// into its body), finish() closes it. The test stands in the header, so carried() are the values
/// of the last iteration once the loop is closed.
class CountedLoop {
 public:
  CountedLoop(FunctionWriter& out, const std::string& hint, const std::string& begin,
              const std::string& end, const std::string& step, std::vector<Carried> carried = {});
  /// The same, downwards: for (index = end - 1; index >= begin; --index).
  static CountedLoop make_reversed(FunctionWriter& out, const std::string& hint,
                                   const std::string& begin, const std::string& end,
                                   std::vector<Carried> carried);

  const std::string& index() const { return index_; }
  const std::string& carried(std::size_t number) const { return phis_[number]; }
  void finish(const std::vector<std::string>& next = {});

 private:
  CountedLoop(FunctionWriter& out, const std::string& hint, std::vector<Carried> carried);
  void open(const std::string& hint, const std::string& first, const std::string& test);

  FunctionWriter& out_;
  std::string preheader_, header_, body_, exit_;
  std::string first_, step_, index_;
  std::vector<Carried> carried_;
  std::vector<std::string> phis_;
  std::vector<std::size_t> places_;  // of the phis, the index first
};

}  // namespace sinter::codegen::llvm
