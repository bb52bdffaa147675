#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/kinematics/planar_link.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::kinematics {

enum class GroupStatus {
  kSolved,
  kOutOfReach,  ///< the group cannot be closed with its inputs here
  kSingular,    ///< it closes, but at a toggle: rates are not determined
};

/// Position, velocity and acceleration of one structural group of a planar mechanism, from the groups before it:
///   Φ(φ, h) = 0,   Φ_φ φ̇ = −Φ_h ḣ,   Φ_φ φ̈ = −Φ_h ḧ − Φ̇_q q̇          [Seed001, eqs. (2.5)–(2.7)]        (1)
/// h is what the solver reads from other links and from the inputs, φ what it writes of its own links.
/// const: nothing of a solution stays in the solver. The branch is chosen when it is made and kept.
class PlanarGroupSolver {
 public:
  virtual ~PlanarGroupSolver() = default;

  /// `inputs`: of the whole mechanism. `links`: of the whole mechanism; those of groups before are read, its own are
  /// written. A general solver starts from where its own are. When it is not solved they are unchanged or meaningless.
  virtual GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs,
                            std::span<PlanarLink> links) const = 0;

  /// +1 or −1 on one of two branches, 0 when there is only one.
  virtual int branch() const { return 0; }

  /// How far the group is from its limit: positive within reach, zero where its branches meet, negative beyond; for those
  /// that have branches.
  virtual double reach(std::span<const PlanarLink>) const { return 1.0; }
};

/// What a solver is made from.
struct GroupContext {
  const model::Mechanism& mechanism;
  const structure::Structure& structure;
  const coordinates::KinematicTree& tree;  ///< frames of bodies in their links
  std::span<const PlanarLink> start;       ///< (links) an assembled position; it chooses the branch
};

/// A joint of a planar group, seen from one of its two links.
struct PlanarJointEnd {
  std::size_t link = 0;  ///< position in the list of links
  PlanarVector origin;   ///< of the joint's frame, in the link's frame [m]
  PlanarVector axis;     ///< x of the joint's frame there: the slide of a prismatic joint
};
PlanarJointEnd joint_end(const GroupContext& context, model::JointIndex joint, int end);

using GroupMaker = std::unique_ptr<PlanarGroupSolver> (*)(const GroupContext&,
                                                          const structure::StructuralGroup&);

// One file each; listed in group_registry.cpp. Each returns nothing for a group that it does not fit.
std::unique_ptr<PlanarGroupSolver> make_driven_link(const GroupContext&, const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rrr(const GroupContext&, const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rrp(const GroupContext&, const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_prp(const GroupContext&, const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rpp(const GroupContext&, const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rpr(const GroupContext&, const structure::StructuralGroup&);

/// The solver of a group in closed form, by its type; nothing when there is none.
std::unique_ptr<PlanarGroupSolver> make_planar_group(const GroupContext&, const structure::StructuralGroup&);

/// Where the joints of a dyad hold its two links: ends of the outer joints on the dyad's own links and on links before it, of
/// the inner joint on both. A side with an outer revolute comes first.
struct DyadJoints {
  PlanarJointEnd other[2], own[2], inside[2];
};
/// Of a group with two links and three joints.
DyadJoints dyad_joints(const GroupContext&, const structure::StructuralGroup&);

}  // namespace eslabon::kinematics
