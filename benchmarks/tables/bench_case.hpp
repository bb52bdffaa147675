#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"

/// What the table of dynamics, its rivals and its counts of instructions evaluate: the same mechanisms in the same states.
namespace eslabon::benchmarks {

/// The scalable four-bar of [Seed001, §3.2.1] with so many dyads, as a MODEL.
std::string fourbar_model(int dyads);
/// A chain of so many revolutes in space with alternating, skew axes, as a MODEL of bench_mechanism.
std::string chain_model(int revolutes);
/// The vehicles of vehicle_like.hpp.
std::string van_model(int sets);
std::string truck_model();
/// The robots of robots.hpp.
std::string delta_model();
std::string stewart_model();
std::string track_model(int four_bars);

/// The mechanism of a file, of a family, of chain_model, of a vehicle or of a robot, without its drivers.
model::Mechanism bench_mechanism(const std::string& model);

/// The mechanism put together; throws core::ModelError where that cannot be.
kinematics::AssemblyReport assembled_or_throw(const model::Mechanism& mechanism,
                                              const structure::Structure& structure);

/// A mechanism of bench_mechanism with states that have no convenient zeros: every freedom moves; chains are bent.
struct BenchCase {
  explicit BenchCase(const std::string& name) : BenchCase(bench_mechanism(name)) {}
  explicit BenchCase(const model::Mechanism& mechanism_);
  BenchCase(const BenchCase&) = delete;
  BenchCase& operator=(const BenchCase&) = delete;

  bool has_loops() const { return !structure.tree.loops.empty(); }

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
  coordinates::MechanismMotion moving;   ///< (bodies)
  coordinates::MechanismMotion resting;  ///< (bodies) the same positions at rest
};

/// The motion with the accelerations that we find, by the formulation that the program would choose.
coordinates::MechanismMotion accelerated(const BenchCase& at, const coordinates::MechanismMotion& bodies);

/// One evaluation of the moving state by a formulation, to be measured: from q and v to the accelerations that are integrated, of
/// positions too, because the state is at another instant each time.
class BenchEvaluation {
 public:
  /// `at` must outlive it. `kind`: of coordinates, or empty. Throws core::ModelError where the formulation refuses the mechanism.
  BenchEvaluation(const BenchCase& at, const std::string& formulation, const std::string& kind);

  void evaluate();

 private:
  std::unique_ptr<dynamics::Formulation> formulation_;
  dynamics::State state_;
  std::vector<double> a_;  ///< empty where z̈ is found without it
  std::vector<double> z_ddot_;
};

}  // namespace eslabon::benchmarks
