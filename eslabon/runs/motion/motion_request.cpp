#include "eslabon/runs/motion/motion_request.hpp"

#include <algorithm>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/kinematics/kinematic_method.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

std::vector<std::string> known_methods() {
  std::vector<std::string> methods = kinematics::method_names();
  methods.insert(methods.begin(), kAuto);
  return methods;
}

void check(const MotionRequest& request) {
  if (request.until < core::Duration()) require_positive("until", request.until);
  if (request.step) require_positive("step", *request.step);
  if (request.every) require_positive("every", *request.every);
  std::vector<std::string> with_coordinates{kAuto};
  for (const std::string& name : kinematics::method_names())
    if (kinematics::has_coordinates(name)) with_coordinates.push_back(name);
  require_known("method", "unknown method", request.method, known_methods());
  if (!request.coordinates) return;
  require_known("coordinates", "unknown coordinates", *request.coordinates, coordinates::layout_names());
  if (std::ranges::find(with_coordinates, request.method) == with_coordinates.end())
    throw RequestError(
        {.what = "the method '" + request.method + "' uses no coordinates",
         .where = field("coordinates"),
         .expected = "a method that does, " + core::quoted_list(with_coordinates),
         .actual = "'" + *request.coordinates + "' with " + field("method") + " " + request.method,
         .next = "Leave " + field("coordinates") + " out, or take another method."});
}

TimeGrid grid_of(const MotionRequest& request) {
  if (request.every) return {request.until, *request.every, "every"};
  return {request.until, request.step.value_or(thousandth_of(request.until)), "step"};
}

}  // namespace eslabon::runs
