#include "eslabon/model/elements/joint_type.hpp"

#include <algorithm>

namespace eslabon::model {

std::optional<JointType> find_joint_type(std::string_view name) {
  const auto found = std::ranges::find(detail::kJointTypes, name, &JointTypeFacts::name);
  if (found == detail::kJointTypes.end()) return std::nullopt;
  return found->type;
}

}  // namespace eslabon::model
