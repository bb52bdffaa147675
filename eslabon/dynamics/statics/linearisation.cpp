#include "eslabon/dynamics/statics/linearisation.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/dynamics/formulations/diagnosis.hpp"
#include "eslabon/dynamics/mass/mass_factors.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/dynamics/reactions/powers.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::VariableKind;

namespace {

constexpr double kStep = 8e-3;         // rad, of the mechanism's size, or either in a second
constexpr double kAtRest = 1e-12;      // rad/s, or of the mechanism's size in a second
constexpr double kBalanced = 1e-8;     // of what acts
constexpr double kLeastScale = 1e-12;  // of the largest of all freedoms
constexpr double kNoDamping = 1e-9;    // of √(K M)
constexpr double kSymmetric = 1e-7;    // of the largest entry
constexpr double kNoStiffness = 1e-9;  // of what acts on the freedom, or of its stiffest coupling
constexpr double kNothing = 1e-8;      // of what acts: no derivative
constexpr double kUnreliable = 1e-3;   // error in parts of the derivative

/// Accelerations ÿ and outputs near the centre of a chart.
class NearCentre {
 public:
  NearCentre(FreedomChart& chart, const std::vector<model::Variable>& outputs)
      : chart_(chart), outputs_(outputs), bodies_(chart.model().mechanism().bodies().size()) {}

  /// Keeps what the outputs are at the centre: angles near by are counted from there.
  void start() {
    forces_at(chart_.centre());
    reference_ = outputs_with(chart_.centre(), y_ddot_);
    centre_bodies_ = bodies_;
  }

  /// ÿ at a state, which stands in forces() and y_ddot() too. Throws core::ModelError when a freedom has no mass.
  const VectorXd& forces_at(const State& state) {
    chart_.evaluate_or_throw(state, forces_);
    MatrixXd M = forces_.mass;
    MassFactors factors;
    if (!factors.factor(M)) throw_without_mass(state);
    y_ddot_ = forces_.force;
    factors.solve(y_ddot_);
    factors_ = factors;
    return y_ddot_;
  }
  const FreedomForces& forces() const { return forces_; }
  const VectorXd& y_ddot() const { return y_ddot_; }
  const MassFactors& factors() const { return factors_; }
  /// Outputs at the centre.
  const VectorXd& reference() const { return reference_; }

  /// Outputs with these ÿ; forces() are those of the state.
  VectorXd outputs_with(const State& state, const VectorXd& y_ddot) {
    const VectorXd a = forces_.directions * y_ddot + forces_.bias;
    chart_.evaluate_bodies(state, {a.data(), state.q.size()}, bodies_);
    VectorXd out(static_cast<Index>(outputs_.size()));
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      const auto slot = static_cast<Index>(k);
      out[slot] = value(outputs_[k], state);
      if (reference_.size() > 0 && is_angle(outputs_[k]))
        out[slot] = coordinates::unwrapped(out[slot], reference_[slot]);
    }
    return out;
  }

  /// (ÿ, ẋ, outputs) beside the centre.
  std::optional<VectorXd> beside(const VectorXd& y, const VectorXd& y_dot) {
    State state;
    if (chart_.move(y, y_dot, state) != ChartStatus::kGood) return std::nullopt;
    return told(state);
  }
  /// The same with other auxiliary states.
  std::optional<VectorXd> beside(const VectorXd& dx) {
    State state = chart_.centre();
    for (Index k = 0; k < dx.size(); ++k) state.memory.states[static_cast<std::size_t>(k)] += dx[k];
    return told(state);
  }
  /// (s) ẋ at the centre. Throws core::ModelError where one has no value.
  VectorXd state_rates() {
    const std::optional<VectorXd> rates = chart_.state_rates(chart_.centre());
    if (!rates) throw core::ModelError(chart_.why_not(chart_.centre()));
    return rates->cwiseProduct(sizes());
  }
  /// (s) what auxiliary states are measured by.
  VectorXd sizes() const {
    VectorXd out(chart_.num_states());
    for (Index k = 0; k < out.size(); ++k)
      out[k] = chart_.model().mechanism().states()[static_cast<std::size_t>(k)].size;
    return out;
  }

 private:
  std::optional<VectorXd> told(const State& state) {
    const auto outputs = static_cast<Index>(outputs_.size());
    const Index f = forces_at(state).size(), s = chart_.num_states();
    VectorXd all(f + s + outputs);
    all.head(f) = y_ddot_;
    if (s > 0) {
      const std::optional<VectorXd> rates = chart_.state_rates(state);
      if (!rates) return std::nullopt;
      all.segment(f, s) = rates->cwiseProduct(sizes());
    }
    all.tail(outputs) = outputs_with(state, y_ddot_);
    if (!all.allFinite()) return std::nullopt;
    return all;
  }

  bool is_angle(const model::Variable& variable) const {
    return model::dimension(chart_.model().mechanism(), variable) == core::kAngle;
  }

  double value(const model::Variable& variable, const State& state) {
    const model::Mechanism& mechanism = chart_.model().mechanism();
    const double found = value_at_state<double>(mechanism, chart_.model().forces(), variable, state.t, bodies_,
                                                state.memory);
    if (variable.kind != VariableKind::kBodyEulerParameter || centre_bodies_.empty()) return found;
    double product = 0.0;  // e and −e are one orientation: the one nearer to the centre's
    for (int c = 0; c < 4; ++c) {
      model::Variable part = variable;
      part.component = c;
      product += kinematics::value_of(mechanism, part, bodies_) *
                 kinematics::value_of(mechanism, part, centre_bodies_);
    }
    return product < 0.0 ? -found : found;
  }

  [[noreturn]] void throw_without_mass(const State& state) {
    chart_.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies_);
    const std::vector<std::string> names = bodies_moving_without_mass(chart_.model(), bodies_, state.t);
    throw core::ModelError({.what = "something moves without mass",
                            .where = names.empty() ? "mechanism '" + chart_.model().mechanism().name() + "'"
                                                   : "body '" + names.front() + "'",
                            .expected = "a mass or an inertia in every degree of freedom",
                            .actual = "a degree of freedom without",
                            .next = "Give the bodies that move in it a mass; an equilibrium needs none."});
  }

  FreedomChart& chart_;
  const std::vector<model::Variable>& outputs_;
  FreedomForces forces_;
  MassFactors factors_;
  VectorXd y_ddot_, reference_;
  MechanismMotion bodies_, centre_bodies_;
};

/// b of (2): power of an input for unit rates of y.
VectorXd power_of(FreedomChart& chart, const LinearInput& input, const State& state,
                  const MatrixXd& directions) {
  const model::Mechanism& mechanism = chart.model().mechanism();
  VectorXd b(directions.cols());
  MechanismMotion moving(mechanism.bodies().size());
  const auto* const load = std::get_if<std::size_t>(&input.what);
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  if (load != nullptr) {
    chart.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), moving);
    value = chart.model().forces().load_value(*load, state.t, moving, state.memory);
  }
  for (Index k = 0; k < b.size(); ++k) {
    chart.evaluate_displacement(state, directions.col(k), moving);
    if (const auto* coordinate = std::get_if<model::JointCoordinate>(&input.what))
      b[k] = kinematics::value_of(
          mechanism, {VariableKind::kJointVelocity, coordinate->joint, coordinate->component}, moving);
    else
      b[k] = power_of_load(mechanism, mechanism.loads()[*load], value, moving);
  }
  return b;
}

/// "A.v1" for "A.q1", "ball.e1_rate" for "ball.e1".
std::string rate_name(std::string coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot + 1 >= coordinate.size() || coordinate[dot + 1] != 'q') return coordinate + "_rate";
  coordinate[dot + 1] = 'v';
  return coordinate;
}

void name_states(const FreedomChart& chart, LinearSystem& out) {
  const Index f = chart.num_freedoms();
  out.scales.resize(f);
  for (Index k = 0; k < f; ++k) {
    const coordinates::Coordinate& coordinate =
        chart.system()
            .coordinates()[static_cast<std::size_t>(chart.named_columns()[static_cast<std::size_t>(k)])];
    out.scales[k] = coordinate.dimension == core::kLength ? chart.length() : 1.0;
    out.state_names.push_back(coordinate.name);
    out.state_units.push_back(core::si_unit(coordinate.dimension));
  }
  for (Index k = 0; k < f; ++k) {
    out.state_names.push_back(rate_name(out.state_names[static_cast<std::size_t>(k)]));
    out.state_units.push_back(out.state_units[static_cast<std::size_t>(k)] + "/s");
  }
  for (const model::AuxiliaryState& state : chart.model().mechanism().states()) {
    out.state_names.push_back(state.name + ".value");
    out.state_units.push_back(core::si_unit(state.dimension));
  }
}

[[noreturn]] void throw_one_sided(const std::string& state) {
  throw core::ModelError({.what = "the mechanism cannot be linearised here",
                          .where = state,
                          .expected = "positions on both sides",
                          .actual = "none that closes",
                          .next = "A singular position is near: move away from it."});
}

/// Columns of A and C for one of x; errors: (f + s + outputs) of this column.
void differentiate(NearCentre& near, Index column, LinearSystem& out, Eigen::Ref<VectorXd> errors) {
  const Index f = out.scales.size();
  const Index k = column % f;
  const bool is_rate = column >= f;
  const double size = is_rate ? std::max(1.0, std::abs(out.rates[k]) / out.scales[k]) : 1.0;
  const VectorXd zero = VectorXd::Zero(f);
  const auto derivative = extrapolated_difference(
      [&](double h) {
        const VectorXd along = h * VectorXd::Unit(f, k);
        return is_rate ? near.beside(zero, along) : near.beside(along, zero);
      },
      kStep * size * out.scales[k]);
  if (!derivative) throw_one_sided(out.state_names[static_cast<std::size_t>(column)]);
  out.A.col(column).tail(out.A.rows() - f) = derivative->value.head(out.A.rows() - f);
  out.C.col(column) = derivative->value.tail(out.C.rows());
  errors = derivative->errors.cwiseMax(derivative->kinks);
}

/// Columns of auxiliary states: of A by dual numbers, of C by differences, at which kinks are seen too.
void differentiate_states(FreedomChart& chart, NearCentre& near, LinearSystem& out, MatrixXd& errors) {
  const Index f = out.scales.size(), s = out.state_sizes.size();
  if (s == 0) return;
  const std::optional<StateDerivatives> by = chart.differentiate_states(out.state);
  if (!by) throw core::ModelError(AppliedForces::why_no_derivatives(out.state.t));
  near.forces_at(out.state);
  const VectorXd inverse = out.state_sizes.cwiseInverse();
  for (Index k = 0; k < s; ++k) {
    VectorXd y_ddot = by->force.col(k) * inverse[k];
    near.factors().solve(y_ddot);
    out.A.col(2 * f + k).segment(f, f) = y_ddot;
    out.A.col(2 * f + k).tail(s) = out.state_sizes.cwiseProduct(by->rate.col(k)) * inverse[k];
  }
  for (Index k = 0; k < s; ++k) {
    const auto derivative =
        extrapolated_difference([&](double h) { return near.beside(VectorXd(h * VectorXd::Unit(s, k))); },
                                kStep * out.state_sizes[k]);
    if (!derivative) throw_one_sided(out.state_names[static_cast<std::size_t>(2 * f + k)]);
    out.C.col(2 * f + k) = derivative->value.tail(out.C.rows());
    errors.col(2 * f + k) = derivative->kinks;
    errors.col(2 * f + k).tail(out.C.rows()) =
        derivative->errors.cwiseMax(derivative->kinks).tail(out.C.rows());
  }
}

/// The largest error of A in parts of its largest entry and of each output in parts of that of its row: columns are measured by the
/// mechanism's size, and rates by its fastest motion too.
void measure_error(const MatrixXd& errors, const VectorXd& reference, const VectorXd& acting,
                   LinearSystem& out) {
  const Index f = out.scales.size();
  const Index s = out.state_sizes.size();
  const VectorXd inverse = out.scales.cwiseInverse();
  VectorXd units(2 * f + s);
  units << out.scales, out.scales, out.state_sizes;
  const double stiffness =
      (inverse.asDiagonal() * out.A.block(f, 0, f, f) * out.scales.asDiagonal()).cwiseAbs().maxCoeff();
  units.segment(f, f) *= std::max(1e-3, std::sqrt(stiffness));
  const MatrixXd accelerations = inverse.asDiagonal() * out.A.middleRows(f, f) * units.asDiagonal();
  const VectorXd masses = out.mass.diagonal().cwiseProduct(out.scales.cwiseAbs2());
  const double largest = std::max(
      {accelerations.cwiseAbs().maxCoeff(), kNothing * acting.cwiseQuotient(masses).maxCoeff(), 1e-12});
  out.error = (inverse.asDiagonal() * errors.topRows(f) * units.asDiagonal()).maxCoeff() / largest;
  std::string where = "accelerations";
  for (Index k = 0; k < s; ++k) {
    const double row = (out.A.row(2 * f + k) * units.asDiagonal()).cwiseAbs().maxCoeff();
    const double error =
        (errors.row(f + k) * units.asDiagonal()).maxCoeff() / std::max(row, 1e-6 * out.state_sizes[k]);
    if (error <= out.error) continue;
    out.error = error;
    where = "rate of '" + out.state_names[static_cast<std::size_t>(2 * f + k)] + "'";
  }
  for (Index r = 0; r < out.C.rows(); ++r) {
    const double row = (out.C.row(r) * units.asDiagonal()).cwiseAbs().maxCoeff();
    const double error = (errors.row(f + s + r) * units.asDiagonal()).maxCoeff() /
                         std::max(row, 1e-6 * (std::abs(reference[r]) + 1e-3));
    if (error <= out.error) continue;
    out.error = error;
    where = "output '" + out.output_names[static_cast<std::size_t>(r)] + "'";
  }
  if (out.error <= kUnreliable) return;
  throw core::ModelError({.what = "the mechanism cannot be linearised here",
                          .where = where,
                          .expected = "motion and forces that are smooth near the state",
                          .actual = "derivatives that differ from step to step by " +
                                    core::rounded_text(out.error) + " of their size",
                          .next = "A kink of a table, or a singular position, is near: move away from it."});
}

/// Rest, damping and rigid motions, each freedom measured by its own forces, stiffness and mass. errors: (f × 2 f …) of A;
/// acting: (f) what acts along y; state_rates: (s) ẋ.
void judge(const MatrixXd& errors, const VectorXd& force, const VectorXd& acting, const VectorXd& state_rates,
           LinearSystem& out) {
  const Index f = out.scales.size();
  const MatrixXd SM = out.scales.asDiagonal() * out.mass;
  const MatrixXd M = SM * out.scales.asDiagonal(),
                 K = -SM * out.A.block(f, 0, f, f) * out.scales.asDiagonal(),
                 D = -SM * out.A.block(f, f, f, f) * out.scales.asDiagonal(),
                 K_error = SM.cwiseAbs() * errors.topLeftCorner(f, f) * out.scales.asDiagonal();
  const VectorXd s = equilibrating_scales(K, acting), m = M.diagonal().cwiseSqrt().cwiseInverse();
  const double error = (s.asDiagonal() * K_error * s.asDiagonal()).maxCoeff();
  out.none = std::max(kNoStiffness, 10.0 * error);
  if (out.state_sizes.size() == 0) out.rigid = rigid_motions(K, D, M, s, out.none);
  const bool is_at_rest = out.rates.cwiseQuotient(out.scales).cwiseAbs().maxCoeff() <= kAtRest &&
                          std::ranges::all_of(out.state.v, [](double v) { return std::abs(v) <= kAtRest; });
  const VectorXd sizes = acting.cwiseMax(K.diagonal().cwiseAbs()).cwiseMax(kLeastScale * acting.maxCoeff());
  out.is_equilibrium =
      is_at_rest && (force.cwiseProduct(out.scales).cwiseAbs().array() <= kBalanced * sizes.array()).all();
  VectorXd units(out.A.cols());
  units << out.scales, out.scales, out.state_sizes;
  for (Index k = 0; k < state_rates.size(); ++k) {
    const double could_be = (out.A.row(2 * f + k) * units.asDiagonal()).cwiseAbs().maxCoeff();
    out.is_equilibrium = out.is_equilibrium && std::abs(state_rates[k]) <= kBalanced * could_be;
  }
  if (!out.is_equilibrium || state_rates.size() > 0) return;
  const MatrixXd own_D = m.asDiagonal() * D * m.asDiagonal(), own_K = m.asDiagonal() * K * m.asDiagonal();
  const MatrixXd skew = s.asDiagonal() * (K - K.transpose()) * s.asDiagonal();
  out.is_undamped = own_D.cwiseAbs().maxCoeff() <= kNoDamping * std::sqrt(own_K.cwiseAbs().maxCoeff()) &&
                    skew.cwiseAbs().maxCoeff() <= std::max(kSymmetric, 10.0 * error);
}

}  // namespace

LinearInput find_input(const model::Mechanism& mechanism, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c) {
      const model::JointIndex joint(static_cast<int>(j));
      const model::Variable position{VariableKind::kJointPosition, joint, c};
      known.push_back(model::name(mechanism, position));
      if (known.back() == name)
        return {model::JointCoordinate{joint, c}, name,
                model::dimension(mechanism, position) == core::kAngle ? "N m" : "N"};
    }
  for (std::size_t k = 0; k < mechanism.loads().size(); ++k) {
    known.push_back(mechanism.loads()[k].name);
    if (known.back() == name) return {k, name, "1"};
  }
  const bool is_driver = std::ranges::any_of(
      mechanism.drivers(), [&](const model::Driver& driver) { return driver.name == name; });
  const auto nearest = core::nearest_name(name, known);
  throw core::ModelError(
      {.what = is_driver ? "a driver is no input: what it moves is prescribed" : "no such input",
       .where = "",
       .expected = "a joint coordinate or a force of the file: " + core::quoted_list(known),
       .actual = "'" + name + "'",
       .next = is_driver ? "Release it with --release, and take the coordinate that it moves."
               : nearest ? "Did you mean '" + *nearest + "'?"
                         : "Take one of these."});
}

model::Variable find_linear_output(const model::Mechanism& mechanism, const std::string& name) {
  const model::Variable variable = model::find_variable(mechanism, name);
  if (is_told_by_state(mechanism, variable)) return variable;
  throw core::ModelError(
      {.what = "reactions and efforts are not linearised",
       .where = "",
       .expected =
           "a position, a rate, an acceleration, an auxiliary state, a force of a spring or damper, or a formula of these",
       .actual = "'" + name + "'",
       .next = "Leave it out."});
}

void check_linear(FreedomChart& chart, const State& state) {
  const DynamicModel& model = chart.model();
  const model::Mechanism& mechanism = model.mechanism();
  MechanismMotion bodies(mechanism.bodies().size());
  chart.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies);
  if (std::optional<core::ErrorText> passed = find_passed_stop(model, state.t, bodies, state.memory)) {
    passed->what = "the position lies beyond a rigid stop";
    passed->next =
        "What rests on a rigid stop is not looked for: give the stop a 'stiffness:' instead of "
        "'restitution:'.";
    throw core::ModelError(*passed);
  }
  const auto refuse = [](const std::string& where, const std::string& actual, const std::string& next) {
    throw core::ModelError({.what = "this state has no linear motion",
                            .where = where,
                            .expected = "forces that change in proportion to small motions",
                            .actual = actual,
                            .next = next});
  };
  if (const std::optional<StopSide> side = find_touched_stop(model, state, bodies))
    refuse(side_name(mechanism, *side), "something that touches a rigid stop",
           "Linearise at another time, or give the stop a 'stiffness:'.");
  for (const model::Joint& joint : mechanism.joints()) {
    if (!joint.friction.is_dry()) continue;
    const std::string where = "joint '" + joint.name + "'";
    if (joint.friction.depends_on_load())
      refuse(where, "friction that depends on the load", "Give 'coulomb:' instead of 'coefficient:'.");
    const coordinates::RelativeMotion relative = coordinates::relative_motion(joint, bodies);
    bool holds = model::is_ball(joint.type) && relative.w.norm() <= joint.friction.creep_speed;
    for (int k = 0; k < model::coordinate_count(joint.type); ++k)
      holds = holds || std::abs(coordinates::joint_coordinate(joint.type, k, relative).velocity) <=
                           joint.friction.creep_speed;
    if (holds)
      refuse(where, "dry friction that holds", "Linearise while it slides, or leave dry friction out.");
  }
}

/// Throws core::ModelError for an output without a value, as a formula may be.
void check_outputs(const std::vector<model::Variable>& outputs, const VectorXd& values, const State& state,
                   const model::Mechanism& mechanism) {
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (!std::isfinite(values[static_cast<Index>(k)]))
      throw core::ModelError({.what = "an output has no value here",
                              .where = "t = " + core::number_text(state.t) + " s",
                              .expected = "a finite number",
                              .actual = "'" + model::name(mechanism, outputs[k]) + "', which is none",
                              .next = "Leave it out, or linearise somewhere else."});
}

LinearSystem linearise(FreedomChart& chart, const State& state, const std::vector<LinearInput>& inputs,
                       const std::vector<model::Variable>& outputs) {
  check_has_freedoms(chart);
  const model::Mechanism& mechanism = chart.model().mechanism();
  chart.let_states_follow(false);
  if (chart.centre_at_named(state) != ChartStatus::kGood)
    throw core::ModelError({.what = "the position is singular",
                            .where = "mechanism '" + mechanism.name() + "'",
                            .expected = "one near which the mechanism moves in one way",
                            .actual = "one where branches meet, or nearly so",
                            .next = "Move a little away from it."});
  const Index f = chart.num_freedoms(), p = static_cast<Index>(inputs.size()),
              r = static_cast<Index>(outputs.size()), s = chart.num_states();
  LinearSystem out;
  out.A = MatrixXd::Zero(2 * f + s, 2 * f + s);
  out.B = MatrixXd::Zero(2 * f + s, p);
  out.C = MatrixXd::Zero(r, 2 * f + s);
  out.D = MatrixXd::Zero(r, p);
  name_states(chart, out);
  out.state = chart.centre();
  check_linear(chart, out.state);
  out.rates = chart.y_of(Eigen::Map<const VectorXd>(out.state.v.data(), chart.n()));
  NearCentre near(chart, outputs);
  out.state_sizes = near.sizes();
  near.start();
  check_outputs(outputs, near.reference(), out.state, mechanism);
  out.accelerations = near.y_ddot();
  out.directions = near.forces().directions;
  out.mass = near.forces().mass;
  const VectorXd force = near.forces().force;

  // (2), and D by the outputs' being affine in ÿ.
  for (Index i = 0; i < p; ++i) {
    const LinearInput& input = inputs[static_cast<std::size_t>(i)];
    VectorXd y_ddot = power_of(chart, input, out.state, out.directions);
    near.factors().solve(y_ddot);
    out.B.col(i).segment(f, f) = y_ddot;
    // Large enough that nothing is lost beside the accelerations there are.
    const double size = y_ddot.cwiseAbs().maxCoeff();
    const double factor = size > 0.0 ? (1.0 + out.accelerations.cwiseAbs().maxCoeff()) / size : 1.0;
    out.D.col(i) = (near.outputs_with(out.state, out.accelerations + factor * y_ddot) -
                    near.outputs_with(out.state, out.accelerations - factor * y_ddot)) /
                   (2.0 * factor);
    out.input_names.push_back(input.name);
    out.input_units.push_back(input.unit);
  }
  for (const model::Variable& output : outputs) {
    out.output_names.push_back(model::name(mechanism, output));
    out.output_units.emplace_back(model::unit(mechanism, output));
  }
  out.A.block(0, f, f, f).setIdentity();
  const VectorXd acting = chart.force_scales(out.state, out.directions * out.scales.asDiagonal());
  MatrixXd errors(f + s + r, 2 * f + s);
  for (Index column = 0; column < 2 * f; ++column) differentiate(near, column, out, errors.col(column));
  differentiate_states(chart, near, out, errors);
  measure_error(errors, near.reference(), acting, out);
  judge(errors, force, acting, near.state_rates(), out);
  return out;
}

namespace {

/// Throws core::ModelError for a mode that no number can tell.
std::vector<Mode> all_finite(std::vector<Mode> modes) {
  for (const Mode& mode : modes)
    if (!std::isfinite(mode.natural_frequency()) || !mode.shape.allFinite())
      throw core::ModelError({.what = "the modes cannot be computed",
                              .where = "the linearised mechanism",
                              .expected = "finite eigenvalues and shapes",
                              .actual = "one that is not",
                              .next = "Masses or stiffnesses lie too far apart for the digits there are."});
  return modes;
}

}  // namespace

std::vector<Mode> LinearSystem::modes() const {
  const Index f = scales.size();
  if (is_undamped)
    return all_finite(undamped_modes(-mass * A.bottomLeftCorner(f, f), mass, rigid.shapes.cols()));
  if (const Index s = state_sizes.size(); s > 0) {
    VectorXd sizes(2 * f + s), of_shape(f + s);
    sizes << scales, scales, state_sizes;
    of_shape << scales, state_sizes;
    std::vector<Mode> found =
        modes_with_states(sizes.cwiseInverse().asDiagonal() * A * sizes.asDiagonal(), f, none);
    for (Mode& mode : found) {
      mode.shape = (of_shape.cast<std::complex<double>>().asDiagonal() * mode.shape).eval();
      mode.shape.normalize();
    }
    return all_finite(std::move(found));
  }
  // Numbers of one size: lengths in units of the mechanism's, times in units of its fastest motion.
  VectorXd sizes(2 * f);
  const MatrixXd fastest =
      scales.cwiseInverse().asDiagonal() * A.bottomLeftCorner(f, f) * scales.asDiagonal();
  const double rate = std::sqrt(std::max(fastest.cwiseAbs().maxCoeff(), 1e-12));
  sizes << scales, rate * scales;
  std::vector<Mode> found = modes_of(sizes.cwiseInverse().asDiagonal() * A * sizes.asDiagonal(), rigid);
  for (Mode& mode : found) {
    mode.shape = (scales.cast<std::complex<double>>().asDiagonal() * mode.shape).eval();
    mode.shape.normalize();
  }
  return all_finite(std::move(found));
}

}  // namespace eslabon::dynamics
