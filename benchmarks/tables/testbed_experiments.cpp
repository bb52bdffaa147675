#include "benchmarks/tables/testbed_experiments.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "benchmarks/tables/bench_case.hpp"
#include "benchmarks/tables/reference_models.hpp"

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::benchmarks {

/// The testbed, its motor gone.
struct Testbed {
  explicit Testbed(const std::vector<io::ParameterOverride>& set)
      : mechanism(model::without_all_drivers(
            io::read_mechanism(reference_models::fourbar_testbed, "fourbar-testbed.yaml", set))),
        structure(kinematics::analyse_driven_structure(mechanism)),
        model(mechanism, structure, kinematics::assemble(mechanism, structure)) {}

  double value(const std::string& name, const coordinates::MechanismMotion& bodies) const {
    return kinematics::value_of(mechanism, model::find_variable(mechanism, name), bodies);
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
};

namespace {

using std::numbers::pi;

/// Sum of squares of differences.
struct Squares {
  double sum = 0.0;
  int count = 0;
  void add(double x) {
    sum += x * x;
    ++count;
  }
  double root() const { return count == 0 ? 0.0 : std::sqrt(sum / count); }
};

double half_turn(double angle) { return std::remainder(angle, 2.0 * pi); }
double in_steps(double angle, int pulses) {
  return std::round(angle * pulses / (2.0 * pi)) * 2.0 * pi / pulses;
}

}  // namespace

// Seed003 eq. 10, eq. 11a, eq. 11b, eq. 11c, eq. 11d, eq. 11e, eq. 11f
std::vector<KinematicError> run_kinematic_experiment(std::uint64_t seed) {
  constexpr double kSpeed = 1.8190, kPeriod = 0.01, kEnd = 20.0,
                   kRipple = 18.0;  // rad/s, s, s, rad/s: chosen
  const Testbed testbed({});
  dynamics::ReducedMotion motion(testbed.model, {}, dynamics::ReducedMotion::Use::kKinematics, {"A.q"});
  dynamics::ReducedPoint truth = motion.start(), nominal = truth, by_encoder = truth;
  const double start = truth.z[0];
  core::Rng rng(seed);
  const auto noise = [&](double deviation) { return deviation * kDegree * rng.normal(); };
  const auto follow = [&](dynamics::ReducedPoint& point, double z, double rate, double acceleration,
                          double t) {
    point.z[0] = z;
    point.z_dot[0] = rate;
    point.z_ddot[0] = acceleration;
    static_cast<void>(motion.follow(t, point, point));
  };
  Squares phi, psi, phi_rate, psi_rate, phi_encoder, psi_encoder, rocker_encoder, p1, p2, p3, ax, ay;
  const double L_AB = 0.8, L_2B = 0.455, L_12 = 0.54, L_13 = 0.384, L_32 = 0.212;
  const double at_P1 = std::acos((L_12 * L_12 + L_13 * L_13 - L_32 * L_32) / (2.0 * L_12 * L_13));  // ∠213
  for (int k = 0; k * kPeriod <= kEnd; ++k) {
    const double t = k * kPeriod, a = std::sqrt(2.0) * kSpeedDeviation;
    const double z = start + kSpeed * t + a / kRipple * (1.0 - std::cos(kRipple * t));
    follow(truth, z, kSpeed + a * std::sin(kRipple * t), a * kRipple * std::cos(kRipple * t), t);
    follow(nominal, start + kSpeed * t, kSpeed, 0.0, t);
    follow(by_encoder, in_steps(z, 1024), kSpeed, 0.0, t);
    const auto of = [&](const char* name, const dynamics::ReducedPoint& point) {
      return testbed.value(name, point.bodies);
    };
    // What the inertial units measure.
    const double coupler = of("coupler.angle", truth) + noise(kPitchNoise),
                 rocker = of("rocker.angle", truth) + noise(kPitchNoise);
    phi.add(half_turn(coupler - of("coupler.angle", nominal)));
    psi.add(half_turn(rocker - of("rocker.angle", nominal)));
    phi_rate.add(of("coupler.rate", truth) + noise(kGyroscopeNoise) - of("coupler.rate", nominal));
    psi_rate.add(of("rocker.rate", truth) + noise(kGyroscopeNoise) - of("rocker.rate", nominal));
    phi_encoder.add(half_turn(coupler - of("coupler.angle", by_encoder)));
    psi_encoder.add(half_turn(rocker - of("rocker.angle", by_encoder)));
    rocker_encoder.add(
        half_turn(in_steps(of("rocker.angle", truth), 10'000) - of("rocker.angle", by_encoder)));
    // [Seed003, eq. (11)], with the angle at P1, which is ∠213 and not ∠123.
    const double x2 = L_AB + L_2B * std::cos(rocker), y2 = L_2B * std::sin(rocker);
    const double x1 = x2 - L_12 * std::cos(coupler), y1 = y2 - L_12 * std::sin(coupler);
    const double x3 = x1 + L_13 * std::cos(coupler + at_P1), y3 = y1 + L_13 * std::sin(coupler + at_P1);
    p1.add(std::hypot(x1 - of("crank.P1.x", by_encoder), y1 - of("crank.P1.y", by_encoder)));
    p2.add(std::hypot(x2 - of("rocker.P2.x", by_encoder), y2 - of("rocker.P2.y", by_encoder)));
    p3.add(std::hypot(x3 - of("coupler.P3.x", by_encoder), y3 - of("coupler.P3.y", by_encoder)));
    // [Seed003, eq. (10)]: what the accelerometer at P3 reads, turned back by the measured angle.
    const double c = std::cos(of("coupler.angle", truth)), s = std::sin(of("coupler.angle", truth));
    const double wx = of("coupler.P3.ax", truth), wy = of("coupler.P3.ay", truth) + 9.81;
    const double ux = c * wx + s * wy + 0.02 * rng.normal(), uy = -s * wx + c * wy + 0.02 * rng.normal();
    ax.add(std::cos(coupler) * ux - std::sin(coupler) * uy - of("coupler.P3.ax", nominal));
    ay.add(std::sin(coupler) * ux + std::cos(coupler) * uy - 9.81 - of("coupler.P3.ay", nominal));
  }
  return {{"coupler_angle", "coupler angle, by motor", "rad", phi.root(), 0.82 * kDegree},
          {"rocker_angle", "rocker angle, by motor", "rad", psi.root(), 1.00 * kDegree},
          {"coupler_rate", "coupler rate, by motor", "rad/s", phi_rate.root(), 1.75 * kDegree},
          {"rocker_rate", "rocker rate, by motor", "rad/s", psi_rate.root(), 1.79 * kDegree},
          {"encoder_coupler_angle", "coupler angle, by encoder", "rad", phi_encoder.root()},
          {"encoder_rocker_angle", "rocker angle, by encoder", "rad", psi_encoder.root()},
          {"rocker_encoder", "rocker's own encoder", "rad", rocker_encoder.root()},
          {"p1", "P1 by IMUs, eq. (11)", "m", p1.root()},
          {"p2", "P2 by IMUs", "m", p2.root()},
          {"p3", "P3 by IMUs", "m", p3.root()},
          {"p3_x_acceleration", "P3 x by eq. (10)", "m/s²", ax.root()},
          {"p3_y_acceleration", "P3 y by eq. (10)", "m/s²", ay.root()}};
}

/// Every millisecond.
struct DynamicExperiment::Truth {
  Testbed testbed{{}};
  std::vector<coordinates::MechanismMotion> bodies;
  std::vector<double> angles;
  double stops_at = 0.0;
};

DynamicExperiment::DynamicExperiment() : truth_(std::make_unique<Truth>()) {
  constexpr int kMilliseconds = 7000;
  const Testbed rubbing(std::vector<io::ParameterOverride>{{"crank_friction", "0.2 N*m"}});
  const auto formulation = dynamics::make_formulation("groups", rubbing.model);
  integration::Simulation simulation(rubbing.model, *formulation, integration::make_integrator("bdf"), 10.0);
  coordinates::MechanismMotion bodies(rubbing.mechanism.bodies().size());
  for (int k = 0; k <= kMilliseconds; ++k) {
    if (!simulation.advance_to(1e-3 * k))
      throw core::ModelError({.what = "the testbed could not be simulated",
                              .where = "bench estimation",
                              .expected = "7 s",
                              .actual = std::to_string(k) + " ms",
                              .next = "Report this."});
    simulation.evaluate_bodies(bodies);
    truth_->bodies.push_back(bodies);
    truth_->angles.push_back(rubbing.value("crank.angle", bodies));
    if (std::abs(rubbing.value("crank.rate", bodies)) > 1e-3) truth_->stops_at = 1e-3 * (k + 1);
  }
}
DynamicExperiment::~DynamicExperiment() = default;

double DynamicExperiment::stops_at() const { return truth_->stops_at; }

DynamicErrors DynamicExperiment::run(const FilterWay& way, int num_seeds) const {
  const Testbed& testbed = truth_->testbed;
  std::vector<estimation::FilterSensor> sensors;
  std::vector<sensing::SensorFacts> facts;
  for (const char* name : {"imu1_gyroscope", "imu2_gyroscope"}) {
    const model::Sensor& sensor = *std::ranges::find(testbed.mechanism.sensors(), name, &model::Sensor::name);
    const std::shared_ptr<const sensing::Instrument> instrument =
        sensing::make_instrument(testbed.mechanism, sensor, testbed.model.forces());
    facts.push_back(sensing::sensor_facts(sensor, *instrument));
    sensors.push_back({instrument, facts.back()});
  }
  estimation::MechanismSystemOptions options{.rule = *estimation::find_step_rule(way.integrator),
                                             .noise = {.velocity = way.estimates_force ? 0.0 : 0.5}};
  if (way.estimates_force)
    options.unknowns.push_back({.what = {dynamics::Unknown::Kind::kFreedomForce, 0},
                                .name = "force",
                                .dimension = core::kTorque,
                                .deviation = 1.0,
                                .walk = 3.0});
  DynamicErrors errors;
  double moving = 0.0, alarmed = 0.0;
  const dynamics::ForceMemory memory = testbed.model.forces().empty_memory();
  for (int seed = 0; seed < num_seeds; ++seed) {
    estimation::MechanismSystem system(testbed.model, sensors, options);
    const auto filter =
        estimation::make_estimator(way.filter, system, {.exact_jacobian = way.exact_jacobian});
    const Eigen::VectorXd x = system.start_state();
    static_cast<void>(filter->start(0.0, x, system.start_covariance(5.0 * kDegree, 5.0 * kDegree)));
    sensing::FrontEnd front_end(facts, {.window = {}});
    estimation::EstimationRun run(system, *filter, front_end, {});
    core::Rng rng(static_cast<std::uint64_t>(seed) + 1);
    Squares angle;
    double warned = -1.0;
    for (std::size_t k = 1; k < truth_->bodies.size(); ++k) {
      const double t = 1e-3 * static_cast<double>(k);
      if (k % 10 == 0)
        for (int s = 0; s < 2; ++s) {
          sensing::Reading reading{.t = core::Instant::from_seconds(t), .sensor = s};
          sensors[static_cast<std::size_t>(s)].instrument->read(
              sensing::Scene<double>{t, truth_->bodies[k], memory}, std::span(reading.values).first(1));
          reading.values[0] += kGyroscopeNoise * kDegree * rng.normal();
          front_end.receive(reading);
        }
      const auto before = std::chrono::steady_clock::now();
      run.step();
      errors.step_times.add(core::Duration::from_nanoseconds(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - before)
              .count()));
      const bool is_lost =
          run.observability().is_ready() && !run.observability().is_observed(Eigen::Index{0});
      if (t < truth_->stops_at) {
        angle.add(half_turn(testbed.value("crank.angle", system.point().bodies) - truth_->angles[k]));
        moving += 1e-3;
        if (is_lost) alarmed += 1e-3;
      } else if (is_lost && warned < 0.0) {
        warned = t - truth_->stops_at;
      }
    }
    errors.mean_rmse += angle.root() / num_seeds;
    errors.worst_rmse = std::max(errors.worst_rmse, angle.root());
    errors.warned_after =
        warned < 0.0 || errors.warned_after < 0.0 ? -1.0 : std::max(errors.warned_after, warned);
  }
  errors.false_alarms = moving > 0.0 ? alarmed / moving : 0.0;
  return errors;
}

}  // namespace eslabon::benchmarks
