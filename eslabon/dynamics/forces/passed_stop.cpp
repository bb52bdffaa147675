#include "eslabon/dynamics/forces/passed_stop.hpp"

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::dynamics {

double gap_scale(const model::Mechanism& mechanism, const StopSide& side) {
  return model::dimension(mechanism, mechanism.stops()[side.stop].target) == core::kAngle
             ? 1.0
             : coordinates::length_scale(mechanism);
}

std::optional<core::ErrorText> find_passed_stop(const DynamicModel& model, double t,
                                                const coordinates::MechanismMotion& bodies,
                                                const ForceMemory& memory) {
  const model::Mechanism& mechanism = model.mechanism();
  for (const StopSide& side : model.forces().rigid_sides()) {
    const double depth = -model.forces().gap(side, t, bodies, memory).gap;
    if (depth <= kTouching * gap_scale(mechanism, side)) continue;
    const model::Stop& stop = mechanism.stops()[side.stop];
    return core::ErrorText{
        .what = "",
        .where = side_name(mechanism, side),
        .expected = stopped_name(mechanism, stop) + " within its limits",
        .actual = core::rounded_text(depth) + " " + std::string(model::unit(mechanism, stop.target)) + " beyond",
        .next = ""};
  }
  return std::nullopt;
}

}  // namespace eslabon::dynamics
