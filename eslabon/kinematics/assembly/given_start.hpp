#pragma once

#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "eslabon/kinematics/assembly/held_closing.hpp"

namespace eslabon::kinematics {

/// One thing that the file says about where the mechanism starts: the value of a variable, the origin of a body or its
/// orientation.
struct GivenStart {
  using Origin = HeldValues::Origin;
  struct Orientation {
    model::BodyIndex body;
    core::Rotation<double> R_WB;
  };
  std::variant<model::StartValue, Origin, Orientation> what;
  std::string name;  ///< "crank.angle", "upright.position"
  model::StartKind kind = model::StartKind::kGuess;
};

/// All that is given, in the order in which it is kept where not all of it can be: what is exact; variables that the user calls
/// inputs; joint coordinates; angles and orientations of bodies that are hinged to the ground; the rest. Each in the order of
/// the file, variables before poses.
std::vector<GivenStart> given_starts(const model::Mechanism& mechanism);

/// Given minus actual: one number, three components for origins, a rotation vector for orientations; world axes. Angles in rad,
/// the shorter way round; lengths in units of the mechanism's size.
Eigen::VectorXd distance_from(const model::Mechanism& mechanism, const GivenStart& given,
                              const coordinates::MechanismMotion& bodies);
/// The rate at which a motion goes that way, in the same components.
Eigen::VectorXd rate_towards(const model::Mechanism& mechanism, const GivenStart& given,
                             const coordinates::MechanismMotion& motion);
/// Largest |distance_from| of all [rad], or in units of the mechanism's size.
double largest_distance(const model::Mechanism& mechanism, const std::vector<GivenStart>& given,
                        const coordinates::MechanismMotion& bodies);

/// The given value moved towards where the bodies are: `part` of the way is left to go, 0 … 1 from there.
GivenStart part_of_the_way(const model::Mechanism& mechanism, const GivenStart& given,
                           const coordinates::MechanismMotion& bodies, double part);

/// Holds a variable by one row, an origin or an orientation by three, in reference-point coordinates. Angles are held in the turn
/// in which the bodies are.
void hold(const model::Mechanism& mechanism, const GivenStart& given,
          const coordinates::MechanismMotion& bodies, HeldValues& held);

/// "from 60° to 59.4°"; "by 3.2°" for orientations.
std::string move_text(const model::Mechanism& mechanism, const GivenStart& given,
                      const coordinates::MechanismMotion& bodies);

/// A given value that did not stay where it was given.
struct StartShift {
  std::string name;  ///< "crank.angle"
  std::string move;  ///< move_text
  double size;       ///< [rad], or in units of the mechanism's size
};

/// What is farther from where it was given than start values are usually rounded, 5e-3 rad or of the mechanism's size; the
/// farthest first.
std::vector<StartShift> start_shifts(const model::Mechanism& mechanism,
                                     const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::kinematics
