#include "eslabon/kinematics/kinematic_method.hpp"

#include <algorithm>
#include <array>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/kinematics/global/kinematic_solver.hpp"
#include "eslabon/kinematics/groups/group_method.hpp"

namespace eslabon::kinematics {

namespace {

using Maker = std::unique_ptr<KinematicMethod> (*)(std::string_view kind, const DrivenMechanism& driven,
                                                   core::ProgramCompiler* compiler);

struct Entry {
  std::string_view name;
  bool has_coordinates;
  Maker make;
};

template <const char* Name>
std::unique_ptr<KinematicMethod> make_solver(std::string_view kind, const DrivenMechanism& driven,
                                             core::ProgramCompiler*) {
  return std::make_unique<KinematicSolver>(Name, kind, driven);
}
constexpr char kGlobal[] = "global", kSparse[] = "sparse";

// A new method is one file and one line here.
constexpr std::array kEntries{
    Entry{kGlobal, true, &make_solver<kGlobal>},
    Entry{kSparse, true, &make_solver<kSparse>},
    Entry{"groups", false,
          [](std::string_view, const DrivenMechanism& d, core::ProgramCompiler* c) {
            return make_groups(d, c);
          }},
    Entry{"groups-tensor", false,
          [](std::string_view, const DrivenMechanism& d, core::ProgramCompiler*) {
            return make_groups_tensor(d);
          }},
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
                                                       const DrivenMechanism& driven,
                                                       core::ProgramCompiler* compiler) {
  const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
  if (entry == kEntries.end())
    throw core::ModelError(
        {.what = "unknown method",
         .where = "",
         .expected = "one of " + core::quoted_list(method_names()),
         .actual = "'" + std::string(name) + "'",
         .next = "All give the same motion; 'groups' is the fastest where it can be used."});
  return entry->make(kind, driven, compiler);
}

}  // namespace eslabon::kinematics
