#pragma once

#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::integration {

/// When joints with dry friction begin to hold and to slide: they pass their creep speed v_c (friction_law.hpp). One that turns round
/// passes it twice within about 2 v_c/|v̇| and has held nothing: it holds from when it passed v_c only if it is still below after
/// ten times v_c/|v̇|, or 10 ms, or at the end of the run.
class StickLog {
 public:
  /// Looks at `mechanism`, and lives inside the Simulation that keeps it.
  explicit StickLog(const model::Mechanism& mechanism);

  std::size_t size() const { return joints_.size(); }
  /// |v|/v_c − 1 of one of them.
  double value(std::size_t k, const coordinates::MechanismMotion& bodies) const;
  /// Where the run starts, and where a step ends.
  void begin(std::size_t k, double value) {
    joints_[k].before = value;
    joints_[k].holds = value < 0.0;
  }
  void end_step(std::size_t k, double value) { joints_[k].before = value; }
  double before(std::size_t k) const { return joints_[k].before; }

  /// It passes v_c at time t, in this motion.
  void pass(std::size_t k, bool slows, double t, const coordinates::MechanismMotion& bodies);

  struct Sentence {
    double t;  ///< [s]
    std::string text;
  };
  /// The steps have come to time t: what is certain now is appended to `out`. Each once.
  void collect(double t, std::vector<Sentence>& out);

 private:
  struct Rubbing {
    model::JointCoordinate coordinate;
    std::string name;     ///< "joint 'B'"
    double before = 0.0;  ///< value() at the end of the last step
    bool holds = false;   ///< as was said
    bool may_hold = false;
    double since = 0.0, certain_at = 0.0;  ///< of may_hold [s]
  };
  double speed(const Rubbing& joint, const coordinates::MechanismMotion& bodies) const;

  const model::Mechanism& mechanism_;
  std::vector<Rubbing> joints_;
  std::vector<Sentence> said_;
};

}  // namespace eslabon::integration
