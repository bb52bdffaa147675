#include "eslabon/codegen/export_writer.hpp"

#include <algorithm>
#include <utility>

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/derivation.hpp"
#include "eslabon/codegen/reserved_names.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/trace_names.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/model/variables/name_lookup.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::codegen {

using core::Column;
using core::si_unit;
using core::Traced;
using dynamics::TracedVector;
using std::size_t;

namespace {

constexpr double kSafePivot = 1e-8;  // over the states that are tried

/// Whether its position can be written down: the integral of a speed that varies has no closed form.
bool is_function_of_time(const model::Driver& driver) {
  return driver.level == model::DriverLevel::kPosition || driver.function.is_constant();
}

/// Heights that were measured or drawn at random are no formulas.
void refuse_heights(const model::Mechanism& mechanism) {
  if (mechanism.road().relief && !mechanism.tyres().empty())
    throw core::ModelError({.what = "a road by its heights is not exported",
                            .where = "road",
                            .expected = "a plane, with bumps perhaps",
                            .actual = "a table, a grid or random heights",
                            .next = "Leave them out."});
}

/// What is exported goes on for ever, a table of the time ends.
void refuse_tables_of_time(const model::Mechanism& mechanism) {
  const auto refuse = [](const model::TimeFunction& function, const std::string& where) {
    for (const model::TimeFunction::Instruction& step : function.program())
      if (step.operation == model::TimeFunction::Operation::kTable)
        throw core::ModelError({.what = "a table of the time is not exported",
                                .where = where,
                                .expected = "a function of t without an end",
                                .actual = "a table from " + core::number_text(step.table->first()) + " to " +
                                          core::number_text(step.table->last()) + " s",
                                .next = "Write a formula of t instead."});
  };
  for (const model::Driver& driver : mechanism.drivers())
    refuse(driver.function, "driver '" + driver.name + "'");
  for (const model::Load& load : mechanism.loads()) {
    const std::string where = "force '" + load.name + "'";
    if (const auto* effort = std::get_if<model::JointEffort>(&load.action)) refuse(effort->effort, where);
    if (const auto* force = std::get_if<model::PointForce>(&load.action))
      for (const model::TimeFunction& component : force->components) refuse(component, where);
    if (const auto* torque = std::get_if<model::BodyTorque>(&load.action))
      for (const model::TimeFunction& component : torque->components) refuse(component, where);
  }
}

}  // namespace

std::vector<dynamics::Unknown> unknowns_from_outside(const model::Mechanism& mechanism,
                                                     const MotionExportOptions& options) {
  std::vector<dynamics::Unknown> list;
  for (const std::string& name : options.efforts) {
    const model::Variable variable = model::find_variable(mechanism, name);
    if (variable.kind != model::VariableKind::kJointPosition)
      throw core::ModelError({.what = "no effort acts along this",
                              .where = "'" + name + "'",
                              .expected = "a joint coordinate such as A.q",
                              .actual = "another variable",
                              .next = "Name the joint's coordinate."});
    if (std::ranges::find(list, variable, &dynamics::Unknown::along) != list.end())
      throw core::ModelError({.what = "an effort is named twice",
                              .where = "'" + name + "'",
                              .expected = "each joint coordinate once",
                              .actual = "the same one again",
                              .next = "Leave it out there."});
    list.push_back({.kind = dynamics::Unknown::Kind::kForce, .along = variable});
  }
  for (const dynamics::Unknown& state : dynamics::state_unknowns(mechanism)) list.push_back(state);
  for (const ExportedUnknown& unknown : options.unknowns) list.push_back(unknown.what);
  return list;
}

ExportWriter::ExportWriter(const dynamics::DynamicModel& nominal, const dynamics::DynamicModel& written,
                           const MotionExportOptions& options, std::string form)
    : nominal_(nominal),
      written_(written),
      mechanism_(written.mechanism()),
      options_(options),
      listening_(trace_) {
  out_.title = mechanism_.name();
  out_.name = options.name.empty() ? identifier(mechanism_.name()) : options.name;
  if (is_reserved_name(out_.name))
    throw core::ModelError({.what = "not a name of functions",
                            .where = "mechanism '" + mechanism_.name() + "'",
                            .expected = "no word of the languages, and no module or function that code uses",
                            .actual = core::quoted(out_.name),
                            .next = "Give another one with --name."});
  out_.form = std::move(form);
}

Traced ExportWriter::add(std::vector<Column>& list, std::vector<double>& values, TracedVector& numbers,
                         const std::string& name, const std::string& unit, double value) {
  list.push_back({name, unit});
  values.push_back(value);
  numbers.push_back(trace_.input());
  return numbers.back();
}
Traced ExportWriter::add_x(const std::string& name, const std::string& unit, double start) {
  return add(out_.x, out_.start.x, x_, name, unit, start);
}
Traced ExportWriter::add_u(const std::string& name, const std::string& unit, double start) {
  return add(out_.u, out_.start.u, u_, name, unit, start);
}
Traced ExportWriter::add_p(const std::string& name, const std::string& unit, double value) {
  return add(out_.p, out_.start.p, p_, name, unit, value);
}

Traced ExportWriter::add_time() {
  const Traced t = add_u("t", "s", 0.0);
  trace_.set_time(t);
  return t;
}

ExportWriter::State ExportWriter::add_state(const coordinates::ConstraintSystem& system) {
  const dynamics::State start = state_of_bodies(nominal_, system, nominal_.start(), 0.0);
  const std::vector<coordinates::Coordinate>& coordinates = system.coordinates();
  State state;
  for (size_t c = 0; c < coordinates.size(); ++c)
    state.q.push_back(add_x(coordinates[c].name, si_unit(coordinates[c].dimension), start.q[c]));
  for (size_t c = 0; c < coordinates.size(); ++c)
    state.v.push_back(
        add_x("d/dt " + coordinates[c].name, si_unit(coordinates[c].dimension / core::kTime), start.v[c]));
  return state;
}

TracedVector ExportWriter::add_unknowns() {
  TracedVector unknowns;
  for (const ExportedUnknown& one : options_.unknowns)
    unknowns.push_back(add_p(one.column.name, one.column.unit, one.what.neutral()));
  return unknowns;
}

TracedVector ExportWriter::add_parameters(const MarkedModel* marked) {
  TracedVector symbols;
  if (marked == nullptr) return symbols;
  for (size_t k = 0; k < options_.parameters.symbols.size(); ++k) {
    const Column& symbol = options_.parameters.symbols[k];
    symbols.push_back(add_p(symbol.name, symbol.unit, options_.parameters.values[k]));
  }
  const TracedVector numbers = options_.parameters.trace(symbols);
  std::vector<std::pair<double, Traced>> known;
  // The turns that angles start in stay those of the model.
  for (size_t k = 0; k < written_.start_memory().angles.size(); ++k)
    known.emplace_back(written_.start_memory().angles[k], nominal_.start_memory().angles[k]);
  for (size_t k = 0; k < numbers.size(); ++k) known.emplace_back(marked->numbers[k], numbers[k]);
  for (const auto& [value, function] : marked->constants) known.emplace_back(value, function.trace(numbers));
  for (const auto& [value, number] : known) trace_.replace_constant(value, number);
  return symbols;
}

TracedVector ExportWriter::add_efforts() {
  TracedVector efforts;
  for (const std::string& name : options_.efforts) {
    const core::Dimension along = model::dimension(mechanism_, model::find_variable(mechanism_, name));
    efforts.push_back(add_u("effort along " + name, si_unit(core::effort_along(along)), 0.0));
  }
  for (size_t k = 0; k < mechanism_.states().size(); ++k) {
    const model::AuxiliaryState& state = mechanism_.states()[k];
    states_.push_back(
        add_u(state.name + ".value", si_unit(state.dimension), nominal_.start_memory().states[k]));
  }
  efforts.insert(efforts.end(), states_.begin(), states_.end());
  return efforts;
}

void ExportWriter::add_driver_numbers() {
  std::vector<coordinates::CoordinateValue> at_start(nominal_.prescribed().size());
  nominal_.evaluate_drivers_or_throw(0.0, at_start);
  for (size_t k = 0; k < mechanism_.drivers().size(); ++k) {
    const model::Driver& driver = mechanism_.drivers()[k];
    if (is_function_of_time(driver)) continue;
    const core::Dimension dimension = model::dimension(mechanism_, driver.target);
    told_.position.push_back(add_u(driver.name + ": " + model::name(mechanism_, driver.target),
                                   si_unit(dimension), at_start[k].position));
    told_.velocity.push_back(
        add_u(driver.name + ": its rate", si_unit(dimension / core::kTime), at_start[k].velocity));
    told_.acceleration.push_back(add_u(driver.name + ": its acceleration",
                                       si_unit(dimension / core::kTime / core::kTime),
                                       at_start[k].acceleration));
  }
}

dynamics::TracedMotion::Drivers ExportWriter::drivers_at(const Traced& t) {
  using Jet = core::Dual<core::Dual<Traced>>;
  refuse_tables_of_time(mechanism_);
  refuse_heights(mechanism_);
  trace_.set_time(t);
  const core::Trace::Scope scope("Drivers");
  std::vector<coordinates::CoordinateValue> at_start(written_.prescribed().size());
  written_.evaluate_drivers_or_throw(0.0, at_start);
  dynamics::TracedMotion::Drivers drivers;
  const auto push = [&](const Traced& position, const Traced& velocity, const Traced& acceleration) {
    drivers.position.push_back(position);
    drivers.velocity.push_back(velocity);
    drivers.acceleration.push_back(acceleration);
  };
  size_t told = 0;
  for (size_t k = 0; k < mechanism_.drivers().size(); ++k) {
    const model::Driver& driver = mechanism_.drivers()[k];
    if (driver.level == model::DriverLevel::kPosition) {
      const Jet value = driver.function.evaluate(Jet{{t, Traced(1.0)}, {Traced(1.0), Traced(0.0)}});
      push(value.value.value, value.value.derivative, value.derivative.derivative);
    } else if (is_function_of_time(driver)) {
      const double a = driver.level == model::DriverLevel::kSpeed ? 0.0 : driver.function.constant_value();
      push(driver.start.value_or(at_start[k].position) + t * (at_start[k].velocity + 0.5 * a * t),
           at_start[k].velocity + a * t, a);
    } else {
      push(told_.position[told], told_.velocity[told], told_.acceleration[told]);
      ++told;
    }
    core::name(trace_, "s_" + driver.name, drivers.position.back());
    core::name(trace_, "˙s_" + driver.name, drivers.velocity.back());
    core::name(trace_, "¨s_" + driver.name, drivers.acceleration.back());
  }
  return drivers;
}

void ExportWriter::add_list(std::string name, std::string says, std::vector<Column> numbers,
                            TracedVector values, const Told& told) {
  if (values.empty()) return;
  if (!wants(name)) return;
  values.push_back(told.constraint_error);
  values.push_back(told.margin);
  out_.functions.push_back({.name = std::move(name),
                            .says = std::move(says),
                            .numbers = std::move(numbers),
                            .program = Program(trace_, values)});
}

void ExportWriter::add_matrix(std::string name, std::string says, int rows, int columns,
                              const std::vector<Entry>& entries, const Told& told) {
  if (entries.empty()) return;
  TracedVector values;
  ExportedFunction::Matrix matrix{.rows = rows, .columns = columns, .places = {}};
  std::vector<Column> numbers;
  for (const Entry& entry : entries) {
    values.push_back(entry.value);
    matrix.places.emplace_back(entry.row, entry.column);
    numbers.push_back({"(" + std::to_string(entry.row) + ", " + std::to_string(entry.column) + ")", ""});
  }
  const bool is_wanted = wants(name);
  add_list(std::move(name), std::move(says), std::move(numbers), std::move(values), told);
  if (is_wanted) out_.functions.back().matrix = std::move(matrix);
}

ExportWriter::Shown ExportWriter::outputs(const Bodies& bodies, const FindCoordinate& coordinate) {
  const core::Trace::Scope scope("Outputs");
  Shown out;
  const auto add_output = [&](const model::Variable& variable) {
    if (const std::optional<Traced> known = coordinate(variable)) {
      out.values.push_back(*known);
    } else {
      TracedVector value(1, Traced(0.0));
      const auto instrument = sensing::make_instrument(mechanism_, variable, written_.forces());
      instrument->read({0.0, bodies, {written_.start_memory(), states_}}, value);
      out.values.push_back(value[0] + instrument->channels()[0].origin);
    }
    out.names.push_back({model::name(mechanism_, variable), model::unit(mechanism_, variable)});
    core::name(trace_, "y_" + out.names.back().name, out.values.back());
  };
  for (const std::string& name : options_.outputs) add_output(model::find_variable(mechanism_, name));
  if (options_.outputs.empty())
    for (const model::Variable& variable : mechanism_.outputs())
      if (dynamics::is_told_by_state(mechanism_, variable)) add_output(variable);
  return out;
}

ExportWriter::Shown ExportWriter::readings(const Bodies& bodies) {
  const core::Trace::Scope scope("Sensors");
  Shown out;
  for (const model::Sensor& sensor : mechanism_.sensors()) {
    const auto instrument = sensing::make_instrument(mechanism_, sensor, written_.forces());
    TracedVector values(instrument->channels().size(), Traced(0.0));
    instrument->read({0.0, bodies, {written_.start_memory(), states_}}, values);
    for (size_t k = 0; k < values.size(); ++k) {
      const sensing::Channel& channel = instrument->channels()[k];
      out.names.push_back({channel.name, si_unit(channel.dimension)});
      out.values.push_back(values[k] + channel.origin);
      core::name(trace_, "y_" + channel.name, out.values.back());
    }
  }
  return out;
}

void ExportWriter::add_state_rates(const Bodies& bodies, const Told& told) {
  if (states_.empty()) return;
  TracedVector rates(states_.size(), Traced(0.0));
  static_cast<void>(
      written_.forces().evaluate_states<Traced>(0.0, bodies, {written_.start_memory(), states_}, rates));
  std::vector<Column> columns;
  for (size_t k = 0; k < rates.size(); ++k) {
    const model::AuxiliaryState& state = mechanism_.states()[k];
    columns.push_back({"d/dt " + state.name + ".value", si_unit(state.dimension / core::kTime)});
    core::name(trace_, "˙x_" + state.name, rates[k]);
  }
  add_list("state_rates", "rates of the auxiliary states, which are in u", std::move(columns),
           std::move(rates), told);
}

Eigen::MatrixXd ExportWriter::at_start(const dynamics::TracedMatrix& matrix) {
  Eigen::MatrixXd out(matrix.rows(), matrix.cols());
  std::vector<double> inputs = out_.start.x;
  inputs.insert(inputs.end(), out_.start.u.begin(), out_.start.u.end());
  inputs.insert(inputs.end(), out_.start.p.begin(), out_.start.p.end());
  const TracedVector numbers(matrix.reshaped().begin(), matrix.reshaped().end());
  Program(trace_, numbers).evaluate(inputs, {out.data(), numbers.size()});
  return out;
}

bool ExportWriter::wants(const std::string& name) {
  if (std::ranges::find(offered_, name) == offered_.end()) offered_.push_back(name);
  return options_.functions.empty() || name == "accelerations" || name == "positions" ||
         std::ranges::find(options_.functions, name) != options_.functions.end();
}

void ExportWriter::check_functions() const {
  for (const std::string& name : options_.functions)
    if (std::ranges::find(offered_, name) == offered_.end())
      throw core::ModelError({.what = "this model has no such function",
                              .where = "mechanism '" + mechanism_.name() + "'",
                              .expected = "one of " + core::joined(offered_),
                              .actual = core::quoted(name),
                              .next = "Ask for some of these with --functions, or for all without it."});
}

ExportedModel ExportWriter::finish(const std::string& function) {
  check_functions();
  if (core::Trace::naming() != nullptr) {
    std::vector<const Program*> told;
    for (const ExportedFunction& one : out_.functions)
      if (one.name.find("_by_") == std::string::npos) told.push_back(&one.program);
    out_.derivation = derivation_of(trace_, told);
  }
  for (const ExportedFunction& one : out_.functions) {
    if (one.name != function) continue;
    for (const CheckState& state : out_.checks) {
      const double margin = ExportedModel::evaluate(one, state).back();
      if (!(margin >= out_.smallest_margin)) out_.smallest_margin = margin;
    }
  }
  if (!(out_.smallest_margin > kSafePivot))
    throw core::ModelError(
        {.what = "no order of elimination is safe here",
         .where = "mechanism '" + mechanism_.name() + "'",
         .expected = "pivots above " + core::number_text(kSafePivot) + " of their " + out_.pivots_by,
         .actual = core::rounded_text(out_.smallest_margin) + " near the start",
         .next = "Start away from singular positions, or add mass where there is none."});
  keep_states_with_values(out_);
  return std::move(out_);
}

std::vector<Column> row_columns(const coordinates::ConstraintSystem& system, const std::vector<int>& rows) {
  std::vector<Column> list;
  for (const int row : rows)
    list.push_back({describe_row(system, row), system.row_is_length(row) ? "m" : "1"});
  return list;
}
std::vector<Column> force_columns(const std::vector<coordinates::Coordinate>& coordinates) {
  std::vector<Column> list;
  for (const coordinates::Coordinate& one : coordinates)
    list.push_back({"along " + one.name, si_unit(core::effort_along(one.dimension))});
  return list;
}
std::vector<Column> acceleration_columns(const std::vector<coordinates::Coordinate>& coordinates) {
  std::vector<Column> list;
  for (const coordinates::Coordinate& one : coordinates)
    list.push_back({"d2/dt2 " + one.name, si_unit(one.dimension / core::kTime / core::kTime)});
  return list;
}

ExportWriter::FindCoordinate among_coordinates(const coordinates::ConstraintSystem& system, TracedVector q) {
  return [&system, q = std::move(q)](const model::Variable& variable) -> std::optional<Traced> {
    const auto column = system.layout().column_of(variable);
    if (!column) return std::nullopt;
    return q[core::index(*column)];
  };
}

}  // namespace eslabon::codegen
