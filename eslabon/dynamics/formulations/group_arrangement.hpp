#pragma once

#include <memory>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/kinematics/groups/group_kinematics.hpp"
#include "eslabon/kinematics/groups/link_row.hpp"

namespace eslabon::dynamics {

/// A mechanism with inputs that move all of it, and its structural groups with these. Stays where it is: groups look at the mechanism.
template <class Link>
struct GroupArrangement {
  /// Throws core::ModelError for mechanisms whose groups cannot be solved one after the other.
  GroupArrangement(const model::Mechanism& mechanism_, const structure::Structure& structure_,
                   const coordinates::MechanismMotion& bodies);
  GroupArrangement(const GroupArrangement&) = delete;
  GroupArrangement& operator=(const GroupArrangement&) = delete;

  model::Mechanism mechanism;
  structure::Structure structure;
  kinematics::GroupKinematics<Link> groups;
  kinematics::LinkResidual residual;
};

extern template struct GroupArrangement<kinematics::PlanarLink>;
extern template struct GroupArrangement<kinematics::SpatialLink>;

/// A mechanism whose structural groups cannot be solved one after the other.
class NoArrangement : public core::ModelError {
 public:
  using core::ModelError::ModelError;
};

/// With the inputs that the model has, and its idle freedoms as inputs too. Throws NoArrangement.
template <class Link>
std::unique_ptr<GroupArrangement<Link>> arrange_groups(const DynamicModel& model);

}  // namespace eslabon::dynamics
