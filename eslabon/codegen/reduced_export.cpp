#include "eslabon/codegen/reduced_export.hpp"

#include <memory>

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/closed_groups.hpp"
#include "eslabon/codegen/estimator_step.hpp"
#include "eslabon/codegen/freedom_arguments.hpp"
#include "eslabon/codegen/reduced_derivation.hpp"
#include "eslabon/codegen/relative_kinematics.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

namespace eslabon::codegen {

using core::Column;
using core::si_unit;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using std::size_t;

namespace {

constexpr double kEstimatorStep = 1e-3;  // [s] at which the check tries it

std::unique_ptr<TracedKinematics> with_freedoms(std::unique_ptr<TracedKinematics> kinematics,
                                                const model::Mechanism& mechanism) {
  if (kinematics->freedoms().empty())
    throw core::ModelError({.what = "no equation of motion is left",
                            .where = "mechanism '" + mechanism.name() + "'",
                            .expected = "a degree of freedom that no driver prescribes",
                            .actual = "drivers that prescribe every motion",
                            .next = "Release a driver, or ask for the form 'kinematics'."});
  return kinematics;
}

/// What the equations are written from. Structural groups are in closed form where all have one; otherwise there are Newton steps in
/// relative coordinates, which are those of filters.
struct ReducedModel {
  ReducedModel(const dynamics::DynamicModel& model, const MotionExportOptions& options)
      : forces(model, unknowns_from_outside(model.mechanism(), options)) {
    if (options.closed_forms && !options.rule) {
      try {
        kinematics = make_closed_groups(model);
      } catch (const dynamics::NoArrangement&) {  // not every degree of freedom is an input of a group
      }
    }
    if (!kinematics) {
      make_motion();
      auto steps = std::make_unique<RelativeKinematics>(*motion);
      planned = steps.get();
      kinematics = std::move(steps);
    }
    kinematics = with_freedoms(std::move(kinematics), model.mechanism());
  }
  /// Groups, or Newton steps, as `nominal` has them.
  ReducedModel(const dynamics::DynamicModel& model, const MotionExportOptions& options,
               const ReducedModel& nominal)
      : forces(model, unknowns_from_outside(model.mechanism(), options)) {
    if (nominal.planned == nullptr) {
      kinematics = make_closed_groups(model);
      return;
    }
    make_motion();
    check_rows(model.mechanism(), motion->independent_rows(), nominal.motion->independent_rows());
    kinematics = std::make_unique<RelativeKinematics>(*nominal.planned, *motion);
  }

  MotionForces forces;
  std::unique_ptr<dynamics::ReducedMotion> motion;  ///< where positions are found by Newton steps
  std::unique_ptr<TracedKinematics> kinematics;
  const RelativeKinematics* planned = nullptr;  ///< the same where there are Newton steps

 private:
  void make_motion() {
    motion = std::make_unique<dynamics::ReducedMotion>(forces.model(), forces.unknowns(),
                                                       dynamics::ReducedMotion::Use::kEquations);
  }
};

class ReducedExport {
 public:
  ReducedExport(const ReducedModel& nominal, const ReducedModel& written, const MarkedModel* marked,
                const MotionExportOptions& options)
      : options_(options),
        nominal_(nominal.forces.model()),
        marked_(marked),
        forces_(written.forces),
        motion_(written.motion.get()),
        kinematics_(*written.kinematics),
        writer_(nominal_, forces_.model(), options, nominal.kinematics->description()),
        arguments_(writer_, *nominal.kinematics) {}

  ExportedModel make() {
    const std::vector<BodySection> sections = kinematics_.sections();
    if (!sections.empty()) {
      writer_.trace().keep_names();
      name_reduced_parts(sections);
    }
    write_motion();
    add_equations();
    for (const auto& [name, inputs] :
         {std::pair{"x", arguments_.moving}, {"u", writer_.u()}, {"p", writer_.p()}})
      add_derivatives(name, inputs);
    if (options_.rule) add_step();
    const double length = coordinates::length_scale(nominal_.mechanism());
    writer_.model().closed_length = length;
    writer_.model().checks = check_freedoms(arguments_.coordinates, length, writer_.model());
    if (options_.rule)
      for (CheckState& state : writer_.model().checks) state.u.back() = kEstimatorStep;
    return writer_.finish("accelerations");
  }
  /// All but derivatives and the step, which are the same at other times.
  std::vector<core::Trace::Node> write_kernels() {
    write_motion();
    writer_.place(equations_->z_ddot());
    writer_.place({solved_.constraint_error, solved_.margin});
    writer_.place(outputs().values);
    writer_.place(writer_.readings(equations_->bodies()).values);
    return writer_.trace().nodes();
  }

 private:
  void write_motion() {
    const model::Mechanism& mechanism = forces_.model().mechanism();
    name_inputs();
    at_ = kinematics_.write(arguments_.freedoms);
    name_bodies(mechanism, kinematics_.sections(), at_);
    equations_ = std::make_unique<ReducedEquations>(forces_, at_, theta_);
    name_reduced_solution(*equations_);
    {
      const core::Trace::Scope scope("Accelerations of bodies");
      dynamics::name_accelerations(mechanism, equations_->bodies());
    }
    closed_ = {at_.closure_error, at_.margin};
    solved_ = {at_.closure_error, equations_->margin()};
  }

  void name_inputs() {
    t_ = writer_.add_time();
    theta_ = writer_.add_efforts();
    writer_.add_driver_numbers();
    if (options_.rule) h_ = writer_.add_u("step of the estimator", "s", kEstimatorStep);
    const TracedVector unknowns = writer_.add_unknowns();
    theta_.insert(theta_.end(), unknowns.begin(), unknowns.end());
    arguments_.freedoms.parameters = writer_.add_parameters(marked_);
    arguments_.freedoms.drivers = writer_.drivers_at(t_);
  }

  void add_equations() {
    const int f = arguments_.num_freedoms();
    writer_.add_list("positions", "where dependent coordinates are found: the end of x in the next call",
                     arguments_.memory, arguments_.remembered(at_), closed_);
    writer_.add_matrix("mass", "mass matrix of the degrees of freedom", f, f, entries_of(equations_->mass()),
                       closed_);
    writer_.add_list("forces", "generalised forces, with what masses ask for when z does not accelerate",
                     force_columns(arguments_.coordinates), equations_->force(), closed_);
    writer_.add_list("accelerations", "accelerations of the degrees of freedom",
                     acceleration_columns(arguments_.coordinates), equations_->z_ddot(), solved_);
    writer_.add_state_rates(equations_->bodies(), solved_);
    const ExportWriter::Shown shown = outputs();
    writer_.add_list("outputs", "outputs of the model", shown.names, shown.values, solved_);
    readings_ = writer_.readings(equations_->bodies());
    writer_.add_list("readings", "what the sensors would read without errors", readings_.names,
                     readings_.values, solved_);
  }

  ExportWriter::Shown outputs() {
    return writer_.outputs(equations_->bodies(),
                           [&](const model::Variable& variable) -> std::optional<Traced> {
                             const std::string name = model::name(nominal_.mechanism(), variable);
                             for (size_t k = 0; k < arguments_.coordinates.size(); ++k)
                               if (arguments_.coordinates[k].name == name) return arguments_.freedoms.z[k];
                             return std::nullopt;
                           });
  }

  /// Of z̈ and the readings by some arguments, which have this name.
  void add_derivatives(const std::string& name, const TracedVector& inputs) {
    const std::string by = name == "x" ? "by z and its rates" : "by " + name;
    const int columns = static_cast<int>(inputs.size());
    std::vector<KnownDerivative> known =
        known_positions(writer_.trace(), arguments_.freedoms, at_, by_themselves(inputs));
    const std::vector<KnownDerivative> z_ddot = equations_->differentiate(writer_.trace(), known);
    writer_.add_matrix("accelerations_by_" + name, "derivatives of the accelerations " + by,
                       arguments_.num_freedoms(), columns, entries_of(z_ddot), solved_);
    known.insert(known.end(), z_ddot.begin(), z_ddot.end());
    if (name != "u")
      writer_.add_matrix("readings_by_" + name, "derivatives of the readings " + by,
                         static_cast<int>(readings_.values.size()), columns,
                         derivative(writer_.trace(), readings_.values, {}, known), solved_);
  }

  void add_step() {
    const EstimatorStep step =
        write_step(*options_.rule, t_, h_, *motion_, kinematics_, arguments_.freedoms, theta_, writer_.p(),
                   [&](const Traced& t) { return writer_.drivers_at(t); });
    const ExportWriter::Told told{step.closure_error, step.margin};
    TracedVector after = step.z;
    for (const TracedVector& more : {step.z_dot, step.positions, arguments_.freedoms.branches})
      after.insert(after.end(), more.begin(), more.end());
    const std::string rule(estimation::name(*options_.rule));
    writer_.add_list("estimator_step", "x after a step of the estimator by the rule " + rule,
                     writer_.model().x, after, told);
    const Eigen::Index n = step.F.rows(), p = step.F.cols() - n;
    writer_.add_matrix(
        "estimator_step_by_x", "F: derivatives of z and its rates after the step by those before",
        static_cast<int>(n), static_cast<int>(n), entries_of(TracedMatrix(step.F.leftCols(n))), told);
    writer_.add_matrix("estimator_step_by_p", "derivatives of z and its rates after the step by p",
                       static_cast<int>(n), static_cast<int>(p),
                       entries_of(TracedMatrix(step.F.rightCols(p))), told);
  }

  const MotionExportOptions& options_;
  const dynamics::DynamicModel& nominal_;
  const MarkedModel* marked_;
  const MotionForces& forces_;             ///< as they are written
  const dynamics::ReducedMotion* motion_;  ///< where positions are found by Newton steps
  const TracedKinematics& kinematics_;
  ExportWriter writer_;
  FreedomArguments arguments_;
  Traced t_, h_;
  TracedVector theta_;  ///< efforts, then unknowns
  TracedBodies at_;
  std::unique_ptr<ReducedEquations> equations_;
  ExportWriter::Shown readings_;
  ExportWriter::Told closed_, solved_;
};

}  // namespace

ExportedModel export_reduced(const dynamics::DynamicModel& model, const MotionExportOptions& options) {
  if (options.rule && !model.mechanism().states().empty())
    throw core::ModelError(
        {.what = "the step of an estimator is not written down with auxiliary states",
         .where = "state '" + model.mechanism().states().front().name + "'",
         .expected = "a mechanism without them",
         .actual = "a state that the step would have to integrate",
         .next = "Export the equations alone: 'state_rates' gives the rates; or take 'estimate'."});
  return export_with_parameters<ReducedExport, ReducedModel>(model, options);
}

}  // namespace eslabon::codegen
