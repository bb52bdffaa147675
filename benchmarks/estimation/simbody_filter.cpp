#include "benchmarks/estimation/simbody_filter.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include <Simbody.h>

namespace eslabon::bench {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kGround = 2.0, kInput = 4.0, kFloating = 3.0, kOutput = 4.0;  // [m]

/// A uniform bar of 1 kg along x from its origin.
SimTK::Body::Rigid uniform_bar(double length) {
  const double across = length * length / 3.0;
  return SimTK::Body::Rigid(
      SimTK::MassProperties(1.0, SimTK::Vec3(0.5 * length, 0.0, 0.0), SimTK::Inertia(0.0, across, across)));
}

class Timer {
 public:
  explicit Timer(double& sum) : sum_(sum), begin_(std::chrono::steady_clock::now()) {}
  ~Timer() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double& sum_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace

struct SimbodyFilter::Impl {
  explicit Impl(const SimbodyFilterOptions& options)
      : options_(options),
        matter(system),
        forces(system),
        gravity(forces, matter, SimTK::Vec3(0.0, -9.8, 0.0)),
        input(matter.Ground(), SimTK::Transform(SimTK::Vec3(-kGround, 0.0, 0.0)), uniform_bar(kInput),
              SimTK::Transform()),
        floating(input, SimTK::Transform(SimTK::Vec3(kInput, 0.0, 0.0)), uniform_bar(kFloating),
                 SimTK::Transform()),
        output(matter.Ground(), SimTK::Vec3(0.0), floating, SimTK::Vec3(kFloating, 0.0, 0.0), kOutput),
        start(system.realizeTopology()),
        assembler(system),
        integrator(system),
        stepper(system, integrator),
        random(static_cast<unsigned>(options.seed)) {
    assembler.setSystemConstraintsWeight(1.0);
    assembler.lockMobilizer(input.getMobilizedBodyIndex());
    std::uniform_real_distribution<double> angle(0.0, 2.0 * kPi);
    truth = assembled(angle(random));
    for (int i = 0; i < options.particles; ++i) particles.push_back(assembled(angle(random)));
    weights.assign(particles.size(), 0.0);
  }

  SimTK::State assembled(double angle) {
    SimTK::State state = start;
    input.setAngle(state, angle);
    assembler.assemble(state);
    return state;
  }

  void advance(SimTK::State& state) {
    const Timer timer(physics);
    stepper.initialize(state);
    stepper.stepTo(state.getTime() + options_.step);
    state = integrator.getState();
  }

  double rate(SimTK::State& state) {
    system.realize(state, SimTK::Stage::Velocity);
    return input.getBodyAngularVelocity(state)[2];
  }

  void weigh(double reading) {
    const double deviation = options_.factor * options_.reading;
    double largest = -SimTK::Infinity;
    for (std::size_t i = 0; i < particles.size(); ++i) {
      const double d = (reading - rate(particles[i])) / deviation;
      weights[i] -= 0.5 * d * d;
      largest = std::max(largest, weights[i]);
    }
    double sum = 0.0;
    for (const double w : weights) sum += std::exp(w - largest);
    for (double& w : weights) w -= largest + std::log(sum);
  }

  void resample_if_needed() {
    double squares = 0.0;
    for (const double w : weights) squares += std::exp(2.0 * w);
    if (1.0 / squares >= 0.5 * static_cast<double>(weights.size())) return;
    std::vector<double> linear;
    for (const double w : weights) linear.push_back(std::exp(w));
    std::discrete_distribution<std::size_t> pick(linear.begin(), linear.end());
    std::vector<SimTK::State> copies;
    copies.reserve(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
      copies.push_back(particles[pick(random)]);
      input.setRate(copies.back(), rate(copies.back()) + options_.roughening * normal(random));
      system.realize(copies.back(), SimTK::Stage::Velocity);
      system.projectU(copies.back(), 1e-6);
    }
    particles.swap(copies);
    weights.assign(weights.size(), -std::log(static_cast<double>(weights.size())));
  }

  SimbodyFilterOptions options_;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::UniformGravity gravity;
  SimTK::MobilizedBody::Pin input, floating;
  SimTK::Constraint::Rod output;
  SimTK::State start;
  SimTK::Assembler assembler;
  SimTK::RungeKuttaMersonIntegrator integrator;
  SimTK::TimeStepper stepper;
  std::mt19937 random;
  std::normal_distribution<double> normal;
  SimTK::State truth;
  std::vector<SimTK::State> particles;
  std::vector<double> weights;  // logarithms
  double physics = 0.0, assembly = 0.0;
};

SimbodyFilter::SimbodyFilter(const SimbodyFilterOptions& options) : impl_(new Impl(options)) {}
SimbodyFilter::~SimbodyFilter() = default;

void SimbodyFilter::step() {
  Impl& f = *impl_;
  f.advance(f.truth);
  for (SimTK::State& particle : f.particles) {
    f.advance(particle);
    f.input.setAngle(particle, f.input.getAngle(particle) + f.options_.motion * f.normal(f.random));
    const Timer timer(f.assembly);
    f.assembler.assemble(particle);
  }
  f.weigh(f.rate(f.truth) + f.options_.reading * f.normal(f.random));
  f.resample_if_needed();
}

double SimbodyFilter::true_angle() const {
  return std::remainder(impl_->input.getAngle(impl_->truth), 2.0 * kPi);
}

double SimbodyFilter::mean_angle() const {
  double cosine = 0.0, sine = 0.0;
  for (std::size_t i = 0; i < impl_->particles.size(); ++i) {
    const double angle = impl_->input.getAngle(impl_->particles[i]), w = std::exp(impl_->weights[i]);
    cosine += w * std::cos(angle);
    sine += w * std::sin(angle);
  }
  return std::atan2(sine, cosine);
}

double SimbodyFilter::physics_seconds() const { return impl_->physics; }
double SimbodyFilter::assembly_seconds() const { return impl_->assembly; }

}  // namespace eslabon::bench
