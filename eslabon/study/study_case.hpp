#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/runs/estimation/filter_case.hpp"
#include "eslabon/runs/start/start_sampler.hpp"
#include "eslabon/study/study_journal.hpp"

namespace eslabon::study {

/// An output that tells whether a try has converged, understood.
struct Criterion {
  std::string name, unit;
  model::Variable variable;  ///< of the truth
  double within = 0.0;       ///< in its unit
  bool is_angle = false;     ///< whole turns do not count
};

/// What all tries of a point share: the model of the filter, the true mechanism and where it starts. Tries can run in many threads.
class StudyCase {
 public:
  /// `plan` must outlive it. `compiler`: for the code of filters; none: they are interpreted. The truth always is, so that readings are the
  /// same. Throws core::ModelError, with the place in the study file where one of its words is wrong.
  StudyCase(const StudyPlan& plan, std::size_t point, runs::RunObserver& observer,
            const std::shared_ptr<codegen::NativeCompiler>& compiler = nullptr);

  const runs::EstimateRequest& request() const { return request_; }
  const std::vector<Criterion>& criteria() const { return criteria_; }
  std::vector<core::Column> outputs() const;  ///< of these

  /// One try: draws the start, simulates the truth, reads the sensors, leads the filter through the readings and compares. The same try
  /// gives the same result, but for TryResult::wall, whatever else runs. What cannot be done is a failed result. Nothing when `stop`
  /// becomes true on the way. `rows`: where every step of the estimate is written, with the truth beside it.
  std::optional<TryResult> run(std::size_t attempt, const std::atomic<bool>& stop,
                               const std::optional<std::string>& rows = std::nullopt) const;

  /// A filter as tries have it, for notes about it.
  std::unique_ptr<runs::FilterCase> make_filter(std::uint64_t seed) const;

 private:
  void load_filter();
  void load_truth(runs::RunObserver& observer);
  void make_request();
  void change_sensors(model::Mechanism& mechanism) const;
  void find_criteria();
  /// Readings, and the criteria's outputs at every step of the filter.
  struct Experiment {
    std::vector<sensing::Reading> readings;
    std::vector<std::vector<double>> outputs;  ///< (criteria) (1 + steps)
  };
  Experiment make_experiment(const TrySeeds& seeds) const;
  void estimate(const Experiment& experiment, const TrySeeds& seeds, const std::atomic<bool>& stop,
                const std::optional<std::string>& rows, TryResult& result) const;
  double error(const Criterion& criterion, double estimate, double truth) const;
  std::int64_t num_steps() const;

  const StudyPlan& plan_;
  std::size_t point_;
  std::vector<StudySetting> settings_;
  runs::EstimateRequest request_;
  std::optional<model::Mechanism> filter_loaded_;  ///< with its drivers
  std::optional<model::Mechanism> truth_loaded_, truth_;
  std::optional<structure::Structure> structure_;  ///< of truth_
  kinematics::AssemblyReport assembly_;            ///< the same
  std::unique_ptr<runs::StartSampler> sampler_;    ///< of an unknown start
  std::vector<Criterion> criteria_;
};

}  // namespace eslabon::study
