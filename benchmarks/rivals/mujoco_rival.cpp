// Question: how long does MuJoCo 2.2 take for the accelerations of the mechanisms that ours are measured with?
//
// Bodies hang in hinges, slides, balls and free joints along our spanning tree; pins in the plane and balls outside it are `connect`
// equalities, rods tendons of constant length, springs tendons too. An evaluation is mj_forward. To be as
// fast as it can be, nothing but gravity, springs and equalities is enabled; of its solvers, with dense and with sparse Jacobian, the fastest
// counts that finds Newton's accelerations to 1e-6; it starts from the accelerations of 1 ms before, as in a run.
//
// Its equalities are soft, here as hard as they get (impedance 0.9999), and leave out the part of their acceleration that comes
// from velocities. Accelerations of mechanisms with loops are therefore compared at rest.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/rivals/rival.hpp"
#include "benchmarks/tables/bench_clock.hpp"
#include <mujoco/mujoco.h>

#include "eslabon/core/text/error.hpp"

namespace {

using namespace eslabon;
using coordinates::MechanismMotion;
using core::Pose;
using Eigen::Vector3d;
using model::BodyIndex;
using model::JointType;

// Hinges stand at this angle in the state that is measured, so that sine and cosine are not those of 0 [rad].
constexpr double kAngle = 0.5;
constexpr double kBefore = 1e-3;  // [s]
constexpr int kMostDepth = 80;

[[noreturn]] void refuse(const std::string& what) {
  throw core::ModelError(
      {.what = "MuJoCo is not asked about this",
       .where = "mujoco_rival",
       .expected =
           "turns, slides, balls and crosses between bodies, loops of pins in the plane, balls and rods",
       .actual = what,
       .next = "Measure another mechanism."});
}

[[noreturn]] void stop(const char* message) {
  std::fprintf(stderr, "MuJoCo: %s\n", message);
  std::exit(1);
}

void warn(const char* message) { std::fprintf(stderr, "MuJoCo: %s\n", message); }

/// A mechanism along its spanning tree: bodies are links, in MuJoCo too. Hinges stand at kAngle in the state that is measured, everything
/// else at 0.
class JointTree {
 public:
  explicit JointTree(const benchmarks::BenchCase& at)
      : at_(at), children_(bodies().size()), joints_(bodies().size()), parents_(bodies().size(), 0) {
    const structure::Structure& structure = at.structure;
    for (const structure::LinkIndex link : structure.tree.order) {
      const auto index = structure.tree.joint_to_parent[link.slot()];
      if (!index) continue;
      const model::Joint& joint = at.mechanism.joint(*index);
      const bool is_forward = structure.topology.link_of(joint.second()) == link;
      const model::JointEnd &near = joint.ends[is_forward ? 0 : 1], &far = joint.ends[is_forward ? 1 : 0];
      const std::size_t body = far.body.slot();
      parents_[body] = near.body.slot();
      joints_[body] = steps_of(joint, is_forward, body);
      children_[parents_[body]].push_back(body);
    }
  }

  std::size_t num_bodies() const { return bodies().size(); }

  /// The model in files that include each other: MuJoCo reads no file with more than 100 elements inside each other.
  std::vector<std::string> mjcf() const {
    std::vector<std::string> files(1);
    std::string text = "<mujoco><compiler angle='radian' inertiafromgeom='false'/><size nconmax='0' njmax='" +
                       std::to_string(3 * at_.structure.tree.num_loops() + 1) +
                       "'/><option timestep='0.001' gravity='" + words(at_.mechanism.gravity_W()) +
                       "'><flag contact='disable' limit='disable' frictionloss='disable' passive='" +
                       (at_.mechanism.springs().empty() ? "disable" : "enable") +
                       "' actuation='disable' sensor='disable'/></option><worldbody>" + sites(0);
    for (const std::size_t body : children_[0]) add_body(body, 0, text, files);
    text += "</worldbody><tendon>";
    for (std::size_t s = 0; s < at_.mechanism.springs().size(); ++s) {
      const model::Spring& spring = at_.mechanism.springs()[s];
      text += "<spatial stiffness='" + word(spring.stiffness) + "' damping='" + word(spring.damping) +
              "' springlength='" + word(spring.free_length) + "'>" + way("s" + std::to_string(s));
    }
    for (std::size_t j = 0; j < at_.mechanism.joints().size(); ++j)
      if (at_.mechanism.joints()[j].type == JointType::kRod)
        text += "<spatial name='r" + std::to_string(j) + "'>" + way("r" + std::to_string(j));
    text += "</tendon><equality>";
    constexpr const char* kHard = " solref='0.002 1' solimp='0.9999 0.9999 0.001'/>";
    for (const structure::Loop& loop : at_.structure.tree.loops) {
      const model::Joint& joint = at_.mechanism.joint(loop.closing_joint);
      if (joint.type == JointType::kRod) {
        text += "<tendon tendon1='r" + std::to_string(loop.closing_joint.value()) + "'" + kHard;
        continue;
      }
      if (joint.type != JointType::kSpherical &&
          !(at_.mechanism.is_planar() && joint.type == JointType::kRevolute))
        refuse("joint '" + joint.name + "' in a loop");
      const auto [first, second] = ends(loop);
      text += "<connect body1='" + name(first->body.slot()) + "' anchor='" + words(first->X_BF.p_AB_A) + "'";
      if (second->body != model::kGround) text += " body2='" + name(second->body.slot()) + "'";
      text += kHard;
    }
    files[0] = text + "</equality></mujoco>";
    return files;
  }

  /// Where the second body of each equality is held, and how long rods are; MuJoCo took it from hinges at 0, where loops are open.
  void close_loops(mjModel& m) const {
    mjtNum* data = m.eq_data;
    for (const structure::Loop& loop : at_.structure.tree.loops) {
      const model::Joint& joint = at_.mechanism.joint(loop.closing_joint);
      if (joint.type == JointType::kRod) {
        const int rod =
            mj_name2id(&m, mjOBJ_TENDON, ("r" + std::to_string(loop.closing_joint.value())).c_str());
        data[0] = joint.length - m.tendon_length0[rod];
      } else {
        for (int k = 0; k < 3; ++k) data[3 + k] = ends(loop).second->X_BF.p_AB_A(k);
      }
      data += mjNEQDATA;
    }
  }

  /// The state of the case, its velocities times `speed`, so much later [s].
  void set_state(const mjModel& m, mjData& d, double speed, double later) const {
    for (std::size_t body = 1; body < num_bodies(); ++body)
      for (std::size_t k = 0; k < joints_[body].size(); ++k) {
        const Step& step = joints_[body][k];
        const int joint = mj_name2id(&m, mjOBJ_JOINT, (name(body) + "_" + std::to_string(k)).c_str());
        mjtNum* const q = d.qpos + m.jnt_qposadr[joint];
        mjtNum* const v = d.qvel + m.jnt_dofadr[joint];
        const auto count = static_cast<int>(step.rates.size());
        for (int i = 0; i < count; ++i) v[i] = speed * step.rates[static_cast<std::size_t>(i)];
        if (step.type == "hinge" || step.type == "slide") {
          q[0] = step.at + later * step.rates[0];
        } else {
          std::copy(m.qpos0 + m.jnt_qposadr[joint], m.qpos0 + m.jnt_qposadr[joint] + (count == 3 ? 4 : 7), q);
          std::vector<mjtNum> velocity(step.rates.begin(), step.rates.end());
          if (count == 6) {
            for (int i = 0; i < 3; ++i) q[i] += later * velocity[static_cast<std::size_t>(i)];
            mju_quatIntegrate(q + 3, velocity.data() + 3, later);
          } else {
            mju_quatIntegrate(q, velocity.data(), later);
          }
        }
      }
  }

  static std::string file_name(std::size_t file) { return std::to_string(file) + ".xml"; }
  static std::string name(std::size_t body) { return "b" + std::to_string(body); }

 private:
  const std::vector<model::Body>& bodies() const { return at_.mechanism.bodies(); }

  /// A joint of MuJoCo; a cross has two.
  struct Step {
    std::string type;
    Vector3d axis = Vector3d::UnitZ();     ///< body axes
    Vector3d position = Vector3d::Zero();  ///< in the body
    double at = 0.0;                       ///< where it is
    std::vector<double> rates;
  };
  std::vector<Step> steps_of(const model::Joint& joint, bool is_forward, std::size_t body) const {
    const model::JointEnd &near = joint.ends[is_forward ? 0 : 1], &far = joint.ends[is_forward ? 1 : 0];
    const coordinates::BodyMotion &B = at_.moving[body], &P = at_.moving[near.body.slot()];
    const core::Rotation<double> R_BW = B.X_WB.R_AB.inverse();
    const Vector3d w = R_BW * (B.w_WB_W - P.w_WB_W);
    const Vector3d slip =
        R_BW * (B.point_velocity(far.X_BF.p_AB_A) -
                P.point_velocity(P.X_WB.inverse().apply_to_point(B.point_position(far.X_BF.p_AB_A))));
    const Vector3d at = far.X_BF.p_AB_A;
    const auto axis_of = [&](const model::JointEnd& end, int k) {  // in the body
      return Vector3d(R_BW *
                      (at_.moving[end.body.slot()].X_WB.R_AB * Vector3d(end.X_BF.R_AB.matrix().col(k))));
    };
    switch (joint.type) {
      case JointType::kRevolute: {
        const Vector3d axis = far.X_BF.R_AB.matrix().col(2);
        return {{"hinge", axis, at, kAngle, {axis.dot(w)}}};
      }
      case JointType::kPrismatic: {
        const Vector3d axis = far.X_BF.R_AB.matrix().col(0);
        return {{"slide", axis, at, 0.0, {axis.dot(slip)}}};
      }
      case JointType::kSpherical:
        return {{"ball", Vector3d::UnitZ(), at, 0.0, {w.x(), w.y(), w.z()}}};
      case JointType::kUniversal: {
        const Vector3d first = axis_of(near, is_forward ? 0 : 1), second = axis_of(far, is_forward ? 1 : 0);
        return {{"hinge", first, at, 0.0, {first.dot(w)}}, {"hinge", second, at, 0.0, {second.dot(w)}}};
      }
      case JointType::kFree:
        if (near.body != model::kGround) refuse("joint '" + joint.name + "' between bodies");
        return {{"free",
                 Vector3d::UnitZ(),
                 Vector3d::Zero(),
                 0.0,
                 {B.v_WB_W.x(), B.v_WB_W.y(), B.v_WB_W.z(), w.x(), w.y(), w.z()}}};
      default:
        refuse("joint '" + joint.name + "'");
    }
  }

  /// Where tendons end on a body.
  std::string sites(std::size_t body) const {
    std::string text;
    const auto add = [&](const std::string& site, model::BodyIndex of, const Vector3d& p) {
      if (of.slot() == body) text += "<site name='" + site + "' pos='" + words<3>(p) + "'/>";
    };
    for (std::size_t s = 0; s < at_.mechanism.springs().size(); ++s) {
      const auto* pair = std::get_if<model::PointPair>(&at_.mechanism.springs()[s].connection);
      if (pair == nullptr) refuse("spring '" + at_.mechanism.springs()[s].name + "'");
      add("s" + std::to_string(s) + "a", pair->first.body, at_.mechanism.point(pair->first).p_BP_B);
      add("s" + std::to_string(s) + "b", pair->second.body, at_.mechanism.point(pair->second).p_BP_B);
    }
    for (std::size_t j = 0; j < at_.mechanism.joints().size(); ++j) {
      const model::Joint& joint = at_.mechanism.joints()[j];
      if (joint.type != JointType::kRod) continue;
      add("r" + std::to_string(j) + "a", joint.first(), joint.ends[0].X_BF.p_AB_A);
      add("r" + std::to_string(j) + "b", joint.second(), joint.ends[1].X_BF.p_AB_A);
    }
    return text;
  }
  static std::string way(const std::string& tendon) {
    return "<site site='" + tendon + "a'/><site site='" + tendon + "b'/></spatial>";
  }
  static std::string word(double number) { return words<1>(Eigen::Matrix<double, 1, 1>(number)); }

  /// The ends of the joint that closes a loop; the first is not of the ground, because MuJoCo wants it so.
  std::pair<const model::JointEnd*, const model::JointEnd*> ends(const structure::Loop& loop) const {
    const model::Joint& joint = at_.mechanism.joint(loop.closing_joint);
    const bool is_grounded = joint.first() == model::kGround;
    return {&joint.ends[is_grounded ? 1 : 0], &joint.ends[is_grounded ? 0 : 1]};
  }

  template <int size>
  static std::string words(const Eigen::Matrix<double, size, 1>& numbers) {
    std::array<char, 32> word;
    std::string text;
    for (const double number : numbers) {
      std::snprintf(word.data(), word.size(), "%.17g ", number);
      text += word.data();
    }
    return text;
  }

  /// The body and all that it carries, with every joint back from where it is. `depth`: bodies that carry it in this file.
  void add_body(std::size_t body, int depth, std::string& text, std::vector<std::string>& files) const {
    if (depth == kMostDepth) {
      const std::size_t file = files.size();
      files.emplace_back();
      std::string part = "<mujocoinclude>";
      add_body(body, 0, part, files);
      files[file] = part + "</mujocoinclude>";
      text += "<include file='" + file_name(file) + "'/>";
      return;
    }
    const Pose<double> X_PB = at_.moving[parents_[body]].X_WB.inverse() * at_.moving[body].X_WB;
    const Step& joint = joints_[body].front();
    const Vector3d& p_BF_B = joint.position;
    const auto R_PB = X_PB.R_AB * core::Rotation<double>::from_axis_angle(joint.axis.normalized(), -joint.at);
    const model::MassProperties& mass = bodies()[body].mass_properties;
    Eigen::Matrix3d I = mass.I_BC_B;
    // Planar bodies know their moment about z only; the others are never felt, but must be possible.
    if (at_.mechanism.is_planar()) I = I(2, 2) * Eigen::Matrix3d::Identity();
    text += "<body name='" + name(body) + "' pos='" + words<3>(X_PB.apply_to_point(p_BF_B) - R_PB * p_BF_B) +
            "' quat='" + words<4>(R_PB.to_euler_parameters()) + "'>";
    for (std::size_t k = 0; k < joints_[body].size(); ++k) {
      const Step& step = joints_[body][k];
      text += "<joint name='" + name(body) + "_" + std::to_string(k) + "' type='" + step.type + "'";
      if (step.type != "free") text += " pos='" + words(step.position) + "'";
      if (step.type == "hinge" || step.type == "slide") text += " axis='" + words(step.axis) + "'";
      text += "/>";
    }
    text += "<inertial pos='" + words(mass.p_BC_B) + "' mass='" + word(mass.mass) + "' fullinertia='" +
            words<3>(I.diagonal()) + words<3>({I(0, 1), I(0, 2), I(1, 2)}) + "'/>" + sites(body);
    for (const std::size_t child : children_[body]) add_body(child, depth + 1, text, files);
    text += "</body>";
  }

  const benchmarks::BenchCase& at_;
  std::vector<std::vector<std::size_t>> children_;  ///< (bodies)
  std::vector<std::vector<Step>> joints_;           ///< (bodies) that carry it
  std::vector<std::size_t> parents_;                ///< (bodies)
};

mjModel* compiled(const std::vector<std::string>& mjcf) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  for (std::size_t i = 0; i < mjcf.size(); ++i) {
    mj_makeEmptyFileVFS(files.get(), JointTree::file_name(i).c_str(), static_cast<int>(mjcf[i].size()));
    std::ranges::copy(mjcf[i], static_cast<char*>(files->filedata[i]));
  }
  std::array<char, 500> error{};
  mjModel* m =
      mj_loadXML(JointTree::file_name(0).c_str(), files.get(), error.data(), static_cast<int>(error.size()));
  mj_deleteVFS(files.get());
  if (m == nullptr) stop(error.data());
  return m;
}

class MujocoRival final : public rivals::Rival {
 public:
  explicit MujocoRival(const benchmarks::BenchCase& at)
      : at_(at), tree_(at), m_(compiled(tree_.mjcf()), &mj_deleteModel), d_(nullptr, &mj_deleteData) {
    tree_.close_loops(*m_);
    d_ = {mj_makeData(m_.get()), &mj_deleteData};
    set_state(1.0, -kBefore);
    mj_forward(m_.get(), d_.get());
    before_.assign(d_->qacc, d_->qacc + m_->nv);
    set_state(1.0, 0.0);
    if (at.has_loops()) choose_solver();
  }

  void evaluate() override {
    std::ranges::copy(before_, d_->qacc_warmstart);
    mj_forward(m_.get(), d_.get());
  }

  MechanismMotion accelerated() override {
    set_state(is_resting() ? 0.0 : 1.0, 0.0);
    evaluate();
    mj_rnePostConstraint(m_.get(), d_.get());
    MechanismMotion motion(tree_.num_bodies());
    for (std::size_t b = 1; b < motion.size(); ++b) {
      // (3) angular, (3) linear; in MuJoCo the world falls upwards.
      std::array<mjtNum, 6> a{};
      mj_objectAcceleration(m_.get(), d_.get(), mjOBJ_XBODY, id(mjOBJ_BODY, b), a.data(), 0);
      motion[b].alpha_WB_W = {a[0], a[1], a[2]};
      motion[b].a_WB_W = Vector3d(a[3], a[4], a[5]) + at_.mechanism.gravity_W();
    }
    set_state(1.0, 0.0);
    return motion;
  }

  bool is_resting() const override { return at_.has_loops(); }
  std::string remark() const override { return solver_; }

 private:
  int id(mjtObj kind, std::size_t body) const {
    return mj_name2id(m_.get(), kind, JointTree::name(body).c_str());
  }

  void set_state(double speed, double later) { tree_.set_state(*m_, *d_, speed, later); }

  void choose_solver() {
    struct Choice {
      mjtSolver solver;
      mjtJacobian jacobian;
      const char* name;
    };
    constexpr std::array kChoices{Choice{mjSOL_NEWTON, mjJAC_DENSE, "Newton, dense"},
                                  Choice{mjSOL_NEWTON, mjJAC_SPARSE, "Newton, sparse"},
                                  Choice{mjSOL_CG, mjJAC_DENSE, "CG, dense"},
                                  Choice{mjSOL_CG, mjJAC_SPARSE, "CG, sparse"},
                                  Choice{mjSOL_PGS, mjJAC_DENSE, "PGS, dense"},
                                  Choice{mjSOL_PGS, mjJAC_SPARSE, "PGS, sparse"}};
    std::vector<double> exact;
    double best = std::numeric_limits<double>::infinity();
    const Choice* chosen = &kChoices.front();
    for (const Choice& choice : kChoices) {
      set_solver(choice.solver, choice.jacobian);
      evaluate();
      if (exact.empty()) exact.assign(d_->qacc, d_->qacc + m_->nv);
      double largest = 0.0, off = 0.0;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        largest = std::max(largest, std::abs(exact[i]));
        off = std::max(off, std::abs(exact[i] - d_->qacc[i]));
      }
      if (!(off <= 1e-6 * largest)) continue;
      const double seconds = benchmarks::time_of([&] { evaluate(); });
      if (seconds >= best) continue;
      best = seconds;
      chosen = &choice;
    }
    set_solver(chosen->solver, chosen->jacobian);
    solver_ = chosen->name;
  }

  void set_solver(mjtSolver solver, mjtJacobian jacobian) {
    m_->opt.solver = solver;
    m_->opt.jacobian = jacobian;
  }

  const benchmarks::BenchCase& at_;
  JointTree tree_;
  std::unique_ptr<mjModel, void (*)(mjModel*)> m_;
  std::unique_ptr<mjData, void (*)(mjData*)> d_;
  std::vector<double> before_;  ///< (nv) qacc of kBefore
  std::string solver_ = "-";    ///< for people
};

std::unique_ptr<rivals::Rival> make(const benchmarks::BenchCase& at) {
  return std::make_unique<MujocoRival>(at);
}

}  // namespace

int main(int argc, char** argv) {
  // By default both write to a file where one stands.
  mju_user_error = &stop;
  mju_user_warning = &warn;
  return rivals::run(argc, argv, &make);
}
