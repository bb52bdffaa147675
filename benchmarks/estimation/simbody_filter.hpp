#pragma once

#include <memory>

/// The filter of [Seed000] on Simbody, behind plain numbers: Simbody's headers are not C++20, ours are not C++17, so this one is both.
namespace eslabon::bench {

struct SimbodyFilterOptions {
  int particles = 200;
  double step = 0.006;       ///< [s]
  double reading = 0.01;     ///< deviation of the gyroscope [rad/s]
  double factor = 10.0;      ///< by which it is larger in the weights
  double motion = 0.02;      ///< deviation that each step adds to the input angle [rad]
  double roughening = 0.02;  ///< deviation that resampling adds to its rate [rad/s]
  int seed = 1;
};

/// The double crank (2, 4, 3, 4) with an input and a floating bar of 1 kg, uniform, and a rod as output, as the seed has it; its inertias are
/// no body's, these are a bar's. Written from the description of the work, ch. 4. Each particle is a state of Simbody:
/// RungeKuttaMerson under a TimeStepper, noise on the angle, Assembler with the input locked, log weights from the gyroscope, multinomial
/// resampling when the effective sample size is below a half.
class SimbodyFilter {
 public:
  explicit SimbodyFilter(const SimbodyFilterOptions& options);
  ~SimbodyFilter();

  /// Truth and particles go on by one step, and the reading is taken.
  void step();
  double true_angle() const;        ///< [rad]
  double mean_angle() const;        ///< circular [rad]
  double physics_seconds() const;   ///< spent in stepTo so far
  double assembly_seconds() const;  ///< spent in the Assembler

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace eslabon::bench
