#include "benchmarks/tables/reference_problems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "benchmarks/tables/bench_case.hpp"
#include "benchmarks/tables/bench_clock.hpp"
#include "benchmarks/tables/reference_models.hpp"
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/families/family.hpp"

// Sources: A01, A02, A03 are of the IFToMM library of multibody problems, A03 also of the IVP test set, problem 'andrews'; values of the
// double pendulum and the free body are of two computations by different methods that agree in all digits. Processor times are those
// published for the programs named, on the machines of their authors.
namespace eslabon::benchmarks {

namespace {

using Values = std::vector<double>;
using Outputs = std::span<const double>;

constexpr double kGravity = 9.81;  // [m/s²]
constexpr int kInstants = 500;     // at which the energy is looked at and turns are counted, from row to row

std::function<model::Mechanism()> file(std::string_view text, const std::string& name) {
  return [text, name] { return io::read_mechanism(text, name); };
}

Values first_two(Outputs outputs) { return {outputs[0], outputs[1]}; }
Values all_of(Outputs outputs) { return {outputs.begin(), outputs.end()}; }

ReferenceProblem pendulum(const std::string& name, double tolerance, const std::vector<ReferenceRow>& rows) {
  return {.name = "A01 pendulum, " + name,
          .make = file(reference_models::simple_pendulum, "simple-pendulum.yaml"),
          .until = rows.back().t,
          .tolerance = tolerance,
          .quantities = {{"x", "m"}, {"y", "m"}},
          .read = first_two,
          .rows = rows,
          .accepted = 1e-3};
}

/// N four-bars that stay parallelograms are one pendulum: with φ from the vertical, at 1 rad/s upright at t = 0,
///   I φ̈ = g G sin φ,   I = (4 N + 1)/3 kg m²,   G = (3 N + 1)/2 kg m,   B₀ = (sin φ, cos φ),   E = I/2 + g G.     (1)
struct FourBarsEquation {
  explicit FourBarsEquation(int n) : I((4.0 * n + 1.0) / 3.0), G((3.0 * n + 1.0) / 2.0) {}

  double energy() const { return 0.5 * I + kGravity * G; }
  /// B₀ by the classical method of Runge and Kutta; its error stays below 1e-11 m.
  ReferenceRow row(double t) const {
    const int steps = static_cast<int>(std::lround(1e4 * t));
    const double h = t / steps;
    const auto acceleration = [this](double phi) { return kGravity * G / I * std::sin(phi); };
    double phi = 0.0, rate = 1.0;
    for (int i = 0; i < steps; ++i) {
      const double v1 = rate, a1 = acceleration(phi);
      const double v2 = rate + 0.5 * h * a1, a2 = acceleration(phi + 0.5 * h * v1);
      const double v3 = rate + 0.5 * h * a2, a3 = acceleration(phi + 0.5 * h * v2);
      const double v4 = rate + h * a3, a4 = acceleration(phi + h * v3);
      phi += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
      rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return {t, {std::sin(phi), std::cos(phi)}};
  }

  double I, G;
};

ReferenceProblem four_bars(int n, const std::vector<ReferenceRow>& rows) {
  const double E = FourBarsEquation(n).energy();
  return {.name = fmt::format("A02 four-bars, N = {}, {:g} s", n, rows.back().t),
          .make =
              [n] {
                return model::make_family("n-fourbars", {{"n", std::to_string(n)}});
              },
          .until = rows.back().t,
          .tolerance = 1e-9,
          .quantities = {{"B0x", "m"}, {"B0y", "m"}},
          .read = first_two,
          .rows = rows,
          .accepted = 1e-3,
          .energy = ReferenceEnergy{E, 1e-6 * E}};
}

ReferenceProblem squeezer() {
  return {
      .name = "A03 squeezer at 0.03 s, 0.05 s timed",
      .make = file(reference_models::andrews_squeezer, "andrews-squeezer.yaml"),
      .until = 0.05,
      .tolerance = 1e-10,
      .quantities = {{"β", "rad"}, {"Θ", "rad"}, {"γ", "rad"}, {"Φ", "rad"}, {"δ", "rad"}, {"ε", "rad"}},
      .read = [](Outputs o) { return Values{o[0], o[1], o[2], o[3], o[4], o[6]}; },
      .rows = {{0.03, {15.810771195, -15.756371060, 0.040822240, -0.534730116, 0.524409966, 1.048080741}}},
      .accepted = 1e-6,
      .published = {{"OpenSim", 0.384}}};
}

ReferenceProblem double_pendulum() {
  return {
      .name = "double pendulum, 10 s",
      .make = file(reference_models::double_pendulum, "double-pendulum.yaml"),
      .until = 10.0,
      .tolerance = 1e-12,
      .quantities = {{"θ1", "rad"}, {"θ2", "rad"}, {"rate 1", "rad/s"}, {"rate 2", "rad/s"}},
      .read = all_of,
      .rows = {{1.0, {-0.62508769980639063, -1.0345850856800123, -3.9222795728879766, -1.3030992486963312}},
               {10.0, {-0.56847466401595019, -0.52639372793240470, 6.0783848857619649, -9.6813606817088788}}},
      .accepted = 1e-6};
}

ReferenceProblem free_body() {
  return {.name = "free rigid body, 10 s",
          .make = file(reference_models::free_body, "free-body.yaml"),
          .until = 10.0,
          .tolerance = 1e-13,
          .quantities = {{"ωx", "rad/s"}, {"ωy", "rad/s"}, {"ωz", "rad/s"}},
          .read =
              [](Outputs o) {
                const Eigen::Vector3d w_WB_W(o[0], o[1], o[2]);
                const Eigen::Vector3d w_WB_B =
                    Eigen::Quaterniond(o[3], o[4], o[5], o[6]).conjugate() * w_WB_W;
                return Values{w_WB_B.x(), w_WB_B.y(), w_WB_B.z()};
              },
          .rows = {{5.0, {-0.011325693900949, -4.999997172864967, 0.010460582239022}},
                   {10.0, {0.012714870629462, 4.999993833202685, 0.010979798649094}}},
          .accepted = 1e-8};
}

/// The mechanism of a problem where it starts.
struct Start {
  explicit Start(const ReferenceProblem& problem)
      : mechanism(problem.make()),
        structure(kinematics::analyse_driven_structure(mechanism)),
        assembly(assembled_or_throw(mechanism, structure)),
        model(mechanism, structure, assembly),
        formulation(dynamics::choose_formulation(model).formulation) {}
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  model::Mechanism mechanism;
  structure::Structure structure;
  kinematics::AssemblyReport assembly;
  dynamics::DynamicModel model;
  std::string formulation;
};

/// One run from there.
struct Run {
  Run(const Start& start, const ReferenceProblem& problem)
      : formulation(dynamics::make_formulation(start.formulation, start.model)),
        simulation(start.model, *formulation,
                   integration::make_integrator(kReferenceIntegrator,
                                                {.rtol = problem.tolerance, .atol = problem.tolerance}),
                   problem.until) {}

  std::string failure() const {
    if (!simulation.failure()) return "";
    const core::ErrorText text = simulation.failure()->error_text(true);
    return text.what + " [" + text.where + "]";
  }

  std::unique_ptr<dynamics::Formulation> formulation;
  integration::Simulation simulation;
};

void compare(const ReferenceProblem& problem, const ReferenceRow& row, Outputs outputs,
             ReferenceResult& result) {
  const Values found = problem.read(outputs);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::abs(found[i] - row.values[i]);
    if (std::isnan(result.error) || error <= result.error) continue;
    result.error = error;
    result.unit = problem.quantities[i].unit;
    result.worst = fmt::format("{} at {:g} s", problem.quantities[i].name, row.t);
  }
}

/// Rows and energy of a run; false when it ends before its time.
bool watch(const Start& start, const ReferenceProblem& problem, Run& run, ReferenceResult& result) {
  integration::Recorder recorder(start.model.assembled());
  coordinates::MechanismMotion bodies(start.mechanism.bodies().size());
  const std::size_t energy_column = start.mechanism.outputs().size();
  const auto look = [&] {
    run.simulation.evaluate_bodies(bodies);
    const Outputs row = recorder.record(run.simulation.t(), bodies, 0.0);
    if (problem.energy)
      result.drift =
          std::max(result.drift.value_or(0.0), std::abs(row[energy_column] - problem.energy->value));
  };
  look();
  double before = 0.0;
  for (const ReferenceRow& row : problem.rows) {
    for (int k = 1; k <= kInstants; ++k) {
      if (!run.simulation.advance_to(k == kInstants ? row.t : before + (row.t - before) * k / kInstants))
        return false;
      look();
    }
    compare(problem, row, recorder.outputs(), result);
    before = row.t;
  }
  return true;
}

}  // namespace

std::vector<ReferenceProblem> reference_problems() {
  std::vector<ReferenceProblem> problems;
  problems.push_back(pendulum("10 s", 1e-8,
                              {{1.0, {0.98629175113187532, -0.16501085312554117}},
                               {5.0, {-0.94230543504375734, -0.33475433841400058}},
                               {10.0, {-0.27508746257611686, -0.96141920509912506}}}));
  problems.back().energy = ReferenceEnergy{0.0, 5e-5};
  problems.back().published = {{"Exudyn", 0.037}, {"OpenSim", 0.637}};
  problems.push_back(pendulum("2000 s", 1e-12, {{2000.0, {0.81460306858903215, -0.58001882783693546}}}));
  problems.push_back(four_bars(1, {{5.0, {-0.94490818604295389, -0.32733548531898346}},
                                   {10.0, {0.47838505776097056, 0.8781501787912093}}}));
  problems.push_back(four_bars(2, {{5.0, {-0.81131046100510741, -0.58461554534897555}},
                                   {10.0, {0.32845811154081538, 0.94451853817860096}}}));
  problems.back().published = {{"OpenSim", 0.455}, {"a MATLAB engine", 254.0}};
  const FourBarsEquation exact(40);
  problems.push_back(four_bars(40, {exact.row(5.0), exact.row(10.0), exact.row(15.0), exact.row(20.0)}));
  problems.push_back(squeezer());
  problems.push_back(double_pendulum());
  problems.push_back(free_body());
  return problems;
}

ReferenceResult solve_reference(const ReferenceProblem& problem) {
  const Start start(problem);
  ReferenceResult result{.formulation = start.formulation};
  Run watched(start, problem);
  if (!watch(start, problem, watched, result)) {
    result.failure = watched.failure();
    return result;
  }
  // Steps are the same whether someone looks or not.
  result.seconds = std::numeric_limits<double>::infinity();
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < kRepeats && (i == 0 || seconds_since(begin) < kPatience); ++i) {
    Run run(start, problem);
    const Clock::time_point from = Clock::now();
    if (!run.simulation.advance_to(problem.until)) {
      result.failure = run.failure();
      return result;
    }
    result.seconds = std::min(result.seconds, seconds_since(from));
  }
  return result;
}

}  // namespace eslabon::benchmarks
