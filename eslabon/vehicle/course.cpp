#include "eslabon/vehicle/course.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "eslabon/vehicle/smooth_function.hpp"

namespace eslabon::vehicle {

using model::TimeFunction;

std::vector<LaneSection> double_lane_change(double b) {
  constexpr double kOffset = 3.5;
  const double first = 1.1 * b + 0.25, second = 1.2 * b + 0.25, last = 1.3 * b + 0.25;
  const double edge = -0.5 * first;
  return {{15.0, first, edge}, {30.0, {}, 0.0},    {25.0, second, edge + kOffset},
          {25.0, {}, 0.0},     {15.0, last, edge}, {15.0, last, edge}};  // (1)
}

std::vector<LaneSection> obstacle_avoidance(double b) {
  constexpr double kGap = 1.0, kLeast = 3.0;
  const double first = 1.1 * b + 0.25, second = b + 1.0, last = std::max(1.3 * b + 0.25, kLeast);
  const double edge = -0.5 * first;
  return {{12.0, first, edge},
          {13.5, {}, 0.0},
          {11.0, second, edge + first + kGap},
          {12.5, {}, 0.0},
          {12.0, last, edge}};  // (2)
}

Course lane_course(const std::vector<LaneSection>& sections, double begin, const LanePath& driven) {
  Course course;
  const TimeFunction x = TimeFunction::argument(0);
  double at = begin, y = 0.0;
  std::optional<double> lane_end;  // of the lane before
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const LaneSection& section = sections[s];
    if (section.width) {
      const double middle = section.right_edge + 0.5 * *section.width;
      if (lane_end) {
        const double spare = 0.5 * (*section.width - driven.width);
        const double aside = std::max(spare - driven.clearance, 0.0);
        const double target = middle > y ? middle - aside : middle + aside;
        const double from = *lane_end - driven.before, to = at + driven.after;
        if (target != y) course.path = course.path + (target - y) * smooth_rise((x - from) / (to - from));
        y = target;
      } else {
        y = middle;
      }
      lane_end = at + section.length;
      const double beside = 0.5 * *section.width + Cone::kRadius;
      const bool goes_on = s > 0 && sections[s - 1].width.has_value();  // whose last cones are its first
      for (int k = goes_on ? 1 : 0; k < 3; ++k)
        for (const bool is_left : {true, false})
          course.cones.push_back({fmt::format("section {}, {}, {}", s + 1, is_left ? "left" : "right", k + 1),
                                  {at + 0.5 * k * section.length, middle + (is_left ? beside : -beside)}});
    }
    at += section.length;
  }
  course.end = at;
  return course;
}

Course slalom_course(int cones, double spacing, double begin, double beside) {
  Course course;
  for (int k = 0; k < cones; ++k)
    course.cones.push_back({fmt::format("cone {}", k + 1), {begin + k * spacing, 0.0}});
  course.end = begin + (cones - 1) * spacing;
  const TimeFunction x = TimeFunction::argument(0);
  const TimeFunction fade =
      smooth_rise((x - (begin - spacing)) / spacing) * (1.0 - smooth_rise((x - course.end) / spacing));
  course.path = beside * fade * cos((std::numbers::pi / spacing) * (x - begin));  // (3)
  return course;
}

}  // namespace eslabon::vehicle
