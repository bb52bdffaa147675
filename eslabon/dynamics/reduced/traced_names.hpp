#pragma once

#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/model/mechanism.hpp"

/// Symbols of what is written down about bodies, for people who read a trace; nothing happens when it keeps no names.
namespace eslabon::dynamics {

/// A_b, r_b and the motions of the coordinates of each link of a tree, by its first body.
void name_links(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
                const coordinates::TreeValues<core::Traced>& at);
/// ˙A, ¨A⁰, ˙r and ¨r⁰ of each link: with numbers that know their rates.
void name_link_rates(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
                     const coordinates::TreeValues<core::Dual<core::Dual<core::Traced>>>& at);
/// The first body of a link, or "BODY,link" where the frames of both differ.
std::string link_name(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree, int link);

/// ω_b and v_b of all bodies, and a⁰_b and α⁰_b: what accelerates them when no coordinate does.
void name_rates(const model::Mechanism& mechanism,
                const coordinates::MechanismMotionOf<core::Traced>& bodies);
/// α_b and a_b of all bodies.
void name_accelerations(const model::Mechanism& mechanism,
                        const coordinates::MechanismMotionOf<core::Traced>& bodies);
/// F_b and T_b, what acts on each body.
void name_wrenches(const model::Mechanism& mechanism, const std::vector<WrenchOf<core::Traced>>& wrenches,
                   const std::string& law_of_force, const std::string& law_of_torque);

}  // namespace eslabon::dynamics
