#include "apps/cli/words/stepping_words.hpp"

#include <charconv>
#include <cmath>

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::cli {

namespace {

double read_tolerance(const std::string& option, const std::string& text) {
  const double value = number_of(text);
  if (!std::isnan(value)) return value;
  throw CommandLineError({.what = "not a tolerance",
                          .where = option,
                          .expected = "a number below 1, as small as the accuracy that is wanted",
                          .actual = io::in_quotes(text),
                          .next = "Write, for example, " + option + " 1e-8."});
}

}  // namespace

double number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

void add_step_options(CLI::App& command, SteppingWords& words) {
  add_text(command, "--step", "TIME", words.step,
           "Time step of the computation: of rk4, abm4, trapezoidal and generalized-alpha, which need it; "
           "dopri5 and bdf find their own");
  add_text(command, "--rtol", "NUMBER", words.rtol,
           "Relative error tolerance per step of dopri5 and bdf [1e-8]");
  add_text(command, "--atol", "NUMBER", words.atol,
           "Absolute error tolerance per step of dopri5 and bdf, in units of the size of the motion [1e-10]");
}

void add_integrator_option(CLI::App& command, runs::SimulationRequest& request) {
  offer_words(
      command
          .add_option("--integrator", request.integrator,
                      "dopri5 and bdf (stiff mechanisms) find their steps; rk4, abm4, trapezoidal and "
                      "generalized-alpha need --step")
          ->capture_default_str()
          ->type_name("NAME"),
      integration::integrator_names());
}

void add_formulation_option(CLI::App& command, runs::SimulationRequest& request, const std::string& names) {
  offer_words(command
                  .add_option("--formulation", request.formulation,
                              "How the equations of motion are written" + names +
                                  "; auto picks by structure and size")
                  ->capture_default_str()
                  ->type_name("NAME"),
              runs::known_formulations());
}

void add_check_options(CLI::App& command, runs::SimulationRequest& request) {
  command.add_flag("--verify", request.verify,
                   "Repeat the run with another formulation and a tenth of the tolerances, and report by how "
                   "much each output differs");
  command.add_flag("--accept-drift", request.accept_drift,
                   "Exit status 0 even when more than 1 % of the energy exchanged is not accounted for");
}

void read_stepping(const SteppingWords& words, runs::SimulationRequest& request) {
  const auto time = [](const char* option, const char* meaning, const std::optional<std::string>& text) {
    return text ? std::optional(read_time(option, meaning, *text)) : std::nullopt;
  };
  request.step = time("--step", "step", words.step);
  request.every = time("--every", "time from row to row", words.every);
  request.largest_step = time("--largest-step", "maximum step", words.largest_step);
  if (words.rtol) request.rtol = read_tolerance("--rtol", *words.rtol);
  if (words.atol) request.atol = read_tolerance("--atol", *words.atol);
}

}  // namespace eslabon::cli
