#include "eslabon/estimation/mechanism/position_prior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/stop_contact.hpp"
#include "eslabon/model/counted_turns.hpp"

namespace eslabon::estimation {

using core::index;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kReach = 0.3;             // of one correction: farther away another sheet may lie
constexpr double kLeastPart = 1.0 / 64.0;  // of the way to z in one go
constexpr double kSame =
    1e-6;  // positions that close are one; where sheets meet they are known to the root of roundoff
constexpr int kMostDraws = 10000;         // of z for one position
constexpr int kMostSearches = 50;         // of `tries`, whatever they bring
constexpr std::size_t kMostPoints = 256;  // of one cell
constexpr int kCellsOfOne = 360, kCellsOfMore = 2500;
// How far beyond the face of a cell its neighbour is looked for when its middle cannot be reached, in widths.
constexpr double kDepths[] = {0.5, 0.1, 0.01};

/// The sum of the sizes of all bodies.
double reach_of(const model::Mechanism& mechanism, double length) {
  double sum = 0.0;
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    std::vector<Eigen::Vector3d> points;
    for (const model::Joint& joint : mechanism.joints())
      for (const model::JointEnd& end : joint.ends)
        if (end.body.slot() == b) points.push_back(end.X_BF.p_AB_A);
    double size = 0.0;
    for (const Eigen::Vector3d& p : points)
      for (const Eigen::Vector3d& other : points) size = std::max(size, (p - other).norm());
    sum += size;
  }
  for (const model::Joint& joint : mechanism.joints())
    if (joint.type == model::JointType::kRod) sum += joint.length;
  return std::max(sum, length);
}

bool is_constant(const std::optional<model::TimeFunction>& f) { return f && f->is_constant(); }

}  // namespace

PositionPrior::PositionPrior(const dynamics::DynamicModel& model, const std::vector<std::string>& freedoms,
                             const PositionPriorOptions& options)
    : motion_(model, freedoms),
      options_(options),
      reach_(reach_of(model.mechanism(), motion_.length())),
      trial_(VectorXd::Zero(motion_.num_coordinates())),
      found_(trial_),
      z_(VectorXd::Zero(motion_.num_freedoms())),
      z_go_(z_),
      z_from_(z_),
      zero_(index(motion_.num_coordinates()), 0.0),
      bodies_(model.mechanism().bodies().size()) {
  if (options.cells < 0 || options.tries < 1 || !(options.stop_depth >= 0.0))
    throw core::ContractError({.what = "a search for positions out of range",
                               .where = "position prior",
                               .expected = "cells >= 0, tries >= 1, stop_depth >= 0",
                               .actual = "others",
                               .next = "Give other numbers."});
  find_ranges();
  cut_cells();
  build();
}

DrawnPosition PositionPrior::make_position() const {
  const Index n = num_coordinates();
  return {VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, num_freedoms()), VectorXd::Zero(n)};
}

void PositionPrior::at(double t) {
  if (t == t_) return;
  t_ = t;
  if (!motion_.model().prescribed().empty()) build();
}

void PositionPrior::find_ranges() {
  const coordinates::ConstraintSystem& system = motion_.system();
  const model::Mechanism& mechanism = motion_.model().mechanism();
  for (const model::Stop& stop : mechanism.stops())
    if (stop.coupling)
      throw core::ModelError({.what = "an unknown start beside wheels with play",
                              .where = "stop '" + stop.name + "'",
                              .expected = "stops of one coordinate each",
                              .actual = dynamics::stopped_name(mechanism, stop) + ", whose turns nobody knows",
                              .next = "Give the start."});
  for (const int column : motion_.columns()) {
    const coordinates::Coordinate& z = system.coordinates()[index(column)];
    FreedomRange range{.name = z.name, .is_turn = z.dimension == core::kAngle};
    range.upper = range.is_turn ? std::numbers::pi : z.dimension == core::kLength ? reach_ : 1.0;
    range.lower = -range.upper;
    const double unit = z.dimension == core::kLength ? motion_.length() : 1.0;
    for (const model::Stop& stop : mechanism.stops()) {
      if (system.layout().column_of(stop.target) != column) continue;
      const double depth = stop.is_rigid() ? 0.0 : options_.stop_depth * unit;
      // Of several stops the narrowest counts; an angle begins with the limits of the first.
      const bool is_first =
          range.is_turn && range.lower == -std::numbers::pi && range.upper == std::numbers::pi;
      if (is_constant(stop.lower)) {
        const double lower = stop.lower->constant_value() - depth;
        range.lower = is_first ? lower : std::max(range.lower, lower);
      }
      if (is_constant(stop.upper)) {
        const double upper = stop.upper->constant_value() + depth;
        range.upper = is_first ? upper : std::min(range.upper, upper);
      }
    }
    if (range.is_turn && range.upper - range.lower < kTurn)
      range.is_turn = false, range.unwraps = true;
    else if (range.is_turn && model::counts_turns(mechanism))
      throw core::ModelError(
          {.what = "an unknown start has no end",
           .where = "'" + range.name + "'",
           .expected =
               "an angle after a turn of which the mechanism is where it was, or one that stops limit",
           .actual = "a mechanism whose couplings, or wheels that roll, count turns",
           .next = "Give the start, or limit the angle by a stop."});
    else if (range.is_turn)
      range.lower = -std::numbers::pi, range.upper = std::numbers::pi;
    ranges_.push_back(range);
  }
}

void PositionPrior::cut_cells() {
  const Index f = num_freedoms();
  int coupled = 0;
  for (Index k = 0; k < f; ++k) coupled += motion_.is_coupled(k) ? 1 : 0;
  const int cells = options_.cells > 0 ? options_.cells : coupled <= 1 ? kCellsOfOne : kCellsOfMore;
  const double each = coupled > 0 ? std::pow(static_cast<double>(cells), 1.0 / coupled) : 1.0;
  std::size_t total = 1;
  for (Index k = 0; k < f; ++k) {
    divisions_.push_back(
        motion_.is_coupled(k) ? std::max<std::size_t>(2, static_cast<std::size_t>(each + 1e-9)) : 1);
    total *= divisions_.back();
  }
  cells_.resize(total);
}

bool PositionPrior::read_freedoms(const VectorXd& q, VectorXd& z) const {
  for (Index k = 0; k < num_freedoms(); ++k) {
    const FreedomRange& range = ranges_[index(k)];
    z[k] = q[motion_.columns()[index(k)]];
    if (range.unwraps) z[k] = coordinates::unwrapped(z[k], 0.5 * (range.lower + range.upper));
    if (!(z[k] >= range.lower && z[k] <= range.upper)) return false;
  }
  return true;
}

std::size_t PositionPrior::cell_of(const VectorXd& z) const {
  std::size_t cell = 0;
  for (Index k = 0; k < num_freedoms(); ++k) {
    const FreedomRange& range = ranges_[index(k)];
    const double part = (z[k] - range.lower) / (range.upper - range.lower);
    const auto last = static_cast<double>(divisions_[index(k)] - 1);
    const double slot = std::clamp(std::floor(part * (last + 1.0)), 0.0, last);
    cell = cell * divisions_[index(k)] + static_cast<std::size_t>(slot);
  }
  return cell;
}

double PositionPrior::lower_of_cell(std::size_t cell, Index k) const {
  for (Index j = num_freedoms() - 1; j > k; --j) cell /= divisions_[index(j)];
  const FreedomRange& range = ranges_[index(k)];
  return range.lower + (range.upper - range.lower) * static_cast<double>(cell % divisions_[index(k)]) /
                           static_cast<double>(divisions_[index(k)]);
}

bool PositionPrior::neighbour(std::size_t cell, Index k, bool is_up, std::size_t& out) const {
  std::size_t stride = 1;
  for (Index j = num_freedoms() - 1; j > k; --j) stride *= divisions_[index(j)];
  const std::size_t number = divisions_[index(k)], slot = cell / stride % number;
  if (number == 1) return false;
  const bool is_end = is_up ? slot + 1 == number : slot == 0;
  if (is_end && !ranges_[index(k)].is_turn) return false;
  const std::size_t next = is_up ? (slot + 1) % number : (slot + number - 1) % number;
  out = cell + next * stride - slot * stride;
  return true;
}

bool PositionPrior::go(const VectorXd& from, int side, const VectorXd& z, VectorXd& out) {
  const Index f = num_freedoms();
  for (Index k = 0; k < f; ++k) z_from_[k] = from[motion_.columns()[index(k)]];
  out = from;
  double done = 0.0, part = 1.0;
  while (done < 1.0) {
    trial_ = out;
    const double next = std::min(1.0, done + part);
    for (Index k = 0; k < f; ++k) {
      double way = z[k] - z_from_[k];
      if (ranges_[index(k)].is_turn) way = std::remainder(way, kTurn);
      trial_[motion_.columns()[index(k)]] = z_from_[k] + next * way;
    }
    if (motion_.close(trial_, kReach) && motion_.side() == side) {
      out.swap(trial_);
      done = next;
      part *= 2.0;
    } else {
      part *= 0.5;
      if (part < kLeastPart) return false;
    }
  }
  return true;
}

bool PositionPrior::add(const VectorXd& q, int side) {
  if (!read_freedoms(q, z_)) return false;
  const std::size_t cell = cell_of(z_);
  std::vector<Point>& points = cells_[cell];
  if (points.size() >= kMostPoints) return false;
  VectorXd there(q.size()), z_there(z_.size());
  const VectorXd z_here = z_;
  for (const Point& point : points) {
    if (point.side != side) continue;
    if (go(point.q, side, z_here, there) && motion_.are_same(there, q, kSame)) return false;
    static_cast<void>(read_freedoms(point.q, z_there));
    if (go(q, side, z_there, there) && motion_.are_same(there, point.q, kSame)) return false;
  }
  points.push_back({q, side});
  waiting_.push_back({cell, points.size() - 1});
  return true;
}

void PositionPrior::visit(const Place& place, Index k, bool is_up) {
  std::size_t cell = 0;
  if (!neighbour(place.cell, k, is_up, cell)) return;
  const Point from = cells_[place.cell][place.point];
  VectorXd target(num_freedoms()), there(from.q.size());
  const auto width = [&](Index j) {
    return (ranges_[index(j)].upper - ranges_[index(j)].lower) / static_cast<double>(divisions_[index(j)]);
  };
  const auto take = [&]() {
    if (!go(from.q, from.side, target, there)) return false;
    motion_.wrap(there);
    add(there, from.side);
    return true;
  };
  for (Index j = 0; j < target.size(); ++j) target[j] = lower_of_cell(cell, j) + 0.5 * width(j);
  if (take()) return;
  static_cast<void>(read_freedoms(from.q, target));
  const double face = lower_of_cell(cell, k) + (is_up ? 0.0 : width(k));
  for (const double depth : kDepths) {
    target[k] = face + (is_up ? depth : -depth) * width(k);
    if (take()) return;
  }
}

void PositionPrior::flood() {
  while (!waiting_.empty()) {
    const Place place = waiting_.back();
    waiting_.pop_back();
    for (Index k = 0; k < num_freedoms(); ++k)
      for (const bool is_up : {false, true}) visit(place, k, is_up);
  }
}

void PositionPrior::draw_guess(core::Rng& rng, VectorXd& q) const {
  for (Index c = 0; c < q.size(); ++c) {
    const core::Dimension& dimension = motion_.system().coordinates()[index(c)].dimension;
    q[c] = dimension == core::kAngle    ? std::numbers::pi * (2.0 * rng.uniform() - 1.0)
           : dimension == core::kLength ? reach_ * (2.0 * rng.uniform() - 1.0)
                                        : rng.normal();
  }
  for (const int c : motion_.ball_columns()) q.segment<4>(c).normalize();
}

void PositionPrior::build() {
  motion_.at(t_);
  for (std::vector<Point>& cell : cells_) cell.clear();
  core::Rng rng(options_.seed);
  VectorXd q = motion_.start();
  for (int i = 0, idle = 0; idle < options_.tries && i < kMostSearches * options_.tries; ++i, ++idle) {
    if (i > 0) draw_guess(rng, q);
    if (!motion_.project(q)) continue;
    motion_.wrap(q);
    if (motion_.close(q, kReach) && add(q, motion_.side())) {
      idle = 0;
      flood();
    }
  }
  survey();
}

void PositionPrior::survey() {
  live_.clear();
  std::size_t most = 1;
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    if (cells_[c].empty()) continue;
    live_.push_back(c);
    most = std::max(most, cells_[c].size());
  }
  candidates_.resize(num_coordinates(), static_cast<Index>(most));
  num_branches_ = 0;
  for (std::size_t k = 0; k < ranges_.size(); ++k)
    ranges_[k].reached_lower = ranges_[k].upper, ranges_[k].reached_upper = ranges_[k].lower;
  for (const std::size_t c : live_)
    for (std::size_t i = 0; i < cells_[c].size(); ++i) {
      static_cast<void>(read_freedoms(cells_[c][i].q, z_));
      for (std::size_t k = 0; k < ranges_.size(); ++k) {
        if (!motion_.is_coupled(static_cast<Index>(k))) {
          ranges_[k].reached_lower = ranges_[k].lower, ranges_[k].reached_upper = ranges_[k].upper;
          continue;
        }
        const double z = z_[static_cast<Index>(k)];
        ranges_[k].reached_lower = std::min(ranges_[k].reached_lower, z);
        ranges_[k].reached_upper = std::max(ranges_[k].reached_upper, z);
      }
      if (i == 0) num_branches_ = std::max(num_branches_, static_cast<int>(find_candidates(c, z_)));
    }
}

bool PositionPrior::respects_stops(const VectorXd& q) {
  const model::Mechanism& mechanism = motion_.model().mechanism();
  if (mechanism.stops().empty()) return true;
  motion_.system().evaluate_bodies({q.data(), index(q.size())}, zero_, zero_, bodies_workspace_, bodies_);
  return std::ranges::all_of(mechanism.stops(), [&](const model::Stop& stop) {
    coordinates::CoordinateValue value = dynamics::position_value(mechanism, stop.target, bodies_);
    const bool is_length = model::dimension(mechanism, stop.target) == core::kLength;
    if (!is_length) {  // limits may lie beyond half a turn
      const double lower = stop.lower ? stop.lower->evaluate(t_) : stop.upper->evaluate(t_),
                   upper = stop.upper ? stop.upper->evaluate(t_) : lower;
      value.position = coordinates::unwrapped(value.position, 0.5 * (lower + upper));
    }
    const double depth = stop.is_rigid() ? 0.0 : options_.stop_depth * (is_length ? motion_.length() : 1.0);
    return (!stop.lower || dynamics::gap_at(stop, false, value, t_).gap >= -depth) &&
           (!stop.upper || dynamics::gap_at(stop, true, value, t_).gap >= -depth);
  });
}

Index PositionPrior::find_candidates(std::size_t cell, const VectorXd& z) {
  Index count = 0;
  for (const Point& point : cells_[cell]) {
    if (!go(point.q, point.side, z, found_)) continue;
    bool is_known = false;
    for (Index j = 0; j < count && !is_known; ++j) {
      trial_ = candidates_.col(j);
      is_known = motion_.are_same(found_, trial_, kSame);
    }
    if (!is_known && respects_stops(found_)) candidates_.col(count++) = found_;
  }
  return count;
}

// Seed000 eq. 125
bool PositionPrior::draw(core::Rng& rng, DrawnPosition& out) {
  if (live_.empty()) return false;
  for (int i = 0; i < kMostDraws; ++i) {
    const std::size_t cell = live_[rng.uniform_index(live_.size())];
    for (Index k = 0; k < num_freedoms(); ++k)
      z_go_[k] = lower_of_cell(cell, k) + rng.uniform() *
                                              (ranges_[index(k)].upper - ranges_[index(k)].lower) /
                                              static_cast<double>(divisions_[index(k)]);
    const std::vector<Point>& points = cells_[cell];
    const Point& point = points[rng.uniform_index(points.size())];
    if (!go(point.q, point.side, z_go_, out.q) || !respects_stops(out.q)) {
      // Each of those that are there stays as likely as the others.
      const Index count = find_candidates(cell, z_go_);
      if (count == 0) continue;
      out.q = candidates_.col(static_cast<Index>(rng.uniform_index(static_cast<std::uint64_t>(count))));
    }
    motion_.wrap(out.q);
    if (!respects_stops(out.q) || !motion_.close(out.q, kReach)) continue;
    motion_.read_directions(out.R, out.s);
    return true;
  }
  return false;
}

Eigen::MatrixXd PositionPrior::positions_at(const VectorXd& z) {
  const Index count = find_candidates(cell_of(z), z);
  return candidates_.leftCols(count);
}

}  // namespace eslabon::estimation
