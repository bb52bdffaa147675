#include "truth_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "recorded_truth.hpp"
#include "state_outputs.hpp"

#include "eslabon/core/error.hpp"
#include "eslabon/io/file_error.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::cli {

double TruthComparison::Line::rmse() const {
  return count == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(count));
}

/// The mechanism without its drivers, moving as the file says.
struct TruthComparison::Motion {
  explicit Motion(const std::string& path, const FilterCase& filter)
      : released(without_all_drivers(filter.loaded())),
        truth(path, filter.loaded(), released, RecordedTruth::Use::kMotion, filter.branch()) {}

  model::Mechanism released;
  RecordedTruth truth;
};

TruthComparison::~TruthComparison() = default;

TruthComparison::TruthComparison(const std::string& path, FilterCase& filter)
    : filter_(filter), table_(io::read_results(path)), square_(2 * filter.system().num_freedoms()) {
  const std::vector<io::ResultColumn>& columns = filter.columns();
  for (std::size_t k = 0; k < filter.outputs().size(); ++k) {
    const io::ResultColumn& column = columns[2 * k];
    const auto found = table_.find(column.name);
    if (!found) {
      missing_.push_back(column.name);
      continue;
    }
    if (table_.columns[*found].unit != column.unit)
      throw io::FileError({.what = "the truth has another unit",
                           .where = path + ", column '" + column.name + "'",
                           .expected = column.unit,
                           .actual = table_.columns[*found].unit,
                           .next = "Give a result file of the same mechanism."});
    lines_.push_back(
        {.name = column.name,
         .unit = column.unit,
         .place = 2 * k,
         .column = *found,
         .is_angle = column.unit == "rad",
         .is_either_sign = filter.outputs()[k].kind == model::VariableKind::kBodyEulerParameter});
  }
  const Eigen::Index f = filter.system().num_freedoms();
  find_states();
  error_.resize(2 * f);
  P_.resize(2 * f, 2 * f);
  if (lines_.empty() && std::ranges::any_of(state_columns_, [](const auto& column) { return !column; }))
    throw io::FileError({.what = "the truth has nothing to compare with",
                         .where = path,
                         .expected = "one of the outputs of the estimate",
                         .actual = "none of them",
                         .next = "Compute it with the same --outputs."});
}

void TruthComparison::find_states() {
  const dynamics::ReducedMotion& motion = filter_.system().motion();
  const Eigen::Index f = motion.num_freedoms();
  bool is_known = coordinates_.size() == static_cast<std::size_t>(f);
  for (Eigen::Index k = 0; is_known && k < f; ++k)
    is_known = coordinates_[static_cast<std::size_t>(k)] == motion.coordinate(k).name;
  if (is_known) return;
  coordinates_.clear();
  state_columns_.clear();
  state_variables_.clear();
  const auto add_state = [&](const std::string& name, bool has_name) {
    state_columns_.push_back(table_.find(name));
    state_variables_.push_back(has_name ? std::optional(model::find_variable(filter_.mechanism(), name))
                                        : std::nullopt);
  };
  for (Eigen::Index k = 0; k < f; ++k) coordinates_.push_back(motion.coordinate(k).name);
  for (const std::string& q : coordinates_) add_state(q, !rate_name(q).empty());
  for (const std::string& q : coordinates_) add_state(rate_name(q), !rate_name(q).empty());
}

const coordinates::MechanismMotion* TruthComparison::bodies_at(double t) {
  if (!has_motion_) return nullptr;
  try {
    if (!motion_) motion_ = std::make_unique<Motion>(table_.path, filter_);
    return &motion_->truth.at(std::clamp(t, motion_->truth.begin(), motion_->truth.end())).bodies;
  } catch (const core::ModelError&) {  // NEES then is that of the rows whose states are columns
    has_motion_ = false;
    return nullptr;
  }
}

double TruthComparison::at(std::size_t column, double t) {
  if (table_.t.size() == 1) return table_.values[column][0];
  const auto after = std::ranges::lower_bound(table_.t, t) - table_.t.begin();
  const auto i = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(after, 1, static_cast<std::ptrdiff_t>(table_.t.size()) - 1));
  const std::vector<double>& values = table_.values[column];
  const double s = (t - table_.t[i - 1]) / (table_.t[i] - table_.t[i - 1]);
  return values[i - 1] + s * (values[i] - values[i - 1]);
}

void TruthComparison::add(std::span<const double> row) {
  const double t = filter_.run().now().seconds();
  constexpr double kSameInstant = 1e-9;
  if (t < table_.t.front() - kSameInstant || t > table_.t.back() + kSameInstant) return;
  for (Line& line : lines_) {
    double error = row[line.place] - at(line.column, t);
    if (line.is_angle) error = std::remainder(error, 2.0 * std::numbers::pi);
    if (line.is_either_sign)
      error = std::min(std::abs(error), std::abs(row[line.place] + at(line.column, t)));
    line.squares += error * error;
    line.largest = std::max(line.largest, std::abs(error));
    ++line.count;
  }
  add_nees(t);
}

void TruthComparison::add_nees(double t) {
  find_states();
  const Eigen::Index f = filter_.system().num_freedoms();
  const coordinates::MechanismMotion* bodies = nullptr;
  for (Eigen::Index k = 0; k < 2 * f; ++k) {
    const auto& column = state_columns_[static_cast<std::size_t>(k)];
    const auto& variable = state_variables_[static_cast<std::size_t>(k)];
    if (!column && (!variable || (bodies == nullptr && (bodies = bodies_at(t)) == nullptr))) return;
    error_[k] = filter_.estimator().mean()[k] -
                (column ? at(*column, t) : kinematics::value_of(filter_.mechanism(), *variable, *bodies));
    if (k < f && filter_.system().states()[static_cast<std::size_t>(k)].unit == "rad")
      error_[k] = std::remainder(error_[k], 2.0 * std::numbers::pi);
  }
  P_ = filter_.estimator().covariance().topLeftCorner(2 * f, 2 * f);
  if (const auto nees = square_.evaluate(error_, P_)) nees_.add(*nees);
}

std::optional<double> TruthComparison::nees() const {
  if (nees_.count() == 0) return std::nullopt;
  return nees_.mean();
}

std::string TruthComparison::nees_columns() const {
  std::string text;
  for (Eigen::Index k = 0; k < filter_.system().num_freedoms(); ++k) {
    const std::string& q = filter_.system().motion().coordinate(k).name;
    text += (text.empty() ? "" : ", ") + q + ", " + rate_name(q);
  }
  return text;
}

}  // namespace eslabon::cli
