#include "eslabon/codegen/estimator_step.hpp"

#include <algorithm>
#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/exported_functions.hpp"
#include <gtest/gtest.h>

#include "eslabon/codegen/reduced_export.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"

namespace eslabon::codegen {
namespace {

using estimation::StepRule;
using test::function;
using test::matrix;

struct Filter {
  const char* model;
  StepRule rule;
  bool has_drivers = false;  ///< the first is released alone
};

class EstimatorSteps : public ::testing::TestWithParam<Filter> {
 protected:
  static constexpr double kTime = 0.05, kStep = 0.004;

  EstimatorSteps() : one_(mechanism_of(GetParam())) {
    unknowns_ = {{{.kind = dynamics::Unknown::Kind::kMass, .index = 1}, {"mass", "1"}},
                 {{.kind = dynamics::Unknown::Kind::kFreedomForce, .index = 0}, {"force", "N*m"}}};
    estimation::MechanismSystemOptions options{.rule = GetParam().rule};
    for (const ExportedUnknown& unknown : unknowns_)
      options.unknowns.push_back({.what = unknown.what, .name = unknown.column.name, .start = 0.9});
    std::vector<estimation::FilterSensor> sensors;
    for (const model::Sensor& sensor : one_.mechanism.sensors()) {
      std::shared_ptr<const sensing::Instrument> instrument = sensing::make_instrument(one_.model, sensor);
      sensing::SensorFacts facts = sensing::sensor_facts(sensor, *instrument);
      for (sensing::Channel& channel : facts.channels) {
        channel.noise = 1.0;
        channel.bias = 0.0;
      }
      sensors.push_back({instrument, facts});
    }
    system_ = std::make_unique<estimation::MechanismSystem>(one_.model, sensors, options);
    model_ = export_reduced(one_.model, {.unknowns = unknowns_, .rule = GetParam().rule});
  }
  static model::Mechanism mechanism_of(const Filter& filter) {
    if (!filter.has_drivers) return test::load_released(filter.model);
    const model::Mechanism whole =
        io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + filter.model + ".yaml", {});
    return model::without_drivers(whole, {whole.drivers().front().name});
  }

  /// A state of the filter that it has accepted, away from the start.
  Eigen::VectorXd accepted_state() {
    Eigen::VectorXd x = system_->start_state();
    const Eigen::Index f = system_->num_freedoms();
    for (int k = 1; k <= 10; ++k) {
      for (Eigen::Index i = 0; i < f; ++i) x[i] += 0.01;
      EXPECT_TRUE(system_->accept(0.1 * k * kTime, x));
    }
    for (Eigen::Index i = 0; i < f; ++i) x[f + i] += 2.0 + 0.3 * static_cast<double>(i);
    EXPECT_TRUE(system_->accept(kTime, x));
    return x;
  }
  /// The same for the functions of the export.
  CheckState state_of(const Eigen::VectorXd& x) const {
    CheckState state = model_.start;
    const std::size_t moving = 2 * model_.num_coordinates();
    std::copy_n(x.begin(), moving, state.x.begin());
    std::copy(x.begin() + static_cast<std::ptrdiff_t>(moving), x.end(), state.p.begin());
    const auto& coordinates = system_->motion().system().coordinates();
    for (std::size_t k = moving; k < state.x.size(); ++k) {
      const std::string name = model_.x[k].name.substr(0, model_.x[k].name.find(", as found last"));
      const auto at = std::ranges::find(coordinates, name, &coordinates::Coordinate::name);
      EXPECT_NE(at, coordinates.end()) << name;
      state.x[k] = system_->point().q[static_cast<std::size_t>(at - coordinates.begin())];
    }
    state.u.front() = kTime;
    state.u.back() = kStep;
    return state;
  }

  test::DynamicCase one_;
  std::vector<ExportedUnknown> unknowns_;
  std::unique_ptr<estimation::MechanismSystem> system_;
  ExportedModel model_;
};

TEST_P(EstimatorSteps, AreThoseOfTheFiltersModel) {
  Eigen::VectorXd x = accepted_state();
  const CheckState state = state_of(x);
  Eigen::MatrixXd F(x.size(), x.size());
  ASSERT_TRUE(system_->step(kTime, kStep, x, F));
  const std::vector<double> after = ExportedModel::evaluate(function(model_, "estimator_step"), state);
  const Eigen::Index moving = 2 * system_->num_freedoms();
  for (Eigen::Index k = 0; k < moving; ++k)
    EXPECT_NEAR(after[static_cast<std::size_t>(k)], x[k], 1e-12 * (1.0 + std::abs(x[k]))) << k;
  const Eigen::MatrixXd by_x = matrix(function(model_, "estimator_step_by_x"), state),
                        by_p = matrix(function(model_, "estimator_step_by_p"), state);
  const double scale = 1.0 + F.cwiseAbs().maxCoeff();
  EXPECT_LE((by_x - F.topLeftCorner(moving, moving)).cwiseAbs().maxCoeff(), 1e-12 * scale);
  EXPECT_LE((by_p - F.topRightCorner(moving, x.size() - moving)).cwiseAbs().maxCoeff(), 1e-12 * scale);
  EXPECT_GT(by_p.cwiseAbs().maxCoeff(), 1e-6);  // unknowns matter
}

TEST_P(EstimatorSteps, ReadAsTheFilterDoes) {
  const Eigen::VectorXd x = accepted_state();
  const CheckState state = state_of(x);
  if (system_->num_sensors() == 0) return;
  const std::vector<double> found = ExportedModel::evaluate(function(model_, "readings"), state);
  const Eigen::MatrixXd by_x = matrix(function(model_, "readings_by_x"), state);
  const auto at = std::ranges::find(model_.functions, "readings_by_p", &ExportedFunction::name);
  const Eigen::Index moving = 2 * system_->num_freedoms(), p = x.size() - moving;
  const Eigen::MatrixXd by_p =
      at == model_.functions.end() ? Eigen::MatrixXd::Zero(by_x.rows(), p).eval() : matrix(*at, state);
  Eigen::Index row = 0;
  for (int s = 0; s < system_->num_sensors(); ++s) {
    const Eigen::Index m = system_->num_channels(s);
    Eigen::VectorXd y(m);
    Eigen::MatrixXd H(m, x.size());
    ASSERT_TRUE(system_->measure(kTime, x, s, y, H));
    const double scale = 1.0 + H.cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < m; ++k)
      EXPECT_NEAR(found[static_cast<std::size_t>(row + k)],
                  y[k] + system_->sensors()[static_cast<std::size_t>(s)]
                             .instrument->channels()[static_cast<std::size_t>(k)]
                             .origin,
                  1e-12 * (1.0 + y.cwiseAbs().maxCoeff()));
    EXPECT_LE((by_x.middleRows(row, m) - H.leftCols(moving)).cwiseAbs().maxCoeff(), 1e-12 * scale);
    EXPECT_LE((by_p.middleRows(row, m) - H.rightCols(p)).cwiseAbs().maxCoeff(), 1e-12 * scale);
    row += m;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Filters, EstimatorSteps,
    ::testing::Values(Filter{"fourbar-testbed", StepRule::kEuler}, Filter{"fourbar-testbed", StepRule::kHeun},
                      Filter{"fourbar-testbed", StepRule::kRk4}, Filter{"five-bar", StepRule::kHeun},
                      Filter{"five-bar", StepRule::kRk4, true}, Filter{"slider-crank", StepRule::kHeun},
                      Filter{"planetary-gearbox", StepRule::kHeun}, Filter{"pairs/whitworth", StepRule::kRk4}));

}  // namespace
}  // namespace eslabon::codegen
