#pragma once

namespace eslabon::core {

/// if_less when a < b, otherwise the other: the only choice on a scalar that a kernel may make.
///
/// Both alternatives are computed before the call, so the one that is not taken may be NaN or
/// infinite but must not throw. A kernel writes this instead of `if (a < b)`, because a traced
/// number and a codegen::Expression know the answer only when what they write down runs.
inline constexpr double select_less(double a, double b, double if_less, double otherwise) {
  return a < b ? if_less : otherwise;
}

}  // namespace eslabon::core
