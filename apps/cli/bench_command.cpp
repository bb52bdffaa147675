#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "bench_pages.hpp"
#include "command_line.hpp"
#include "command_reference.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

using benchmarks::Progress;

/// A whole number, 1 … most; nothing where it is none.
std::optional<int> whole_number(const std::string& word, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > most)
    return std::nullopt;
  return value;
}

/// Numbers from 1 to `most` of a list "1,2,5".
std::vector<int> read_numbers(const std::string& option, const std::string& text, int most) {
  std::vector<int> numbers;
  for (const std::string& word : read_names(option, text, "1,2,5")) {
    const std::optional<int> value = whole_number(word, most);
    if (!value)
      throw CommandLineError(
          {.what = "a size is wrong",
           .where = option,
           .expected = fmt::format("whole numbers from 1 to {}, with commas between them", most),
           .actual = "'" + word + "'",
           .next = fmt::format("Write, for example, {} 1,2,5.", option)});
    numbers.push_back(*value);
  }
  return numbers;
}

/// One whole number, 1 … most.
int read_count(const std::string& option, const std::string& text, int most) {
  if (const std::optional<int> value = whole_number(text, most)) return *value;
  throw CommandLineError({.what = "not a number of runs",
                          .where = option,
                          .expected = fmt::format("a whole number from 1 to {}", most),
                          .actual = "'" + text + "'",
                          .next = fmt::format("Write, for example, {} 20.", option)});
}

double read_tolerance(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 1e-14 && value <= 0.1)
    return value;
  throw CommandLineError({.what = "the tolerance is wrong",
                          .where = "--tolerance",
                          .expected = "a number from 1e-14 to 0.1",
                          .actual = "'" + text + "'",
                          .next = "Write, for example, --tolerance 1e-9."});
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
  if (out) write_text_file(*out, "the table", csv);
  presentation.show(
      stdout, [&](const PageStyle& style) { return bench_page(table, out, style); },
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
  std::optional<std::string> against;
  bool has_instructions = false;
  std::optional<std::string> out;
};

void run_dynamics_bench(const DynamicsWords& words, const Presentation& presentation) {
  benchmarks::DynamicsRequest request{
      .dyads = read_numbers("--dyads", words.dyads, benchmarks::kMostEvaluatedDyads),
      .chains = read_numbers("--chains", words.chains, benchmarks::kMostEvaluatedRevolutes),
      .counts_instructions = words.has_instructions};
  if (words.against) request.against = read_rivals(*words.against);
  if (words.has_instructions) naming("--instructions", benchmarks::check_counting);
  tabulate("bench dynamics", words.out, presentation,
           [&](const Progress& progress) { return measure_dynamics(request, progress); });
}

struct ReferencesWords {
  std::optional<std::string> tolerance;
  std::optional<std::string> out;
};

/// Throws core::ModelError, after the page, when a problem misses what is accepted.
void run_references_bench(const ReferencesWords& words, const Presentation& presentation) {
  benchmarks::ReferencesRequest request;
  if (words.tolerance) request.tolerance = read_tolerance(*words.tolerance);
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
      stdout, [&](const PageStyle& style) { return bench_page(figures, names, style); },
      [&] { return bench_json(figures, names); });
}

void run_estimation_bench(const std::string& seeds, const Presentation& presentation) {
  const benchmarks::EstimationRequest request{read_count("--seeds", seeds, benchmarks::kMostSeeds)};
  const benchmarks::EstimationTable table =
      with_bar([&](const Progress& progress) { return measure_estimation(request, progress); });
  presentation.show(
      stdout, [&](const PageStyle& style) { return bench_page(table, style); },
      [&] { return bench_json(table); });
}

void add_sizes(CLI::App& command, const std::string& option, std::string& sizes, const std::string& what) {
  command.add_option(option, sizes, what)->capture_default_str()->type_name("NUMBERS");
}

}  // namespace

void add_bench_command(CLI::App& app, const Presentation& presentation) {
  CLI::App* command =
      app.add_subcommand("bench", "Runs benchmarks on this machine: the tables of the published works");
  command->require_subcommand(1);

  auto moved = std::make_shared<KinematicsWords>();
  CLI::App* kinematics = command->add_subcommand(
      "kinematics", "Time of kinematics by every method, and where it goes (Muñoz 2013, §4.2)");
  add_sizes(*kinematics, "--dyads", moved->dyads, "Sizes of the scalable four-bar");
  add_sizes(*kinematics, "--axles", moved->axles, "Sizes of the truck");
  kinematics->add_option("--out", moved->out, "CSV file for the table")->type_name("FILE");
  show_examples(*kinematics, {{"A short table:", "eslabon bench kinematics --dyads 1,2 --axles 1"}});
  kinematics->callback([moved, &presentation] { run_kinematics_bench(*moved, presentation); });

  auto let_go = std::make_shared<DynamicsWords>();
  CLI::App* dynamics = command->add_subcommand(
      "dynamics", "Time of one evaluation of accelerations by every formulation, beside other programs");
  add_sizes(*dynamics, "--dyads", let_go->dyads, "Sizes of the scalable four-bar");
  add_sizes(*dynamics, "--chains", let_go->chains, "Sizes of the chain of revolutes in space");
  offer_words(dynamics
                  ->add_option("--against", let_go->against,
                               "Other programs to measure in the same run: simbody,mujoco (Debian packages "
                               "libsimbody-dev, libmujoco-dev)")
                  ->type_name("NAMES"),
              {"simbody", "mujoco"});
  dynamics->add_flag(
      "--instructions", let_go->has_instructions,
      "Also count instructions, which do not depend on the machine's load (Debian package valgrind; "
      "takes minutes)");
  dynamics->add_option("--out", let_go->out, "CSV file for the table")->type_name("FILE");
  show_examples(*dynamics, {{"A short table:", "eslabon bench dynamics --dyads 1,2 --chains 2"}});
  dynamics->callback([let_go, &presentation] { run_dynamics_bench(*let_go, presentation); });

  auto known = std::make_shared<ReferencesWords>();
  CLI::App* references = command->add_subcommand(
      "references", "Problems with published answers: error, drift of energy and time beside other programs");
  references
      ->add_option("--tolerance", known->tolerance,
                   "Relative and absolute tolerance per step of dopri5, instead of those of each problem")
      ->type_name("NUMBER");
  references->add_option("--out", known->out, "CSV file for the table")->type_name("FILE");
  show_examples(*references, {{"All problems:", "eslabon bench references"}});
  references->callback([known, &presentation] { run_references_bench(*known, presentation); });

  auto folder = std::make_shared<std::optional<std::string>>();
  CLI::App* vehicle = command->add_subcommand("quarter-vehicle",
                                              "The quarter vehicle of the UPV paper: its degrees of freedom, "
                                              "drift with and without stabilisation, its motion "
                                              "beside an independent formulation");
  vehicle->add_option("--out", *folder, "Folder for figure25.csv and figure26.csv")->type_name("DIR");
  show_examples(*vehicle,
                {{"Tables, and the figures as data:", "eslabon bench quarter-vehicle --out figures"}});
  vehicle->callback([folder, &presentation] { run_vehicle_bench(*folder, presentation); });

  auto seeds = std::make_shared<std::string>("100");
  CLI::App* estimation =
      command->add_subcommand("estimation",
                              "The two experiments of Torres-Moreno et al. (2016) on the testbed: errors and "
                              "times of filters beside the published ones");
  estimation->add_option("--seeds", *seeds, "Number of runs of each filter (100)")->type_name("N");
  show_examples(*estimation, {{"A quick look:", "eslabon bench estimation --seeds 2"}});
  estimation->callback([seeds, &presentation] { run_estimation_bench(*seeds, presentation); });
  for (CLI::App* one : command->get_subcommands({})) one->group("What is measured");
}

}  // namespace eslabon::cli
