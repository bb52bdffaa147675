#include "eslabon/kinematics/groups/general_group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/kinematics/groups/coupled_rows.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;
using coordinates::JointStep;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Kind = JointStep::Kind;
using Pose = core::Pose<double>;

constexpr int kMostIterations = 20;
constexpr double kLastCorrection = 1e-8;  // the next would be its square: roundoff
constexpr double kClosed = 1e-10;         // residual of a closed group, lengths in units of the size

/// A joint of the tree, from the link nearer to the root to the other.
struct TreeJoint {
  std::size_t parent, child;  ///< places
  Pose X_PF;                  ///< the joint's frame on the parent
  Pose X_FL;                  ///< the child's frame in the joint's frame on the child
  model::JointType type;
  bool is_reversed;  ///< the child is the joint's first body
  std::size_t first_step, num_steps;
};

void set_turn(double cosine, double sine, StepPlace& place) {
  const double inverse = 1.0 / std::sqrt(cosine * cosine + sine * sine);
  place.cosine = cosine * inverse;
  place.sine = sine * inverse;
}

template <class Link>
class GeneralGroup final : public GroupSolver<Link> {
 public:
  GeneralGroup(const GroupContext<Link>& context, const structure::StructuralGroup& group)
      : length_(coordinates::length_scale(context.mechanism)) {
    grow_tree(context, group);
    if (joints_.size() != group.links.size()) return;
    for (const model::JointIndex joint : group.joints) {
      const bool is_in_tree = std::ranges::find(tree_joints_, joint) != tree_joints_.end();
      // A rod in the tree is a free joint with a row for its length.
      for (const coordinates::Row& row : is_in_tree ? coordinates::rows_beside_steps(context.mechanism, joint)
                                                    : coordinates::joint_rows(context.mechanism, joint))
        add_row(place_row(row, -1, context.tree));
      if (is_in_tree && model::has_lead(context.mechanism.joint(joint).type))
        add_row(place_row(coordinates::screw_row(context.mechanism, joint), -1, context.tree));
    }
    for (std::size_t i = 0; i < context.prescribed.size(); ++i) {
      const auto* held = std::get_if<coordinates::HeldDirection>(&context.prescribed[i].what);
      const int number = static_cast<int>(i);
      const bool is_own =
          held == nullptr ? std::ranges::find(group.inputs, number) != group.inputs.end()
                          : std::ranges::find(group.links, context.structure.topology.link_of(held->body)) !=
                                group.links.end();
      if (is_own) add_row(prescribed_row(context.mechanism, context.prescribed[i], number, context.tree));
    }
    for (const model::CouplingIndex coupling : group.couplings)
      add_coupling(coupled_row(context.mechanism, coupling, context.coupled, context.tree));
    is_complete_ = true;
  }

  /// Finds which rows have the sign. False unless every link hangs on the tree and the rows determine the group where it starts.
  bool find_sign(const GroupContext<Link>& context) {
    if (!is_complete_ || num_rows() < num_unknowns_) return false;
    GroupScratch scratch;
    scratch.coupled.assign(context.start_coupled.begin(), context.start_coupled.end());
    read_links(context.start, scratch);
    evaluate(context.start_inputs, scratch);
    sign_rows_ = scratch.equations.choose_rows();
    return scratch.equations.factor(sign_rows_);
  }

  // Seed001 eq. 2.5, eq. 3.7
  GroupStatus solve(std::span<const CoordinateValue> inputs, GroupBranch& branch, std::span<Link> links,
                    GroupScratch& scratch) const override {
    read_links(links, scratch);
    GroupEquations& equations = scratch.equations;
    double last = 0.0;
    bool is_converged = num_unknowns_ == 0;
    for (int i = 0; !is_converged; ++i) {
      if (i == kMostIterations) return GroupStatus::kOutOfReach;
      evaluate(inputs, scratch);
      if (!equations.factor(sign_rows_)) return GroupStatus::kSingular;
      equations.b = -equations.b;
      equations.solve();
      const double size = equations.b.head(unknowns()).cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return GroupStatus::kOutOfReach;
      move(scratch);
      if (i > 1 && size > 0.5 * last && size > kLastCorrection) return GroupStatus::kOutOfReach;
      last = size;
      is_converged = size <= kLastCorrection;
    }
    evaluate(inputs, scratch);
    if (!(equations.b.template lpNorm<Eigen::Infinity>() <= kClosed)) return GroupStatus::kOutOfReach;
    if (!equations.factor(sign_rows_)) return GroupStatus::kSingular;
    if (branch != kNearestBranch && branch != equations.sign()) return GroupStatus::kSingular;
    branch = static_cast<GroupBranch>(equations.sign());
    solve_rates(inputs, scratch);
    for (const TreeJoint& joint : joints_)
      links[link_of_place_[joint.child]] = Link::from_spatial(scratch.places[joint.child]);
    return GroupStatus::kSolved;
  }

  GroupBranch branch_at(std::span<const CoordinateValue> inputs, std::span<const Link> links,
                        GroupScratch& scratch) const override {
    read_links(links, scratch);
    evaluate(inputs, scratch);
    return scratch.equations.factor(sign_rows_) ? static_cast<GroupBranch>(scratch.equations.sign())
                                                : GroupBranch{0};
  }

 private:
  std::size_t num_rows() const { return rows_.size() + couplings_.size(); }
  Eigen::Index unknowns() const { return static_cast<Eigen::Index>(num_unknowns_); }

  /// Place of a link among those that the group knows of; a new one for a new link.
  std::size_t place_of(std::size_t link) {
    const auto found = std::ranges::find(link_of_place_, link);
    if (found == link_of_place_.end()) {
      link_of_place_.push_back(link);
      paths_.emplace_back();
      return link_of_place_.size() - 1;
    }
    return static_cast<std::size_t>(found - link_of_place_.begin());
  }

  /// Takes one joint after the other, each time the one with the fewest freedoms that reaches a new link of the group.
  void grow_tree(const GroupContext<Link>& context, const structure::StructuralGroup& group) {
    const structure::Topology& topology = context.structure.topology;
    std::vector<bool> is_reached(topology.links.size(), true);
    for (const structure::LinkIndex link : group.links) is_reached[link.slot()] = false;
    const bool is_planar = context.mechanism.is_planar();
    while (true) {
      int fewest = std::numeric_limits<int>::max();
      model::JointIndex best{0};
      for (const model::JointIndex index : group.joints) {
        const model::Joint& joint = context.mechanism.joint(index);
        const bool first = is_reached[topology.link_of(joint.first()).slot()],
                   second = is_reached[topology.link_of(joint.second()).slot()];
        if (first == second || model::freedoms(joint.type, is_planar) >= fewest) continue;
        fewest = model::freedoms(joint.type, is_planar);
        best = index;
      }
      if (fewest == std::numeric_limits<int>::max()) return;
      const model::Joint& joint = context.mechanism.joint(best);
      add_tree_joint(context, best, is_reached[topology.link_of(joint.second()).slot()]);
      is_reached[link_of_place_[joints_.back().child]] = true;
    }
  }

  void add_tree_joint(const GroupContext<Link>& context, model::JointIndex index, bool is_reversed) {
    const model::Joint& joint = context.mechanism.joint(index);
    const model::JointEnd &near = joint.ends[is_reversed ? 1 : 0], &far = joint.ends[is_reversed ? 0 : 1];
    const auto place = [&](const model::JointEnd& end) {
      return place_of(static_cast<std::size_t>(context.tree.link_of(end.body)));
    };
    // A screw turns and slides in two steps here, with a row that ties them.
    std::vector<JointStep> steps =
        coordinates::forward_steps(model::has_lead(joint.type) ? model::JointType::kCylindrical : joint.type,
                                   context.mechanism.is_planar());
    const std::size_t parent = place(near), child = place(far);
    joints_.push_back({parent, child, context.tree.X_LB(near.body) * near.X_BF,
                       (context.tree.X_LB(far.body) * far.X_BF).inverse(), joint.type, is_reversed,
                       steps_.size(), steps.size()});
    tree_joints_.push_back(index);
    if (is_reversed) std::ranges::reverse(steps);
    paths_[child] = paths_[parent];
    for (JointStep& step : steps) {
      step.sign = is_reversed ? -1.0 : 1.0;
      step.column = static_cast<int>(num_unknowns_);
      num_unknowns_ += step.kind == Kind::kBall ? 3 : 1;
      paths_[child].push_back(steps_.size());
      steps_.push_back(step);
    }
  }

  void add_row(LinkRow row) {
    for (std::size_t f = 0; f < static_cast<std::size_t>(row.num_features()); ++f)
      row.features[f].link = place_of(row.features[f].link);
    rows_.push_back(row);
  }

  void add_coupling(CoupledRow row) {
    for (CoupledRow::Term& term : row.terms)
      for (std::size_t f = 0; f < static_cast<std::size_t>(term.coordinate.num_features()); ++f)
        term.coordinate.features[f].link = place_of(term.coordinate.features[f].link);
    couplings_.push_back(std::move(row));
  }

  /// Where the links are, and from that where the joints of the tree are: the nearest position that these allow.
  void read_links(std::span<const Link> links, GroupScratch& scratch) const {
    scratch.places.resize(link_of_place_.size());
    scratch.steps.resize(steps_.size());
    scratch.rates.resize(steps_.size());
    scratch.accelerations.resize(steps_.size());
    for (std::size_t k = 0; k < link_of_place_.size(); ++k)
      scratch.places[k] = links[link_of_place_[k]].to_spatial();
    for (const TreeJoint& joint : joints_) {
      const SpatialLink &parent = scratch.places[joint.parent], &child = scratch.places[joint.child];
      const Matrix3d R_WF1 = parent.R * joint.X_PF.R_AB.matrix();
      const Matrix3d R_WF2 = child.R * joint.X_FL.R_AB.matrix().transpose();
      const Vector3d across = child.p - R_WF2 * joint.X_FL.p_AB_A - parent.p - parent.R * joint.X_PF.p_AB_A;
      if (joint.is_reversed)
        read_joint(joint, R_WF2.transpose() * R_WF1, -(R_WF2.transpose() * across), scratch);
      else
        read_joint(joint, R_WF1.transpose() * R_WF2, R_WF1.transpose() * across, scratch);
    }
  }

  /// R, p: of the joint's second frame in its first.
  void read_joint(const TreeJoint& joint, const Matrix3d& R, const Vector3d& p, GroupScratch& scratch) const {
    for (std::size_t k = joint.first_step; k < joint.first_step + joint.num_steps; ++k) {
      const JointStep& step = steps_[k];
      StepPlace& place = scratch.steps[k];
      switch (step.kind) {
        case Kind::kTranslation:
          place.shift = p[step.axis];
          break;
        case Kind::kBall:
          place.ball = core::orthonormal(joint.is_reversed ? Matrix3d(R.transpose()) : R);
          break;
        case Kind::kRotation:
          if (step.axis == 2)
            set_turn(R(0, 0) + R(1, 1), R(1, 0) - R(0, 1), place);
          else if (step.axis == 0)  // R_x(q₁) R_y(q₂) of a universal joint
            set_turn(R(1, 1), R(2, 1), place);
          else
            set_turn(R(0, 0), R(0, 2), place);
          break;
      }
    }
  }

  /// Poses of the group's links from where its joints are.
  void place_links(GroupScratch& scratch) const {
    for (const TreeJoint& joint : joints_) {
      const SpatialLink& parent = scratch.places[joint.parent];
      Matrix3d R = parent.R * joint.X_PF.R_AB.matrix();
      Vector3d p = parent.p + parent.R * joint.X_PF.p_AB_A;
      for (std::size_t k = joint.first_step; k < joint.first_step + joint.num_steps; ++k) {
        const JointStep& step = steps_[k];
        StepPlace& place = scratch.steps[k];
        place.R = R;
        place.p = p;
        switch (step.kind) {
          case Kind::kTranslation:
            p += step.sign * place.shift * R.col(step.axis);
            break;
          case Kind::kBall:
            R = R * place.ball;
            break;
          case Kind::kRotation: {
            const int l = (step.axis + 1) % 3, m = (step.axis + 2) % 3;
            const Vector3d u = R.col(l), w = R.col(m);
            const double sine = step.sign * place.sine;
            R.col(l) = place.cosine * u + sine * w;
            R.col(m) = place.cosine * w - sine * u;
            break;
          }
        }
      }
      SpatialLink& child = scratch.places[joint.child];
      child.p = p + R * joint.X_FL.p_AB_A;
      child.R = R * joint.X_FL.R_AB.matrix();
    }
  }

  /// Residual (in b) and Jacobian, lengths in units of the size. A force g at x does the work  e·((x − p) × g)  in a turn about e
  /// through p and  e·g  in a shift along e: the entries of the row.
  // Seed001 eq. 3.29, eq. 6.1, eq. 6.2, eq. 6.3
  void evaluate(std::span<const CoordinateValue> inputs, GroupScratch& scratch) const {
    place_links(scratch);
    GroupEquations& equations = scratch.equations;
    equations.resize(static_cast<Eigen::Index>(num_rows()), unknowns());
    equations.A.setZero();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const LinkRow& row = rows_[r];
      const RowMotion motion = row_motion(row, scratch.places, false);
      const double s = row.input >= 0 ? inputs[static_cast<std::size_t>(row.input)].position : 0.0;
      const double scale = coordinates::is_length(row.form) ? 1.0 / length_ : 1.0;
      const auto i = static_cast<Eigen::Index>(r);
      equations.b[i] = scale * row_value(row, motion.x, s);
      const auto gradient = coordinates::row_gradient<double>(row.form, pointers(motion.x), row.constant, s);
      add_gradient(row, motion, gradient, scale, i, scratch);
    }
    for (std::size_t c = 0; c < couplings_.size(); ++c)
      evaluate_coupling(couplings_[c], static_cast<Eigen::Index>(rows_.size() + c), scratch);
  }

  /// With the gradient of a coordinate q that a row Φ(f, q) = 0 measures,  ∂q/∂f = −∂Φ/∂f / ∂Φ/∂q.
  void evaluate_coupling(const CoupledRow& row, Eigen::Index i, GroupScratch& scratch) const {
    const double scale = row.is_length ? 1.0 / length_ : 1.0;
    double sum = -row.constant;
    for (const CoupledRow::Term& term : row.terms) {
      const RowMotion motion = row_motion(term.coordinate, scratch.places, false);
      const double q =
          measured(term.coordinate, motion, scratch.coupled[term.place].position, false).position;
      sum += term.value(q);
      const auto gradient = coordinates::row_gradient<double>(term.coordinate.form, pointers(motion.x),
                                                              term.coordinate.constant, q);
      const bool is_angle = coordinates::holds_coordinate(term.coordinate.form);
      add_gradient(term.coordinate, motion, gradient,
                   scale * term.slope(q) * (is_angle ? -1.0 / gradient.by_angle : 1.0), i, scratch);
    }
    scratch.equations.b[i] = scale * sum;
  }

  /// Adds a row, times a weight, to row i of the Jacobian.
  void add_gradient(const LinkRow& row, const RowMotion& motion,
                    const coordinates::RowGradient<double>& gradient, double weight, Eigen::Index i,
                    GroupScratch& scratch) const {
    Eigen::MatrixXd& A = scratch.equations.A;
    for (std::size_t f = 0; f < static_cast<std::size_t>(row.num_features()); ++f) {
      const LinkFeature& feature = row.features[f];
      if (paths_[feature.link].empty()) continue;
      const Vector3d g = weight * gradient.by_feature[f];
      for (const std::size_t k : paths_[feature.link]) {
        const JointStep& step = steps_[k];
        const StepPlace& place = scratch.steps[k];
        if (step.kind == Kind::kTranslation) {
          if (feature.is_point) A(i, step.column) += step.sign * length_ * place.R.col(step.axis).dot(g);
          continue;
        }
        const Vector3d turning = (feature.is_point ? Vector3d(motion.x[f] - place.p) : motion.x[f]).cross(g);
        if (step.kind == Kind::kRotation)
          A(i, step.column) += step.sign * place.R.col(step.axis).dot(turning);
        else
          for (int c = 0; c < 3; ++c) A(i, step.column + c) += place.R.col(c).dot(turning);
      }
    }
  }

  /// Moves the joints by the solution.
  void move(GroupScratch& scratch) const {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const JointStep& step = steps_[k];
      StepPlace& place = scratch.steps[k];
      const double* const d = &scratch.equations.b[step.column];
      if (step.kind == Kind::kTranslation) {
        place.shift += length_ * d[0];
      } else if (step.kind == Kind::kRotation) {
        const double c = std::cos(d[0]), s = std::sin(d[0]);
        set_turn(place.cosine * c - place.sine * s, place.sine * c + place.cosine * s, place);
      } else {
        place.ball = core::Rotation<double>::from_rotation_vector({d[0], d[1], d[2]}).matrix() * place.ball;
      }
    }
  }

  /// Velocities, then accelerations: with the own rates of one level zero, what the rows do is what has to be made up for.
  // Seed001 eq. 2.6, eq. 2.7, eq. 2.11, eq. 2.14, eq. 3.10, eq. 3.13, eq. 6.4, eq. 6.5, eq. 6.6, eq. 6.7
  // Seed001 eq. 6.8
  void solve_rates(std::span<const CoordinateValue> inputs, GroupScratch& scratch) const {
    for (Vector3d& rate : scratch.rates) rate.setZero();
    for (Vector3d& acceleration : scratch.accelerations) acceleration.setZero();
    for (const bool is_velocity : {true, false}) {
      move_links(scratch);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const LinkRow& row = rows_[r];
        const RowMotion motion = row_motion(row, scratch.places, true);
        const CoordinateValue s =
            row.input >= 0 ? inputs[static_cast<std::size_t>(row.input)] : CoordinateValue{};
        const double scale = coordinates::is_length(row.form) ? 1.0 / length_ : 1.0;
        scratch.equations.b[static_cast<Eigen::Index>(r)] =
            -scale * (is_velocity ? row_velocity(row, motion, s) : row_acceleration(row, motion, s));
      }
      for (std::size_t c = 0; c < couplings_.size(); ++c)
        scratch.equations.b[static_cast<Eigen::Index>(rows_.size() + c)] =
            -rate_of(couplings_[c], is_velocity, scratch);
      scratch.equations.solve();
      for (std::size_t k = 0; k < steps_.size(); ++k) {
        const JointStep& step = steps_[k];
        Vector3d& rate = is_velocity ? scratch.rates[k] : scratch.accelerations[k];
        const double unit = step.kind == Kind::kTranslation ? length_ : 1.0;
        for (int c = 0; c < (step.kind == Kind::kBall ? 3 : 1); ++c)
          rate[c] = unit * scratch.equations.b[step.column + c];
      }
    }
    move_links(scratch);
  }

  /// dΦ/dt or d²Φ/dt² of a coupling, in units of its row.
  double rate_of(const CoupledRow& row, bool is_velocity, const GroupScratch& scratch) const {
    double sum = 0.0;
    for (const CoupledRow::Term& term : row.terms) {
      const CoordinateValue value =
          measured(term.coordinate, row_motion(term.coordinate, scratch.places, true),
                   scratch.coupled[term.place].position, true);
      sum += is_velocity ? term.slope(value.position) * value.velocity : term.acceleration(value);
    }
    return row.is_length ? sum / length_ : sum;
  }

  /// Velocities and accelerations of the group's links from those of its joints:
  ///   turn about e       ω' = ω + q̇ e,   α' = α + q̈ e + ω × q̇ e                                         (1)
  ///   shift by r along e  v' = v + ω × r + q̇ e,   a' = a + α × r + ω × (ω × r) + 2 ω × q̇ e + q̈ e          (2)
  void move_links(GroupScratch& scratch) const {
    for (const TreeJoint& joint : joints_) {
      const SpatialLink& parent = scratch.places[joint.parent];
      SpatialLink frame = parent;  // of the moving frame; its R is not used
      const SpatialPoint start = parent.point(joint.X_PF.p_AB_A);
      frame.v = start.v;
      frame.a = start.a;
      for (std::size_t k = joint.first_step; k < joint.first_step + joint.num_steps; ++k) {
        const JointStep& step = steps_[k];
        const StepPlace& place = scratch.steps[k];
        if (step.kind == Kind::kTranslation) {
          const Vector3d e = step.sign * place.R.col(step.axis), r = place.shift * e;
          const Vector3d wr = frame.w.cross(r), along = scratch.rates[k].x() * e;
          frame.v += wr + along;
          frame.a += frame.alpha.cross(r) + frame.w.cross(wr + 2.0 * along) +
                     scratch.accelerations[k].x() * e;  // (2)
          continue;
        }
        const bool is_ball = step.kind == Kind::kBall;
        const Vector3d e = step.sign * place.R.col(step.axis);
        const Vector3d turn = is_ball ? Vector3d(place.R * scratch.rates[k]) : scratch.rates[k].x() * e;
        frame.alpha += frame.w.cross(turn) + (is_ball ? Vector3d(place.R * scratch.accelerations[k])
                                                      : scratch.accelerations[k].x() * e);  // (1)
        frame.w += turn;
      }
      SpatialLink& child = scratch.places[joint.child];
      const Vector3d r = child.R * (joint.X_FL.R_AB.inverse() * joint.X_FL.p_AB_A);
      const Vector3d wr = frame.w.cross(r);
      child.w = frame.w;
      child.alpha = frame.alpha;
      child.v = frame.v + wr;
      child.a = frame.a + frame.alpha.cross(r) + frame.w.cross(wr);
    }
  }

  double length_;                           ///< size of the mechanism [m]
  std::vector<std::size_t> link_of_place_;  ///< (places)
  std::vector<std::vector<std::size_t>>
      paths_;                      ///< (places) steps from the root; none for links before the group
  std::vector<TreeJoint> joints_;  ///< parents before children
  std::vector<model::JointIndex> tree_joints_;  ///< (joints_)
  std::vector<JointStep> steps_;
  std::size_t num_unknowns_ = 0;
  std::vector<LinkRow> rows_;
  std::vector<CoupledRow> couplings_;  ///< rows behind those
  std::vector<int>
      sign_rows_;  ///< whose determinant has the sign of the branch, where there are more than unknowns
  bool is_complete_ = false;
};

template <class Link>
std::unique_ptr<GroupSolver<Link>> make(const GroupContext<Link>& context,
                                        const structure::StructuralGroup& group) {
  for (const int input : group.inputs)
    if (!is_prescribed(context.structure, context.prescribed, input)) return nullptr;
  auto solver = std::make_unique<GeneralGroup<Link>>(context, group);
  if (!solver->find_sign(context)) return nullptr;
  return solver;
}

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_general_group(const PlanarGroupContext& context,
                                                      const structure::StructuralGroup& group) {
  return make(context, group);
}

std::unique_ptr<SpatialGroupSolver> make_general_group(const SpatialGroupContext& context,
                                                       const structure::StructuralGroup& group) {
  return make(context, group);
}

}  // namespace eslabon::kinematics
