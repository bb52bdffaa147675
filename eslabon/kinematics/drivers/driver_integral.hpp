#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/elements/driver.hpp"

namespace eslabon::kinematics {

/// A sum that carries what its roundings lost [Neumaier1974].
class CompensatedSum {
 public:
  void add(double term);
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

/// The integrals of a driver's function f from 0 on, by Gauss–Lobatto panels that are halved until they agree to roundoff, so kinks
/// (abs, min, max) and jumps are found; a pulse that is much narrower than a panel may be missed. Panels are 1/16 s wide up to 12 500 s,
/// and twice as wide after each doubling of the time: where they lie, and so what is computed, depends neither on which times are asked
/// for nor on what was prepared. No panel that ends after the latest time asked for is looked at.
///
/// Panels are integrated once, when they are first needed, and kept. Safe to share between threads: those that are there are read
/// without a lock. Cost: 24 values of a smooth f for each panel, and 24 for each evaluate.
class DriverIntegral {
 public:
  explicit DriverIntegral(model::Driver driver);

  struct Value {
    double integral = 0.0;         ///< ∫₀ᵗ f(s) ds
    double double_integral = 0.0;  ///< ∫₀ᵗ (t − s) f(s) ds
  };
  /// At 0 <= t < inf. False when f is not finite where it is sampled or cannot be integrated there (a pole, too many oscillations).
  [[nodiscard]] bool evaluate(double t, Value& out) const;
  /// What is said of a t at which evaluate fails: names the driver and the time. Slow.
  core::ErrorText why_not(double t) const;

  /// Integrates the panels before `until`: up to there evaluate allocates nothing. Throws core::ModelError where evaluate fails.
  void prepare(double until) const;

 private:
  static constexpr std::size_t kFirstChunk = 256;
  /// Where a node is kept: chunk 0 has the first 256, each further one as many as all before it.
  struct Slot {
    std::size_t chunk, place;
  };
  static Slot slot_of(std::size_t panel);

  /// Nothing where f cannot be integrated up to it.
  const Value* node(std::size_t panel) const;
  void make_room(std::size_t panel) const;
  [[nodiscard]] bool extend(std::size_t panel) const;

  model::Driver driver_;
  // Nodes: the integrals from 0 to the start of each panel. They are only ever appended, by one thread at a time, and published by their
  // count; readers look at no node beyond it.
  mutable std::array<std::unique_ptr<Value[]>, 24> chunks_;
  mutable std::atomic<std::size_t> count_;
  mutable std::mutex appending_;
  mutable CompensatedSum integral_, double_integral_;  ///< up to the last node
};

}  // namespace eslabon::kinematics
