// Ten planar mechanisms swept to random input positions, with toggles in reach: never on another branch in silence, and
// each toggle is reported. The other side is the intersection of circles, tests/dyad_chain.hpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/dyad_chain.hpp"
#include "tests/motion_of_time.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace eslabon::kinematics {
namespace {

using test::ChainDrive;
using test::ChainDyad;
using test::ChainPin;
using test::DyadChain;
using On = ChainPin::On;

constexpr double kPi = std::numbers::pi;
constexpr double kFarthest = 1.2 * 2.0 * kPi;  // of the input [rad]
constexpr double kStartReach = 0.05;           // of all dyads at the start, at least
constexpr std::uint64_t kSeed = 20260711;

// ---- The mechanisms --------------------------------------------------------------------------------------------------

ChainPin ground(double x, double y) { return {On::kGround, 0, {x, y}}; }
ChainPin crank(double length, std::size_t which = 0) { return {On::kCrank, which, {length, 0.0}}; }
ChainPin first(std::size_t dyad, double x, double y) { return {On::kFirst, dyad, {x, y}}; }
ChainPin second(std::size_t dyad, double x, double y) { return {On::kSecond, dyad, {x, y}}; }

/// The inputs are chosen where the sweeps start.
DyadChain driven_four_bar(const std::string& name, double g, double a, double h, double b) {
  return {name, {{}}, {{{crank(a), ground(g, 0.0)}, {h, b}}}};
}

std::vector<DyadChain> classics() {
  std::vector<DyadChain> chains;
  // Crank-rockers whose rocker is driven: models/fourbar-testbed.yaml, and one that swings farther.
  chains.push_back(driven_four_bar("driven rocker", 0.8, 0.455, 0.54, 0.12));
  chains.push_back(driven_four_bar("driven wide rocker", 1.0, 0.6, 0.9, 0.45));
  // Shortest and longest together longer than the others: nothing turns.
  chains.push_back(driven_four_bar("triple rocker", 1.2, 0.9, 0.5, 0.6));
  chains.push_back({"five-bar",
                    {{{0.0, 0.0}, 0.0, 1.0}, {{0.9, 0.1}, 0.0, -0.7}},
                    {{{crank(0.4, 0), crank(0.35, 1)}, {0.6, 0.7}}}});
  // The second dyad hangs on a corner of the rocker.
  chains.push_back({"Watt six-bar",
                    {{}},
                    {{{crank(0.3), ground(1.0, 0.0)}, {0.9, 0.7}},
                     {{second(0, 0.6, 0.45), ground(1.9, 0.1)}, {0.75, 0.5}}}});
  // It hangs on a point of the coupler, off the line of the pins.
  chains.push_back({"Stephenson III six-bar",
                    {{}},
                    {{{crank(0.3), ground(1.0, 0.0)}, {0.8, 0.6}},
                     {{first(0, 0.5, 0.55), ground(1.3, 0.9)}, {0.5, 0.45}}}});
  chains.push_back({"eight-bar",
                    {{}},
                    {{{crank(0.3), ground(1.0, 0.0)}, {0.9, 0.7}},
                     {{first(0, 0.5, 0.4), ground(1.6, 0.3)}, {0.6, 0.5}},
                     {{second(1, 0.4, -0.3), second(0, 0.4, 0.3)}, {0.4, 0.5}}}});
  return chains;
}

/// A crank and `dyads` dyads on places by chance. The pins of a dyad are on different links, not both on the ground.
DyadChain random_chain(core::Rng& rng, const std::string& name, std::size_t dyads) {
  const auto between = [&](double low, double high) { return low + (high - low) * rng.uniform(); };
  const auto place_by_chance = [&](std::size_t dyad) -> ChainPin {
    const std::uint64_t link = rng.uniform_index(2 * dyad + 2);
    if (link == 0) return ground(between(-0.5, 1.5), between(-0.7, 0.7));
    if (link == 1) return crank(between(0.25, 0.6));
    return {
        link % 2 == 0 ? On::kFirst : On::kSecond, (link - 2) / 2, {between(0.2, 1.0), between(-0.5, 0.5)}};
  };
  DyadChain chain{name, {{}}, {}};
  for (std::size_t k = 0; k < dyads; ++k) {
    ChainDyad dyad{{crank(between(0.25, 0.6)), ground(between(0.6, 1.4), between(-0.3, 0.3))},
                   {between(0.4, 1.1), between(0.4, 1.1)}};
    while (k > 0) {  // the last link is used at least
      const bool is_first = rng.uniform_index(2) == 0;
      dyad.pins = {
          ChainPin{is_first ? On::kFirst : On::kSecond, k - 1, {between(0.2, 1.0), between(-0.5, 0.5)}},
          place_by_chance(k)};
      if (dyad.pins[0].on != dyad.pins[1].on || dyad.pins[0].of != dyad.pins[1].of) break;
    }
    chain.dyads.push_back(dyad);
  }
  return chain;
}

// ---- Where sweeps start ----------------------------------------------------------------------------------------------

/// A chain at input 0 on some branch, with what lies ahead on both ways of the input.
struct Start {
  DyadChain chain;
  std::array<std::optional<DyadChain::Toggle>, 2> ahead;  ///< (0: forwards, 1: backwards) within kFarthest
};

/// A start by chance, well inside reach; nothing when none is found.
std::optional<Start> random_start(core::Rng& rng, DyadChain chain) {
  for (int attempt = 0; attempt < 2000; ++attempt) {
    for (test::ChainCrank& one : chain.cranks) one.start = kPi * (2.0 * rng.uniform() - 1.0);
    for (ChainDyad& dyad : chain.dyads) dyad.sign = rng.uniform_index(2) == 0 ? 1.0 : -1.0;
    if (!chain.is_in_reach(0.0, kStartReach)) continue;
    return Start{chain, {chain.first_toggle(0.0, kFarthest), chain.first_toggle(0.0, -kFarthest)}};
  }
  return std::nullopt;
}

/// Ten, the random ones such that many starts are found and about half of the ways have toggles within a turn.
const std::vector<DyadChain>& ten_mechanisms() {
  static const std::vector<DyadChain> chains = [] {
    std::vector<DyadChain> all = classics();
    core::Rng rng(kSeed);
    for (const std::size_t dyads : {2u, 3u, 3u}) {
      for (;;) {
        const DyadChain chain = random_chain(rng, "random chain " + std::to_string(all.size() + 1), dyads);
        int toggles = 0;
        for (int i = 0; i < 20; ++i) {
          const auto start = random_start(rng, chain);
          if (!start) break;
          for (const auto& ahead : start->ahead)
            if (ahead && std::abs(ahead->input) < 2.0 * kPi) ++toggles;
        }
        if (toggles < 10 || toggles > 38) continue;
        all.push_back(chain);
        break;
      }
    }
    return all;
  }();
  return chains;
}

// ---- One sweep -------------------------------------------------------------------------------------------------------

/// A run from the start with all that is asked of it, and what must come of it.
struct Sweep {
  ChainDrive drive;
  std::vector<double> times;                  ///< ascending [s], the last is the end
  std::optional<DyadChain::Toggle> toggle{};  ///< the first on the way
  double t_toggle = 0.0;                      ///< [s]
  bool is_decidable = true;                   ///< no toggle that is only touched, no time too near to one
};

/// Times nearer than this to a toggle ask for what roundoff decides [s].
constexpr double kTooNear = 1e-7;

/// Whether a swing that turns here does so where the reach is as good as 0.
bool is_touch(const DyadChain& chain, double input) {
  const std::vector<double> reach = chain.place(input).reach;  // the last one is the first that is negative
  return std::abs(*std::ranges::min_element(reach)) < DyadChain::kTouch;
}

/// The first toggle on the way and its time.
void look_ahead(const Start& start, double end, Sweep& sweep) {
  const ChainDrive& drive = sweep.drive;
  const double amount = std::abs(drive.amount);
  const bool is_forwards = drive.amount > 0.0;
  if (drive.is_swinging && (is_touch(start.chain, amount) || is_touch(start.chain, -amount)))
    sweep.is_decidable = false;
  for (const bool is_back : {false, true}) {  // the second half of a swing is on the other way
    if (is_back && !drive.is_swinging) return;
    const auto& toggle = start.ahead[is_forwards == is_back ? 1 : 0];
    if (!toggle) continue;
    const double distance = std::abs(toggle->input);
    if (drive.is_swinging && distance >= amount) continue;
    const double t =
        drive.is_swinging ? std::asin(distance / amount) + (is_back ? kPi : 0.0) : distance / amount;
    if (t > end + kTooNear) continue;
    sweep.toggle = toggle;
    sweep.t_toggle = t;
    if (toggle->is_touch || t > end - kTooNear) sweep.is_decidable = false;
    return;
  }
}

Sweep random_sweep(core::Rng& rng, const Start& start) {
  const auto small = [&](double most) { return most * std::pow(10.0, -5.0 * rng.uniform()); };
  Sweep sweep;
  const std::size_t way = rng.uniform_index(2);
  sweep.drive.is_swinging = rng.uniform_index(4) == 0;
  double target = kFarthest * rng.uniform();
  if (start.ahead[way]) {
    const double distance = std::abs(start.ahead[way]->input);
    const std::uint64_t choice = rng.uniform_index(4);
    if (choice == 1) target = std::min(kFarthest, distance * (0.1 + 1.2 * rng.uniform()));
    if (choice == 2) target = std::min(kFarthest, distance + small(0.1));
    if (choice == 3) target = distance - small(0.1 * distance);
  }
  const double speed = 0.3 * std::pow(10.0, rng.uniform());
  sweep.drive.amount = (way == 0 ? 1.0 : -1.0) * (sweep.drive.is_swinging ? target : speed);
  const double end = sweep.drive.is_swinging ? 2.0 * kPi * (0.1 + rng.uniform()) : target / speed;
  look_ahead(start, end, sweep);
  const int count = static_cast<int>(std::pow(100.0, rng.uniform()));
  const double last = sweep.toggle ? std::min(end, 1.2 * sweep.t_toggle) : end;
  for (int i = 0; i < count; ++i) sweep.times.push_back(last * rng.uniform());
  if (sweep.toggle && rng.uniform_index(3) == 0)
    for (const double side : {-1.0, 1.0})
      sweep.times.push_back(std::min(end, sweep.t_toggle * (1.0 + side * small(0.1))));
  sweep.times.push_back(end);
  std::ranges::sort(sweep.times);
  if (sweep.toggle)
    for (const double t : sweep.times)
      if (std::abs(t - sweep.t_toggle) < kTooNear) sweep.is_decidable = false;
  return sweep;
}

/// What came of many sweeps.
struct Tally {
  long sweeps = 0;
  long positions = 0;  ///< compared, and refused behind a toggle
  long toggles = 0;    ///< on the way, and reported as they are
  std::array<long, 3> toggles_of_dyad{};
  long skipped = 0;  ///< sweeps whose outcome roundoff decides
  // Faults.
  long branch_changes = 0;      ///< a position without a word on the other side of a dyad, or beyond a toggle
  long wrong_values = 0;        ///< on the right side, but not where the oracle is, or not its rates
  long unreported_toggles = 0;  ///< the motion ended, but not with the limit that it met
  long spurious_reports = 0;    ///< an end or an event without a toggle
  // Largest errors, in parts of their bounds.
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
  double toggle_input = 0.0;  ///< [rad]

  long faults() const { return branch_changes + wrong_values + unreported_toggles + spurious_reports; }
};

/// The variables of the inner pins: x, y, vx, vy, ax, ay of each.
std::vector<model::Variable> inner_pins(const model::Mechanism& mechanism, std::size_t dyads) {
  std::vector<model::Variable> variables;
  for (std::size_t k = 0; k < dyads; ++k)
    for (const char* component : {"x", "y", "vx", "vy", "ax", "ay"})
      variables.push_back(
          model::find_variable(mechanism, "first" + std::to_string(k + 1) + ".C." + component));
  return variables;
}

/// The shortest link of the dyads, and the longest arm on which a pin can sit [m].
std::array<double, 2> shortest_and_longest(const DyadChain& chain) {
  double shortest = chain.dyads[0].lengths[0], longest = shortest;
  for (const ChainDyad& dyad : chain.dyads)
    for (std::size_t i = 0; i < 2; ++i) {
      shortest = std::min(shortest, dyad.lengths[i]);
      longest =
          std::max({longest, dyad.lengths[i], dyad.pins[i].on == On::kGround ? 0.0 : dyad.pins[i].at.norm()});
    }
  return {shortest, longest};
}

/// Compares all inner pins. Where C is moves with a displacement x of the outer pins as a square root does: with s the
/// sine of the angle of the links, which is 0 at a toggle, and l the shortest of them,
///   |dC/dx| ~ 1/s,   |d²C/dx²| ~ 1/(l s³),   |d³C/dx³| ~ 1/(l² s⁵)                                       (1)
/// The pins move with w r, w the rate of the input and r the longest arm. So an x that is roundoff shows in C, and in its
/// first and second derivative by time, as
///   x/s,   x/s³ (w r/l),   x/s⁵ (w r/l)²                                                                  (2)
/// Dyads that hang on each other multiply their 1/s; by the chain rule the powers stay those of the product S. Of
/// positions x is some roundings. Rates may be those of a position that Newton's last correction is away, up to 1e-13 of
/// the size, and of a Jacobian with the backward error that the sparse solver lets pass, 1e-12; the factor 10 is for the
/// numbers left out in (1). Another branch is 2 s L₁L₂/|d| away: farther than any bound that is let pass.
void compare(const Sweep& sweep, const DyadChain& chain, const test::DrivenRun& run,
             const std::vector<model::Variable>& pins, Tally& tally) {
  constexpr double kPositionRoundoff = 1e-13,
                   kRateRoundoff = 10.0 * 1e-12;  // [m], the mechanisms are of about 1 m
  const double t = run.motion.state().t;
  const test::D2 input = sweep.drive.input(test::seeded_time(t));
  const auto expected = chain.place(input);
  const auto [shortest, longest] = shortest_and_longest(chain);
  const double w =
      std::max({std::abs(input.value.derivative), std::sqrt(std::abs(input.derivative.derivative)), 0.1}) *
      longest / shortest;
  ++tally.positions;
  if (expected.inner.size() != chain.dyads.size()) {
    ++tally.branch_changes;
    ADD_FAILURE() << "t = " << t << ": a position beyond the reach of dyad " << expected.inner.size() + 1;
    return;
  }
  double S = 1.0;
  for (std::size_t k = 0; k < chain.dyads.size(); ++k) {
    const ChainDyad& dyad = chain.dyads[k];
    const double sine = expected.sine[k].value.value;
    S /= sine;
    const auto actual = [&](std::size_t i) { return value_of(run.mechanism, pins[6 * k + i], run.bodies); };
    std::array<double, 3> error{};
    for (std::size_t i = 0; i < 2; ++i) {
      const test::D2& C = expected.inner[k][static_cast<Eigen::Index>(i)];
      error[0] = std::max(error[0], std::abs(actual(i) - C.value.value));
      error[1] = std::max(error[1], std::abs(actual(2 + i) - C.value.derivative));
      error[2] = std::max(error[2], std::abs(actual(4 + i) - C.derivative.derivative));
    }
    const double scale = test::tolerance_scale();
    const std::array<double, 3> bound{scale * kPositionRoundoff * S,
                                      scale * kRateRoundoff * std::pow(S, 3) * w,
                                      scale * kRateRoundoff * std::pow(S, 5) * w * w};  // (2)
    const double height = sine * dyad.lengths[0] * dyad.lengths[1] / (dyad.lengths[0] + dyad.lengths[1]);
    EXPECT_LT(bound[0], 0.1 * height) << "too near to a toggle to tell the branches apart";
    const std::array<double, 3> part{error[0] / bound[0], error[1] / bound[1], error[2] / bound[2]};
    tally.position = std::max(tally.position, part[0]);
    tally.velocity = std::max(tally.velocity, part[1]);
    tally.acceleration = std::max(tally.acceleration, part[2]);
    if (part[0] <= 1.0 && part[1] <= 1.0 && part[2] <= 1.0) continue;
    const bool is_other_side = error[0] > height;
    ++(is_other_side ? tally.branch_changes : tally.wrong_values);
    ADD_FAILURE() << "t = " << t << ", C" << k + 1 << (is_other_side ? " on another branch" : "")
                  << ": errors " << error[0] << " m, " << error[1] << " m/s, " << error[2]
                  << " m/s2; in parts of their bounds " << part[0] << ", " << part[1] << ", " << part[2];
    return;
  }
}

/// Whether the report at the end of the motion is that of the toggle. The input of a toggle is known to roundoff over the
/// slope of the reach, which kTouch bounds to about 1e-3: 1e-12 rad; measured 2e-10 rad where a swing turns 3e-4 rad
/// behind it, where the time is known a hundred times less well.
void check_report(const Sweep& sweep, const DyadChain& chain, const test::DrivenRun& run, Tally& tally) {
  const std::vector<MotionEvent>& events = run.motion.events();
  const std::string joint = "C" + std::to_string(sweep.toggle->dyad + 1);
  if (events.size() != 1 || events[0].kind != MotionEvent::Kind::kLimit || events[0].driver_values.empty() ||
      std::ranges::find(events[0].joints, joint) == events[0].joints.end()) {
    ++tally.unreported_toggles;
    ADD_FAILURE() << "the toggle of " << joint << " at t = " << sweep.t_toggle << " is not reported; "
                  << events.size() << " events, "
                  << (events.empty() ? "" : "the last: " + events.back().brief(run.mechanism));
    return;
  }
  const double input = (events[0].driver_values[0] - chain.cranks[0].start) / chain.cranks[0].ratio;
  const double error = std::abs(input - sweep.toggle->input);
  tally.toggle_input = std::max(tally.toggle_input, error);
  const double tolerance = test::tolerance_scale() * 1e-9;
  if (error <= tolerance && std::abs(sweep.drive.input(events[0].t) - sweep.toggle->input) <= tolerance &&
      std::abs(events[0].t - sweep.t_toggle) <= test::tolerance_scale() * 1e-6) {
    ++tally.toggles;
    ++tally.toggles_of_dyad.at(sweep.toggle->dyad);
    return;
  }
  ++tally.unreported_toggles;
  ADD_FAILURE() << "the toggle is at t = " << sweep.t_toggle << " and input = " << sweep.toggle->input
                << ", off by " << error << ": " << events[0].brief(run.mechanism);
}

void perform(const Sweep& sweep, const DyadChain& chain, const std::string& method, Tally& tally) {
  const long faults = tally.faults();
  test::DrivenRun run(io::read_mechanism(chain.text(sweep.drive), chain.name), sweep.times.back(), method,
                      "natural");
  const auto pins = inner_pins(run.mechanism, chain.dyads.size());
  compare(sweep, chain, run, pins, tally);
  for (const double t : sweep.times) {
    if (tally.faults() > faults) return;
    if (run.advance_to(t)) {
      compare(sweep, chain, run, pins, tally);  // behind the toggle it finds nothing there
      if (sweep.toggle && t > sweep.t_toggle && tally.faults() == faults) {
        ++tally.branch_changes;
        ADD_FAILURE() << "t = " << t << ": the toggle at t = " << sweep.t_toggle << " was passed";
      }
    } else if (sweep.toggle && t > sweep.t_toggle) {
      ++tally.positions;
      check_report(sweep, chain, run, tally);
      EXPECT_FALSE(run.advance_to(sweep.times.back())) << "it must not go on after the limit";
      return;
    } else {
      ++tally.spurious_reports;
      ADD_FAILURE() << "t = " << t << " is before any toggle"
                    << (sweep.toggle ? " (t = " + std::to_string(sweep.t_toggle) + ")" : "") << ": "
                    << run.motion.events().back().brief(run.mechanism);
    }
    if (tally.faults() == faults && !run.motion.events().empty()) {
      ++tally.spurious_reports;
      ADD_FAILURE() << "t = " << t << ": " << run.motion.events().back().brief(run.mechanism);
    }
  }
}

// ---- All sweeps ------------------------------------------------------------------------------------------------------

constexpr std::size_t kMechanisms = 10;

class GroupSweep : public testing::TestWithParam<std::tuple<std::string, std::size_t>> {
 protected:
  std::string method() const { return std::get<0>(GetParam()); }
  const DyadChain& chain() const { return ten_mechanisms().at(std::get<1>(GetParam())); }
  /// Positions of one mechanism: of all ten together 20 000, or as many as the requirement asks for.
  long positions() const {
    if (std::getenv("ESLABON_FULL_SWEEPS") == nullptr) return 2000;
    return method() == "groups" ? 100'000 : 10'000;
  }
};

// statistical: seeded; both sides are exact, so there is no false alarm.
TEST_P(GroupSweep, StaysOnItsBranchAndReportsEveryToggle) {
  core::Rng rng(kSeed, 1 + std::get<1>(GetParam()));
  std::vector<Start> starts;
  for (int i = 0; i < 40; ++i) {
    const auto start = random_start(rng, chain());
    ASSERT_TRUE(start);
    starts.push_back(*start);
  }
  Tally tally;
  while (tally.positions < positions()) {
    const Start& start = starts[rng.uniform_index(starts.size())];
    const Sweep sweep = random_sweep(rng, start);
    if (!sweep.is_decidable) {
      ++tally.skipped;
      continue;
    }
    ++tally.sweeps;
    const long faults = tally.faults();
    perform(sweep, start.chain, method(), tally);
    if (tally.faults() == faults) continue;
    std::string times;
    for (const double t : sweep.times) times += " " + core::number_text(t);
    ADD_FAILURE() << "sweep " << tally.sweeps << ":\n" << start.chain.text(sweep.drive) << "times:" << times;
    if (tally.faults() >= 5) break;
  }
  std::printf(
      "%s, %s: %ld positions in %ld sweeps, %ld toggles (of dyads 1, 2, 3: %ld, %ld, %ld); %ld skipped; %ld "
      "branch changes, %ld wrong values, %ld "
      "unreported toggles, %ld spurious reports; errors in parts of their bounds %.2g, %.2g, %.2g; of "
      "toggles %.2g "
      "rad\n",
      method().c_str(), chain().name.c_str(), tally.positions, tally.sweeps, tally.toggles,
      tally.toggles_of_dyad[0], tally.toggles_of_dyad[1], tally.toggles_of_dyad[2], tally.skipped,
      tally.branch_changes, tally.wrong_values, tally.unreported_toggles, tally.spurious_reports,
      tally.position, tally.velocity, tally.acceleration, tally.toggle_input);
  EXPECT_EQ(tally.branch_changes, 0);
  EXPECT_EQ(tally.wrong_values, 0);
  EXPECT_EQ(tally.unreported_toggles, 0);
  EXPECT_EQ(tally.spurious_reports, 0);
  EXPECT_GE(tally.positions, positions());
  EXPECT_GT(tally.toggles, 10);
  EXPECT_LT(tally.toggles, tally.sweeps) << "some reach their target";
  EXPECT_LE(100 * tally.skipped, tally.sweeps);
}

// ---- The oracle ------------------------------------------------------------------------------------------------------

TEST(TenMechanisms, AreTen) { EXPECT_EQ(ten_mechanisms().size(), kMechanisms); }

// Law of cosines: the pins of coupler and rocker are h + b apart, or as far as they can be when that is less.
TEST(DyadChain, FirstToggleOfAFourBarIsThatOfTheLawOfCosines) {
  const double limit = std::acos((1.2 * 1.2 + 0.9 * 0.9 - 1.1 * 1.1) / (2.0 * 1.2 * 0.9));
  DyadChain rocker = driven_four_bar("triple rocker", 1.2, 0.9, 0.5, 0.6);
  rocker.cranks[0].start = 0.4;
  ASSERT_TRUE(rocker.is_in_reach(0.0, kStartReach));
  for (const double way : {1.0, -1.0}) {
    const auto toggle = rocker.first_toggle(0.0, way * kFarthest);
    ASSERT_TRUE(toggle);
    EXPECT_NEAR(toggle->input, way * limit - 0.4, test::roundoff(10.0, 1.0));
    EXPECT_FALSE(toggle->is_touch);
    EXPECT_FALSE(rocker.first_toggle(0.0, toggle->input - way * 1e-9));
  }
}

// A crank that stands 1.3 m away from the rocker's pin at half a turn, with bars of nearly that length: depth 2e-3 of the
// reach for 1e-3 m, a toggle shortly before; 1e-9 m can be either.
TEST(DyadChain, FirstToggleTellsTogglesFromTouches) {
  for (const double missing : {1e-3, 1e-6, 1e-9, -1e-9, -1e-6, -1e-3}) {
    DyadChain chain = driven_four_bar("nearly", 1.0, 0.3, 0.7, 0.6 - missing);
    chain.cranks[0].start = 0.777;
    for (const double way : {1.0, -1.0}) {
      const double half_turn = way > 0.0 ? kPi - 0.777 : -kPi - 0.777;
      const auto found = chain.first_toggle(0.0, way * kFarthest);
      ASSERT_EQ(found.has_value(), missing > 0.0 || missing == -1e-9) << missing;
      if (!found) continue;
      EXPECT_EQ(found->is_touch, std::abs(missing) == 1e-9) << missing;
      // cos of the angle from half a turn, from d² = (1.3 − missing)².
      const double before =
          missing < 1e-8 ? 0.0 : std::acos(1.0 - (2.6 * missing - missing * missing) / (2.0 * 0.3));
      EXPECT_NEAR(found->input, half_turn - way * before, missing < 1e-8 ? 1e-4 : 1e-12) << missing;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, GroupSweep,
                         testing::Combine(testing::Values("sparse", "groups"),
                                          testing::Range(std::size_t{0}, kMechanisms)),
                         [](const auto& ways) {
                           return test::test_name(std::get<0>(ways.param) + "_" +
                                                  ten_mechanisms().at(std::get<1>(ways.param)).name);
                         });

}  // namespace
}  // namespace eslabon::kinematics
