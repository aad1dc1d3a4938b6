// Reductions, scans and windows that fold with a C++ function over expressions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinter/pooling.h"
#include "sinter/tensor.h"

namespace sinter {

/// How two values of a fold become one: an expression of both, which have rank 0. It must be
/// associative, f(f(a, b), c) = f(a, f(b, c)), and f(identity, a) = a. A reduction, also of a window,
/// folds parts of the elements apart and then together, in a tree that is the same every time but in
/// no order, so that f(a, b) = f(b, a) is needed too; a scan keeps the order. What goes in is made by
/// expressions before, and the result finished by others after: all are fused.
using Combine = std::function<Tensor(const Tensor& a, const Tensor& b)>;
/// The same for values of several parts, one an operand.
using CombineParts =
    std::function<std::vector<Tensor>(const std::vector<Tensor>& a, const std::vector<Tensor>& b)>;

/// Over `axes` (none: all). `identity` is a literal and the result for no element.
Tensor reduce(const Operand& a, const std::vector<int>& axes, const Operand& identity,
              const Combine& combine);
/// As many results as operands, which broadcast to one shape: the largest |x| and its index is
///   reduce({abs(x), i}, {1}, {-1, -1}, [](const auto& a, const auto& b) -> std::vector<Tensor> {
///     const Tensor wins = b[0] > a[0];
///     return {select(wins, b[0], a[0]), select(wins, b[1], a[1])};
///   })
std::vector<Tensor> reduce(const std::vector<Tensor>& operands, const std::vector<int>& axes,
                           const std::vector<Operand>& identities, const CombineParts& combine,
                           const char* file = __builtin_FILE(), int line = __builtin_LINE());

struct ScanOptions {
  /// Element i folds those before i only.
  bool exclusive = false;
  /// From the end.
  bool reverse = false;
};
/// Running folds along one axis; shapes stay.
Tensor scan(const Operand& a, int axis, const Operand& identity, const Combine& combine,
            const ScanOptions& options = {});
std::vector<Tensor> scan(const std::vector<Tensor>& operands, int axis,
                         const std::vector<Operand>& identities, const CombineParts& combine,
                         const ScanOptions& options = {}, const char* file = __builtin_FILE(),
                         int line = __builtin_LINE());

/// Each window folded: "sum", "prod", "max", "min" (padding takes no part; types as of the reduction)
/// or "mean" (avg_pool).
Tensor window_reduce(const Operand& a, const std::vector<std::int64_t>& window,
                     const std::string& fold, const PoolOptions& options = {});
/// Or by a function; padding is the identity.
Tensor window_reduce(const Operand& a, const std::vector<std::int64_t>& window,
                     const Operand& identity, const Combine& combine,
                     const PoolOptions& options = {});

}  // namespace sinter
