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

/// Forces along the joint coordinates that the options name. Throws core::ModelError for a name of something else.
std::vector<dynamics::Unknown> efforts_from_outside(const model::Mechanism& mechanism,
                                                    const MotionExportOptions& options);

/// An export while it is made: its arguments, then its functions, in a trace of its own that listens on this thread as long as it lives.
/// Arguments are named in the order x, u, p.
class ExportWriter {
 public:
  ExportWriter(const dynamics::DynamicModel& model, const MotionExportOptions& options, std::string form);

  core::Trace& trace() { return trace_; }
  core::Traced add_x(const std::string& name, const std::string& unit, double start);
  /// Time; all functions of it are written down from now on.
  core::Traced add_time();
  core::Traced add_u(const std::string& name, const std::string& unit, double start);
  core::Traced add_p(const std::string& name, const std::string& unit, double value);
  /// Efforts of the options, after the time.
  dynamics::TracedVector add_efforts();
  /// Drivers as functions of time, or, where they cannot be written down, as numbers in u.
  dynamics::TracedMotion::Drivers add_drivers();
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
  Shown outputs(const Bodies& bodies, const FindCoordinate& coordinate) const;
  Shown readings(const Bodies& bodies) const;

  /// Throws core::ModelError where the smallest pivot of a function, over the checks, is not safe.
  ExportedModel finish(const std::string& function);

 private:
  /// Steps need accelerations and positions always.
  bool wants(const std::string& name) const;
  void check_functions() const;
  core::Traced add(std::vector<core::Column>& list, std::vector<double>& values,
                   dynamics::TracedVector& numbers, const std::string& name, const std::string& unit,
                   double value);

  const dynamics::DynamicModel& dynamic_model_;
  const model::Mechanism& mechanism_;
  const MotionExportOptions& options_;
  core::Trace trace_;
  core::Trace::Listening listening_;
  ExportedModel out_;
  std::vector<std::string> offered_;  ///< names of all functions, wanted or not
  dynamics::TracedVector x_, u_, p_;
  dynamics::TracedMotion::Drivers told_;  ///< those that are numbers in u
};

}  // namespace eslabon::codegen
