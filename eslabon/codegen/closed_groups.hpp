#pragma once

#include <memory>
#include <span>
#include <vector>

#include "eslabon/codegen/traced_kinematics.hpp"
#include "eslabon/dynamics/formulations/group_arrangement.hpp"

namespace eslabon::codegen {

/// A mechanism solved group by group in closed form, as kinematics::GroupKinematics does it [Seed001, §2.3.2]: z are the free inputs of its
/// groups; branches are signs that come from outside. With z̈ = 0
///   φ̇ = K ż + s,   φ̈ = c                               K: unit rates sent through the groups                              (1)
/// and with one freedom and no driver φ̇ = K ż, φ̈ = L ż² from one pass.
template <class Link>
class ClosedGroups final : public TracedKinematics {
 public:
  using TracedLink = typename Link::template Of<core::Traced>;
  using Arrangement = dynamics::GroupArrangement<Link>;

  /// Of groups that all have closed forms.
  ClosedGroups(std::unique_ptr<Arrangement> arrangement, std::size_t num_drivers);

  std::string description() const override;
  std::vector<coordinates::Coordinate> freedoms() const override;
  std::vector<core::Column> position_names() const override { return {}; }
  std::vector<core::Column> branch_names() const override;
  FreedomValues start() const override;
  TracedBodies write(const TracedFreedoms& freedoms) const override;
  std::vector<BodySection> sections() const override;

  const kinematics::GroupKinematics<Link>& groups() const { return arrangement_->groups; }
  /// The signs of these branches of the groups.
  std::vector<double> signs(std::span<const kinematics::GroupBranch> branches) const;

  /// All links of the mechanism, the ground first.
  struct Links {
    std::vector<TracedLink> links;               ///< with z̈ = 0
    std::vector<std::vector<TracedLink>> units;  ///< (f) velocities for ż_k = 1, others 0, drivers at rest
    kinematics::TracedClosure closure;
  };
  Links write_links(const TracedFreedoms& freedoms) const { return write_links(freedoms, {}); }
  /// The same where links are already, `here`: branches are not read.
  Links write_links(const TracedFreedoms& freedoms, std::span<const TracedLink> here) const;
  TracedBodies bodies_of(const Links& links) const;

 private:
  std::size_t num_inputs() const { return arrangement_->structure.inputs.size(); }
  std::size_t num_freedoms() const { return num_inputs() - num_drivers_; }
  const model::Variable& freedom(std::size_t k) const {
    return *arrangement_->structure.inputs[num_drivers_ + k].variable;
  }
  /// Inputs where they are, at rest.
  std::vector<coordinates::CoordinateValueOf<core::Traced>> resting(const TracedFreedoms& freedoms) const;

  std::unique_ptr<Arrangement> arrangement_;
  std::size_t num_drivers_;
};

/// Nothing where a group has no closed form. Throws core::ModelError for mechanisms whose groups cannot be solved one after the other.
std::unique_ptr<TracedKinematics> make_closed_groups(const dynamics::DynamicModel& model);

}  // namespace eslabon::codegen
