#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/applied_forces.hpp"

namespace eslabon::runs {

/// An event of the mechanism on the way of a prescribed motion.
struct PassedEvent {
  double t = 0.0;  ///< [s]
  std::string name;
};

/// Looks at the events of a mechanism (model::Event) from instant to instant of a prescribed motion, between which nothing turns by much more
/// than a radian. What passes zero twice between two of them is not seen.
class EventWatch {
 public:
  /// Keeps `mechanism` by reference. Throws core::ModelError for an event of an auxiliary state: prescribed motions do not integrate them.
  explicit EventWatch(const model::Mechanism& mechanism);

  bool is_empty() const { return mechanism_.events().empty(); }
  /// The events of the first instant.
  void begin(double t, const coordinates::MechanismMotion& bodies);

  /// Puts the mechanism to time t, from a time before, and tells how it moves there; nullptr when that cannot be.
  using GoTo = std::function<const coordinates::MechanismMotion*(double t)>;
  /// What passed zero between the last instant and this one, in the order of time; where an event ends the run, nothing behind it. `go_to` is
  /// asked for times in between. False when an event has no value: then failure() says which.
  [[nodiscard]] bool advance(double t, const coordinates::MechanismMotion& bodies, const GoTo& go_to,
                             std::vector<PassedEvent>& passed);
  /// The event among those passed last that ends the run.
  const std::optional<PassedEvent>& end() const { return end_; }
  const std::optional<core::ErrorText>& failure() const { return failure_; }

 private:
  /// What all events look at in this motion. False when one has no value.
  bool evaluate(double t, const coordinates::MechanismMotion& bodies, dynamics::ForceMemory& memory,
                std::vector<double>& values);
  /// When event k passes zero after the last instant, where it has `g0`, and before t1, where it has `g1`.
  std::optional<double> locate(std::size_t k, double g0, double t1, double g1, const GoTo& go_to) const;

  const model::Mechanism& mechanism_;
  dynamics::AppliedForces forces_;
  dynamics::ForceMemory memory_;  ///< at the last instant
  double t_ = 0.0;                ///< [s]
  std::vector<double> values_;    ///< (events) there
  std::optional<PassedEvent> end_;
  std::optional<core::ErrorText> failure_;
};

}  // namespace eslabon::runs
