#include "eslabon/codegen/motion_export.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/export_writer.hpp"
#include "eslabon/codegen/graph/derivative.hpp"
#include "eslabon/codegen/plain_scheme.hpp"
#include "eslabon/codegen/regular_multipliers.hpp"
#include "eslabon/codegen/traced_energy.hpp"
#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"

namespace eslabon::codegen {

namespace {

using core::Column;
using core::index;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using std::size_t;

/// What the equations of a model are written from. `length`: size of the mechanism, or of that which this one is a variant of.
struct WrittenModel {
  WrittenModel(const dynamics::DynamicModel& model, const MotionExportOptions& options,
               std::optional<double> length = std::nullopt)
      : motion(model, unknowns_from_outside(model.mechanism(), options),
               dynamics::ReducedMotion::Use::kEquations) {
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
        system_(nominal.equations->system()),
        writer_(nominal.motion.model(), model_, options, nominal.equations->description()),
        trace_(writer_.trace()) {}

  ExportedModel make() {
    trace_.keep_names();
    name_parts(equations_.says_of_masses(), equations_.says_of_forces());
    write_motion();
    solve();
    ExportedModel& out = writer_.model();
    out.pivots_by = "diagonal";
    out.checks = check_states(system_, nominal_.motion.length(), out.start);
    add_functions();
    if (options_.derivatives) add_derivatives();
    writer_.add_state_rates(bodies_, {parts_.constraint_error, Traced(1.0)});
    add_outputs();
    add_readings();
    return writer_.finish("accelerations");
  }
  /// What each function, and the plain scheme, cost before anything is simplified.
  void count_requests(ExportedModel& exported) {
    trace_.keep_repetitions();
    write_motion();
    solve();
    add_functions();
    add("outputs", "", outputs());
    add("readings", "", writer_.readings(bodies_));
    exported.plain_scheme = plain_scheme(trace_, parts_, gamma_);
    for (ExportedFunction& function : exported.functions)
      for (const ExportedFunction& same : writer_.model().functions)
        if (same.name == function.name) function.requested = same.program.counts();
  }
  /// All that is written before anything is solved; accelerations are numbers from outside.
  std::vector<core::Trace::Node> write_kernels() {
    check_rows(mechanism_, equations_.independent_rows(), nominal_.equations->independent_rows());
    write_motion();
    TracedVector a;
    for (size_t c = 0; c < state_.q.size(); ++c) a.push_back(trace_.input());
    bodies_ = equations_.bodies(state_, a);
    TracedVector values{energy(), parts_.constraint_error};
    for (const TracedVector& part :
         {parts_.Phi, parts_.f, gamma_, outputs().values, writer_.readings(bodies_).values})
      values.insert(values.end(), part.begin(), part.end());
    for (const TracedMatrix* part : {&parts_.M, &parts_.J})
      values.insert(values.end(), part->data(), part->data() + part->size());
    writer_.place(values);
    return trace_.nodes();
  }

 private:
  void name_arguments() {
    ExportWriter::State state = writer_.add_state(system_);
    state_.q = std::move(state.q);
    state_.v = std::move(state.v);
    writer_.add_time();
    state_.efforts = writer_.add_efforts();
    writer_.add_driver_numbers();
    alpha_ = writer_.add_p("alpha", "1/s", options_.alpha);
    beta_ = writer_.add_p("beta", "1/s", options_.beta);
    const TracedVector unknowns = writer_.add_unknowns();
    state_.efforts.insert(state_.efforts.end(), unknowns.begin(), unknowns.end());
    writer_.add_parameters(marked_);
  }

  void write_motion() {
    name_arguments();
    state_.drivers = writer_.drivers_at(*trace_.time());
    parts_ = equations_.write(state_);
    gamma_ = parts_.gamma;
    for (size_t r = 0; r < gamma_.size(); ++r)
      gamma_[r] = gamma_[r] - 2.0 * (alpha_ * parts_.Phi_dot[r]) - beta_ * beta_ * parts_.Phi[r];  // (1)
    name_rows(equations_, parts_, gamma_);
    name_mass_and_forces(equations_, parts_);
  }
  void solve() {
    multipliers_ = regular_multipliers(*nominal_.equations, parts_,
                                       [&](const TracedMatrix& matrix) { return writer_.at_start(matrix); });
    solution_ = multipliers_.factors.solve(gamma_, parts_.f);
    name_solution(multipliers_.factors, solution_);
    bodies_ = equations_.bodies(state_, solution_.a);
    const core::Trace::Scope scope("Accelerations of bodies");
    dynamics::name_accelerations(mechanism_, bodies_);
  }

  /// Of functions: the pivots where something was solved for them.
  ExportWriter::Told told(const TracedVector& values) const {
    return {parts_.constraint_error, needs(values, solution_.a) ? multipliers_.margin : Traced(1.0)};
  }
  void add(const std::string& name, const std::string& says, const ExportWriter::Shown& shown) {
    writer_.add_list(name, says, shown.names, shown.values, told(shown.values));
  }
  void add(const std::string& name, const std::string& says, int rows, const TracedVector& columns,
           const std::vector<Entry>& entries) {
    TracedVector values;
    for (const Entry& entry : entries) values.push_back(entry.value);
    writer_.add_matrix(name, says, rows, static_cast<int>(columns.size()), entries, told(values));
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

  int num_coordinates() const { return static_cast<int>(state_.q.size()); }
  void add_functions() {
    const std::vector<Column> rows = row_columns(system_, equations_.independent_rows());
    add("residual", "constraints Phi(q, t), one for each independent row", {rows, parts_.Phi});
    add("jacobian", "dPhi/dq, constraints by coordinates", static_cast<int>(rows.size()), state_.q,
        entries_of(parts_.J));
    add("gamma", "right-hand side of J a = gamma, stabilised by alpha and beta", {rows, gamma_});
    add("mass", "mass matrix", num_coordinates(), state_.q, entries_of(parts_.M));
    add("forces", "generalised forces, with what masses ask for when nothing accelerates",
        {force_columns(system_.coordinates()), parts_.f});
    add("accelerations", "accelerations of all coordinates",
        {acceleration_columns(system_.coordinates()), solution_.a});
    add_energy();
  }
  void add_derivatives() {
    const auto by = [&](const TracedVector& inputs, std::initializer_list<const char*> functions) {
      const auto wanted =
          std::ranges::count_if(functions, [&](const char* name) { return writer_.wants(name); });
      if (wanted == 0) return std::vector<KnownDerivative>();
      return differentiate_multipliers(trace_, parts_, gamma_, multipliers_.factors, solution_, inputs);
    };
    by_x_ = by(writer_.x(), {"accelerations_by_x", "readings_by_x", "outputs_by_x"});
    by_p_ = by(writer_.p(), {"accelerations_by_p", "readings_by_p"});
    add("accelerations_by_x", "derivatives of the accelerations by the state", num_coordinates(), writer_.x(),
        entries_of(by_x_));
    add("accelerations_by_u", "derivatives of the accelerations by u", num_coordinates(), writer_.u(),
        entries_of(by(writer_.u(), {"accelerations_by_u"})));
    add("accelerations_by_p", "derivatives of the accelerations by p", num_coordinates(), writer_.p(),
        entries_of(by_p_));
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
    add("energy",
        "kinetic energy, and that of weights, springs and stops" +
            (others.empty() ? std::string()
                            : "; " + core::joined(others, ", ") + " have none and may change it"),
        {{{"energy", "J"}}, {energy()}});
  }

  ExportWriter::Shown outputs() { return writer_.outputs(bodies_, among_coordinates(system_, state_.q)); }
  void add_outputs() {
    const ExportWriter::Shown shown = outputs();
    add("outputs", "outputs of the model", shown);
    if (!options_.derivatives || !writer_.wants("outputs_by_x")) return;
    add("outputs_by_x", "derivatives of the outputs by the state", static_cast<int>(shown.values.size()),
        writer_.x(), derivative(trace_, shown.values, writer_.x(), by_x_));
  }
  void add_readings() {
    const ExportWriter::Shown shown = writer_.readings(bodies_);
    add("readings", "what the sensors would read without errors", shown);
    if (!options_.derivatives) return;
    const auto add_by = [&](const std::string& name, const std::string& says, const TracedVector& inputs,
                            const std::vector<KnownDerivative>& known) {
      if (writer_.wants(name))
        add(name, "derivatives of the readings by " + says, static_cast<int>(shown.values.size()), inputs,
            derivative(trace_, shown.values, inputs, known));
    };
    add_by("readings_by_x", "the state", writer_.x(), by_x_);
    add_by("readings_by_p", "p", writer_.p(), by_p_);
  }

  const WrittenModel& nominal_;
  const MarkedModel* marked_;
  const dynamics::DynamicModel& model_;  ///< as it is written
  const model::Mechanism& mechanism_;
  const MotionExportOptions& options_;
  const TracedEquations& equations_;
  const coordinates::ConstraintSystem& system_;
  ExportWriter writer_;
  core::Trace& trace_;
  TracedState state_;
  Traced alpha_, beta_;
  TracedParts parts_;
  TracedVector gamma_;
  RegularMultipliers multipliers_;
  dynamics::TracedMultipliers::Solution solution_;
  std::vector<KnownDerivative> by_x_, by_p_;  ///< of a
  coordinates::MechanismMotionOf<Traced> bodies_;
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
