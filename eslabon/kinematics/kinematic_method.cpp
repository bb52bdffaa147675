#include "eslabon/kinematics/kinematic_method.hpp"

#include <algorithm>
#include <array>

#include "eslabon/core/error.hpp"
#include "eslabon/core/nearest_name.hpp"
#include "eslabon/kinematics/group_method.hpp"
#include "eslabon/kinematics/kinematic_solver.hpp"

namespace eslabon::kinematics {

namespace {

std::unique_ptr<KinematicMethod> make_global(std::string_view name, std::string_view kind,
                                             const DrivenMechanism& driven) {
  return std::make_unique<KinematicSolver>(name, kind, driven);
}

struct Entry {
  std::string_view name;
  bool has_coordinates;
  std::unique_ptr<KinematicMethod> (*make)(std::string_view name, std::string_view kind,
                                           const DrivenMechanism& driven);
};

// A new method is one file and one line here.
constexpr std::array kEntries{
    Entry{"global", true, &make_global},
    Entry{"sparse", true, &make_global},
    Entry{"groups", false, &make_group_method},
    Entry{"groups-tensor", false, &make_group_method},
};

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

bool has_coordinates(std::string_view method) {
  const auto* const entry = std::ranges::find(kEntries, method, &Entry::name);
  return entry != kEntries.end() && entry->has_coordinates;
}

std::unique_ptr<KinematicMethod> make_kinematic_method(std::string_view name, std::string_view kind,
                                                       const DrivenMechanism& driven) {
  const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
  if (entry == kEntries.end())
    throw core::ModelError(
        {.what = "unknown method",
         .where = "",
         .expected = "one of " + core::quoted_list(method_names()),
         .actual = "'" + std::string(name) + "'",
         .next = "All give the same motion; 'groups' is the fastest where it can be used."});
  return entry->make(name, kind, driven);
}

}  // namespace eslabon::kinematics
