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

class ReducedExport {
 public:
  ReducedExport(const dynamics::DynamicModel& model, const MotionExportOptions& options)
      : options_(options),
        forces_(model, unknowns_from_outside(model.mechanism(), options)),
        kinematics_(with_freedoms(make_kinematics(), model.mechanism())),
        writer_(model, options, kinematics_->description()),
        arguments_(writer_, *kinematics_) {}

  ExportedModel make() {
    const std::vector<BodySection> sections = kinematics_->sections();
    if (!sections.empty()) {
      writer_.trace().keep_names();
      name_reduced_parts(sections);
    }
    name_inputs();
    at_ = kinematics_->write(arguments_.freedoms);
    name_bodies(forces_.model().mechanism(), sections, at_);
    equations_ = std::make_unique<ReducedEquations>(forces_, at_, theta_);
    name_reduced_solution(*equations_);
    {
      const core::Trace::Scope scope("Accelerations of bodies");
      dynamics::name_accelerations(forces_.model().mechanism(), equations_->bodies());
    }
    closed_ = {at_.closure_error, at_.margin};
    solved_ = {at_.closure_error, equations_->margin()};
    add_equations();
    for (const auto& [name, inputs] :
         {std::pair{"x", arguments_.moving}, {"u", writer_.u()}, {"p", writer_.p()}})
      add_derivatives(name, inputs);
    if (options_.rule) add_step();
    const double length = coordinates::length_scale(forces_.model().mechanism());
    writer_.model().closed_length = length;
    writer_.model().checks = check_freedoms(arguments_.coordinates, length, writer_.model());
    if (options_.rule)
      for (CheckState& state : writer_.model().checks) state.u.back() = kEstimatorStep;
    return writer_.finish("accelerations");
  }

 private:
  /// Structural groups in closed form where all have one; otherwise Newton steps in relative coordinates, which are those of filters.
  std::unique_ptr<TracedKinematics> make_kinematics() {
    if (options_.closed_forms && !options_.rule) {
      try {
        if (auto groups = make_closed_groups(forces_.model())) return groups;
      } catch (const dynamics::NoArrangement&) {  // not every degree of freedom is an input of a group
      }
    }
    motion_ = std::make_unique<dynamics::ReducedMotion>(forces_.model(), forces_.unknowns(),
                                                        dynamics::ReducedMotion::Use::kEquations);
    return std::make_unique<RelativeKinematics>(*motion_);
  }

  void name_inputs() {
    t_ = writer_.add_time();
    theta_ = writer_.add_efforts();
    arguments_.freedoms.drivers = writer_.add_drivers();
    if (options_.rule) h_ = writer_.add_u("step of the estimator", "s", kEstimatorStep);
    const TracedVector unknowns = writer_.add_unknowns();
    theta_.insert(theta_.end(), unknowns.begin(), unknowns.end());
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
    const ExportWriter::Shown outputs =
        writer_.outputs(equations_->bodies(), [&](const model::Variable& variable) -> std::optional<Traced> {
          const std::string name = model::name(forces_.model().mechanism(), variable);
          for (size_t k = 0; k < arguments_.coordinates.size(); ++k)
            if (arguments_.coordinates[k].name == name) return arguments_.freedoms.z[k];
          return std::nullopt;
        });
    writer_.add_list("outputs", "outputs of the model", outputs.names, outputs.values, solved_);
    readings_ = writer_.readings(equations_->bodies());
    writer_.add_list("readings", "what the sensors would read without errors", readings_.names,
                     readings_.values, solved_);
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
        write_step(*options_.rule, t_, h_, *motion_, *kinematics_, arguments_.freedoms, theta_,
                   options_.efforts.size(), [&](const Traced& t) { return writer_.drivers_at(t); });
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
  MotionForces forces_;
  std::unique_ptr<dynamics::ReducedMotion> motion_;  ///< where positions are found by Newton steps
  std::unique_ptr<TracedKinematics> kinematics_;
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
  return ReducedExport(model, options).make();
}

}  // namespace eslabon::codegen
