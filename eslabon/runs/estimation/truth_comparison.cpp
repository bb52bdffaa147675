#include "eslabon/runs/estimation/truth_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/model/variables/variable_derivative.hpp"
#include "eslabon/runs/estimation/size_text.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/sensing/recorded_truth.hpp"
#include "eslabon/runs/sensing/row_check.hpp"
#include "eslabon/runs/sensing/told_positions.hpp"
#include "eslabon/runs/start/state_outputs.hpp"

namespace eslabon::runs {

namespace {

constexpr double kSameRow = 1e-9;   // [s]
constexpr double kTold = 0.1;       // of the errors: what the truth lacks between its rows is told
constexpr double kRefused = 0.5;    // the same: those are not the errors of the estimate
constexpr double kNoMatter = 1e-6;  // of what a column spans

/// Positions and rates; forces and accelerations may jump with every contact.
bool is_smooth(const model::Variable& variable) {
  return model::is_position(variable) || model::is_rate(variable) ||
         variable.kind == model::VariableKind::kBodyEulerParameter;
}

}  // namespace

double TruthComparison::Line::rmse() const {
  return count == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(count));
}

/// The mechanism without its drivers, moving as the file says.
struct TruthComparison::Motion {
  explicit Motion(const core::ResultTable& table, const FilterCase& filter)
      : truth(table, filter.loaded(), model::without_all_drivers(filter.loaded()),
              RecordedTruth::Use::kMotion, filter.branch(), nobody) {}

  RunObserver nobody;  // the filter has said what is to be said of the start
  RecordedTruth truth;
};

TruthComparison::~TruthComparison() = default;

TruthComparison::TruthComparison(core::ResultTable truth, FilterCase& filter)
    : filter_(filter), table_(std::move(truth)), square_(2 * filter.system().num_freedoms()) {
  table_.check();
  const std::vector<core::Column>& columns = filter.columns();
  for (std::size_t k = 0; k < filter.outputs().size(); ++k) {
    const core::Column& column = columns[2 * k];
    const auto found = table_.find(column.name);
    if (!found) {
      missing_.push_back(column.name);
      continue;
    }
    if (table_.columns[*found].unit != column.unit)
      throw core::DataError({.what = "the truth has the wrong unit",
                             .where = table_.path + ", column '" + column.name + "'",
                             .expected = column.unit,
                             .actual = table_.columns[*found].unit,
                             .next = "Give results of the same mechanism."});
    lines_.push_back(
        {.name = column.name,
         .unit = column.unit,
         .place = 2 * k,
         .column = *found,
         .is_angle = model::dimension(filter.mechanism(), filter.outputs()[k]) == core::kAngle,
         .is_either_sign = filter.outputs()[k].kind == model::VariableKind::kBodyEulerParameter});
  }
  const Eigen::Index f = filter.system().num_freedoms();
  jumps_.assign(table_.t.size() - 1, 0);
  for (const Line& line : lines_) take_column(line.column);
  find_states();
  nees_variances_.setZero(2 * f);
  error_.resize(2 * f);
  P_.resize(2 * f, 2 * f);
  if (lines_.empty() && std::ranges::any_of(state_columns_, [](const auto& column) { return !column; }))
    throw core::DataError({.what = "the truth has nothing to compare with",
                           .where = table_.path,
                           .expected = "one of the outputs of the estimate",
                           .actual = "none of them",
                           .next = "Compute it with the same " + field("outputs") + "."});
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
    if (state_columns_.back()) take_column(*state_columns_.back());
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
    if (!motion_) motion_ = std::make_unique<Motion>(table_, filter_);
    return &motion_->truth.at(std::clamp(t, motion_->truth.begin(), motion_->truth.end())).bodies;
  } catch (const core::ModelError&) {  // NEES then is that of the rows whose states are columns
    has_motion_ = false;
    return nullptr;
  }
}

void TruthComparison::take_column(std::size_t column) {
  if (columns_.contains(column)) return;
  std::span<const double> rates, accelerations;
  const auto derivative = [&](const model::Variable& variable) -> std::optional<model::Variable> {
    const auto found = model::derivative_of(variable);
    const auto of_file = found ? table_.find(model::name(filter_.mechanism(), *found)) : std::nullopt;
    return of_file && table_.columns[*of_file].unit == model::unit(filter_.mechanism(), *found)
               ? found
               : std::nullopt;
  };
  const auto values = [&](const model::Variable& variable) {
    return std::span<const double>(table_.values[*table_.find(model::name(filter_.mechanism(), variable))]);
  };
  if (const auto rate = derivative(model::find_variable(filter_.mechanism(), table_.columns[column].name))) {
    rates = values(*rate);
    if (const auto acceleration = derivative(*rate)) accelerations = values(*acceleration);
  }
  const auto& taken =
      columns_.emplace(column, sensing::RecordedColumn(table_.t, table_.values[column], rates, accelerations))
          .first->second;
  for (std::size_t row = 0; row < jumps_.size(); ++row)
    if (taken.jumps_after(row)) jumps_[row] = 1;
}

bool TruthComparison::is_row(double t) const {
  const auto after = std::ranges::lower_bound(table_.t, t - kSameRow);
  return after != table_.t.end() && *after <= t + kSameRow;
}

bool TruthComparison::is_at_jump(double t) const {
  const auto after = std::ranges::upper_bound(table_.t, t) - table_.t.begin();
  return after > 0 && static_cast<std::size_t>(after) <= jumps_.size() &&
         jumps_[static_cast<std::size_t>(after) - 1] != 0 && !is_row(t);
}

bool TruthComparison::fits_motion(const Line& line) {
  constexpr double kSame = 1e-6;  // rad, or of the largest value
  const std::vector<double>& values = table_.values[line.column];
  double size = line.is_angle ? 1.0 : 0.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return std::ranges::all_of(rows_to_look_at(table_), [&](std::size_t row) {
    const coordinates::MechanismMotion* const bodies = bodies_at(table_.t[row]);
    if (bodies == nullptr) return false;
    double difference =
        values[row] - kinematics::told_value(filter_.mechanism(), filter_.outputs()[line.place / 2], *bodies);
    if (line.is_angle) difference = std::remainder(difference, 2.0 * std::numbers::pi);
    return std::abs(difference) <= kSame * size;
  });
}

void TruthComparison::find_lines_of_motion() {
  for (Line& line : lines_)
    line.is_by_motion = !line.is_either_sign && is_smooth(filter_.outputs()[line.place / 2]) &&
                        columns_.at(line.column).order() < 6 && fits_motion(line);
}

void TruthComparison::add(std::span<const double> row) {
  const double t = filter_.run().now().seconds();
  if (t < table_.t.front() - kSameRow || t > table_.t.back() + kSameRow) return;
  if (is_at_jump(t)) {
    ++left_out_;
    return;
  }
  const bool is_between = !is_row(t);
  if (is_between && !has_been_between_) find_lines_of_motion();
  has_been_between_ = has_been_between_ || is_between;
  const bool needs_motion = is_between && std::ranges::any_of(lines_, &Line::is_by_motion);
  const coordinates::MechanismMotion* const bodies = needs_motion ? bodies_at(t) : nullptr;
  for (Line& line : lines_) {
    if (bodies == nullptr && needs_motion) line.is_by_motion = false;  // it ended
    const double truth =
        line.is_by_motion && is_between
            ? kinematics::told_value(filter_.mechanism(), filter_.outputs()[line.place / 2], *bodies)
            : at(line.column, t);
    double error = row[line.place] - truth;
    if (line.is_angle) error = std::remainder(error, 2.0 * std::numbers::pi);
    if (line.is_either_sign) error = std::min(std::abs(error), std::abs(row[line.place] + truth));
    line.squares += error * error;
    line.variances += row[line.place + 1] * row[line.place + 1];  // NAME, NAME.sigma
    line.largest = std::max(line.largest, std::abs(error));
    line.between += is_between ? 1 : 0;
    ++line.count;
  }
  add_nees(t);
}

void TruthComparison::finish() {
  for (Line& line : lines_) {
    if (line.between == 0) continue;
    const sensing::RecordedColumn& column = columns_.at(line.column);
    const auto [least, most] = std::ranges::minmax(table_.values[line.column]);
    line.error = column.error();
    line.order = column.order();
    if (line.is_by_motion) {
      const Instruments instruments{sensing::make_instrument(
          filter_.mechanism(), filter_.outputs()[line.place / 2], motion_->truth.model().forces())};
      const RowError error = row_errors(motion_->truth, instruments).front();
      line.error = error.error;
      line.order = error.order;
    }
    line.error *= std::sqrt(static_cast<double>(line.between) / static_cast<double>(line.count));
    line.is_coarse = is_smooth(filter_.outputs()[line.place / 2]) && line.error > kRefused * line.rmse() &&
                     line.error > kNoMatter * (most - least);
  }
  for (std::size_t k = 0; k < state_columns_.size() && nees_.count() > 0; ++k) {
    const double variance =
        nees_variances_[static_cast<Eigen::Index>(k)] / static_cast<double>(nees_.count());
    if (state_columns_[k] && has_been_between_)
      is_nees_coarse_ |=
          std::pow(columns_.at(*state_columns_[k]).error(), 2) > kRefused * kRefused * variance;
  }
}

std::vector<std::string> TruthComparison::notes() const {
  std::vector<std::string> notes;
  if (left_out_ > 0)
    notes.push_back(
        fmt::format("{}: rates of the truth jump between some of its rows, by impacts or because they are "
                    "too far apart; {} in "
                    "such gaps {} not compared.",
                    table_.path, core::counted(static_cast<std::size_t>(left_out_), "instant"),
                    left_out_ == 1 ? "was" : "were"));
  for (const Line& line : lines_)
    if (!line.is_coarse && line.error > kTold * line.rmse() && line.rmse() > 0.0)
      notes.push_back(
          fmt::format("{}: between rows of the truth, {} apart, {} is known to {} only, of an RMSE of {}.",
                      table_.path, distance_text(columns_.at(line.column).largest_distance()), line.name,
                      size_text(line.error, line.unit), size_text(line.rmse(), line.unit)));
  return notes;
}

void TruthComparison::check_rows() const {
  const auto coarse = std::ranges::find_if(lines_, &Line::is_coarse);
  if (coarse == lines_.end()) return;
  const sensing::RecordedColumn& column = columns_.at(coarse->column);
  const double believed = std::sqrt(coarse->variances / static_cast<double>(coarse->count));
  const double wanted = kTold * (believed > 0.0 ? std::min(believed, coarse->rmse()) : coarse->rmse());
  const double distance = column.largest_distance(),
               fine = round_distance(distance * std::pow(wanted / coarse->error, 1.0 / coarse->order));
  throw core::DataError(
      {.what = "the rows of the truth are too far apart to compare with",
       .where = table_.path + ", column '" + coarse->name + "'",
       .expected = fmt::format("rows every {} or less", distance_text(fine)),
       .actual =
           fmt::format("every {}, between which it is known to {} only; the estimate differs from it by {}",
                       distance_text(distance), size_text(coarse->error, coarse->unit),
                       size_text(coarse->rmse(), coarse->unit)),
       .next =
           fmt::format("Compute it with {} '{}'{}.", field("every"), distance_text(fine),
                       column.order() < 6 && !coarse->is_by_motion
                           ? ", or with rate and acceleration of '" + coarse->name + "' among its columns too"
                           : "")});
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
    if (k < f && filter_.system().states()[static_cast<std::size_t>(k)].dimension == core::kAngle)
      error_[k] = std::remainder(error_[k], 2.0 * std::numbers::pi);
  }
  P_ = filter_.estimator().covariance().topLeftCorner(2 * f, 2 * f);
  if (const auto nees = square_.evaluate(error_, P_)) {
    nees_.add(*nees);
    nees_variances_ += P_.diagonal();
  }
}

std::optional<double> TruthComparison::nees() const {
  if (nees_.count() == 0 || is_nees_coarse_) return std::nullopt;
  return nees_.mean();
}

std::string TruthComparison::nees_columns() const {
  std::string text;
  for (Eigen::Index k = 0; k < filter_.system().num_freedoms(); ++k) {
    const std::string& q = filter_.system().motion().coordinate(k).name;
    if (rate_name(q).empty()) return {};  // of a ball or a free body
    text += (text.empty() ? "" : ", ") + q + ", " + rate_name(q);
  }
  return text;
}

}  // namespace eslabon::runs
