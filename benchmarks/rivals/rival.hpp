#pragma once

#include <memory>
#include <string>

#include "benchmarks/tables/bench_case.hpp"

/// What a program that is measured beside ours has to do. Each is an executable of its own: neither the library nor `eslabon` links it.
///
///   RIVAL MODEL          one line "SECONDS STATE REMARK", seconds of one evaluation, remark "-" for none; then of each body α
///                        and a, world axes, in STATE, which is "moving" or "resting" (benchmarks/tables/bench_case.hpp)
///   RIVAL MODEL COUNT    evaluates so often, for callgrind
///
/// An evaluation leads from positions and velocities, which are given, to accelerations; nothing of the one before may be kept.
namespace eslabon::rivals {

class Rival {
 public:
  virtual ~Rival() = default;
  /// Evaluates the moving state.
  virtual void evaluate() = 0;
  virtual coordinates::MechanismMotion accelerated() = 0;
  /// Whether the accelerations are of the case at rest.
  virtual bool is_resting() const { return false; }
  /// How it was set, for people.
  virtual std::string remark() const { return "-"; }
};

/// main of a rival.
int run(int argc, char** argv, std::unique_ptr<Rival> (*make)(const benchmarks::BenchCase& at));

}  // namespace eslabon::rivals
