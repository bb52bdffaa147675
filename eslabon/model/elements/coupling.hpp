#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/model/elements/force_elements.hpp"
#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::model {

/// How a coupling was described; their rows have one form.
enum class CouplingKind {
  kGear,           ///< two turns; numbers: teeth of both wheels, of a ring wheel with a minus
  kRackAndPinion,  ///< a turn and a slide; numbers: radius of the pinion [m]
  kScrew,          ///< a turn and a slide; numbers: lead [m per turn]
  kSum,            ///< any coordinates; numbers: their factors
  kFollows,        ///< the first coordinate is a function of the second; numbers: none
  kRolls,          ///< a turn and a way round; numbers: radius and base of a CircleRolling
};

/// "gear", "rack_and_pinion", "screw", "sum", "follows": the keys of files; "rolling", which is part of a joint.
constexpr std::string_view name(CouplingKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"gear", "rack_and_pinion", "screw",
                                                   "sum",  "follows",         "rolling"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// One joint coordinate of a coupling, and how much of it counts.
struct CouplingTerm {
  JointCoordinate coordinate;
  double factor = 1.0;
  friend bool operator==(const CouplingTerm&, const CouplingTerm&) = default;
};

/// A function f of a position, with its derivatives; all are functions of the position in the place of the time.
struct CouplingLaw {
  TimeFunction value;      ///< f
  TimeFunction slope;      ///< f'
  TimeFunction curvature;  ///< f''
  /// Whether the law says something there: a table without a period ends.
  bool reaches(double position) const {
    const core::CubicTable* table = value.whole_table();
    return table == nullptr || table->reaches(position);
  }
  friend bool operator==(const CouplingLaw&, const CouplingLaw&) = default;
};

/// A relation between joint coordinates, which gears, screws and differentials keep:
///   c₁ q₁ + c₂ q₂ + … = c₀                                                                     (1)
/// with c₁ = 1 for all kinds but the sum; and that of a follower,
///   q₁ − f(q₂) = c₀                                                                            (2)
/// Angles count turns: they have no jump at ±π.
struct Coupling {
  std::string name;
  CouplingKind kind = CouplingKind::kSum;
  std::vector<CouplingTerm> terms;          ///< at least two, each coordinate once
  double offset = 0.0;                      ///< c₀, in the unit of c₁ q₁
  std::vector<double> numbers;              ///< as the user wrote them, by kind
  std::optional<CouplingLaw> law = {};      ///< kFollows: f, of the second coordinate, whose factor is −1
  std::optional<JointIndex> of_joint = {};  ///< kRolls: the joint that it is a part of
  /// f of (2) where term k is the one that it is of.
  const CouplingLaw* law_of_term(std::size_t k) const { return law && k == 1 ? &*law : nullptr; }
  friend bool operator==(const Coupling&, const Coupling&) = default;
};

}  // namespace eslabon::model
