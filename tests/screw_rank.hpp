#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Dense>

#include "eslabon/model/mechanism.hpp"

/// Mobility by screws, as an oracle: it reads the model and shares no code with any analysis of the library.
///
///   Σ_j s_lj S_j dq_j = 0        the screws S_j of the joint freedoms around each loop l, s_lj = ±1 or 0    (1)
///   mobility = freedoms − rank,  redundant rows = k loops − rank,  k = 3 in the plane, 6 in space           (2)
///
/// A rod is a joint of five freedoms (two in the plane): it turns about both of its ends. (1) is the derivative of
/// loop closure in joint displacements, so a finite step along a null vector of (1) and Newton's method on the same
/// matrix tell what moves from what is only shaky.
namespace eslabon::test {

/// A frame in another one.
struct Placement {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Placement inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  friend Placement operator*(const Placement& a, const Placement& b) { return {a.R * b.R, a.p + a.R * b.p}; }
};

/// Angular velocity and velocity of the point at the origin, both in one frame.
struct Screw {
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
};

/// exp: the displacement after unit time; w = 0 or v = p × w (no screw here has a pitch).
inline Placement displaced(const Screw& screw, double q) {
  const double rate = screw.w.norm();
  if (rate == 0.0) return {Eigen::Matrix3d::Identity(), q * screw.v};
  const Eigen::Vector3d on_axis = screw.w.cross(screw.v) / (rate * rate);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(rate * q, screw.w / rate).toRotationMatrix();
  return {R, on_axis - R * on_axis};
}

/// What the singular values of (1) say at one position.
struct ScrewRank {
  int freedoms = 0;            ///< of all joints
  int rows = 0;                ///< k times loops
  int rank = 0;                ///< singular values above kRankTolerance times the largest
  double least_kept = 1.0;     ///< the last of them, relative; tells how clear the decision was
  double most_dropped = 0.0;   ///< the next one, relative
  Eigen::MatrixXd null_space;  ///< (freedoms × mobility) orthonormal
  Eigen::MatrixXd stress;      ///< (rows × redundant) orthonormal: loop wrenches that balance by themselves
  int mobility() const { return freedoms - rank; }
  int redundant() const { return rows - rank; }
};

/// A mechanism at one position of its joints; bodies follow through a spanning tree, the other joints close loops.
class ScrewChain {
 public:
  /// Relative; between roundoff after Newton (1e-13) and the flattest angle among the known mechanisms (1e-3).
  static constexpr double kRankTolerance = 1e-8;

  /// At the start values of the mechanism, which must give the pose of every body.
  explicit ScrewChain(const model::Mechanism& mechanism) : mechanism_(&mechanism) {
    const std::vector<Placement> X_WB = start_placements(mechanism);
    for (const model::Joint& joint : mechanism.joints()) {
      const Placement X_WF = X_WB[joint.first().slot()] * marker(joint, 0);
      const Placement X_WM = X_WB[joint.second().slot()] * marker(joint, 1);
      const Placement X_FM = X_WF.inverse() * X_WM;
      joints_.push_back(nearest_allowed(joint, X_FM));
      start_misfit_ = std::max(start_misfit_, difference(joints_.back(), X_FM));
    }
    grow_tree();
  }

  /// Largest distance of the start from what the joints allow [m] and [–].
  double start_misfit() const { return start_misfit_; }

  /// The same here, after finite steps: whether the screws are those of the joints.
  double joint_misfit() const {
    double misfit = 0.0;
    for (std::size_t j = 0; j < joints_.size(); ++j)
      misfit = std::max(misfit, difference(joints_[j], nearest_allowed(mechanism_->joints()[j], joints_[j])));
    return misfit;
  }

  ScrewRank rank() const {
    const Eigen::MatrixXd J = loop_matrix();
    ScrewRank result;
    result.freedoms = static_cast<int>(J.cols());
    result.rows = static_cast<int>(J.rows());
    result.null_space = Eigen::MatrixXd::Identity(J.cols(), J.cols());
    if (J.rows() == 0 || J.cols() == 0) {
      result.stress = Eigen::MatrixXd::Identity(J.rows(), J.rows());
      return result;
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::VectorXd sigma = svd.singularValues() / svd.singularValues()(0);
    while (result.rank < sigma.size() && sigma(result.rank) > kRankTolerance) ++result.rank;
    result.least_kept = sigma(result.rank - 1);
    if (result.rank < sigma.size()) result.most_dropped = sigma(result.rank);
    result.null_space = svd.matrixV().rightCols(J.cols() - result.rank);
    result.stress = svd.matrixU().rightCols(J.rows() - result.rank);
    return result;
  }

  /// The wrench that each joint carries in each state of self-stress: (k × redundant) per joint; components about the
  /// world's origin, moments first (in the plane: mz fx fy).
  std::vector<Eigen::MatrixXd> joint_stresses(const ScrewRank& at) const {
    std::vector<Eigen::MatrixXd> list(joints_.size(), Eigen::MatrixXd::Zero(k(), at.stress.cols()));
    for (std::size_t loop = 0; loop < loops_.size(); ++loop)
      for (const auto& [joint, sign] : loop_path(loop))
        list[joint] += sign * at.stress.middleRows(static_cast<int>(loop) * k(), k());
    return list;
  }

  /// Names of the joints whose wrench is not zero in every state of self-stress.
  std::vector<std::string> stressed_joints() const {
    std::vector<std::string> names;
    const ScrewRank here = rank();
    const auto stresses = joint_stresses(here);
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (stresses[j].size() > 0 && stresses[j].norm() > kRankTolerance)
        names.push_back(mechanism_->joints()[j].name);
    return names;
  }

  /// How a finite step ended.
  struct Step {
    bool closed = false;
    double kept = 0.0;             ///< length of the displacement over the length asked for
    Eigen::VectorXd displacement;  ///< (freedoms) sum of all joint displacements
  };

  /// Goes `length` along a null vector, then closes the loops again.
  Step move(const Eigen::VectorXd& direction, double length) {
    Step step;
    step.displacement = length * direction;
    displace(step.displacement);
    for (int iteration = 0; iteration < 100; ++iteration) {
      const Eigen::VectorXd gap = loop_gaps();
      step.closed = gap.size() == 0 || gap.norm() < 1e-13 * static_cast<double>(1 + gap.size());
      if (step.closed) break;
      const Eigen::VectorXd correction = damped_newton_step(gap);
      displace(correction);
      step.displacement += correction;
    }
    step.kept = step.displacement.norm() / length;
    return step;
  }

  /// Dimension of the finite motion here: how many directions survive a small step along random null vectors.
  /// Meant for positions without bifurcation.
  int finite_mobility(std::mt19937_64& random) const {
    const Eigen::MatrixXd N = rank().null_space;
    constexpr double kStep = 1e-3;
    Eigen::MatrixXd moved(N.rows(), N.cols() + 2);
    for (int c = 0; c < moved.cols(); ++c) {
      ScrewChain trial = *this;
      const Step step = trial.move(N * random_unit(static_cast<int>(N.cols()), random), kStep);
      moved.col(c) =
          step.closed ? (step.displacement / kStep).eval() : Eigen::VectorXd::Zero(N.rows()).eval();
    }
    if (N.cols() == 0) return 0;
    const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(moved).singularValues();
    return static_cast<int>(
        (sigma.array() > 0.02).count());  // the step bends by 1e-3; what shrinks, by 1e-2 or more
  }

  /// Spins of parts that spherical joints and rods alone hold, of all other bodies at rest, where the ends that hold
  /// the part lead to more than one body.
  int idle_spins() const;

  /// `size` numbers of unit length.
  static Eigen::VectorXd random_unit(int size, std::mt19937_64& random) {
    Eigen::VectorXd x(size);
    for (int i = 0; i < size; ++i) x(i) = static_cast<double>(random() >> 11) * 0x1.0p-52 - 1.0;
    return size == 0 ? x : x.normalized();
  }

 private:
  struct Oriented {
    std::size_t joint;
    double sign;  ///< +1: passed from its first body to its second
  };

  int k() const { return mechanism_->is_planar() ? 3 : 6; }

  static Placement marker(const model::Joint& joint, std::size_t end) {
    return {joint.ends[end].X_BF.R_AB.matrix(), joint.ends[end].X_BF.p_AB_A};
  }

  static Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }

  static double difference(const Placement& a, const Placement& b) {
    return std::max((a.p - b.p).lpNorm<Eigen::Infinity>(), (a.R - b.R).lpNorm<Eigen::Infinity>());
  }

  static std::vector<Placement> start_placements(const model::Mechanism& mechanism);
  static Placement nearest_allowed(const model::Joint& joint, const Placement& X_FM);
  std::vector<Screw> freedoms(std::size_t joint) const;

  void grow_tree() {
    const std::size_t bodies = mechanism_->bodies().size();
    parent_.assign(bodies, {joints_.size(), 0.0});
    std::vector<bool> reached(bodies, false), in_tree(joints_.size(), false);
    reached[0] = true;
    order_ = {0};
    for (std::size_t next = 0; next < order_.size(); ++next)
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        const std::size_t a = mechanism_->joints()[j].first().slot(),
                          b = mechanism_->joints()[j].second().slot();
        if (a != order_[next] && b != order_[next]) continue;
        const std::size_t other = a == order_[next] ? b : a;
        if (reached[other]) continue;
        reached[other] = in_tree[j] = true;
        parent_[other] = {j, other == b ? 1.0 : -1.0};
        order_.push_back(other);
      }
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (!in_tree[j]) loops_.push_back(j);
  }

  std::size_t body_before(std::size_t body) const {
    const model::Joint& joint = mechanism_->joints()[parent_[body].joint];
    return parent_[body].sign > 0.0 ? joint.first().slot() : joint.second().slot();
  }

  std::vector<Placement> body_placements() const {
    std::vector<Placement> X_WB(order_.size());
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const Oriented up = parent_[order_[i]];
      const Placement across = relative_placement(up.joint);
      X_WB[order_[i]] = X_WB[body_before(order_[i])] * (up.sign > 0.0 ? across : across.inverse());
    }
    return X_WB;
  }

  /// Second body in first body.
  Placement relative_placement(std::size_t j) const {
    const model::Joint& joint = mechanism_->joints()[j];
    return marker(joint, 0) * joints_[j] * marker(joint, 1).inverse();
  }

  /// The joints of a loop: forward through the joint that closes it, back through the tree.
  std::vector<Oriented> loop_path(std::size_t loop) const {
    const model::Joint& closing = mechanism_->joints()[loops_[loop]];
    std::vector<double> sign(joints_.size(), 0.0);
    sign[loops_[loop]] = 1.0;
    for (std::size_t b = closing.first().slot(); b != 0; b = body_before(b))
      sign[parent_[b].joint] += parent_[b].sign;
    for (std::size_t b = closing.second().slot(); b != 0; b = body_before(b))
      sign[parent_[b].joint] -= parent_[b].sign;
    std::vector<Oriented> path;
    for (std::size_t j = 0; j < sign.size(); ++j)
      if (sign[j] != 0.0) path.push_back({j, sign[j]});
    return path;
  }

  /// The left side of (1), k rows per loop: world components about the world's origin.
  Eigen::MatrixXd loop_matrix() const {
    const std::vector<Placement> X_WB = body_placements();
    std::vector<std::vector<Eigen::VectorXd>> columns;
    std::vector<int> first_column{0};
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const model::Joint& joint = mechanism_->joints()[j];
      const Placement X_WF = X_WB[joint.first().slot()] * marker(joint, 0);
      columns.emplace_back();
      for (const Screw& screw : freedoms(j)) {
        const Eigen::Vector3d w = X_WF.R * screw.w;
        columns.back().push_back(rows_of(w, X_WF.R * screw.v + X_WF.p.cross(w)));
      }
      first_column.push_back(first_column.back() + static_cast<int>(columns.back().size()));
    }
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<int>(loops_.size()) * k(), first_column.back());
    for (std::size_t loop = 0; loop < loops_.size(); ++loop)
      for (const auto& [j, sign] : loop_path(loop))
        for (std::size_t c = 0; c < columns[j].size(); ++c)
          J.col(first_column[j] + static_cast<int>(c)).segment(static_cast<int>(loop) * k(), k()) =
              sign * columns[j][c];
    return J;
  }

  Eigen::VectorXd rows_of(const Eigen::Vector3d& w, const Eigen::Vector3d& v) const {
    Eigen::VectorXd rows(k());
    if (mechanism_->is_planar())
      rows << w.z(), v.x(), v.y();
    else
      rows << w, v;
    return rows;
  }

  /// How far each loop is from closing: where its last joint puts the second body, seen from where the tree puts it.
  Eigen::VectorXd loop_gaps() const {
    const std::vector<Placement> X_WB = body_placements();
    Eigen::VectorXd gaps(static_cast<int>(loops_.size()) * k());
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
      const model::Joint& joint = mechanism_->joints()[loops_[loop]];
      const Placement gap = X_WB[joint.first().slot()] * relative_placement(loops_[loop]) *
                            X_WB[joint.second().slot()].inverse();
      const Eigen::AngleAxisd turned(gap.R);
      gaps.segment(static_cast<int>(loop) * k(), k()) = rows_of(turned.angle() * turned.axis(), gap.p);
    }
    return gaps;
  }

  /// Least-squares Newton step with Levenberg's damping μ = |gap|²: converges on manifolds of solutions with redundant
  /// rows, and halves the distance to a shaky position.
  Eigen::VectorXd damped_newton_step(const Eigen::VectorXd& gap) const {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(loop_matrix(), Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXd& sigma = svd.singularValues();
    Eigen::VectorXd along = svd.matrixU().transpose() * gap;
    for (int i = 0; i < sigma.size(); ++i)
      along(i) *=
          sigma(i) < kRankTolerance * sigma(0) ? 0.0 : sigma(i) / (sigma(i) * sigma(i) + gap.squaredNorm());
    return -(svd.matrixV() * along);
  }

  void displace(const Eigen::VectorXd& dq) {
    int column = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j)
      for (const Screw& screw : freedoms(j)) joints_[j] = displaced(screw, dq(column++)) * joints_[j];
  }

  const model::Mechanism* mechanism_;
  std::vector<Placement> joints_;   ///< (joints) X_FM, exactly what the joint allows
  std::vector<Oriented> parent_;    ///< (bodies) the joint that leads to the body; unused for the ground
  std::vector<std::size_t> order_;  ///< (bodies) every body after the one before it in the tree
  std::vector<std::size_t> loops_;  ///< (loops) the joints that are not in the tree
  double start_misfit_ = 0.0;
};

}  // namespace eslabon::test
