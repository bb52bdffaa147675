#include "benchmarks/tables/compiled_table.hpp"

#include <cstdlib>

#include "benchmarks/tables/bench_case.hpp"
#include "benchmarks/tables/bench_clock.hpp"
#include "benchmarks/tables/findings.hpp"
#include "benchmarks/tables/reference_models.hpp"
#include <fmt/format.h>

#include "eslabon/codegen/compile/compiled_formulation.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::benchmarks {

namespace {

struct Subject {
  std::string title;
  std::string model;  ///< of bench_mechanism, which rivals read too; empty: the quarter vehicle
  double to_reach;    ///< compiled by interpreted
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> list{{"four-bar", fourbar_model(1), 0.4},
                                         {"four-bar, 17 dyads", fourbar_model(17), 0.7},
                                         {"quarter vehicle, tyre stop", "", 0.3}};
  return list;
}

/// Without its drivers, but with everything that acts.
BenchCase quarter_vehicle() {
  return BenchCase(model::without_all_drivers(
      io::read_mechanism(std::string(reference_models::quarter_vehicle), "quarter-vehicle.yaml")));
}

double time_of_evaluation(dynamics::Formulation& formulation, const BenchCase& at) {
  const dynamics::State state = formulation.state_of(at.moving, 0.0);
  // Groups tell what is integrated without all the others.
  std::vector<double> a(formulation.name() == "groups" ? 0 : state.q.size()),
      z_ddot(static_cast<std::size_t>(formulation.num_integrated()));
  bool is_solved = true;
  const double seconds = time_of([&] {
    is_solved = formulation.accelerate(state, a, z_ddot) == dynamics::DynamicsStatus::kSolved && is_solved;
  });
  if (!is_solved)
    throw core::ModelError({.what = "accelerations have no value where they are measured",
                            .where = "mechanism '" + at.mechanism.name() + "'",
                            .expected = "a position that is not singular",
                            .actual = "another",
                            .next = ""});
  return seconds;
}

CompiledRow measure(const Subject& subject, const BenchCase& at, CompiledTable& table) {
  CompiledRow row{.mechanism = subject.title, .to_reach = subject.to_reach};
  row.interpreter = dynamics::choose_formulation(at.model).formulation;
  row.interpreted = time_of_evaluation(*dynamics::make_formulation(row.interpreter, at.model), at);
  const auto programs = std::make_shared<codegen::NativeCompiler>(codegen::compile_settings(&std::getenv));
  codegen::MotionCompiler compiler(programs);
  row.code = compiler.choose(at.model).formulation;
  const auto formulation = compiler.compile(dynamics::make_formulation(row.code, at.model), at.model);
  const codegen::NativeCompiler::Report report = programs->report();
  for (const std::string& note : compiler.notes()) table.notes.push_back(note);
  if (report.programs == 0) return row;
  table.compiler = report.compiler;
  row.operations = report.operations;
  row.seconds = report.seconds;
  row.compiled = time_of_evaluation(*formulation, at);
  return row;
}

}  // namespace

CompiledTable measure_compiled(const CompiledRequest& request, const Progress& progress) {
  CompiledTable table{.rivals = request.against, .rows = {}, .steps = {}, .compiler = {}, .notes = {}};
  for (const Subject& subject : subjects()) {
    const BenchCase at = subject.model.empty() ? quarter_vehicle() : BenchCase(subject.model);
    CompiledRow row = measure(subject, at, table);
    for (const Rival& rival : request.against)
      row.theirs.push_back(subject.model.empty() ? std::nullopt
                                                 : std::optional(ask_rival(rival, subject.model, at)));
    table.rows.push_back(std::move(row));
    progress(static_cast<double>(table.rows.size()) / static_cast<double>(subjects().size() + 1));
  }
  table.steps.push_back(measure_filter_steps(nullptr));
  if (!table.compiler.empty()) {
    table.steps.push_back(measure_filter_steps(std::make_shared<codegen::MotionCompiler>(
        std::make_shared<codegen::NativeCompiler>(codegen::compile_settings(&std::getenv)))));
    table.steps.push_back(measure_arithmetic_steps(table.steps.back().undisturbed));
  }
  progress(1.0);
  return table;
}

std::string csv_text(const CompiledTable& table) {
  std::string text =
      "mechanism,program,formulation,evaluation,ratio,to_reach,operations,step_p50,step_p99,step_p99_9,"
      "undisturbed_p50,undisturbed_p99,undisturbed_p99_9\n,,,s,1,1,1,s,s,s,s,s,s\n";
  for (const CompiledRow& row : table.rows) {
    text += fmt::format("\"{}\",interpreted,{},{:.6g},,,,,,,,,\n", row.mechanism, row.interpreter,
                        row.interpreted);
    if (row.compiled)
      text += fmt::format("\"{}\",compiled,{},{:.6g},{:.4g},{:.4g},{},,,,,,\n", row.mechanism, row.code,
                          *row.compiled, row.ratio(), row.to_reach, row.operations);
    for (std::size_t r = 0; r < row.theirs.size(); ++r)
      if (row.theirs[r])
        text += fmt::format("\"{}\",{},,{:.6g},,,,,,,,,\n", row.mechanism, table.rivals[r].name,
                            row.theirs[r]->seconds);
  }
  for (const FilterStepCost& step : table.steps)
    text += fmt::format("testbed,{},dekf,,,,,{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", step.program,
                        step.all.p50, step.all.p99, step.all.p99_9, step.undisturbed.p50,
                        step.undisturbed.p99, step.undisturbed.p99_9);
  return text;
}

namespace {

Findings::Table steps_table(const std::vector<FilterStepCost>& steps) {
  Findings::Table table{
      {"step [µs]", ">p50", ">p99", ">p99.9", ">max", ">undisturbed p50", ">p99", ">p99.9", ">max"}};
  for (const FilterStepCost& step : steps) {
    std::vector<std::string> cells{step.program};
    for (const StepQuantiles* times : {&step.all, &step.undisturbed})
      for (const double seconds : {times->p50, times->p99, times->p99_9, times->largest})
        cells.push_back(fmt::format("{:.3g}", 1e6 * seconds));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

Findings findings(const CompiledTable& measured) {
  Findings found{"Machine code of the equations"};
  found.fact("Measured",
             "one evaluation, from positions and velocities to accelerations, on one core; the best of "
             "several repeats, one after the other in this run");
  found.fact("Compiler", measured.compiler.empty() ? "none: nothing is compiled" : measured.compiler);
  std::vector<std::string> headings{"mechanism", ">interpreted [µs]", "by",          ">compiled [µs]", "by",
                                    ">ratio",    ">to reach",         ">operations", ">made in [s]"};
  for (const Rival& rival : measured.rivals)
    headings.insert(headings.end(), {">" + rival.title + " [µs]", ">ratio"});
  Findings::Table table{headings};
  for (const CompiledRow& row : measured.rows) {
    const auto micro = [](double seconds) { return fmt::format("{:.3g}", 1e6 * seconds); };
    std::vector<std::string> cells{row.mechanism,
                                   micro(row.interpreted),
                                   row.interpreter,
                                   row.compiled ? micro(*row.compiled) : "–",
                                   row.code,
                                   row.compiled ? fmt::format("{:.2f}", row.ratio()) : "",
                                   fmt::format("{:.2f}", row.to_reach),
                                   std::to_string(row.operations),
                                   fmt::format("{:.2g}", row.seconds)};
    for (const auto& theirs : row.theirs) {
      cells.push_back(theirs ? micro(theirs->seconds) : "–");
      cells.push_back(theirs && row.compiled ? fmt::format("{:.0f}", theirs->seconds / *row.compiled) : "");
    }
    table.rows.push_back(std::move(cells));
  }
  found.table(std::move(table));
  found.gap();
  found.heading(fmt::format(
      "A step of the testbed's dekf: {} steps of 1 ms, {} times, readings of five sensors in every tenth",
      kFilterSteps, kFilterRepetitions));
  found.table(steps_table(measured.steps));
  found.remark(
      "Undisturbed: the shortest that each step took in all repetitions, then its quantiles: what the code "
      "costs, without what the machine does besides.");
  if (measured.steps.size() > 2)
    found.remark(
        "Arithmetic: steps as long as those compiled, undisturbed, that only multiply and add: what the "
        "machine alone makes of p99.9.");
  for (const std::string& note : measured.notes) found.remark(note);
  return found;
}

}  // namespace eslabon::benchmarks
