#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/model/elements/force_elements.hpp"

namespace eslabon::model {

/// How a coupling was described; its row has one form for all.
enum class CouplingKind {
  kGear,           ///< two turns; numbers: teeth of both wheels, of a ring wheel with a minus
  kRackAndPinion,  ///< a turn and a slide; numbers: radius of the pinion [m]
  kScrew,          ///< a turn and a slide; numbers: lead [m per turn]
  kSum,            ///< any coordinates; numbers: their factors
};

/// "gear", "rack_and_pinion", "screw", "sum": the keys of files.
constexpr std::string_view name(CouplingKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"gear", "rack_and_pinion", "screw", "sum"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// One joint coordinate of a coupling, and how much of it counts.
struct CouplingTerm {
  JointCoordinate coordinate;
  double factor = 1.0;
  friend bool operator==(const CouplingTerm&, const CouplingTerm&) = default;
};

/// A linear relation between joint coordinates, which gears, screws and differentials keep:
///   c₁ q₁ + c₂ q₂ + … = c₀                                                                     (1)
/// with c₁ = 1 for all kinds but the sum. Angles count turns: they have no jump at ±π.
struct Coupling {
  std::string name;
  CouplingKind kind = CouplingKind::kSum;
  std::vector<CouplingTerm> terms;  ///< at least two, each coordinate once
  double offset = 0.0;              ///< c₀, in the unit of c₁ q₁
  std::vector<double> numbers;      ///< as the user wrote them, by kind
  friend bool operator==(const Coupling&, const Coupling&) = default;
};

}  // namespace eslabon::model
