#include "eslabon/estimation/mechanism/held_freedoms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/cholesky.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::estimation {

using core::index;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 20;
constexpr int kMostProjections = 60;
constexpr double kLastCorrection = 1e-9;  // of the mechanism's size, or rad: Newton squares it
constexpr double kRoundoff = 1e-14;       // the same: nothing is left to correct
constexpr double kClosed = 1e-12;         // largest residual, lengths in the size
constexpr double kLongestStride = 0.5;    // of a projection; the same
constexpr double kDamping = 1e-6;         // keeps projections away from singular positions

}  // namespace

HeldFreedoms::HeldFreedoms(const dynamics::DynamicModel& model, const std::vector<std::string>& freedoms)
    : model_(model),
      system_("relative", model.mechanism(), model.structure(), model.prescribed()),
      length_(coordinates::length_scale(model.mechanism())),
      scales_(system_.num_coordinates()),
      is_angle_(index(scales_.size())),
      is_ball_(index(scales_.size()), false),
      values_(model.prescribed().size()) {
  const dynamics::State start = dynamics::state_of_bodies(model_, system_, model_.start(), 0.0);
  start_ = Eigen::Map<const VectorXd>(start.q.data(), scales_.size());
  for (Index c = 0; c < scales_.size(); ++c) {
    const core::Dimension& dimension = system_.coordinates()[index(c)].dimension;
    scales_[c] = dimension == core::kLength ? length_ : 1.0;
    is_angle_[index(c)] = dimension == core::kAngle;
  }
  for (const coordinates::Prescribed& driver : model.prescribed())
    if (const auto* variable = std::get_if<model::Variable>(&driver.what))
      if (const auto column = system_.layout().column_of(*variable)) is_angle_[index(*column)] = false;
  const coordinates::KinematicTree tree(model.mechanism(), model.structure());
  for (int l = 0; l < tree.num_links(); ++l)
    for (const coordinates::JointStep& step : tree.link(l).steps)
      if (step.kind == coordinates::JointStep::Kind::kBall) {
        balls_.push_back(step.column);
        std::fill_n(is_ball_.begin() + step.column, 4, true);
      }
  at(0.0);
  evaluate(start_);
  const kinematics::RowRank rank = kinematics::rank_rows_in_order(system_, level_.Phi_q);
  rows_ = rank.independent_rows;
  choose(freedoms, rank.null_space.cols());
  place_entries();
}

void HeldFreedoms::choose(const std::vector<std::string>& freedoms, Index expected) {
  std::vector<std::string> names = freedoms;
  if (names.empty()) {
    const dynamics::ReducedMotion motion(model_, {}, dynamics::ReducedMotion::Use::kKinematics);
    for (Index k = 0; k < motion.num_freedoms(); ++k) names.push_back(motion.coordinate(k).name);
  }
  const std::string where = "mechanism '" + model_.mechanism().name() + "'";
  for (const std::string& name : names) {
    const auto at = std::ranges::find(system_.coordinates(), name, &coordinates::Coordinate::name);
    if (at == system_.coordinates().end()) {
      std::vector<std::string> known;
      for (const coordinates::Coordinate& q : system_.coordinates()) known.push_back(q.name);
      throw core::ModelError({.what = "a degree of freedom that is not a coordinate",
                              .where = where,
                              .expected = "one of " + core::quoted_list(known),
                              .actual = "'" + name + "'",
                              .next = "Take one of those."});
    }
    chosen_.push_back(static_cast<int>(at - system_.coordinates().begin()));
  }
  if (static_cast<Index>(chosen_.size()) != expected)
    throw core::ModelError({.what = "the wrong number of degrees of freedom",
                            .where = where,
                            .expected = std::to_string(expected) + " coordinates",
                            .actual = std::to_string(chosen_.size()),
                            .next = "Name as many coordinates as the mechanism has degrees of freedom."});
}

void HeldFreedoms::place_entries() {
  const auto n = static_cast<int>(scales_.size());
  std::vector<int> slot(index(n), -1), row_slot(index(system_.num_rows()), -1);
  std::vector<bool> is_chosen(index(n), false);
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    slot[index(chosen_[k])] = static_cast<int>(k);
    is_chosen[index(chosen_[k])] = true;
  }
  for (int c = 0; c < n; ++c) {
    if (is_chosen[index(c)]) continue;
    slot[index(c)] = static_cast<int>(dependent_.size());
    dependent_.push_back(c);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) row_slot[index(rows_[r])] = static_cast<int>(r);
  const coordinates::SparsePattern& pattern = system_.pattern();
  places_.resize(index(pattern.num_entries()));
  coupled_.assign(chosen_.size(), false);
  for (int c = 0; c < n; ++c)
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e) {
      const int row = row_slot[index(pattern.row_of_entry[index(e)])];
      places_[index(e)] = {row, slot[index(c)], c, is_chosen[index(c)]};
      if (is_chosen[index(c)] && row >= 0) coupled_[index(slot[index(c)])] = true;
    }
  const auto m = static_cast<Index>(rows_.size());
  S_.resize(m, static_cast<Index>(dependent_.size()));
  of_z_.resize(m, num_freedoms());
  J_.resize(m, n);
  JJ_.resize(m, m);
  rhs_.resize(m);
  solved_.resize(m);
  lu_ = core::Lu(m);
  ldlt_ = core::Ldlt(m);
}

void HeldFreedoms::at(double t) { model_.evaluate_drivers_or_throw(t, values_); }

bool HeldFreedoms::factor() {
  S_.setZero();
  of_z_.setZero();
  for (std::size_t e = 0; e < places_.size(); ++e)
    if (places_[e].row >= 0)
      (places_[e].is_chosen ? of_z_ : S_)(places_[e].row, places_[e].column) = level_.Phi_q[e];
  if (S_.rows() == 0) return true;
  lu_.compute(S_);
  return lu_.smallest_pivot() > 1e-13 * lu_.largest_pivot();
}

int HeldFreedoms::side() const {
  if (rows_.empty()) return 1;
  return lu_.sign_of_determinant() < 0 ? -1 : 1;
}

double HeldFreedoms::residual_of_level() const {
  double largest = 0.0;
  for (int r = 0; r < system_.num_rows(); ++r)
    largest = std::max(largest, std::abs(level_.Phi[r]) / (system_.row_is_length(r) ? length_ : 1.0));
  return largest;
}

double HeldFreedoms::residual(const VectorXd& q) {
  evaluate(q);
  return residual_of_level();
}

bool HeldFreedoms::close(VectorXd& q, double reach) {
  double moved = 0.0, last = 0.0;
  for (int i = 0; i < kMostIterations; ++i) {
    evaluate(q);
    if (!factor()) return false;
    for (std::size_t r = 0; r < rows_.size(); ++r) rhs_[static_cast<Index>(r)] = -level_.Phi[rows_[r]];
    solve();
    double size = 0.0;
    for (std::size_t d = 0; d < dependent_.size(); ++d)
      size = std::max(size, std::abs(solved_[static_cast<Index>(d)]) / scales_[dependent_[d]]);
    moved += size;
    if (!(moved <= reach) || (i > 3 && size > last && size > kLastCorrection)) return false;
    if (size <= kRoundoff) return residual_of_level() <= kClosed;
    for (std::size_t d = 0; d < dependent_.size(); ++d) q[dependent_[d]] += solved_[static_cast<Index>(d)];
    last = size;
    if (size <= kLastCorrection) {  // what is left is its square; R needs the Jacobian there
      evaluate(q);
      return factor() && residual_of_level() <= kClosed;
    }
  }
  return false;
}

void HeldFreedoms::read_directions(Eigen::MatrixXd& R, VectorXd& s) {
  R.setZero();
  s.setZero();
  for (Index k = 0; k < num_freedoms(); ++k) {
    R(chosen_[index(k)], k) = 1.0;
    rhs_ = -of_z_.col(k);
    solve();
    for (std::size_t d = 0; d < dependent_.size(); ++d) R(dependent_[d], k) = solved_[static_cast<Index>(d)];
  }
  if (values_.empty()) return;
  for (std::size_t r = 0; r < rows_.size(); ++r) rhs_[static_cast<Index>(r)] = -level_.Phi_t[rows_[r]];
  solve();
  for (std::size_t d = 0; d < dependent_.size(); ++d) s[dependent_[d]] = solved_[static_cast<Index>(d)];
}

// Levenberg's method on the rows alone: the shortest correction that closes them,
//   δq = D Jᵀ (J Jᵀ + μ)⁻¹ (−Phi),   J = Phi_q D,   D: lengths in the size                                     (2)
bool HeldFreedoms::project(VectorXd& q) {
  if (rows_.empty()) return true;
  for (int i = 0; i < kMostProjections; ++i) {
    evaluate(q);
    J_.setZero();
    for (std::size_t e = 0; e < places_.size(); ++e)
      if (places_[e].row >= 0)
        J_(places_[e].row, places_[e].coordinate) = level_.Phi_q[e] * scales_[places_[e].coordinate];
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const double scale = system_.row_is_length(rows_[r]) ? length_ : 1.0;
      J_.row(static_cast<Index>(r)) /= scale;
      rhs_[static_cast<Index>(r)] = -level_.Phi[rows_[r]] / scale;
    }
    JJ_.noalias() = J_ * J_.transpose();
    JJ_.diagonal().array() += std::min(kDamping, rhs_.squaredNorm());
    ldlt_.compute(JJ_);
    solved_ = rhs_;
    ldlt_.solve_in_place(solved_);
    double size = 0.0;
    for (Index c = 0; c < q.size(); ++c) size = std::max(size, std::abs(J_.col(c).dot(solved_)));
    if (!std::isfinite(size)) return false;
    const double part = size > kLongestStride ? kLongestStride / size : 1.0;
    for (Index c = 0; c < q.size(); ++c) q[c] += part * scales_[c] * J_.col(c).dot(solved_);
    if (size <= kLastCorrection) return residual(q) <= kClosed;
  }
  return false;
}

void HeldFreedoms::wrap(VectorXd& q) const {
  for (Index c = 0; c < q.size(); ++c)
    if (is_angle_[index(c)] && std::abs(q[c]) > std::numbers::pi) {
      q[c] = std::remainder(q[c], 2.0 * std::numbers::pi);
      if (q[c] == -std::numbers::pi) q[c] = std::numbers::pi;
    }
}

bool HeldFreedoms::are_same(const VectorXd& a, const VectorXd& b, double tolerance) const {
  for (Index c = 0; c < a.size(); ++c) {
    if (is_ball_[index(c)]) continue;
    double difference = a[c] - b[c];
    if (is_angle_[index(c)]) difference = std::remainder(difference, 2.0 * std::numbers::pi);
    if (!(std::abs(difference) <= tolerance * scales_[c])) return false;
  }
  return std::ranges::all_of(balls_, [&](int c) {
    const auto e = a.segment<4>(c), g = b.segment<4>(c);
    return std::min((e - g).norm(), (e + g).norm()) <= tolerance;
  });
}

}  // namespace eslabon::estimation
