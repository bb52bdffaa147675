#include "eslabon/estimation/mechanism/mechanism_swarm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/each_width.hpp"
#include "eslabon/core/scalar/lane_math.hpp"
#include "eslabon/estimation/kalman/covariance_root.hpp"

namespace eslabon::estimation {

using core::index;
using core::LaneProgram;
using core::Traced;
using dynamics::MotionProgram;
using dynamics::Unknown;
using Eigen::Index;
using Eigen::VectorXd;
using std::size_t;

static_assert(Swarm::kBlock == LaneProgram::kLanes);

namespace {

/// Of the last correction, squared: positions are closed to about its square.
constexpr double kStaysClosed = 4e-10;
constexpr double kNear = 1e-2;  // the same: Newton steps find the same branch from there

constexpr size_t kPoseNumbers = 12;  // of one body: position, rotation matrix by columns

bool is_finite_lane(double x) { return x - x == 0.0; }

/// x − x is 0, or no number where x is not finite.
ESLABON_EACH_WIDTH void add_wrong(const double* x, size_t count, double* wrong) {
  for (size_t j = 0; j < count; ++j) wrong[j] += x[j] - x[j];
}
ESLABON_EACH_WIDTH void tell_good(const double* size, const double* wrong, double largest, size_t count,
                                  double* good) {
  for (size_t j = 0; j < count; ++j) good[j] = size[j] + wrong[j] < largest ? 1.0 : 0.0;
}

/// A positive factor that is displaced: down by its logarithm, so that it stays positive, up as it is.
///   θ⁺ = θ exp(dx/θ) for dx < 0,  θ + dx otherwise: one slope at 0                                              (1)
double displaced_factor(double theta, double dx) {
  return dx < 0.0 && theta > 0.0 ? theta * core::lane_exp(dx / theta) : theta + std::max(dx, 0.0);
}

}  // namespace

/// One workspace of each program, pointers to what they read, and numbers of one block.
class MechanismSwarm::Scratch final : public Swarm::Workspace {
 public:
  explicit Scratch(const MechanismSwarm& swarm)
      : calm_step(swarm.motion_.step(false).program),
        noisy_step(swarm.motion_.step(true).program),
        displacement(swarm.motion_.displacement().program),
        kick(swarm.motion_.kick().program),
        residual(swarm.residual_program_.program),
        inputs(swarm.num_moving() + index(swarm.num_unknowns() + 2 * swarm.num_freedoms())),
        dx(index(swarm.num_states()) * kBlock),
        state(swarm.num_moving() * kBlock),
        theta(index(swarm.num_unknowns()) * kBlock) {
    for (const MotionProgram& program : swarm.sensor_programs_) sensors.emplace_back(program.program);
  }

  LaneProgram::Workspace calm_step, noisy_step, displacement, kick, residual;
  std::vector<LaneProgram::Workspace> sensors, outputs;
  std::vector<const double*> inputs;
  std::vector<double> dx;     ///< (states × kBlock) noise of a step
  std::vector<double> state;  ///< (moving × kBlock) q, v, a, R on the way
  std::vector<double> theta;  ///< (unknowns × kBlock) after a displacement
  std::array<double, kBlock> good{};
  int outputs_of = 0;  ///< which set of outputs `outputs` are for
};

MechanismSwarm::MechanismSwarm(MechanismSystem& system)
    : system_(system),
      motion_(system.motion()),
      residual_program_(motion_.residual()),
      calm_step_(timed(motion_.step(false))),
      noisy_step_(timed(motion_.step(true))),
      displacement_(timed(motion_.displacement())),
      kick_(timed(motion_.kick())),
      residual_(timed(residual_program_)),
      drivers_(system.motion().model().prescribed().size()),
      Q_w_(system.num_states(), system.num_states()),
      root_(system.num_states(), system.num_states()),
      x_(system.num_states()),
      still_(index(system.num_states()) * kBlock, 0.0),
      deviations_(system.start_covariance(0.0, 0.0).diagonal().cwiseSqrt()) {
  for (const FilterSensor& sensor : system.sensors()) sensor_programs_.push_back(trace(*sensor.instrument));
  compile_programs();
  for (const MotionProgram& program : sensor_programs_) sensors_.push_back(timed(program));
  for (const int offset : {0, n()})
    for (const int column : system.motion().chosen()) state_arrays_.push_back(offset + column);
  for (Index k = 2 * num_freedoms(); k < num_states(); ++k)
    state_arrays_.push_back(static_cast<int>(num_moving()) + static_cast<int>(k - 2 * num_freedoms()));
  for (const Unknown& unknown : system.motion().unknowns()) {
    is_factor_.push_back(unknown.is_factor());
    has_states_ = has_states_ || unknown.kind == Unknown::Kind::kState;
  }
  noise_columns_.resize(index(num_states()));  // at most
  own_ = std::make_unique<Scratch>(*this);
}

std::unique_ptr<Swarm::Workspace> MechanismSwarm::make_workspace() const {
  return std::make_unique<Scratch>(*this);
}

int MechanismSwarm::num_arrays() const {
  return static_cast<int>(num_moving()) + static_cast<int>(num_states() - 2 * num_freedoms());
}

int MechanismSwarm::array_of_state(Index k) const { return state_arrays_[index(k)]; }

MechanismSwarm::Timed MechanismSwarm::timed(const MotionProgram& program) const {
  return {&program, std::vector<double>(program.program.num_uniforms(), 0.0)};
}

void MechanismSwarm::renew(Timed& timed, double t, double h) {
  timed.has_values = motion_.evaluate_uniforms(*timed.program, t, h, drivers_, timed.uniforms);
}

MotionProgram MechanismSwarm::trace(const sensing::Instrument& instrument) const {
  return motion_.reading(instrument.channels().size(),
                         [&](const auto& bodies, std::span<const Traced> states, std::span<Traced> out) {
                           const dynamics::ForceMemory& memory = system_.motion().model().start_memory();
                           instrument.read(sensing::Scene<Traced>{0.0, bodies, {memory, states}}, out);
                         });
}

bool MechanismSwarm::set_outputs(const std::vector<std::shared_ptr<const sensing::Instrument>>& outputs) {
  output_programs_.clear();
  outputs_.clear();
  for (const auto& output : outputs) output_programs_.push_back(trace(*output));
  compile_outputs();
  for (const MotionProgram& program : output_programs_) outputs_.push_back(timed(program));
  ++outputs_set_;
  at(t_);
  return true;
}

void MechanismSwarm::compile_programs() {
  std::vector<core::NamedLaneProgram> programs = motion_.programs();
  programs.push_back({"residual", &residual_program_.program});
  for (MotionProgram& sensor : sensor_programs_) programs.push_back({"sensor", &sensor.program});
  compile(system_.options().compiler.get(), programs);
}

void MechanismSwarm::compile_outputs() {
  std::vector<core::NamedLaneProgram> programs;
  for (MotionProgram& output : output_programs_) programs.push_back({"output", &output.program});
  if (!programs.empty()) compile(system_.options().compiler.get(), programs);
}

void MechanismSwarm::at(double t) {
  t_ = t;
  renew(displacement_, t, 0.0);
  renew(kick_, t, 0.0);
  renew(residual_, t, 0.0);
  for (Timed& sensor : sensors_) renew(sensor, t, 0.0);
  for (Timed& output : outputs_) renew(output, t, 0.0);
}

void MechanismSwarm::prepare_step(double t, double h, double motion) {
  const Index f = num_freedoms();
  system_.plant_noise(t, h, VectorXd::Zero(0), Q_w_);
  for (Index k = 0; k < f; ++k) Q_w_(k, k) += std::pow(motion * system_.size_of(k), 2);
  has_noise_ = Q_w_.diagonal().head(2 * f).maxCoeff() > 0.0;
  has_root_ = find_root(Q_w_, root_);
  noise_columns_.clear();
  for (Index k = 0; k < num_states(); ++k)
    if (root_(k, k) > 0.0) noise_columns_.push_back(static_cast<int>(k));
  renew(calm_step_, t + h, h);
  renew(noisy_step_, t + h, h);
  renew(displacement_, t + h, 0.0);
}

// Seed000 eq. 116
void MechanismSwarm::step(Workspace& workspace, Lanes lanes, const double* normals, double* ok) const {
  auto& scratch = static_cast<Scratch&>(workspace);
  const size_t count = lanes.count, rows = num_moving();
  const Index f = num_freedoms(), p = num_unknowns();
  if (!has_root_ ||
      !noisy_step_.has_values) {  // no noise follows from such a Q_w, no motion from such forces
    std::fill_n(ok, count, 0.0);
    return;
  }
  for (Index i = 0; i < num_states(); ++i) {
    double* const dx = scratch.dx.data() + index(i) * kBlock;
    std::fill_n(dx, count, 0.0);
    for (size_t c = 0; c < noise_columns_.size(); ++c)
      if (const double root = root_(i, noise_columns_[c]); root != 0.0)
        for (size_t j = 0; j < count; ++j) dx[j] += root * normals[c * kBlock + j];
  }
  for (size_t k = 0; k < rows + index(p); ++k) scratch.inputs[k] = lanes.array(static_cast<int>(k));
  for (Index k = 0; k < 2 * f; ++k)
    scratch.inputs[rows + index(p + k)] = scratch.dx.data() + index(k) * kBlock;
  const auto run = [&](bool has_noise) {
    const Timed& chosen = has_noise ? noisy_step_ : calm_step_;
    LaneProgram::Workspace& numbers = has_noise ? scratch.noisy_step : scratch.calm_step;
    chosen.program->program.run(numbers, scratch.inputs, chosen.uniforms, count);
    return &numbers;
  };
  // Which of the results are states, into `good`; whether all are.
  const auto judge = [&](const LaneProgram::Workspace& from, double largest) {
    const double* const size = from.output(rows);
    std::array<double, kBlock> wrong{};  // 0, or no number where one of them is not finite
    for (size_t k = index(n()); k < rows; ++k) add_wrong(from.output(k), count, wrong.data());
    if (has_states_ && &from != &scratch.displacement)
      for (size_t k = 0; k < index(p); ++k) add_wrong(from.output(rows + 1 + k), count, wrong.data());
    tell_good(size, wrong.data(), largest, count, scratch.good.data());
    return std::all_of(scratch.good.begin(), scratch.good.begin() + static_cast<std::ptrdiff_t>(count),
                       [](double good) { return good != 0.0; });
  };
  for (size_t k = 0; k < rows; ++k)  // of the block that comes next, while this one is computed
    for (size_t line = 0; line < kBlock; line += 8)
      __builtin_prefetch(lanes.array(static_cast<int>(k)) + kBlock + line);
  const LaneProgram::Workspace* result = run(has_noise_);
  const bool all_good = judge(*result, kStaysClosed);
  if (has_states_)
    for (size_t k = 0; k < index(p); ++k)
      std::copy_n(result->output(rows + 1 + k), count, scratch.theta.data() + k * kBlock);
  if (all_good) {
    for (size_t k = 0; k < rows; ++k) std::copy_n(result->output(k), count, lanes.array(static_cast<int>(k)));
    std::fill_n(ok, count, 1.0);
  } else {
    // Noise or motion are too large for one move: first the step without noise, then a displacement in small ones.
    std::copy_n(scratch.good.data(), count, ok);
    for (size_t k = 0; k < rows; ++k)
      for (size_t j = 0; j < count; ++j)
        scratch.state[k * kBlock + j] =
            ok[j] != 0.0 ? result->output(k)[j] : lanes.array(static_cast<int>(k))[j];
    std::array<double, kBlock> moved{};
    const LaneProgram::Workspace* calm = run(false);
    judge(*calm, kNear);
    std::copy_n(scratch.good.data(), count, moved.data());
    std::vector<const double*>& inputs = scratch.inputs;
    const size_t m = index(2 * n());
    for (size_t k = 0; k < m; ++k) inputs[k] = calm->output(k);
    for (Index k = 0; k < p; ++k)
      inputs[m + index(k)] = has_states_ ? calm->output(rows + 1 + index(k))
                                         : lanes.array(static_cast<int>(rows) + static_cast<int>(k));
    for (Index k = 0; k < 2 * f; ++k) inputs[m + index(p + k)] = scratch.dx.data() + index(k) * kBlock;
    displacement_.program->program.run(scratch.displacement, inputs, displacement_.uniforms, count);
    judge(scratch.displacement, kStaysClosed);
    for (size_t j = 0; j < count; ++j) {
      const bool is_new = ok[j] == 0.0 && moved[j] != 0.0 && scratch.good[j] != 0.0;
      if (is_new) ok[j] = 1.0;
      for (size_t k = 0; k < rows; ++k)
        lanes.array(static_cast<int>(k))[j] =
            is_new ? scratch.displacement.output(k)[j] : scratch.state[k * kBlock + j];
      if (has_states_ && is_new)
        for (size_t k = 0; k < index(p); ++k) scratch.theta[k * kBlock + j] = calm->output(rows + 1 + k)[j];
    }
  }
  if (has_states_)
    for (size_t k = 0; k < index(p); ++k) {
      double* const x = lanes.array(static_cast<int>(rows) + static_cast<int>(k));
      for (size_t j = 0; j < count; ++j)
        if (ok[j] != 0.0) x[j] = scratch.theta[k * kBlock + j];
    }
  for (Index i = 2 * f; i < num_states(); ++i) {
    double* const x = lanes.array(array_of_state(i));
    const double* const dx = scratch.dx.data() + index(i) * kBlock;
    if (i < 2 * f + p && is_factor_[index(i - 2 * f)])
      for (size_t j = 0; j < count; ++j) x[j] = displaced_factor(x[j], ok[j] * dx[j]);
    else
      for (size_t j = 0; j < count; ++j) x[j] += ok[j] * dx[j];
  }
}

void MechanismSwarm::kick(Scratch& scratch, Lanes lanes, const double* dz_dot, double* ok) const {
  const size_t count = lanes.count, m = index(2 * n());
  if (!kick_.has_values) {
    std::fill_n(ok, count, 0.0);
    return;
  }
  for (size_t k = 0; k < m; ++k) scratch.inputs[k] = lanes.array(static_cast<int>(k));
  for (Index k = 0; k < num_unknowns(); ++k)
    scratch.inputs[m + index(k)] = lanes.array(array_of_state(2 * num_freedoms() + k));
  for (Index k = 0; k < num_freedoms(); ++k)
    scratch.inputs[m + index(num_unknowns() + k)] = dz_dot + index(k) * kBlock;
  const LaneProgram& program = kick_.program->program;
  program.run(scratch.kick, std::span(scratch.inputs).first(program.num_inputs()), kick_.uniforms, count);
  std::fill_n(ok, count, 1.0);
  for (size_t k = 0; k < m; ++k)
    for (size_t j = 0; j < count; ++j)
      if (!is_finite_lane(scratch.kick.output(k)[j])) ok[j] = 0.0;
  for (size_t k = 0; k < m; ++k) {  // v and a
    double* const x = lanes.array(n() + static_cast<int>(k));
    for (size_t j = 0; j < count; ++j) x[j] = ok[j] != 0.0 ? scratch.kick.output(k)[j] : x[j];
  }
}

void MechanismSwarm::displace(Workspace& workspace, Lanes lanes, const double* dx, double* ok) const {
  auto& scratch = static_cast<Scratch&>(workspace);
  const auto stays = [&](Index state) {
    return std::all_of(dx + index(state) * kBlock, dx + index(state) * kBlock + lanes.count,
                       [](double x) { return x == 0.0; });
  };
  bool is_kick = num_states() == 2 * num_freedoms();
  for (Index k = 0; is_kick && k < num_freedoms(); ++k) is_kick = stays(k);
  if (is_kick)
    kick(scratch, lanes, dx + index(num_freedoms()) * kBlock, ok);
  else
    move(scratch, lanes, dx, ok);
}

void MechanismSwarm::move(Scratch& scratch, Lanes lanes, const double* dx, double* ok) const {
  const size_t count = lanes.count, rows = num_moving(), m = index(2 * n());
  const Index f = num_freedoms(), p = num_unknowns();
  if (!displacement_.has_values) {
    std::fill_n(ok, count, 0.0);
    return;
  }
  std::vector<const double*>& inputs = scratch.inputs;
  for (size_t k = 0; k < m; ++k) inputs[k] = lanes.array(static_cast<int>(k));
  for (Index k = 0; k < p; ++k) {
    double* const theta = scratch.theta.data() + index(k) * kBlock;
    const double* const before = lanes.array(array_of_state(2 * f + k));
    const double* const moved = dx + index(2 * f + k) * kBlock;
    if (is_factor_[index(k)])
      for (size_t j = 0; j < count; ++j) theta[j] = displaced_factor(before[j], moved[j]);
    else
      for (size_t j = 0; j < count; ++j) theta[j] = before[j] + moved[j];
    inputs[m + index(k)] = theta;
  }
  for (Index k = 0; k < 2 * f; ++k) inputs[m + index(p + k)] = dx + index(k) * kBlock;
  displacement_.program->program.run(scratch.displacement, inputs, displacement_.uniforms, count);
  const double* const size = scratch.displacement.output(rows);
  for (size_t j = 0; j < count; ++j) ok[j] = size[j] < kStaysClosed ? 1.0 : 0.0;
  for (size_t k = index(n()); k < rows; ++k)
    for (size_t j = 0; j < count; ++j)
      if (!is_finite_lane(scratch.displacement.output(k)[j])) ok[j] = 0.0;
  for (size_t k = 0; k < rows; ++k) {
    double* const x = lanes.array(static_cast<int>(k));
    for (size_t j = 0; j < count; ++j)
      if (ok[j] != 0.0) x[j] = scratch.displacement.output(k)[j];
  }
  for (Index k = 0; k < p; ++k) {
    double* const x = lanes.array(array_of_state(2 * f + k));
    for (size_t j = 0; j < count; ++j)
      if (ok[j] != 0.0) x[j] = scratch.theta[index(k) * kBlock + j];
  }
  for (Index i = 2 * f + p; i < num_states(); ++i) {
    double* const x = lanes.array(array_of_state(i));
    for (size_t j = 0; j < count; ++j)
      if (ok[j] != 0.0) x[j] += dx[index(i) * kBlock + j];
  }
}

void MechanismSwarm::write_reading(const MotionProgram& program, const Timed& timed,
                                   LaneProgram::Workspace& workspace, Scratch& scratch, Lanes lanes,
                                   double* y) const {
  const size_t rows = num_moving() + index(num_unknowns());
  for (size_t k = 0; k < rows; ++k) scratch.inputs[k] = lanes.array(static_cast<int>(k));
  program.program.run(workspace, std::span(scratch.inputs).first(rows), timed.uniforms, lanes.count);
  for (size_t k = 0; k < program.program.num_outputs(); ++k)
    if (timed.has_values)
      std::copy_n(workspace.output(k), lanes.count, y + k * kBlock);
    else
      std::fill_n(y + k * kBlock, lanes.count, std::numeric_limits<double>::quiet_NaN());
}

void MechanismSwarm::measure(Workspace& workspace, Lanes lanes, int sensor, double* y) const {
  auto& scratch = static_cast<Scratch&>(workspace);
  const auto s = static_cast<size_t>(sensor);
  write_reading(sensor_programs_[s], sensors_[s], scratch.sensors[s], scratch, lanes, y);
  const std::vector<sensing::Channel>& channels = system_.sensors()[s].facts.channels;
  for (size_t k = 0; k < channels.size(); ++k)
    if (channels[k].bias != 0.0)
      for (size_t j = 0; j < lanes.count; ++j) y[k * kBlock + j] += channels[k].bias;
  const std::vector<BiasState>& biases = system_.options().biases;
  for (size_t b = 0; b < biases.size(); ++b) {
    if (biases[b].sensor != sensor) continue;
    const double* const bias =
        lanes.array(array_of_state(2 * num_freedoms() + num_unknowns() + static_cast<Index>(b)));
    for (size_t j = 0; j < lanes.count; ++j) y[index(biases[b].channel) * kBlock + j] += bias[j];
  }
}

void MechanismSwarm::read(Workspace& workspace, Lanes lanes, int output, double* y) const {
  auto& scratch = static_cast<Scratch&>(workspace);
  const auto k = static_cast<size_t>(output);
  if (scratch.outputs_of != outputs_set_) {  // workspaces may be older than outputs
    scratch.outputs.clear();
    for (const MotionProgram& program : output_programs_) scratch.outputs.emplace_back(program.program);
    scratch.outputs_of = outputs_set_;
  }
  write_reading(output_programs_[k], outputs_[k], scratch.outputs[k], scratch, lanes, y);
}

std::unique_ptr<MechanismSwarm::PoseProgram> MechanismSwarm::trace_poses() const {
  const auto write = [](const auto& bodies, std::span<const Traced>, std::span<Traced> out) {
    for (size_t b = 1; b < bodies.size(); ++b) {
      Traced* const at = out.data() + (b - 1) * kPoseNumbers;
      for (Index i = 0; i < 3; ++i) at[i] = bodies[b].X_WB.p_AB_A[i];
      for (Index i = 0; i < 9; ++i) at[3 + i] = bodies[b].X_WB.R_AB.matrix()(i % 3, i / 3);
    }
  };
  LaneProgram program = motion_.reading(kPoseNumbers * system_.num_bodies(), write).program;
  std::vector<double> uniforms(program.num_uniforms(), 0.0);
  LaneProgram::Workspace workspace(program);
  return std::make_unique<PoseProgram>(
      PoseProgram{std::move(program), std::move(uniforms), std::move(workspace)});
}

bool MechanismSwarm::find_poses(Lanes lanes, std::span<core::Pose<double>> X_WB) {
  if (!poses_) poses_ = trace_poses();
  auto& scratch = static_cast<Scratch&>(*own_);
  const size_t rows = num_moving() + index(num_unknowns()), bodies = system_.num_bodies();
  for (size_t first = 0; first < lanes.count; first += kBlock) {
    const Lanes part = lanes.part(first, std::min(kBlock, lanes.count - first));
    for (size_t k = 0; k < rows; ++k) scratch.inputs[k] = part.array(static_cast<int>(k));
    poses_->program.run(poses_->workspace, std::span(scratch.inputs).first(rows), poses_->uniforms,
                        part.count);
    for (size_t b = 0; b < bodies; ++b)
      for (size_t j = 0; j < part.count; ++j) {
        const auto number = [&](Index k) { return poses_->workspace.output(b * kPoseNumbers + index(k))[j]; };
        core::Matrix3<double> R_WB;
        for (Index i = 0; i < 9; ++i) R_WB(i % 3, i / 3) = number(3 + i);
        X_WB[(first + j) * bodies + b] = {core::Rotation<double>::from_known_matrix(R_WB),
                                          {number(0), number(1), number(2)}};
      }
  }
  return true;
}

bool MechanismSwarm::place(ConstStateRef x, Lanes lanes) {
  const dynamics::ReducedPoint* const point = system_.point_at(t_, x);
  if (point == nullptr) return false;
  for (int c = 0; c < n(); ++c) {
    std::fill_n(lanes.array(c), lanes.count, point->q[index(c)]);
    std::fill_n(lanes.array(n() + c), lanes.count, point->v[index(c)]);
    std::fill_n(lanes.array(2 * n() + c), lanes.count, point->a[index(c)]);
    for (Index k = 0; k < num_freedoms(); ++k)
      std::fill_n(lanes.array((3 + static_cast<int>(k)) * n() + c), lanes.count, point->R(c, k));
  }
  for (Index k = 2 * num_freedoms(); k < num_states(); ++k)
    std::fill_n(lanes.array(array_of_state(k)), lanes.count, x[k]);
  return true;
}

// Seed000 eq. 126
bool MechanismSwarm::draw(const UnknownStart& start, core::Rng& rng, Lanes one) {
  if (!prior_) {
    std::vector<std::string> names;
    for (Index k = 0; k < num_freedoms(); ++k) names.push_back(system_.motion().coordinate(k).name);
    prior_ = std::make_unique<PositionPrior>(system_.motion().model(), names);
    drawn_ = prior_->make_position();
  }
  prior_->at(t_);
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    if (!prior_->draw(rng, drawn_)) return false;
    VectorXd rates(num_freedoms());
    for (Index k = 0; k < rates.size(); ++k)
      rates[k] = start.rate_deviation * system_.size_of(k) * rng.normal();
    const VectorXd v = drawn_.R * rates + drawn_.s;
    for (int c = 0; c < n(); ++c) {
      one.array(c)[0] = drawn_.q[c];
      one.array(n() + c)[0] = v[c];
    }
    for (Index k = 2 * num_freedoms(); k < num_states(); ++k) {
      const Index u = k - 2 * num_freedoms();
      const double start_value = u < num_unknowns() ? system_.options().unknowns[index(u)].start : 0.0;
      const double drawn = deviations_[k] * rng.normal();
      one.array(array_of_state(k))[0] = u < num_unknowns() && is_factor_[index(u)]
                                            ? displaced_factor(start_value, drawn)
                                            : start_value + drawn;
    }
    // Accelerations and R follow from a displacement by nothing.
    double ok = 0.0;
    move(static_cast<Scratch&>(*own_), one.part(0, 1), still_.data(), &ok);
    if (ok != 0.0) return true;
  }
  return false;
}

void MechanismSwarm::accept(Lanes one) {
  for (Index k = 0; k < num_states(); ++k) x_[k] = *one.array(array_of_state(k));
  system_.accept_at(t_, x_, [&](Index c) { return *one.array(static_cast<int>(c)); });
}

double MechanismSwarm::constraint_error(Lanes lanes) {
  auto& scratch = static_cast<Scratch&>(*own_);
  double largest = 0.0;
  for (size_t first = 0; first < lanes.count; first += kBlock) {
    const Lanes part = lanes.part(first, std::min(kBlock, lanes.count - first));
    for (int c = 0; c < n(); ++c) scratch.inputs[index(c)] = part.array(c);
    residual_program_.program.run(scratch.residual, std::span(scratch.inputs).first(index(n())),
                                  residual_.uniforms, part.count);
    for (size_t r = 0; r < residual_program_.program.num_outputs(); ++r)
      for (size_t j = 0; j < part.count; ++j) {
        const double residual = std::abs(scratch.residual.output(r)[j]);
        largest = residual <= largest ? largest : std::isnan(residual) ? HUGE_VAL : residual;
      }
  }
  return largest;
}

std::unique_ptr<Swarm> MechanismSystem::make_swarm() { return std::make_unique<MechanismSwarm>(*this); }

}  // namespace eslabon::estimation
