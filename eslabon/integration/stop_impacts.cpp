#include "eslabon/integration/stop_impacts.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Core>

#include "eslabon/core/number_text.hpp"
#include "eslabon/dynamics/passed_stop.hpp"

namespace eslabon::integration {

namespace {

using dynamics::DynamicsStatus;
using dynamics::Gap;
using dynamics::StopSide;

// All in units of the mechanism's size, or radians.
constexpr double kRestSpeed = 1e-6;  // per second; a rebound from it is as high as roundoff
constexpr double kBeyond = 1e-12;    // of a gap that has been passed
constexpr int kMostSweeps = 1000;    // over the impulses of (1)

/// A cubic from its values and slopes at 0 and h, and where it is least on the way.
struct Cubic {
  double y0, d0, y1, d1, h;
  double operator()(double s) const {
    const double x = s / h, x2 = x * x, x3 = x2 * x;
    return y0 * (1.0 - 3.0 * x2 + 2.0 * x3) + h * d0 * (x - 2.0 * x2 + x3) + y1 * (3.0 * x2 - 2.0 * x3) +
           h * d1 * (x3 - x2);
  }
  /// Where its slope is zero, 0 < s < h.
  std::vector<double> turning_points() const {
    const double a = 3.0 * (2.0 * (y0 - y1) + h * (d0 + d1)),
                 b = 2.0 * (3.0 * (y1 - y0) - h * (2.0 * d0 + d1)),
                 c = h * d0;  // a x² + b x + c = 0
    std::vector<double> points;
    const auto add = [&](double x) {
      if (x > 0.0 && x < 1.0) points.push_back(x * h);
    };
    const double D = b * b - 4.0 * a * c;
    if (D < 0.0) return points;
    const double q = -0.5 * (b + std::copysign(std::sqrt(D), b));
    if (q != 0.0) add(c / q);
    if (a != 0.0) add(q / a);
    std::ranges::sort(points);
    return points;
  }
};

}  // namespace

StopImpacts::StopImpacts(const dynamics::DynamicModel& model, MotionEquations& equations)
    : model_(model), equations_(equations), sides_(model.forces().rigid_sides().size()) {
  for (const StopSide& side : model.forces().rigid_sides())
    scale_.push_back(dynamics::gap_scale(model.mechanism(), side));
}

Gap StopImpacts::gap(const MotionPoint& point, std::size_t side) {
  return equations_.coupled().gap(point.state, point.a, side);
}

std::string StopImpacts::words(std::size_t side, const char* what) const {
  const model::Mechanism& mechanism = model_.mechanism();
  const StopSide& s = model_.forces().rigid_sides()[side];
  return model::name(mechanism, mechanism.stops()[s.stop].target) + " " + what + " " +
         side_name(mechanism, s);
}

double StopImpacts::restitution(std::size_t side) const {
  return *model_.mechanism().stops()[model_.forces().rigid_sides()[side].stop].restitution;
}

bool StopImpacts::is_touching(const MotionPoint& point, std::size_t side) {
  return gap(point, side).gap <= dynamics::kTouching * scale_[side];
}

void StopImpacts::check_start(const MotionPoint& point) const {
  coordinates::MechanismMotion bodies(model_.mechanism().bodies().size());
  equations_.formulation().evaluate_bodies(point.state, point.a, bodies);
  std::optional<core::ErrorText> passed =
      dynamics::find_passed_stop(model_, point.state.t, bodies, point.state.memory);
  if (!passed) return;
  passed->what = "the run starts beyond a limit";
  passed->next = "Start somewhere else, or move the limit.";
  throw core::ModelError(*passed);
}

std::optional<StopImpacts::Find> StopImpacts::search(const MotionPoint& from, const MotionPoint& to) {
  std::optional<Find> first;
  const double t0 = from.state.t, h = to.state.t - t0;
  const auto take = [&](const Find& find) {
    if (!first || find.t1 < first->t1) first = find;
  };
  for (std::size_t side = 0; side < sides_; ++side) {
    if (from.state.memory.rests[side]) {
      if (to.state.memory.holds[side] < 0.0)
        take({side, true, t0, from.state.memory.holds[side] > 0.0 ? to.state.t : t0});
      continue;
    }
    const Gap g0 = gap(from, side), g1 = gap(to, side);
    const double beyond = -kBeyond * scale_[side];
    const Cubic cubic{g0.gap, g0.rate, g1.gap, g1.rate, h};
    const bool is_away = g0.gap > 0.0 || g0.rate > 0.0;
    std::vector<double> places = cubic.turning_points();
    places.push_back(h);
    for (const double s : places) {
      const double g = s == h ? g1.gap : cubic(s);
      if (g < beyond) {
        take({side, false, t0, is_away ? t0 + s : t0});
        break;
      }
    }
  }
  return first;
}

double StopImpacts::value(const Find& find, const MotionPoint& point) {
  return find.is_release ? point.state.memory.holds[find.side] : gap(point, find.side).gap;
}

double StopImpacts::rate(const Find& find, const MotionPoint& point) { return gap(point, find.side).rate; }

bool StopImpacts::strike(MotionPoint& point, std::vector<std::string>& sentences) {
  touching_.clear();
  for (std::size_t side = 0; side < sides_; ++side)
    if (point.state.memory.rests[side] || is_touching(point, side)) touching_.push_back(side);
  return rebound(point, sentences) && settle(point, sentences);
}

bool StopImpacts::rebound(MotionPoint& point, std::vector<std::string>& sentences) {
  const std::size_t n = touching_.size();
  std::vector<double> rate(n), wanted(n), impulse(n, 0.0);
  bool approaches = false;
  for (std::size_t i = 0; i < n; ++i) {
    rate[i] = gap(point, touching_[i]).rate;
    const double back = -restitution(touching_[i]) * std::min(0.0, rate[i]);
    wanted[i] = back > kRestSpeed * scale_[touching_[i]] ? back : 0.0;
    approaches = approaches || rate[i] < 0.0;
  }
  if (!approaches) return true;
  // How the rates of the gaps answer to impulses.
  std::vector<std::vector<double>> change(n, std::vector<double>(point.a.size()));
  Eigen::MatrixXd A(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  MotionPoint moved = point;
  for (std::size_t j = 0; j < n; ++j) {
    if (!equations_.respond(point.state, touching_[j], change[j])) return false;
    for (std::size_t k = 0; k < moved.state.v.size(); ++k) moved.state.v[k] = point.state.v[k] + change[j][k];
    for (std::size_t i = 0; i < n; ++i)
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = gap(moved, touching_[i]).rate - rate[i];
  }
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {  // (1), one impulse after the other
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double after = rate[i];
      const auto row = static_cast<Eigen::Index>(i);
      for (std::size_t j = 0; j < n; ++j) after += A(row, static_cast<Eigen::Index>(j)) * impulse[j];
      const double next = std::max(0.0, impulse[i] + (wanted[i] - after) / A(row, row));
      largest = std::max(largest, std::abs(next - impulse[i]) * A(row, row));
      impulse[i] = next;
    }
    if (largest <= 1e-15 * std::abs(*std::ranges::min_element(rate))) break;
  }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < point.state.v.size(); ++k) point.state.v[k] += impulse[j] * change[j][k];
  for (std::size_t i = 0; i < n; ++i)
    if (rate[i] < 0.0 && wanted[i] > 0.0)
      sentences.push_back(
          words(touching_[i], "hits") + " at " + core::rounded_text(-rate[i]) + " " +
          std::string(model::unit(
              model_.mechanism(),
              model_.mechanism().stops()[model_.forces().rigid_sides()[touching_[i]].stop].target)) +
          "/s");
  return true;
}

bool StopImpacts::settle(MotionPoint& point, std::vector<std::string>& sentences) {
  const std::vector<bool> before = point.state.memory.rests;
  for (std::size_t side = 0; side < sides_; ++side) point.state.memory.rests[side] = false;
  for (const std::size_t side : touching_)
    point.state.memory.rests[side] = gap(point, side).rate <= kRestSpeed * scale_[side];
  // What is held back instead of pressed is let go, the worst first.
  while (true) {
    if (!equations_.evaluate_state(point)) return false;
    const std::vector<double>& holds = point.state.memory.holds;
    std::optional<std::size_t> worst;
    for (const std::size_t side : touching_)
      if (point.state.memory.rests[side] && holds[side] < 0.0 && (!worst || holds[side] < holds[*worst]))
        worst = side;
    if (!worst) break;
    point.state.memory.rests[*worst] = false;  // (2)
  }
  for (const std::size_t side : touching_) {
    const bool rests = point.state.memory.rests[side];
    if (rests && !before[side]) sentences.push_back(words(side, "comes to rest at"));
    if (!rests && before[side]) sentences.push_back(words(side, "leaves"));
  }
  return true;
}

}  // namespace eslabon::integration
