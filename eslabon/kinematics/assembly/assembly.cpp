#include "eslabon/kinematics/assembly/assembly.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/kinematics/assembly/given_start.hpp"
#include "eslabon/kinematics/assembly/kept_starts.hpp"
#include "eslabon/kinematics/report_text.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using coordinates::MechanismMotion;
using Status = AssemblyReport::Status;

// Where bars are in one line, as without any start values, a guess can be a place from which no way leads downhill. Then
// others near it are tried, farther and farther away.
constexpr std::array kShakes{0.1, 0.3, 0.3, 1.0, 1.0, 1.0};  // [rad] or in units of the mechanism's size

constexpr int kMostGuesses = 24;
constexpr double kNearEnough = 1e-6;  // [rad], or in units of the size
constexpr double kMetStart = 1e-9;    // the same: what counts as closed

/// Where each driver starts, as far as it is known.
using DriverStarts = std::vector<std::optional<double>>;

class Assembler {
 public:
  /// `given` counts only where a function says so.
  Assembler(const model::Mechanism& mechanism, const structure::Structure& structure,
            std::vector<GivenStart> given)
      : mechanism_(mechanism), structure_(structure), given_(std::move(given)) {}

  AssemblyReport run(const MechanismMotion& guess, const DriverStarts& starts) const {
    const ClosingAttempt attempt = close(guess, starts);
    AssemblyReport report{.status = Status::kClosed,
                          .iterations = attempt.closing.iterations,
                          .residual = attempt.closing.residual,
                          .bodies = attempt.bodies};
    if (!attempt.closing.is_closed) {
      explain_open(guess, starts, report);
    } else if (const model::Joint* joint = find_inside_out(report.bodies)) {
      report.status = Status::kInsideOut;
      report.element = "joint '" + joint->name + "'";
      report.gap = "a joint that would be turned inside out";
    }
    if (report.usable()) read_driver_starts(starts, report);
    return report;
  }

  /// The same from a guess that is nearer to what the user said: joints closed and start values met as well as both can be
  /// at once. The less start values weigh against joints, the nearer is the closed position to the nearest of all.
  AssemblyReport run_near_start_values(const MechanismMotion& guess, const DriverStarts& starts,
                                       const std::vector<double>& weights = {1.0}) const {
    if (given_.empty()) return run(guess, starts);
    HeldValues held = hold_drivers(starts);
    const std::size_t num_drivers = held.what.size();
    for (const GivenStart& given : given_) hold(mechanism_, given, guess, held);
    const ConstraintSystem system("reference-point", mechanism_, structure_, held.what);
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(guess, {q, v, a}, held.near);
    RowChoice rows = held.rows(mechanism_);
    for (const double weight : weights) {
      rows.weights.assign(static_cast<std::size_t>(system.num_rows()), 1.0);
      for (int r = 0; r < system.num_rows(); ++r)
        if (const auto* row = std::get_if<coordinates::PrescribedIndex>(&system.label(r).source);
            row != nullptr && row->slot() >= num_drivers)
          rows.weights[static_cast<std::size_t>(r)] = weight;
      rows.origin_weight = weight;
      (void)close_by_least_squares(system, held.values, q, rows);
    }
    return run(bodies_at_rest(system, q), starts);
  }

  /// Of what is given, meets exactly as much as the degrees of freedom allow.
  void keep_start_values(const DriverStarts& starts, AssemblyReport& report) const {
    const ClosingAttempt kept = keep_given_starts(
        mechanism_, structure_, hold_drivers(starts), given_,
        {{.is_closed = true, .iterations = report.iterations, .residual = report.residual}, report.bodies});
    AssemblyReport moved{.status = Status::kClosed,
                         .iterations = kept.closing.iterations,
                         .residual = kept.closing.residual,
                         .bodies = kept.bodies};
    if (find_inside_out(moved.bodies) != nullptr) return;
    read_driver_starts(starts, moved);
    if (moved.usable()) report = moved;
  }

  /// Largest difference from a start value [rad], or in units of the mechanism's size.
  double distance_from_start_values(const MechanismMotion& bodies) const {
    return largest_distance(mechanism_, given_, bodies);
  }

  /// Whether all joints are closed there, as far as numbers in a file are rounded.
  bool is_closed(const MechanismMotion& bodies) const {
    const ConstraintSystem system("reference-point", mechanism_, structure_, {});
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(bodies, {q, v, a});
    coordinates::PositionLevel positions;
    system.evaluate_positions(q, {}, positions);
    return scaled_residual(system, positions.Phi, coordinates::length_scale(mechanism_)) <= kNearEnough &&
           find_inside_out(bodies) == nullptr;
  }
  bool has_no_start_values() const { return given_.empty(); }

 private:
  HeldValues hold_drivers(const DriverStarts& starts) const {
    HeldValues held;
    for (std::size_t i = 0; i < starts.size(); ++i)
      if (starts[i])
        held.add({mechanism_.drivers()[i].target, "driver '" + mechanism_.drivers()[i].name + "'"},
                 *starts[i]);
    return held;
  }

  ClosingAttempt close(const MechanismMotion& guess, const DriverStarts& starts) const {
    const HeldValues held = hold_drivers(starts);
    const ConstraintSystem system("reference-point", mechanism_, structure_, held.what);
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(guess, {q, v, a}, held.near);
    const std::vector<double> first = q;
    ClosingAttempt attempt{close_by_least_squares(system, held.values, q), guess};
    const double length = coordinates::length_scale(mechanism_);
    core::Rng rng(1);
    for (std::size_t i = 0; i < kShakes.size() && !attempt.closing.is_closed; ++i) {
      std::vector<double> shaken = first;
      for (std::size_t c = 0; c < n; ++c)
        shaken[c] += kShakes[i] * (2.0 * rng.uniform() - 1.0) *
                     (system.coordinates()[c].dimension == core::kLength ? length : 1.0);
      const ClosingReport closing = close_by_least_squares(system, held.values, shaken);
      if (closing.is_closed) {
        attempt.bodies = bodies_at_rest(system, shaken);
        if (find_inside_out(attempt.bodies) != nullptr || find_opposite(starts, attempt.bodies) != nullptr)
          continue;
      } else if (closing.residual >= attempt.closing.residual) {
        continue;
      }
      attempt.closing = closing;
      q = shaken;
    }
    attempt.bodies = bodies_at_rest(system, q);
    return attempt;
  }

  /// Which loop, or which driver, keeps it from closing.
  void explain_open(const MechanismMotion& guess, const DriverStarts& starts, AssemblyReport& report) const {
    report.status = Status::kOpen;
    if (std::ranges::any_of(starts, [](const auto& start) { return start.has_value(); })) {
      const ClosingAttempt free = close(guess, DriverStarts(starts.size()));
      if (free.closing.is_closed) {
        explain_driver(free.bodies, starts, report);
        return;
      }
      report.bodies = free.bodies;  // what stays open whatever the drivers do
      report.residual = free.closing.residual;
    }
    measure_loops(report);
  }

  /// The driver that is farthest from where the mechanism closes.
  void explain_driver(const MechanismMotion& closed, const DriverStarts& starts,
                      AssemblyReport& report) const {
    report.status = Status::kUnreachableDriver;
    double worst = -1.0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (!starts[i]) continue;
      const model::Driver& driver = mechanism_.drivers()[i];
      const bool is_angle = model::dimension(mechanism_, driver.target) == core::kAngle;
      double nearest = value_of(mechanism_, driver.target, closed);
      if (is_angle) nearest = coordinates::unwrapped(nearest, *starts[i]);
      const double off =
          std::abs(nearest - *starts[i]) / (is_angle ? 1.0 : coordinates::length_scale(mechanism_));
      if (off <= worst) continue;
      worst = off;
      report.element = "driver '" + driver.name + "'";
      const double origin = model::origin_part(mechanism_, driver.target);
      const auto told = [&](double x) {
        return short_number(origin + x, origin == 0.0 ? 6 : 12) + " " +
               model::unit(mechanism_, driver.target);
      };
      report.gap = model::name(mechanism_, driver.target) + " = " + told(*starts[i]) + "; it closes at " +
                   told(nearest);
    }
  }

  /// With the joints of the tree closed, all that is open is open in the joints that close loops. A loop that cannot be
  /// closed even alone is the one to name; when every loop can, the one that is farthest open with all.
  void measure_loops(AssemblyReport& report) const {
    const ConstraintSystem system("relative", mechanism_, structure_, {});
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(report.bodies, {q, v, a});
    Gap worst;
    for (const structure::Loop& loop : structure_.tree.loops) {
      Gap gap = measure(system, q, loop);
      if (structure_.tree.loops.size() > 1) {
        std::vector<double> alone = q;
        if (!close_by_least_squares(system, {}, alone, {.weights = weights_of_loop(system, loop)})
                 .is_closed) {
          gap = measure(system, alone, loop);
          gap.is_open_alone = true;
        }
      }
      if (worst.loop == nullptr || worst < gap) worst = gap;
    }
    if (worst.loop == nullptr) return;
    std::string names;
    for (const model::JointIndex joint : worst.loop->joints)
      names += (names.empty() ? "" : ", ") + mechanism_.joint(joint).name;
    report.element = "loop " + names;
    report.gap = "joint '" + mechanism_.joint(worst.loop->closing_joint).name + "' stays open by " +
                 (worst.length / worst.size >= worst.angle ? short_number(worst.length) + " m"
                                                           : short_number(worst.angle) + " rad");
  }

  /// How far the joint that closes a loop is open.
  struct Gap {
    const structure::Loop* loop = nullptr;
    double length = 0.0;  ///< [m]
    double angle = 0.0;   ///< [rad]
    double size = 1.0;    ///< of the mechanism [m]
    bool is_open_alone = false;
    bool operator<(const Gap& other) const {
      if (is_open_alone != other.is_open_alone) return other.is_open_alone;
      return length / size + angle < other.length / other.size + other.angle;
    }
  };

  Gap measure(const ConstraintSystem& system, const std::vector<double>& q,
              const structure::Loop& loop) const {
    coordinates::PositionLevel positions;
    system.evaluate_positions(q, {}, positions);
    Gap gap{.loop = &loop, .size = coordinates::length_scale(mechanism_)};
    for (int r = 0; r < system.num_rows(); ++r)
      if (belongs_to(system, r, loop)) {
        double& open = system.row_is_length(r) ? gap.length : gap.angle;
        open = std::hypot(open, positions.Phi[r]);
      }
    return gap;
  }

  static bool belongs_to(const ConstraintSystem& system, int row, const structure::Loop& loop) {
    const auto* joint = std::get_if<model::JointIndex>(&system.label(row).source);
    return joint != nullptr && *joint == loop.closing_joint;
  }

  /// 0 for rows of other loops, 1 for all others.
  std::vector<double> weights_of_loop(const ConstraintSystem& system, const structure::Loop& loop) const {
    std::vector<double> weights;
    for (int r = 0; r < system.num_rows(); ++r) {
      const bool is_of_another =
          !belongs_to(system, r, loop) &&
          std::ranges::any_of(structure_.tree.loops,
                              [&](const structure::Loop& other) { return belongs_to(system, r, other); });
      weights.push_back(is_of_another ? 0.0 : 1.0);
    }
    return weights;
  }

  /// A joint whose perpendicular directions are perpendicular, but whose parallel ones point opposite ways.
  const model::Joint* find_inside_out(const MechanismMotion& bodies) const {
    for (const model::Joint& joint : mechanism_.joints()) {
      const coordinates::RelativeMotion relative = coordinates::relative_motion(joint, bodies);
      const Eigen::Matrix3d& R = relative.R;
      const model::KeptAxes kept = model::facts(joint.type).kept_axes;
      const int axis = model::axis_column(joint.type);
      if (kept == model::KeptAxes::kOne && R(axis, axis) < 0.0) return &joint;
      // The row of rolling is the sine of what the circle is turned too far.
      if (joint.type == model::JointType::kRolling &&
          std::cos(std::atan2(R(1, 0), R(0, 0)) + relative.p.x() / joint.length) < 0.0)
        return &joint;
      if (model::has_lead(joint.type) &&
          std::cos(std::atan2(R(1, 0), R(0, 0)) - 2.0 * std::numbers::pi * relative.p.z() / joint.length) <
              0.0)
        return &joint;
      // Closed with all axes kept, a joint is turned by half a turn or not at all: two axes tell.
      if (kept == model::KeptAxes::kAll && (R(0, 0) < 0.0 || R(1, 1) < 0.0)) return &joint;
    }
    return nullptr;
  }

  /// A driver whose angle is half a turn off: its row is satisfied there as well.
  const model::Driver* find_opposite(const DriverStarts& starts, const MechanismMotion& bodies) const {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const model::Driver& driver = mechanism_.drivers()[i];
      if (!starts[i] || model::dimension(mechanism_, driver.target) != core::kAngle) continue;
      const double actual = value_of(mechanism_, driver.target, bodies);
      if (std::abs(coordinates::unwrapped(actual, *starts[i]) - *starts[i]) > 1.0) return &driver;
    }
    return nullptr;
  }

  void read_driver_starts(const DriverStarts& starts, AssemblyReport& report) const {
    for (std::size_t i = 0; i < starts.size(); ++i)
      report.driver_starts.push_back(
          starts[i] ? *starts[i] : value_of(mechanism_, mechanism_.drivers()[i].target, report.bodies));
    if (const model::Driver* driver = find_opposite(starts, report.bodies)) {
      const double start = *starts[static_cast<std::size_t>(driver - mechanism_.drivers().data())];
      report.status = Status::kUnreachableDriver;
      report.element = "driver '" + driver->name + "'";
      report.gap = model::name(mechanism_, driver->target) + " = " + short_number(start) +
                   " rad, opposite to the other start values";
    }
  }

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  std::vector<GivenStart> given_;
};

/// Whether the file says, by more than a guess, where a driver starts.
bool says_start(const model::Mechanism& mechanism, const model::Driver& driver) {
  return driver.level == model::DriverLevel::kPosition || driver.start ||
         std::ranges::any_of(mechanism.start_values(), [&](const model::StartValue& start) {
           return start.variable == driver.target && start.kind == model::StartKind::kExact;
         });
}

/// Where each driver starts, as far as the file says it.
DriverStarts known_starts(const model::Mechanism& mechanism, const structure::Structure& structure,
                          const StartGuess& guess) {
  DriverStarts starts;
  for (const model::Driver& driver : mechanism.drivers()) {
    if (driver.level == model::DriverLevel::kPosition) {
      starts.push_back(driver.function.evaluate(0.0));
      continue;
    }
    if (driver.start) {
      starts.push_back(*driver.start);
      continue;
    }
    const auto given =
        std::ranges::find(mechanism.start_values(), driver.target, &model::StartValue::variable);
    const auto is_turned = [&](model::BodyIndex body) {
      return guess.is_turn_given[structure.topology.link_of(body).slot()];
    };
    bool is_known = false;
    if (const auto* joint = std::get_if<model::JointIndex>(&driver.target.element))
      is_known = is_turned(mechanism.joint(*joint).first()) && is_turned(mechanism.joint(*joint).second());
    else if (const auto* body = std::get_if<model::BodyIndex>(&driver.target.element))
      is_known = is_turned(*body);
    else if (const auto* point = std::get_if<model::PointRef>(&driver.target.element))
      is_known = is_turned(point->body);
    if (given != mechanism.start_values().end())
      starts.push_back(given->value);
    else if (is_known)
      starts.push_back(value_of(mechanism, driver.target, guess.bodies));
    else
      starts.push_back(std::nullopt);
  }
  return starts;
}

/// The closed position that is nearest to the start values, of those that several guesses lead to.
AssemblyReport assemble_nearest(const model::Mechanism& mechanism, const structure::Structure& structure,
                                const Assembler& assembler, const StartGuess& guess,
                                const DriverStarts& starts) {
  AssemblyReport best = guess.is_complete ? assembler.run(guess.bodies, starts)
                                          : assembler.run_near_start_values(guess.bodies, starts);
  double nearest = std::numeric_limits<double>::infinity();
  if (best.usable()) nearest = assembler.distance_from_start_values(best.bodies);
  const auto consider = [&](const AssemblyReport& other, double margin) {
    if (!other.usable()) return;
    const double distance = assembler.distance_from_start_values(other.bodies);
    if (distance >= nearest + margin) return;
    nearest = distance;
    best = other;
  };
  if (assembler.is_closed(guess.bodies) && nearest <= kNearEnough) return best;
  if (guess.is_complete || best.status == Status::kInsideOut) return best;
  // Bodies that are drawn where they belong start from there; or, where one of them is put elsewhere, with it, as all were drawn.
  MechanismMotion drawn(mechanism.bodies().size());
  for (std::size_t b = 1; b < drawn.size(); ++b) {
    const model::Body& body = mechanism.bodies()[b];
    core::Pose<double>& X_WB = drawn[b].X_WB;
    X_WB.R_AB = core::Rotation<double>::from_rotation_vector(body.drawn.rotation_vector);
    X_WB.p_AB_A = body.drawn.p_WB_W + X_WB.R_AB * body.origin_B - mechanism.origin_W();
  }
  const auto consider_as_drawn = [&](const MechanismMotion& bodies) {
    if (assembler.is_closed(bodies)) consider(assembler.run_near_start_values(bodies, starts), 1e-9);
  };
  consider_as_drawn(drawn);
  for (const model::StartPose& pose : mechanism.start_poses()) {
    const core::Pose<double> shift =
        guess.bodies[pose.body.slot()].X_WB * drawn[pose.body.slot()].X_WB.inverse();
    MechanismMotion shifted = drawn;
    for (std::size_t b = 1; b < shifted.size(); ++b) shifted[b].X_WB = shift * drawn[b].X_WB;
    consider_as_drawn(shifted);
  }
  if (assembler.has_no_start_values()) return best;
  // Bodies about which nothing is said may stand so that the nearest closed position is on another branch than the one that
  // was meant: of several guesses that say the same, the one that ends nearest to the start values is right.
  core::Rng rng(1);
  for (int i = 0; i < kMostGuesses && nearest > kNearEnough; ++i)
    consider(assembler.run_near_start_values(guess_start(mechanism, structure, &rng).bodies, starts), -1e-9);
  if (best.usable() && nearest > kNearEnough)
    consider(assembler.run_near_start_values(best.bodies, starts, {0.1, 0.01}), 0.0);
  return best;
}

}  // namespace

AssemblyReport assemble(const model::Mechanism& mechanism, const structure::Structure& structure) {
  const Assembler assembler(mechanism, structure, given_starts(mechanism));
  const StartGuess guess = guess_start(mechanism, structure);
  const auto assemble_at = [&](const DriverStarts& starts) {
    AssemblyReport report = assemble_nearest(mechanism, structure, assembler, guess, starts);
    if (report.usable()) assembler.keep_start_values(starts, report);
    require_exact_starts(mechanism, report);
    return report;
  };
  DriverStarts starts = known_starts(mechanism, structure, guess);
  AssemblyReport report = assemble_at(starts);
  if (report.status != Status::kUnreachableStart) return report;
  // A driver that only guesses put somewhere goes where exact values want it.
  for (std::size_t i = 0; i < starts.size(); ++i)
    if (!says_start(mechanism, mechanism.drivers()[i])) starts[i].reset();
  AssemblyReport freed = assemble_at(starts);
  return freed.usable() ? freed : report;
}

void require_exact_starts(const model::Mechanism& mechanism, AssemblyReport& report) {
  if (!report.usable()) return;
  for (const GivenStart& given : given_starts(mechanism)) {
    if (given.kind != model::StartKind::kExact ||
        distance_from(mechanism, given, report.bodies).norm() <= kMetStart)
      continue;
    report.status = Status::kUnreachableStart;
    report.element = "start value '" + given.name + "'";
    report.gap = "the nearest closed position moves it " + move_text(mechanism, given, report.bodies);
    return;
  }
}

AssemblyReport assemble_from(const model::Mechanism& mechanism, const structure::Structure& structure,
                             const MechanismMotion& guess, const std::vector<double>& driver_starts) {
  return Assembler(mechanism, structure, {})
      .run(guess, DriverStarts(driver_starts.begin(), driver_starts.end()));
}

std::string AssemblyReport::brief() const {
  const std::string steps = std::to_string(iterations) + (iterations == 1 ? " iteration" : " iterations");
  if (usable()) return "closed in " + steps + ", residual " + short_number(residual);
  return element + ": " + gap + " after " + steps;
}

core::ErrorText AssemblyReport::error_text() const {
  switch (status) {
    case Status::kUnreachableDriver:
      return {.what = "the mechanism cannot be assembled where the driver starts",
              .where = element,
              .expected = "a position that the mechanism can reach",
              .actual = gap,
              .next = "Start the driver within reach, or give start values nearer to where it starts."};
    case Status::kUnreachableStart:
      return {
          .what = "the mechanism cannot start there",
          .where = element,
          .expected = "a value that goes with the drivers and the other values under 'start:'",
          .actual = gap,
          .next =
              "Under 'start:' give at most one value for each degree of freedom without a driver; guesses "
              "belong under 'assembly:'."};
    case Status::kInsideOut:
      return {.what = "the mechanism closes only with a joint turned inside out",
              .where = element,
              .expected = "start values less than a quarter turn from the assembled position",
              .actual = gap,
              .next = "Give better start values for the bodies of this joint under 'assembly:'."};
    default:
      return {.what = "the mechanism cannot be assembled",
              .where = element,
              .expected = "lengths and start values with which the loop closes",
              .actual = gap,
              .next =
                  "Check the lengths around this loop; if they are right, give start values nearer to the "
                  "assembled position under 'assembly:'."};
  }
}

std::optional<double> start_hint(const model::Mechanism& mechanism, const AssemblyReport& assembly,
                                 const model::Variable& variable) {
  for (std::size_t i = 0; i < mechanism.drivers().size(); ++i)
    if (mechanism.drivers()[i].target == variable) return assembly.driver_starts[i];
  for (const model::StartValue& start : mechanism.start_values())
    if (start.variable == variable) return start.value;
  return std::nullopt;
}

}  // namespace eslabon::kinematics
