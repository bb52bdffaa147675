#pragma once

#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/row_laws.hpp"
#include "eslabon/runs/motion/prescribed_motion.hpp"
#include "eslabon/runs/result.hpp"
#include "eslabon/runs/start/chosen_outputs.hpp"

namespace eslabon::runs {

/// A mechanism that its drivers move, from row to row.
class MotionRun {
 public:
  /// `observer` must outlive it. Throws RequestError, and core::ModelError for what cannot be assembled or driven.
  MotionRun(const model::Mechanism& mechanism, const MotionRequest& request,
            RunObserver& observer = nobody());
  MotionRun(const MotionRun&) = delete;
  MotionRun& operator=(const MotionRun&) = delete;

  /// With the outputs that it tells.
  const model::Mechanism& mechanism() const { return chosen_.mechanism; }
  const structure::Structure& structure() const { return motion_.structure(); }
  const kinematics::DrivenMechanism& driven() const { return motion_.driven(); }
  const std::vector<core::Column>& columns() const { return rows_.columns; }

  /// Gives the rows to the sink, once; false when the motion ends before its time. Throws core::ModelError when a driver has no value on
  /// the way, or numbers cannot be solved.
  bool run(RowSink& sink);
  /// What it did so far.
  MotionSummary summary() const;

 private:
  bool run_so_far(RowSink& sink);
  /// Takes a step on the way to t from the row before; false when it cannot be, must not, or is the last before an event ends the run.
  bool step_towards(double t, double before, RowSink& sink);
  /// What happened in a step from `before` on. False when an event has no value.
  bool see_events(const kinematics::Motion::Place& before, RowSink& sink);
  bool add_row(double t, bool is_last, RowSink& sink);

  RunObserver& observer_;
  ChosenOutputs chosen_;
  TimeGrid grid_;
  PrescribedMotion motion_;
  integration::Recorder recorder_;
  integration::RowLaws laws_;
  RowSummary rows_;
  coordinates::MechanismMotion bodies_;
  EventWatch watch_;
  std::vector<PassedEvent> events_;
  double next_ = 0.0;                ///< where a step goes [s]
  bool is_looking_ = false;          ///< for the instant of an event: rows do not count what turns then
  std::vector<PassedEvent> passed_;  ///< scratch
};

/// The table of a run, and what it did.
struct MotionResult : Result {
  MotionSummary summary;
};

/// Positions, velocities and accelerations over time. Why a motion ended before its time is in the summary. Throws as MotionRun does.
MotionResult move(const model::Mechanism& mechanism, const MotionRequest& request,
                  RunObserver& observer = nobody());

}  // namespace eslabon::runs
