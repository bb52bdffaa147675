#include "eslabon/estimation/mechanism/mechanism_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/variables/force_variables.hpp"

namespace eslabon::estimation {

using core::index;
using dynamics::ReducedPoint;
using dynamics::ReducedTangent;
using dynamics::Unknown;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kBadLeverage = 8.0;     // of z: other coordinates are looked for
constexpr double kUnknownFactor = 10.0;  // deviations of the start that mean "nothing is known"

bool is_factor(const Unknown& unknown) { return unknown.is_factor(); }

/// Options with all auxiliary states, before everything else that is unknown: a state that nothing is said of starts a tenth of its size off.
MechanismSystemOptions with_states(const model::Mechanism& mechanism, MechanismSystemOptions options) {
  constexpr double kUsual = 0.1;
  std::vector<UnknownState> list;
  for (const Unknown& what : dynamics::state_unknowns(mechanism)) {
    const model::AuxiliaryState& state = mechanism.states()[index(what.index)];
    const auto given = std::ranges::find_if(options.unknowns, [&](const UnknownState& unknown) {
      return unknown.what.kind == Unknown::Kind::kState && unknown.what.index == what.index;
    });
    UnknownState one{.what = what, .deviation = kUsual * state.size};
    if (given != options.unknowns.end()) one = *given;
    one.name = state.name + ".value";
    one.dimension = state.dimension;
    one.start += state.start;
    list.push_back(std::move(one));
  }
  for (UnknownState& unknown : options.unknowns)
    if (unknown.what.kind != Unknown::Kind::kState) list.push_back(std::move(unknown));
  options.unknowns = std::move(list);
  return options;
}

std::vector<Unknown> unknowns_of(const MechanismSystemOptions& options) {
  std::vector<Unknown> list;
  for (const UnknownState& state : options.unknowns) list.push_back(state.what);
  return list;
}

/// Whether x is the state of the point.
bool same(ConstStateRef x, const ReducedPoint& point) {
  const Index f = point.z.size();
  return x.head(f) == point.z && x.segment(f, f) == point.z_dot &&
         x.segment(2 * f, point.theta.size()) == point.theta;
}

/// What an instrument reads, traced. Functions of time in the model are traced too; the time that an instrument itself asks for is a plain
/// number, which is noticed by what it does.
void write(const sensing::Instrument& instrument, const coordinates::MechanismMotionOf<core::Traced>& bodies,
           const dynamics::ForceMemory& memory, std::span<core::Traced> out) {
  std::vector<core::Traced> later(out.size());
  instrument.read(sensing::Scene<core::Traced>{0.0, bodies, memory}, out);
  instrument.read(sensing::Scene<core::Traced>{1.0, bodies, memory}, later);
  if (!std::ranges::equal(out, later))
    throw core::ModelError({.what = "a reading cannot be written down",
                            .where = "its instrument",
                            .expected = "a function of the motion",
                            .actual = "one of time besides",
                            .next = "Leave time to the motion."});
}

}  // namespace

MechanismSystem::MechanismSystem(const dynamics::DynamicModel& model, std::vector<FilterSensor> sensors,
                                 MechanismSystemOptions options)
    : motion_(model, unknowns_of(with_states(model.mechanism(), options))),
      sensors_(std::move(sensors)),
      options_(with_states(model.mechanism(), std::move(options))),
      anchor_(motion_.start()),
      anchor_tangent_(motion_.make_tangent()),
      scratch_(anchor_),
      guess_(anchor_),
      scratch_tangent_(anchor_tangent_) {
  for (const FilterSensor& sensor : sensors_)
    for (const sensing::Channel& channel : sensor.facts.channels)
      if (!(channel.noise > 0.0) && !(channel.resolution > 0.0))
        throw core::ModelError({.what = "a filter cannot weigh a reading without error",
                                .where = "sensor '" + sensor.facts.name + "'",
                                .expected = "'noise' or 'resolution' > 0",
                                .actual = "neither",
                                .next = "Say how good the sensor is in the mechanism file."});
  for (const UnknownState& unknown : options_.unknowns)
    if (is_factor(unknown.what) && !(unknown.start > 0.0))
      throw core::ModelError({.what = "a factor is estimated by its logarithm",
                              .where = "unknown '" + unknown.name + "'",
                              .expected = "a start above 0",
                              .actual = core::number_text(unknown.start),
                              .next = "Start from the value of the model, which is 1."});
  name_states();
  has_freedom_forces_ = std::ranges::any_of(options_.unknowns, [](const UnknownState& unknown) {
    return unknown.what.kind == Unknown::Kind::kFreedomForce;
  });
  const Index n = num_states();
  const int stages = tableau(options_.rule).stages;
  x_stage_.resize(n);
  slopes_.resize(num_moving(), stages);
  slope_x_.assign(static_cast<std::size_t>(stages), MatrixXd::Zero(num_moving(), n));
  stage_x_.resize(n, n);
  motion_.set_compiler(options_.motion_compiler, written_readings());
}

void MechanismSystem::name_states() {
  states_.clear();
  const Index f = num_freedoms();
  for (const bool is_rate : {false, true})
    for (Index k = 0; k < f; ++k) {
      const coordinates::Coordinate& z = motion_.coordinate(k);
      const bool is_length = z.dimension == core::kLength;
      const bool is_angle = z.dimension == core::kAngle;
      const double scale = is_length ? motion_.length() : is_angle ? std::numbers::pi : 1.0;
      states_.push_back({(is_rate ? "rate of " : "") + z.name,
                         is_rate ? z.dimension / core::kTime : z.dimension,
                         is_rate ? kUnknownRate * scale : scale, is_rate, is_angle && !is_rate});
      if (!is_rate) continue;
      states_.back().most = options_.largest_rate * size_of(k);
      states_.back().least = -states_.back().most;
    }
  for (UnknownState& unknown : options_.unknowns) {
    if (unknown.what.kind == Unknown::Kind::kFreedomForce) {
      const coordinates::Coordinate& z = motion_.coordinate(unknown.what.index);
      unknown.name = "force:" + z.name;
      unknown.dimension = z.dimension == core::kLength ? core::kForce : core::kTorque;
    }
    if (unknown.what.kind == Unknown::Kind::kState) {
      const double size = motion_.model().mechanism().states()[index(unknown.what.index)].size;
      states_.push_back({.name = unknown.name,
                         .dimension = unknown.dimension,
                         .unknown_scale = std::max(kUnknownFactor * unknown.deviation, size)});
      continue;
    }
    states_.push_back({.name = unknown.name,
                       .dimension = unknown.dimension,
                       .unknown_scale = kUnknownFactor * unknown.deviation * force_scale(unknown.what),
                       .is_parameter = true,
                       .is_factor = is_factor(unknown.what)});
    if (!is_factor(unknown.what) || unknown.walk > 0.0) continue;
    const double reach = std::exp(kUnknownFactor * unknown.deviation / unknown.start);
    states_.back().least = unknown.start / reach;
    states_.back().most = unknown.start * reach;
  }
  for (const BiasState& bias : options_.biases) {
    const sensing::Channel& channel =
        sensors_[static_cast<std::size_t>(bias.sensor)].facts.channels[index(bias.channel)];
    states_.push_back({.name = "bias:" + channel.name,
                       .dimension = channel.dimension,
                       .unknown_scale = kUnknownFactor * bias.deviation,
                       .is_parameter = true});
  }
}

double MechanismSystem::size_of(Index k) const {
  return motion_.coordinate(k).dimension == core::kLength ? motion_.length() : 1.0;
}

double MechanismSystem::force_scale(const Unknown& unknown) const {
  if (unknown.kind != Unknown::Kind::kFreedomForce) return 1.0;
  return anchor_.mass(unknown.index, unknown.index) * size_of(unknown.index);
}

VectorXd MechanismSystem::state_of(const coordinates::MechanismMotion& bodies, double t) {
  anchor_ = motion_.point_of(bodies, t);
  anchor_derivatives_ = Derivatives::kNone;
  VectorXd x = VectorXd::Zero(num_states());
  const Index f = num_freedoms();
  x.head(f) = anchor_.z;
  x.segment(f, f) = anchor_.z_dot;
  for (std::size_t i = 0; i < options_.unknowns.size(); ++i)
    x[2 * f + static_cast<Index>(i)] = options_.unknowns[i].start;
  static_cast<void>(accept(t, x));
  return x;
}

MatrixXd MechanismSystem::start_covariance(double position, double rate) const {
  const Index f = num_freedoms();
  VectorXd deviations(num_states());
  for (Index k = 0; k < f; ++k) {
    deviations[k] = position * size_of(k);
    deviations[f + k] = rate * size_of(k);
  }
  Index at = 2 * f;
  for (const UnknownState& unknown : options_.unknowns)
    deviations[at++] = unknown.deviation * force_scale(unknown.what);
  for (const BiasState& bias : options_.biases) deviations[at++] = bias.deviation;
  return deviations.cwiseAbs2().asDiagonal();
}

Index MechanismSystem::num_channels(int sensor) const {
  return static_cast<Index>(sensors_[static_cast<std::size_t>(sensor)].facts.channels.size());
}
bool MechanismSystem::is_angle(int sensor, Index channel) const {
  return sensors_[static_cast<std::size_t>(sensor)].facts.channels[index(channel)].is_angle;
}
double MechanismSystem::period(int sensor) const {
  return sensors_[static_cast<std::size_t>(sensor)].facts.period.seconds();
}
// Seed000 eq. 112
void MechanismSystem::sensor_noise(int sensor, MatrixRef R_n) const {
  R_n.setZero();
  const std::vector<sensing::Channel>& channels = sensors_[static_cast<std::size_t>(sensor)].facts.channels;
  for (Index k = 0; k < R_n.rows(); ++k) {
    const sensing::Channel& channel = channels[index(k)];
    R_n(k, k) = channel.noise * channel.noise + channel.resolution * channel.resolution / 12.0;
  }
}

void MechanismSystem::set(ConstStateRef x, ReducedPoint& point) const {
  const Index f = num_freedoms();
  point.z = x.head(f);
  point.z_dot = x.segment(f, f);
  point.theta = x.segment(2 * f, point.theta.size());
}

const ReducedPoint* MechanismSystem::solve(double t, ConstStateRef x) {
  if (t == anchor_.t && same(x, anchor_)) return &anchor_;
  set(x, scratch_);
  return motion_.solve(t, anchor_, scratch_) == dynamics::ReducedStatus::kSolved ? &scratch_ : nullptr;
}

const ReducedTangent* MechanismSystem::differentiate(const ReducedPoint& point, Derivatives needed) {
  const bool is_anchor = &point == &anchor_;
  if (is_anchor && anchor_derivatives_ >= needed) return &anchor_tangent_;
  ReducedTangent& tangent = is_anchor ? anchor_tangent_ : scratch_tangent_;
  if (is_anchor) anchor_derivatives_ = Derivatives::kNone;
  const bool are_accelerations_enough = needed == Derivatives::kAccelerations &&
                                        motion_.differentiate_accelerations_by_code(point, tangent.z_ddot_x);
  if (!are_accelerations_enough && !motion_.differentiate(point, tangent)) return nullptr;
  if (is_anchor)
    anchor_derivatives_ = are_accelerations_enough ? Derivatives::kAccelerations : Derivatives::kAll;
  return &tangent;
}

// Seed003 eq. 15, eq. 17
bool MechanismSystem::take_stages(double t, double h, StateRef x, bool with_derivatives) {
  const StepTableau& rule = tableau(options_.rule);
  const Index f = num_freedoms(), moving = num_moving();
  for (int i = 0; i < rule.stages; ++i) {
    const auto stage = static_cast<std::size_t>(i);
    x_stage_ = x;
    if (with_derivatives) stage_x_.setIdentity();
    for (int j = 0; j < i; ++j) {
      const double weight = h * rule.a[stage][static_cast<std::size_t>(j)];
      if (weight == 0.0) continue;
      x_stage_.head(moving) += weight * slopes_.col(j);
      if (with_derivatives) stage_x_.topRows(moving) += weight * slope_x_[static_cast<std::size_t>(j)];
    }
    const ReducedPoint* point = solve(t + rule.c[stage] * h, x_stage_);
    if (point == nullptr) return false;
    slopes_.col(i).head(f) = point->z_dot;
    slopes_.col(i).segment(f, f) = point->z_ddot;
    slopes_.col(i).tail(moving - 2 * f) = point->theta_dot;
    if (!with_derivatives) continue;
    const ReducedTangent* tangent = differentiate(*point, Derivatives::kAccelerations);
    if (tangent == nullptr) return false;
    slope_x_[stage].topRows(f) = stage_x_.middleRows(f, f);
    slope_x_[stage].middleRows(f, f).noalias() = tangent->z_ddot_x * stage_x_.topRows(moving);
    if (has_states())
      slope_x_[stage].bottomRows(moving - 2 * f).noalias() = tangent->theta_dot_x * stage_x_.topRows(moving);
  }
  for (int i = 0; i < rule.stages; ++i)
    x.head(moving) += h * rule.b[static_cast<std::size_t>(i)] * slopes_.col(i);
  return x.allFinite();
}

bool MechanismSystem::step(double t, double h, StateRef x) { return take_stages(t, h, x, false); }

bool MechanismSystem::step(double t, double h, StateRef x, MatrixRef F) {
  if (!take_stages(t, h, x, true)) return false;
  F.setIdentity();
  const StepTableau& rule = tableau(options_.rule);
  for (int i = 0; i < rule.stages; ++i) {
    const auto stage = static_cast<std::size_t>(i);
    F.topRows(num_moving()) += h * rule.b[stage] * slope_x_[stage];
  }
  return F.allFinite();
}

// Seed003 eq. 18
void MechanismSystem::simple_transition(double h, MatrixRef F) {
  const Index f = num_freedoms(), p = motion_.num_unknowns();
  F.setIdentity();
  F.block(0, f, f, f).diagonal().setConstant(h);
  if (p == 0) return;
  // Unknowns would never be seen without what they do.
  if (const ReducedTangent* tangent = differentiate(anchor_, Derivatives::kAccelerations)) {
    F.block(0, 2 * f, f, p) = 0.5 * h * h * tangent->z_ddot_x.rightCols(p);
    F.block(f, 2 * f, f, p) = h * tangent->z_ddot_x.rightCols(p);
    if (has_states()) F.block(2 * f, 0, p, 2 * f + p) += h * tangent->theta_dot_x;
  }
}

// Seed000 eq. 114
// Seed003 eq. 19
void MechanismSystem::plant_noise(double, double h, ConstStateRef, MatrixRef Q_w) {
  const Index f = num_freedoms();
  const PlantNoise& noise = options_.noise;
  Q_w.setZero();
  for (Index k = 0; k < f; ++k) {
    const double scale = size_of(k) * size_of(k);
    const double a = scale * noise.acceleration * noise.acceleration,
                 v = scale * noise.velocity * noise.velocity;
    Q_w(k, k) = scale * noise.position * noise.position * h + v * h * h * h / 3.0 + a * h * h * h * h / 4.0;
    Q_w(f + k, f + k) = v * h + a * h * h;
    Q_w(k, f + k) = Q_w(f + k, k) = v * h * h / 2.0 + a * h * h * h / 2.0;
  }
  Index at = 2 * f;
  for (const UnknownState& unknown : options_.unknowns) {
    if (unknown.walk > 0.0) add_walk(at, unknown, h, Q_w);
    ++at;
  }
  for (const BiasState& bias : options_.biases) {
    Q_w(at, at) = bias.walk * bias.walk * h;
    ++at;
  }
}

void MechanismSystem::add_walk(Index at, const UnknownState& unknown, double h, MatrixRef Q_w) {
  const Index f = num_freedoms();
  const double walk = unknown.walk * force_scale(unknown.what);
  const double q = walk * walk;
  Q_w(at, at) += q * h;
  const ReducedTangent* tangent = differentiate(anchor_, Derivatives::kAccelerations);
  if (tangent == nullptr) return;
  const auto b = tangent->z_ddot_x.col(at);  // (2)
  for (Index k = 0; k < f; ++k) {
    const double position = q * b[k] * h * h * h / 6.0, rate = q * b[k] * h * h / 2.0;
    Q_w(k, at) += position;
    Q_w(at, k) += position;
    Q_w(f + k, at) += rate;
    Q_w(at, f + k) += rate;
    for (Index j = 0; j < f; ++j) {
      const double bb = q * b[k] * b[j];
      Q_w(k, j) += bb * h * h * h * h * h / 20.0;
      Q_w(f + k, f + j) += bb * h * h * h / 3.0;
      Q_w(k, f + j) += bb * h * h * h * h / 8.0;
      Q_w(f + k, j) += bb * h * h * h * h / 8.0;
    }
  }
}

void MechanismSystem::read(const ReducedPoint& point, const sensing::Instrument& instrument,
                           StateRef y) const {
  instrument.read(sensing::Scene<double>{point.t, point.bodies, point.memory}, {y.data(), index(y.size())});
}

bool MechanismSystem::read(const ReducedPoint& point, const sensing::Instrument& instrument, StateRef y,
                           MatrixRef H) {
  const ReducedTangent* tangent = differentiate(point, Derivatives::kAll);
  if (tangent == nullptr) return false;
  read(point, instrument, y);
  H.setZero();
  sensing::evaluate_jacobian(instrument, point, *tangent, H.leftCols(num_moving()));
  return y.allFinite() && H.allFinite();
}

bool MechanismSystem::read(double t, ConstStateRef x, const sensing::Instrument& instrument, StateRef y,
                           MatrixRef H) {
  const ReducedPoint* point = solve(t, x);
  return point != nullptr && read(*point, instrument, y, H);
}

std::vector<dynamics::WrittenReading> MechanismSystem::written_readings() const {
  std::vector<dynamics::WrittenReading> list;
  for (const FilterSensor& sensor : sensors_)
    list.push_back({.name = "sensor '" + sensor.facts.name + "'",
                    .size = sensor.facts.channels.size(),
                    .write = [instrument = sensor.instrument, memory = motion_.model().start_memory()](
                                 const auto& bodies, std::span<core::Traced> out) {
                      write(*instrument, bodies, memory, out);
                    }});
  return list;
}

void MechanismSystem::add_known_biases(int sensor, StateRef y) const {
  const std::vector<sensing::Channel>& channels = sensors_[static_cast<std::size_t>(sensor)].facts.channels;
  for (Index k = 0; k < y.size(); ++k) y[k] += channels[index(k)].bias;
}

// Seed000 eq. 111
bool MechanismSystem::measure(double t, ConstStateRef x, int sensor, StateRef y) {
  const ReducedPoint* point = solve(t, x);
  if (point == nullptr) return false;
  read(*point, *sensors_[static_cast<std::size_t>(sensor)].instrument, y);
  add_known_biases(sensor, y);
  for (std::size_t b = 0; b < options_.biases.size(); ++b)
    if (options_.biases[b].sensor == sensor)
      y[options_.biases[b].channel] += x[num_moving() + static_cast<Index>(b)];
  return y.allFinite();
}

bool MechanismSystem::measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) {
  const auto s = static_cast<std::size_t>(sensor);
  const ReducedPoint* point = solve(t, x);
  if (point == nullptr) return false;
  H.rightCols(H.cols() - num_moving()).setZero();
  if (!motion_.read_by_code(s, *point, {y.data(), index(y.size())}, H.leftCols(num_moving())) &&
      !read(*point, *sensors_[s].instrument, y, H))
    return false;
  add_known_biases(sensor, y);
  for (std::size_t b = 0; b < options_.biases.size(); ++b)
    if (options_.biases[b].sensor == sensor) {
      const Index column = num_moving() + static_cast<Index>(b);
      y[options_.biases[b].channel] += x[column];
      H(options_.biases[b].channel, column) = 1.0;
    }
  return y.allFinite();
}

bool MechanismSystem::accept_from(double t, ConstStateRef x) {
  if (!x.allFinite()) return false;
  set(x, scratch_);
  guess_.t = t;
  guess_.memory = anchor_.memory;
  if (motion_.solve(t, guess_, scratch_) != dynamics::ReducedStatus::kSolved) return false;
  std::swap(anchor_, scratch_);
  anchor_derivatives_ = Derivatives::kNone;
  return true;
}

bool MechanismSystem::accept(double t, ConstStateRef x) {
  const ReducedPoint* point = x.allFinite() ? solve(t, x) : nullptr;
  if (point == nullptr) return false;
  if (point == &anchor_) return true;
  std::swap(anchor_, scratch_);
  anchor_derivatives_ = Derivatives::kNone;
  return true;
}

void MechanismSystem::restore() {
  if (!kept_) return;
  anchor_ = *kept_;
  anchor_derivatives_ = Derivatives::kNone;
}

void MechanismSystem::find_poses(std::span<core::Pose<double>> X_WB) {
  for (std::size_t b = 0; b < num_bodies(); ++b) X_WB[b] = anchor_.bodies[b + 1].X_WB;
}

bool MechanismSystem::accept_any(double t, ConstStateRef x, int k) {
  if (!x.allFinite()) return false;
  const Index f = num_freedoms();
  std::vector<std::string> names;
  for (Index j = 0; j < f; ++j) names.push_back(motion_.coordinate(j).name);
  const auto is_of_names = [&](const PositionPrior& prior) {
    return std::ranges::equal(prior.ranges(), names, {}, &FreedomRange::name);
  };
  if (!positions_ || !is_of_names(*positions_))
    positions_ = std::make_unique<PositionPrior>(motion_.model(), names);
  positions_->at(t);
  VectorXd z = x.head(f);
  for (Index j = 0; j < f; ++j)
    if (positions_->ranges()[index(j)].is_turn) z[j] = std::remainder(z[j], 2.0 * std::numbers::pi);
  const MatrixXd positions = positions_->positions_at(z);
  if (k < 0 || k >= positions.cols()) return false;
  set(x, scratch_);
  scratch_.memory = anchor_.memory;
  for (std::size_t c = 0; c < scratch_.q.size(); ++c) scratch_.q[c] = positions(static_cast<Index>(c), k);
  for (Index j = 0; j < f; ++j) scratch_.q[index(positions_->motion().columns()[index(j)])] = x[j];
  if (motion_.solve(t, scratch_, scratch_) != dynamics::ReducedStatus::kSolved) return false;
  std::swap(anchor_, scratch_);
  anchor_derivatives_ = Derivatives::kNone;
  return true;
}

bool MechanismSystem::depends_on_time() const {
  const auto varies = [](const model::TimeFunction& f) { return !f.is_constant(); };
  const auto of_stop = [&](const model::Stop& stop) {
    return (stop.lower && varies(*stop.lower)) || (stop.upper && varies(*stop.upper));
  };
  const model::Mechanism& mechanism = motion_.model().mechanism();
  return !mechanism.drivers().empty() || model::forces_depend_on_time(mechanism) ||
         std::ranges::any_of(mechanism.stops(), of_stop);
}

bool MechanismSystem::choose_coordinates(double t, StateRef x, MatrixRef T) {
  if (has_freedom_forces_ || motion_.leverage(anchor_) < kBadLeverage ||
      !(t == anchor_.t && same(x, anchor_)))
    return false;
  const ReducedTangent* tangent = differentiate(anchor_, Derivatives::kAll);
  if (tangent == nullptr) return false;
  const Index f = num_freedoms(), moving = num_moving();
  T.setIdentity();
  if (!motion_.choose(anchor_, *tangent, T.topLeftCorner(moving, moving))) return false;
  anchor_derivatives_ = Derivatives::kNone;
  x.head(f) = anchor_.z;
  x.segment(f, f) = anchor_.z_dot;
  x.segment(2 * f, anchor_.theta.size()) = anchor_.theta;
  name_states();
  return true;
}

}  // namespace eslabon::estimation
