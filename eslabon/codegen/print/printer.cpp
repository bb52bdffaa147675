#include "eslabon/codegen/print/printer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::codegen {

namespace {

void add_arguments(std::vector<std::string>& lines, const std::string& name, const std::string& says,
                   const std::vector<core::Column>& columns, const std::vector<double>& values,
                   const std::string& what_values) {
  lines.push_back(fmt::format("{}: {} ({})", name, says, columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    lines.push_back(fmt::format("  {}[{}]  {} [{}], {} {}", name, k, columns[k].name, columns[k].unit,
                                what_values, core::number_text(values[k])));
}

}  // namespace

CallLimits call_limits(const ExportedModel& model, Precision precision) {
  const bool is_float = precision == Precision::kFloat;
  return {.smallest_pivot = is_float ? 1e-5 : 1e-12,
          .largest_error = model.closed_length > 0.0 ? (is_float ? 1e-5 : 1e-9) * model.closed_length
                                                     : std::numeric_limits<double>::infinity()};
}

int status_at(const ExportedFunction& function, const CheckState& state, const CallLimits& limits) {
  const std::vector<double> all = ExportedModel::evaluate(function, state);
  const double error = all[all.size() - 2], pivot = all.back();
  const bool are_numbers = std::ranges::all_of(all, [](double number) { return std::isfinite(number); });
  return are_numbers && pivot > limits.smallest_pivot && error <= limits.largest_error ? 0 : 1;
}

double check_tolerance(const ExportedModel& model, Precision precision) {
  constexpr double kRoundings =
      64.0;  // of what is solved, as far as another sine or another order of sums goes
  const bool is_float = precision == Precision::kFloat;
  const double roundoff =
      is_float ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return std::max(is_float ? 1e-3 : 1e-9, kRoundings * roundoff / model.smallest_margin);
}

std::vector<std::string> heading(const ExportedModel& model) {
  std::vector<std::string> lines{model.title + ": equations of motion", "Form: " + model.form + "."};
  lines.insert(lines.end(), model.made_from.begin(), model.made_from.end());
  lines.push_back(
      fmt::format("Smallest pivot near the start: {} of its {}. Functions tell that of each call: far "
                  "below, a position is near-singular.",
                  core::rounded_text(model.smallest_margin), model.pivots_by));
  if (model.plain_scheme.all() > 0)
    lines.push_back(
        fmt::format("The plain scheme (LU of the loop Jacobian, then of the reduced mass matrix) has {} "
                    "operations for accelerations.",
                    model.plain_scheme.all()));
  if (const double error = call_limits(model, Precision::kDouble).largest_error; std::isfinite(error))
    lines.push_back(
        fmt::format("Functions close the loops by themselves: where the constraint error is above {} m they "
                    "did not find the position.",
                    core::rounded_text(error)));
  lines.emplace_back();
  add_arguments(lines, "x", "state", model.x, model.start.x, "starts at");
  add_arguments(lines, "u", "from outside", model.u, model.start.u, "starts at");
  add_arguments(lines, "p", "parameters", model.p, model.start.p, "by default");
  return lines;
}

std::string heading(const ExportedFunction& function) {
  const OperationCounts counts = function.program.counts();
  std::string size = fmt::format("{}", function.numbers.size());
  if (function.matrix)
    size += fmt::format(" entries of {} x {}", function.matrix->rows, function.matrix->columns);
  const std::string before =
      function.requested ? fmt::format(", {} before simplification", function.requested->all()) : "";
  return fmt::format(
      "{}: {} ({}); {} operations{}: {} sums, {} products, {} quotients, {} roots, "
      "{} "
      "functions, {} choices",
      function.name, function.says, size, counts.all(), before, counts.additions, counts.multiplications,
      counts.divisions, counts.roots, counts.functions, counts.choices);
}

PrintedFile print_makefile(const ExportedModel& model, const std::vector<std::string>& languages) {
  std::string checks, rules;
  for (const std::string& language : languages) {
    if (language == "latex" || language == "html") continue;  // for people
    checks += " check-" + language;
    if (language == "c")
      rules += fmt::format(
          "check-c: {0}_check\n\t./{0}_check\n\n"
          "{0}_check: {0}.c {0}_check.c {0}.h\n\t$(CC) -std=c99 $(CFLAGS) -o $@ {0}.c {0}_check.c -lm\n\n",
          model.name);
    if (language == "c++")
      rules += fmt::format(
          "check-c++: {0}_lanes_check\n\t./{0}_lanes_check\n\n"
          "{0}_lanes_check: {0}_lanes.cpp {0}_lanes_check.cpp {0}_lanes.hpp\n"
          "\t$(CXX) -std=c++11 $(CXXFLAGS) -o $@ {0}_lanes.cpp {0}_lanes_check.cpp -lm\n\n",
          model.name);
    if (language == "matlab")
      rules += fmt::format("check-matlab:\n\t$(OCTAVE) --quiet {}_check.m\n\n", model.name);
    if (language == "python") rules += fmt::format("check-python:\n\t$(PYTHON) {}_check.py\n\n", model.name);
  }
  return {"Makefile",
          fmt::format("# Runs what was exported where the answers are known.\n"
                      "CFLAGS ?= -O1 -Wall -Wextra -Wconversion -pedantic\nCXXFLAGS ?= -O2 -Wall -Wextra "
                      "-pedantic\nOCTAVE ?= octave-cli\nPYTHON ?= python3\n\n"
                      "check:{}\n\n{}clean:\n\trm -f {}_check {}_lanes_check\n\n.PHONY: check{} clean\n",
                      checks, rules, model.name, model.name, checks)};
}

}  // namespace eslabon::codegen
