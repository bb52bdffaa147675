// Question: how long does MuJoCo 2.2 take for the accelerations of the mechanisms that ours are measured with?
//
// Bodies hang in hinges along our spanning tree; joints outside it are `connect` equalities. An evaluation is mj_forward. To be as
// fast as it can be, nothing but gravity and equalities is enabled; of its solvers, with dense and with sparse Jacobian, the fastest
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

// Hinges stand at this angle in the state that is measured, so that sine and cosine are not those of 0 [rad].
constexpr double kAngle = 0.5;
constexpr double kBefore = 1e-3;  // [s]
constexpr int kMostDepth = 80;

[[noreturn]] void refuse(const std::string& what) {
  throw core::ModelError({.what = "MuJoCo is not asked about this",
                          .where = "mujoco_rival",
                          .expected = "revolute joints between bodies, loops in the plane only",
                          .actual = what,
                          .next = "Measure another mechanism."});
}

[[noreturn]] void stop(const char* message) {
  std::fprintf(stderr, "MuJoCo: %s\n", message);
  std::exit(1);
}

void warn(const char* message) { std::fprintf(stderr, "MuJoCo: %s\n", message); }

/// A mechanism of revolutes along its spanning tree: bodies are links, in MuJoCo too.
class HingeTree {
 public:
  explicit HingeTree(const benchmarks::BenchCase& at)
      : at_(at), children_(bodies().size()), hinges_(bodies().size()), parents_(bodies().size(), 0) {
    const structure::Structure& structure = at.structure;
    for (const model::Joint& joint : at.mechanism.joints())
      if (joint.type != model::JointType::kRevolute) refuse("joint '" + joint.name + "'");
    if (at.has_loops() && !at.mechanism.is_planar()) refuse("loops in space");
    for (const structure::LinkIndex link : structure.tree.order) {
      const auto joint = structure.tree.joint_to_parent[link.slot()];
      if (!joint) continue;
      const model::Joint& hinge = at.mechanism.joint(*joint);
      const bool is_forward = structure.topology.link_of(hinge.second()) == link;
      const std::size_t body = hinge.ends[is_forward ? 1 : 0].body.slot();
      parents_[body] = hinge.ends[is_forward ? 0 : 1].body.slot();
      hinges_[body] = hinge.ends[is_forward ? 1 : 0].X_BF;
      children_[parents_[body]].push_back(body);
    }
  }

  std::size_t num_bodies() const { return bodies().size(); }
  /// Of the hinge that carries the body, world axes.
  double rate(std::size_t body) const {
    const coordinates::BodyMotion& B = at_.moving[body];
    return B.X_WB.apply_to_direction(axis(body)).dot(B.w_WB_W - at_.moving[parents_[body]].w_WB_W);
  }

  /// The model in files that include each other: MuJoCo reads no file with more than 100 elements inside each other.
  std::vector<std::string> mjcf() const {
    std::vector<std::string> files(1);
    std::string text = "<mujoco><compiler angle='radian' inertiafromgeom='false'/><size nconmax='0' njmax='" +
                       std::to_string(3 * at_.structure.tree.num_loops() + 1) +
                       "'/><option timestep='0.001' gravity='" + words(at_.mechanism.gravity_W()) +
                       "'><flag contact='disable' limit='disable' frictionloss='disable' passive='disable' "
                       "actuation='disable' sensor='disable'/></option><worldbody>";
    for (const std::size_t body : children_[0]) add_body(body, 0, text, files);
    text += "</worldbody><equality>";
    for (const structure::Loop& loop : at_.structure.tree.loops) {
      const auto [first, second] = ends(loop);
      text += "<connect body1='" + name(first->body.slot()) + "' anchor='" + words(first->X_BF.p_AB_A) +
              "' solref='0.002 1' solimp='0.9999 0.9999 0.001'";
      if (second->body != model::kGround) text += " body2='" + name(second->body.slot()) + "'";
      text += "/>";
    }
    files[0] = text + "</equality></mujoco>";
    return files;
  }

  /// Where the second body of each equality is held; MuJoCo took it from hinges at 0, where loops are open.
  void set_anchors(mjModel& m) const {
    mjtNum* data = m.eq_data;
    for (const structure::Loop& loop : at_.structure.tree.loops) {
      for (int k = 0; k < 3; ++k) data[3 + k] = ends(loop).second->X_BF.p_AB_A(k);
      data += mjNEQDATA;
    }
  }

  static std::string file_name(std::size_t file) { return std::to_string(file) + ".xml"; }
  static std::string name(std::size_t body) { return "b" + std::to_string(body); }

 private:
  const std::vector<model::Body>& bodies() const { return at_.mechanism.bodies(); }
  Vector3d axis(std::size_t body) const { return hinges_[body].R_AB.matrix().col(2); }

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

  /// The body and all that it carries, with every hinge at −kAngle from where it is. `depth`: bodies that carry it in this file.
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
    const auto R_PB = X_PB.R_AB * core::Rotation<double>::from_axis_angle(axis(body), -kAngle);
    const Vector3d& p_BF_B = hinges_[body].p_AB_A;
    const model::MassProperties& mass = bodies()[body].mass_properties;
    Eigen::Matrix3d I = mass.I_BC_B;
    // Planar bodies know their moment about z only; the others are never felt, but must be possible.
    if (at_.mechanism.is_planar()) I = I(2, 2) * Eigen::Matrix3d::Identity();
    text += "<body name='" + name(body) + "' pos='" + words<3>(X_PB.apply_to_point(p_BF_B) - R_PB * p_BF_B) +
            "' quat='" + words<4>(R_PB.to_euler_parameters()) + "'><joint name='" + name(body) +
            "' type='hinge' pos='" + words(p_BF_B) + "' axis='" + words(axis(body)) + "'/><inertial pos='" +
            words(mass.p_BC_B) + "' mass='" + words<1>(Eigen::Matrix<double, 1, 1>(mass.mass)) +
            "' fullinertia='" + words<3>(I.diagonal()) + words<3>({I(0, 1), I(0, 2), I(1, 2)}) + "'/>";
    for (const std::size_t child : children_[body]) add_body(child, depth + 1, text, files);
    text += "</body>";
  }

  const benchmarks::BenchCase& at_;
  std::vector<std::vector<std::size_t>> children_;  ///< (bodies)
  std::vector<Pose<double>> hinges_;                ///< (bodies) X_BF of the hinge that carries the body
  std::vector<std::size_t> parents_;                ///< (bodies)
};

mjModel* compiled(const std::vector<std::string>& mjcf) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  for (std::size_t i = 0; i < mjcf.size(); ++i) {
    mj_makeEmptyFileVFS(files.get(), HingeTree::file_name(i).c_str(), static_cast<int>(mjcf[i].size()));
    std::ranges::copy(mjcf[i], static_cast<char*>(files->filedata[i]));
  }
  std::array<char, 500> error{};
  mjModel* m =
      mj_loadXML(HingeTree::file_name(0).c_str(), files.get(), error.data(), static_cast<int>(error.size()));
  mj_deleteVFS(files.get());
  if (m == nullptr) stop(error.data());
  return m;
}

class MujocoRival final : public rivals::Rival {
 public:
  explicit MujocoRival(const benchmarks::BenchCase& at)
      : at_(at), tree_(at), m_(compiled(tree_.mjcf()), &mj_deleteModel), d_(nullptr, &mj_deleteData) {
    tree_.set_anchors(*m_);
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
    return mj_name2id(m_.get(), kind, HingeTree::name(body).c_str());
  }

  /// The state of the case, its velocities times `speed`, so much later [s].
  void set_state(double speed, double later) {
    for (std::size_t b = 1; b < tree_.num_bodies(); ++b) {
      const int hinge = id(mjOBJ_JOINT, b);
      d_->qpos[m_->jnt_qposadr[hinge]] = kAngle + later * tree_.rate(b);
      d_->qvel[m_->jnt_dofadr[hinge]] = speed * tree_.rate(b);
    }
  }

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
  HingeTree tree_;
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
