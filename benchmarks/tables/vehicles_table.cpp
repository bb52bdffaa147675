#include "benchmarks/tables/vehicles_table.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <sstream>

#include "benchmarks/tables/bench_case.hpp"
#include "benchmarks/tables/bench_clock.hpp"
#include "benchmarks/tables/loop_rows.hpp"
#include "benchmarks/tables/vehicle_models.hpp"
#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"

namespace eslabon::benchmarks {

namespace {

constexpr int kEvaluationsPerStep = 4;  // of RK4

struct LargeVehicle {
  std::string name;
  std::string manoeuvre;
  std::vector<io::ParameterOverride> settings;
  PublishedVehicle published;
};

// [Seed004, tables 1 and 2, §5.1]
const std::vector<LargeVehicle>& large_vehicles() {
  static const std::vector<LargeVehicle> list{{"van",
                                               "straight on at 10 m/s over two bumps of 50 mm by 1 m",
                                               {{"speed", "10 m/s"}, {"bump", "50 mm"}, {"cruise", "1"}},
                                               {{.bodies = 43,
                                                 .massless = 17,
                                                 .joints = 47,
                                                 .rods = 4,
                                                 .guided = 1,
                                                 .revolute_cuts = 3,
                                                 .ball_cuts = 2,
                                                 .rows = 28,
                                                 .rank = 25,
                                                 .freedoms = 17,
                                                 .density = 0.22},
                                                {{{.343, .191, .739, .164, .249, .183, .125, .760, .088},
                                                  {.352, .379, .268, .184, .257, .167, .125, .604, .096},
                                                  {.356, .625, .441, .122, .263, .181, .113, .606, .097}}},
                                                {2.839, 2.432, 2.803}}},
                                              {"truck",
                                               "slalom at 15 m/s, mean steering angle 2 deg, period 3 s",
                                               {{"speed", "15 m/s"}, {"steer", "2 deg"}, {"cruise", "1"}},
                                               {{.bodies = 81,
                                                 .massless = 34,
                                                 .joints = 89,
                                                 .rods = 0,
                                                 .guided = 1,
                                                 .revolute_cuts = 8,
                                                 .ball_cuts = 1,
                                                 .rows = 51,
                                                 .rank = 40,
                                                 .freedoms = 40,
                                                 .density = 0.0632},
                                                {{{.675, .425, 4.032, .289, .273, .258, .193, 3.037, .247},
                                                  {.665, .927, .655, .361, .275, .198, .194, 2.054, .258},
                                                  {.658, .721, .616, .195, .275, .180, .193, 2.044, .255}}},
                                                {9.428, 5.588, 5.137}}}};
  return list;
}

/// A text without these sections, and its exports without tyres.
std::string without_tyres(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string out;
  bool is_left_out = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] >= 'a' && line[0] <= 'z') {
      const std::string section = line.substr(0, line.find(':'));
      is_left_out = section == "tyres" || section == "vehicle" || section == "outputs" || section == "start";
      if (section == "exports")
        for (const std::string_view name : {", hub.tyre", ", tyre"})
          if (const std::size_t at = line.find(name); at != std::string::npos) line.erase(at, name.size());
    }
    if (!is_left_out) out += line + "\n";
  }
  return out;
}

struct LargeModel {
  LargeModel(const LargeVehicle& subject, const std::string& variant, bool has_tyres)
      : mechanism(read(subject, variant, has_tyres)),
        structure(kinematics::analyse_driven_structure(mechanism)),
        model(mechanism, structure, assembled_or_throw(mechanism, structure)) {}
  LargeModel(const LargeModel&) = delete;
  LargeModel& operator=(const LargeModel&) = delete;

  static model::Mechanism read(const LargeVehicle& subject, const std::string& variant, bool has_tyres) {
    const auto text_of = [has_tyres](const std::filesystem::path& path) {
      const auto found = vehicle_files().find(path.lexically_normal().generic_string());
      if (found == vehicle_files().end())
        throw core::ContractError({.what = "a file of a vehicle is not in the program",
                                   .where = "bench vehicles",
                                   .expected = "a file that benchmarks/tables/CMakeLists.txt names",
                                   .actual = path.string(),
                                   .next = "Name it there."});
      return has_tyres || found->first.ends_with(".tir") ? std::string(found->second)
                                                         : without_tyres(found->second);
    };
    const std::string file = subject.name + ".yaml";
    return io::read_described_mechanism(
               text_of(file), file,
               {.overrides = subject.settings, .variant = variant, .text_of_file = text_of})
        .mechanism;
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
};

VehicleCounts count(const LargeModel& vehicle, std::span<const double> q) {
  VehicleCounts counts;
  const model::Mechanism& mechanism = vehicle.mechanism;
  counts.bodies = static_cast<int>(mechanism.bodies().size());
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    counts.massless += mechanism.bodies()[b].mass_properties.mass == 0.0;
  for (const model::Joint& joint : mechanism.joints())
    ++(joint.type == model::JointType::kRod ? counts.rods : counts.joints);
  counts.guided = static_cast<int>(mechanism.drivers().size());
  const LoopRows rows = loop_rows(mechanism, vehicle.structure, q);
  counts.revolute_cuts = rows.revolutes;
  counts.ball_cuts = rows.balls;
  counts.rows = rows.rows();
  counts.rank = rows.rank();
  counts.freedoms = static_cast<int>(rows.Phi_z.cols()) - rows.rank();
  counts.density = rows.density();
  return counts;
}

std::unique_ptr<dynamics::Formulation> formulation_of(const LargeModel& vehicle, const std::string& matrices,
                                                      bool is_timed) {
  return dynamics::make_formulation("semi-recursive", vehicle.model,
                                    {.variant = matrices, .times_steps = is_timed});
}

/// Runs a manoeuvre; `visit` sees the state of every step.
template <class Visit>
void run_manoeuvre(const LargeModel& vehicle, dynamics::Formulation& formulation, double seconds,
                   Visit visit) {
  integration::Simulation simulation(vehicle.model, formulation,
                                     integration::make_integrator("rk4", {.step = kManoeuvreStep}), seconds);
  const auto steps = static_cast<long>(std::lround(seconds / kManoeuvreStep));
  for (long k = 1; k <= steps; ++k) {
    if (!simulation.advance_to(std::min(seconds, static_cast<double>(k) * kManoeuvreStep)))
      throw core::ModelError(simulation.failure()->error_text(true));
    visit(simulation.point().state);
  }
}

/// What the equations take without tyres in the same positions, as often as with them.
void replay_without_tyres(dynamics::Formulation& formulation, const std::vector<dynamics::State>& states) {
  dynamics::State state = formulation.start();
  std::vector<double> z(static_cast<std::size_t>(formulation.num_integrated())), z_dot(z.size()),
      z_ddot(z.size());
  std::vector<double> a(state.q.size());
  for (const dynamics::State& on_the_way : states) {
    state.t = on_the_way.t;
    state.q = on_the_way.q;
    state.v = on_the_way.v;
    static_cast<void>(formulation.choose_integrated(state));
    formulation.read(state, z, z_dot);
    for (int i = 0; i < kEvaluationsPerStep; ++i)
      if (formulation.complete(state.t, z, z_dot, state) != dynamics::DynamicsStatus::kSolved ||
          formulation.accelerate(state, a, z_ddot) != dynamics::DynamicsStatus::kSolved)
        throw core::ModelError(formulation.why_not(state));
  }
}

/// What the steps took of `work` by a formulation that times them. It reads the clock on the wall, which is quick; of that the process had a part.
template <class Work>
std::array<double, dynamics::kNumSteps> step_times(dynamics::Formulation& formulation, Work work) {
  std::array<double, dynamics::kNumSteps> taken = formulation.timer()->seconds();
  for (double& seconds : taken) seconds = -seconds;
  const auto wall = std::chrono::steady_clock::now();
  const Clock::time_point begin = Clock::now();
  work();
  const double part =
      seconds_since(begin) / std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  for (std::size_t s = 0; s < taken.size(); ++s)
    taken[s] = part * (taken[s] + formulation.timer()->seconds()[s]);
  return taken;
}

MeasuredVehicle measure(const LargeVehicle& subject, double seconds, const std::function<void()>& tell) {
  MeasuredVehicle out{.name = subject.name, .manoeuvre = subject.manoeuvre, .published = &subject.published};
  const LargeModel vehicle(subject, "", true);
  const auto plain = formulation_of(vehicle, "sparse", false);
  out.counts = count(vehicle, plain->start().q);
  tell();
  const auto evaluations = kEvaluationsPerStep * std::lround(seconds / kManoeuvreStep);
  std::vector<dynamics::State> states;
  const Clock::time_point begin = Clock::now();
  run_manoeuvre(vehicle, *plain, seconds, [&](const dynamics::State& state) { states.push_back(state); });
  out.runs.push_back({"pairs", seconds_since(begin), evaluations});
  tell();
  for (const char* const matrices : {"dense", "sparse"}) {
    const auto timed = formulation_of(vehicle, matrices, true);
    out.costs.push_back({matrices, true, evaluations, step_times(*timed, [&] {
                           run_manoeuvre(vehicle, *timed, seconds, [](const dynamics::State&) {});
                         })});
    tell();
  }
  const LargeModel bare(subject, "", false);
  for (const char* const matrices : {"dense", "sparse"}) {
    const auto timed = formulation_of(bare, matrices, true);
    out.costs.push_back(
        {matrices, false, evaluations, step_times(*timed, [&] { replay_without_tyres(*timed, states); })});
    tell();
  }
  const LargeModel lean(subject, "lean", true);
  const auto lean_formulation = formulation_of(lean, "sparse", false);
  const Clock::time_point lean_begin = Clock::now();
  run_manoeuvre(lean, *lean_formulation, seconds, [](const dynamics::State&) {});
  out.runs.push_back({"lean", seconds_since(lean_begin), evaluations});
  tell();
  return out;
}

}  // namespace

double ManoeuvreCost::total() const { return std::accumulate(steps.begin() + 1, steps.end(), 0.0); }

VehiclesTable measure_vehicles(const VehiclesRequest& request, const Progress& progress) {
  constexpr double kTellings = 7.0;  // of one vehicle
  VehiclesTable table{request.seconds, {}};
  double told = 0.0;
  const auto tell = [&] { progress(++told / (kTellings * static_cast<double>(large_vehicles().size()))); };
  for (const LargeVehicle& subject : large_vehicles())
    table.vehicles.push_back(measure(subject, request.seconds, tell));
  return table;
}

std::string csv_text(const VehiclesTable& table) {
  std::string text = "vehicle,quantity,way,value,published\n,,,,\n";
  for (const MeasuredVehicle& vehicle : table.vehicles) {
    const auto row = [&](const std::string& quantity, const std::string& way, double value,
                         std::optional<double> published) {
      text += fmt::format("{},{},{},{:.6g},{}\n", vehicle.name, quantity, way, value,
                          published ? fmt::format("{:.6g}", *published) : "");
    };
    const VehicleCounts &ours = vehicle.counts, &theirs = vehicle.published->counts;
    row("bodies", "", ours.bodies, theirs.bodies);
    row("bodies without mass", "", ours.massless, theirs.massless);
    row("joints", "", ours.joints, theirs.joints);
    row("rods", "", ours.rods, theirs.rods);
    row("freedoms", "", ours.freedoms, theirs.freedoms);
    row("guided coordinates", "", ours.guided, theirs.guided);
    row("rows", "", ours.rows, theirs.rows);
    row("rank", "", ours.rank, theirs.rank);
    row("density", "", ours.density, theirs.density);
    for (const ManoeuvreCost& cost : vehicle.costs) {
      const std::string way = cost.matrices + (cost.has_tyres ? "" : " without tyres");
      const auto& published = vehicle.published->steps[cost.matrices == "dense" ? 1 : 2];
      for (std::size_t s = 1; s < dynamics::kNumSteps; ++s)
        row(fmt::format("step {} [s]", s), way, cost.steps[s],
            cost.has_tyres ? std::optional(published[s - 1]) : std::nullopt);
      row("nine steps [s]", way, cost.total(),
          cost.has_tyres ? std::optional(vehicle.published->totals[cost.matrices == "dense" ? 1 : 2])
                         : std::nullopt);
    }
    for (const TwinRun& run : vehicle.runs) {
      row("run [s]", run.twin, run.seconds, std::nullopt);
      row("evaluation [s]", run.twin, run.seconds / static_cast<double>(run.evaluations), std::nullopt);
      row("real-time factor", run.twin, table.seconds / run.seconds, std::nullopt);
    }
  }
  return text;
}

}  // namespace eslabon::benchmarks
