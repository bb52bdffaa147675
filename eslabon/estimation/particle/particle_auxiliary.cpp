#include <cmath>
#include <limits>

#include "eslabon/estimation/particle/particle_filter.hpp"

// The auxiliary variant: (5), (6) of particle_filter.hpp. The second set of the cloud holds the hypotheses before the last step.
// Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

/// first_: log p(y | μ_i); stage_: weights w_i p(y | μ_i). False when nobody would expect the reading, or so few that (7) is better.
bool ParticleFilter::find_first_stage() {
  cloud_.for_blocks([&](int worker, std::size_t b, Lanes lanes) {
    Scratch& mine = scratch(worker);
    const Lanes before = cloud_.second_block(b), copy{mine.copy.data(), kBlock, lanes.count};
    for (int k = 0; k < swarm_->num_arrays(); ++k) std::copy_n(before.array(k), before.count, copy.array(k));
    std::ranges::fill(mine.normals, 0.0);
    swarm_->step(cloud_.workspace(worker), copy, mine.normals.data(), mine.ok.data());
    likelihood_.evaluate_block(worker, copy, first_.data() + b * kBlock);
    for (std::size_t j = 0; j < lanes.count; ++j) {
      const std::size_t i = b * kBlock + j;
      if (!(mine.ok[j] > 0.0)) first_[i] = kNoWeight;
      second_[i] = weights_.logs()[i] + first_[i];
    }
  });
  const double largest =
      *std::max_element(first_.begin(), first_.begin() + static_cast<long>(cloud_.count()));
  return largest > -0.5 * kFar && stage_->replace(cloud_, second_.data()) > kNoWeight &&
         stage_->effective_size() >= fewest_effective();
}

/// The copies of the first stage take the last step anew; second_: log p(y | x_i) − log p(y | μ_i). False when none has a state.
bool ParticleFilter::take_second_stage() {
  static_cast<void>(move_on(Kind::kSecondMotion));
  cloud_.for_blocks([&](int worker, std::size_t b, Lanes lanes) {
    double* const log_weight = second_.data() + b * kBlock;
    likelihood_.evaluate_block(worker, lanes, log_weight);
    const bool has_failed = lost_.of_block(b)[0] > 0.0;
    for (std::size_t j = 0; j < lanes.count; ++j) {
      const std::size_t i = b * kBlock + j;
      log_weight[j] =
          has_failed && !(likelihood_.values()[i] > kNoWeight) ? kNoWeight : log_weight[j] - first_[i];
    }
  });
  return std::any_of(second_.begin(), second_.begin() + static_cast<long>(cloud_.count()),
                     [](double value) { return value > kNoWeight; });
}

bool ParticleFilter::weigh_by_auxiliary(ConstStateRef y) {
  has_second_ = false;
  const std::size_t before = cloud_.count();
  --steps_;  // the last step is taken anew, with numbers of another kind
  swarm_->prepare_step(t_ - h_, h_, options_.motion);
  const bool has_stage = find_first_stage();
  if (has_stage) {
    const double mean = stage_->log_sum() - std::log(weights_.sum());
    cloud_.swap_second();
    const std::size_t number = choose_number(*stage_);
    draw_copies(*stage_, number);
    cloud_.move({moves_.data(), num_moves_}, number);
    for (std::size_t k = 0; k < num_moves_; ++k) first_[moves_[k].to] = first_[moves_[k].from];
    if (options_.roughening > 0.0) {
      swarm_->at(t_ - h_);
      roughen();
      swarm_->at(t_);
    }
    if (take_second_stage()) {
      log_evidence_ += mean + weights_.replace(cloud_, second_.data()) -
                       std::log(static_cast<double>(number)) + likelihood_.log_constant();  // (6)
      ++steps_;
      return true;
    }
    cloud_.set_count(before);
    cloud_.swap_second();
    static_cast<void>(likelihood_.evaluate(y, weights_));
  }
  ++steps_;
  return false;
}

}  // namespace eslabon::estimation
