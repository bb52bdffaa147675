#include "eslabon/integration/stop_impacts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <Eigen/Core>

#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"

namespace eslabon::integration {

namespace {

using dynamics::Gap;
using dynamics::StopSide;

// All in units of the mechanism's size, or radians.
constexpr double kRestSpeed = 1e-6;    // per second; a rebound from it is as high as roundoff
constexpr double kBeyond = 1e-12;      // of a gap that has been passed
constexpr double kResolved = 1e-8;     // how deep a passage may be that is not looked for
constexpr double kNoResponse = 1e-12;  // of the response of the whole mass

/// w = A p + b ≥ 0, p ≥ 0, w p = 0, for a symmetric A that is not negative, by exchange of the first index that is wrong (Murty);
/// none: there is no solution.
std::optional<Eigen::VectorXd> solve_complementarity(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  using Eigen::Index;
  const Index n = b.size();
  const double small = 1e-12 * b.lpNorm<Eigen::Infinity>();
  std::vector<bool> pushes(static_cast<std::size_t>(n), false);
  for (int i = 0; i < 100 + 50 * static_cast<int>(n); ++i) {
    std::vector<Index> in;
    for (Index k = 0; k < n; ++k)
      if (pushes[static_cast<std::size_t>(k)]) in.push_back(k);
    Eigen::VectorXd p = Eigen::VectorXd::Zero(n);
    if (!in.empty()) {
      const Eigen::MatrixXd A_in = A(in, in);
      const Eigen::VectorXd b_in = b(in), p_in = core::solve_least_norm(A_in, -b_in);
      p(in) = p_in;
    }
    const Eigen::VectorXd w = A * p + b;
    Index wrong = 0;
    const auto is_wrong = [&](Index k) {
      return pushes[static_cast<std::size_t>(k)] ? p[k] * A(k, k) < -small || std::abs(w[k]) > 1e3 * small
                                                 : w[k] < -small;
    };
    while (wrong < n && !is_wrong(wrong)) ++wrong;
    if (wrong == n) return p;
    pushes[static_cast<std::size_t>(wrong)] = !pushes[static_cast<std::size_t>(wrong)];
  }
  return std::nullopt;
}

}  // namespace

StopImpacts::StopImpacts(const dynamics::DynamicModel& model, MotionEquations& equations)
    : model_(model),
      equations_(equations),
      sides_(model.forces().rigid_sides().size()),
      bodies_(model.mechanism().bodies().size()),
      here_(sides_),
      knots_(sides_) {
  for (const StopSide& side : model.forces().rigid_sides())
    scale_.push_back(dynamics::gap_scale(model.mechanism(), side));
}

Gap StopImpacts::gap(const MotionPoint& point, std::size_t side) {
  equations_.formulation().evaluate_bodies(point.state, point.a, bodies_);
  return model_.forces().gap(model_.forces().rigid_sides()[side], point.state.t, bodies_, point.state.memory);
}

void StopImpacts::miss_gap(std::size_t side, double t) {
  equations_.trouble() = {.kind = Trouble::Kind::kForce,
                          .t = t,
                          .cause = model_.forces().why_no_gap(model_.forces().rigid_sides()[side], t)};
}

std::string StopImpacts::words(std::size_t side, const char* what) const {
  const model::Mechanism& mechanism = model_.mechanism();
  const StopSide& s = model_.forces().rigid_sides()[side];
  return dynamics::stopped_name(mechanism, mechanism.stops()[s.stop]) + " " + what + " " +
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

bool StopImpacts::find_knots(const MotionPoint& point) {
  equations_.formulation().evaluate_bodies(point.state, point.a, bodies_);
  for (std::size_t side = 0; side < sides_; ++side) {
    const std::optional<Gap> gap = model_.forces().find_gap(model_.forces().rigid_sides()[side],
                                                            point.state.t, bodies_, point.state.memory);
    if (!gap) {
      miss_gap(side, point.state.t);
      return false;
    }
    here_[side] = {point.state.t, gap->gap, gap->rate, gap->acceleration};
  }
  return true;
}

// Seed000 eq. 6
bool StopImpacts::search(const MotionPoint& from, const MotionPoint& to, const PointAt& at,
                         std::vector<Find>& finds) {
  finds.clear();
  for (std::vector<Knot>& of_side : knots_) of_side.clear();
  const auto add = [&](const MotionPoint& point) {
    if (!find_knots(point)) return false;
    for (std::size_t side = 0; side < sides_; ++side) knots_[side].push_back(here_[side]);
    return true;
  };
  if (!add(from)) return false;
  for (const double t : instants_of_small_turns(from, to)) {
    const MotionPoint* const point = at(t);
    if (point == nullptr || !add(*point)) return false;
  }
  if (!add(to)) return false;
  for (std::size_t side = 0; side < sides_; ++side) {
    if (from.state.memory.rests[side]) {
      if (to.state.memory.holds[side] < 0.0)
        finds.push_back(
            {side, true, from.state.t, from.state.memory.holds[side] > 0.0 ? to.state.t : from.state.t});
      continue;
    }
    const auto knot_at = [&](double t) -> std::optional<Knot> {
      const MotionPoint* const point = at(t);
      return point != nullptr && find_knots(*point) ? std::optional(here_[side]) : std::nullopt;
    };
    std::optional<Passage> passage;
    const PassageLimits limits{.floor = -kBeyond * scale_[side], .resolved = kResolved * scale_[side]};
    if (!find_first_passage(knots_[side], limits, std::ref(knot_at), passage)) return false;
    if (!passage) continue;
    const Knot& start = knots_[side].front();
    if (start.value > 0.0 || start.rate > 0.0)
      finds.push_back({side, false, passage->t0, passage->t1});
    else
      finds.push_back({side, false, start.t, start.t});
  }
  return true;
}

std::optional<double> StopImpacts::value(const Find& find, const MotionPoint& point) {
  if (find.is_release) return point.state.memory.holds[find.side];
  const std::optional<Gap> gap = equations_.coupled().find_gap(point.state, point.a, find.side);
  if (gap) return gap->gap;
  miss_gap(find.side, point.state.t);
  return std::nullopt;
}

double StopImpacts::rate(const Find& find, const MotionPoint& point) { return gap(point, find.side).rate; }

bool StopImpacts::strike(MotionPoint& point, std::optional<std::size_t> released,
                         std::vector<std::string>& sentences) {
  released_ = released;
  touching_.clear();
  for (std::size_t side = 0; side < sides_; ++side)
    if (point.state.memory.rests[side] || is_touching(point, side)) touching_.push_back(side);
  return rebound(point, sentences) && settle(point, sentences);
}

bool StopImpacts::rebound(MotionPoint& point, std::vector<std::string>& sentences) {
  const std::size_t n = touching_.size();
  std::vector<double> rate(n), wanted(n);
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
  MotionPoint still = point, moved = point;
  std::ranges::fill(still.state.v, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    if (!equations_.respond(point.state, touching_[j], change[j])) return false;
    moved.state.v = change[j];
    for (std::size_t i = 0; i < n; ++i)
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          gap(moved, touching_[i]).rate - gap(still, touching_[i]).rate;
  }
  if (!check_room(point.state.t, A)) return false;
  Eigen::VectorXd b(static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) b[static_cast<Eigen::Index>(i)] = rate[i] - wanted[i];
  const std::optional<Eigen::VectorXd> impulse = solve_complementarity(A, b);  // (1)
  if (!impulse)
    return refuse(point.state.t, "nothing gives way between rigid stops", touching_.back(),
                  "impulses that would have to be infinite", "Change the driver, or a stop.");
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < point.state.v.size(); ++k)
      point.state.v[k] += (*impulse)[static_cast<Eigen::Index>(j)] * change[j][k];
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

bool StopImpacts::refuse(double t, const std::string& what, std::size_t side, const std::string& actual,
                         const std::string& next) {
  const model::Mechanism& mechanism = model_.mechanism();
  const StopSide& s = model_.forces().rigid_sides()[side];
  equations_.trouble() = {
      .kind = Trouble::Kind::kForce,
      .t = t,
      .cause = {.what = what,
                .where = side_name(mechanism, s),
                .expected = "room for " + dynamics::stopped_name(mechanism, mechanism.stops()[s.stop]),
                .actual = actual,
                .next = next}};
  return false;
}

bool StopImpacts::check_room(double t, const Eigen::MatrixXd& response) {
  double mass = 0.0;
  for (const model::Body& body : model_.mechanism().bodies()) mass += body.mass_properties.mass;
  const std::vector<StopSide>& sides = model_.forces().rigid_sides();
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const std::size_t side = touching_[i];
    const auto row = static_cast<Eigen::Index>(i);
    if (!(response(row, row) * mass > kNoResponse))
      return refuse(t, "what drivers move runs into a rigid stop", side,
                    "a motion that no effort of the stop changes", "Change the driver, or the stop.");
    for (std::size_t j = 0; j < i; ++j)
      if (sides[touching_[j]].stop == sides[side].stop)
        return refuse(t, "the limits of a rigid stop meet", side, "both limits at the same place",
                      "Keep 'lower:' below 'upper:' at all times.");
  }
  return true;
}

bool StopImpacts::settle(MotionPoint& point, std::vector<std::string>& sentences) {
  const std::vector<bool> before = point.state.memory.rests;
  for (std::size_t side = 0; side < sides_; ++side) point.state.memory.rests[side] = false;
  for (const std::size_t side : touching_)
    point.state.memory.rests[side] = side != released_ && gap(point, side).rate <= kRestSpeed * scale_[side];
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
