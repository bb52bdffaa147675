#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/coordinates/coupled_coordinates.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/core/scalar/traced.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/groups/group_scratch.hpp"
#include "eslabon/kinematics/groups/planar_link.hpp"
#include "eslabon/kinematics/groups/spatial_link.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::kinematics {

enum class GroupStatus {
  kSolved,
  kOutOfReach,  ///< the group cannot be closed with its inputs here
  kSingular,    ///< it closes, but at a toggle: rates are not determined
};

/// How near to a limit a closed form calls singular: the square of a sine that is roundoff.
inline constexpr double kTouching = 4.0 * std::numeric_limits<double>::epsilon();
/// The status of a group whose `root_square` is not positive, beside `size`.
inline GroupStatus status_at_limit(double root_square, double size) {
  return root_square >= -kTouching * size ? GroupStatus::kSingular : GroupStatus::kOutOfReach;
}

/// Which of the ways in which a group can be closed: a number that tells one from the next, +1 and −1 where there are
/// two. It is not 0 for groups that have branches and always 0 for those that have none.
using GroupBranch = signed char;
/// Whichever is nearest to where the links are.
inline constexpr GroupBranch kNearestBranch = 0;

/// What is known of a group that was closed in traced numbers.
struct TracedClosure {
  core::Traced margin = 1.0;  ///< from where two branches meet: 1 far from it, 0 there, and no number beyond
  core::Traced gap = 0.0;     ///< what is open nevertheless [m]
};

/// Position, velocity and acceleration of one structural group, from the groups before it:
///   Φ(φ, h) = 0,   Φ_φ φ̇ = −Φ_h ḣ,   Φ_φ φ̈ = −Φ_h ḧ − Φ̇_q q̇          [Seed001, eqs. (2.5)–(2.7)]        (1)
/// h is what the solver reads from other links and from the inputs, φ what it writes of its own links: PlanarLink in the
/// plane, SpatialLink in space. const, and nothing of a solution stays in the solver.
template <class Link>
class GroupSolver {
 public:
  virtual ~GroupSolver() = default;

  /// `inputs`: of the whole mechanism. `links`: of the whole mechanism; those of groups before are read, its own are
  /// written. A general solver starts from where its own are. When it is not solved they are unchanged or meaningless.
  /// `branch`: the one wanted, or kNearestBranch; receives the one found.
  virtual GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                            std::span<Link> links, GroupScratch& scratch) const = 0;

  /// The same of a closed form, written down. `signs`: (num_signs) of the branch, +1 or −1.
  using TracedLink = typename Link::template Of<core::Traced>;
  virtual TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                              std::span<const core::Traced>, std::span<TracedLink>) const {
    throw core::ContractError({.what = "a group that is solved by iteration is not written down",
                               .where = "a structural group",
                               .expected = "one with a closed form",
                               .actual = "a general one",
                               .next = "Ask is_closed_form first."});
  }
  /// The same for links that are there already: rates alone.
  virtual TracedClosure write_rates(std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs,
                                    std::span<TracedLink> links) const {
    std::vector<core::Traced> signs(num_signs());
    write_signs(links, signs);
    return write(inputs, signs, links);
  }
  /// How many signs tell its branches: see signs_of; and those of the branch on which these links are.
  virtual std::size_t num_signs() const { return 0; }
  virtual void write_signs(std::span<const TracedLink>, std::span<core::Traced>) const {}

  /// The branch on which its links are, which need not be closed.
  virtual GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const Link>,
                                GroupScratch&) const {
    return 0;
  }
};

/// The signs of a branch: +1 and −1 have one, ±1 and ±2 two.
inline std::array<double, 2> signs_of(GroupBranch branch) {
  return {branch > 0 ? 1.0 : -1.0, branch == 1 || branch == -1 ? 1.0 : -1.0};
}

/// +1 or −1; that of 0 is +1, as branch_at has it.
inline core::Traced sign_of(const core::Traced& x) { return core::select_less(x, 0.0, -1.0, 1.0); }

/// What a solver is made from.
template <class Link>
struct GroupContext {
  const model::Mechanism& mechanism;
  const structure::Structure& structure;
  const coordinates::KinematicTree& tree;                       ///< frames of bodies in their links
  std::span<const coordinates::Prescribed> prescribed;          ///< what the inputs are
  std::span<const Link> start;                                  ///< (links) an assembled position
  std::span<const coordinates::CoordinateValue> start_inputs;   ///< (inputs) there
  const coordinates::CoupledCoordinates& coupled;               ///< what couplings look at
  std::span<const coordinates::CoordinateValue> start_coupled;  ///< (coupled) there
};

/// Whether input number `input` of the structure is what is prescribed under the same number.
bool is_prescribed(const structure::Structure& structure, std::span<const coordinates::Prescribed> prescribed,
                   int input);

template <class Link>
using GroupMaker = std::unique_ptr<GroupSolver<Link>> (*)(const GroupContext<Link>&,
                                                          const structure::StructuralGroup&);

using PlanarGroupSolver = GroupSolver<PlanarLink>;
using PlanarGroupContext = GroupContext<PlanarLink>;
using SpatialGroupSolver = GroupSolver<SpatialLink>;
using SpatialGroupContext = GroupContext<SpatialLink>;

/// A joint of a planar group, seen from one of its two links.
struct PlanarJointEnd {
  std::size_t link = 0;  ///< position in the list of links
  PlanarVector origin;   ///< of the joint's frame, in the link's frame [m]
  PlanarVector axis;     ///< x of the joint's frame there: the slide of a prismatic joint
};
PlanarJointEnd joint_end(const PlanarGroupContext& context, model::JointIndex joint, int end);

/// A joint of a spatial group, seen from one of its two links.
struct SpatialJointEnd {
  std::size_t link = 0;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    ///< (3) of the joint's frame, in the link's frame [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< (3 × 3) of the joint's frame there
};
SpatialJointEnd joint_end(const SpatialGroupContext& context, model::JointIndex joint, int end);

/// The joints of a group of two links and three joints, by the sides (links) that they hold.
struct DyadPlan {
  model::JointIndex inner{0}, outer[2]{model::JointIndex(0), model::JointIndex(0)};
  int inner_end[2]{0, 0};  ///< end of the inner joint on this side
  int outer_end[2]{0, 0};  ///< end of the outer joint on this side; the other is on a link before
};
/// Nothing for groups of another kind.
std::optional<DyadPlan> dyad_plan(const model::Mechanism& mechanism, const structure::Structure& structure,
                                  const structure::StructuralGroup& group);

/// Where the joints of a dyad hold its two links: ends of the outer joints on the dyad's own links and on links before it, of
/// the inner joint on both. A side with an outer revolute comes first.
struct DyadJoints {
  PlanarJointEnd other[2], own[2], inside[2];
};
/// Of a group that has a plan.
DyadJoints dyad_joints(const PlanarGroupContext&, const structure::StructuralGroup&);

// One file each; listed in group_registry.cpp. Each returns nothing for a group that it does not fit.
std::unique_ptr<PlanarGroupSolver> make_driven_link(const PlanarGroupContext&,
                                                    const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rrr(const PlanarGroupContext&,
                                                 const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rrp(const PlanarGroupContext&,
                                                 const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_prp(const PlanarGroupContext&,
                                                 const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rpp(const PlanarGroupContext&,
                                                 const structure::StructuralGroup&);
std::unique_ptr<PlanarGroupSolver> make_dyad_rpr(const PlanarGroupContext&,
                                                 const structure::StructuralGroup&);
std::unique_ptr<SpatialGroupSolver> make_spatial_driven_link(const SpatialGroupContext&,
                                                             const structure::StructuralGroup&);
std::unique_ptr<SpatialGroupSolver> make_hinged_dyad(const SpatialGroupContext&,
                                                     const structure::StructuralGroup&);
std::unique_ptr<SpatialGroupSolver> make_spherical_dyad(const SpatialGroupContext&,
                                                        const structure::StructuralGroup&);

/// The solver of a group in closed form, by its type; nothing when there is none.
std::unique_ptr<PlanarGroupSolver> make_closed_form(const PlanarGroupContext&,
                                                    const structure::StructuralGroup&);
std::unique_ptr<SpatialGroupSolver> make_closed_form(const SpatialGroupContext&,
                                                     const structure::StructuralGroup&);

}  // namespace eslabon::kinematics
