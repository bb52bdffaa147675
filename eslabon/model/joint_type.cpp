#include "eslabon/model/joint_type.hpp"

#include <algorithm>

namespace eslabon::model {

namespace {

// Letters C (cardan), E (esférico), P, R are those of [Seed001, §3.1]; the others are ours.
constexpr std::array<JointTypeFacts, 9> kTypes{{
    {JointType::kRevolute, "revolute", 'R', AxisUse::kTurn, 1, 1, {"rotation", "", ""}},
    {JointType::kPrismatic, "prismatic", 'P', AxisUse::kSlide, 1, 1, {"translation", "", ""}},
    {JointType::kCylindrical, "cylindrical", 'Y', AxisUse::kTurn, -1, 2, {"rotation", "translation", ""}},
    {JointType::kUniversal,
     "universal",
     'C',
     AxisUse::kCross,
     -1,
     2,
     {"first rotation", "second rotation", ""}},
    {JointType::kSpherical, "spherical", 'E', AxisUse::kNone, -1, 3, {"", "", ""}},
    {JointType::kPlanar, "planar", 'N', AxisUse::kNormal, -1, 3, {"x", "y", "rotation"}},
    {JointType::kFixed, "fixed", 'W', AxisUse::kNone, 0, 0, {"", "", ""}},
    {JointType::kFree, "free", 'F', AxisUse::kNone, 3, 6, {"", "", ""}},
    {JointType::kRod, "rod", 'D', AxisUse::kNone, 2, 5, {"", "", ""}},
}};

}  // namespace

const std::array<JointTypeFacts, 9>& all_joint_types() { return kTypes; }

const JointTypeFacts& facts(JointType type) { return kTypes[static_cast<std::size_t>(type)]; }

std::optional<JointType> find_joint_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &JointTypeFacts::name);
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

int freedoms(JointType type, bool is_planar) {
  return is_planar ? facts(type).freedoms_in_plane : facts(type).freedoms_in_space;
}

int constraint_rows(JointType type, bool is_planar) {
  return (is_planar ? 3 : 6) - freedoms(type, is_planar);
}

int coordinate_count(JointType type) {
  const auto& names = facts(type).coordinates;
  return static_cast<int>(std::ranges::count_if(names, [](std::string_view name) { return !name.empty(); }));
}

}  // namespace eslabon::model
