#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include "eslabon/coordinates/euler_parameters.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/index.hpp"

// Relative coordinates: those of the joints of the spanning tree. The joints and rods outside it are closed by rows
// between the bodies that they join [Seed004, §3, eqs. (20)–(22)], whose Jacobian follows by the chain rule from the
// motions that unit rates of the joints give (eqs. (23)–(25)):
//   point       ∂x/∂q_i = v_i + w_i × x,      x_bias = a_O + α × x + ω × ẋ                       (1)
//   direction   ∂u/∂q_i = w_i × u,            u_bias = α × u + ω × (ω × u)                       (2)
// with (α, a_O) the acceleration that the rates alone give, about the world's origin.
namespace eslabon::coordinates {

namespace {

using core::index;
using core::Vector3;
using Eigen::Vector3d;
using model::JointType;

class RelativeMap final : public FeatureMap {
 public:
  RelativeMap(const KinematicTree& tree, const std::vector<Feature>& features) : tree_(tree) {
    for (const Feature& feature : features) {
      const int link = tree.link_of(feature.body);
      const core::Pose<double>& X_LB = tree.X_LB(feature.body);
      places_.push_back({append(tree.link(link).path), link, feature.is_point,
                         feature.is_point ? X_LB.apply_to_point(feature.local_B)
                                          : X_LB.apply_to_direction(feature.local_B)});
    }
  }

#define ESLABON_OVERRIDE(T) \
  void evaluate(std::span<const T> q, FeatureValues<T>& out) const override { evaluate_as<T>(q, out); }
  ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_OVERRIDE)
#undef ESLABON_OVERRIDE

  void evaluate_bias(std::span<const double> q, std::span<const double> v,
                     const FeatureValues<double>& values, std::span<Vector3d> bias) const override {
    // The caller's span has room for the motions of the links behind the features.
    const std::span<Vector3d> motions = bias.subspan(places_.size());
    tree_.evaluate_motions(q, v, {}, values.tree, motions);
    for (std::size_t f = 0; f < places_.size(); ++f) {
      const Place& place = places_[f];
      const Vector3d& w = motions[4 * index(place.link)];
      const Vector3d& v_O = motions[4 * index(place.link) + 1];
      const Vector3d& alpha = motions[4 * index(place.link) + 2];
      const Vector3d& a_O = motions[4 * index(place.link) + 3];
      const Vector3d& x = values.x[f];
      bias[f] = place.is_point ? Vector3d(a_O + alpha.cross(x) + w.cross(v_O + w.cross(x)))  // (1)
                               : Vector3d(alpha.cross(x) + w.cross(w.cross(x)));             // (2)
    }
  }
  int bias_scratch() const override { return 4 * tree_.num_links(); }

 private:
  struct Place {
    int first_J;
    int link;
    bool is_point;
    Vector3d local_L;
  };

  // Seed000 eq. 58, eq. 59
  // Seed004 eq. 25
  template <class T>
  void evaluate_as(std::span<const T> q, FeatureValues<T>& out) const {
    prepare(out);
    tree_.evaluate(q, out.tree);
    for (std::size_t f = 0; f < places_.size(); ++f) {
      const Place& place = places_[f];
      Vector3<T>& x = out.x[f];
      x = out.tree.R_WL[index(place.link)] * place.local_L.cast<T>();
      if (place.is_point) x += out.tree.p_WL[index(place.link)];
      std::size_t slot = index(place.first_J);
      for (const int column : tree_.link(place.link).path) {
        Vector3<T>& J = out.J[slot++];
        J = out.tree.axis_w[index(column)].cross(x);  // (1), (2)
        if (place.is_point) J += out.tree.axis_v[index(column)];
      }
    }
  }

  const KinematicTree& tree_;
  std::vector<Place> places_;
};

/// Names of the numbers that follow a joint's name.
std::vector<Coordinate> coordinates_of(JointType type, bool is_planar) {
  std::vector<Coordinate> list;
  const int count = model::is_floating(type) ? 0 : model::coordinate_count(type);
  for (int k = 0; k < count; ++k)
    list.push_back({count == 1 ? "q" : "q" + std::to_string(k + 1), model::coordinate_dimension(type, k)});
  if (model::is_floating(type) || model::is_shifting(type))
    for (const char* const axis : {"x", "y", "z"})
      if (!is_planar || *axis != 'z') list.push_back({axis, core::kLength});
  if (model::is_floating(type) && is_planar) list.push_back({"angle", core::kAngle});
  if (model::turns_freely(type) || (model::is_floating(type) && !is_planar))
    for (const char* const parameter : {"e0", "e1", "e2", "e3"}) list.push_back({parameter, core::kNumber});
  return list;
}

class RelativeLayout final : public Layout {
 public:
  // Seed001 eq. 1.4
  RelativeLayout(const model::Mechanism& mechanism, const structure::Structure& structure)
      : mechanism_(mechanism), tree_(mechanism, structure) {
    coordinates_.resize(index(tree_.num_coordinates()));
    std::vector<Row> tree_rows;
    for (const int l : tree_.order())
      if (l != 0) append_link(tree_.link(l), tree_rows);
    rows_.insert(rows_.end(), std::make_move_iterator(tree_rows.begin()),
                 std::make_move_iterator(tree_rows.end()));
    for (const structure::Loop& loop : structure.tree.loops)
      for (Row& row : joint_rows(mechanism, loop.closing_joint)) rows_.push_back(std::move(row));
  }

  std::string_view name() const override { return "relative"; }
  bool has_chains() const override { return true; }

  std::unique_ptr<FeatureMap> make_map(const std::vector<Feature>& features) const override {
    return std::make_unique<RelativeMap>(tree_, features);
  }

  std::optional<int> column_of(const model::Variable& variable) const override {
    if (variable.kind != model::VariableKind::kJointPosition) return std::nullopt;
    const model::JointIndex joint = std::get<model::JointIndex>(variable.element);
    const int first = tree_.first_column(joint);
    if (first < 0 || model::is_floating(mechanism_.joint(joint).type)) return std::nullopt;
    return first + variable.component;
  }

  // Seed004 eq. 5
  void evaluate_bodies(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                       BodiesWorkspace& workspace, MechanismMotion& out) const override {
    workspace.links.resize(4 * index(tree_.num_links()));
    TreeValues<double>& tree = workspace.features.tree;
    tree_.evaluate(q, tree);
    tree_.evaluate_motions(q, v, a, tree, workspace.links);
    for (std::size_t b = 1; b < out.size(); ++b) {
      const model::BodyIndex body(static_cast<int>(b));
      const std::size_t link = index(tree_.link_of(body));
      const core::Pose<double>& X_LB = tree_.X_LB(body);
      const Eigen::Matrix3d R_WB = tree.R_WL[link] * X_LB.R_AB.matrix();
      const Vector3d p = tree.p_WL[link] + tree.R_WL[link] * X_LB.p_AB_A;
      const Vector3d& w = workspace.links[4 * link];
      const Vector3d& alpha = workspace.links[4 * link + 2];
      const Vector3d p_dot = workspace.links[4 * link + 1] + w.cross(p);
      out[b] = {{core::Rotation<double>::from_matrix(R_WB, kRotationTolerance), p},
                w,
                p_dot,
                alpha,
                workspace.links[4 * link + 3] + alpha.cross(p) + w.cross(p_dot)};
    }
  }

  void read_bodies(const MechanismMotion& bodies, CoordinateSpans out) const override {
    for (const int l : tree_.order()) {
      if (l == 0) continue;
      const model::JointIndex index_of_joint = tree_.link(l).joint;
      const model::Joint& joint = mechanism_.joint(index_of_joint);
      const RelativeMotion relative = relative_motion(joint, bodies);
      std::size_t column = index(tree_.first_column(index_of_joint));
      const auto write = [&](const CoordinateValue& value) {
        out.q[column] = value.position;
        out.v[column] = value.velocity;
        out.a[column] = value.acceleration;
        ++column;
      };
      const bool is_free = model::is_floating(joint.type);
      for (int k = 0; !is_free && k < model::coordinate_count(joint.type); ++k)
        write(model::has_lead(joint.type) ? joint_coordinate(joint, k, bodies)
                                          : joint_coordinate(joint.type, k, relative));
      const bool has_place = is_free || model::is_shifting(joint.type);
      for (int k = 0; has_place && k < (mechanism_.is_planar() ? 2 : 3); ++k)
        write({relative.p[k], relative.v[k], relative.a[k]});
      if (is_free && mechanism_.is_planar()) write(joint_coordinate(JointType::kRevolute, 0, relative));
      if (model::turns_freely(joint.type) || (is_free && !mechanism_.is_planar())) {
        const EulerParameterMotion e =
            euler_parameters_of({core::Rotation<double>::from_matrix(relative.R, kRotationTolerance),
                                 relative.w, relative.alpha});
        for (int k = 0; k < 4; ++k) write({e.e[k], e.e_dot[k], e.e_ddot[k]});
      }
    }
  }

 private:
  static constexpr double kRotationTolerance = 1e-9;  // products of many rotations drift by roundoff only

  // Seed000 eq. 56
  void append_link(const TreeLink& link, std::vector<Row>& tree_rows) {
    const model::Joint& joint = mechanism_.joint(link.joint);
    const std::vector<Coordinate> own = coordinates_of(joint.type, mechanism_.is_planar());
    const int first = tree_.first_column(link.joint);
    for (std::size_t k = 0; k < own.size(); ++k)
      coordinates_[index(first) + k] = {joint.name + "." + own[k].name, own[k].dimension};
    for (const JointStep& step : link.steps)
      if (step.kind == JointStep::Kind::kBall)
        rows_.push_back({.form = RowForm::kUnit,
                         .features = {},
                         .column = step.column,
                         .label = {link.joint, "unit Euler parameters"}});
    for (Row& row : rows_beside_steps(mechanism_, link.joint)) tree_rows.push_back(std::move(row));
  }

  const model::Mechanism& mechanism_;
  KinematicTree tree_;
};

}  // namespace

std::unique_ptr<Layout> make_relative_layout(const model::Mechanism& mechanism,
                                             const structure::Structure& structure) {
  return std::make_unique<RelativeLayout>(mechanism, structure);
}

}  // namespace eslabon::coordinates
