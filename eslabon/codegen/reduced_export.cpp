#include "eslabon/codegen/reduced_export.hpp"

#include <memory>

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/export_writer.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/relative_kinematics.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::codegen {

using core::Column;
using core::index;
using core::si_unit;
using core::Traced;
using dynamics::TracedVector;
using std::size_t;

namespace {

class ReducedExport {
 public:
  ReducedExport(const dynamics::DynamicModel& model, const MotionExportOptions& options)
      : motion_(model, efforts_from_outside(model.mechanism(), options),
                dynamics::ReducedMotion::Use::kEquations),
        kinematics_(has_freedoms(motion_)),
        writer_(model, options, kinematics_.description()) {}

  ExportedModel make() {
    name_arguments();
    at_ = kinematics_.write(freedoms_);
    equations_ = std::make_unique<ReducedEquations>(motion_, at_, theta_);
    closed_ = {at_.closure_error, at_.margin};
    solved_ = {at_.closure_error, equations_->margin()};
    add_functions();
    writer_.model().checks = check_freedoms(coordinates_, motion_.length(), writer_.model());
    return writer_.finish("accelerations");
  }

 private:
  static dynamics::ReducedMotion& has_freedoms(dynamics::ReducedMotion& motion) {
    if (motion.num_freedoms() == 0)
      throw core::ModelError({.what = "no equation of motion is left",
                              .where = "mechanism '" + motion.model().mechanism().name() + "'",
                              .expected = "a degree of freedom that no driver prescribes",
                              .actual = "drivers that prescribe every motion",
                              .next = "Release a driver, or ask for the form 'kinematics'."});
    return motion;
  }

  void name_arguments() {
    coordinates_ = kinematics_.freedoms();
    const FreedomValues start = kinematics_.start();
    for (size_t k = 0; k < coordinates_.size(); ++k)
      freedoms_.z.push_back(
          writer_.add_x(coordinates_[k].name, si_unit(coordinates_[k].dimension), start.z[k]));
    for (size_t k = 0; k < coordinates_.size(); ++k)
      freedoms_.z_dot.push_back(writer_.add_x(
          "d/dt " + coordinates_[k].name, si_unit(coordinates_[k].dimension / core::kTime), start.z_dot[k]));
    moving_ = writer_.x();
    memory_ = kinematics_.position_names();
    for (size_t k = 0; k < memory_.size(); ++k)
      freedoms_.near.push_back(
          writer_.add_x(memory_[k].name + ", as found last", memory_[k].unit, start.positions[k]));
    const std::vector<Column> branches = kinematics_.branch_names();
    for (size_t k = 0; k < branches.size(); ++k)
      freedoms_.branches.push_back(writer_.add_x(branches[k].name, branches[k].unit, start.branches[k]));
    memory_.insert(memory_.end(), branches.begin(), branches.end());
    writer_.model().num_memory = memory_.size();
    writer_.add_time();
    theta_ = writer_.add_efforts();
    freedoms_.drivers = writer_.add_drivers();
  }

  void add_functions() {
    const int f = static_cast<int>(coordinates_.size());
    std::vector<Column> accelerations, forces;
    for (const coordinates::Coordinate& z : coordinates_) {
      forces.push_back({"along " + z.name, si_unit(core::effort_along(z.dimension))});
      accelerations.push_back({"d2/dt2 " + z.name, si_unit(z.dimension / core::kTime / core::kTime)});
    }
    TracedVector memory = at_.positions;
    memory.insert(memory.end(), freedoms_.branches.begin(), freedoms_.branches.end());
    writer_.add_list("positions", "where the dependent coordinates are found: the end of x in the next call",
                     memory_, memory, closed_);
    writer_.add_matrix("mass", "mass matrix of the degrees of freedom", f, f, entries_of(equations_->mass()),
                       closed_);
    writer_.add_list("forces", "generalised forces, with what masses ask for when z does not accelerate",
                     forces, equations_->force(), closed_);
    writer_.add_list("accelerations", "accelerations of the degrees of freedom", accelerations,
                     equations_->z_ddot(), solved_);
    const Derivatives by_x = derivatives(moving_), by_u = derivatives(writer_.u());
    writer_.add_matrix("accelerations_by_x", "derivatives of the accelerations by z and its rates", f, 2 * f,
                       entries_of(by_x.z_ddot), solved_);
    writer_.add_matrix("accelerations_by_u", "derivatives of the accelerations by u", f,
                       static_cast<int>(writer_.u().size()), entries_of(by_u.z_ddot), solved_);
    add_shown(by_x.all);
  }

  void add_shown(const std::vector<KnownDerivative>& known) {
    const ExportWriter::Shown outputs =
        writer_.outputs(equations_->bodies(), [&](const model::Variable& variable) -> std::optional<Traced> {
          const auto column = motion_.system().layout().column_of(variable);
          for (size_t k = 0; column && k < freedoms_.z.size(); ++k)
            if (motion_.chosen()[k] == *column) return freedoms_.z[k];
          return std::nullopt;
        });
    const ExportWriter::Shown readings = writer_.readings(equations_->bodies());
    writer_.add_list("outputs", "outputs of the model", outputs.names, outputs.values, solved_);
    writer_.add_list("readings", "what the sensors would read without errors", readings.names,
                     readings.values, solved_);
    writer_.add_matrix("readings_by_x", "derivatives of the readings by z and its rates",
                       static_cast<int>(readings.values.size()), static_cast<int>(moving_.size()),
                       derivative(writer_.trace(), readings.values, {}, known), solved_);
  }

  /// Of z̈ by some arguments, and of all that is known with them.
  struct Derivatives {
    std::vector<KnownDerivative> z_ddot, all;
  };
  Derivatives derivatives(const TracedVector& inputs) {
    Derivatives out;
    out.all = known_positions(writer_.trace(), freedoms_, at_, by_themselves(inputs));
    out.z_ddot = equations_->differentiate(writer_.trace(), out.all);
    out.all.insert(out.all.end(), out.z_ddot.begin(), out.z_ddot.end());
    return out;
  }

  dynamics::ReducedMotion motion_;
  RelativeKinematics kinematics_;
  ExportWriter writer_;
  std::vector<coordinates::Coordinate> coordinates_;  ///< (f)
  std::vector<Column> memory_;
  TracedFreedoms freedoms_;
  TracedVector theta_, moving_;  ///< moving: z and ż
  TracedBodies at_;
  std::unique_ptr<ReducedEquations> equations_;
  ExportWriter::Told closed_, solved_;
};

}  // namespace

ExportedModel export_reduced(const dynamics::DynamicModel& model, const MotionExportOptions& options) {
  return ReducedExport(model, options).make();
}

}  // namespace eslabon::codegen
