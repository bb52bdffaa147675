#pragma once

#include <string>
#include <utility>

#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/report/report.hpp"

/// Reports of one wheel on a tyre, which are drawn and not computed.
namespace eslabon::test {

constexpr double kWheelRadius = 0.3;

inline model::Mechanism wheel_on(tyres::Road road) {
  model::MechanismBuilder builder("wheel", model::Space::kSpatial);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "wheel",
                    .mass = 20.0,
                    .shape = model::Cylinder{kWheelRadius, 0.2, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                    .points = {{"C", {0.0, 0.0, 0.0}}}});
  builder.add_joint({"J", model::JointType::kFree, "ground.O", "wheel.C"});
  tyres::PlainTyre tyre;
  tyre.radius = kWheelRadius;
  tyre.stiffness = 2e5;
  tyre.relaxation_along = tyre.relaxation_across = 0.5;
  builder.add_tyre({.name = "tyre", .center = "wheel.C", .fitted = {.model = tyre}});
  builder.set_road(std::move(road));
  return builder.build();
}

/// It goes from x = 0 so far, at y, in so many frames; what the road does to it is made up.
inline report::Report wheel_report(tyres::Road road, double far, double y = 0.0, std::size_t frames = 50) {
  report::Report report;
  report.title = "wheel";
  report.mechanism = wheel_on(std::move(road));
  report::Recording& recording = report.recordings.emplace_back();
  recording.name = "motion";
  recording.motion.emplace();
  recording.contacts = {{"tyre", {}}};
  for (std::size_t k = 0; k < frames; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(frames - 1);
    recording.times.push_back(part);
    core::Pose<double> X_WB;
    X_WB.p_AB_A = {part * far, y, kWheelRadius};
    recording.motion->X_WB.push_back({X_WB});
    recording.contacts[0].instants.push_back(
        {{part * far, y, 0.0}, {0.0, 0.0, 3000.0 + 100.0 * part}, {-50.0 * part, 7.0, 0.0}});
  }
  recording.motion->times = recording.times;
  return report;
}

}  // namespace eslabon::test
