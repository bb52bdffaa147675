#include "eslabon/codegen/freedom_arguments.hpp"

namespace eslabon::codegen {

FreedomArguments::FreedomArguments(ExportWriter& writer, const TracedKinematics& kinematics)
    : coordinates(kinematics.freedoms()), memory(kinematics.position_names()) {
  const FreedomValues start = kinematics.start();
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    freedoms.z.push_back(
        writer.add_x(coordinates[k].name, core::si_unit(coordinates[k].dimension), start.z[k]));
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    freedoms.z_dot.push_back(writer.add_x("d/dt " + coordinates[k].name,
                                          core::si_unit(coordinates[k].dimension / core::kTime),
                                          start.z_dot[k]));
  moving = writer.x();
  for (std::size_t k = 0; k < memory.size(); ++k)
    freedoms.near.push_back(
        writer.add_x(memory[k].name + ", as found last", memory[k].unit, start.positions[k]));
  const std::vector<core::Column> branches = kinematics.branch_names();
  for (std::size_t k = 0; k < branches.size(); ++k)
    freedoms.branches.push_back(writer.add_x(branches[k].name, branches[k].unit, start.branches[k]));
  memory.insert(memory.end(), branches.begin(), branches.end());
  writer.model().num_memory = memory.size();
}

dynamics::TracedVector FreedomArguments::remembered(const TracedBodies& at) const {
  dynamics::TracedVector list = at.positions;
  list.insert(list.end(), freedoms.branches.begin(), freedoms.branches.end());
  return list;
}

}  // namespace eslabon::codegen
