#include "eslabon/runs/start/start_sampler.hpp"

#include "eslabon/core/text/error.hpp"

namespace eslabon::runs {

StartSampler::StartSampler(const dynamics::DynamicModel& model, const kinematics::AssemblyReport& assembly)
    : prior_(model),
      start_(assembly),
      position_(prior_.make_position()),
      zero_(static_cast<std::size_t>(prior_.num_coordinates()), 0.0) {}

kinematics::AssemblyReport StartSampler::draw(std::uint64_t seed) {
  const std::scoped_lock lock(mutex_);
  core::Rng rng(seed);
  if (!prior_.draw(rng, position_))
    throw core::ModelError({.what = "no start was found",
                            .where = "mechanism '" + prior_.motion().model().mechanism().name() + "'",
                            .expected = "positions within the range of its degrees of freedom",
                            .actual = "none in many tries",
                            .next = "Start the truth with 'start: model'."});
  kinematics::AssemblyReport drawn = start_;
  prior_.motion().system().evaluate_bodies({position_.q.data(), zero_.size()}, zero_, zero_, workspace_,
                                           drawn.bodies);
  return drawn;
}

}  // namespace eslabon::runs
