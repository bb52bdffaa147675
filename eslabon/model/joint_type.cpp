#include "eslabon/model/joint_type.hpp"

#include <algorithm>

namespace eslabon::model {

namespace {

// Letters C (cardan), E (esférico), P, R are those of [Seed001, §3.1]; the others are ours.
constexpr std::array<JointTypeFacts, 9> kTypes{{
    {JointType::kRevolute, "revolute", 'R', AxisUse::kTurn, 1, 1, {core::kAngle}},
    {JointType::kPrismatic, "prismatic", 'P', AxisUse::kSlide, 1, 1, {core::kLength}},
    {JointType::kCylindrical, "cylindrical", 'Y', AxisUse::kTurn, -1, 2, {core::kAngle, core::kLength}},
    {JointType::kUniversal, "universal", 'C', AxisUse::kCross, -1, 2, {core::kAngle, core::kAngle}},
    {JointType::kSpherical, "spherical", 'E', AxisUse::kNone, -1, 3, {}},
    {JointType::kPlanar,
     "planar",
     'N',
     AxisUse::kNormal,
     -1,
     3,
     {core::kLength, core::kLength, core::kAngle}},
    {JointType::kFixed, "fixed", 'W', AxisUse::kNone, 0, 0, {}},
    {JointType::kFree, "free", 'F', AxisUse::kNone, 3, 6, {}},
    {JointType::kRod, "rod", 'D', AxisUse::kNone, 2, 5, {}},
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
  const auto& coordinates = facts(type).coordinates;
  return static_cast<int>(coordinates.size() - std::ranges::count(coordinates, core::kNumber));
}

core::Dimension coordinate_dimension(JointType type, int component) {
  const auto& coordinates = facts(type).coordinates;
  const bool is_one = component >= 0 && component < static_cast<int>(coordinates.size());
  return is_one ? coordinates[static_cast<std::size_t>(component)] : core::kNumber;
}

}  // namespace eslabon::model
