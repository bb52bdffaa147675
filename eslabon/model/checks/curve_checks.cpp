#include "eslabon/model/checks/curve_checks.hpp"

#include <algorithm>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/checks/value_checks.hpp"

namespace eslabon::model::detail {

namespace {

using Eigen::Vector3d;

constexpr std::size_t kFewestPoints = 4;
// Of the length of all: nearer neighbours are one point written twice, and the tangent between them is roundoff.
constexpr double kCoinciding = 1e-9;

std::string ordinal_pair(std::size_t first, std::size_t second) {
  return "points " + std::to_string(first + 1) + " and " + std::to_string(second + 1);
}

const NamedCurve& curve_of(const JointEnd& end, const Mechanism& mechanism) {
  const std::vector<NamedCurve>& curves = mechanism.body(end.body).curves;
  return *std::ranges::find(curves, end.marker, &NamedCurve::name);
}

std::string at(const Joint& joint, const Mechanism& mechanism, const CurvatureExtreme& extreme,
               std::size_t end) {
  const Vector3d p = extreme.point_B + curve_of(joint.ends[end], mechanism).points.front();
  return "at (" + core::rounded_text(p.x()) + ", " + core::rounded_text(p.y()) +
         "), where q1 = " + core::rounded_text(extreme.place) + " m";
}

}  // namespace

void check_curve(const NamedCurve& curve, bool is_planar, const Place& place) {
  const Field field{"curve", curve.name};
  if (!is_planar && curve.is_other_side)
    fail(place, field,
         {"a side of a curve in space", "a side in planar mechanisms only",
          curve.is_closed ? "the inside" : "the right",
          "Remove it: in space points stay on the curve itself."});
  if (curve.points.size() < kFewestPoints)
    fail(place, field,
         {"a curve of too few points", "four points or more", std::to_string(curve.points.size()),
          "Give more points of it."});
  for (const Vector3d& point : curve.points) check_position(point, is_planar, place, field);
  double length = 0.0;
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i)
    length += (curve.points[i + 1] - curve.points[i]).norm();
  const std::size_t spans = curve.points.size() - (curve.is_closed ? 0 : 1);
  for (std::size_t i = 0; i < spans; ++i) {
    const std::size_t next = (i + 1) % curve.points.size();
    if ((curve.points[next] - curve.points[i]).norm() > kCoinciding * length) continue;
    const bool is_end = next == 0;
    fail(place, field,
         {is_end ? "a closed curve ends with its first point" : "two neighbouring points of a curve coincide",
          is_end ? "every point once" : "points apart from their neighbours",
          ordinal_pair(i, next) + ", both at " + to_text(curve.points[i]) + " m", "Remove one of the two."});
  }
}

void check_contact(const Joint& joint, const Mechanism& mechanism) {
  const Place place{kJointWord, joint.name};
  const Field field{facts(joint.type).name};
  if (joint.type == JointType::kPointOnCurve) {
    if (!(joint.length > 0.0)) return;
    const CurvatureExtreme most = extreme_curvature(*joint.ends[0].curve, false);
    if (most.curvature * joint.length < 1.0) return;
    fail(place, {"radius"},
         {"the roller does not fit into a hollow of the curve",
          "a radius below the smallest radius of curvature there, " +
              core::rounded_text(1.0 / most.curvature) + " m",
          with_unit(joint.length, "m") + "; it cannot touch the curve " + at(joint, mechanism, most, 0),
          "Take a smaller roller, or smooth the curve there."});
  }
  if (joint.type != JointType::kCurveOnLine) return;
  const NamedCurve& curve = curve_of(joint.ends[1], mechanism);
  if (!curve.is_closed || curve.is_other_side)
    fail(place, field,
         {"a straight face where no closed curve touches it", "a closed curve, touched from outside",
          curve.is_closed ? "one that is touched from inside" : "an open curve",
          curve.is_closed ? "Remove 'side:'." : "Write 'closed: true', or take a roller."});
  const CurvatureExtreme most = extreme_curvature(*joint.ends[1].curve, false);
  if (most.curvature < 0.0) return;
  fail(place, field,
       {"a straight face cannot touch a hollow", "a curve that is round outwards everywhere",
        "a curve that is " + std::string(most.curvature > 0.0 ? "hollow" : "straight") + " " +
            at(joint, mechanism, most, 1),
        "Take a roller, or a curve without a hollow."});
}

}  // namespace eslabon::model::detail
