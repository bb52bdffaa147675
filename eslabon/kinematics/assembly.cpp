#include "eslabon/kinematics/assembly.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "eslabon/core/rng.hpp"
#include "eslabon/kinematics/least_squares.hpp"
#include "eslabon/kinematics/report_text.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using coordinates::MechanismMotion;
using model::JointType;
using Status = AssemblyReport::Status;

// Where bars are in one line, as without any start values, a guess can be a place from which no way leads downhill. Then
// others near it are tried, farther and farther away.
constexpr std::array kShakes{0.1, 0.3, 0.3, 1.0, 1.0, 1.0};  // [rad] or in units of the mechanism's size

constexpr int kMostGuesses = 24;
constexpr double kNearEnough = 1e-6;  // [rad], or in units of the size

/// One attempt to close the mechanism, with some variables held.
struct Attempt {
  ClosingReport closing;
  MechanismMotion bodies;
};

class Assembler {
 public:
  Assembler(const model::Mechanism& mechanism, const structure::Structure& structure)
      : mechanism_(mechanism), structure_(structure) {}

  AssemblyReport run(const MechanismMotion& guess, const std::vector<std::optional<double>>& starts) const {
    const Attempt attempt = close(guess, starts);
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

  /// A guess that is nearer to what the user said: joints closed and start values met as well as both can be at once.
  MechanismMotion approached(const MechanismMotion& guess,
                             const std::vector<std::optional<double>>& starts) const {
    if (mechanism_.start_values().empty()) return guess;
    Held held = hold(starts);
    for (const model::StartValue& start : mechanism_.start_values()) {
      held.what.push_back({start.variable, "start value"});
      held.values.push_back({start.value, 0.0, 0.0});
      held.near.push_back(start.value);
    }
    const ConstraintSystem system("reference-point", mechanism_, structure_, std::move(held.what));
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(guess, {q, v, a}, held.near);
    (void)close_by_least_squares(system, held.values, q);
    MechanismMotion bodies = guess;
    evaluate_at_rest(system, q, bodies);
    return bodies;
  }

  /// Largest difference from a start value [rad], or in units of the mechanism's size.
  double distance_from_start_values(const MechanismMotion& bodies) const {
    const double length = coordinates::length_scale(mechanism_);
    double largest = 0.0;
    for (const model::StartValue& start : mechanism_.start_values()) {
      const double value = value_of(mechanism_, start.variable, bodies);
      const bool is_angle = model::unit(mechanism_, start.variable) == "rad";
      largest =
          std::max(largest, is_angle ? std::abs(coordinates::unwrapped(value, start.value) - start.value)
                                     : std::abs(value - start.value) / length);
    }
    return largest;
  }

 private:
  /// Drivers that stand at their starts.
  struct Held {
    std::vector<coordinates::Prescribed> what;
    std::vector<CoordinateValue> values;
    std::vector<double> near;
  };
  Held hold(const std::vector<std::optional<double>>& starts) const {
    Held held;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (!starts[i]) continue;
      held.what.push_back({mechanism_.drivers()[i].target, "driver '" + mechanism_.drivers()[i].name + "'"});
      held.values.push_back({*starts[i], 0.0, 0.0});
      held.near.push_back(*starts[i]);
    }
    return held;
  }

  Attempt close(const MechanismMotion& guess, const std::vector<std::optional<double>>& starts) const {
    Held held = hold(starts);
    const std::vector<CoordinateValue>& values = held.values;
    const ConstraintSystem system("reference-point", mechanism_, structure_, std::move(held.what));
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(guess, {q, v, a}, held.near);
    const std::vector<double> first = q;
    Attempt attempt{close_by_least_squares(system, values, q), guess};
    const double length = coordinates::length_scale(mechanism_);
    core::Rng rng(1);
    for (std::size_t i = 0; i < kShakes.size() && !attempt.closing.is_closed; ++i) {
      std::vector<double> shaken = first;
      for (std::size_t c = 0; c < n; ++c)
        shaken[c] += kShakes[i] * (2.0 * rng.uniform() - 1.0) *
                     (system.coordinates()[c].unit == coordinates::CoordinateUnit::kLength ? length : 1.0);
      const ClosingReport closing = close_by_least_squares(system, values, shaken);
      if (closing.is_closed) {
        evaluate_at_rest(system, shaken, attempt.bodies);
        if (find_inside_out(attempt.bodies) != nullptr || find_opposite(starts, attempt.bodies) != nullptr)
          continue;
      } else if (closing.residual >= attempt.closing.residual) {
        continue;
      }
      attempt.closing = closing;
      q = shaken;
    }
    evaluate_at_rest(system, q, attempt.bodies);
    return attempt;
  }

  static void evaluate_at_rest(const ConstraintSystem& system, const std::vector<double>& q,
                               MechanismMotion& bodies) {
    const std::vector<double> zero(q.size(), 0.0);
    coordinates::BodiesWorkspace workspace;
    system.evaluate_bodies(q, zero, zero, workspace, bodies);
  }

  /// Which loop, or which driver, keeps it from closing.
  void explain_open(const MechanismMotion& guess, const std::vector<std::optional<double>>& starts,
                    AssemblyReport& report) const {
    report.status = Status::kOpen;
    const bool has_held = std::ranges::any_of(starts, [](const auto& start) { return start.has_value(); });
    const Attempt free =
        has_held ? close(guess, std::vector<std::optional<double>>(starts.size())) : Attempt{};
    if (has_held && free.closing.is_closed) {
      report.status = Status::kUnreachableDriver;
      double worst = -1.0;
      for (std::size_t i = 0; i < starts.size(); ++i) {
        if (!starts[i]) continue;
        const model::Driver& driver = mechanism_.drivers()[i];
        const std::string unit(model::unit(mechanism_, driver.target));
        double nearest = value_of(mechanism_, driver.target, free.bodies);
        if (unit == "rad") nearest = coordinates::unwrapped(nearest, *starts[i]);
        const double off =
            std::abs(nearest - *starts[i]) / (unit == "rad" ? 1.0 : coordinates::length_scale(mechanism_));
        if (off <= worst) continue;
        worst = off;
        report.element = "driver '" + driver.name + "'";
        report.gap = model::name(mechanism_, driver.target) + " = " + short_number(*starts[i], 6) + " " +
                     unit + "; it closes at " + short_number(nearest, 6) + " " + unit;
      }
      return;
    }
    if (has_held) {  // what stays open whatever the drivers do
      report.bodies = free.bodies;
      report.residual = free.closing.residual;
    }
    measure_loops(report);
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
        if (!close_by_least_squares(system, {}, alone, rows_of_other_loops(system, loop)).is_closed) {
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

  std::vector<bool> rows_of_other_loops(const ConstraintSystem& system, const structure::Loop& loop) const {
    std::vector<bool> rows;
    for (int r = 0; r < system.num_rows(); ++r)
      rows.push_back(!belongs_to(system, r, loop) &&
                     std::ranges::any_of(structure_.tree.loops, [&](const structure::Loop& other) {
                       return belongs_to(system, r, other);
                     }));
    return rows;
  }

  /// A joint whose perpendicular directions are perpendicular, but whose parallel ones point opposite ways.
  const model::Joint* find_inside_out(const MechanismMotion& bodies) const {
    for (const model::Joint& joint : mechanism_.joints()) {
      const Eigen::Matrix3d R = coordinates::relative_motion(joint, bodies).R;
      const bool keeps_z = joint.type == JointType::kRevolute || joint.type == JointType::kCylindrical ||
                           joint.type == JointType::kPlanar || joint.type == JointType::kFixed;
      const bool keeps_x = joint.type == JointType::kPrismatic || joint.type == JointType::kFixed;
      if (keeps_z && R(2, 2) < 0.0) return &joint;
      if (keeps_x && (R(0, 0) < 0.0 || R(1, 1) < 0.0)) return &joint;
    }
    return nullptr;
  }

  /// A driver whose angle is half a turn off: its row is satisfied there as well.
  const model::Driver* find_opposite(const std::vector<std::optional<double>>& starts,
                                     const MechanismMotion& bodies) const {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const model::Driver& driver = mechanism_.drivers()[i];
      if (!starts[i] || model::unit(mechanism_, driver.target) != "rad") continue;
      const double actual = value_of(mechanism_, driver.target, bodies);
      if (std::abs(coordinates::unwrapped(actual, *starts[i]) - *starts[i]) > 1.0) return &driver;
    }
    return nullptr;
  }

  void read_driver_starts(const std::vector<std::optional<double>>& starts, AssemblyReport& report) const {
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
};

/// Where each driver starts, as far as the file says it.
std::vector<std::optional<double>> known_starts(const model::Mechanism& mechanism,
                                                const structure::Structure& structure,
                                                const StartGuess& guess) {
  std::vector<std::optional<double>> starts;
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

}  // namespace

AssemblyReport assemble(const model::Mechanism& mechanism, const structure::Structure& structure) {
  const Assembler assembler(mechanism, structure);
  const StartGuess guess = guess_start(mechanism, structure);
  const auto starts = known_starts(mechanism, structure, guess);
  const auto attempt = [&](const StartGuess& from) {
    return assembler.run(assembler.approached(from.bodies, starts), starts);
  };
  AssemblyReport best = guess.is_complete ? assembler.run(guess.bodies, starts) : attempt(guess);
  if (guess.is_complete || mechanism.start_values().empty()) return best;
  // Bodies about which nothing is said may stand so that the nearest closed position is on another branch than the one that
  // was meant: of several guesses that say the same, the one that ends nearest to the start values is right.
  core::Rng rng(1);
  double nearest = best.usable() ? assembler.distance_from_start_values(best.bodies)
                                 : std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostGuesses && nearest > kNearEnough; ++i) {
    const AssemblyReport other = attempt(guess_start(mechanism, structure, &rng));
    if (!other.usable()) continue;
    const double distance = assembler.distance_from_start_values(other.bodies);
    if (distance >= nearest - 1e-9) continue;
    nearest = distance;
    best = other;
  }
  return best;
}

AssemblyReport assemble_from(const model::Mechanism& mechanism, const structure::Structure& structure,
                             const MechanismMotion& guess, const std::vector<double>& driver_starts) {
  return Assembler(mechanism, structure)
      .run(guess, std::vector<std::optional<double>>(driver_starts.begin(), driver_starts.end()));
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
