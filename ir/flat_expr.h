// An expression of sizes in postfix form, its sizes by index: what every launch evaluates, without a
// name, a map or an allocation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/index_expr.h"

namespace sinter::ir {

class FlatExpr {
 public:
  /// 0.
  FlatExpr() = default;
  /// Sizes get their places in `names`. UserError that names a size that is not there; InternalError
  /// where the expression has axes or values.
  FlatExpr(const IndexExpr& expr, std::span<const std::string> names);

  /// What evaluate(expr) gives for these sizes, in the order of the names. UserError on overflow.
  std::int64_t evaluate(std::span<const std::int64_t> sizes) const;

 private:
  //  code      number       takes    gives
  //  Number    the number   -        it
  //  Size      place        -        the size
  //  Product   coefficient  count    coefficient times all of them
  //  Sum       -            count    their sum
  //  others    -            two      floor division, modulus, minimum, maximum
  enum class Code : std::uint8_t { Number, Size, Product, Sum, FloorDiv, Mod, Min, Max };
  struct Step {
    Code code = Code::Number;
    std::uint32_t count = 0;
    std::int64_t number = 0;
  };

  void add_expr(const IndexExpr& expr, std::span<const std::string> names);
  void add_atom(const Atom& atom, std::span<const std::string> names);
  void run(std::span<const std::int64_t> sizes, std::int64_t* stack) const;

  std::vector<Step> steps_;
};

}  // namespace sinter::ir
