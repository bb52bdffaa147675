#include "tests/screw_rank.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace eslabon::test {
namespace {

Placement marker(const model::Joint& joint, std::size_t end) {
  return {joint.ends[end].X_BF.R_AB.matrix(), joint.ends[end].X_BF.p_AB_A};
}

Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

double difference(const Placement& a, const Placement& b) {
  return std::max((a.p - b.p).lpNorm<Eigen::Infinity>(), (a.R - b.R).lpNorm<Eigen::Infinity>());
}

std::vector<Placement> start_placements(const model::Mechanism& mechanism) {
  std::vector<Placement> X_WB(mechanism.bodies().size());
  std::vector<int> known(X_WB.size(), 0);
  for (const model::StartPose& pose : mechanism.start_poses()) {
    Placement& X = X_WB[pose.body.slot()];
    if (pose.p_WB_W) X.p = *pose.p_WB_W;
    if (pose.rotation_vector && pose.rotation_vector->norm() > 0.0)
      X.R = turn(pose.rotation_vector->norm(), pose.rotation_vector->normalized());
    known[pose.body.slot()] += pose.p_WB_W && pose.rotation_vector ? 3 : pose.p_WB_W ? 2 : 1;
  }
  for (const model::StartValue& start : mechanism.start_values()) {
    if (start.variable.kind == model::VariableKind::kBodyAngle) {
      const std::size_t body = std::get<model::BodyIndex>(start.variable.element).slot();
      X_WB[body].R = turn(start.value, Eigen::Vector3d::UnitZ());
      ++known[body];
    } else if (start.variable.kind == model::VariableKind::kPointPosition) {
      const auto& ref = std::get<model::PointRef>(start.variable.element);
      if (!mechanism.point(ref).p_BP_B.isZero()) continue;
      X_WB[ref.body.slot()].p(start.variable.component) = start.value;
      ++known[ref.body.slot()];
    }
  }
  for (std::size_t body = 1; body < known.size(); ++body)
    if (known[body] != 3)
      throw std::invalid_argument("screw_rank needs the whole start pose of " +
                                  mechanism.bodies()[body].name);
  return X_WB;
}

/// The place of a curve that is nearest to p: the best of many, then by halves.
double nearest_place(const core::SplineCurve& curve, const Eigen::Vector3d& p) {
  constexpr int kPlaces = 2000;
  const double h = curve.length() / kPlaces;
  double best = 0.0;
  for (int k = 1; k <= kPlaces; ++k)
    if ((curve.at(k * h).p - p).norm() < (curve.at(best).p - p).norm()) best = k * h;
  double low = best - h, high = best + h;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    const core::CurvePoint<double> at = curve.at(middle);
    (at.d1.dot(p - at.p) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// The placement that the joint allows and that agrees with X_FM in the joint's coordinates.
Placement nearest_allowed(const model::Joint& joint, const Placement& X_FM) {
  const Eigen::Vector3d& p = X_FM.p;
  const Eigen::Matrix3d& R = X_FM.R;
  const Eigen::Matrix3d about_z = turn(std::atan2(R(1, 0), R(0, 0)), Eigen::Vector3d::UnitZ());
  switch (joint.type) {
    case model::JointType::kRevolute:
      return {about_z, {0.0, 0.0, 0.0}};
    case model::JointType::kPrismatic:
      return {Eigen::Matrix3d::Identity(), {p.x(), 0.0, 0.0}};
    case model::JointType::kCylindrical:
      return {about_z, {0.0, 0.0, p.z()}};
    case model::JointType::kUniversal:
      return {turn(std::atan2(R(2, 1), R(1, 1)), Eigen::Vector3d::UnitX()) *
                  turn(std::atan2(R(0, 2), R(0, 0)), Eigen::Vector3d::UnitY()),
              {0.0, 0.0, 0.0}};
    case model::JointType::kSpherical:
      return {R, {0.0, 0.0, 0.0}};
    case model::JointType::kPlanar:
      return {about_z, {p.x(), p.y(), 0.0}};
    case model::JointType::kFixed:
      return {};
    case model::JointType::kTranslation:
      return {Eigen::Matrix3d::Identity(), p};
    case model::JointType::kFree:
    case model::JointType::kLinearActuator:
      return X_FM;
    case model::JointType::kRod:
    case model::JointType::kCircularSlot:
      return {R, joint.length * p.normalized()};
    case model::JointType::kSlot:
    case model::JointType::kPointOnLine:
      return {R, {p.x(), 0.0, 0.0}};
    case model::JointType::kPointOnPlane:
      return {R, {p.x(), p.y(), 0.0}};
    case model::JointType::kRollingDisc:
      return {R, {joint.length * Eigen::Vector3d::UnitX().cross(R.col(1)).norm(), p.y(), p.z()}};
    case model::JointType::kPointOnSpaceCurve: {
      const core::SplineCurve& curve = joint.ends[0].curve->spline;
      return {R, curve.at(nearest_place(curve, p)).p};
    }
    case model::JointType::kHelical:
    case model::JointType::kPointOnCurve:
    case model::JointType::kCurveOnLine:
    case model::JointType::kCurveOnCurve:
    case model::JointType::kRolling:  // not among those that it is asked about
      break;
  }
  throw std::invalid_argument("screw_rank does not know the joint " + joint.name);
}

}  // namespace

Placement displaced(const Screw& screw, double q) {
  const double rate = screw.w.norm();
  if (rate == 0.0) return {Eigen::Matrix3d::Identity(), q * screw.v};
  const Eigen::Vector3d on_axis = screw.w.cross(screw.v) / (rate * rate);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(rate * q, screw.w / rate).toRotationMatrix();
  return {R, on_axis - R * on_axis};
}

ScrewChain::ScrewChain(const model::Mechanism& mechanism) : mechanism_(&mechanism) {
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

double ScrewChain::joint_misfit() const {
  double misfit = 0.0;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    misfit = std::max(misfit, difference(joints_[j], nearest_allowed(mechanism_->joints()[j], joints_[j])));
  return misfit;
}

ScrewRank ScrewChain::rank() const {
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

std::vector<Eigen::MatrixXd> ScrewChain::joint_stresses(const ScrewRank& at) const {
  std::vector<Eigen::MatrixXd> list(joints_.size(), Eigen::MatrixXd::Zero(k(), at.stress.cols()));
  for (std::size_t loop = 0; loop < loops_.size(); ++loop)
    for (const auto& [joint, sign] : loop_path(loop))
      list[joint] += sign * at.stress.middleRows(static_cast<int>(loop) * k(), k());
  return list;
}

std::vector<std::string> ScrewChain::stressed_joints() const {
  std::vector<std::string> names;
  const ScrewRank here = rank();
  const auto stresses = joint_stresses(here);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (stresses[j].size() > 0 && stresses[j].norm() > kRankTolerance)
      names.push_back(mechanism_->joints()[j].name);
  return names;
}

ScrewChain::Step ScrewChain::move(const Eigen::VectorXd& direction, double length) {
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

int ScrewChain::finite_mobility(std::mt19937_64& random) const {
  const Eigen::MatrixXd N = rank().null_space;
  constexpr double kStep = 1e-3;
  Eigen::MatrixXd moved(N.rows(), N.cols() + 2);
  for (int c = 0; c < moved.cols(); ++c) {
    ScrewChain trial = *this;
    const Step step = trial.move(N * random_unit(static_cast<int>(N.cols()), random), kStep);
    moved.col(c) = step.closed ? (step.displacement / kStep).eval() : Eigen::VectorXd::Zero(N.rows()).eval();
  }
  if (N.cols() == 0) return 0;
  const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(moved).singularValues();
  return static_cast<int>(
      (sigma.array() > 0.02).count());  // the step bends by 1e-3; what shrinks, by 1e-2 or more
}

int ScrewChain::idle_spins() const {
  if (mechanism_->is_planar()) return 0;
  const auto is_ball = [](const model::Joint& joint) {
    return joint.type == model::JointType::kSpherical || joint.type == model::JointType::kRod;
  };
  std::vector<std::size_t> part(mechanism_->bodies().size());
  for (std::size_t b = 0; b < part.size(); ++b) part[b] = b;
  for (const model::Joint& joint : mechanism_->joints())
    if (!is_ball(joint)) {
      const std::size_t from = part[joint.second().slot()], to = part[joint.first().slot()];
      std::replace(part.begin(), part.end(), from, to);
    }
  const std::vector<Placement> X_WB = body_placements();
  int spins = 0;
  for (std::size_t p = 0; p < part.size(); ++p) {
    if (p == part[0] || part[p] != p) continue;
    Eigen::MatrixXd held(0,
                         6);  // velocity of each holding point, in the part's angular velocity and velocity
    std::vector<std::size_t> holders;
    for (const model::Joint& joint : mechanism_->joints())
      for (std::size_t end = 0; end < 2; ++end) {
        const std::size_t body = joint.ends[end].body.slot(), other = joint.ends[1 - end].body.slot();
        if (!is_ball(joint) || part[body] != p || part[other] == p) continue;
        const Eigen::Vector3d r = (X_WB[body] * marker(joint, end)).p;
        held.conservativeResize(held.rows() + 3, Eigen::NoChange);
        held.bottomRows(3) << 0, r.z(), -r.y(), 1, 0, 0, -r.z(), 0, r.x(), 0, 1, 0, r.y(), -r.x(), 0, 0, 0, 1;
        holders.push_back(other);
      }
    std::ranges::sort(holders);
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    if (holders.size() < 2) continue;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(held);
    svd.setThreshold(kRankTolerance);
    spins += 6 - static_cast<int>(svd.rank());
  }
  return spins;
}

Eigen::VectorXd ScrewChain::random_unit(int size, std::mt19937_64& random) {
  Eigen::VectorXd x(size);
  for (int i = 0; i < size; ++i) x(i) = static_cast<double>(random() >> 11) * 0x1.0p-52 - 1.0;
  return size == 0 ? x : x.normalized();
}

/// Motions of M that the joint allows, in F. displace applies them in this order, one after the other, and so keeps to
/// what the joint allows: what turns with M comes before what turns M.
std::vector<Screw> ScrewChain::freedoms(std::size_t j) const {
  using Eigen::Vector3d;
  const Placement& X = joints_[j];
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), none = Vector3d::Zero();
  const auto about = [](const Vector3d& axis, const Vector3d& point) {
    return Screw{axis, point.cross(axis)};
  };
  const bool is_planar = mechanism_->is_planar();
  switch (mechanism_->joints()[j].type) {
    case model::JointType::kRevolute:
      return {about(z, none)};
    case model::JointType::kPrismatic:
      return {{none, x}};
    case model::JointType::kCylindrical:
      return {about(z, none), {none, z}};
    case model::JointType::kUniversal:
      return {about(X.R * y, none), about(x, none)};
    case model::JointType::kSpherical:
      return {about(x, none), about(y, none), about(z, none)};
    case model::JointType::kPlanar:
      return {about(z, X.p), {none, x}, {none, y}};
    case model::JointType::kTranslation:
      if (is_planar) return {{none, x}, {none, y}};
      return {{none, x}, {none, y}, {none, z}};
    case model::JointType::kFixed:
      return {};
    case model::JointType::kFree:
    case model::JointType::kLinearActuator:
      if (is_planar) return {about(z, X.p), {none, x}, {none, y}};
      return {about(x, X.p), about(y, X.p), about(z, X.p), {none, x}, {none, y}, {none, z}};
    case model::JointType::kRod: {
      if (is_planar) return {about(z, X.p), about(z, none)};
      const Vector3d side = X.p.unitOrthogonal();
      return {about(x, X.p), about(y, X.p), about(z, X.p), about(side, none),
              about(X.p.normalized().cross(side), none)};
    }
    case model::JointType::kCircularSlot:
      return {about(z, X.p), about(z, none)};
    case model::JointType::kSlot:
      return {about(z, X.p), {none, x}};
    case model::JointType::kPointOnLine:
      return {about(x, X.p), about(y, X.p), about(z, X.p), {none, x}};
    case model::JointType::kPointOnPlane:
      return {about(x, X.p), about(y, X.p), about(z, X.p), {none, x}, {none, y}};
    case model::JointType::kPointOnSpaceCurve: {
      const core::SplineCurve& curve = mechanism_->joints()[j].ends[0].curve->spline;
      return {about(x, X.p),
              about(y, X.p),
              about(z, X.p),
              {none, curve.at(nearest_place(curve, X.p)).d1.normalized()}};
    }
    case model::JointType::
        kRollingDisc: {  // about its axis, about the line on which it stands, and along the plane
      const Vector3d axis = X.R * y, along = x.cross(axis).normalized();
      const Vector3d contact = X.p - mechanism_->joints()[j].length * axis.cross(along);
      return {about(axis, X.p), about(along, contact), about(x, contact), {none, y}, {none, z}};
    }
    case model::JointType::kHelical:
    case model::JointType::kPointOnCurve:
    case model::JointType::kCurveOnLine:
    case model::JointType::kCurveOnCurve:
    case model::JointType::kRolling:
      break;
  }
  throw std::invalid_argument("screw_rank does not know the joint " + mechanism_->joints()[j].name);
}

void ScrewChain::grow_tree() {
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

std::size_t ScrewChain::body_before(std::size_t body) const {
  const model::Joint& joint = mechanism_->joints()[parent_[body].joint];
  return parent_[body].sign > 0.0 ? joint.first().slot() : joint.second().slot();
}

std::vector<Placement> ScrewChain::body_placements() const {
  std::vector<Placement> X_WB(order_.size());
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const Oriented up = parent_[order_[i]];
    const Placement across = relative_placement(up.joint);
    X_WB[order_[i]] = X_WB[body_before(order_[i])] * (up.sign > 0.0 ? across : across.inverse());
  }
  return X_WB;
}

Placement ScrewChain::relative_placement(std::size_t j) const {
  const model::Joint& joint = mechanism_->joints()[j];
  return marker(joint, 0) * joints_[j] * marker(joint, 1).inverse();
}

std::vector<ScrewChain::Oriented> ScrewChain::loop_path(std::size_t loop) const {
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

Eigen::MatrixXd ScrewChain::loop_matrix() const {
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

Eigen::VectorXd ScrewChain::rows_of(const Eigen::Vector3d& w, const Eigen::Vector3d& v) const {
  Eigen::VectorXd rows(k());
  if (mechanism_->is_planar())
    rows << w.z(), v.x(), v.y();
  else
    rows << w, v;
  return rows;
}

Eigen::VectorXd ScrewChain::loop_gaps() const {
  const std::vector<Placement> X_WB = body_placements();
  Eigen::VectorXd gaps(static_cast<int>(loops_.size()) * k());
  for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
    const model::Joint& joint = mechanism_->joints()[loops_[loop]];
    const Placement gap =
        X_WB[joint.first().slot()] * relative_placement(loops_[loop]) * X_WB[joint.second().slot()].inverse();
    const Eigen::AngleAxisd turned(gap.R);
    gaps.segment(static_cast<int>(loop) * k(), k()) = rows_of(turned.angle() * turned.axis(), gap.p);
  }
  return gaps;
}

Eigen::VectorXd ScrewChain::damped_newton_step(const Eigen::VectorXd& gap) const {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(loop_matrix(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& sigma = svd.singularValues();
  Eigen::VectorXd along = svd.matrixU().transpose() * gap;
  for (int i = 0; i < sigma.size(); ++i)
    along(i) *=
        sigma(i) < kRankTolerance * sigma(0) ? 0.0 : sigma(i) / (sigma(i) * sigma(i) + gap.squaredNorm());
  return -(svd.matrixV() * along);
}

void ScrewChain::displace(const Eigen::VectorXd& dq) {
  int column = 0;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    for (const Screw& screw : freedoms(j)) joints_[j] = displaced(screw, dq(column++)) * joints_[j];
  for (std::size_t j = 0; j < joints_.size(); ++j)  // a step along the tangent leaves a curve
    if (mechanism_->joints()[j].type == model::JointType::kPointOnSpaceCurve)
      joints_[j] = nearest_allowed(mechanism_->joints()[j], joints_[j]);
}

}  // namespace eslabon::test
