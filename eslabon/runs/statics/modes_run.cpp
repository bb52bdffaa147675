#include "eslabon/runs/statics/modes_run.hpp"

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/dynamics/statics/named_shape.hpp"
#include "eslabon/integration/law_watch.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/motion/time_grid.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/released_start.hpp"

namespace eslabon::runs {

namespace {

using dynamics::FreedomChart;
using Place = ModesRequest::Place;

/// Where the mechanism is linearised, and in words.
struct FoundPlace {
  dynamics::State state;
  std::string text;
};

/// The state at a time of a run.
dynamics::State state_of_run(const StaticCase& c, FreedomChart& chart, double t) {
  const auto formulation =
      dynamics::make_formulation(dynamics::choose_formulation(c.model()).formulation, c.model());
  integration::IntegratorOptions options = integration::default_options(c.mechanism(), t);
  options.rtol = 1e-10;
  options.atol = 1e-12;
  integration::Simulation simulation(c.model(), *formulation, integration::make_integrator("dopri5", options),
                                     t);
  if (!simulation.advance_to(t)) throw core::ModelError(simulation.failure()->error_text(true));
  coordinates::MechanismMotion bodies(c.mechanism().bodies().size());
  simulation.evaluate_bodies(bodies);
  integration::LawWatch(c.mechanism(), c.model().assembled().assembly()).look(t, bodies);
  dynamics::State state = chart.state_of(bodies, t);
  state.memory = simulation.point().state.memory;
  return state;
}

FoundPlace find_place(Place at, double t, StaticCase& c, FreedomChart& chart) {
  if (at == Place::kTime)
    return {state_of_run(c, chart, t), fmt::format("the state after {:.9g} s of motion", t)};
  if (at == Place::kStart) return {chart.state_of(c.model().start(), 0.0), "the start"};
  const dynamics::EquilibriumReport report = dynamics::find_equilibrium(chart, c.start(t));
  if (!report.usable()) throw core::ModelError(report.error_text(c.mechanism()));
  integration::LawWatch(c.mechanism(), c.model().assembled().assembly()).look(t, report.equilibrium->bodies);
  return {report.equilibrium->state,
          fmt::format("the equilibrium found from the start, {}, in {}",
                      dynamics::stability_word(report.equilibrium->stability),
                      core::counted(static_cast<std::size_t>(report.iterations), "iteration"))};
}

/// The outputs that can be linearised, of the mechanism or as asked for; others of the mechanism are left out.
std::vector<model::Variable> linear_outputs(const model::Mechanism& mechanism, const ModesRequest& request,
                                            RunObserver& observer) {
  std::vector<model::Variable> outputs;
  if (!request.with_outputs) return outputs;
  if (request.common.outputs) {
    for (const std::string& name : *request.common.outputs)
      outputs.push_back(for_field("outputs", [&] { return dynamics::find_linear_output(mechanism, name); }));
    return outputs;
  }
  std::vector<std::string> left_out;
  for (const model::Variable& output : mechanism.outputs())
    if (dynamics::is_told_by_state(mechanism, output))
      outputs.push_back(output);
    else
      left_out.push_back(model::name(mechanism, output));
  if (!left_out.empty()) observer.left_out(left_out, "reactions and efforts are not linearised");
  return outputs;
}

/// The mechanism without the drivers that are released, and at rest without what dry friction holds.
model::Mechanism linearised_mechanism(const model::Mechanism& loaded, const ModesRequest& request,
                                      const std::vector<std::string>& released, RunObserver& observer) {
  const model::Mechanism mechanism =
      request.with_outputs ? release_drivers(loaded, released, request.common.outputs, observer)
                           : for_field("release", [&] { return model::without_drivers(loaded, released); });
  const bool starts_at_rest = mechanism.drivers().empty() &&
                              mechanism.start_rates().empty() && !mechanism.start_speed();
  const bool is_at_rest =
      request.at == Place::kEquilibrium || (request.at == Place::kStart && starts_at_rest);
  return is_at_rest ? without_holding(mechanism, observer) : mechanism;
}

/// Coordinates of joints, then bodies, a column for each mode; the largest of each is 1.
void add_shapes(FreedomChart& chart, ModesResult& result) {
  const dynamics::LinearSystem& linear = result.linear;
  dynamics::NamedRates rows = dynamics::joint_rates(chart, linear.state, linear.directions);
  const dynamics::NamedRates bodies = dynamics::body_rates(chart, linear.state, linear.directions);
  const Eigen::Index joints = rows.rates.rows();
  rows.rates.conservativeResize(joints + bodies.rates.rows(), Eigen::NoChange);
  rows.rates.bottomRows(bodies.rates.rows()) = bodies.rates;
  rows.names.insert(rows.names.end(), bodies.names.begin(), bodies.names.end());
  rows.dimensions.insert(rows.dimensions.end(), bodies.dimensions.begin(), bodies.dimensions.end());
  if (chart.num_states() > 0) rows = dynamics::with_states(std::move(rows), chart);
  result.shape_names = rows.names;
  result.shapes.resize(rows.rates.rows(), static_cast<Eigen::Index>(result.modes.size()));
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Eigen::VectorXcd& shape = result.modes[k].shape;
    result.shapes.col(static_cast<Eigen::Index>(k)) =
        dynamics::scaled_shape(rows, shape, chart.length()).values;
    result.shape_texts.push_back(
        dynamics::named_shape(chart, linear.state, linear.directions, shape).text(3));
  }
}

}  // namespace

void check(const ModesRequest& request) {
  if (request.at == Place::kTime) require_positive("after", request.after);
  if (request.common.time && request.at != Place::kEquilibrium)
    throw RequestError({.what = "a time of loads and drivers goes with an equilibrium only",
                        .where = field("time"),
                        .expected = field("at") + " equilibrium",
                        .actual = field("at") + (request.at == Place::kStart
                                                     ? std::string(" start")
                                                     : fmt::format(" {:g}", request.after.seconds())),
                        .next = "Leave " + field("time") + " out; " + field("at") +
                                " TIME runs the mechanism up to a time."});
}

ModesResult find_modes(const model::Mechanism& loaded, const ModesRequest& request, RunObserver& observer) {
  check(request);
  ModesResult result;
  result.mechanism = loaded.name();
  result.released = released_drivers(request.common.release, loaded);
  const model::Mechanism mechanism = linearised_mechanism(loaded, request, result.released, observer);
  std::vector<dynamics::LinearInput> inputs;
  for (const std::string& name : request.inputs)
    inputs.push_back(for_field("inputs", [&] { return dynamics::find_input(mechanism, name); }));
  const std::vector<model::Variable> outputs = linear_outputs(mechanism, request, observer);
  const bool is_held = request.at == Place::kEquilibrium;
  const double t = request.at == Place::kTime ? request.after.seconds()
                                              : request.common.time.value_or(core::Duration()).seconds();
  StaticCase c(request.common, loaded, mechanism, t, observer);
  FreedomChart moving(c.model(), FreedomChart::Drivers::kMove);
  FreedomChart& chart = is_held ? c.held() : moving;
  FoundPlace place = find_place(request.at, t, c, chart);
  result.about = std::move(place.text);
  result.linear = dynamics::linearise(chart, place.state, inputs, outputs);
  result.modes = result.linear.modes();
  add_shapes(chart, result);
  if (is_held) result.held = c.held_drivers(t);
  return result;
}

}  // namespace eslabon::runs
