#include "energy_verdict.hpp"

#include <cmath>

#include <fmt/format.h>

namespace eslabon::cli {

namespace {

constexpr double kNoted = 1e-4;       // of what passed
constexpr double kFailed = 1e-2;      // of what passed
constexpr double kNothing = 1e-12;    // of what passed: roundoff
constexpr double kMeasurable = 1e-6;  // of the energy in play: less is known too badly

std::string came_or_went(const EnergyVerdict& verdict) {
  return fmt::format("{:.3g} J, {:.2g} of what passed, {}", std::abs(verdict.open), verdict.part(),
                     verdict.open > 0.0 ? "came from nowhere" : "went nowhere");
}

}  // namespace

double EnergyVerdict::part() const { return is_known ? std::abs(open) / passed : 0.0; }

EnergyVerdict judge_energy(const integration::EnergyRange& energy, const integration::EnergyAudit* audit) {
  EnergyVerdict verdict{.open = energy.end - energy.start, .passed = energy.largest_kinetic};
  if (audit == nullptr) {
    verdict.open = std::copysign(energy.largest_change, verdict.open);
  } else {
    verdict.flows = audit->flows();
    verdict.open -= audit->flows().given();
    verdict.passed = audit->passed();
  }
  verdict.is_known =
      verdict.passed > kMeasurable * energy.in_play && (audit == nullptr || audit->is_complete());
  return verdict;
}

std::string energy_flows_text(const EnergyVerdict& verdict) {
  if (!verdict.flows) return "";
  std::string text;
  const auto add = [&](const char* who, double given) {
    if (std::abs(given) <= kNothing * verdict.passed) return;
    text += fmt::format("{}{} {} {:.6g} J", text.empty() ? "" : ", ", who, given > 0.0 ? "gave" : "took",
                        std::abs(given));
  };
  add("drivers", verdict.flows->drivers);
  add("loads", verdict.flows->loads);
  add("dampers", -verdict.flows->dampers);
  add("friction", verdict.flows->friction);
  add("impacts", -verdict.flows->impacts);
  if (verdict.is_known)
    text += fmt::format("{}closed to {:.2g} of what passed", text.empty() ? "" : "; ", verdict.part());
  return text;
}

std::optional<std::string> drift_note(const EnergyVerdict& verdict) {
  if (!(verdict.part() > kNoted)) return std::nullopt;
  return "the energy of the run is not accounted for: " + came_or_went(verdict) +
         ". Smaller steps or tolerances make it less.";
}

std::optional<core::ErrorText> drift_failure(const EnergyVerdict& verdict, bool is_adaptive) {
  if (!(verdict.part() > kFailed)) return std::nullopt;
  return core::ErrorText{
      .what = verdict.open > 0.0 ? "the run has gained energy that nothing gave"
                                 : "the run has lost energy that nothing took",
      .where = "energy",
      .expected = fmt::format("at most {:g} % of the {:.3g} J that passed", 100.0 * kFailed, verdict.passed),
      .actual = fmt::format("{:.3g} J, {:.3g} %", std::abs(verdict.open), 100.0 * verdict.part()),
      .next = std::string(is_adaptive ? "Ask for less with --rtol" : "Take smaller steps with --step") +
              ", or another integrator or formulation; --accept-drift takes it as it is."};
}

}  // namespace eslabon::cli
