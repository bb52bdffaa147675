#include "motion_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "command_line.hpp"
#include "placement.hpp"
#include "shown_digits.hpp"
#include "text_table.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/core/name_list.hpp"
#include "eslabon/core/nearest_name.hpp"
#include "eslabon/kinematics/branch.hpp"
#include "eslabon/kinematics/driven_mechanism.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

using model::Variable;

namespace {

constexpr std::int64_t kMostSteps = 100'000'000;
constexpr std::size_t kMostColumns = 24;  // of the table
constexpr int kDigits = 6;                // of its numbers

/// The coordinates of all joints: what is written when nobody asks for anything.
std::vector<std::string> joint_coordinates(const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
      names.push_back(model::name(
          mechanism, {model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c}));
  return names;
}

kinematics::AssemblyReport assembled(const model::Mechanism& mechanism,
                                     const structure::Structure& structure) {
  kinematics::AssemblyReport report = kinematics::assemble(mechanism, structure);
  if (report.usable()) return report;
  if (report.status == kinematics::AssemblyReport::Status::kUnreachableDriver) {
    // Out of reach may be the start, or all that the driver asks for; the second says its own reason.
    const kinematics::AssemblyReport free = assemble_without_drivers(mechanism, structure);
    if (free.usable()) const kinematics::DrivenMechanism check(mechanism, structure, free);
  }
  throw core::ModelError(report.error_text());
}

kinematics::AssemblyReport on_branch(const model::Mechanism& mechanism, const structure::Structure& structure,
                                     kinematics::AssemblyReport assembly,
                                     const std::optional<std::string>& name) {
  if (!name) return assembly;
  const auto branches = kinematics::find_branches(mechanism, structure, assembly);
  std::vector<std::string> names;
  for (const kinematics::Branch& branch : branches) {
    names.push_back(branch.name);
    if (branch.name != *name) continue;
    assembly.bodies = branch.bodies;
    kinematics::require_exact_starts(mechanism, assembly);
    if (!assembly.usable()) throw core::ModelError(assembly.error_text());
    return assembly;
  }
  throw CommandLineError(
      {.what = "no such branch",
       .where = "--branch",
       .expected = "one of those found, " + core::quoted_list(names),
       .actual = "'" + *name + "'",
       .next = "The first is that of the start values; 'eslabon info --branches' lists them."});
}

}  // namespace

TimeGrid::TimeGrid(core::Duration until, core::Duration step, const std::string& option)
    : until_(until), step_(step), count_(core::number_of_steps(until, step)) {
  if (rows() <= kMostSteps) return;
  throw CommandLineError({.what = "too many rows",
                          .where = option,
                          .expected = fmt::format("at most {} steps up to --until", kMostSteps),
                          .actual = fmt::format("{} steps of {} s", rows() - 1, step.seconds()),
                          .next = "Take a longer step or an earlier end."});
}

LoadedModel select_outputs(const model::Mechanism& mechanism, const std::optional<std::string>& outputs,
                           bool with_forces) {
  LoadedModel model{mechanism};
  if (outputs) {
    const std::vector<std::string> names = read_names("--outputs", *outputs);
    model.mechanism = naming_option("--outputs", [&] { return model::with_outputs(model.mechanism, names); });
  }
  std::vector<std::string> told;
  for (const Variable& output : model.mechanism.outputs())
    (kinematics::needs_forces(output) && !with_forces ? model.left_out : told)
        .push_back(model::name(model.mechanism, output));
  if (outputs && !model.left_out.empty())
    throw CommandLineError({.what = "kinematics computes no forces",
                            .where = "--outputs",
                            .expected = "positions, velocities and accelerations",
                            .actual = "'" + model.left_out.front() + "'",
                            .next = "Leave it out; 'eslabon simulate' computes them."});
  model.has_default_outputs = told.empty();
  if (told.empty()) told = joint_coordinates(model.mechanism);
  model.mechanism = model::with_outputs(model.mechanism, told);
  return model;
}

void print_left_out(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return;
  fmt::print(stderr, "eslabon: left out: {}: kinematics computes no forces.\n", core::joined(left_out));
}

kinematics::AssemblyReport assembled_on_branch(const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch) {
  return on_branch(mechanism, structure, assembled(mechanism, structure), branch);
}

void ColumnRange::add(double value) {
  if (is_empty) start = least = largest = value;
  is_empty = false;
  end = value;
  least = std::min(least, value);
  largest = std::max(largest, value);
}

std::string column_number(double value, double largest, std::string_view unit) {
  return fmt::format("{:.{}g}", std::abs(value) <= 1e-14 * largest ? 0.0 : value,
                     shown_digits(largest, unit, kDigits));
}

std::string column_table(const std::vector<io::ResultColumn>& columns, const std::vector<ColumnRange>& ranges,
                         const std::vector<double>& errors) {
  std::vector<std::string> head{"output", "unit", ">start", ">end", ">min", ">max"};
  if (!errors.empty()) head.push_back(">error");
  TextTable table(head);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == "constraint_error") continue;  // said above
    const ColumnRange& range = ranges[k];
    const double largest = std::max(std::abs(range.least), std::abs(range.largest));
    std::vector<std::string> cells{columns[k].name, columns[k].unit};
    for (const double value : {range.start, range.end, range.least, range.largest})
      cells.push_back(column_number(value, largest, columns[k].unit));
    if (!errors.empty()) cells.push_back(fmt::format("{:.2g}", errors[k]));
    table.add_row(std::move(cells));
  }
  return table.text(kMostColumns, " in the file");
}

void check_out(const std::string& out) {
  if (!out.empty()) return;
  throw CommandLineError({.what = "the results have no destination",
                          .where = "--out",
                          .expected = "the name of a file, or - for the standard output",
                          .actual = "''",
                          .next = "Write, for example, --out result.csv."});
}

void check_also_out(const std::string& option, const std::string& what, const std::string& file) {
  if (!file.empty() && file != kStdout) return;
  throw CommandLineError({.what = what + " have no destination",
                          .where = option,
                          .expected = "the name of a file",
                          .actual = "'" + file + "'",
                          .next = "Write, for example, " + option + " " + option.substr(2) +
                                  (option == "--provenance" ? ".json." : ".csv.")});
}

std::FILE* standard_output() { return fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), "wb"); }

io::ResultWriter open_results(const std::string& path, const std::vector<io::ResultColumn>& columns,
                              io::HeaderStyle header) {
  if (path != kStdout) return io::ResultWriter(path, columns, header);
  return io::ResultWriter(standard_output(), "the standard output", columns, header);
}

double time_of_small_turn(const coordinates::MechanismMotion& bodies) {
  double w = 0.0, alpha = 0.0;
  for (const coordinates::BodyMotion& body : bodies) {
    w = std::max(w, body.w_WB_W.squaredNorm());
    alpha = std::max(alpha, body.alpha_WB_W.squaredNorm());
  }
  return std::min(0.5 / std::sqrt(w), 1.0 / std::sqrt(std::sqrt(alpha)));  // infinite at rest
}

}  // namespace eslabon::cli
