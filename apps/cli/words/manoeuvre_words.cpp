#include "apps/cli/words/manoeuvre_words.hpp"

#include <cmath>

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/report_output.hpp"
#include "apps/cli/words/stepping_words.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/io/quantities/setting_text.hpp"

namespace eslabon::cli {

vehicle::ManoeuvreRequest read_manoeuvre_request(const ManoeuvreWords& words) {
  vehicle::ManoeuvreRequest request = words.request;
  const auto number = [](const char* option, const std::optional<std::string>& text,
                         const core::Dimension& dimension) -> std::optional<double> {
    if (!text) return std::nullopt;
    try {
      return io::read_number(option, *text, dimension);
    } catch (const core::ModelError& error) {
      throw CommandLineError(error.text());
    }
  };
  request.speed = number("--speed", words.speed, core::kVelocity);
  request.steering = number("--steering", words.steering, core::kAngle);
  request.lateral_acceleration =
      number("--lateral-acceleration", words.lateral_acceleration, core::kAcceleration);
  request.deceleration = number("--deceleration", words.deceleration, core::kAcceleration);
  request.friction = number("--friction", words.friction, core::kNumber);
  request.friction_right = number("--friction-right", words.friction_right, core::kNumber);
  runs::SimulationRequest& simulation = request.simulation;
  if (words.until) simulation.until = read_time("--until", "end time", *words.until);
  read_stepping(words.stepping, simulation);
  simulation.outputs = read_outputs(words.outputs);
  check(request);
  check_limits(words.limits);
  check_run_files(words.files);
  return request;
}

namespace {

void add_driving_options(CLI::App& command, ManoeuvreWords& words) {
  begin_group(command, "Driving");
  offer_words(command
                  .add_option("--direction", words.request.direction,
                              "To which side it goes first; the other one is its mirror image")
                  ->capture_default_str()
                  ->type_name("SIDE"),
              {"left", "right"});
  add_text(command, "--speed", "SPEED", words.speed,
           "Speed at the start, e.g. '80 km/h'; each manoeuvre has its own");
  add_text(command, "--steering", "ANGLE", words.steering,
           "Amplitude of the angle of the steering wheel, e.g. '45 deg'; without it the one that gives "
           "--lateral-acceleration with slowly growing steering");
  add_text(command, "--lateral-acceleration", "NUMBER", words.lateral_acceleration,
           "Steady lateral acceleration in m/s^2 that tells the amplitude; each manoeuvre has its own");
  add_text(command, "--deceleration", "NUMBER", words.deceleration,
           "What brakes are asked for, in m/s^2; each manoeuvre that brakes has its own");
  add_text(command, "--friction", "NUMBER", words.friction,
           "Friction of the road, as a factor of that of the tyres; without it that of the file");
  add_text(command, "--friction-right", "NUMBER", words.friction_right,
           "The same on the right, for a split road; without it 0.3 of the left");
}

void add_computing_options(CLI::App& command, ManoeuvreWords& words) {
  begin_group(command, kTimeOptions);
  add_text(command, "--until", "TIME", words.until,
           "End time, in s or with a unit; without it the manoeuvre's own");
  add_text(command, "--every", "TIME", words.stepping.every,
           "Time between rows of the results; without it 5 ms to 50 ms, as the manoeuvre needs it");
  add_step_options(command, words.stepping);
  add_text(command, "--largest-step", "TIME", words.stepping.largest_step,
           "Maximum step of dopri5 and bdf; without it --every, and at most a thousandth of the run");
  add_limit_options(command, words.limits, "steps of the integrator", kTimeOptions);
}

void add_file_options(CLI::App& command, ManoeuvreWords& words) {
  begin_group(command, kFileOptions);
  add_text(command, "--out", "FILE", words.files.out, "CSV file for the results; - is the standard output");
  add_report_option(command, words.files.report);
  add_header_option(command, words.files.header);
}

void add_method_options(CLI::App& command, ManoeuvreWords& words) {
  begin_group(command, kMethodOptions);
  add_integrator_option(command, words.request.simulation);
  add_formulation_option(command, words.request.simulation, ", as of simulate");
  add_check_options(command, words.request.simulation);
}

}  // namespace

void add_manoeuvre_options(CLI::App& command, ManoeuvreWords& words) {
  add_model_word(command, words.model);
  offer_words(
      command.add_option("NAME", words.request.manoeuvre, "What is driven")->required()->type_name("NAME"),
      vehicle::manoeuvre_names());
  add_driving_options(command, words);
  add_computing_options(command, words);
  add_file_options(command, words);
  add_method_options(command, words);
  begin_group(command, kModelOptions);
  add_outputs_option(command, words.outputs);
  add_set_option(command, words.set);
  show_examples(
      command,
      {{"A step of the steering wheel, with its figures:",
        "eslabon manoeuvre models/vehicles/ackermann-cart.yaml step-steer"},
       {"The same to the right, with rows and a page:",
        "eslabon manoeuvre models/vehicles/ackermann-cart.yaml step-steer --direction right --out step.csv "
        "--report step.html"}});
}

}  // namespace eslabon::cli
