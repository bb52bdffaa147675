#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/forces/force_memory.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// The joint angles that forces see beyond ±π. The values near which they are stand in ForceMemory::angles.
class CountedAngles {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Places of the angles of a connection, kNone for what is no angle: of a joint coordinate the first, of two of them both.
  struct Places {
    std::size_t first = kNone;
    std::size_t second = kNone;
  };

  explicit CountedAngles(const model::Mechanism& mechanism) : mechanism_(mechanism) {}

  const std::vector<model::JointCoordinate>& coordinates() const { return angles_; }
  /// The place of a joint coordinate, kNone when it slides.
  std::size_t add(const model::JointCoordinate& coordinate);
  Places add(const model::Connection& connection);

  /// (angles) where they are in this motion, each nearest to the one that stands there [rad].
  void follow(const coordinates::MechanismMotion& bodies, std::span<double> angles) const;

  /// A joint coordinate, an angle nearest to where it was.
  template <core::Scalar T>
  T position(const model::JointCoordinate& coordinate, std::size_t place,
             const coordinates::MechanismMotionOf<T>& bodies, const ForceMemory& memory) const;
  /// Length of a connection, angles likewise.
  template <core::Scalar T>
  T length(const model::Connection& connection, const Places& places,
           const coordinates::MechanismMotionOf<T>& bodies, const ForceMemory& memory) const;

 private:
  const model::Mechanism& mechanism_;
  std::vector<model::JointCoordinate> angles_;
};

}  // namespace eslabon::dynamics
