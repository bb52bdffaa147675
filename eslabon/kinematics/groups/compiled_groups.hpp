#pragma once

#include <memory>
#include <span>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"
#include "eslabon/kinematics/groups/group_kinematics.hpp"

namespace eslabon::kinematics {

/// All groups of a mechanism as machine code: positions, velocities and accelerations of its links in one call. One per thread.
template <class Link>
class CompiledGroups {
 public:
  /// Nothing where a group has no closed form, or the compiler makes nothing.
  static std::unique_ptr<CompiledGroups> make(const GroupKinematics<Link>& groups,
                                              core::ProgramCompiler& compiler);

  /// As GroupKinematics::solve with branches that are known. False where branches nearly meet: somebody else may know more.
  [[nodiscard]] bool solve(std::span<const coordinates::CoordinateValue> inputs,
                           std::span<const GroupBranch> branches, std::span<Link> links);

 private:
  CompiledGroups() = default;

  std::vector<typename GroupKinematics<Link>::Sign> signs_;
  std::size_t num_inputs_ = 0, num_links_ = 0;
  core::CompiledFunction code_;
  std::vector<double> in_, out_, work_;
};

extern template class CompiledGroups<PlanarLink>;
extern template class CompiledGroups<SpatialLink>;

}  // namespace eslabon::kinematics
