#include "eslabon/codegen/semi_recursive_export.hpp"

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/coordinate_partition.hpp"
#include "eslabon/codegen/export_writer.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"

namespace eslabon::codegen {

using core::Column;
using core::index;
using core::si_unit;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedMotion;
using dynamics::TracedVector;
using Eigen::Index;
using std::size_t;

namespace {

class SemiRecursiveExport {
 public:
  SemiRecursiveExport(const dynamics::DynamicModel& model, const MotionExportOptions& options)
      : motion_(model, efforts_from_outside(model.mechanism(), options),
                dynamics::ReducedMotion::Use::kEquations),
        partition_(motion_),
        writer_(
            model, options,
            "relative coordinates, masses along the spanning tree, projected on independent coordinates at "
            "the position that is given") {}

  ExportedModel make() {
    name_arguments();
    write_motion();
    add_functions();
    writer_.model().checks = check_states(motion_.system(), motion_.length(), writer_.model().start);
    return writer_.finish("accelerations");
  }

 private:
  void name_arguments() {
    const auto& coordinates = motion_.system().coordinates();
    const dynamics::State start =
        state_of_bodies(motion_.model(), motion_.system(), motion_.model().start(), 0.0);
    for (size_t c = 0; c < coordinates.size(); ++c)
      q_.push_back(writer_.add_x(coordinates[c].name, si_unit(coordinates[c].dimension), start.q[c]));
    for (size_t c = 0; c < coordinates.size(); ++c)
      v_.push_back(writer_.add_x("d/dt " + coordinates[c].name,
                                 si_unit(coordinates[c].dimension / core::kTime), start.v[c]));
    writer_.add_time();
    efforts_ = writer_.add_efforts();
    drivers_ = writer_.add_drivers();
  }

  // Seed004 eq. 27, eq. 28, eq. 29
  void write_motion() {
    const TracedMotion traced(motion_, scales_, drivers_);
    const CoordinatePartition::At at(partition_, traced, traced.position(q_));
    const TracedMatrix M = traced.mass_matrix(at.position(), efforts_);
    const TracedVector f = traced.generalised_forces(at.position(), v_, efforts_);
    R_ = at.R();
    const TracedVector b = at.b(v_);
    mass_ = R_.transpose() * M * R_;
    factors_ = dynamics::TracedFactors(mass_, dynamics::Elimination::kFewestFirst);
    z_ddot_ = factors_.solve(unbalanced(f, M, b));  // (1)
    a_ = dynamics::product(R_, z_ddot_);
    for (size_t c = 0; c < a_.size(); ++c) a_[c] += b[c];
    residual_ = unbalanced(f, M, a_);
    Phi_ = at.position().Phi;
    bodies_ = traced.bodies(at.position(), v_, a_);
    told_.constraint_error = max_abs(traced.all_rows(q_));
    TracedVector margins = factors_.margins();
    margins.push_back(at.margin());
    solved_ = {told_.constraint_error, smallest_margin(margins)};
  }
  /// Rᵀ (f − M a).
  TracedVector unbalanced(const TracedVector& f, const TracedMatrix& M, const TracedVector& a) const {
    TracedVector left = dynamics::product(M, a);
    for (size_t c = 0; c < left.size(); ++c) left[c] = f[c] - left[c];
    return dynamics::transposed_product(R_, left);
  }

  void add_functions() {
    const int n = static_cast<int>(q_.size()), f = static_cast<int>(z_ddot_.size());
    std::vector<Column> rows, accelerations;
    for (const int row : motion_.independent_rows())
      rows.push_back({describe_row(motion_.system(), row), motion_.system().row_is_length(row) ? "m" : "1"});
    for (const coordinates::Coordinate& coordinate : motion_.system().coordinates())
      accelerations.push_back(
          {"d2/dt2 " + coordinate.name, si_unit(coordinate.dimension / core::kTime / core::kTime)});
    writer_.add_list("residual", "constraints Phi(q, t), one for each independent row", rows, Phi_, told_);
    writer_.add_matrix("basis", "R: rates of all coordinates by those of the independent ones", n, f,
                       entries_of(R_), solved_);
    writer_.add_matrix("mass", "mass matrix of the independent coordinates", f, f, entries_of(mass_),
                       solved_);
    writer_.add_list("accelerations", "accelerations of all coordinates", accelerations, a_, solved_);
    const std::vector<KnownDerivative> by_x = accelerations_by(writer_.x()),
                                       by_u = accelerations_by(writer_.u());
    writer_.add_matrix("accelerations_by_x", "derivatives of the accelerations by the state", n, 2 * n,
                       accelerations_of(by_x), solved_);
    writer_.add_matrix("accelerations_by_u", "derivatives of the accelerations by u", n,
                       static_cast<int>(writer_.u().size()), accelerations_of(by_u), solved_);
    const ExportWriter::Shown outputs =
        writer_.outputs(bodies_, [&](const model::Variable& variable) -> std::optional<Traced> {
          const auto column = motion_.system().layout().column_of(variable);
          if (!column) return std::nullopt;
          return q_[index(*column)];
        });
    const ExportWriter::Shown readings = writer_.readings(bodies_);
    writer_.add_list("outputs", "outputs of the model", outputs.names, outputs.values, solved_);
    writer_.add_list("readings", "what the sensors would read without errors", readings.names,
                     readings.values, solved_);
    writer_.add_matrix("readings_by_x", "derivatives of the readings by the state",
                       static_cast<int>(readings.values.size()), 2 * n,
                       derivative(writer_.trace(), readings.values, {}, by_x), solved_);
  }

  /// Derivatives of z̈ by some arguments, with those of the arguments by themselves:  Rᵀ M R z̈' = (Rᵀ (f − M a))'  where z̈ is
  /// taken for constant.
  std::vector<KnownDerivative> accelerations_by(const TracedVector& inputs) {
    std::vector<KnownDerivative> known = by_themselves(inputs), held = known;
    for (const Traced& one : z_ddot_) held.push_back({one, {}});
    const std::vector<KnownDerivative> z_ddot =
        solve_derivatives(factors_, z_ddot_, derivative(writer_.trace(), residual_, {}, held));
    known.insert(known.end(), z_ddot.begin(), z_ddot.end());
    return known;
  }
  std::vector<Entry> accelerations_of(const std::vector<KnownDerivative>& known) {
    return derivative(writer_.trace(), a_, {}, known);
  }

  dynamics::ReducedMotion motion_;
  CoordinatePartition partition_;
  ExportWriter writer_;
  dynamics::TracedScales scales_;  ///< none is needed
  TracedVector q_, v_, efforts_;
  TracedMotion::Drivers drivers_;
  TracedMatrix R_, mass_;
  dynamics::TracedFactors factors_;           ///< of Rᵀ M R
  TracedVector z_ddot_, a_, residual_, Phi_;  ///< residual: Rᵀ (f − M a), whose value is 0
  ExportWriter::Bodies bodies_;
  ExportWriter::Told told_, solved_;
};

}  // namespace

ExportedModel export_semi_recursive(const dynamics::DynamicModel& model, const MotionExportOptions& options) {
  return SemiRecursiveExport(model, options).make();
}

}  // namespace eslabon::codegen
