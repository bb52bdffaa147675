#include "eslabon/model/elements/joint_type.hpp"

namespace eslabon::model {

std::optional<JointType> find_joint_type(std::string_view name, bool is_planar) {
  std::optional<JointType> found;
  for (const JointTypeFacts& entry : detail::kJointTypes)
    if (entry.name == name && (!found || freedoms(entry.type, is_planar) >= 0)) found = entry.type;
  return found;
}

}  // namespace eslabon::model
