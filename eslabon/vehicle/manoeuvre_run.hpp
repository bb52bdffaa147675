#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/runs/motion/simulation_run.hpp"
#include "eslabon/vehicle/manoeuvre_figures.hpp"
#include "eslabon/vehicle/manoeuvre_plan.hpp"
#include "eslabon/vehicle/manoeuvre_request.hpp"

namespace eslabon::vehicle {

/// What a manoeuvre did.
struct ManoeuvreSummary {
  std::string manoeuvre;     ///< "step-steer"
  std::string title;         ///< "step steer, ISO 7401"
  std::string direction;     ///< "left", "right"; empty where there is neither
  double speed = 0.0;        ///< [m/s]
  double friction = 0.0;     ///< of the road
  double road_height = 0.0;  ///< z [m]
  ManoeuvreFigures figures;
  std::vector<Cone> cones;         ///< in the world
  std::vector<std::string> notes;  ///< sentences
  runs::SimulationSummary simulation;
};

/// A vehicle that drives a manoeuvre, from row to row as runs::SimulationRun does. Manoeuvres with a lateral acceleration and without an angle of the
/// steering wheel look for it first, in a run of their own with steering that grows slowly.
class ManoeuvreRun {
 public:
  /// `observer` must outlive it. Throws runs::RequestError, and core::ModelError for what is no vehicle or cannot be simulated.
  ManoeuvreRun(const model::Mechanism& mechanism, const ManoeuvreRequest& request,
               runs::RunObserver& observer = runs::nobody());

  const model::Mechanism& mechanism() const { return simulation_->mechanism(); }
  const structure::Structure& structure() const { return simulation_->structure(); }
  const dynamics::DynamicModel& model() const { return simulation_->model(); }
  const std::vector<core::Column>& columns() const { return simulation_->columns(); }
  std::int64_t num_rows() const { return simulation_->num_rows(); }
  const VehicleLayout& layout() const { return layout_; }
  const ManoeuvrePlan& plan() const { return plan_; }

  /// Gives the rows to the sink, once; false when the motion ends before its time.
  bool run(runs::RowSink& sink);
  /// What it did so far.
  ManoeuvreSummary summary() const;
  /// The rows so far.
  const runs::Result& rows() const { return rows_; }

 private:
  ManoeuvreRequest request_;
  VehicleLayout layout_;
  std::vector<std::string> notes_;
  ManoeuvrePlan plan_;
  std::unique_ptr<runs::SimulationRun> simulation_;
  runs::Result rows_;
};

/// The table of a manoeuvre, and what it told.
struct ManoeuvreResult : runs::Result {
  ManoeuvreSummary summary;
};
ManoeuvreResult drive(const model::Mechanism& mechanism, const ManoeuvreRequest& request,
                      runs::RunObserver& observer = runs::nobody());

}  // namespace eslabon::vehicle
