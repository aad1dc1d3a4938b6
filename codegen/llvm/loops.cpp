// Blocks of a loop: the header holds phis and test, the body jumps back to it.
#include "codegen/llvm/loops.h"

#include <fmt/format.h>

namespace sinter::codegen::llvm {

CountedLoop::CountedLoop(FunctionWriter& out, const std::string& hint, std::vector<Carried> carried)
    : out_(out),
      preheader_(out.block()),
      header_(out.make_label(hint + ".loop")),
      body_(out.make_label(hint + ".body")),
      exit_(out.make_label(hint + ".done")),
      carried_(std::move(carried)) {}

CountedLoop::CountedLoop(FunctionWriter& out, const std::string& hint, const std::string& begin,
                         const std::string& end, const std::string& step,
                         std::vector<Carried> carried)
    : CountedLoop(out, hint, std::move(carried)) {
  step_ = step;
  open(hint, begin, "icmp slt i64 {index}, " + end);
}

CountedLoop CountedLoop::make_reversed(FunctionWriter& out, const std::string& hint,
                                       const std::string& begin, const std::string& end,
                                       std::vector<Carried> carried) {
  const std::string last = out.assign(hint + ".last", fmt::format("sub i64 {}, 1", end));
  CountedLoop loop(out, hint, std::move(carried));
  loop.step_ = "-1";
  loop.open(hint, last, "icmp sge i64 {index}, " + begin);
  return loop;
}

void CountedLoop::open(const std::string& hint, const std::string& first, const std::string& test) {
  first_ = first;
  out_.start_block(header_);
  places_.push_back(out_.reserve_line());
  for (std::size_t i = 0; i < carried_.size(); ++i) places_.push_back(out_.reserve_line());
  // The names are made now and defined by the reserved lines.
  index_ = "%" + out_.make_label(hint);
  for (const Carried& value : carried_) phis_.push_back("%" + out_.make_label(value.hint));
  const std::string condition =
      out_.assign(hint + ".goes_on", fmt::format(fmt::runtime(test), fmt::arg("index", index_)));
  out_.branch_if(condition, body_, exit_);
  out_.start_block(body_, false);
}

void CountedLoop::finish(const std::vector<std::string>& next) {
  const std::string next_index =
      out_.assign(index_.substr(1) + ".next", fmt::format("add i64 {}, {}", index_, step_));
  const std::string latch = out_.block();
  out_.branch(header_);
  const auto phi = [&](const std::string& name, const std::string& type, const std::string& initial,
                       const std::string& later) {
    return fmt::format("{} = phi {} ", name, type) +
           fmt::format("[ {}, %{} ], [ {}, %{} ]", initial, preheader_, later, latch);
  };
  out_.fill_line(places_[0], phi(index_, "i64", first_, next_index));
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    out_.fill_line(places_[i + 1], phi(phis_[i], carried_[i].type, carried_[i].initial, next[i]));
  }
  out_.start_block(exit_, false);
}

}  // namespace sinter::codegen::llvm
