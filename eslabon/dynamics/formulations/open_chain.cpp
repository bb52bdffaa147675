#include "eslabon/dynamics/formulations/open_chain.hpp"

#include <cmath>

#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/coordinates/turn.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/formulations/all_integrated.hpp"
#include "eslabon/dynamics/formulations/articulated_inertia.hpp"
#include "eslabon/dynamics/mass/link_mass.hpp"

// Open chains by articulated inertias, linear in the number of joints [Featherstone2008, ch. 7], with the motions b_i of [Seed004, §2].
// Everything of a link is written about a point near it, along the axes of the world, a new one every kLinksPerPoint links: about one
// point for all, moments of inertia of links that are far from it would leave no digits for those about their joints. From the leaves to
// the root, step by step of every joint,
//   U = I^A b,   D = bᵀ U,   u = −bᵀ p^A                                                                      (1)
//   I^A ← I^A − U Uᵀ / D,   p^A ← p^A + I^A c + U u / D                                                       (2)
// and back:  z̈ = (u − Uᵀ (A + c)) / D,   A ← A + c + b z̈,   with c = V × b ż what the motion alone accelerates.   (3)
// From a point to another one, farther by d:   v ← v + w × d   for motions,   and for forces and inertias, back by d:
//   n ← n + d × f,     I ← Xᵀ I X,   X = [1 0; −d× 1]                                                         (4)
namespace eslabon::dynamics {

namespace {

using coordinates::JointStep;
using coordinates::KinematicTree;
using core::index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kNoMass = 1e-15;   // of what roundoff leaves of a mass
constexpr int kLinksPerPoint = 16;  // a few digits at most are lost over so many

class OpenChain final : public AllIntegrated {
 public:
  explicit OpenChain(const DynamicModel& model)
      : model_(model),
        system_("relative", model.mechanism(), model.structure(), {}),
        tree_(model.mechanism(), model.structure()),
        n_(index(tree_.num_coordinates())),
        origin_(common_origin(tree_)),
        chain_(chain_links(model, tree_, origin_)),
        steps_(n_),
        links_(chain_.size()),
        zero_(n_, 0.0),
        bodies_(model.mechanism().bodies().size()),
        wrenches_(bodies_.size()),
        state_rates_(model.mechanism().states().size()) {}

  std::string_view name() const override { return "semi-recursive"; }
  std::string description() const override {
    return "open chain by articulated inertias: " + std::to_string(n_) + (n_ == 1 ? " DOF" : " DOFs");
  }
  int num_coordinates() const override { return static_cast<int>(n_); }

  bool drifts() const override { return false; }
  void read_scales(std::span<double> out) const override {
    const double length = coordinates::length_scale(model_.mechanism());
    for (std::size_t k = 0; k < n_; ++k)
      out[k] = system_.coordinates()[k].dimension == core::kLength ? length : 1.0;
  }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    State state{t, std::vector<double>(n_), std::vector<double>(n_), model_.start_memory()};
    std::vector<double> a(n_);
    system_.read_bodies(bodies, {state.q, state.v, a});
    model_.forces().follow_angles(bodies, state.memory.angles);
    return state;
  }
  // Seed000 eq. 102
  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    const bool has_weights_only = model_.forces().has_weights_only();
    if (!has_weights_only) {
      system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
      if (!model_.forces().evaluate_without_weights(state.t, bodies_, state.memory, wrenches_, state_rates_))
        return DynamicsStatus::kNoValue;
    }
    move_outwards(state);
    if (!has_weights_only) add_wrenches();
    if (!gather_inwards()) return DynamicsStatus::kSingular;
    accelerate_outwards(z_ddot);
    if (!a.empty()) std::copy(z_ddot.begin(), z_ddot.end(), a.begin());
    return DynamicsStatus::kSolved;
  }

  std::span<const double> state_rates() const override { return state_rates_; }

  core::ErrorText why_not(const State& state) override {
    system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
    return model_.forces().why_not(state.t, bodies_, state.memory);
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    system_.evaluate_bodies(state.q, state.v, a, bodies_workspace_, out);
  }
  double constraint_error(const State&) override { return 0.0; }

 private:
  const DynamicModel& model() const override { return model_; }
  void follow_angles(State& state) override {
    if (state.memory.angles.empty()) return;
    system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
    model_.forces().follow_angles(bodies_, state.memory.angles);
  }

  /// One freedom.
  struct Step {
    Vector6d b, c, U;
    double inverse_D, u;
  };
  struct LinkValues {
    Matrix3d R;      ///< frame of the joint on the link: its axes
    Vector3d p;      ///< and its origin, from the link's point
    Vector3d w, v;   ///< velocity; v at the point
    Vector3d point;  ///< where the link has one of its own
    Vector3d d;      ///< and to it from that of the link before
    Matrix6d inertia;
    Vector6d force;  ///< p^A
    Vector6d acceleration;
  };
  /// A link as seen from the frame of the joint that carries it.
  struct ChainLink {
    Matrix3d R_PF =
        Matrix3d::Identity();  ///< axes of the joint before it moves, in the frame of the parent's joint
    Vector3d p_PF = Vector3d::Zero();  ///< and its origin
    bool is_aligned = true;            ///< R_PF = 1
    int depth = 0;                     ///< links to the ground
    bool has_own_point = false;        ///< the origin of its joint; otherwise that of the link before it
    int point_of = 0;                  ///< the link that has its point
    LinkMass mass;
  };
  /// A point near the mechanism, from which positions are counted: far from it digits are lost.
  static Vector3d common_origin(const KinematicTree& tree) {
    Vector3d sum = Vector3d::Zero();
    int count = 0;
    for (int l = 1; l < tree.num_links(); ++l)
      if (tree.link(l).parent == 0) {
        sum += tree.link(l).X_PF.p_AB_A;
        ++count;
      }
    return count == 0 ? sum : Vector3d(sum / count);
  }

  static std::vector<ChainLink> chain_links(const DynamicModel& model, const KinematicTree& tree,
                                            const Vector3d& origin) {
    std::vector<ChainLink> chain(index(tree.num_links()));
    const std::vector<LinkMass> masses = link_masses(model.mechanism(), tree);
    for (const int l : tree.order()) {
      if (l == 0) continue;
      const coordinates::TreeLink& link = tree.link(l);
      ChainLink& out = chain[index(l)];
      out.depth = chain[index(link.parent)].depth + 1;
      out.has_own_point = out.depth % kLinksPerPoint == 0;
      out.point_of = out.has_own_point ? l : chain[index(link.parent)].point_of;
      const core::Pose<double> X_PF = tree.link(link.parent).X_FL * link.X_PF;
      out.R_PF = X_PF.R_AB.matrix();
      out.p_PF = X_PF.p_AB_A;
      if (link.parent == 0) out.p_PF -= origin;
      out.is_aligned = out.R_PF.isIdentity(0.0);
      const Matrix3d& R_FL = link.X_FL.R_AB.matrix();
      const LinkMass& mass = masses[index(l)];
      out.mass = mass;
      out.mass.p_LC_L = link.X_FL.apply_to_point(mass.p_LC_L);
      out.mass.I_LC_L = R_FL * mass.I_LC_L * R_FL.transpose();
    }
    return chain;
  }

  /// Poses, velocities, b and c of every step, and inertia and bias force of every link.
  void move_outwards(const State& state) {
    LinkValues& ground = links_[0];
    ground.R.setIdentity();
    ground.p.setZero();
    ground.point.setZero();
    ground.w.setZero();
    ground.v.setZero();
    for (const int l : tree_.order())
      if (l != 0) move(l, state);
  }

  /// About which motions, forces and inertia of a link are written, from the origin.
  const Vector3d& point_of(int l) const { return links_[index(chain_[index(l)].point_of)].point; }

  // Seed000 eq. 31, eq. 32
  void move(int l, const State& state) {
    const ChainLink& chain = chain_[index(l)];
    const LinkValues& parent = links_[index(tree_.link(l).parent)];
    LinkValues& values = links_[index(l)];
    Matrix3d R = parent.R;
    if (!chain.is_aligned) R.noalias() = parent.R * chain.R_PF;
    Vector3d p = parent.p + parent.R * chain.p_PF, w = parent.w, v = parent.v;
    if (chain.has_own_point) {
      values.d = p;
      values.point = point_of(tree_.link(l).parent) + p;
      v += w.cross(p);  // (4)
      p.setZero();
    }
    for (const JointStep& joint_step : tree_.link(l).steps) {
      const std::size_t k = index(joint_step.column);
      Step& step = steps_[k];
      const double rate = state.v[k];
      const Vector3d axis = joint_step.sign * R.col(joint_step.axis);
      if (joint_step.kind == JointStep::Kind::kRotation) {
        const Vector3d b_v = p.cross(axis) + joint_step.pitch * axis;
        step.b << axis, b_v;
        step.c << rate * w.cross(axis), rate * (w.cross(b_v) + v.cross(axis));
        w += rate * axis;
        v += rate * b_v;
        p += joint_step.pitch * state.q[k] * axis;
        coordinates::turn_about_own_axis<double>(R, joint_step.axis, joint_step.sign * state.q[k]);
      } else {
        step.b << Vector3d::Zero(), axis;
        step.c << Vector3d::Zero(), rate * w.cross(axis);
        v += rate * axis;
        p += state.q[k] * axis;
      }
    }
    values.R = R;
    values.p = p;
    values.w = w;
    values.v = v;
    if (chain.mass.mass == 0.0) {
      values.inertia.setZero();
      values.force.setZero();
      return;
    }
    const double m = chain.mass.mass;
    const Vector3d c = p + R * chain.mass.p_LC_L;
    const Matrix3d I = R * chain.mass.I_LC_L * R.transpose();
    Matrix3d cross;
    cross << 0.0, -m * c.z(), m * c.y(), m * c.z(), 0.0, -m * c.x(), -m * c.y(), m * c.x(), 0.0;
    values.inertia.topLeftCorner<3, 3>() = I;
    values.inertia.topLeftCorner<3, 3>().noalias() -= m * c * c.transpose();
    values.inertia.topLeftCorner<3, 3>().diagonal().array() += m * c.squaredNorm();
    values.inertia.topRightCorner<3, 3>() = cross;
    values.inertia.bottomLeftCorner<3, 3>() = -cross;
    values.inertia.bottomRightCorner<3, 3>().setZero();
    values.inertia.bottomRightCorner<3, 3>().diagonal().setConstant(m);
    // What the motion needs without acceleration, less the weight.
    const Vector3d force = m * (w.cross(v + w.cross(c)) - model_.mechanism().gravity_W());
    values.force << w.cross(I * w) + c.cross(force), force;
  }

  void add_wrenches() {
    for (std::size_t b = 1; b < wrenches_.size(); ++b) {
      const int l = tree_.link_of(model::BodyIndex(static_cast<int>(b)));
      LinkValues& link = links_[index(l)];
      const Vector3d d = bodies_[b].X_WB.p_AB_A - origin_ - point_of(l);
      link.force.head<3>() -= wrenches_[b].torque + d.cross(wrenches_[b].force);
      link.force.tail<3>() -= wrenches_[b].force;
    }
  }

  /// (4), of a velocity or an acceleration.
  static void move_motion(Vector6d& motion, const Vector3d& d) {
    motion.tail<3>() += motion.head<3>().cross(d);
  }
  /// (4): adds what the link needs to what the link before it needs, whose point is back by d.
  // Seed000 eq. 50
  static void add_moved(const LinkValues& link, const Vector3d& d, LinkValues& parent) {
    add_shifted(link.inertia, link.force, d, parent.inertia, parent.force);
  }
  /// Whether what a step moves has a mass, beside what roundoff leaves of one: surely where it has one beside what is moved in all.
  static bool has_mass(const Step& step, double D, const Matrix6d& inertia) {
    return D > kNoMass * step.b.squaredNorm() * inertia.trace() ||
           D > kNoMass * (step.b.head<3>().squaredNorm() * inertia.topLeftCorner<3, 3>().trace() +
                          step.b.tail<3>().squaredNorm() * inertia.bottomRightCorner<3, 3>().trace());
  }

  bool gather_inwards() {
    for (auto l = tree_.order().rbegin(); l != tree_.order().rend(); ++l) {
      if (*l == 0) continue;
      const coordinates::TreeLink& link = tree_.link(*l);
      LinkValues& values = links_[index(*l)];
      for (auto joint_step = link.steps.rbegin(); joint_step != link.steps.rend(); ++joint_step) {
        Step& step = steps_[index(joint_step->column)];
        step.U.noalias() = values.inertia * step.b;
        const double D = step.b.dot(step.U);
        if (!has_mass(step, D, values.inertia)) return false;
        step.inverse_D = 1.0 / D;
        step.u = -step.b.dot(values.force);  // (1)
        const Vector6d scaled = step.inverse_D * step.U;
        values.inertia.noalias() -= scaled * step.U.transpose();
        values.force.noalias() += values.inertia * step.c;
        values.force += step.u * scaled;  // (2)
      }
      if (link.parent == 0) continue;
      LinkValues& parent = links_[index(link.parent)];
      if (chain_[index(*l)].has_own_point) {
        add_moved(values, values.d, parent);
      } else {
        parent.inertia += values.inertia;
        parent.force += values.force;
      }
    }
    return true;
  }

  void accelerate_outwards(std::span<double> z_ddot) {
    links_[0].acceleration.setZero();
    for (const int l : tree_.order()) {
      if (l == 0) continue;
      const coordinates::TreeLink& link = tree_.link(l);
      const LinkValues& parent = links_[index(link.parent)];
      Vector6d A = parent.acceleration;
      if (chain_[index(l)].has_own_point) move_motion(A, links_[index(l)].d);
      for (const JointStep& joint_step : link.steps) {
        const std::size_t k = index(joint_step.column);
        const Step& step = steps_[k];
        A += step.c;
        z_ddot[k] = (step.u - step.U.dot(A)) * step.inverse_D;  // (3)
        A += z_ddot[k] * step.b;
      }
      links_[index(l)].acceleration = A;
    }
  }

  DynamicModel model_;
  coordinates::ConstraintSystem system_;
  KinematicTree tree_;
  std::size_t n_;
  Vector3d origin_;               ///< of all positions here
  std::vector<ChainLink> chain_;  ///< (links)
  // Scratch.
  std::vector<Step> steps_;
  std::vector<LinkValues> links_;
  std::vector<double> zero_;
  coordinates::BodiesWorkspace bodies_workspace_;
  coordinates::MechanismMotion bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<double> state_rates_;
};

}  // namespace

bool is_open_chain(const DynamicModel& model) {
  if (!model.prescribed().empty()) return false;
  const KinematicTree tree(model.mechanism(), model.structure());
  for (int l = 1; l < tree.num_links(); ++l)
    for (const JointStep& step : tree.link(l).steps)
      if (step.kind == JointStep::Kind::kBall) return false;
  for (const model::Joint& joint : model.mechanism().joints())
    if (joint.type == model::JointType::kRod) return false;
  return coordinates::ConstraintSystem("relative", model.mechanism(), model.structure(), {}).num_rows() == 0;
}

std::unique_ptr<Formulation> make_open_chain(const DynamicModel& model) {
  return std::make_unique<OpenChain>(model);
}

}  // namespace eslabon::dynamics
