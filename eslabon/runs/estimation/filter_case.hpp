#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/latency_histogram.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/runs/estimation/estimate_request.hpp"
#include "eslabon/runs/estimation/tyre_knowledge.hpp"
#include "eslabon/runs/estimation/unobserved_spans.hpp"
#include "eslabon/runs/run_observer.hpp"
#include "eslabon/runs/sensing/sensor_choice.hpp"

namespace eslabon::runs {

/// Everything from a request and a mechanism to a filter that has started.
class FilterCase {
 public:
  /// `until`: how long drivers will be asked for [s]. Throws RequestError and core::ModelError.
  FilterCase(const EstimateRequest& request, double until, model::Mechanism mechanism, RunObserver& observer);

  const model::Mechanism& mechanism() const { return mechanism_; }
  const model::Mechanism& loaded() const { return loaded_; }  ///< with its drivers
  const structure::Structure& structure() const { return structure_; }
  /// Where bodies are at the start of the model, on the branch that was asked for.
  const coordinates::MechanismMotion& start_bodies() const { return assembly_.bodies; }
  const std::optional<std::string>& branch() const { return branch_; }  ///< that was asked for
  const std::vector<std::string>& released() const { return released_; }
  const std::vector<std::string>& left_out() const { return left_out_; }     ///< outputs of the mechanism
  const std::vector<sensing::SensorFacts>& facts() const { return facts_; }  ///< of the sensors in use
  /// Of all sensors of the mechanism: there may be readings of more than are used.
  const std::vector<sensing::SensorFacts>& all_facts() const { return all_facts_; }
  /// Gives a reading the number of its sensor among those in use; false when it is not. Throws core::DataError for a sensor that the
  /// mechanism does not have.
  bool translate(sensing::Reading& reading) const;
  estimation::MechanismSystem& system() { return *system_; }
  estimation::Estimator& estimator() { return *estimator_; }
  sensing::FrontEnd& front_end() { return *front_end_; }
  estimation::EstimationRun& run() { return *run_; }
  const core::Duration& window() const { return window_; }
  /// The time of the first reading; when it is far from 0, the filter's own time begins at the step before it. Before the first step.
  void begin_near(core::Instant first);
  core::Instant begin() const { return begin_; }

  /// One step, timed.
  void step();
  /// One step through a list of readings, of which the first `next` were given to the front end: it is fed until it has settled all that
  /// the step needs, by the times that it believes.
  void step_through(std::span<const sensing::Reading> readings, std::size_t& next);
  const estimation::LatencyHistogram& step_times() const { return step_times_; }
  /// Of a filter of many hypotheses, since the first step: Estimator::num_resamplings and num_recoveries, which restarts set back.
  long num_resamplings() const { return resamplings_; }
  long num_recoveries() const { return recoveries_; }

  /// Columns of the estimate beside the time: NAME, NAME.sigma of outputs, unknowns and biases; observed; constraint_error.
  const std::vector<core::Column>& columns() const { return columns_; }
  /// The present estimate: (columns). Angles and Euler parameters do not jump.
  void fill_row(std::span<double> row);
  std::int64_t num_rows() const { return num_rows_; }
  /// Where bodies are by the present estimate, after fill_row: those of the mean; of filters whose mean is no state, those of a
  /// hypothesis near it (Estimator::find_poses). Until the next call.
  const coordinates::MechanismMotion& find_bodies();
  const UnobservedSpans& unobserved() const { return unobserved_; }  ///< of the rows
  const TyreKnowledge& tyres() const { return *tyres_; }             ///< in the rows
  const std::vector<model::Variable>& outputs() const { return outputs_; }

 private:
  /// The mechanism with the outputs of the request, without the drivers that it releases.
  model::Mechanism released_mechanism(const EstimateRequest& request);
  void make_columns();
  bool knows_freedoms();
  /// values_ and sigmas_ of the present estimate; false when they cannot be trusted.
  bool read_outputs();
  void read_own_outputs();
  void prepare_drivers(double until, bool is_asked_for);
  /// What the filter reads; the longest latency of a sensor [s].
  std::vector<estimation::FilterSensor> choose(const EstimateRequest& request, double& latency);
  void make_filter(const EstimateRequest& request);
  [[nodiscard]] bool start(const EstimateRequest& request);

  model::Mechanism loaded_;  ///< with its drivers
  std::vector<std::string> released_, left_out_;
  model::Mechanism mechanism_;
  structure::Structure structure_;
  std::optional<std::string> branch_;
  kinematics::AssemblyReport assembly_;
  dynamics::DynamicModel model_;
  std::vector<sensing::SensorFacts> facts_, all_facts_;
  std::vector<int> places_;  ///< (all_facts_) in facts_; −1: not in use
  core::Duration window_;
  estimation::RunOptions run_options_;
  core::Instant begin_;
  std::unique_ptr<estimation::MechanismSystem> system_;
  std::unique_ptr<estimation::Estimator> estimator_;
  std::unique_ptr<sensing::FrontEnd> front_end_;
  std::unique_ptr<estimation::EstimationRun> run_;
  std::unique_ptr<TyreKnowledge> tyres_;
  std::vector<model::Variable> outputs_;
  std::vector<std::shared_ptr<const sensing::Instrument>> output_instruments_;
  bool has_own_outputs_ = false;  ///< the estimator tells outputs itself
  std::vector<core::Column> columns_;
  std::vector<Eigen::Index> own_columns_;  ///< states beside the motion that are no outputs
  std::unique_ptr<kinematics::VariableRecorder> recorder_;
  std::vector<double> values_, sigmas_;  ///< (outputs) of the last row
  std::vector<double> own_before_;       ///< (outputs) the same of has_own_outputs_
  std::int64_t num_rows_ = 0;
  estimation::LatencyHistogram step_times_;
  long resamplings_ = 0, recoveries_ = 0;
  UnobservedSpans unobserved_;
  // Scratch.
  Eigen::VectorXd y_, deviation_, gradient_;
  Eigen::MatrixXd H_, HP_;
  std::vector<core::Pose<double>> X_WB_;  ///< (bodies without the ground) of find_bodies
  coordinates::MechanismMotion bodies_;   ///< the same
};

}  // namespace eslabon::runs
