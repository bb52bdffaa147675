#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/dynamics/formulations/step_timer.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/row_laws.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/runs/motion/energy_verdict.hpp"
#include "eslabon/runs/motion/row_summary.hpp"
#include "eslabon/runs/motion/simulation_request.hpp"
#include "eslabon/runs/motion/verification.hpp"
#include "eslabon/runs/result.hpp"
#include "eslabon/runs/start/chosen_outputs.hpp"

namespace eslabon::runs {

/// What a simulation did.
struct SimulationSummary {
  RowSummary rows;
  std::string mechanism;      ///< its name
  std::string formulation;    ///< "null-space"
  std::string description;    ///< of the formulation
  std::string reason;         ///< why it was picked; empty when the request names it
  std::string compiled = {};  ///< what was made of machine code; empty: nobody asked
  std::string integrator;
  bool is_adaptive = false;
  integration::IntegratorOptions stepping = {};
  integration::RunStatistics statistics = {};
  bool is_conservative = false;          ///< nothing in the mechanism gives or takes energy
  integration::EnergyRange energy = {};  ///< of the rows
  EnergyVerdict energy_verdict = {};
  std::string energy_flows;                ///< energy_flows_text
  std::vector<integration::LogEntry> log;  ///< what happened
  std::vector<std::string> states;    ///< outputs that tell the motion, added to those that were asked for
  bool has_all_states = true;         ///< false: they do not tell all degrees of freedom
  std::vector<std::string> released;  ///< drivers
  std::optional<std::string> verified = {};  ///< how, and what differs most
  std::vector<double> errors = {};  ///< (columns) by what the second run differs; empty: there was none
  std::optional<dynamics::StepTimer> step_times = {};  ///< where they were asked for
  /// Sentences about forces: friction that depends on a load which joints share; reactions that are not unique or grow without bound.
  std::vector<std::string> load_notes = {}, force_notes = {};
};

/// A mechanism that moves by its masses, forces and drivers, from row to row.
class SimulationRun {
 public:
  /// `observer` must outlive it. Throws RequestError, and core::ModelError for what cannot be assembled or simulated.
  SimulationRun(const model::Mechanism& mechanism, const SimulationRequest& request,
                RunObserver& observer = nobody());
  ~SimulationRun();
  SimulationRun(const SimulationRun&) = delete;
  SimulationRun& operator=(const SimulationRun&) = delete;

  /// With the outputs that it tells, without the drivers that are released.
  const model::Mechanism& mechanism() const { return started_.mechanism; }
  const structure::Structure& structure() const { return structure_; }
  const dynamics::DynamicModel& model() const { return model_; }
  const std::vector<core::Column>& columns() const { return rows_.columns; }
  std::int64_t num_rows() const { return grid_.rows(); }

  /// Gives the rows to the sink, once, and makes the second run where one is asked for; false when the motion ends before its time.
  bool run(RowSink& sink);
  /// What it did so far.
  SimulationSummary summary() const;

 private:
  class Forces;  ///< of a row
  /// What is simulated, and from where.
  struct Started {
    std::vector<std::string> released;
    bool has_default_outputs = false;
    kinematics::AssemblyReport assembly = {};
    model::Mechanism mechanism;
    std::vector<std::string> states = {};
    bool has_all_states = true;
  };
  static Started started(const model::Mechanism& loaded, const SimulationRequest& request,
                         RunObserver& observer);
  static std::unique_ptr<dynamics::Formulation> made_formulation(const SimulationRequest& request,
                                                                 const std::string& name,
                                                                 const dynamics::DynamicModel& model);
  static dynamics::FormulationChoice chosen_formulation(const SimulationRequest& request,
                                                        const dynamics::DynamicModel& model);
  bool run_so_far(RowSink& sink);
  bool add_row(double t, bool is_last, RowSink& sink);
  /// The row where an event ended the run; `before`: time of the last row.
  bool add_row_of_end(double before, RowSink& sink);
  void judge();
  void verify();

  RunObserver& observer_;
  SimulationRequest request_;
  TimeGrid grid_;
  Started started_;
  integration::IntegratorOptions stepping_;
  structure::Structure structure_;
  dynamics::DynamicModel model_;
  dynamics::FormulationChoice choice_;
  std::unique_ptr<dynamics::Formulation> formulation_;
  integration::Simulation simulation_;
  integration::Recorder recorder_;
  integration::RowLaws laws_;
  std::vector<coordinates::CoordinateValue> drivers_;  ///< (drivers)
  dynamics::ForceOutputs forces_;
  integration::EnergyAudit audit_;
  std::unique_ptr<Forces> row_forces_;
  coordinates::MechanismMotion bodies_;
  RowSummary rows_;
  EnergyVerdict energy_;
  std::optional<Verification> verification_;
  std::optional<std::string> verified_;
};

/// The table of a run, and what it did.
struct SimulationResult : Result {
  SimulationSummary summary;
};

/// The motion over time. Why a run is not what was asked for is in the summary. Throws as SimulationRun does.
SimulationResult simulate(const model::Mechanism& mechanism, const SimulationRequest& request,
                          RunObserver& observer = nobody());

}  // namespace eslabon::runs
