#include "eslabon/kinematics/freedoms/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/kinematics/assembly/least_squares.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::MechanismMotion;

constexpr int kPositions = 4;  // the start and three others
constexpr int kMostTries = 12;
constexpr double kStep =
    0.12;  // [rad] or in units of the mechanism's size, of the coordinate that moves most
constexpr double kLeastMove = 0.3;  // of the step, for a motion that leads somewhere

class RankSurvey {
 public:
  RankSurvey(const ConstraintSystem& system, const MechanismMotion& bodies)
      : system_(system),
        length_(coordinates::length_scale(system.mechanism())),
        q_(static_cast<std::size_t>(system.num_coordinates())),
        in_rows_(coordinates_in_rows(system)),
        is_in_row_(q_.size(), false) {
    for (const int c : in_rows_) is_in_row_[static_cast<std::size_t>(c)] = true;
    std::vector<double> v(q_.size()), a(q_.size());
    system.read_bodies(bodies, {q_, v, a});
  }

  RedundancyReport run() {
    const RowRank at_start = rank_at(q_);
    RedundancyReport report{.coordinates = system_.num_coordinates(),
                            .rows = system_.num_rows(),
                            .rank = at_start.rank,
                            .rank_at_start = at_start.rank,
                            .positions = 1};
    RowRank best = at_start;
    core::Rng rng(1);
    const bool has_freedoms = report.coordinates > report.rank_at_start;
    for (int t = 0; t < kMostTries && report.positions < kPositions && has_freedoms; ++t) {
      std::vector<double> q = q_;
      if (!move(at_start.null_space, kStep * std::pow(0.5, t / 4), rng, q)) continue;
      ++report.positions;
      RowRank there = rank_at(q);
      if (there.rank > best.rank || report.positions == 2) best = std::move(there);
      report.rank = std::max(report.rank, best.rank);
    }
    report.is_shaky = report.positions == 1 && has_freedoms;
    report.mobility = report.is_shaky ? 0 : system_.num_coordinates() - report.rank;
    for (const RepeatedRow& row : best.repeated_rows) report.redundant.push_back(explained(row));
    for (const RepeatedRow& row : at_start.repeated_rows)
      if (std::ranges::find(best.independent_rows, row.row) != best.independent_rows.end())
        report.redundant_here.push_back(explained(row));
    return report;
  }

 private:
  RowRank rank_at(const std::vector<double>& q) {
    system_.evaluate_positions(q, {}, positions_);
    return rank_rows_in_order(system_, positions_.Phi_q, in_rows_);
  }

  /// Moves q along a random motion of the null space, and what no row speaks of by any amount, and closes it again; whether it came to
  /// another position.
  bool move(const Eigen::MatrixXd& null_space, double step, core::Rng& rng, std::vector<double>& q) const {
    Eigen::VectorXd weights(null_space.cols());
    for (double& weight : weights) weight = rng.normal();
    Eigen::VectorXd d(static_cast<Eigen::Index>(q.size()));
    d(in_rows_) = null_space * weights;
    for (std::size_t c = 0; c < q.size(); ++c)
      if (!is_in_row_[c]) d[static_cast<Eigen::Index>(c)] = rng.normal();
    d *= step / d.lpNorm<Eigen::Infinity>();
    const std::vector<double> from = q;
    for (std::size_t c = 0; c < q.size(); ++c) q[c] += scale(c) * d[static_cast<Eigen::Index>(c)];
    if (!close_by_least_squares(system_, {}, q).is_closed) return false;
    double moved = 0.0;
    for (std::size_t c = 0; c < q.size(); ++c) moved = std::max(moved, std::abs(q[c] - from[c]) / scale(c));
    return moved > kLeastMove * step && moved < 10.0 * step;
  }

  double scale(std::size_t c) const {
    return system_.coordinates()[c].dimension == core::kLength ? length_ : 1.0;
  }

  /// The joints whose loops the row shares with the rows that it repeats.
  RedundantRow explained(const RepeatedRow& repeated) const {
    const auto joint_of = [&](int row) -> const model::JointIndex* {
      return std::get_if<model::JointIndex>(&system_.label(row).source);
    };
    const auto* coupling = std::get_if<model::CouplingIndex>(&system_.label(repeated.row).source);
    const model::JointIndex own = coupling != nullptr
                                      ? system_.mechanism().coupling(*coupling).terms.front().coordinate.joint
                                  : joint_of(repeated.row) ? *joint_of(repeated.row)
                                                           : model::JointIndex(0);
    std::set<int> others;
    const auto add_loops_of = [&](model::JointIndex joint) {
      for (const structure::Loop& loop : system_.structure().tree.loops)
        if (loop.closing_joint == joint)
          for (const model::JointIndex member : loop.joints) others.insert(member.value());
    };
    add_loops_of(own);
    for (const int row : repeated.rows)
      if (const model::JointIndex* joint = joint_of(row)) {
        others.insert(joint->value());
        add_loops_of(*joint);
      }
    if (coupling == nullptr) others.erase(own.value());
    RedundantRow result{own, system_.label(repeated.row).direction, {}};
    if (coupling != nullptr) result.coupling = *coupling;
    for (const int joint : others) result.repeats.push_back(model::JointIndex(joint));
    return result;
  }

  const ConstraintSystem& system_;
  double length_;
  std::vector<double> q_;
  std::vector<int> in_rows_;     ///< coordinates that some row has an entry for
  std::vector<bool> is_in_row_;  ///< (coordinates)
  coordinates::PositionLevel positions_;
};

/// "rotation about x and y" of {"rotation about x", "rotation about y"}.
std::string merged(const std::vector<std::string>& directions) {
  std::string text, last_stem;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const std::string& direction = directions[i];
    const auto cut = direction.rfind(' ');
    const std::string stem = cut == std::string::npos ? direction : direction.substr(0, cut);
    const bool same_stem = i > 0 && stem == last_stem && cut != std::string::npos;
    const bool is_last = i + 1 == directions.size();
    if (i > 0) text += is_last ? " and " : ", ";
    text += same_stem ? direction.substr(cut + 1) : direction;
    last_stem = stem;
  }
  return text;
}

}  // namespace

RedundancyReport explain_redundancy(const ConstraintSystem& system, const MechanismMotion& bodies) {
  return RankSurvey(system, bodies).run();
}

std::vector<std::string> describe_redundancy(const model::Mechanism& mechanism,
                                             const std::vector<RedundantRow>& rows) {
  struct Line {
    std::vector<std::string> directions;
    std::set<int> repeats;
  };
  std::map<std::pair<bool, int>, Line> by_owner;  // joints, then couplings
  for (const RedundantRow& row : rows) {
    Line& line =
        by_owner[{row.coupling.has_value(), row.coupling ? row.coupling->value() : row.joint.value()}];
    line.directions.push_back(row.direction);
    for (const model::JointIndex joint : row.repeats) line.repeats.insert(joint.value());
  }
  std::vector<std::string> lines;
  for (const auto& [owner, line] : by_owner) {
    const auto [is_coupling, number] = owner;
    std::string text = is_coupling ? "coupling " + mechanism.coupling(model::CouplingIndex(number)).name
                                   : "joint " + mechanism.joint(model::JointIndex(number)).name + ": " +
                                         merged(line.directions);
    text += line.directions.size() == 1 ? " repeats " : " repeat ";
    std::string names;
    for (const int other : line.repeats)
      names += (names.empty() ? "" : ", ") + mechanism.joint(model::JointIndex(other)).name;
    lines.push_back(text + (names.empty() ? "what holds already" : names));
  }
  return lines;
}

}  // namespace eslabon::kinematics
