#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands/bench.hpp"
#include "apps/cli/text/bench_pages.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/progress_bar.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

using benchmarks::Progress;

[[noreturn]] void fail(const std::string& what, const std::string& option, const std::string& expected,
                       const std::string& actual, const std::string& example) {
  throw CommandLineError({.what = what,
                          .where = option,
                          .expected = expected,
                          .actual = "'" + actual + "'",
                          .next = fmt::format("Write, for example, {} {}.", option, example)});
}

/// Numbers from 1 to `most` of a list "1,2,5".
std::vector<int> read_numbers(const std::string& option, const std::string& text, int most) {
  std::vector<int> numbers;
  for (const std::string& word : read_names(option, text, "1,2,5")) {
    const std::optional<int> value = number_in(word, 1, most);
    if (!value)
      fail("a size is wrong", option,
           fmt::format("whole numbers from 1 to {}, with commas between them", most), word, "1,2,5");
    numbers.push_back(*value);
  }
  return numbers;
}

/// The programs of --against, which are there.
std::vector<benchmarks::Rival> read_rivals(const std::string& text) {
  std::vector<std::string> known;
  for (const benchmarks::Rival& rival : benchmarks::rivals()) known.push_back(rival.name);
  std::vector<benchmarks::Rival> asked;
  for (const std::string& name : read_names("--against", text, "simbody,mujoco")) {
    check_word("--against", "unknown program", name, known);
    asked.push_back(*std::ranges::find(benchmarks::rivals(), name, &benchmarks::Rival::name));
  }
  for (const benchmarks::Rival& rival : asked) naming("--against", [&] { rival_program(rival); });
  return asked;
}

/// What `measure` finds, while a bar shows how far it is.
template <class Measure>
auto with_bar(Measure measure) {
  ProgressBar bar;
  return measure([&bar](double fraction) { bar.update(fraction); });
}

/// Measures a table, writes it to a file and shows it.
template <class Measure>
auto tabulate(const std::string& command, const std::optional<std::string>& out,
              const Presentation& presentation, Measure measure) {
  // A file that cannot be written is better known before the work than after it.
  if (out) check_file(*out, "the table");
  const auto table = with_bar(measure);
  const std::string csv = csv_text(table);
  std::vector<std::string> files;
  if (out) write_text_file(files.emplace_back(*out), "the table", csv);
  presentation.show(
      stdout, [&](const PageStyle& style) { return bench_page(findings(table), files, style); },
      [&] { return bench_json(command, csv, out); });
  return table;
}

struct KinematicsWords {
  std::string dyads = "1,3,7,17,35,71,143,400,1000,10000";
  std::string axles = "1,2,3,4,5";
  std::optional<std::string> out;
};

void run_kinematics_bench(const KinematicsWords& words, const Presentation& presentation) {
  const benchmarks::KinematicsRequest request{
      .dyads = read_numbers("--dyads", words.dyads, benchmarks::kMostSolvedDyads),
      .axles = read_numbers("--axles", words.axles, benchmarks::kMostAxles)};
  tabulate("bench kinematics", words.out, presentation,
           [&](const Progress& progress) { return measure_kinematics(request, progress); });
}

struct DynamicsWords {
  std::string dyads = "1,17,40,100,400,1000";
  std::string chains = "20,100";
  std::string vans = "1,10,100";
  std::optional<std::string> against;
  bool has_instructions = false;
  std::optional<std::string> out;
};

void run_dynamics_bench(const DynamicsWords& words, const Presentation& presentation) {
  benchmarks::DynamicsRequest request{
      .dyads = read_numbers("--dyads", words.dyads, benchmarks::kMostEvaluatedDyads),
      .chains = read_numbers("--chains", words.chains, benchmarks::kMostEvaluatedRevolutes),
      .vans = words.vans.empty() || words.vans == "0"
                  ? std::vector<int>{}
                  : read_numbers("--vans", words.vans, benchmarks::kMostEvaluatedVans),
      .counts_instructions = words.has_instructions};
  if (words.against) request.against = read_rivals(*words.against);
  if (words.has_instructions) naming("--instructions", benchmarks::check_counting);
  tabulate("bench dynamics", words.out, presentation,
           [&](const Progress& progress) { return measure_dynamics(request, progress); });
}

struct CompiledWords {
  std::optional<std::string> against;
  std::optional<std::string> out;
};

void run_compiled_bench(const CompiledWords& words, const Presentation& presentation) {
  benchmarks::CompiledRequest request;
  if (words.against) request.against = read_rivals(*words.against);
  tabulate("bench compiled", words.out, presentation,
           [&](const Progress& progress) { return measure_compiled(request, progress); });
}

struct ReferencesWords {
  std::optional<std::string> tolerance;
  std::optional<std::string> out;
};

/// Throws core::ModelError, after the page, when a problem misses what is accepted.
void run_references_bench(const ReferencesWords& words, const Presentation& presentation) {
  benchmarks::ReferencesRequest request;
  if (words.tolerance && !(request.tolerance = number_in(*words.tolerance, 1e-14, 0.1)))
    fail("the tolerance is wrong", "--tolerance", "a number from 1e-14 to 0.1", *words.tolerance, "1e-9");
  const std::vector<std::string> misses =
      missed(tabulate("bench references", words.out, presentation,
                      [&](const Progress& progress) { return measure_references(request, progress); }));
  if (misses.empty()) return;
  throw core::ModelError({.what = "not every problem is solved as accepted",
                          .where = "bench references",
                          .expected = "the published answers",
                          .actual = fmt::format("{}", fmt::join(misses, "; ")),
                          .next = words.tolerance ? "Leave --tolerance out." : ""});
}

void run_vehicle_bench(const std::optional<std::string>& folder, const Presentation& presentation) {
  std::optional<benchmarks::VehicleFiles> files;
  if (folder) files.emplace(naming_option("--out", [&] { return benchmarks::open_folder(*folder); }));
  const benchmarks::VehicleFigures figures = with_bar(benchmarks::run_vehicle_figures);
  if (files) files->write(figures);
  const std::vector<std::string> names = files ? files->names() : std::vector<std::string>();
  presentation.show(
      stdout, [&](const PageStyle& style) { return bench_page(findings(figures), names, style); },
      [&] { return bench_json(figures, names); });
}

struct VehiclesWords {
  std::string seconds = "5";
  std::optional<std::string> out;
};

void run_vehicles_bench(const VehiclesWords& words, const Presentation& presentation) {
  const std::optional<double> seconds =
      number_in(words.seconds, benchmarks::kManoeuvreStep, benchmarks::kLongestManoeuvre);
  if (!seconds)
    fail("the length of the manoeuvres is wrong", "--seconds",
         fmt::format("a number of seconds from {:g} to {:g}", benchmarks::kManoeuvreStep,
                     benchmarks::kLongestManoeuvre),
         words.seconds, "0.5");
  tabulate("bench vehicles", words.out, presentation,
           [&](const Progress& progress) { return benchmarks::measure_vehicles({*seconds}, progress); });
}

void run_estimation_bench(const std::string& seeds, const Presentation& presentation) {
  const std::optional<int> count = number_in(seeds, 1, benchmarks::kMostSeeds);
  if (!count)
    fail("not a number of runs", "--seeds",
         fmt::format("a whole number from 1 to {}", benchmarks::kMostSeeds), seeds, "20");
  const benchmarks::EstimationTable table =
      with_bar([&](const Progress& progress) { return benchmarks::measure_estimation({*count}, progress); });
  presentation.show(
      stdout, [&](const PageStyle& style) { return bench_page(findings(table), {}, style); },
      [&] { return bench_json(table); });
}

/// A command below `bench`.
CLI::App* add_bench(CLI::App& bench, const char* name, const char* does, const char* example,
                    const char* line) {
  CLI::App* const command = bench.add_subcommand(name, does)->group("What is measured");
  show_examples(*command, {{example, line}});
  return command;
}

void add_sizes(CLI::App& command, const char* option, std::string& sizes, const char* what) {
  add_text(command, option, "NUMBERS", sizes, what)->capture_default_str();
}

void add_table_file(CLI::App& command, std::optional<std::string>& out) {
  add_text(command, "--out", "FILE", out, "CSV file for the table");
}

void add_kinematics_bench(CLI::App& bench, const Presentation& presentation) {
  auto words = std::make_shared<KinematicsWords>();
  CLI::App* command = add_bench(bench, "kinematics",
                                "Time of kinematics by every method, and where it goes (Muñoz 2013, §4.2)",
                                "A short table:", "eslabon bench kinematics --dyads 1,2 --axles 1");
  add_sizes(*command, "--dyads", words->dyads, "Sizes of the scalable four-bar");
  add_sizes(*command, "--axles", words->axles, "Sizes of the truck");
  add_table_file(*command, words->out);
  command->callback([words, &presentation] { run_kinematics_bench(*words, presentation); });
}

void add_dynamics_bench(CLI::App& bench, const Presentation& presentation) {
  auto words = std::make_shared<DynamicsWords>();
  CLI::App* command =
      add_bench(bench, "dynamics",
                "Time of one evaluation of accelerations by every formulation, beside other programs",
                "A short table:", "eslabon bench dynamics --dyads 1,2 --chains 2 --vans 0");
  add_sizes(*command, "--dyads", words->dyads, "Sizes of the scalable four-bar");
  add_sizes(*command, "--chains", words->chains, "Sizes of the chain of revolutes in space");
  add_sizes(*command, "--vans", words->vans,
            "Suspensions of a van-like vehicle on one chassis; a truck-like one and robots beside it; 0: none");
  offer_words(add_text(*command, "--against", "NAMES", words->against,
                       "Other programs to measure in the same run: simbody,mujoco (Debian packages "
                       "libsimbody-dev, libmujoco-dev)"),
              {"simbody", "mujoco"});
  command->add_flag(
      "--instructions", words->has_instructions,
      "Also count instructions, which do not depend on the machine's load (Debian package valgrind; "
      "takes minutes)");
  add_table_file(*command, words->out);
  command->callback([words, &presentation] { run_dynamics_bench(*words, presentation); });
}

void add_compiled_bench(CLI::App& bench, const Presentation& presentation) {
  auto words = std::make_shared<CompiledWords>();
  CLI::App* command =
      add_bench(bench, "compiled", "Time of one evaluation of accelerations, interpreted and as machine code",
                "What compiling gives here:", "eslabon bench compiled");
  offer_words(add_text(*command, "--against", "NAMES", words->against,
                       "Other programs to measure in the same run: simbody,mujoco (Debian packages "
                       "libsimbody-dev, libmujoco-dev)"),
              {"simbody", "mujoco"});
  add_table_file(*command, words->out);
  command->callback([words, &presentation] { run_compiled_bench(*words, presentation); });
}

}  // namespace

void add_bench_command(CLI::App& app, const Presentation& presentation) {
  CLI::App* bench =
      app.add_subcommand("bench", "Runs benchmarks on this machine: the tables of the published works");
  bench->require_subcommand(1);
  add_kinematics_bench(*bench, presentation);
  add_dynamics_bench(*bench, presentation);
  add_compiled_bench(*bench, presentation);

  auto known = std::make_shared<ReferencesWords>();
  CLI::App* references =
      add_bench(*bench, "references",
                "Problems with published answers: error, drift of energy and time beside other programs",
                "All problems:", "eslabon bench references");
  add_text(*references, "--tolerance", "NUMBER", known->tolerance,
           "Relative and absolute tolerance per step of dopri5, instead of those of each problem");
  add_table_file(*references, known->out);
  references->callback([known, &presentation] { run_references_bench(*known, presentation); });

  auto folder = std::make_shared<std::optional<std::string>>();
  CLI::App* vehicle =
      add_bench(*bench, "quarter-vehicle",
                "The quarter vehicle of the UPV paper: its degrees of freedom, drift with and without "
                "stabilisation, its motion beside an independent formulation",
                "Tables, and the figures as data:", "eslabon bench quarter-vehicle --out figures");
  add_text(*vehicle, "--out", "DIR", *folder, "Folder for figure25.csv and figure26.csv");
  vehicle->callback([folder, &presentation] { run_vehicle_bench(*folder, presentation); });

  auto large = std::make_shared<VehiclesWords>();
  CLI::App* vehicles = add_bench(*bench, "vehicles",
                                 "A van and a truck with semi-trailer: what they consist of and the time of "
                                 "each step of their equations, beside "
                                 "the published ones",
                                 "A quick look:", "eslabon bench vehicles --seconds 0.1");
  add_text(*vehicles, "--seconds", "NUMBER", large->seconds, "Length of each manoeuvre [s]")
      ->capture_default_str();
  add_table_file(*vehicles, large->out);
  vehicles->callback([large, &presentation] { run_vehicles_bench(*large, presentation); });

  auto seeds = std::make_shared<std::string>("100");
  CLI::App* estimation = add_bench(
      *bench, "estimation",
      "The two experiments of Torres-Moreno et al. (2016) on the testbed: errors and times of filters "
      "beside the published ones",
      "A quick look:", "eslabon bench estimation --seeds 2");
  add_text(*estimation, "--seeds", "N", *seeds, "Number of runs of each filter [100]");
  estimation->callback([seeds, &presentation] { run_estimation_bench(*seeds, presentation); });
}

}  // namespace eslabon::cli
