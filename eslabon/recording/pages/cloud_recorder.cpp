#include "eslabon/recording/pages/cloud_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace eslabon::recording {

namespace {

constexpr double kBase64 = 4.0 / 3.0;
constexpr double kSameInstant = 1e-9;  // [s]

}  // namespace

CloudRecorder::CloudRecorder(std::string name, std::size_t most, bool is_planar, double bytes)
    : most_(most), is_planar_(is_planar), limit_(bytes) {
  cloud_.name = std::move(name);
}

double CloudRecorder::bytes_of(const report::Cloud::Instant& instant) const {
  // Numbers of two bytes; those that are the same throughout, of planar bodies z and two of the quaternion, take none. Weights take one.
  const double columns = is_planar_ ? 4.0 : 7.0;
  const double bodies = instant.X_WB.empty() ? 0.0 : static_cast<double>(instant.X_WB.front().size());
  return kBase64 * (2.0 * columns * bodies + 1.0) * static_cast<double>(instant.weights.size());
}

void CloudRecorder::add(double t, estimation::ManyStates& states) {
  if (cloud_.instants.empty()) begin_ = next_ = t;
  if (t < next_ - kSameInstant) return;
  if (!states.find_hypotheses(most_, hypotheses_)) return;
  const std::size_t count = hypotheses_.weights.size();
  if (count == 0) return;
  const auto bodies = static_cast<std::ptrdiff_t>(hypotheses_.X_WB.size() / count);
  report::Cloud::Instant& instant = cloud_.instants.emplace_back();
  instant.t = t;
  instant.weights = hypotheses_.weights;
  for (auto one = hypotheses_.X_WB.begin(); one != hypotheses_.X_WB.end(); one += bodies)
    instant.X_WB.emplace_back(one, one + bodies);
  num_all_ = std::max(num_all_, hypotheses_.num_all);
  num_kept_ = std::max(num_kept_, count);
  bytes_ += bytes_of(instant);
  while (bytes_ > limit_ && cloud_.instants.size() > 1) keep_every_second();
  next_ = begin_ + spacing_ * (std::floor((t - begin_ + kSameInstant) / spacing_) + 1.0);
}

void CloudRecorder::keep_every_second() {
  std::vector<report::Cloud::Instant>& list = cloud_.instants;
  for (std::size_t k = 1; 2 * k < list.size(); ++k) list[k] = std::move(list[2 * k]);
  list.resize((list.size() + 1) / 2);
  spacing_ *= 2.0;
  bytes_ =
      std::accumulate(list.begin(), list.end(), 0.0,
                      [this](double sum, const report::Cloud::Instant& one) { return sum + bytes_of(one); });
}

std::optional<report::Cloud> CloudRecorder::take() {
  if (cloud_.instants.empty()) return std::nullopt;
  bytes_ = 0.0;
  return std::exchange(cloud_, {});
}

}  // namespace eslabon::recording
