// An element as the interval of its possible values.
#pragma once

#include <algorithm>

#include "reference/element.h"

namespace sinter::reference {

inline Wide low_end(const Element& a) { return a.real - a.bound; }
inline Wide high_end(const Element& a) { return a.real + a.bound; }

/// Zero, or either sign, is among the possible values of an inexact element.
inline bool may_be_zero(const Element& a) { return !a.is_exact() && std::abs(a.real) <= a.bound; }

/// How far f strays from f(a.real) over the interval, for a monotone f: as far as at its ends.
template <typename F>
Wide spread(const F& f, const Element& a) {
  if (a.is_exact()) return 0;
  return std::max(std::abs(f(high_end(a)) - f(a.real)), std::abs(f(a.real) - f(low_end(a))));
}

}  // namespace sinter::reference
