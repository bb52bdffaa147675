#pragma once

#include <cstdint>
#include <mutex>

#include "eslabon/estimation/mechanism/position_prior.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::runs {

/// Where a mechanism starts of which nobody knows where it is: anywhere within the reach of its freedoms, on any branch
/// (estimation::PositionPrior). From any thread.
class StartSampler {
 public:
  /// `assembly`: the start of `model`. Throws as PositionPrior does.
  StartSampler(const dynamics::DynamicModel& model, const kinematics::AssemblyReport& assembly);

  /// The same seed gives the same start, bit for bit. Throws core::ModelError when no position was found.
  kinematics::AssemblyReport draw(std::uint64_t seed);

 private:
  std::mutex mutex_;
  estimation::PositionPrior prior_;
  kinematics::AssemblyReport start_;  ///< that of the file
  estimation::DrawnPosition position_;
  coordinates::BodiesWorkspace workspace_;
  std::vector<double> zero_;
};

}  // namespace eslabon::runs
