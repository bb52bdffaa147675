#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::dynamics {

/// What forces need to know beyond the motion of the bodies; AppliedForces says how many there are of each.
// Seed000 eq. 4, eq. 92
struct ForceMemory {
  /// Near which the angles of joints are that springs and stops see, beyond ±π too [rad].
  std::vector<double> angles = {};
  /// What presses the joints whose friction depends on it [N]. Follows from the accelerations: see CoupledForces.
  std::vector<double> loads = {};
  /// Of each side of a rigid stop: whether something rests on it, and what it holds that with [N or N m]. The first is a fact that only
  /// impacts change, the second follows from the accelerations: see CoupledForces.
  std::vector<bool> rests = {};
  std::vector<double> holds = {};
  /// Auxiliary states of the mechanism, in their order.
  std::vector<double> states = {};
  /// Of each choice in a formula of a force or state: which side it takes (AppliedForces::switch_values); none: that which what it looks at
  /// says. Runs keep them in a step, so that forces are smooth in it, and change them where what a choice looks at passes zero.
  std::vector<char> choices = {};
  /// Limits of stops stand still where they are at the time: statics.
  bool limits_stand = false;
};

/// The memory as forces see it in a scalar: auxiliary states may have derivatives, or be traced. Looks at what it is made from.
template <core::Scalar T>
class ForceMemoryView {
 public:
  /// States are plain numbers.
  ForceMemoryView(const ForceMemory& memory) : memory_(&memory) {}
  /// The same with these states; none: those of the memory.
  ForceMemoryView(const ForceMemory& memory, std::span<const T> states) : memory_(&memory), states_(states) {}

  const ForceMemory& operator*() const { return *memory_; }
  const ForceMemory* operator->() const { return memory_; }
  T state(std::size_t k) const { return states_.empty() ? T(memory_->states[k]) : states_[k]; }

 private:
  const ForceMemory* memory_;
  std::span<const T> states_ = {};
};

/// As an argument, which does not say what T is.
template <core::Scalar T>
using MemoryOf = std::type_identity_t<ForceMemoryView<T>>;

}  // namespace eslabon::dynamics
