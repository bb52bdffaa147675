#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/integration/integrators/integrator.hpp"
#include "eslabon/integration/stick_log.hpp"
#include "eslabon/integration/stop_impacts.hpp"

namespace eslabon::integration {

/// Something to look out for: the instants at which g(t, bodies) passes zero. `bodies`: poses, velocities and accelerations.
struct EventFunction {
  enum class Direction { kBoth, kRising, kFalling };
  std::string name;
  std::function<double(double t, const coordinates::MechanismMotion& bodies)> g;
  Direction direction = Direction::kBoth;
  bool ends_run = false;  ///< the run is over at the first of them
  std::optional<std::size_t> of_mechanism =
      {};  ///< position in Mechanism::events(): what it looks at, instead of g
};

/// What happened on the way.
struct LogEntry {
  enum class Kind {
    kChoice,    ///< the formulation took other coordinates
    kEvent,     ///< a function of the user passed zero
    kStop,      ///< something hit a rigid stop, came to rest on it or left it
    kFriction,  ///< a joint with dry friction began to hold or to slide
  };
  Kind kind = Kind::kEvent;
  double t = 0.0;  ///< [s]
  std::string text;
};

/// Follows the steps of a run.
class StepWatch {
 public:
  virtual ~StepWatch() = default;
  /// A step is over: nobody will look into it any more.
  virtual void leave_step(const MotionPoint& from, const MotionPoint& to, const PointAt& at) = 0;
  /// Velocities change at once.
  virtual void strike(const MotionPoint& before, const MotionPoint& after) = 0;
};

/// A run: a formulation that is advanced by an integrator from instant to instant.
///
/// Steps are where the integrator wants them, whatever instants are asked for: between them the state is interpolated and then
/// satisfies the constraints as every other. The first thing that cannot be done ends the run and is reported by failure();
/// what was reached stays.
class Simulation {
 public:
  /// `formulation` is of this model. No step goes beyond `until` [s]. Starts at `start`, or else where the formulation starts.
  /// Throws core::ModelError when accelerations cannot be computed there.
  Simulation(const dynamics::DynamicModel& model, std::shared_ptr<dynamics::Formulation> formulation,
             std::unique_ptr<Integrator> integrator, double until,
             const std::optional<dynamics::State>& start = std::nullopt);
  /// The same with a formulation that the caller keeps, for runs one after the other.
  Simulation(const dynamics::DynamicModel& model, dynamics::Formulation& formulation,
             std::unique_ptr<Integrator> integrator, double until,
             const std::optional<dynamics::State>& start = std::nullopt);

  void add_event(EventFunction event);
  /// Those of the mechanism.
  void add_events_of_mechanism();
  /// From now on. The caller keeps it, up to the last step.
  void watch(StepWatch& watch) { watch_ = &watch; }
  /// Tells the watch that the run is over, at the present state: an event may have ended it within the last step.
  void leave_step();

  /// Goes on to time t [s], up to `until`. False when the run is over before: the state is then the last that was reached.
  /// Throws core::ContractError for a time before the present one or beyond `until`.
  [[nodiscard]] bool advance_to(double t);

  /// The same, but stops where a body may have turned by a radian since: for those who count turns.
  [[nodiscard]] bool advance_by_small_turns(double t);

  /// The present state, accelerations included.
  const MotionPoint& point() const { return output_; }
  double t() const { return output_.state.t; }
  double until() const { return until_; }
  /// Motion of all bodies at the present state.
  void evaluate_bodies(coordinates::MechanismMotion& out);
  /// Of the present state [m].
  double constraint_error() const { return output_.constraint_error; }

  const Integrator& integrator() const { return *integrator_; }
  const RunStatistics& statistics() const { return equations_.statistics(); }
  const std::vector<LogEntry>& log() const { return log_; }
  /// CoupledForces::uncertain_loads.
  const std::vector<model::JointIndex>& uncertain_loads() const {
    return equations_.coupled().uncertain_loads();
  }
  /// Why the run ended before its time, when it did because of trouble.
  const std::optional<Trouble>& failure() const { return failure_; }
  /// The entry of the log that ended the run, when an event did.
  const std::optional<LogEntry>& end() const { return end_; }

 private:
  static constexpr std::size_t kMostEntries = 100'000;  ///< of the log
  static constexpr int kMostHalvings = 100;
  static constexpr double kPartOfStep =
      1e-3;  ///< over which functions of the user, and choices, are differentiated

  /// A step that ends where something happens at a rigid stop, if something does, with the state before it.
  bool step_to_stop();
  /// Ends the last step where the first choice in a formula of a force changes, if one does. Choices stay as they are in a step, so that
  /// forces are smooth in it; they change between steps.
  bool step_to_switch();
  /// A choice in a formula, and when what it looks at passes zero [s].
  struct Switch {
    std::size_t k;
    double t;
  };
  /// The first in the last step; nothing when none does. At a first look a change that is within the step is located roughly.
  std::optional<Switch> find_switch(bool is_first_look);
  /// By how much the choice is past zero, on its own side above 0.
  double side_of(std::size_t k, const MotionPoint& point);
  /// How far from the end of the last step a choice passes zero, on the tangent of what it looks at [s]; nothing when it does not move.
  std::optional<double> missing_to(std::size_t k);
  /// Times nearer to each other than this are one, at the last step [s].
  double same_time() const;
  /// The choice, and all that look at the same, are the other way from the point on. False, and the run fails, when that leads nowhere: forces push
  /// back from both sides.
  bool change_choice(std::size_t k, MotionPoint& point);
  /// What the last step came to.
  bool change_choice();
  /// What happens first at stops within the last step is what is ahead then; where the step has come to what was ahead (`is_there`),
  /// only what is earlier. False when a state between cannot be had.
  bool find_stop(bool is_there, bool& is_earlier);
  std::optional<double> locate_stop(const StopImpacts::Find& find);
  /// The last step ends where something happens. Always true.
  bool arrive();
  /// What happens at rigid stops where the last step ended. Between steps, so that the last can still be interpolated.
  bool strike();
  /// Which joints with dry friction begin to hold or to slide in the last step.
  bool find_sliding();
  /// Throws core::ModelError when the integrator cannot do what forces and auxiliary states need.
  void check_positions_can_be_solved();

  bool take_step();
  /// Tells the watch what the last step came to, up to `end`.
  void leave_step(const MotionPoint& end);
  /// The point at t within the last step.
  bool evaluate_at(double t, MotionPoint& out);
  /// The same without accelerations, where these do not matter.
  bool place_at(double t, MotionPoint& out);
  double value_of(const EventFunction& event, const MotionPoint& point);
  bool find_events();
  /// The run ends where an event has no value. Always false.
  bool fail_without_value(const EventFunction& event, double t);
  /// The function within the last step; nothing when a state there cannot be had.
  std::optional<Knot> knot_at(const EventFunction& event, double t);
  /// All of them, in the order of watches_. False when a state there cannot be had.
  bool evaluate_knots(double t, std::vector<Knot>& out);
  /// Whether the last step begins as the one before ended, so that knots there are the same.
  bool goes_on_smoothly() const;
  void log_passage(const EventFunction& event, bool rises, double t);
  /// Functions that changed their sign at once, from `before` to what is now.
  void log_jumps(const MotionPoint& before);
  /// Every passage of zero between knots of the last step. False when a state there cannot be had.
  bool log_passages(const EventFunction& event, std::vector<Knot> knots, double resolved);
  /// A value at a point; nothing when it cannot be had.
  using ValueAt = std::function<std::optional<double>(const MotionPoint&)>;
  /// evaluate_at or place_at.
  using Reach = bool (Simulation::*)(double, MotionPoint&);
  /// Where a value passes zero between two times of the last step, with the values there, `near` enough; nothing when one between cannot be had.
  std::optional<double> locate(const ValueAt& value, double t0, double g0, double t1, double g1,
                               double near = 0.0, Reach reach = &Simulation::evaluate_at);
  /// False when joints have come open.
  bool watch_constraints(MotionPoint& point);
  /// Whether the run goes on so slowly that it would never end.
  bool is_stuck();
  bool fail();
  /// Looks for what stands behind the trouble that ends the run.
  void explain(Trouble& trouble);

  dynamics::DynamicModel model_;
  std::shared_ptr<dynamics::Formulation> kept_formulation_;
  dynamics::Formulation& formulation_;
  std::unique_ptr<Integrator> integrator_;
  double until_;
  double length_;                                    ///< of the mechanism [m]
  std::unique_ptr<MotionEquations> kept_equations_;  ///< where they stay when the run is moved
  MotionEquations& equations_;
  MotionPoint from_, to_;  ///< of the last step; the same before the first
  MotionPoint output_;
  long milestone_steps_ = 0;  ///< when is_stuck looked last
  double milestone_t_ = 0.0;  ///< [s]
  std::vector<EventFunction> watches_;
  std::vector<Knot> last_knots_;  ///< (watches) at the end of the last step that was looked at
  std::vector<double> last_rates_, last_accelerations_;  ///< v and a there
  std::vector<char> last_choices_;                       ///< and choices in formulas
  StepWatch* watch_ = nullptr;
  StickLog sticks_;
  StopImpacts stops_;
  std::optional<StopImpacts::Find> ahead_;  ///< what the steps go to
  double t_ahead_ = 0.0;                    ///< when it is [s]
  int approaches_ = 0;                      ///< steps to it since something was last hit
  bool is_to_strike_ = false;               ///< the last step ended there
  std::optional<std::size_t> released_;     ///< the side that is left there
  bool keeps_choices_ = false;              ///< there are choices in formulas
  std::optional<std::size_t> to_change_;    ///< the choice that the last step came to
  std::vector<double> changed_at_;          ///< (choices) when each changed last [s]
  std::vector<int> changes_there_;          ///< (choices) how often at that time
  std::vector<LogEntry> log_;
  std::optional<Trouble> failure_;
  std::optional<LogEntry> end_;
  // Scratch.
  std::vector<StopImpacts::Find> finds_;
  std::vector<double> switches_, switches_before_, switches_after_;
  MotionPoint switches_at_;  ///< where switches_after_ are
  MotionPoint between_;
  coordinates::MechanismMotion bodies_;
};

}  // namespace eslabon::integration
