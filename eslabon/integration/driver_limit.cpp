#include "eslabon/integration/driver_limit.hpp"

#include <algorithm>

#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace eslabon::integration {

namespace {

constexpr int kSteps = 200;           // up to the end of the run; Motion halves those that are too long
constexpr double kPastTheEnd = 1e-3;  // of the time, behind the end of the run

}  // namespace

std::optional<core::ErrorText> driver_limit(const dynamics::DynamicModel& model, double t, double until) {
  using kinematics::MotionEvent;
  std::vector<coordinates::CoordinateValue> drivers(model.prescribed().size());
  model.evaluate_drivers_or_throw(0.0, drivers);
  std::vector<double> starts;
  starts.reserve(drivers.size());
  for (const coordinates::CoordinateValue& driver : drivers) starts.push_back(driver.position);
  const kinematics::AssemblyReport start =
      kinematics::assemble_from(model.mechanism(), model.structure(), model.start(), starts);
  if (!start.usable()) return std::nullopt;
  const double end = std::min(t * (1.0 + kPastTheEnd), until);
  try {
    const kinematics::DrivenMechanism driven(model.assembled().placed(start));
    kinematics::Motion motion(kinematics::choose_method(driven).method, "natural", driven, until);
    for (int k = 1; k <= kSteps; ++k)
      if (!motion.advance_to(end * k / kSteps)) {
        const MotionEvent& event = motion.events().back();
        core::ErrorText text = event.error_text(model.mechanism());
        if (event.kind == MotionEvent::Kind::kLimit) {
          text.what = "the run ends early at a singular position";
          text.next = "Keep the driver within this limit, or drive another joint through it.";
          return text;
        }
        if (event.kind == MotionEvent::Kind::kJump) {
          text.what = "the run ends early";
          text.next = "Make its function continuous.";
          return text;
        }
        return std::nullopt;
      }
  } catch (const core::ModelError&) {  // of a mechanism that drivers alone do not move
  }
  return std::nullopt;
}

}  // namespace eslabon::integration
