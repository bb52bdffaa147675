#include "eslabon/report/data/road_surface.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include <Eigen/Geometry>

namespace eslabon::report {

namespace {

constexpr double kBeside = 40.0;  // radii of the largest tyre that are drawn beside the way of the wheels
constexpr double kStep =
    0.01;  // [m] between places that are looked at along x, in roads that are not too long
constexpr std::size_t kMostLooks = 20000;    // along x
constexpr std::size_t kLooksAcross = 400;    // along y
constexpr std::size_t kProbes = 24;          // lines along which one looks for places to keep
constexpr std::size_t kMostAcross = 40;      // places kept along y
constexpr double kEdge = 1e-4;               // [m] before and behind an edge that is looked at
constexpr double kUnseen = 2e-4;             // [m] of height
constexpr double kUnseenPart = 1.0 / 200.0;  // of the greatest height
constexpr std::size_t kMostFrames = 4000;    // of a recording that are looked at

/// The box around what centres of tyres do, seen from above, wider by what is drawn beside it.
Eigen::AlignedBox2d box_of_wheels(const Report& report) {
  const model::Mechanism& mechanism = *report.mechanism;
  Eigen::AlignedBox2d box;
  double radius = 0.0;
  for (const model::Tyre& tyre : mechanism.tyres()) {
    radius = std::max(radius, tyres::unloaded_radius(tyre.fitted));
    const Eigen::Vector3d& p_BP_B = mechanism.point(tyre.center).p_BP_B;
    for (const Recording& recording : report.recordings) {
      if (!recording.motion) continue;
      const auto& X_WB = recording.motion->X_WB;
      const std::size_t stride = 1 + X_WB.size() / kMostFrames;
      for (std::size_t k = 0; k < X_WB.size(); k += stride) {
        const Eigen::Vector3d p_W = X_WB[k][tyre.center.body.slot() - 1].apply_to_point(p_BP_B);
        if (p_W.allFinite()) box.extend(Eigen::Vector2d(p_W.head<2>()));
      }
    }
  }
  if (box.isEmpty()) return box;
  const Eigen::Vector2d beside = Eigen::Vector2d::Constant(kBeside * radius);
  return {box.min() - beside, box.max() + beside};
}

/// So many places from one to the other, both included, with those just before and behind edges.
std::vector<double> places(double from, double to, std::size_t count, const std::vector<double>& edges) {
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
  for (const double edge : edges)
    for (const double place : {edge - kEdge, edge + kEdge})
      if (place > from && place < to) all.push_back(place);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

/// Of places those between which all lines are straight, to a tolerance; or the first of those when there are too many: always the one
/// where a line is farthest from what it would be without it.
class StraightPieces {
 public:
  /// `lines`: (lines × places).
  StraightPieces(const std::vector<double>& at, const std::vector<std::vector<double>>& lines)
      : at_(at), lines_(lines) {}

  std::vector<std::size_t> kept(double tolerance, std::size_t most) const {
    std::vector<std::size_t> kept{0, at_.size() - 1};
    std::priority_queue<Piece> pieces;
    pieces.push(piece(0, at_.size() - 1));
    while (kept.size() < most && pieces.top().distance > tolerance) {
      const Piece widest = pieces.top();
      pieces.pop();
      kept.push_back(widest.middle);
      pieces.push(piece(widest.begin, widest.middle));
      pieces.push(piece(widest.middle, widest.end));
    }
    std::ranges::sort(kept);
    return kept;
  }

 private:
  struct Piece {
    double distance = 0.0;
    std::size_t begin, end, middle;
    bool operator<(const Piece& other) const { return distance < other.distance; }
  };
  Piece piece(std::size_t begin, std::size_t end) const {
    Piece found{0.0, begin, end, begin};
    for (const std::vector<double>& line : lines_)
      for (std::size_t k = begin + 1; k < end; ++k) {
        const double part = (at_[k] - at_[begin]) / (at_[end] - at_[begin]);
        const double off = std::abs(line[k] - (1.0 - part) * line[begin] - part * line[end]);
        if (off > found.distance) found = {off, begin, end, k};
      }
    return found;
  }

  const std::vector<double>& at_;
  const std::vector<std::vector<double>>& lines_;
};

/// So many of a list at most, evenly, the first and the last among them.
std::vector<double> some(const std::vector<double>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<double> out;
  for (std::size_t k = 0; k < most; ++k) out.push_back(all[k * (all.size() - 1) / (most - 1)]);
  return out;
}

std::vector<double> at_positions(const std::vector<double>& all, const std::vector<std::size_t>& positions) {
  std::vector<double> out;
  for (const std::size_t k : positions) out.push_back(all[k]);
  return out;
}

}  // namespace

std::optional<RoadSurface> road_surface(const Report& report) {
  if (!report.mechanism || report.mechanism->tyres().empty()) return std::nullopt;
  const Eigen::AlignedBox2d box = box_of_wheels(report);
  if (box.isEmpty() || !(box.sizes().maxCoeff() > 0.0)) return std::nullopt;
  const tyres::Road& road = report.mechanism->road();
  const auto height = [&road](double x, double y) {  // over the plane; nothing where the road has no height
    const double plane = road.origin_W.z() + road.height + road.slope_x * (x - road.origin_W.x()) +
                         road.slope_y * (y - road.origin_W.y());
    const double over = tyres::road_at<double>(road, x, y).height +
                        tyres::plank_lift<double>(road, 0.0, x, y) - plane;  // planks as they are
    return std::isfinite(over) ? over : 0.0;
  };
  std::vector<double> edges_along;
  for (const tyres::RoadBump& bump : road.bumps)
    for (const double edge : {bump.begin, bump.begin + bump.length})
      edges_along.push_back(road.origin_W.x() + edge);
  const double length = box.sizes().x();
  const auto looks = static_cast<std::size_t>(std::clamp(length / kStep, 2.0, double{kMostLooks}));
  const std::vector<double> all_x = places(box.min().x(), box.max().x(), looks, edges_along);
  const std::vector<double> all_y = places(box.min().y(), box.max().y(), kLooksAcross, {road.origin_W.y()});

  std::vector<std::vector<double>> along, across;
  double highest = 0.0;
  for (const double y : some(all_y, kProbes)) {
    std::vector<double>& line = along.emplace_back();
    for (const double x : all_x) {
      line.push_back(height(x, y));
      highest = std::max(highest, std::abs(line.back()));
    }
  }
  const double tolerance = std::max(kUnseen, kUnseenPart * highest);
  const StraightPieces pieces_along(all_x, along);
  const std::vector<double> first_x =
      at_positions(all_x, pieces_along.kept(tolerance, RoadSurface::kMostPlaces / 2));
  for (const double x : some(first_x, 10 * kProbes)) {
    std::vector<double>& line = across.emplace_back();
    for (const double y : all_y) line.push_back(height(x, y));
  }
  RoadSurface surface;
  surface.y = at_positions(all_y, StraightPieces(all_y, across).kept(tolerance, kMostAcross));
  surface.x = at_positions(all_x, pieces_along.kept(tolerance, RoadSurface::kMostPlaces / surface.y.size()));
  for (const double x : surface.x)
    for (const double y : surface.y) surface.height.push_back(height(x, y));
  return surface;
}

}  // namespace eslabon::report
