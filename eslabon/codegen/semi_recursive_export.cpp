#include "eslabon/codegen/semi_recursive_export.hpp"

#include <memory>

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/coordinate_partition.hpp"
#include "eslabon/codegen/export_writer.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/traced_equations.hpp"

namespace eslabon::codegen {

using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedMotion;
using dynamics::TracedVector;
using Eigen::Index;
using std::size_t;

namespace {

/// What the equations are written from; the partition is that of the model itself.
struct PartitionedModel {
  PartitionedModel(const dynamics::DynamicModel& model, const MotionExportOptions& options)
      : motion(model, unknowns_from_outside(model.mechanism(), options),
               dynamics::ReducedMotion::Use::kEquations),
        partition(std::make_shared<CoordinatePartition>(motion)) {}
  PartitionedModel(const dynamics::DynamicModel& model, const MotionExportOptions& options,
                   const PartitionedModel& nominal)
      : motion(model, unknowns_from_outside(model.mechanism(), options),
               dynamics::ReducedMotion::Use::kEquations),
        partition(nominal.partition) {
    check_rows(model.mechanism(), motion.independent_rows(), nominal.motion.independent_rows());
  }

  dynamics::ReducedMotion motion;
  std::shared_ptr<const CoordinatePartition> partition;
};

class SemiRecursiveExport {
 public:
  SemiRecursiveExport(const PartitionedModel& nominal, const PartitionedModel& written,
                      const MarkedModel* marked, const MotionExportOptions& options)
      : nominal_(nominal.motion),
        motion_(written.motion),
        partition_(*written.partition),
        marked_(marked),
        writer_(
            nominal_.model(), motion_.model(), options,
            "relative coordinates, masses along the spanning tree, projected on independent coordinates at "
            "the position that is given") {
    scales_.length = nominal_.length();
  }

  ExportedModel make() {
    name_arguments();
    write_motion();
    add_functions();
    writer_.model().checks = check_states(motion_.system(), nominal_.length(), writer_.model().start);
    return writer_.finish("accelerations");
  }
  /// All but derivatives.
  std::vector<core::Trace::Node> write_kernels() {
    name_arguments();
    write_motion();
    writer_.place(Phi_);
    writer_.place({solved_.constraint_error, solved_.margin});
    writer_.place(writer_.outputs(bodies_, among_coordinates(motion_.system(), q_)).values);
    writer_.place(writer_.readings(bodies_).values);
    return writer_.trace().nodes();
  }

 private:
  void name_arguments() {
    ExportWriter::State state = writer_.add_state(nominal_.system());
    q_ = std::move(state.q);
    v_ = std::move(state.v);
    writer_.add_time();
    theta_ = writer_.add_efforts();
    writer_.add_driver_numbers();
    const TracedVector unknowns = writer_.add_unknowns();
    theta_.insert(theta_.end(), unknowns.begin(), unknowns.end());
    writer_.add_parameters(marked_);
    drivers_ = writer_.drivers_at(*writer_.trace().time());
  }

  // Seed004 eq. 27, eq. 28, eq. 29
  void write_motion() {
    const TracedMotion traced(motion_, scales_, drivers_);
    const CoordinatePartition::At at(partition_, traced, traced.position(q_));
    const TracedMatrix M = traced.mass_matrix(at.position(), theta_);
    const TracedVector f = traced.generalised_forces(at.position(), v_, theta_);
    R_ = at.R();
    const TracedVector b = at.b(v_);
    mass_ = R_.transpose() * M * R_;
    factors_ = dynamics::TracedFactors(mass_, dynamics::Elimination::kFewestFirst);
    z_ddot_ = factors_.solve(unbalanced(f, M, b));  // (1)
    const auto accelerations = [&](const TracedVector& z_ddot) {
      TracedVector a = dynamics::product(R_, z_ddot);
      for (size_t c = 0; c < a.size(); ++c) a[c] += b[c];
      return a;
    };
    a_ = accelerations(z_ddot_);
    held_ = to_be_held(mass_, z_ddot_);
    residual_ = unbalanced(f, M, accelerations(held_));
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
    writer_.add_list("residual", "constraints Phi(q, t), one for each independent row",
                     row_columns(motion_.system(), motion_.independent_rows()), Phi_, told_);
    writer_.add_matrix("basis", "R: rates of all coordinates by those of the independent ones", n, f,
                       entries_of(R_), solved_);
    writer_.add_matrix("mass", "mass matrix of the independent coordinates", f, f, entries_of(mass_),
                       solved_);
    writer_.add_list("accelerations", "accelerations of all coordinates",
                     acceleration_columns(motion_.system().coordinates()), a_, solved_);
    writer_.add_state_rates(bodies_, solved_);
    const std::vector<KnownDerivative> by_x = accelerations_by(writer_.x()),
                                       by_p = accelerations_by(writer_.p());
    add_derivatives("x", "the state", writer_.x(), by_x);
    add_derivatives("u", "u", writer_.u(), accelerations_by(writer_.u()));
    add_derivatives("p", "p", writer_.p(), by_p);
    const ExportWriter::Shown outputs = writer_.outputs(bodies_, among_coordinates(motion_.system(), q_));
    const ExportWriter::Shown readings = writer_.readings(bodies_);
    writer_.add_list("outputs", "outputs of the model", outputs.names, outputs.values, solved_);
    writer_.add_list("readings", "what the sensors would read without errors", readings.names,
                     readings.values, solved_);
    const auto add_readings_by = [&](const std::string& name, const std::string& says,
                                     const TracedVector& inputs, const std::vector<KnownDerivative>& known) {
      writer_.add_matrix("readings_by_" + name, "derivatives of the readings by " + says,
                         static_cast<int>(readings.values.size()), static_cast<int>(inputs.size()),
                         derivative(writer_.trace(), readings.values, {}, known), solved_);
    };
    add_readings_by("x", "the state", writer_.x(), by_x);
    add_readings_by("p", "p", writer_.p(), by_p);
  }
  void add_derivatives(const std::string& name, const std::string& says, const TracedVector& inputs,
                       const std::vector<KnownDerivative>& known) {
    writer_.add_matrix("accelerations_by_" + name, "derivatives of the accelerations by " + says,
                       static_cast<int>(q_.size()), static_cast<int>(inputs.size()),
                       derivative(writer_.trace(), a_, {}, known), solved_);
  }

  /// Derivatives of z̈ by some arguments, with those of the arguments by themselves:  Rᵀ M R z̈' = (Rᵀ (f − M a))'  where z̈ is
  /// taken for constant.
  std::vector<KnownDerivative> accelerations_by(const TracedVector& inputs) {
    std::vector<KnownDerivative> known = by_themselves(inputs), held = known;
    for (const Traced& one : held_) held.push_back({one, {}});
    const std::vector<KnownDerivative> z_ddot =
        solve_derivatives(factors_, z_ddot_, derivative(writer_.trace(), residual_, {}, held));
    known.insert(known.end(), z_ddot.begin(), z_ddot.end());
    return known;
  }

  const dynamics::ReducedMotion &nominal_, &motion_;  ///< the model, and as it is written
  const CoordinatePartition& partition_;
  const MarkedModel* marked_;
  ExportWriter writer_;
  dynamics::TracedScales scales_;  ///< the length alone is needed
  TracedVector q_, v_, theta_;     ///< theta: efforts, then unknowns
  TracedMotion::Drivers drivers_;
  TracedMatrix R_, mass_;
  dynamics::TracedFactors factors_;  ///< of Rᵀ M R
  TracedVector z_ddot_, held_, a_, residual_,
      Phi_;  ///< held: to_be_held; residual: Rᵀ (f − M a), whose value is 0
  ExportWriter::Bodies bodies_;
  ExportWriter::Told told_, solved_;
};

}  // namespace

ExportedModel export_semi_recursive(const dynamics::DynamicModel& model, const MotionExportOptions& options) {
  return export_with_parameters<SemiRecursiveExport, PartitionedModel>(model, options);
}

}  // namespace eslabon::codegen
