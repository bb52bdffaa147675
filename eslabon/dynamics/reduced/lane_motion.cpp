#include "eslabon/dynamics/reduced/lane_motion.hpp"

#include <cmath>

#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::dynamics {

using core::Traced;
using std::size_t;

namespace {

constexpr int kSubsteps = 8;      // of a displacement
constexpr int kClosings = 2;      // Newton steps in each of them
constexpr int kLastClosings = 3;  // the same at the end

TracedVector inputs(core::Trace& trace, Eigen::Index count) {
  TracedVector list;
  for (Eigen::Index k = 0; k < count; ++k) list.push_back(trace.input());
  return list;
}

TracedVector sum(TracedVector x, const TracedVector& y) {
  for (size_t k = 0; k < x.size(); ++k) x[k] += y[k];
  return x;
}

MotionProgram finish(core::Trace& trace, const std::vector<TracedVector>& parts, const Traced& size,
                     const TracedVector& after = {}) {
  TracedVector outputs;
  for (const TracedVector& part : parts) outputs.insert(outputs.end(), part.begin(), part.end());
  outputs.push_back(size);
  outputs.insert(outputs.end(), after.begin(), after.end());
  return {core::LaneProgram(trace, outputs), trace.uniform_functions()};
}

}  // namespace

LaneMotion::LaneMotion(const ReducedMotion& motion)
    : motion_(motion),
      num_coordinates_(static_cast<size_t>(motion.system().num_coordinates())),
      scales_(find_scales(motion)) {
  calm_step_ = trace_step(false);
  noisy_step_ = trace_step(true);
  displacement_ = trace_displacement();
  kick_ = trace_kick();
}

std::vector<core::NamedLaneProgram> LaneMotion::programs() {
  return {{"calm_step", &calm_step_.program},
          {"noisy_step", &noisy_step_.program},
          {"displacement", &displacement_.program},
          {"kick", &kick_.program}};
}

// Seed000 eq. 117
MotionProgram LaneMotion::trace_step(bool has_noise) const {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const auto n = static_cast<Eigen::Index>(num_coordinates_), f = motion_.num_freedoms();
  const TracedVector q = inputs(trace, n), v = inputs(trace, n), a = inputs(trace, n),
                     R = inputs(trace, n * f), theta = inputs(trace, motion_.num_unknowns()),
                     dz = inputs(trace, f), dz_dot = inputs(trace, f);
  const Traced h = trace.uniform();
  const TracedMotion motion(motion_, scales_);
  TracedVector guess(num_coordinates_), rate(num_coordinates_);
  for (size_t c = 0; c < num_coordinates_; ++c) {
    guess[c] = q[c] + h * (v[c] + 0.5 * h * a[c]);  // (1)
    rate[c] = v[c] + h * a[c];
  }
  if (has_noise) {
    const TracedVector z = sum(motion.freedoms(guess), dz);
    for (size_t c = 0; c < num_coordinates_; ++c)
      for (size_t k = 0; k < dz.size(); ++k) {
        guess[c] += R[k * num_coordinates_ + c] * dz[k];
        rate[c] += R[k * num_coordinates_ + c] * dz_dot[k];
      }
    const TracedMotion::Position near = motion.position(guess);
    guess = motion.closed(near, z, motion.freedom_basis(near));
  }
  const TracedMotion::Position at = motion.position(guess);
  const TracedMotion::Masses masses = motion.masses(at, theta);
  const TracedMotion::Correction corrected = motion.corrected_positions(at, masses, has_noise);
  const TracedVector rate_there = motion.corrected_rates(at, masses, rate);
  TracedVector theta_next, theta_star = theta;
  if (!motion.states(theta).empty()) {
    const TracedVector g = motion.state_rates(motion.position(q), v, theta);
    for (size_t i = 0; i < theta.size(); ++i) theta_star[i] += h * g[i];
    const TracedVector g_star = motion.state_rates(at, rate_there, theta_star);
    theta_next = theta;
    for (size_t i = 0; i < theta.size(); ++i) theta_next[i] += 0.5 * h * (g[i] + g_star[i]);  // (1b)
  }
  const TracedVector a_star = motion.accelerations(at, masses, rate_there, theta_star);
  TracedVector v_next(num_coordinates_);
  for (size_t c = 0; c < num_coordinates_; ++c) v_next[c] = v[c] + 0.5 * h * (a[c] + a_star[c]);  // (1)
  v_next = has_noise ? motion.rates_with_freedoms(at, masses, v_next, sum(motion.freedoms(v_next), dz_dot))
                     : motion.corrected_rates(at, masses, v_next);
  return finish(trace, {corrected.q, v_next, a_star, motion.freedom_columns(at, masses)},
                corrected.size_squared, theta_next);
}

MotionProgram LaneMotion::trace_displacement() const {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const auto n = static_cast<Eigen::Index>(num_coordinates_), f = motion_.num_freedoms();
  const TracedVector q = inputs(trace, n), v = inputs(trace, n),
                     theta = inputs(trace, motion_.num_unknowns()), dz = inputs(trace, f),
                     dz_dot = inputs(trace, f);
  trace.uniform();
  const TracedMotion motion(motion_, scales_);
  TracedMotion::Position at = motion.position(q);
  const TracedVector start = motion.freedoms(q);
  for (int substep = 1; substep <= kSubsteps; ++substep) {
    TracedVector z = start;
    for (size_t k = 0; k < z.size(); ++k) z[k] += (static_cast<double>(substep) / kSubsteps) * dz[k];
    for (int i = 0; i < (substep == kSubsteps ? kLastClosings : kClosings); ++i)
      at = motion.position(motion.closed(at, z, motion.freedom_basis(at)));
  }
  const TracedMotion::Masses masses = motion.masses(at, theta);
  const TracedMotion::Correction corrected = motion.corrected_positions(at, masses, true);
  // Where z cannot move what it was going with goes on as it was.
  const TracedVector rates = motion.rates_with_freedoms(at, masses, v, sum(motion.freedoms(v), dz_dot));
  return finish(trace,
                {corrected.q, rates, motion.accelerations(at, masses, rates, theta),
                 motion.freedom_columns(at, masses)},
                corrected.size_squared);
}

MotionProgram LaneMotion::trace_kick() const {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const auto n = static_cast<Eigen::Index>(num_coordinates_);
  const TracedVector q = inputs(trace, n), v = inputs(trace, n),
                     theta = inputs(trace, motion_.num_unknowns()),
                     dz_dot = inputs(trace, motion_.num_freedoms());
  trace.uniform();
  const TracedMotion motion(motion_, scales_);
  const TracedMotion::Position at = motion.position(q);
  const TracedMotion::Masses masses = motion.masses(at, theta);
  TracedVector outputs = motion.rates_with_freedoms(at, masses, v, sum(motion.freedoms(v), dz_dot));
  const TracedVector a = motion.accelerations(at, masses, outputs, theta);
  outputs.insert(outputs.end(), a.begin(), a.end());
  return {core::LaneProgram(trace, outputs), trace.uniform_functions()};
}

MotionProgram LaneMotion::reading(size_t num_channels, const Reading& read) const {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const auto n = static_cast<Eigen::Index>(num_coordinates_);
  const TracedVector q = inputs(trace, n), v = inputs(trace, n), a = inputs(trace, n);
  inputs(trace, n * motion_.num_freedoms());
  const TracedVector theta = inputs(trace, motion_.num_unknowns());
  trace.uniform();
  const TracedMotion motion(motion_, scales_);
  TracedVector out(num_channels, Traced(0.0));
  read(motion.bodies(motion.position(q), v, a), motion.states(theta), out);
  return {core::LaneProgram(trace, out), trace.uniform_functions()};
}

MotionProgram LaneMotion::residual() const {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const TracedVector q = inputs(trace, static_cast<Eigen::Index>(num_coordinates_));
  trace.uniform();
  const TracedMotion motion(motion_, scales_);
  return {core::LaneProgram(trace, motion.all_rows(q)), trace.uniform_functions()};
}

bool LaneMotion::evaluate_uniforms(const MotionProgram& program, double t, double h,
                                   std::span<coordinates::CoordinateValue> drivers,
                                   std::span<double> out) const {
  out[0] = h;
  if (!motion_.model().evaluate_drivers(t, drivers)) return false;
  for (size_t k = 0; k < drivers.size(); ++k) {
    out[1 + 3 * k] = drivers[k].position;
    out[2 + 3 * k] = drivers[k].velocity;
    out[3 + 3 * k] = drivers[k].acceleration;
  }
  bool has_values = true;
  for (const core::Trace::TimeUniform& function : program.functions) {
    double& value = out[static_cast<size_t>(function.uniform)];
    value = function.value(t);
    has_values = has_values && std::isfinite(value);
  }
  return has_values;
}

}  // namespace eslabon::dynamics
