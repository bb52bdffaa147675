#include "eslabon/estimation/estimator_checks.hpp"

#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::estimation {

namespace {

[[noreturn]] void refuse(const char* what, const std::string& expected, const std::string& actual,
                         const char* next) {
  throw core::ContractError(
      {.what = what, .where = "estimator", .expected = expected, .actual = actual, .next = next});
}

}  // namespace

void check_start_size(Eigen::Index num_states, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) {
  if (x.size() == num_states && P.rows() == num_states && P.cols() == num_states) return;
  refuse("a start of the wrong size", std::to_string(num_states) + " states", std::to_string(x.size()),
         "Give one number for each state of the system.");
}

void refuse_start_covariance() {
  refuse("a start without a covariance", "a symmetric matrix without negative directions", "another one",
         "Give the squares of deviations.");
}

void check_step(double h) {
  if (!(std::isfinite(h) && h > 0.0))
    refuse("a step that does not advance", "a positive time in s", core::number_text(h),
           "Give another step.");
}

bool check_reading(const System& system, int sensor, ConstStateRef y) {
  if (sensor >= 0 && sensor < system.num_sensors() && y.size() == system.num_channels(sensor))
    return y.allFinite();
  if (sensor < 0 || sensor >= system.num_sensors())
    refuse("a reading of an unknown sensor", "one of " + std::to_string(system.num_sensors()) + " sensors",
           "number " + std::to_string(sensor), "Count sensors from 0.");
  refuse("a reading of the wrong size", std::to_string(system.num_channels(sensor)) + " channels",
         std::to_string(y.size()), "Give all channels of the sensor.");
}

void check_inflation(double factor) {
  if (!(std::isfinite(factor) && factor >= 1.0))
    refuse("a factor that would make an estimate more certain", "a factor of at least 1",
           core::number_text(factor), "Give another factor.");
}

}  // namespace eslabon::estimation
