#pragma once

#include <vector>

#include "eslabon/coordinates/coupled_coordinates.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::integration {

/// Sees that followers stay where their laws say something: equations go on smoothly beyond the ends of a table, runs do not.
class LawWatch {
 public:
  /// Looks at `mechanism`, and lives inside what keeps it.
  LawWatch(const model::Mechanism& mechanism, const kinematics::AssemblyReport& assembly);

  /// At instants one after the other, so that turns are counted. Does not allocate.
  /// Fails: core::ModelError with the name of the coupling and the time, where its law has no value.
  void look(double t, const coordinates::MechanismMotion& bodies);

 private:
  struct Followed {
    const model::Coupling* coupling;
    bool is_angle;
    double position;  ///< of the coordinate that the law is of, [m or rad], where it was last
  };
  void check(double t, const Followed& one) const;

  const model::Mechanism& mechanism_;
  std::vector<Followed> followed_;
};

}  // namespace eslabon::integration
