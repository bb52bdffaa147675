// Exported C code against the program at many random states: accelerations and their derivatives against dynamics::ReducedMotion, which
// finds them in independent coordinates and by dual numbers, and how far the program's formulation `multipliers` is from it. Prints a
// table; fails where a difference is above what the condition of the equations allows.
//
//   export_sweep [--states 300] [--only NAME] [--skip NAME] [--seed 1] [--derivatives no | quick | all] [--write FILE]
//
// quick: without those of trucks, which take minutes to compile. FILE: all states with what was found there, for exact_accelerations.py.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/export/compiled_export.hpp"
#include "tests/export/kkt_condition.hpp"
#include "tests/export/random_walk.hpp"

#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/assembly/branch.hpp"

namespace eslabon::test {
namespace {

using core::index;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFactor = 64.0;          // ε κ may come so often
constexpr double kWellConditioned = 1e4;  // below it nothing but roundoff may be seen:
constexpr double kAllowedThere = 1e-12;

struct Case {
  const char* name;
  const char* model;
  double away;  ///< see RandomWalk; small for suspensions, which do not turn over
  std::vector<std::string> settings = {};
  bool has_quick_derivatives = true;  ///< those of a truck are up to a million operations
  const char* optimisation = "-O1";   ///< of the compiler
};

const std::vector<Case> kCases{
    {"testbed", "fourbar-testbed", 10.0},
    {"slider-crank", "slider-crank", 10.0},
    {"five-bar", "five-bar", 10.0},
    {"rssr", "rssr", 10.0},
    {"andrews", "andrews-squeezer", 10.0},
    {"watt", "watt-sixbar", 10.0},
    {"quarter-vehicle", "quarter-vehicle", 0.7, {"bump=20 mm"}},
    {"17-dyads", "family:scalable-fourbar,dyads=17", 10.0},
    {"one-axle", "family:truck-suspension,axles=1", 0.3, {}, false},
    {"five-axles", "family:truck-suspension,axles=5", 0.3, {}, false, "-O0"},
};

model::Mechanism load(const Case& one) {
  const std::string name = one.model;
  return io::load_model(
      name.starts_with("family:") ? name : std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml",
      one.settings);
}

/// Where the walks begin: all branches that are found with the drivers of the model where they start.
std::vector<coordinates::MechanismMotion> starts(const model::Mechanism& mechanism) {
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  std::vector<coordinates::MechanismMotion> list;
  for (kinematics::Branch& branch : kinematics::find_branches(mechanism, structure, assembly))
    list.push_back(std::move(branch.bodies));
  return list;
}

/// A difference: by the largest number of what it is one of, and by that of all that was solved for.
struct Difference {
  double plain = 0.0, solved = 0.0;
};

/// What was seen of one function.
struct Worst {
  double plain = 0.0;             ///< Difference::plain
  double well_conditioned = 0.0;  ///< Difference::solved where κ < kWellConditioned
  double ratio = 0.0;             ///< Difference::solved by 64 ε κ

  void see(const Difference& difference, double kappa) {
    const auto keep = [](double& most, double now) {
      if (!(now <= most)) most = now;  // also what is no number
    };
    keep(plain, difference.plain);
    if (kappa < kWellConditioned) keep(well_conditioned, difference.solved);
    keep(ratio, difference.solved / (kFactor * kEpsilon * kappa));
  }
  /// `program`: the program's own accelerations, found in two ways. Where they are farther apart, roundings of M, J, f and γ are seen.
  bool is_allowed(const Worst& program) const {
    return ratio <= 1.0 && well_conditioned <= std::max(kAllowedThere, 2.0 * program.well_conditioned);
  }
};

struct Result {
  std::size_t coordinates = 0, branches = 0;
  int refused = 0;  ///< states that the code itself calls near-singular
  std::vector<double> kappa;
  Worst accelerations, derivatives;
  Worst program;  ///< by itself: two of its own ways to the same accelerations
  double seconds_to_export = 0.0, seconds_to_compile = 0.0;
};

class Sweep {
 public:
  Sweep(const Case& one, bool has_derivatives, std::uint64_t seed)
      : has_derivatives_(has_derivatives),
        mechanism_(load(one)),
        case_(released(mechanism_)),
        model_(exported()),
        code_(model_, has_derivatives ? one.optimisation : "-O1") {
    CompiledExport::Function accelerations = code_.function("accelerations");
    std::vector<double> unused;
    for (const coordinates::MechanismMotion& start : starts(mechanism_)) {
      try {
        auto walk = std::make_unique<RandomWalk>(case_.model, start, one.away, has_derivatives_,
                                                 seed + walks_.size());
        if (accelerations.call(state_of(walk->point()), unused) == 0)
          walks_.push_back(std::move(walk));  // others have links that lie upon each other, and always will
      } catch (const core::ModelError&) {     // a singular start is none
      }
    }
    formulation_ = dynamics::make_formulation("multipliers", case_.model, {.kind = "relative"});
    result_.coordinates = model_.num_coordinates();
    result_.branches = walks_.size();
    result_.seconds_to_compile = code_.seconds_to_compile();
  }

  /// `file`: where all states are written to, with what was found there; null pointer: nowhere.
  Result run(int states, std::FILE* file) {
    CompiledExport::Function accelerations = code_.function("accelerations"),
                             forces = code_.function("forces"), gammas = code_.function("gamma");
    KktCondition condition(walks_.front()->motion());
    std::vector<double> found, f, gamma;
    for (int i = 0; i < states; ++i) {
      RandomWalk& walk = *walks_[static_cast<std::size_t>(i) % walks_.size()];
      walk.advance();
      const codegen::CheckState state = state_of(walk.point());
      if ((accelerations.call(state, found) | forces.call(state, f) | gammas.call(state, gamma)) != 0) {
        ++result_.refused;
        continue;
      }
      const double kappa = condition.at(walk.point().q);
      result_.kappa.push_back(kappa);
      const Eigen::VectorXd sizes = condition.sizes(f, gamma);
      const std::vector<double>& expected = walk.point().a;
      result_.accelerations.see(difference(found, expected, sizes), kappa);
      const std::vector<double> other = by_multipliers(walk.point());
      result_.program.see(difference(other, expected, sizes), kappa);
      if (file != nullptr)
        write(file, {{kappa}, state.u, state.x, {sizes.begin(), sizes.end()}, found, expected, other});
      if (has_derivatives_) result_.derivatives.see(difference_of_derivatives(walk, state), kappa);
    }
    std::ranges::sort(result_.kappa);
    return result_;
  }

 private:
  /// One line, to the last bit.
  static void write(std::FILE* file, const std::vector<std::vector<double>>& lists) {
    for (const std::vector<double>& list : lists)
      for (const double x : list) std::fprintf(file, "%a ", x);
    std::fputc('\n', file);
  }

  codegen::ExportedModel exported() {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::string> functions{"gamma", "forces"};
    if (has_derivatives_) functions.emplace_back("accelerations_by_x");
    codegen::ExportedModel model = codegen::export_motion(case_.model, {.functions = functions});
    result_.seconds_to_export =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return model;
  }

  /// The point for the exported functions, without stabilisation.
  codegen::CheckState state_of(const dynamics::ReducedPoint& point) const {
    codegen::CheckState state = model_.start;
    std::ranges::copy(point.q, state.x.begin());
    std::ranges::copy(point.v, state.x.begin() + static_cast<std::ptrdiff_t>(point.q.size()));
    state.u[0] = point.t;
    std::ranges::fill(state.p, 0.0);
    return state;
  }

  std::vector<double> by_multipliers(const dynamics::ReducedPoint& point) {
    const dynamics::State state{.t = point.t, .q = point.q, .v = point.v, .memory = point.memory};
    std::vector<double> a(state.q.size()), z_ddot(state.q.size());
    if (formulation_->accelerate(state, a, z_ddot) != dynamics::DynamicsStatus::kSolved)
      std::ranges::fill(a, std::numeric_limits<double>::quiet_NaN());
    return a;
  }

  static Difference difference(const std::vector<double>& found, const std::vector<double>& expected,
                               const Eigen::VectorXd& sizes) {
    const Eigen::Map<const Eigen::VectorXd> a(found.data(), sizes.size()), b(expected.data(), sizes.size());
    const Eigen::VectorXd apart = (a - b).cwiseAbs();
    return {apart.maxCoeff<Eigen::PropagateNaN>() / b.cwiseAbs().maxCoeff(),
            apart.cwiseQuotient(sizes).maxCoeff<Eigen::PropagateNaN>()};
  }

  /// Along the motions that the joints allow, ∂a/∂(z, ż) = A_q q_x + A_v v_x, whose rows of z are those of the dual numbers. By the
  /// largest of what is added up there.
  Difference difference_of_derivatives(const RandomWalk& walk, const codegen::CheckState& state) {
    if (!by_x_) by_x_ = code_.function("accelerations_by_x");
    const codegen::ExportedFunction& of_x =
        *std::ranges::find(model_.functions, "accelerations_by_x", &codegen::ExportedFunction::name);
    if (by_x_->call(state, entries_) != 0) return {std::nan(""), std::nan("")};
    const dynamics::ReducedTangent& tangent = walk.tangent();
    const Eigen::Index n = tangent.q_x.rows(), f = walk.motion().num_freedoms();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, 2 * n);
    for (std::size_t e = 0; e < entries_.size(); ++e)
      A(of_x.matrix->places[e].first, of_x.matrix->places[e].second) = entries_[e];
    Eigen::MatrixXd x_x(2 * n, 2 * f), of_z(f, 2 * n);
    x_x << tangent.q_x, tangent.v_x;
    for (Eigen::Index k = 0; k < f; ++k) of_z.row(k) = A.row(walk.motion().chosen()[index(k)]);
    const Eigen::MatrixXd apart = (of_z * x_x - tangent.z_ddot_x).cwiseAbs();
    const double worst = apart.maxCoeff<Eigen::PropagateNaN>();
    return {worst / tangent.z_ddot_x.cwiseAbs().maxCoeff(),
            worst / (of_z.cwiseAbs() * x_x.cwiseAbs()).maxCoeff()};
  }

  Result result_;
  bool has_derivatives_;
  model::Mechanism mechanism_;
  DynamicCase case_;
  codegen::ExportedModel model_;
  CompiledExport code_;
  std::vector<std::unique_ptr<RandomWalk>> walks_;
  std::unique_ptr<dynamics::Formulation> formulation_;
  std::optional<CompiledExport::Function> by_x_;
  std::vector<double> entries_;
};

void print_heading() {
  std::printf("%-16s %4s %3s %7s %4s %8s %8s |%26s |%26s |%26s |%16s\n", "", "", "", "", "", "kappa", "",
              "accelerations", "derivatives", "program", "seconds to");
  std::printf("%-16s %4s %3s %7s %4s %8s %8s | %8s %8s %7s | %8s %8s %7s | %8s %8s %7s | %7s %7s\n",
              "mechanism", "q", "br.", "states", "sing", "median", "max", "diff.", "k < 1e4", "/64ek",
              "diff.", "k < 1e4", "/64ek", "diff.", "k < 1e4", "/64ek", "export", "compile");
}

void print(const Case& one, const Result& result) {
  const double median = result.kappa.empty() ? 0.0 : result.kappa[result.kappa.size() / 2];
  const double most = result.kappa.empty() ? 0.0 : result.kappa.back();
  const auto verdict = [&](const Worst& worst) { return worst.is_allowed(result.program) ? ' ' : '!'; };
  std::printf(
      "%-16s %4zu %3zu %7zu %4d %8.1e %8.1e | %8.1e %8.1e %7.3f%c| %8.1e %8.1e %7.3f%c| %8.1e %8.1e %7.3f | "
      "%7.2f %7.1f\n",
      one.name, result.coordinates, result.branches, result.kappa.size(), result.refused, median, most,
      result.accelerations.plain, result.accelerations.well_conditioned, result.accelerations.ratio,
      verdict(result.accelerations), result.derivatives.plain, result.derivatives.well_conditioned,
      result.derivatives.ratio, verdict(result.derivatives), result.program.plain,
      result.program.well_conditioned, result.program.ratio, result.seconds_to_export,
      result.seconds_to_compile);
  std::fflush(stdout);
}

int run(int count, char** words) {
  int states = 300;
  std::uint64_t seed = 1;
  std::string only, skip, derivatives = "quick";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(nullptr, &std::fclose);
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(words[k], "--states") == 0) states = std::atoi(words[k + 1]);
    if (std::strcmp(words[k], "--only") == 0) only = words[k + 1];
    if (std::strcmp(words[k], "--skip") == 0) skip = words[k + 1];
    if (std::strcmp(words[k], "--derivatives") == 0) derivatives = words[k + 1];
    if (std::strcmp(words[k], "--write") == 0) {
      file.reset(std::fopen(words[k + 1], "w"));
      if (!file) throw std::runtime_error(std::string("cannot be written to: ") + words[k + 1]);
    }
    if (std::strcmp(words[k], "--seed") == 0) seed = static_cast<std::uint64_t>(std::atoll(words[k + 1]));
  }
  bool is_allowed = true;
  print_heading();
  for (const Case& one : kCases) {
    if ((!only.empty() && only != one.name) || skip == one.name) continue;
    const bool has_derivatives =
        derivatives == "all" || (derivatives == "quick" && one.has_quick_derivatives);
    const Result result = Sweep(one, has_derivatives, seed).run(states, file.get());
    print(one, result);
    is_allowed = is_allowed && !result.kappa.empty() && result.accelerations.is_allowed(result.program) &&
                 result.derivatives.is_allowed(result.program);
  }
  return is_allowed ? 0 : 1;
}

}  // namespace
}  // namespace eslabon::test

int main(int count, char** words) { return eslabon::test::run(count, words); }
