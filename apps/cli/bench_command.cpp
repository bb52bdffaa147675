#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "command_line.hpp"
#include "command_reference.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

/// A whole number, 1 … most; nothing where it is none.
std::optional<int> whole_number(const std::string& word, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > most)
    return std::nullopt;
  return value;
}

}  // namespace

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

int read_count(const std::string& option, const std::string& text, int most) {
  if (const std::optional<int> value = whole_number(text, most)) return *value;
  throw CommandLineError({.what = "not a number of runs",
                          .where = option,
                          .expected = fmt::format("a whole number from 1 to {}", most),
                          .actual = "'" + text + "'",
                          .next = fmt::format("Write, for example, {} 20.", option)});
}

std::string microseconds(double seconds) {
  const double us = 1e6 * seconds;
  return fmt::format("{:.{}f}", us, us < 10.0 ? 2 : us < 1000.0 ? 1 : 0);
}

void add_bench_command(CLI::App& app, const Presentation& presentation) {
  CLI::App* command =
      app.add_subcommand("bench", "Runs benchmarks on this machine: the tables of the published works");
  command->require_subcommand(1);

  auto moved = std::make_shared<KinematicsBenchOptions>();
  CLI::App* kinematics = command->add_subcommand(
      "kinematics", "Time of kinematics by every method, and where it goes (Muñoz 2013, §4.2)");
  kinematics->add_option("--dyads", moved->dyads, "Sizes of the scalable four-bar")
      ->capture_default_str()
      ->type_name("NUMBERS");
  kinematics->add_option("--axles", moved->axles, "Sizes of the truck")
      ->capture_default_str()
      ->type_name("NUMBERS");
  kinematics->add_option("--out", moved->out, "CSV file for the table")->type_name("FILE");
  show_examples(*kinematics, {{"A short table:", "eslabon bench kinematics --dyads 1,2 --axles 1"}});
  kinematics->callback([moved, &presentation] { run_kinematics_bench(*moved, presentation); });

  auto let_go = std::make_shared<DynamicsBenchOptions>();
  CLI::App* dynamics = command->add_subcommand(
      "dynamics", "Time of one evaluation of accelerations by every formulation, beside other programs");
  dynamics->add_option("--dyads", let_go->dyads, "Sizes of the scalable four-bar")
      ->capture_default_str()
      ->type_name("NUMBERS");
  dynamics->add_option("--chains", let_go->chains, "Sizes of the chain of revolutes in space")
      ->capture_default_str()
      ->type_name("NUMBERS");
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

  auto known = std::make_shared<ReferencesBenchOptions>();
  CLI::App* references = command->add_subcommand(
      "references", "Problems with published answers: error, drift of energy and time beside other programs");
  references
      ->add_option("--tolerance", known->tolerance,
                   "Relative and absolute tolerance per step of dopri5, instead of those of each problem")
      ->type_name("NUMBER");
  references->add_option("--out", known->out, "CSV file for the table")->type_name("FILE");
  show_examples(*references, {{"All problems:", "eslabon bench references"}});
  references->callback([known, &presentation] { run_references_bench(*known, presentation); });

  auto driven = std::make_shared<VehicleBenchOptions>();
  CLI::App* vehicle = command->add_subcommand("quarter-vehicle",
                                              "The quarter vehicle of the UPV paper: its degrees of freedom, "
                                              "drift with and without stabilisation, its motion "
                                              "beside an independent formulation");
  vehicle->add_option("--out", driven->out, "Folder for figure25.csv and figure26.csv")->type_name("DIR");
  show_examples(*vehicle,
                {{"Tables, and the figures as data:", "eslabon bench quarter-vehicle --out figures"}});
  vehicle->callback([driven, &presentation] { run_vehicle_bench(*driven, presentation); });

  auto estimated = std::make_shared<EstimationBenchOptions>();
  CLI::App* estimation =
      command->add_subcommand("estimation",
                              "The two experiments of Torres-Moreno et al. (2016) on the testbed: errors and "
                              "times of filters beside the published ones");
  estimation->add_option("--seeds", estimated->seeds, "Number of runs of each filter (100)")->type_name("N");
  show_examples(*estimation, {{"A quick look:", "eslabon bench estimation --seeds 2"}});
  estimation->callback([estimated, &presentation] { run_estimation_bench(*estimated, presentation); });
  for (CLI::App* one : command->get_subcommands({})) one->group("What is measured");
}

}  // namespace eslabon::cli
