#include "eslabon/runs/sensing/true_motion.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/sensing/recorded_truth.hpp"
#include "eslabon/runs/sensing/row_check.hpp"
#include "eslabon/runs/sensing/told_positions.hpp"

namespace eslabon::runs {

namespace {

class MotionOfTable final : public TrueMotion {
 public:
  MotionOfTable(core::ResultTable table, const model::Mechanism& loaded, const model::Mechanism& released,
                const std::optional<std::string>& branch, RunObserver& observer)
      : truth_(std::move(table), loaded, released, RecordedTruth::Use::kMotion, branch, observer) {
    if (!truth_.missing_state().empty())
      throw core::DataError({.what = "the results do not describe the whole motion",
                             .where = truth_.table().path,
                             .expected = "every auxiliary state",
                             .actual = "results without '" + truth_.missing_state() + "'",
                             .next = "Compute them with " + field("outputs") + " " + truth_.missing_state() +
                                     " beside the outputs you want; 'simulate' without " + field("outputs") +
                                     " writes it by itself."});
    check_fits(released);
  }
  const dynamics::DynamicModel& model() const override { return truth_.model(); }
  double begin() const override { return truth_.begin(); }
  double end() const override { return truth_.end(); }
  sensing::Scene<double> at(double t) override {
    const dynamics::ReducedPoint& point = truth_.at(t);
    has_been_between_ = has_been_between_ || !is_row(t);
    return {point.t, point.bodies, point.memory};
  }
  std::vector<std::string> check_rows(const std::vector<ChosenSensor>& sensors) override {
    if (!has_been_between_) return {};
    return runs::check_rows(truth_, sensors);
  }

 private:
  bool is_row(double t) const {
    constexpr double kSameInstant = 1e-9;  // [s]
    const std::vector<double>& rows = truth_.table().t;
    const auto after = std::ranges::lower_bound(rows, t - kSameInstant);
    return after != rows.end() && *after <= t + kSameInstant;
  }
  /// Throws unless all positions of the table are those of the mechanism.
  void check_fits(const model::Mechanism& released) {
    const ToldPositions told(truth_.table(), released);
    for (const std::size_t row : rows_to_look_at(truth_.table())) {
      const std::string misfit = told.misfit(row, truth_.at(truth_.table().t[row]).bodies, truth_.length());
      if (misfit.empty()) continue;
      throw core::DataError({.what = "the results do not fit the mechanism",
                             .where = truth_.table().path,
                             .expected = "positions of this mechanism, on this branch",
                             .actual = misfit,
                             .next = "Give the " + field("set") + " and the " + field("branch") +
                                     " with which they were computed."});
    }
  }

  RecordedTruth truth_;
  bool has_been_between_ = false;  ///< rows
};

class SimulatedMotion final : public TrueMotion {
 public:
  SimulatedMotion(const model::Mechanism& mechanism, const structure::Structure& structure,
                  const kinematics::AssemblyReport& start, double until)
      : model_(mechanism, structure, start),
        formulation_(dynamics::make_formulation(dynamics::choose_formulation(model_).formulation, model_)),
        simulation_(model_, *formulation_,
                    integration::make_integrator("dopri5", integration::default_options(mechanism, until)),
                    until),
        bodies_(mechanism.bodies().size()) {}
  const dynamics::DynamicModel& model() const override { return model_; }
  double begin() const override { return 0.0; }
  double end() const override { return simulation_.until(); }
  sensing::Scene<double> at(double t) override {
    if (!simulation_.advance_to(t)) throw core::ModelError(simulation_.failure()->error_text(true));
    simulation_.evaluate_bodies(bodies_);
    return {t, bodies_, simulation_.point().state.memory};
  }

 private:
  dynamics::DynamicModel model_;
  std::unique_ptr<dynamics::Formulation> formulation_;
  integration::Simulation simulation_;
  coordinates::MechanismMotion bodies_;
};

}  // namespace

std::unique_ptr<TrueMotion> recorded_motion(core::ResultTable table, const model::Mechanism& with_drivers,
                                            const model::Mechanism& released,
                                            const std::optional<std::string>& branch, RunObserver& observer) {
  return std::make_unique<MotionOfTable>(std::move(table), with_drivers, released, branch, observer);
}

std::unique_ptr<TrueMotion> simulate_motion(const model::Mechanism& mechanism,
                                            const structure::Structure& structure,
                                            const kinematics::AssemblyReport& start, double until) {
  return std::make_unique<SimulatedMotion>(mechanism, structure, start, until);
}

}  // namespace eslabon::runs
