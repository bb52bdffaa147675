#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/codegen/graph/derivative.hpp"
#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::codegen {

/// What the equations have as arguments beside the state: forces along the joint coordinates that the options name, then their unknowns.
/// Throws core::ModelError for an effort along something else.
std::vector<dynamics::Unknown> unknowns_from_outside(const model::Mechanism& mechanism,
                                                     const MotionExportOptions& options);

/// An export while it is made: its arguments, then its functions, in a trace of its own that listens on this thread as long as it lives.
/// Arguments are named in the order x, u, p.
class ExportWriter {
 public:
  ExportWriter(const dynamics::DynamicModel& model, const MotionExportOptions& options, std::string form)
      : ExportWriter(model, model, options, std::move(form)) {}
  /// `nominal`: where everything starts. `written`: the same model with other numbers, which is written down.
  ExportWriter(const dynamics::DynamicModel& nominal, const dynamics::DynamicModel& written,
               const MotionExportOptions& options, std::string form);

  core::Trace& trace() { return trace_; }
  core::Traced add_x(const std::string& name, const std::string& unit, double start);
  /// All coordinates of a kind, then their rates.
  struct State {
    dynamics::TracedVector q, v;  ///< (n)
  };
  State add_state(const coordinates::ConstraintSystem& system);
  /// Time; all functions of it are written down from now on.
  core::Traced add_time();
  core::Traced add_u(const std::string& name, const std::string& unit, double start);
  core::Traced add_p(const std::string& name, const std::string& unit, double value);
  /// Efforts of the options, after the time, and auxiliary states.
  dynamics::TracedVector add_efforts();
  /// Unknowns of the options, as parameters.
  dynamics::TracedVector add_unknowns();
  /// Parameters of the mechanism, the last of p: from here on they stand for the constants of `marked`, the model that is written. None for
  /// the null pointer.
  dynamics::TracedVector add_parameters(const MarkedModel* marked);
  /// Numbers in u of drivers that cannot be written down as functions of time.
  void add_driver_numbers();
  /// Drivers as functions of time, or those numbers.
  dynamics::TracedMotion::Drivers add_drivers() {
    add_driver_numbers();
    return drivers_at(*trace_.time());
  }
  /// The same drivers at another time, which all functions of time have until this is called again.
  dynamics::TracedMotion::Drivers drivers_at(const core::Traced& t);
  const dynamics::TracedVector& x() const { return x_; }
  const dynamics::TracedVector& u() const { return u_; }
  const dynamics::TracedVector& p() const { return p_; }
  ExportedModel& model() { return out_; }

  /// What a call tells beside its result: the constraint error, and of what it solved the smallest pivot.
  struct Told {
    core::Traced constraint_error = 0.0, margin = 1.0;
  };
  void add_list(std::string name, std::string says, std::vector<core::Column> numbers,
                dynamics::TracedVector values, const Told& told);
  /// Not added where no entry depends on anything.
  void add_matrix(std::string name, std::string says, int rows, int columns,
                  const std::vector<Entry>& entries, const Told& told);

  /// What bodies and sensors show of a motion.
  struct Shown {
    std::vector<core::Column> names;
    dynamics::TracedVector values;
  };
  using Bodies = coordinates::MechanismMotionOf<core::Traced>;
  /// `coordinate`: the number that is a position variable, where there is one; it is not wrapped then.
  using FindCoordinate = std::function<std::optional<core::Traced>(const model::Variable&)>;
  Shown outputs(const Bodies& bodies, const FindCoordinate& coordinate);
  Shown readings(const Bodies& bodies);
  /// The function `state_rates`, rates of the auxiliary states that are in u; none where there are none.
  void add_state_rates(const Bodies& bodies, const Told& told);
  /// Writes them down, constants too, whether a function asks for them or not.
  void place(const dynamics::TracedVector& values) {
    for (const core::Traced& value : values) static_cast<void>(trace_.place(value));
  }
  /// The numbers of a matrix where the model starts.
  Eigen::MatrixXd at_start(const dynamics::TracedMatrix& matrix);
  /// Whether a function, one of those that there are, is asked for: accelerations and positions, which steps need, always are.
  bool wants(const std::string& name);

  /// With the derivation, where names were kept. Throws core::ModelError where the smallest pivot of a function, over the checks, is not
  /// safe.
  ExportedModel finish(const std::string& function);

 private:
  void check_functions() const;
  core::Traced add(std::vector<core::Column>& list, std::vector<double>& values,
                   dynamics::TracedVector& numbers, const std::string& name, const std::string& unit,
                   double value);

  const dynamics::DynamicModel &nominal_, &written_;
  const model::Mechanism& mechanism_;  ///< as it is written
  const MotionExportOptions& options_;
  core::Trace trace_;
  core::Trace::Listening listening_;
  ExportedModel out_;
  std::vector<std::string> offered_;  ///< names of all functions, wanted or not
  dynamics::TracedVector x_, u_, p_, states_;
  dynamics::TracedMotion::Drivers told_;  ///< those that are numbers in u
};

/// For people: constraint rows, forces along coordinates, and their accelerations.
std::vector<core::Column> row_columns(const coordinates::ConstraintSystem& system,
                                      const std::vector<int>& rows);
std::vector<core::Column> force_columns(const std::vector<coordinates::Coordinate>& coordinates);
std::vector<core::Column> acceleration_columns(const std::vector<coordinates::Coordinate>& coordinates);
/// Position variables that are coordinates of a system.
ExportWriter::FindCoordinate among_coordinates(const coordinates::ConstraintSystem& system,
                                               dynamics::TracedVector q);

}  // namespace eslabon::codegen
