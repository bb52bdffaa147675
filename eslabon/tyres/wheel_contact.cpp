#include "eslabon/tyres/wheel_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Geometry>

#include "eslabon/tyres/road_half.hpp"

namespace eslabon::tyres {

namespace {

using core::Vector3;

/// (2) is looked for by looking again where it was found last: on a plane the first is exact, on a bump each is better by the product of its
/// curvature with the radius. A number that is traced is looked for so often, others until nothing changes.
constexpr int kTracedLooks = 8;
constexpr int kMostLooks = 120;
constexpr double kFound = 1e-14;  // by the greatest coordinate
constexpr double kLost = 1e-3;  // by R_0: where r still changes so much there is no point (2), r |z''| ≥ 1
constexpr int kLooksInTheAir = 12;  // that are enough for what is so far from the road, by R_0
constexpr double kInTheAir = 1.1;
constexpr double kFar =
    4.0;  // by R_0: of a wheel that lies, a distance from the road at which it is in the air
constexpr double kLies = 0.17;  // cosine of the camber

template <core::Scalar T>
Vector3<T> unit(const Vector3<T>& v) {
  return v / v.norm();
}

/// The road as the tyre feels it at S, with e_x as it was found last: heights in ratios 1 : 2 : 1, the slope along e_x from the outer two.
template <core::Scalar T>
RoadPointOf<T> felt_road(const Road& road, RoadHalf half, const RoadFeeler& feeler, const Vector3<T>& S,
                         const Vector3<T>& e_x) {
  RoadPointOf<T> at = road_at(road, half, S.x(), S.y());
  if (feeler.half_length == 0.0) return at;
  using std::sqrt;
  const T along = sqrt(T(e_x.x() * e_x.x() + e_x.y() * e_x.y()));
  const T c = e_x.x() / along, s = e_x.y() / along;
  const T dx = feeler.half_length * c, dy = feeler.half_length * s;
  const RoadPointOf<T> front = road_at(road, half, T(S.x() + dx), T(S.y() + dy)),
                       back = road_at(road, half, T(S.x() - dx), T(S.y() - dy));
  const T across = c * at.slope_y - s * at.slope_x;
  const T slope = (front.height - back.height) / (2.0 * feeler.half_length);
  at.height = 0.25 * (front.height + 2.0 * at.height + back.height);
  at.slope_x = slope * c - across * s;
  at.slope_y = slope * s + across * c;
  return at;
}

/// Planks as the tyre feels them: heights under the centre in ratios 1 : 2 : 1, the slope along e_x from the outer two. Without a contact length over
/// two thirds of the radius, which is about how long a contact on an edge is.
template <core::Scalar T>
struct FeltPlanks {
  T height;
  T slope_x, slope_y;
};
template <core::Scalar T>
FeltPlanks<T> felt_planks(const Road& road, RoadHalf half, const RoadFeeler& feeler, const Vector3<T>& C,
                          const Vector3<T>& e_x) {
  using std::sqrt;
  const double R = feeler.free_radius, length = feeler.half_length > 0.0 ? feeler.half_length : R / 3.0;
  const T along = sqrt(T(e_x.x() * e_x.x() + e_x.y() * e_x.y()));
  const T c = e_x.x() / along, s = e_x.y() / along;
  const auto lift = [&](double ahead) {
    return plank_lift(road, half, R, T(C.x() + ahead * c), T(C.y() + ahead * s));
  };
  const T front = lift(length), back = lift(-length), slope = (front - back) / (2.0 * length);
  return {T(0.25 * (front + 2.0 * lift(0.0) + back)), T(slope * c), T(slope * s)};
}

}  // namespace

template <core::Scalar T>
WheelContactOf<T> wheel_contact(const Road& road, RoadHalf half, const RoadFeeler& feeler,
                                const WheelMotionOf<T>& wheel) {
  WheelContactOf<T> contact;
  Vector3<T> up, center = wheel.center;  // over the road without its planks
  RoadPointOf<T> felt = road_at(road, half, center.x(), center.y());
  const auto look_at = [&](const RoadPointOf<T>& road_there) {  // (1)
    contact.normal = unit(Vector3<T>(T(-road_there.slope_x), T(-road_there.slope_y), T(1.0)));
    contact.ahead = unit(Vector3<T>(wheel.axis.cross(contact.normal)));
    contact.left = contact.normal.cross(contact.ahead);
    up = contact.ahead.cross(wheel.axis);
    contact.friction = road_there.friction;
  };
  look_at(felt);
  std::optional<FeltPlanks<T>> planks;
  if (has_planks(road)) {
    planks = felt_planks(road, half, feeler, center, contact.ahead);
    center.z() -= planks->height;
  }
  contact.radius = T(feeler.free_radius);
  const int most = core::NumericScalar<T> ? kMostLooks : kTracedLooks;
  int same = 0;
  double jump = 0.0;  // of r in the last look
  for (int look = 0; look < most && same < 2; ++look) {
    const Vector3<T> before = contact.point = center - contact.radius * up;
    [[maybe_unused]] const T radius_before = contact.radius;
    felt = felt_road(road, half, feeler, contact.point, contact.ahead);
    look_at(felt);
    const Vector3<T> on_road(contact.point.x(), contact.point.y(), felt.height);
    contact.radius = (center - on_road).dot(contact.normal) / up.dot(contact.normal);  // (2)
    if constexpr (core::NumericScalar<T>) {
      const Vector3<T> now = center - contact.radius * up;
      double change = 0.0, size = feeler.free_radius;
      for (int k = 0; k < 3; ++k) {
        change = std::max(change, std::abs(core::value_of(T(now[k] - before[k]))));
        size = std::max(size, std::abs(core::value_of(now[k])));
      }
      same = change <= kFound * size ? same + 1 : 0;
      jump = std::abs(core::value_of(contact.radius) - core::value_of(radius_before));
      if (look >= kLooksInTheAir && core::value_of(contact.radius) > kInTheAir * feeler.free_radius) break;
    }
  }
  if constexpr (core::NumericScalar<T>) {
    const double radius = core::value_of(contact.radius);
    // What lies in the air has its contact point anywhere: not at the end of the world.
    if (core::value_of(up.dot(contact.normal)) < kLies && !(radius < kFar * feeler.free_radius))
      contact.radius = T(kFar * feeler.free_radius);
    else if (jump > kLost * feeler.free_radius && radius < feeler.free_radius)
      contact.radius = T(std::numeric_limits<double>::quiet_NaN());
  }
  if (planks) {  // the tyre pushes off the edge
    felt.slope_x += planks->slope_x;
    felt.slope_y += planks->slope_y;
    look_at(felt);
  }
  contact.point = wheel.center - contact.radius * up;
  contact.sin_camber = wheel.axis.dot(contact.normal);
  contact.spin = wheel.w.dot(wheel.axis);
  const Vector3<T> v_S =
      wheel.velocity + (wheel.w - contact.spin * wheel.axis).cross(contact.point - wheel.center);  // (3)
  contact.v_x = v_S.dot(contact.ahead);                                                            // (4)
  contact.v_y = v_S.dot(contact.left);
  contact.radius_rate = v_S.dot(contact.normal) / up.dot(contact.normal);
  return contact;
}

template <core::Scalar T>
WheelContactOf<T> wheel_contact(const Road& road, const RoadFeeler& feeler, const WheelMotionOf<T>& wheel) {
  return wheel_contact(road, RoadHalf::kOfItsPlace, feeler, wheel);
}

#define ESLABON_INSTANTIATE(T)                                                       \
  template WheelContactOf<T> wheel_contact(const Road&, RoadHalf, const RoadFeeler&, \
                                           const WheelMotionOf<T>&);                 \
  template WheelContactOf<T> wheel_contact(const Road&, const RoadFeeler&, const WheelMotionOf<T>&);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
