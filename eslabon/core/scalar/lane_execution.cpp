// The loops over lanes of core::LaneProgram. Compiled without contraction of products and sums, so that every processor rounds alike.
#include <cmath>

#include "eslabon/core/scalar/lane_math.hpp"
#include "eslabon/core/scalar/lane_program.hpp"

namespace eslabon::core {

template <std::size_t kCount>
void LaneProgram::execute(double* const* tables, std::size_t count) const {
  const std::size_t n = kCount > 0 ? kCount : count;
  // A result never lies where an operand does.
#define ESLABON_EACH_LANE(expression)                                           \
  _Pragma("GCC ivdep") for (std::size_t i = 0; i < n; ++i) out[i] = expression; \
  break
  for (const Instruction& step : instructions_) {
    double* __restrict const out = tables[step.out];
    const double* __restrict const a = tables[step.a];
    const double* __restrict const b = tables[step.b];
    const double* __restrict const c = tables[step.c];
    const double* __restrict const d = tables[step.d];
    const double k = step.k;
    switch (step.code) {
      case Code::kNegate:
        ESLABON_EACH_LANE(-a[i]);
      case Code::kAdd:
        ESLABON_EACH_LANE(a[i] + b[i]);
      case Code::kSubtract:
        ESLABON_EACH_LANE(a[i] - b[i]);
      case Code::kMultiply:
        ESLABON_EACH_LANE(a[i] * b[i]);
      case Code::kDivide:
        ESLABON_EACH_LANE(a[i] / b[i]);
      case Code::kSqrt:
        ESLABON_EACH_LANE(std::sqrt(a[i]));
      case Code::kSinCos: {
        double* __restrict const cosine = tables[step.out2];
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) {
          const LaneSinCos both = lane_sincos_of_motion(a[i]);
          out[i] = both.sine;
          cosine[i] = both.cosine;
        }
        break;
      }
      case Code::kAbs:
        ESLABON_EACH_LANE(std::abs(a[i]));
      case Code::kRound:
        ESLABON_EACH_LANE(std::nearbyint(a[i]));
      case Code::kAtan2:
        ESLABON_EACH_LANE(std::atan2(a[i], b[i]));
      case Code::kSelectLess:
        ESLABON_EACH_LANE(a[i] < b[i] ? c[i] : d[i]);
      case Code::kCall:
        ESLABON_EACH_LANE(step.function(a[i]));
      case Code::kScale:
        ESLABON_EACH_LANE(k * a[i]);
      case Code::kShift:
        ESLABON_EACH_LANE(k + a[i]);
      case Code::kFrom:
        ESLABON_EACH_LANE(k - a[i]);
      case Code::kRatio:
        ESLABON_EACH_LANE(k / a[i]);
      case Code::kMultiplyAdd:
        ESLABON_EACH_LANE(a[i] * b[i] + c[i]);
      case Code::kMultiplyFrom:
        ESLABON_EACH_LANE(c[i] - a[i] * b[i]);
      case Code::kMultiplyMinus:
        ESLABON_EACH_LANE(a[i] * b[i] - c[i]);
      case Code::kScaleAdd:
        ESLABON_EACH_LANE(k * a[i] + b[i]);
      case Code::kScaleMinus:
        ESLABON_EACH_LANE(k * a[i] - b[i]);
      case Code::kSumOfProducts:
        ESLABON_EACH_LANE(a[i] * b[i] + c[i] * d[i]);
      case Code::kDifferenceOfProducts:
        ESLABON_EACH_LANE(a[i] * b[i] - c[i] * d[i]);
    }
  }
#undef ESLABON_EACH_LANE
}

template void LaneProgram::execute<0>(double* const*, std::size_t) const;
template void LaneProgram::execute<LaneProgram::kLanes>(double* const*, std::size_t) const;

}  // namespace eslabon::core
