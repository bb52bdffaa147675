#pragma once

#include <memory>
#include <string>

#include "eslabon/dynamics/reduced/reduced_code.hpp"

/// What a step of a filter costs: the testbed's dekf with all five sensors, steps of 1 ms, a reading of each in every tenth.
namespace eslabon::benchmarks {

inline constexpr int kFilterSteps = 10'000;    ///< of a run
inline constexpr int kFilterRepetitions = 10;  ///< runs, all the same

/// Quantiles of times [s].
struct StepQuantiles {
  double p50 = 0.0, p99 = 0.0, p99_9 = 0.0, largest = 0.0;
};

struct FilterStepCost {
  std::string program;  ///< "interpreted"
  StepQuantiles all;    ///< of all steps of all runs, in wall-clock time
  StepQuantiles
      undisturbed;  ///< of the shortest that each step of the run took in its repetitions: what others on the machine do is left out
};

/// `compiler`: of the motion; none: it is interpreted.
FilterStepCost measure_filter_steps(const std::shared_ptr<dynamics::ReducedCompiler>& compiler);

/// What the machine makes of as many steps that multiply and add numbers in registers for as long as those took undisturbed (p50, every tenth
/// p99), and do nothing else: no filter of that length has smaller quantiles there.
FilterStepCost measure_arithmetic_steps(const StepQuantiles& undisturbed);

}  // namespace eslabon::benchmarks
