#include "eslabon/kinematics/general_group.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/coordinates/row_kernel.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;
using coordinates::Feature;
using coordinates::RowForm;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kMostIterations = 20;
constexpr double kLastCorrection = 1e-9;

class GeneralPlanarGroup final : public PlanarGroupSolver {
 public:
  GeneralPlanarGroup(const GroupContext& context, const structure::StructuralGroup& group)
      : length_(coordinates::length_scale(context.mechanism)) {
    for (const structure::LinkIndex link : group.links) own_.push_back(link.slot());
    for (const model::JointIndex joint : group.joints)
      for (const coordinates::Row& row : coordinates::joint_rows(context.mechanism, joint))
        add(context, row, -1);
    for (const int number : group.inputs) {
      const structure::Input& input = context.structure.inputs[static_cast<std::size_t>(number)];
      add(context, coordinates::variable_row(context.mechanism, *input.variable), number);
    }
    std::vector<PlanarLink> links(context.start.begin(), context.start.end());
    std::vector<CoordinateValue> inputs = input_values(context, links);
    Level level;
    evaluate(inputs, links, level);
    if (rows_.size() == 3 * own_.size()) sign_ = level.Phi_q.determinant() >= 0.0 ? 1 : -1;
  }

  int branch() const override { return sign_; }

  GroupStatus solve(std::span<const CoordinateValue> inputs, std::span<PlanarLink> links) const override {
    Level level;
    double last = 0.0;
    bool is_converged = false;
    for (int i = 0; i < kMostIterations && !is_converged; ++i) {
      evaluate(inputs, links, level);
      const VectorXd d = solve_rows(level.Phi_q, -level.Phi);
      if (!d.allFinite()) return GroupStatus::kSingular;
      for (std::size_t k = 0; k < own_.size(); ++k)
        move(links[own_[k]], d.segment<3>(static_cast<Eigen::Index>(3 * k)));
      const double size = scaled_size(d);
      if (i > 2 && size > 0.5 * last && size > kLastCorrection) return GroupStatus::kOutOfReach;
      last = size;
      is_converged = size <= kLastCorrection;
    }
    if (!is_converged) return GroupStatus::kOutOfReach;
    evaluate(inputs, links, level);
    if (level.Phi.lpNorm<Eigen::Infinity>() > 1e-9 * std::max(1.0, length_)) return GroupStatus::kOutOfReach;
    if (sign_ != 0 && (level.Phi_q.determinant() >= 0.0 ? 1 : -1) != sign_) return GroupStatus::kSingular;
    solve_rates(inputs, links, level);
    return GroupStatus::kSolved;
  }

 private:
  struct PlacedFeature {
    std::size_t link;
    int own;  ///< position among the group's own links; −1: of a group before
    bool is_point;
    PlanarVector local;
  };
  struct PlacedRow {
    RowForm form;
    double constant;
    int input;  ///< −1: none
    std::array<PlacedFeature, 3> features;
  };
  struct Level {
    VectorXd Phi;
    MatrixXd Phi_q;
  };
  using Three = std::array<Vector3d, 3>;

  void add(const GroupContext& context, const coordinates::Row& row, int input) {
    PlacedRow placed{row.form, row.constant, input, {}};
    for (std::size_t f = 0; f < static_cast<std::size_t>(coordinates::feature_count(row.form)); ++f) {
      const Feature& feature = row.features[f];
      const core::Pose<double>& X_LB = context.tree.X_LB(feature.body);
      const Vector3d local =
          feature.is_point ? X_LB.apply_to_point(feature.local_B) : X_LB.apply_to_direction(feature.local_B);
      const auto link = static_cast<std::size_t>(context.tree.link_of(feature.body));
      const auto own = std::ranges::find(own_, link);
      placed.features[f] = {link,
                            own == own_.end() ? -1 : static_cast<int>(own - own_.begin()),
                            feature.is_point,
                            {local.x(), local.y()}};
    }
    rows_.push_back(placed);
  }

  /// The inputs that the start position has, for its determinant.
  std::vector<CoordinateValue> input_values(const GroupContext& context,
                                            const std::vector<PlanarLink>& links) const {
    std::vector<CoordinateValue> values(context.structure.inputs.size());
    for (const PlacedRow& row : rows_) {
      if (row.input < 0) continue;
      const Three x = positions(row, links);
      double& value = values[static_cast<std::size_t>(row.input)].position;
      if (row.form == RowForm::kAngle) value = std::atan2(x[1].dot(x[2]), x[0].dot(x[2]));
      if (row.form == RowForm::kOffset) value = x[0].dot(x[2] - x[1]);
    }
    return values;
  }

  static Vector3d lifted(PlanarVector v) { return {v.x, v.y, 0.0}; }

  static Three positions(const PlacedRow& row, std::span<const PlanarLink> links) {
    Three x;
    for (std::size_t f = 0; f < static_cast<std::size_t>(coordinates::feature_count(row.form)); ++f) {
      const PlacedFeature& feature = row.features[f];
      const PlanarVector r = links[feature.link].direction(feature.local);
      x[f] = lifted(feature.is_point ? links[feature.link].p + r : r);
    }
    return x;
  }

  static std::array<const Vector3d*, 3> pointers(const Three& x) { return {&x[0], &x[1], &x[2]}; }

  void evaluate(std::span<const CoordinateValue> inputs, std::span<const PlanarLink> links,
                Level& out) const {
    const auto m = static_cast<Eigen::Index>(rows_.size()), n = static_cast<Eigen::Index>(3 * own_.size());
    out.Phi.resize(m);
    out.Phi_q.setZero(m, n);
    for (Eigen::Index r = 0; r < m; ++r) {
      const PlacedRow& row = rows_[static_cast<std::size_t>(r)];
      const Three x = positions(row, links);
      const double s = row.input >= 0 ? inputs[static_cast<std::size_t>(row.input)].position : 0.0;
      out.Phi[r] = coordinates::row_residual<double>(row.form, pointers(x), row.constant, s) -
                   (row.form == RowForm::kOffset ? s : 0.0);
      const auto gradient = coordinates::row_gradient<double>(row.form, pointers(x), row.constant, s);
      for (std::size_t f = 0; f < static_cast<std::size_t>(coordinates::feature_count(row.form)); ++f) {
        const PlacedFeature& feature = row.features[f];
        if (feature.own < 0) continue;
        const Vector3d& g = gradient.by_feature[f];
        const PlanarVector across = turned(links[feature.link].direction(feature.local));
        const Eigen::Index c = 3 * feature.own;
        if (feature.is_point) out.Phi_q.block<1, 2>(r, c) += g.head<2>().transpose();
        out.Phi_q(r, c + 2) += g.x() * across.x + g.y() * across.y;
      }
    }
  }

  /// Velocities and accelerations: what other links and inputs bring goes to the right-hand side.
  void solve_rates(std::span<const CoordinateValue> inputs, std::span<PlanarLink> links,
                   const Level& level) const {
    for (const std::size_t link : own_) {
      links[link].v = {};
      links[link].a = {};
      links[link].w = links[link].alpha = 0.0;
    }
    const auto write = [&](const VectorXd& rates, bool is_velocity) {
      for (std::size_t k = 0; k < own_.size(); ++k) {
        const auto c = static_cast<Eigen::Index>(3 * k);
        PlanarLink& link = links[own_[k]];
        (is_velocity ? link.v : link.a) = {rates[c], rates[c + 1]};
        (is_velocity ? link.w : link.alpha) = rates[c + 2];
      }
    };
    VectorXd right(level.Phi.size());
    for (const bool is_velocity : {true, false}) {
      // With the own rates of this level zero, the time derivative of the row is what has to be made up for.
      for (Eigen::Index r = 0; r < right.size(); ++r)
        right[r] = -derivative(rows_[static_cast<std::size_t>(r)], inputs, links, is_velocity);
      write(solve_rows(level.Phi_q, right), is_velocity);
    }
  }

  static double derivative(const PlacedRow& row, std::span<const CoordinateValue> inputs,
                           std::span<const PlanarLink> links, bool is_first) {
    Three x, x_dot, x_ddot;
    const auto count = static_cast<std::size_t>(coordinates::feature_count(row.form));
    for (std::size_t f = 0; f < count; ++f) {
      const PlacedFeature& feature = row.features[f];
      PlanarLink link = links[feature.link];
      if (!feature.is_point) link.p = link.v = link.a = {};
      const PlanarPoint point = link.point(feature.local);
      x[f] = lifted(point.p);
      x_dot[f] = lifted(point.v);
      x_ddot[f] = lifted(point.a);
    }
    const CoordinateValue s =
        row.input >= 0 ? inputs[static_cast<std::size_t>(row.input)] : CoordinateValue{};
    const auto gradient = coordinates::row_gradient<double>(row.form, pointers(x), row.constant, s.position);
    const double by_input = row.input < 0 ? 0.0 : row.form == RowForm::kOffset ? -1.0 : gradient.by_angle;
    double sum = by_input * (is_first ? s.velocity : s.acceleration);
    for (std::size_t f = 0; f < count; ++f)
      sum += gradient.by_feature[f].dot(is_first ? x_dot[f] : x_ddot[f]);
    if (!is_first)
      sum += coordinates::row_second_order(row.form, pointers(x), pointers(x_dot), row.constant, s.position,
                                           s.velocity);
    return sum;
  }

  static VectorXd solve_rows(const MatrixXd& A, const VectorXd& b) {
    if (A.rows() == A.cols()) return A.partialPivLu().solve(b);
    return A.colPivHouseholderQr().solve(b);  // redundant, compatible rows
  }

  static void move(PlanarLink& link, const Vector3d& d) {
    link.p = link.p + PlanarVector{d.x(), d.y()};
    link.u = product(link.u, {std::cos(d.z()), std::sin(d.z())});
    link.u = (1.0 / std::sqrt(dot(link.u, link.u))) * link.u;
  }

  double scaled_size(const VectorXd& d) const {
    double size = 0.0;
    for (Eigen::Index c = 0; c < d.size(); ++c)
      size = std::max(size, std::abs(d[c]) / (c % 3 == 2 ? 1.0 : length_));
    return size;
  }

  double length_;
  std::vector<std::size_t> own_;  ///< its links
  std::vector<PlacedRow> rows_;
  int sign_ = 0;
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_general_planar_group(const GroupContext& context,
                                                             const structure::StructuralGroup& group) {
  for (const int input : group.inputs)
    if (!context.structure.inputs[static_cast<std::size_t>(input)].variable) return nullptr;
  return std::make_unique<GeneralPlanarGroup>(context, group);
}

}  // namespace eslabon::kinematics
