#include "eslabon/dynamics/formulations/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/dynamics/forces/friction_law.hpp"
#include "eslabon/dynamics/mass/mass_model.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoMass = 1e-12;   // of the largest eigenvalue
constexpr double kNoMotion = 1e-6;  // of a unit of coordinates
constexpr int kMostRows = 600;      // beyond, looking takes longer than a person waits

/// The rows of all joints and drivers, at a position of the bodies.
struct Rows {
  Rows(const DynamicModel& model, const MechanismMotion& bodies, double t)
      : system("reference-point", model.mechanism(), model.structure(), model.prescribed()),
        q(static_cast<std::size_t>(system.num_coordinates())) {
    std::vector<coordinates::CoordinateValue> values(model.prescribed().size());
    model.evaluate_drivers_or_throw(t, values);
    std::vector<double> v(q.size()), a(q.size());
    system.read_bodies(bodies, {q, v, a});
    system.evaluate_positions(q, values, level);
  }

  coordinates::ConstraintSystem system;
  std::vector<double> q;
  coordinates::PositionLevel level;
};

double lightest(const model::Mechanism& mechanism, const model::PointPair& pair) {
  double mass = std::numeric_limits<double>::infinity();
  for (const model::BodyIndex body : {pair.first.body, pair.second.body})
    if (body != model::kGround && mechanism.body(body).mass_properties.mass > 0.0)
      mass = std::min(mass, mechanism.body(body).mass_properties.mass);
  return mass;
}

/// Mass, or inertia about the joint where its coordinate is an angle.
double lightest(const model::Mechanism& mechanism, const model::JointCoordinate& coordinate) {
  const model::Joint& joint = mechanism.joint(coordinate.joint);
  const bool is_turn = model::dimension(mechanism, {model::VariableKind::kJointPosition, coordinate.joint,
                                                    coordinate.component}) == core::kAngle;
  double least = std::numeric_limits<double>::infinity();
  for (const model::JointEnd& end : joint.ends) {
    const model::MassProperties& body = mechanism.body(end.body).mass_properties;
    if (end.body == model::kGround || body.mass == 0.0) continue;
    const double inertia =
        body.I_BC_B.diagonal().maxCoeff() + body.mass * (body.p_BC_B - end.X_BF.p_AB_A).squaredNorm();
    least = std::min(least, is_turn ? inertia : body.mass);
  }
  return least;
}

/// The steepest slope of a table, or the constant where there is none.
double slope(const model::ForceTable& table, double constant) {
  double steepest = table.empty() ? std::abs(constant) : 0.0;
  for (std::size_t i = 1; i < table.size(); ++i)
    steepest = std::max(
        steepest, std::abs((table[i].second - table[i - 1].second) / (table[i].first - table[i - 1].first)));
  return steepest;
}

}  // namespace

OpenPlace widest_gap(const DynamicModel& model, const MechanismMotion& bodies, double t) {
  const Rows rows(model, bodies, t);
  const double length = coordinates::length_scale(model.mechanism());
  OpenPlace widest;
  for (int r = 0; r < rows.system.num_rows(); ++r) {
    const double gap = std::abs(rows.level.Phi[r]) * (rows.system.row_is_length(r) ? 1.0 : length);
    if (gap > widest.gap) widest = {coordinates::describe_row(rows.system, r), gap};
  }
  return widest;
}

std::vector<std::string> bodies_moving_without_mass(const DynamicModel& model, const MechanismMotion& bodies,
                                                    double t) {
  const model::Mechanism& mechanism = model.mechanism();
  const Rows rows(model, bodies, t);
  if (rows.system.num_rows() > kMostRows || rows.system.num_coordinates() > kMostRows) return {};
  MatrixXd N = kinematics::rank_rows_in_order(rows.system, rows.level.Phi_q).null_space;
  if (N.cols() == 0) return {};
  const double length = coordinates::length_scale(mechanism);
  for (Index c = 0; c < N.rows(); ++c)
    if (rows.system.coordinates()[static_cast<std::size_t>(c)].dimension == core::kLength) N.row(c) *= length;
  const auto masses = make_masses(rows.system);
  const std::vector<double> zero(rows.q.size(), 0.0);
  MassValues values;
  masses->evaluate(rows.q, zero, Eigen::Vector3d::Zero(), values);
  MatrixXd MN(N.rows(), N.cols());
  for (Index k = 0; k < N.cols(); ++k)
    masses->multiply(values, {N.col(k).data(), rows.q.size()}, {MN.col(k).data(), rows.q.size()});
  const core::SymmetricEigen modes = core::symmetric_eigen(N.transpose() * MN);
  std::vector<bool> moves(bodies.size(), false);
  MechanismMotion motion(bodies.size());
  coordinates::BodiesWorkspace workspace;
  for (Index k = 0; k < N.cols(); ++k) {
    if (modes.values[k] > kNoMass * modes.values.maxCoeff()) continue;
    const VectorXd v = N * modes.vectors.col(k);
    rows.system.evaluate_bodies(rows.q, {v.data(), rows.q.size()}, zero, workspace, motion);
    for (std::size_t b = 1; b < motion.size(); ++b)
      moves[b] = moves[b] || motion[b].w_WB_W.norm() + motion[b].v_WB_W.norm() / length > kNoMotion;
  }
  std::vector<std::string> names;
  for (std::size_t b = 1; b < bodies.size(); ++b)
    if (moves[b]) names.push_back(mechanism.bodies()[b].name);
  return names;
}

std::optional<FastElement> fastest_element(const model::Mechanism& mechanism) {
  std::optional<FastElement> fastest;
  const auto look = [&](const model::Connection& connection, const std::string& name, double k, double c) {
    const auto* const pair = std::get_if<model::PointPair>(&connection);
    const auto* const coordinates = std::get_if<model::CoordinatePair>(&connection);
    const auto* const of_point = std::get_if<model::PointCoordinate>(&connection);
    const double m = pair          ? lightest(mechanism, *pair)
                     : of_point    ? lightest(mechanism, model::PointPair{of_point->point, of_point->point})
                     : coordinates ? std::min(lightest(mechanism, coordinates->first),
                                              lightest(mechanism, coordinates->second))
                                   : lightest(mechanism, std::get<model::JointCoordinate>(connection)),
                 rate = std::max(std::sqrt(k / m), c / m);
    if (rate > (fastest ? fastest->rate : 0.0)) fastest = {name, rate};
  };
  for (const model::Spring& spring : mechanism.springs())
    look(spring.connection, "spring '" + spring.name + "'", slope(spring.table, spring.stiffness),
         std::abs(spring.damping));
  for (const model::Damper& damper : mechanism.dampers())
    look(damper.connection, "damper '" + damper.name + "'", 0.0, slope(damper.table, damper.damping));
  for (const model::Stop& stop : mechanism.stops()) {
    if (stop.is_rigid()) continue;
    if (stop.coupling) {
      for (const auto& [coordinate, factor] : stop.coupling->terms)
        look(coordinate, "stop '" + stop.name + "'", factor * factor * stop.stiffness,
             factor * factor * stop.damping);
      continue;
    }
    const auto* const joint = std::get_if<model::JointIndex>(&stop.target.element);
    const auto* const point = std::get_if<model::PointRef>(&stop.target.element);
    look(joint ? model::Connection(model::JointCoordinate{*joint, stop.target.component})
               : model::Connection(model::PointPair{*point, *point}),
         "stop '" + stop.name + "'", stop.stiffness, stop.damping);
  }
  // Dry friction below the creep speed; its load is taken to be all weight.
  double weight = 0.0;
  for (const model::Body& body : mechanism.bodies())
    weight += body.mass_properties.mass * mechanism.gravity_W().norm();
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (const model::JointFriction& friction = mechanism.joints()[j].friction;
        friction.is_dry() && !model::is_ball(mechanism.joints()[j].type))
      look(model::JointCoordinate{model::JointIndex(static_cast<int>(j)), 0},
           "friction of joint '" + mechanism.joints()[j].name + "'", 0.0,
           1.5 * holding_effort(friction, weight) / friction.creep_speed + friction.viscous);
  return fastest;
}

}  // namespace eslabon::dynamics
