#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/mass/energy_account.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/dynamics/reactions/inverse_dynamics.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/row_laws.hpp"
#include "eslabon/runs/motion/actuator_choice.hpp"
#include "eslabon/runs/motion/panel_length.hpp"
#include "eslabon/runs/motion/prescribed_motion.hpp"
#include "eslabon/runs/result.hpp"

namespace eslabon::runs {

/// Inverse dynamics: the efforts that a prescribed motion needs.
struct InverseRequest {
  MotionRequest motion = {};
  std::optional<std::vector<std::string>> actuators =
      {};  ///< drivers or position variables; none: the drivers
};

/// Throws RequestError for what is unknown or does not go together.
void check(const InverseRequest& request);

/// What one actuator did in the rows of a run.
struct ActuatorUse {
  core::Column column;      ///< of its effort
  ColumnRange effort;       ///< at the rows [N m] or [N]
  double square = 0.0;      ///< Σ effort² of the rows
  double peak_power = 0.0;  ///< largest effort · rate of the rows, with its sign [W]
  bool was_unique = true;   ///< at all rows
};

/// What a run did.
struct InverseSummary {
  MotionSummary motion;
  std::vector<ActuatorUse> actuators;
  int most_freedoms = 0;                  ///< degrees of freedom, of all rows
  double largest_holding = 0.0;           ///< effort that holds an idle spin [N m]
  double largest_balance = 0.0;           ///< power that is not accounted for [W]
  double largest_power = 0.0;             ///< that is given or taken by anything [W]
  dynamics::EnergyAccount energy = {};    ///< from the first row to the last
  integration::EnergyRange of_rows = {};  ///< T + V
  std::vector<std::string> notes =
      {};  ///< sentences: energy that is not accounted for, a single row that is not at rest
  std::vector<std::string> force_notes = {};  ///< sentences: outputs that are not unique

  double energy_change() const { return of_rows.end - of_rows.start; }
  /// The largest part of the account, or what passed through the actuators either way [J].
  double passed_energy() const;
  /// What the account leaves open [J].
  double open_energy() const { return std::abs(energy.difference(energy_change())); }
  /// By which that is measured: what passed, and at least a thousandth of what is in play, of which it is a difference [J].
  double energy_measure() const;
};

/// A mechanism that its drivers move, and the efforts that this takes, from row to row.
class InverseRun {
 public:
  /// `observer` must outlive it. Throws RequestError, and core::ModelError for what cannot be assembled, driven or actuated.
  InverseRun(const model::Mechanism& mechanism, const InverseRequest& request,
             RunObserver& observer = nobody());
  ~InverseRun();
  InverseRun(const InverseRun&) = delete;
  InverseRun& operator=(const InverseRun&) = delete;

  /// With the outputs that it tells beside the efforts.
  const model::Mechanism& mechanism() const { return told_.mechanism; }
  const structure::Structure& structure() const { return motion_.structure(); }
  const dynamics::DynamicModel& model() const { return model_; }
  /// Those of the request, `columns` of their efforts first, then what holds idle spins.
  const ActuatorChoice& actuators() const { return choice_; }
  const std::vector<core::Column>& columns() const { return totals_.rows.columns; }

  /// Gives the rows to the sink, once; false when the motion ends before its time. Throws core::ModelError when something cannot be solved
  /// on the way.
  bool run(RowSink& sink);
  /// What it did so far.
  InverseSummary summary() const;

 private:
  class Forces;  ///< of a row
  /// The outputs beside efforts, which have columns of their own.
  struct Told {
    model::Mechanism mechanism;
    std::vector<std::string> efforts = {};  ///< of drivers that were among the outputs
    bool has_default_outputs = false;
  };
  static Told told_outputs(const model::Mechanism& mechanism, const InverseRequest& request);
  /// Efforts of drivers that are no actuators: an error where the request asks for them, otherwise left out.
  void check_idle_drivers(const InverseRequest& request);
  /// Bodies where the motion is, and the angles that forces see there.
  void see_bodies();
  /// The efforts where the motion is.
  void solve();
  bool run_so_far(RowSink& sink);
  /// Goes on towards t, by a panel of quadrature in which no body turns far, and adds it to the account since the last row. `step`:
  /// from row to row.
  bool take_panel(double t, double step, RowSink& sink);
  bool advance_to(double t, RowSink& sink);
  void add_row(std::int64_t k, RowSink& sink);
  void summarise_row();
  /// Whether nothing moves where the motion is.
  bool is_at_rest() const;
  /// Does the work; what cannot be done on the way leaves the rows so far.
  template <class Work>
  void keeping_rows(RowSink& sink, Work work);

  struct Totals {
    RowSummary rows;
    std::vector<ActuatorUse> actuators;
    int most_freedoms = 0;
    double largest_holding = 0.0, largest_balance = 0.0, largest_power = 0.0;
    dynamics::EnergyAccount energy = {};
    integration::EnergyRange of_rows = {};
  };

  RunObserver& observer_;
  Told told_;
  TimeGrid grid_;
  PrescribedMotion motion_;
  ActuatorChoice choice_;
  dynamics::DynamicModel model_;
  dynamics::InverseDynamics inverse_;
  integration::Recorder recorder_;
  integration::RowLaws laws_;
  dynamics::ForceOutputs forces_;
  std::unique_ptr<Forces> row_forces_;
  coordinates::MechanismMotion bodies_;
  double t_seen_ = -1.0;  ///< of bodies_ [s]
  dynamics::ForceMemory memory_;
  int freedoms_ = 0;                        ///< at the start
  dynamics::EnergyAccount since_row_ = {};  ///< what has passed since the last row: counts with the next
  PanelLength panel_length_;
  int panels_of_row_ = 0;  ///< since the last row
  std::vector<double> row_;
  Totals totals_;
};

/// The table of a run, and what it did.
struct InverseResult : Result {
  InverseSummary summary;
};

/// Efforts and reactions over time. Why a run ended before its time is in the summary. Throws as InverseRun does.
InverseResult inverse(const model::Mechanism& mechanism, const InverseRequest& request,
                      RunObserver& observer = nobody());

}  // namespace eslabon::runs
