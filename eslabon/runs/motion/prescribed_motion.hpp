#pragma once

#include <functional>
#include <string>
#include <vector>

#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/motion.hpp"
#include "eslabon/runs/motion/event_watch.hpp"
#include "eslabon/runs/motion/motion_request.hpp"
#include "eslabon/runs/motion/row_summary.hpp"
#include "eslabon/runs/row_sink.hpp"
#include "eslabon/runs/run_observer.hpp"

namespace eslabon::runs {

/// A singular position on the way of a motion.
struct SingularPosition {
  double t = 0.0;           ///< [s]
  bool was_passed = false;  ///< otherwise the motion ends there
  std::string text;         ///< "t = 1.25 s: driver 'motor' cannot go beyond …"
};

/// What a prescribed motion did.
struct MotionSummary {
  RowSummary rows;
  std::string mechanism;    ///< its name
  std::string method;       ///< "groups"
  std::string description;  ///< "natural: 12 coordinates, 12 constraint rows"
  std::string reason;       ///< why the method was picked; empty when the request names it
  std::string compiled =
      {};  ///< what was made of machine code, told by who made the compiler; empty: nobody asked
  bool has_coordinates = false, iterates = false;
  kinematics::MotionStatistics statistics = {};
  double worst_residual =
      0.0;  ///< largest constraint error: of every position, or of the rows where the method looks at none itself [m]
  std::string branch;  ///< the name of that of the start; empty: it has none
  std::vector<SingularPosition> singular_positions;
  std::vector<PassedEvent> events = {};  ///< of the mechanism
  std::vector<std::string> held;         ///< bodies with an idle spin, which is kept at its start value
};

/// A mechanism on its way, assembled and driven.
class PrescribedMotion {
 public:
  /// Throws core::ModelError for what cannot be assembled or driven.
  PrescribedMotion(const MotionRequest& request, const model::Mechanism& mechanism, const TimeGrid& grid,
                   RunObserver& observer);

  const structure::Structure& structure() const { return structure_; }
  const kinematics::AssemblyReport& assembly() const { return assembly_; }
  const kinematics::DrivenMechanism& driven() const { return driven_; }
  const kinematics::Motion& motion() const { return motion_; }

  double t() const { return motion_.state().t; }
  void evaluate_bodies(coordinates::MechanismMotion& out) { motion_.evaluate_bodies(out); }
  /// Motion::observe.
  void observe(std::function<void()> on_step) { motion_.observe(std::move(on_step)); }
  double constraint_error() { return motion_.constraint_error(); }
  /// Motion::place and return_to.
  kinematics::Motion::Place place() const { return motion_.place(); }
  void return_to(const kinematics::Motion::Place& place) { motion_.return_to(place); }
  /// Where to go next on the way to t: `h` seconds farther at most, and not more than the step where rows have a time of their own.
  double next_instant(double t, double h) const;
  /// As Motion::advance_to. When a driver has no value there, or the numbers cannot be solved, `sink` keeps its rows before
  /// core::ModelError is thrown.
  [[nodiscard]] bool advance_to(double t, RowSink& sink);

  MotionSummary summary(RowSummary rows) const;

 private:
  double largest_step_;  ///< [s]; infinite where rows have no time of their own
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  kinematics::DrivenMechanism driven_;
  kinematics::MethodChoice choice_;
  kinematics::Motion motion_;
};

}  // namespace eslabon::runs
