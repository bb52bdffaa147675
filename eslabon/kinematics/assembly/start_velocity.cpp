#include "eslabon/kinematics/assembly/start_velocity.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "eslabon/coordinates/velocity_rows.hpp"
#include "eslabon/core/linalg/least_norm.hpp"
#include "eslabon/core/linalg/sparse_least_norm.hpp"
#include "eslabon/kinematics/assembly/weighted_velocity.hpp"
#include "eslabon/kinematics/report_text.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::StartRate;

/// What of a speed may be missing, of the largest speed.
constexpr double kSatisfied = 1e-9;
/// A row of which less is not a combination of others says nothing new; rows have unit length.
constexpr double kRepeated = 1e-8;
/// A direction whose energy is less, as a speed beside that of the largest, has no mass.
constexpr double kMassless = 1e-9;
/// Closings leave a dead centre by the root of roundoff.
constexpr double kDeadCentre = 1e6;

/// Rows A u = b of unit length, for u = D⁻¹ v.
class SpeedRows {
 public:
  SpeedRows(const ConstraintSystem& system, std::span<const double> q,
            std::span<const CoordinateValue> values, const std::vector<StartRate>& rates)
      : system_(system),
        rolling_(system),
        q_(q.begin(), q.end()),
        rates_(rates),
        D_(system.num_coordinates()) {
    const double length = coordinates::length_scale(system.mechanism());
    for (Index c = 0; c < D_.size(); ++c)
      D_[c] = system.coordinates()[static_cast<std::size_t>(c)].dimension == core::kLength ? length : 1.0;
    add_constraints(values);
    add_rolling();
    add_rates();
  }

  /// Rows of the system, then those of rolling.
  int num_constraints() const { return system_.num_rows() + rolling_.size(); }
  std::string describe(int row) const {
    return row < system_.num_rows() ? coordinates::describe_row(system_, row)
                                    : coordinates::describe_row(system_, rolling_, row - system_.num_rows());
  }

  /// The smallest u for all constraints and the first rates, (1). Rows that repeat others are left out: what they miss is in
  /// the residual.
  VectorXd smallest(std::size_t num_rates) const {
    const Index m = num_constraints() + static_cast<Index>(num_rates);
    const VectorXd b = b_.head(m);
    if (b.isZero(0.0)) return VectorXd::Zero(D_.size());
    return core::shortest_solution(first_entries(m), D_.size(), b, kRepeated);
  }

  /// The u of minimum kinetic energy beside the smallest, (2).
  VectorXd least_energetic(const VectorXd& u0, std::size_t num_rates) const {
    const WeightedVelocity weighted(system_.mechanism());
    if (u0.isZero(0.0) || weighted.is_empty()) return u0;
    const Index m = num_constraints() + static_cast<Index>(num_rates);
    const MatrixXd N = core::sparse_null_space(first_entries(m), m, D_.size(), kRepeated);
    if (N.cols() == 0) return u0;
    const VectorXd y0 = weighted.of(bodies(velocities(u0)));
    MatrixXd Y(y0.size(), N.cols());
    for (Index k = 0; k < N.cols(); ++k) Y.col(k) = weighted.of(bodies(velocities(N.col(k))));
    core::LeastNorm least;
    least.compute(Y, kMassless * core::longest_column(Y));
    return u0 - N * least.solve(y0);
  }

  /// A u − b of all rows.
  VectorXd residual(const VectorXd& u) const {
    VectorXd result = -b_;
    for (const core::SparseEntry& entry : entries_) result[entry.row] += entry.value * u[entry.column];
    return result;
  }

  /// Whether speeds are so large beside those that are asked for that only roundoff keeps the position from being a dead centre.
  bool is_at_dead_centre(const VectorXd& u) const {
    return u.cwiseAbs().maxCoeff() > kDeadCentre * b_.cwiseAbs().maxCoeff();
  }

  std::vector<double> velocities(const VectorXd& u) const {
    std::vector<double> v(q_.size());
    for (std::size_t c = 0; c < v.size(); ++c) v[c] = D_[static_cast<Index>(c)] * u[static_cast<Index>(c)];
    return v;
  }

  MechanismMotion bodies(const std::vector<double>& v) const {
    MechanismMotion motion(system_.mechanism().bodies().size());
    coordinates::BodiesWorkspace workspace;
    const std::vector<double> zero(q_.size(), 0.0);
    system_.evaluate_bodies(q_, v, zero, workspace, motion);
    return motion;
  }

 private:
  std::vector<core::SparseEntry> first_entries(Index rows) const {
    std::vector<core::SparseEntry> entries;
    std::ranges::copy_if(entries_, std::back_inserter(entries),
                         [rows](const auto& entry) { return entry.row < rows; });
    return entries;
  }

  void add_constraints(std::span<const CoordinateValue> values) {
    coordinates::PositionLevel level;
    system_.evaluate_positions(q_, values, level);
    const coordinates::SparsePattern& pattern = system_.pattern();
    VectorXd squares = VectorXd::Zero(system_.num_rows());
    for (std::size_t c = 0; c < q_.size(); ++c)
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e) {
        const int row = pattern.row_of_entry[static_cast<std::size_t>(e)];
        const double value = level.Phi_q[static_cast<std::size_t>(e)] * D_[static_cast<Index>(c)];
        entries_.push_back({row, static_cast<int>(c), value});
        squares[row] += value * value;
      }
    b_ = -level.Phi_t;
    const double length = coordinates::length_scale(system_.mechanism());
    scale_.resize(system_.num_rows());
    for (int row = 0; row < system_.num_rows(); ++row)
      scale_[row] = squares[row] > 0.0 ? std::sqrt(squares[row]) : system_.row_is_length(row) ? length : 1.0;
    for (core::SparseEntry& entry : entries_) entry.value /= scale_[entry.row];
    b_.array() /= scale_.array();
  }

  void add_rolling() {
    if (rolling_.is_empty()) return;
    coordinates::VelocityLevel level;
    rolling_.evaluate(q_, level);
    if (const auto joint = rolling_.find_flat_disc(level))
      throw core::ModelError(coordinates::flat_disc_text(system_.mechanism(), *joint));
    for (int r = 0; r < rolling_.size(); ++r) {
      const VectorXd row = level.A.row(r).transpose().cwiseProduct(D_);
      for (Index c = 0; c < row.size(); ++c)
        if (row[c] != 0.0)
          entries_.push_back({system_.num_rows() + r, static_cast<int>(c), row[c] / row.norm()});
    }
    b_.conservativeResizeLike(VectorXd::Zero(num_constraints()));
  }

  /// A rate is linear in v: its row is what it is at unit speeds, one after the other.
  void add_rates() {
    if (rates_.empty()) return;
    MatrixXd C(static_cast<Index>(rates_.size()), D_.size());
    std::vector<double> v(q_.size(), 0.0);
    for (std::size_t c = 0; c < v.size(); ++c) {
      v[c] = D_[static_cast<Index>(c)];
      const MechanismMotion motion = bodies(v);
      for (std::size_t k = 0; k < rates_.size(); ++k)
        C(static_cast<Index>(k), static_cast<Index>(c)) =
            value_of(system_.mechanism(), rates_[k].variable, motion);
      v[c] = 0.0;
    }
    const int first = num_constraints();
    b_.conservativeResize(first + C.rows());
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const auto row = static_cast<Index>(k);
      check_direction(rates_[k]);
      const double scale = C.row(row).norm() > 0.0 ? C.row(row).norm() : 1.0;
      for (Index c = 0; c < C.cols(); ++c)
        if (C(row, c) != 0.0)
          entries_.push_back({first + static_cast<int>(k), static_cast<int>(c), C(row, c) / scale});
      b_[first + row] = rates_[k].value / scale;
    }
  }

  /// Between points that coincide a spring has no direction in which it could grow.
  void check_direction(const StartRate& rate) const {
    if (rate.variable.kind != model::VariableKind::kElementRate) return;
    const model::Mechanism& mechanism = system_.mechanism();
    const auto* spring = std::get_if<model::SpringIndex>(&rate.variable.element);
    const model::Connection& connection =
        spring != nullptr
            ? mechanism.springs()[spring->slot()].connection
            : mechanism.dampers()[std::get<model::DamperIndex>(rate.variable.element).slot()].connection;
    if (!std::holds_alternative<model::PointPair>(connection)) return;
    const std::vector<double> zero(q_.size(), 0.0);
    const double length = connection_value(mechanism, connection, bodies(zero)).length;
    if (length > kSatisfied * coordinates::length_scale(mechanism)) return;
    throw core::ModelError({.what = "a start rate without a direction",
                            .where = "start rate '" + model::name(mechanism, rate.variable) + "'",
                            .expected = "two points that are apart at the start",
                            .actual = "points that coincide",
                            .next = "Give the velocity of a point instead."});
  }

  const ConstraintSystem& system_;
  coordinates::VelocityRows rolling_;
  std::vector<double> q_;
  const std::vector<StartRate>& rates_;
  VectorXd D_;                              ///< (n)
  std::vector<core::SparseEntry> entries_;  ///< of A
  VectorXd scale_;                          ///< (rows of the system)
  VectorXd b_;                              ///< (constraints + rates)
};

/// The largest of the first rows, relative to the speeds, and which.
std::pair<double, Index> largest_of(const VectorXd& residual, Index rows, const VectorXd& u) {
  Index row = 0;
  const double largest = rows == 0 ? 0.0 : residual.head(rows).cwiseAbs().maxCoeff(&row);
  return {largest == 0.0 ? 0.0 : largest / std::max(u.cwiseAbs().maxCoeff(), largest), row};
}

std::string with_unit(const ConstraintSystem& system, const StartRate& rate, double value) {
  return short_number(value, 10) + " " + std::string(model::unit(system.mechanism(), rate.variable));
}

}  // namespace

StartVelocityReport find_start_velocities(const ConstraintSystem& system, std::span<const double> q,
                                          std::span<const CoordinateValue> values,
                                          const std::vector<StartRate>& rates) {
  const SpeedRows rows(system, q, values, rates);
  StartVelocityReport report;
  report.has_drivers = !system.prescribed().empty();
  const auto m = static_cast<Index>(rows.num_constraints());
  VectorXd u = rows.smallest(rates.size());
  std::size_t num_rates = rates.size();
  Index row;
  std::tie(report.residual, row) = largest_of(rows.residual(u), m + static_cast<Index>(rates.size()), u);
  if (report.residual > kSatisfied || rows.is_at_dead_centre(u)) {
    // Which: the first that what stands before it does not allow.
    VectorXd before = rows.smallest(0);
    std::tie(report.residual, row) = largest_of(rows.residual(before), m, before);
    if (report.residual > kSatisfied) {
      report.status = StartVelocityReport::Status::kDriverCannotMove;
      report.element = rows.describe(static_cast<int>(row));
      u = before;
      num_rates = 0;
    }
    for (std::size_t k = 0; k < rates.size() && report.usable(); ++k) {
      u = rows.smallest(k + 1);
      std::tie(report.residual, row) = largest_of(rows.residual(u), m + static_cast<Index>(k) + 1, u);
      if (report.residual > kSatisfied || (rows.is_at_dead_centre(u) && !rows.is_at_dead_centre(before))) {
        const double required =
            value_of(system.mechanism(), rates[k].variable, rows.bodies(rows.velocities(before)));
        report.status = StartVelocityReport::Status::kContradiction;
        report.element = "start rate '" + model::name(system.mechanism(), rates[k].variable) + "'";
        report.required = with_unit(system, rates[k], required);
        report.given = with_unit(system, rates[k], rates[k].value);
        u = before;
        num_rates = k;
      }
      before = u;
    }
  }
  report.v = rows.velocities(rows.least_energetic(u, num_rates));
  report.bodies = rows.bodies(report.v);
  return report;
}

std::string StartVelocityReport::brief() const {
  if (status == Status::kFound) return "velocities found, residual " + short_number(residual);
  if (status == Status::kDriverCannotMove) return element + " cannot move at its speed";
  const std::size_t begin = element.find('\'') + 1;
  return element.substr(begin, element.size() - begin - 1) + " = " + given + ", but the joints allow " +
         required + " with the others";
}

core::ErrorText StartVelocityReport::error_text() const {
  if (status == Status::kDriverCannotMove)
    return {.what = "the drivers cannot start at their speeds",
            .where = element,
            .expected = "speeds that the joints allow at the start",
            .actual = "speeds that would tear them apart",
            .next = "Start somewhere else, or with another speed."};
  return {.what = "a start rate contradicts the joints",
          .where = element,
          .expected = required + ", which the joints, the drivers and the start rates before it leave",
          .actual = given,
          .next = has_drivers ? "Correct it, remove it, or release the driver with '--release': a driver "
                                "moves at its own speed."
                              : "Correct it, or remove it: one rate for each degree of freedom is enough."};
}

}  // namespace eslabon::kinematics
