#include "eslabon/io/parts/moved_functions.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace eslabon::io {

using Eigen::Matrix3d;
using model::TimeFunction;

double moved_value(double x, double sign, double offset) {
  const double turned = sign < 0.0 ? -x : x;
  return offset == 0.0 ? turned : turned + offset;
}

TimeFunction moved_function(const TimeFunction& f, double sign, double offset) {
  if (const core::CubicTable* table = f.whole_table(); table != nullptr && (sign < 0.0 || offset != 0.0))
    return TimeFunction::table(std::make_shared<const core::CubicTable>(table->moved(1.0, sign, offset)),
                               TimeFunction::time());
  const TimeFunction turned = sign < 0.0 ? -f : f;
  return offset == 0.0 ? turned : turned + offset;
}

TimeFunction moved_law(const TimeFunction& f, double sign_y, double sign_x) {
  if (sign_y > 0.0 && sign_x > 0.0) return f;
  if (const core::CubicTable* table = f.whole_table())
    return TimeFunction::table(std::make_shared<const core::CubicTable>(table->moved(sign_x, sign_y, 0.0)),
                               TimeFunction::time());
  return moved_function(sign_x < 0.0 ? f.with_time(-TimeFunction::time()) : f, sign_y, 0.0);
}

void turn_round(model::ForceTable& table) {
  std::ranges::reverse(table);
  for (auto& [argument, force] : table) {
    argument = -argument;
    force = -force;
  }
}

std::array<TimeFunction, 3> turned_functions(const Matrix3d& M, const std::array<TimeFunction, 3>& f) {
  std::array<TimeFunction, 3> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto& term = f[static_cast<std::size_t>(j)];
      auto& sum = out[static_cast<std::size_t>(i)];
      if (M(i, j) == 0.0 || term == TimeFunction()) continue;
      const TimeFunction scaled =
          std::abs(M(i, j)) == 1.0 ? moved_function(term, M(i, j), 0.0) : M(i, j) * term;
      sum = sum == TimeFunction() ? scaled : sum + scaled;
    }
  return out;
}

}  // namespace eslabon::io
