#include "eslabon/codegen/motion_export.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/graph/derivative.hpp"
#include "eslabon/codegen/plain_scheme.hpp"
#include "eslabon/codegen/regular_mass.hpp"
#include "eslabon/codegen/traced_energy.hpp"
#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/trace_names.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"
#include "eslabon/model/variables/name_lookup.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::codegen {

namespace {

using core::Column;
using core::index;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using std::size_t;
using Jet = core::Dual<core::Dual<Traced>>;

const std::vector<std::string> kFunctions{"residual",
                                          "jacobian",
                                          "gamma",
                                          "mass",
                                          "forces",
                                          "accelerations",
                                          "energy",
                                          "accelerations_by_x",
                                          "accelerations_by_u",
                                          "accelerations_by_p",
                                          "outputs",
                                          "outputs_by_x",
                                          "readings",
                                          "readings_by_x",
                                          "readings_by_p"};
constexpr double kSafeMargin = 1e-8;  // of pivots, over the states that are tried

/// The unit as files of results show it.
std::string unit(const core::Dimension& dimension) { return core::si_unit(dimension); }

Traced smallest(const TracedVector& list) {
  Traced out = 1.0;
  for (const Traced& x : list) out = core::minimum(out, x);
  return out;
}

dynamics::Unknown effort_along(const model::Mechanism& mechanism, const std::string& name) {
  const model::Variable variable = model::find_variable(mechanism, name);
  if (variable.kind != model::VariableKind::kJointPosition)
    throw core::ModelError({.what = "no effort acts along this",
                            .where = "'" + name + "'",
                            .expected = "a joint coordinate such as A.q",
                            .actual = "another variable",
                            .next = "Name the joint's coordinate."});
  return {.kind = dynamics::Unknown::Kind::kForce, .along = variable};
}

std::vector<dynamics::Unknown> unknowns_of(const model::Mechanism& mechanism,
                                           const MotionExportOptions& options) {
  std::vector<dynamics::Unknown> list;
  for (const std::string& name : options.efforts) list.push_back(effort_along(mechanism, name));
  for (const ExportedUnknown& one : options.unknowns) list.push_back(one.what);
  return list;
}

/// What the equations of a model are written from. `length`: size of the mechanism, or of that which this one is a variant of.
struct WrittenModel {
  WrittenModel(const dynamics::DynamicModel& model, const MotionExportOptions& options,
               std::optional<double> length = std::nullopt)
      : motion(model, unknowns_of(model.mechanism(), options), dynamics::ReducedMotion::Use::kEquations) {
    const double size = length.value_or(motion.length());
    equations = options.coordinates == "relative" ? make_tree_equations(motion, size)
                                                  : make_feature_equations(motion, options.coordinates, size);
  }

  dynamics::ReducedMotion motion;
  std::unique_ptr<TracedEquations> equations;
};

/// Writes everything down once, and then what each function needs of it.
class MotionExport {
 public:
  /// `nominal`: of the model, where it starts. `marked`: the model as it is written, with numbers that tell what follows from parameters;
  /// null pointer: there are none.
  MotionExport(const WrittenModel& nominal, const WrittenModel& written, const MarkedModel* marked,
               const MotionExportOptions& options)
      : nominal_(nominal),
        marked_(marked),
        model_(written.motion.model()),
        mechanism_(model_.mechanism()),
        options_(options),
        equations_(*written.equations),
        system_(nominal.equations->system()) {}

  ExportedModel make() {
    const core::Trace::Listening listening(trace_);
    trace_.keep_names();
    name_parts(equations_.says_of_masses(), equations_.says_of_forces());
    write_motion();
    solve();
    out_.checks = check_states(system_, nominal_.motion.length(), out_.start);
    add_functions();
    if (options_.derivatives) add_derivatives();
    add_outputs();
    add_readings();
    check_functions();
    std::vector<const Program*> told;
    for (const ExportedFunction& function : out_.functions)
      if (function.name.find("_by_") == std::string::npos) told.push_back(&function.program);
    out_.derivation = derivation_of(trace_, told);
    find_margin();
    return std::move(out_);
  }
  /// What each function, and the plain scheme, cost before anything is simplified.
  void count_requests(ExportedModel& exported) {
    trace_.keep_repetitions();
    const core::Trace::Listening listening(trace_);
    write_motion();
    solve();
    add_functions();
    for (auto [name, of] : {std::pair{"outputs", outputs()}, std::pair{"readings", readings()}})
      if (!of.values.empty()) add_list(name, "", std::move(of.names), std::move(of.values));
    exported.plain_scheme = plain_scheme(trace_, parts_, gamma_);
    for (ExportedFunction& function : exported.functions)
      for (const ExportedFunction& same : out_.functions)
        if (same.name == function.name) function.requested = same.program.counts();
  }
  /// All that is written before anything is solved; accelerations are numbers from outside.
  std::vector<core::Trace::Node> write_kernels() {
    const core::Trace::Listening listening(trace_);
    if (equations_.independent_rows() != nominal_.equations->independent_rows())
      throw core::ModelError({.what = "other rows of its constraints are independent",
                              .where = "mechanism '" + mechanism_.name() + "'",
                              .expected = "the rows of the model",
                              .actual = "others",
                              .next = "Vary parameters together, or set them."});
    write_motion();
    for (size_t c = 0; c < state_.q.size(); ++c) a_.push_back(trace_.input());
    bodies_ = equations_.bodies(state_, a_);
    TracedVector values{energy(), parts_.constraint_error};
    for (const TracedVector& part : {parts_.Phi, parts_.f, gamma_, outputs().values, readings().values})
      values.insert(values.end(), part.begin(), part.end());
    for (const TracedMatrix* part : {&parts_.M, &parts_.J})
      values.insert(values.end(), part->data(), part->data() + part->size());
    for (const Traced& value : values) static_cast<void>(trace_.place(value));
    return trace_.nodes();
  }

 private:
  Traced add(std::vector<Column>& list, std::vector<double>& values, const std::string& name,
             const std::string& its_unit, double value) {
    list.push_back({name, its_unit});
    values.push_back(value);
    return trace_.input();
  }

  void name_arguments() {
    out_.title = mechanism_.name();
    out_.name = options_.name.empty() ? identifier(mechanism_.name()) : options_.name;
    out_.form = nominal_.equations->description();
    const auto& coordinates = system_.coordinates();
    const dynamics::DynamicModel& start_model = nominal_.motion.model();
    const dynamics::State start = state_of_bodies(start_model, system_, start_model.start(), 0.0);
    for (size_t c = 0; c < coordinates.size(); ++c)
      state_.q.push_back(
          add(out_.x, out_.start.x, coordinates[c].name, unit(coordinates[c].dimension), start.q[c]));
    for (size_t c = 0; c < coordinates.size(); ++c)
      state_.v.push_back(add(out_.x, out_.start.x, "d/dt " + coordinates[c].name,
                             unit(coordinates[c].dimension / core::kTime), start.v[c]));
    x_ = state_.q;
    x_.insert(x_.end(), state_.v.begin(), state_.v.end());
    const Traced t = add(out_.u, out_.start.u, "t", "s", 0.0);
    u_.push_back(t);
    trace_.set_time(t);
    for (size_t k = 0; k < options_.efforts.size(); ++k) {
      const model::Variable& along = *nominal_.motion.unknowns()[k].along;
      state_.efforts.push_back(add(out_.u, out_.start.u, "effort along " + options_.efforts[k],
                                   unit(core::effort_along(model::dimension(mechanism_, along))), 0.0));
    }
    u_.insert(u_.end(), state_.efforts.begin(), state_.efforts.end());
    name_driver_numbers();
    alpha_ = add(out_.p, out_.start.p, "alpha", "1/s", options_.alpha);
    beta_ = add(out_.p, out_.start.p, "beta", "1/s", options_.beta);
    p_ = {alpha_, beta_};
    for (const ExportedUnknown& one : options_.unknowns) {
      p_.push_back(add(out_.p, out_.start.p, one.column.name, one.column.unit, one.what.neutral()));
      state_.efforts.push_back(p_.back());
    }
    name_parameters();
  }

  /// Parameters of the mechanism, and the constants that they stand for from here on.
  void name_parameters() {
    if (marked_ == nullptr) return;
    TracedVector symbols;
    for (size_t k = 0; k < options_.parameters.symbols.size(); ++k) {
      const Column& symbol = options_.parameters.symbols[k];
      symbols.push_back(add(out_.p, out_.start.p, symbol.name, symbol.unit, options_.parameters.values[k]));
    }
    p_.insert(p_.end(), symbols.begin(), symbols.end());
    const TracedVector numbers = options_.parameters.trace(symbols);
    std::vector<std::pair<double, Traced>> known;
    // The turns that angles start in stay those of the model.
    for (size_t k = 0; k < model_.start_memory().angles.size(); ++k)
      known.emplace_back(model_.start_memory().angles[k], nominal_.motion.model().start_memory().angles[k]);
    for (size_t k = 0; k < numbers.size(); ++k) known.emplace_back(marked_->numbers[k], numbers[k]);
    for (const auto& [value, function] : marked_->constants)
      known.emplace_back(value, function.trace(numbers));
    for (const auto& [value, number] : known) trace_.replace_constant(value, number);
  }

  /// Numbers that come from outside for drivers that cannot be written down as functions of time.
  void name_driver_numbers() {
    const dynamics::DynamicModel& model = nominal_.motion.model();
    std::vector<coordinates::CoordinateValue> at_start(model.prescribed().size());
    model.evaluate_drivers_or_throw(0.0, at_start);
    for (size_t k = 0; k < mechanism_.drivers().size(); ++k) {
      const model::Driver& driver = mechanism_.drivers()[k];
      if (driver.level == model::DriverLevel::kPosition || driver.function.is_constant()) continue;
      const core::Dimension dimension = model::dimension(mechanism_, driver.target);
      const auto number = [&](const std::string& name, const core::Dimension& of, double value) {
        driver_numbers_.push_back(add(out_.u, out_.start.u, name, unit(of), value));
      };
      number(driver.name + ": " + model::name(mechanism_, driver.target), dimension, at_start[k].position);
      number(driver.name + ": its rate", dimension / core::kTime, at_start[k].velocity);
      number(driver.name + ": its acceleration", dimension / core::kTime / core::kTime,
             at_start[k].acceleration);
    }
    u_.insert(u_.end(), driver_numbers_.begin(), driver_numbers_.end());
  }

  /// Drivers as functions of time, or those numbers.
  void prescribe(const Traced& t) {
    std::vector<coordinates::CoordinateValue> at_start(model_.prescribed().size());
    model_.evaluate_drivers_or_throw(0.0, at_start);
    const core::Trace::Scope scope("Drivers");
    size_t next = 0;
    for (size_t k = 0; k < mechanism_.drivers().size(); ++k) {
      const model::Driver& driver = mechanism_.drivers()[k];
      if (driver.level == model::DriverLevel::kPosition) {
        const Jet value = driver.function.evaluate(Jet{{t, Traced(1.0)}, {Traced(1.0), Traced(0.0)}});
        push(value.value.value, value.value.derivative, value.derivative.derivative);
      } else if (driver.function.is_constant()) {
        const bool has_speed = driver.level == model::DriverLevel::kSpeed;
        const double a = has_speed ? 0.0 : driver.function.constant_value();
        push(driver.start.value_or(at_start[k].position) + t * (at_start[k].velocity + 0.5 * a * t),
             at_start[k].velocity + a * t, a);
      } else {
        push(driver_numbers_[next], driver_numbers_[next + 1], driver_numbers_[next + 2]);
        next += 3;
      }
      core::name(trace_, "s_" + driver.name, state_.drivers.position.back());
      core::name(trace_, "˙s_" + driver.name, state_.drivers.velocity.back());
      core::name(trace_, "¨s_" + driver.name, state_.drivers.acceleration.back());
    }
  }
  void push(const Traced& position, const Traced& velocity, const Traced& acceleration) {
    state_.drivers.position.push_back(position);
    state_.drivers.velocity.push_back(velocity);
    state_.drivers.acceleration.push_back(acceleration);
  }

  void write_motion() {
    name_arguments();
    prescribe(u_.front());
    parts_ = equations_.write(state_);
    gamma_ = parts_.gamma;
    for (size_t r = 0; r < gamma_.size(); ++r)
      gamma_[r] = gamma_[r] - 2.0 * (alpha_ * parts_.Phi_dot[r]) - beta_ * beta_ * parts_.Phi[r];  // (1)
    name_rows(equations_, parts_, gamma_);
    name_mass_and_forces(equations_, parts_);
  }
  void solve() {
    multipliers_ = {parts_.M, parts_.J, nominal_.equations->augmentation(),
                    dynamics::Elimination::kFewestFirst,
                    rows_that_add_mass(at_start(parts_.M), at_start(parts_.J))};
    const dynamics::TracedMultipliers::Solution solution = multipliers_.solve(gamma_, parts_.f);
    a_ = solution.a;
    lambda_ = solution.lambda;
    name_solution(multipliers_, solution);
    bodies_ = equations_.bodies(state_, a_);
    const core::Trace::Scope scope("Accelerations of bodies");
    dynamics::name_accelerations(mechanism_, bodies_);
    margin_ = smallest(margins());
  }

  /// Pivots of M by its diagonal; those of S = J M⁻¹ Jᵀ by the largest number that the diagonal has at the start in a row of the same unit:
  /// by its own, which vanishes with a row of J, a pivot would not tell of that.
  TracedVector margins() {
    TracedVector list = multipliers_.M.margins();
    const Eigen::VectorXd diagonal = (at_start(parts_.J) * at_start(multipliers_.Y)).diagonal();
    std::array<double, 2> largest{};
    const auto& rows = equations_.independent_rows();
    for (size_t r = 0; r < rows.size(); ++r) {
      double& of_unit = largest[system_.row_is_length(rows[r])];
      of_unit = std::max(of_unit, diagonal[static_cast<Eigen::Index>(r)]);
    }
    for (size_t k = 0; k < rows.size(); ++k)
      list.push_back(multipliers_.S.pivots()[k] *
                     (1.0 / largest[system_.row_is_length(rows[index(multipliers_.S.order()[k])])]));
    return list;
  }

  /// The numbers of a matrix where the model starts.
  Eigen::MatrixXd at_start(const TracedMatrix& matrix) {
    Eigen::MatrixXd out(matrix.rows(), matrix.cols());
    std::vector<double> inputs = out_.start.x;
    inputs.insert(inputs.end(), out_.start.u.begin(), out_.start.u.end());
    inputs.insert(inputs.end(), out_.start.p.begin(), out_.start.p.end());
    const TracedVector numbers(matrix.reshaped().begin(), matrix.reshaped().end());
    Program(trace_, numbers).evaluate(inputs, {out.data(), numbers.size()});
    return out;
  }

  /// ∂a/∂inputs from the factors of (1) that stand already: differentiated,
  ///   M a' + Jᵀ λ' = f' − M' a − J'ᵀ λ,   J a' = γ' − J' a                                                               (2)
  /// is a system with the same matrix.
  std::vector<KnownDerivative> accelerations_by(const TracedVector& inputs) {
    const auto n = static_cast<Eigen::Index>(a_.size()), m = static_cast<Eigen::Index>(gamma_.size());
    TracedVector values = parts_.f;
    values.insert(values.end(), gamma_.begin(), gamma_.end());
    for (Eigen::Index r = 0; r < n; ++r)
      for (Eigen::Index c = 0; c < n; ++c) values.push_back(parts_.M(r, c));
    for (Eigen::Index r = 0; r < m; ++r)
      for (Eigen::Index c = 0; c < n; ++c) values.push_back(parts_.J(r, c));
    std::vector<TracedVector> force(inputs.size(), TracedVector(index(n), Traced(0.0))),
        row(inputs.size(), TracedVector(index(m), Traced(0.0)));
    std::vector<char> matters(inputs.size(), 0);
    for (const Entry& entry : derivative(trace_, values, inputs)) {
      TracedVector &f = force[index(entry.column)], &gamma = row[index(entry.column)];
      matters[index(entry.column)] = 1;
      Eigen::Index k = entry.row;
      if (k < n) {
        f[index(k)] += entry.value;
      } else if ((k -= n) < m) {
        gamma[index(k)] += entry.value;
      } else if ((k -= m) < n * n) {
        f[index(k / n)] -= entry.value * a_[index(k % n)];
      } else {
        k -= n * n;
        f[index(k % n)] -= entry.value * lambda_[index(k / n)];
        gamma[index(k / n)] -= entry.value * a_[index(k % n)];
      }
    }
    std::vector<KnownDerivative> known;
    for (const Traced& a : a_) known.push_back({a, {}});
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (matters[k] == 0) continue;
      const TracedVector by_input = multipliers_.solve(row[k], force[k]).a;  // (2)
      for (size_t c = 0; c < by_input.size(); ++c)
        if (!(by_input[c] == Traced(0.0))) known[c].by_inputs.emplace_back(static_cast<int>(k), by_input[c]);
    }
    return known;
  }
  static std::vector<Entry> entries_of(const std::vector<KnownDerivative>& known) {
    std::vector<Entry> entries;
    for (size_t r = 0; r < known.size(); ++r)
      for (const auto& [input, value] : known[r].by_inputs)
        entries.push_back({static_cast<int>(r), input, value});
    return entries;
  }

  /// Steps need accelerations always.
  bool wants(const std::string& name) const {
    return options_.functions.empty() || name == "accelerations" ||
           std::ranges::find(options_.functions, name) != options_.functions.end();
  }
  void check_functions() const {
    for (const std::string& name : options_.functions)
      if (std::ranges::find(out_.functions, name, &ExportedFunction::name) == out_.functions.end())
        throw core::ModelError({.what = "this model has no such function",
                                .where = "mechanism '" + mechanism_.name() + "'",
                                .expected = core::joined(kFunctions) + " (readings: of models with sensors)",
                                .actual = core::quoted(name),
                                .next = "Ask for some of these with --functions, or for all without it."});
  }

  void add_list(std::string name, std::string says, std::vector<Column> numbers, TracedVector values) {
    if (values.empty() || !wants(name)) return;  // as rows of mechanisms without loops
    const bool solves = needs(values, a_);
    values.push_back(parts_.constraint_error);
    values.push_back(solves ? margin_ : Traced(1.0));
    out_.functions.push_back({.name = std::move(name),
                              .says = std::move(says),
                              .numbers = std::move(numbers),
                              .program = Program(trace_, values)});
  }
  /// Whether some numbers follow from some of others.
  bool needs(const TracedVector& values, const TracedVector& others) const {
    std::vector<char> is_needed(trace_.nodes().size(), 0);
    for (const Traced& value : values)
      if (!value.is_constant()) is_needed[index(value.node())] = 1;
    for (size_t i = is_needed.size(); i-- > 0;)
      if (is_needed[i])
        for (const int operand : operands(trace_.nodes()[i]))
          if (operand >= 0) is_needed[index(operand)] = 1;
    return std::ranges::any_of(
        others, [&](const Traced& x) { return !x.is_constant() && is_needed[index(x.node())] != 0; });
  }
  void add_matrix(std::string name, std::string says, int rows, int columns,
                  const std::vector<Entry>& entries) {
    if (entries.empty() || !wants(name)) return;  // nothing depends on anything, or nobody asks
    TracedVector values;
    ExportedFunction::Matrix matrix{.rows = rows, .columns = columns, .places = {}};
    std::vector<Column> numbers;
    for (const Entry& entry : entries) {
      values.push_back(entry.value);
      matrix.places.emplace_back(entry.row, entry.column);
      numbers.push_back({"(" + std::to_string(entry.row) + ", " + std::to_string(entry.column) + ")", ""});
    }
    add_list(std::move(name), std::move(says), std::move(numbers), std::move(values));
    out_.functions.back().matrix = std::move(matrix);
  }
  static std::vector<Entry> entries_of(const TracedMatrix& matrix) {
    std::vector<Entry> entries;
    for (Eigen::Index r = 0; r < matrix.rows(); ++r)
      for (Eigen::Index c = 0; c < matrix.cols(); ++c)
        if (!(matrix(r, c) == Traced(0.0)))
          entries.push_back({static_cast<int>(r), static_cast<int>(c), matrix(r, c)});
    return entries;
  }

  void add_functions() {
    const int n = static_cast<int>(state_.q.size()), m = static_cast<int>(parts_.Phi.size());
    std::vector<Column> rows, forces, accelerations;
    for (const int row : equations_.independent_rows())
      rows.push_back({describe_row(system_, row), system_.row_is_length(row) ? "m" : "1"});
    for (const coordinates::Coordinate& coordinate : system_.coordinates()) {
      forces.push_back({"along " + coordinate.name, unit(core::effort_along(coordinate.dimension))});
      accelerations.push_back(
          {"d2/dt2 " + coordinate.name, unit(coordinate.dimension / core::kTime / core::kTime)});
    }
    add_list("residual", "constraints Phi(q, t), one for each independent row", rows, parts_.Phi);
    add_matrix("jacobian", "dPhi/dq, constraints by coordinates", m, n, entries_of(parts_.J));
    add_list("gamma", "right-hand side of J a = gamma, stabilised by alpha and beta", rows, gamma_);
    add_matrix("mass", "mass matrix", n, n, entries_of(parts_.M));
    add_list("forces", "generalised forces, with what masses ask for when nothing accelerates", forces,
             parts_.f);
    add_list("accelerations", "accelerations of all coordinates", accelerations, a_);
    add_energy();
  }
  void add_derivatives() {
    const int n = static_cast<int>(state_.q.size());
    if (wants("accelerations_by_x") || wants("readings_by_x") || wants("outputs_by_x"))
      accelerations_by_x_ = accelerations_by(x_);
    add_matrix("accelerations_by_x", "derivatives of the accelerations by the state", n, 2 * n,
               entries_of(accelerations_by_x_));
    if (wants("accelerations_by_u"))
      add_matrix("accelerations_by_u", "derivatives of the accelerations by u", n,
                 static_cast<int>(u_.size()), entries_of(accelerations_by(u_)));
    if (wants("accelerations_by_p") || wants("readings_by_p")) accelerations_by_p_ = accelerations_by(p_);
    add_matrix("accelerations_by_p", "derivatives of the accelerations by p", n, static_cast<int>(p_.size()),
               entries_of(accelerations_by_p_));
  }

  Traced energy() const {
    EnergyFactors factors{TracedVector(mechanism_.bodies().size(), Traced(1.0)),
                          TracedVector(mechanism_.springs().size(), Traced(1.0))};
    for (size_t k = 0; k < state_.efforts.size(); ++k) {
      const dynamics::Unknown& unknown = nominal_.motion.unknowns()[k];
      if (unknown.kind == dynamics::Unknown::Kind::kMass)
        factors.bodies[index(unknown.index)] = state_.efforts[k];
      if (unknown.kind == dynamics::Unknown::Kind::kSpring)
        factors.springs[index(unknown.index)] = state_.efforts[k];
    }
    return traced_energy(model_, bodies_, factors);
  }
  void add_energy() {
    const std::vector<std::string> others = elements_without_potential(mechanism_);
    add_list("energy",
             "kinetic energy, and that of weights, springs and stops" +
                 (others.empty() ? std::string()
                                 : "; " + core::joined(others, ", ") + " have none and may change it"),
             {{"energy", "J"}}, {energy()});
  }

  /// Numbers with what they are.
  struct Named {
    std::vector<Column> names;
    TracedVector values;
  };
  Named outputs() {
    const bool is_asked = !options_.outputs.empty();
    Named out;
    auto& [names, values] = out;
    const auto add_output = [&](const std::string& name, const model::Variable& variable) {
      if (const auto column = system_.layout().column_of(variable)) {
        values.push_back(state_.q[index(*column)]);  // not wrapped
      } else {
        TracedVector value(1, Traced(0.0));
        const auto instrument = sensing::make_instrument(mechanism_, variable, model_.forces());
        instrument->read({0.0, bodies_, model_.start_memory()}, value);
        values.push_back(value[0] + instrument->channels()[0].origin);
      }
      names.push_back({name, model::unit(mechanism_, variable)});
      core::name(trace_, "y_" + name, values.back());
    };
    const core::Trace::Scope scope("Outputs");
    if (is_asked)
      for (const std::string& name : options_.outputs)
        add_output(name, model::find_variable(mechanism_, name));
    else
      for (const model::Variable& variable : mechanism_.outputs())
        if (is_readable(variable)) add_output(model::name(mechanism_, variable), variable);
    return out;
  }
  void add_outputs() {
    const auto [names, values] = outputs();
    if (values.empty()) return;
    add_list("outputs", "outputs of the model", names, values);
    if (!options_.derivatives || !wants("outputs_by_x")) return;
    add_matrix("outputs_by_x", "derivatives of the outputs by the state", static_cast<int>(values.size()),
               static_cast<int>(x_.size()), derivative(trace_, values, x_, accelerations_by_x_));
  }
  static bool is_readable(const model::Variable& variable) {
    using Kind = model::VariableKind;
    return variable.kind != Kind::kJointForce && variable.kind != Kind::kJointMoment &&
           variable.kind != Kind::kDriverEffort;
  }

  Named readings() {
    Named out;
    auto& [names, values] = out;
    const core::Trace::Scope scope("Sensors");
    for (const model::Sensor& sensor : mechanism_.sensors()) {
      const auto instrument = sensing::make_instrument(mechanism_, sensor, model_.forces());
      TracedVector readings(instrument->channels().size(), Traced(0.0));
      instrument->read({0.0, bodies_, model_.start_memory()}, readings);
      for (size_t k = 0; k < readings.size(); ++k) {
        const sensing::Channel& channel = instrument->channels()[k];
        names.push_back({channel.name, unit(channel.dimension)});
        values.push_back(readings[k] + channel.origin);
        core::name(trace_, "y_" + channel.name, values.back());
      }
    }
    return out;
  }
  void add_readings() {
    const auto [names, values] = readings();
    if (values.empty()) return;
    add_list("readings", "what the sensors would read without errors", names, values);
    if (!options_.derivatives) return;
    if (wants("readings_by_x"))
      add_matrix("readings_by_x", "derivatives of the readings by the state", static_cast<int>(values.size()),
                 static_cast<int>(x_.size()), derivative(trace_, values, x_, accelerations_by_x_));
    if (wants("readings_by_p"))
      add_matrix("readings_by_p", "derivatives of the readings by p", static_cast<int>(values.size()),
                 static_cast<int>(p_.size()), derivative(trace_, values, p_, accelerations_by_p_));
  }

  void find_margin() {
    for (const ExportedFunction& function : out_.functions) {
      if (function.name != "accelerations") continue;
      for (const CheckState& state : out_.checks) {
        const double margin = ExportedModel::evaluate(function, state).back();
        if (!(margin >= out_.smallest_margin)) out_.smallest_margin = margin;
      }
    }
    if (out_.smallest_margin > kSafeMargin) return;
    throw core::ModelError(
        {.what = "no order of elimination is safe here",
         .where = "mechanism '" + mechanism_.name() + "'",
         .expected = "pivots above " + core::number_text(kSafeMargin) + " of their diagonal",
         .actual = core::rounded_text(out_.smallest_margin) + " near the start",
         .next = "Start away from singular positions, or add mass where there is none."});
  }

  const WrittenModel& nominal_;
  const MarkedModel* marked_;
  const dynamics::DynamicModel& model_;  ///< as it is written
  const model::Mechanism& mechanism_;
  const MotionExportOptions& options_;
  const TracedEquations& equations_;
  const coordinates::ConstraintSystem& system_;
  core::Trace trace_;
  ExportedModel out_;
  TracedVector x_, u_, p_, driver_numbers_;
  TracedState state_;
  Traced alpha_, beta_;
  TracedParts parts_;
  dynamics::TracedMultipliers multipliers_;
  TracedVector gamma_, a_, lambda_;
  std::vector<KnownDerivative> accelerations_by_x_, accelerations_by_p_;
  coordinates::MechanismMotionOf<Traced> bodies_;
  Traced margin_;
};

}  // namespace

ExportedModel export_motion(const dynamics::DynamicModel& model, const MotionExportOptions& options) {
  const WrittenModel nominal(model, options);
  const auto exported = [&](const WrittenModel& written, const MarkedModel* marked) {
    ExportedModel out = MotionExport(nominal, written, marked, options).make();
    MotionExport(nominal, written, marked, options).count_requests(out);
    return out;
  };
  if (options.parameters.symbols.empty()) return exported(nominal, nullptr);
  const MarkedModel marked = mark_model(model, options.parameters, [&](const MarkedModel& sample) {
    return MotionExport(nominal, WrittenModel(sample.model, options, nominal.motion.length()), &sample,
                        options)
        .write_kernels();
  });
  return exported(WrittenModel(marked.model, options, nominal.motion.length()), &marked);
}

}  // namespace eslabon::codegen
