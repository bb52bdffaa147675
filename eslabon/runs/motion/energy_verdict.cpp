#include "eslabon/runs/motion/energy_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

constexpr double kNoted = 1e-4;     // of what passed
constexpr double kFailed = 1e-2;    // of what passed
constexpr double kNothing = 1e-12;  // of what passed: roundoff

std::string came_or_went(const EnergyVerdict& verdict) {
  return fmt::format("{:.3g} J, {:.2g} of the energy exchanged, {}", std::abs(verdict.open), verdict.part(),
                     verdict.open > 0.0 ? "appeared without a source" : "disappeared without a sink");
}

}  // namespace

double EnergyVerdict::part() const { return is_known ? std::abs(open) / passed : 0.0; }

EnergyVerdict judge_energy(const integration::EnergyRange& energy, const integration::EnergyAudit& audit,
                           bool is_fully_driven) {
  // Rows may be far apart: between them more moves than in them.
  EnergyVerdict verdict{.open = energy.end - energy.start,
                        .passed = std::max(energy.largest_kinetic, audit.passed())};
  if (audit.is_conservative()) {
    verdict.open = std::copysign(energy.largest_change, verdict.open);
  } else {
    verdict.flows = audit.flows();
    verdict.open -= audit.flows().given();
    verdict.has_gaps = !audit.is_complete();
  }
  if (is_fully_driven && verdict.flows) {
    verdict.flows->drivers += std::exchange(verdict.open, 0.0);
    return verdict;
  }
  verdict.is_known = audit.is_complete() && verdict.passed > 0.0 &&
                     verdict.passed >= integration::EnergyRange::kMeasurable * energy.in_play;
  return verdict;
}

std::string energy_flows_text(const EnergyVerdict& verdict, const model::Mechanism& mechanism) {
  if (!verdict.flows) return "";
  std::string text;
  const auto add = [&](const char* who, double given) {
    if (std::abs(given) <= kNothing * verdict.passed) return;
    text += fmt::format("{}{} {} {:.6g} J", text.empty() ? "" : ", ", who, given > 0.0 ? "gave" : "took",
                        std::abs(given));
  };
  add("drivers", verdict.flows->drivers);
  add("loads", verdict.flows->loads);
  add(mechanism.tyres().empty()     ? "dampers"
      : mechanism.dampers().empty() ? "tyres"
                                    : "dampers and tyres",
      -verdict.flows->dampers);
  // Stops on which something rests, and user forces, push like friction: without a law that would tell their work.
  add(mechanism.stops().empty() ? "friction" : "friction and stops", verdict.flows->friction);
  add("impacts", -verdict.flows->impacts);
  if (verdict.has_gaps)
    text += (text.empty() ? "" : "; ") + std::string("powers change too abruptly for an energy balance");
  if (verdict.is_known)
    text +=
        fmt::format("{}balanced to {:.2g} of the energy exchanged", text.empty() ? "" : "; ", verdict.part());
  return text;
}

std::optional<std::string> drift_note(const EnergyVerdict& verdict) {
  if (!(verdict.part() > kNoted)) return std::nullopt;
  const std::string what =
      verdict.flows
          ? "part of the energy is not accounted for: " + came_or_went(verdict)
          : fmt::format(
                "energy is not conserved: it drifts by up to {:.3g} J, {:.2g} of the max kinetic energy",
                std::abs(verdict.open), verdict.part());
  return what + ". Smaller steps or tolerances reduce it.";
}

std::optional<core::ErrorText> drift_failure(const EnergyVerdict& verdict, bool is_adaptive) {
  if (!(verdict.part() > kFailed)) return std::nullopt;
  return core::ErrorText{
      .what = verdict.open > 0.0 ? "the run has gained energy that no element supplied"
                                 : "the run has lost energy that no element absorbed",
      .where = "energy",
      .expected = fmt::format("at most {:g} % of the {:.3g} J exchanged", 100.0 * kFailed, verdict.passed),
      .actual = fmt::format("{:.3g} J, {:.3g} %", std::abs(verdict.open), 100.0 * verdict.part()),
      .next = (is_adaptive ? "Give a smaller " + field("rtol") : "Take smaller steps with " + field("step")) +
              ", or another integrator or formulation; " + field("accept_drift") + " takes it as it is."};
}

}  // namespace eslabon::runs
