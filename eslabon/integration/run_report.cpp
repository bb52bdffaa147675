#include "eslabon/integration/run_report.hpp"

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::integration {

using core::number_text;
using core::rounded_text;

namespace {

constexpr double kRoundoff = 1e-12;  // of a gap [m]

std::string names(std::vector<std::string> list) {
  for (std::string& name : list) name = core::quoted(name);
  return core::listed(list);
}

}  // namespace

core::ErrorText Trouble::error_text(bool is_adaptive) const {
  const std::string when = "t = " + number_text(t) + " s";
  if (limit) return *limit;
  const std::string advice =
      fast ? "The " + fast->name + " alone moves at about " + rounded_text(fast->rate) +
                 " 1/s: take 'bdf', or steps below " + rounded_text(1.0 / fast->rate) + " s."
      : is_stuck() && !driver.empty()
          ? driver +
                " may be at a limit of its range: 'eslabon kinematics' finds such "
                "limits. If it is not, " +
                (is_adaptive ? "'eslabon simulate' with another --formulation may pass."
                             : "take a smaller step.")
      : is_adaptive
          ? "Check what the mechanism does just before; another formulation or other coordinates may pass."
          : "Take a smaller step; if that does not help, check what the mechanism does just before.";
  const std::string tried = step > 0.0 ? " (last step tried: " + rounded_text(step) + " s)" : "";
  switch (kind) {
    case Kind::kNotClosed:
      return {.what = "the run ends early: the joints could not be closed",
              .where = (place.empty() ? "" : place + ", ") + when,
              .expected = "a position with every joint closed",
              .actual = residual > kRoundoff ? "a gap of " + rounded_text(residual) + " m" + tried
                                             : "none within reach" + tried,
              .next = advice};
    case Kind::kSingular:
      if (!without_mass.empty())
        return {.what = "the run ends early: a body can move without moving any mass",
                .where = "body " + names(without_mass) + ", " + when,
                .expected = "mass or inertia for every motion that joints allow",
                .actual = "a motion of " + names(without_mass) + " that has none",
                .next =
                    "Give it a 'mass:' (of a thin bar, an inertia about its own axis), or hold it by a joint "
                    "(a point mass by 'translation')."};
      return {
          .what = "the run ends early: the equations of motion are singular",
          .where = when,
          .expected = "constraints and masses that decide every acceleration",
          .actual = "a singular matrix, at a constraint error of " + rounded_text(residual) + " m" + tried,
          .next = "This is a singular position. " + advice};
    case Kind::kJammed:
      return {.what = "the run ends early: a joint jams",
              .where = when,
              .expected = "reactions that agree with the friction that they cause",
              .actual = "none that were found" + tried,
              .next =
                  "With so large a coefficient of friction rigid bodies may have no motion here: make it "
                  "smaller, or give "
                  "'coulomb:' instead."};
    case Kind::kForce: {
      core::ErrorText text = cause;
      text.what = "the run ends early: " + text.what;
      if (text.where.find("t = ") == std::string::npos) text.where += (text.where.empty() ? "" : ", ") + when;
      return text;
    }
    case Kind::kNotFinite:
      return {.what = "the run ends early: an acceleration is not a number",
              .where = when,
              .expected = "finite accelerations",
              .actual = "an overflow or NaN" + tried,
              .next = advice};
    case Kind::kJump:
      return {.what = "the run ends early: the position jumps",
              .where = when,
              .expected = "a motion that goes on as its velocities say",
              .actual = "a step of " + rounded_text(step) + " s that leads elsewhere",
              .next = advice};
    case Kind::kTurn:
      return {
          .what = "the run ends early: the step is too large",
          .where = when,
          .expected = "bodies that turn, or change their turning, by less than a quarter of a turn in a step",
          .actual = "one that turns by " + rounded_text(residual) + " rad" + tried,
          .next = advice};
    case Kind::kOpened:
      return {.what = "the run ends early: joints have come open",
              .where = (place.empty() ? "" : place + ", ") + when,
              .expected = "joints that stay closed",
              .actual = "a gap of " + rounded_text(residual) + " m",
              .next = "Take another formulation, or a smaller step."};
    case Kind::kNotConverged:
      return {.what = "the run ends early: the equations of a step could not be solved",
              .where = when,
              .expected = "Newton's corrections that become small",
              .actual = "a last one of " + rounded_text(residual) + " of the velocities" + tried,
              .next = advice};
    case Kind::kTooSmall:
      return {.what = "the run ends early: the steps have become too small",
              .where = when,
              .expected = "steps with which the end can be reached",
              .actual = "steps of " + rounded_text(step) + " s" +
                        (place.empty() ? "" : ", the last because " + place),
              .next = advice};
    case Kind::kNone:
      break;
  }
  return {.what = "the run ends early", .where = when, .expected = "", .actual = "", .next = advice};
}

}  // namespace eslabon::integration
