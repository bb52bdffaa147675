#include "eslabon/model/checks/coupling_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/model/elements/time_derivative.hpp"

namespace eslabon::model::detail {

namespace {

/// The key that holds the numbers of a kind.
Field number_field(CouplingKind kind) {
  static constexpr std::array<std::string_view, 6> kKeys{"teeth", "radius",  "lead",
                                                         "sum",   "follows", "rolling"};
  return {kKeys[static_cast<std::size_t>(kind)]};
}

/// The key that holds the coordinates of a kind.
Field joints_field(CouplingKind kind) {
  return {kind == CouplingKind::kSum ? "sum" : kind == CouplingKind::kFollows ? "follows" : "joints"};
}

core::Dimension dimension_of(const Mechanism& mechanism, const JointCoordinate& coordinate) {
  return coordinate_dimension(mechanism.joint(coordinate.joint).type, coordinate.component);
}

std::string told(const Mechanism& mechanism, const JointCoordinate& coordinate) {
  const Variable variable{VariableKind::kJointPosition, coordinate.joint, coordinate.component};
  return core::quoted(name(mechanism, variable)) +
         (dimension_of(mechanism, coordinate) == core::kAngle ? ", which turns" : ", which slides");
}

/// Bodies that fixed joints make one, by their smallest number.
std::vector<int> welded_bodies(const Mechanism& mechanism) {
  std::vector<int> of(mechanism.bodies().size());
  std::iota(of.begin(), of.end(), 0);
  const auto root = [&](std::size_t body) {
    while (of[body] != static_cast<int>(body)) body = static_cast<std::size_t>(of[body]);
    return static_cast<int>(body);
  };
  for (const Joint& joint : mechanism.joints()) {
    if (joint.type != JointType::kFixed) continue;
    const int a = root(joint.first().slot()), b = root(joint.second().slot());
    of[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t body = 0; body < of.size(); ++body) of[body] = root(body);
  return of;
}

/// Which ends of two joints hold the body that carries both.
struct Carrier {
  std::size_t end[2];
};

Carrier find_carrier(const Mechanism& mechanism, const JointCoordinate& a, const JointCoordinate& b,
                     const Place& place) {
  const std::vector<int> welded = welded_bodies(mechanism);
  const Joint &first = mechanism.joint(a.joint), &second = mechanism.joint(b.joint);
  std::vector<Carrier> carriers;
  for (const std::size_t i : {0, 1})
    for (const std::size_t j : {0, 1})
      if (welded[first.ends[i].body.slot()] == welded[second.ends[j].body.slot()])
        carriers.push_back({{i, j}});
  if (carriers.size() == 1) return carriers.front();
  const std::string both = "joints " + core::quoted(first.name) + " and " + core::quoted(second.name);
  if (carriers.empty())
    fail(place, joints_field(CouplingKind::kGear),
         {"the joints share no carrier", "two joints that hold both wheels, or pinion and rack, on one body",
          both + " of four different bodies",
          "Couple joints on one carrier; 'sum' couples any joints, without a mesh."});
  fail(place, joints_field(CouplingKind::kGear),
       {"both joints connect the same two bodies", "two joints that hold different bodies on one carrier",
        both, "Couple other joints, or use 'sum'."});
}

/// 1 where the joint turns the wheel against the carrier, −1 where it is written the other way round.
double sense(std::size_t carrier_end) { return carrier_end == 0 ? 1.0 : -1.0; }

/// Wheels on one body whose axes point opposite ways would turn the other way than their teeth say.
void check_same_way(const Mechanism& mechanism, const CouplingDescription& coupling, const JointCoordinate& a,
                    const JointCoordinate& b, const Carrier& carrier, const Place& place) {
  const auto axis_of = [&](const JointCoordinate& coordinate, std::size_t end) {
    const Joint& joint = mechanism.joint(coordinate.joint);
    const int axis = facts(joint.type).coordinates[static_cast<std::size_t>(coordinate.component)].axis;
    return Eigen::Vector3d(joint.ends[end].X_BF.R_AB.matrix().col(axis));
  };
  const JointEnd &first = mechanism.joint(a.joint).ends[carrier.end[0]],
                 &second = mechanism.joint(b.joint).ends[carrier.end[1]];
  constexpr double kOpposite = -1.0 + 1e-9;
  if (first.body != second.body || axis_of(a, carrier.end[0]).dot(axis_of(b, carrier.end[1])) > kOpposite)
    return;
  fail(place, joints_field(CouplingKind::kGear),
       {"the axes of the wheels point opposite ways", "axes of joints that point the same way",
        core::quoted(coupling.coordinates[0]) + " and " + core::quoted(coupling.coordinates[1]),
        "Turn the axis of one joint round."});
}

void need_dimensions(const Mechanism& mechanism, const std::vector<CouplingTerm>& terms, bool second_turns,
                     const Place& place, CouplingKind kind) {
  const auto need = [&](std::size_t k, bool turns) {
    if ((dimension_of(mechanism, terms[k].coordinate) == core::kAngle) == turns) return;
    fail(place, joints_field(kind),
         {std::string("a ") + std::string(name(kind)) + " with a coordinate of the wrong kind",
          std::string(second_turns ? "two coordinates that turn" : "one that turns, then one that slides"),
          told(mechanism, terms[k].coordinate), "Couple other coordinates, or use 'sum'."});
  };
  need(0, true);
  need(1, second_turns);
}

/// A law must have two derivatives wherever it is.
void check_law(const CouplingDescription& coupling, const Place& place) {
  using Operation = TimeFunction::Operation;
  if (coupling.law->is_constant())
    fail(place, {"follows"},
         {"the law is the same everywhere", "a function of the coordinate under 'of:'",
          core::number_text(coupling.law->constant_value()), "Use a driver to hold a coordinate."});
  for (const TimeFunction::Instruction& step : coupling.law->program())
    if (step.operation == Operation::kAbsolute || step.operation == Operation::kMinimum ||
        step.operation == Operation::kMaximum)
      fail(place, {"follows"},
           {"the law has a kink", "a function with two derivatives",
            step.operation == Operation::kAbsolute  ? "'abs'"
            : step.operation == Operation::kMinimum ? "'min'"
                                                    : "'max'",
            "Write 'if(a < b, x, y)' with pieces that meet smoothly, or a table."});
}

}  // namespace

void check_coupling(const CouplingDescription& coupling, const Place& place) {
  check_element_name(place);
  const Field field = number_field(coupling.kind);
  check_finite(coupling.offset, "", place, {"offset"});
  for (const double number : coupling.numbers) {
    check_finite(number, "", place, field);
    if (number == 0.0)
      fail(place, field,
           {std::string(coupling.kind == CouplingKind::kSum ? "a factor"
                                                            : "'" + std::string(field.key) + "'") +
                " is zero",
            "a number other than 0", "0",
            coupling.kind == CouplingKind::kSum ? "Leave the coordinate out." : "Give its size."});
  }
  if (coupling.kind == CouplingKind::kGear) {
    for (const double teeth : coupling.numbers)
      if (teeth != std::round(teeth))
        fail(place, field,
             {"a number of teeth is not whole", "whole numbers, of a ring wheel with a minus",
              core::number_text(teeth), "Use 'sum' for other ratios."});
    if (coupling.numbers[0] < 0.0 && coupling.numbers[1] < 0.0)
      fail(place, field,
           {"two ring wheels in mesh", "at most one negative number of teeth",
            core::number_text(coupling.numbers[0]) + " and " + core::number_text(coupling.numbers[1]),
            "Only the wheel with teeth inside has a minus."});
  }
  if (coupling.law) check_law(coupling, place);
  if (coupling.coordinates.size() < 2)
    fail(place, joints_field(coupling.kind),
         {"a coupling of fewer than two coordinates", "at least two joint coordinates",
          std::to_string(coupling.coordinates.size()),
          "Add another one; a driver holds a single coordinate."});
}

Coupling make_coupling(const CouplingDescription& description, const Place& place, const Mechanism& mechanism,
                       const NameLookup& lookup) {
  const Field field = joints_field(description.kind);
  Coupling coupling{description.name, description.kind, {}, description.offset, description.numbers};
  for (const std::string& text : description.coordinates) {
    const JointCoordinate coordinate = lookup.coordinate(text, place, field);
    if (std::ranges::find(coupling.terms, coordinate, &CouplingTerm::coordinate) != coupling.terms.end())
      fail(place, field,
           {"a coordinate is coupled with itself", "different joint coordinates",
            core::quoted(text) + " twice", "Couple it with another one."});
    const JointType type = mechanism.joint(coordinate.joint).type;
    if (facts(type).coordinates[static_cast<std::size_t>(coordinate.component)].is_place)
      fail(place, field,
           {"a place on a curve is coupled", "an angle or a distance of a joint", core::quoted(text),
            "Couple another coordinate: where two bodies touch follows from where they are."});
    coupling.terms.push_back({coordinate, 1.0});
  }
  std::vector<CouplingTerm>& terms = coupling.terms;
  const std::vector<double>& numbers = description.numbers;
  switch (description.kind) {
    case CouplingKind::kGear: {
      need_dimensions(mechanism, terms, true, place, description.kind);
      const Carrier carrier = find_carrier(mechanism, terms[0].coordinate, terms[1].coordinate, place);
      check_same_way(mechanism, description, terms[0].coordinate, terms[1].coordinate, carrier, place);
      terms[1].factor = sense(carrier.end[0]) * sense(carrier.end[1]) * numbers[1] / numbers[0];
      break;
    }
    case CouplingKind::kRackAndPinion:
      need_dimensions(mechanism, terms, false, place, description.kind);
      (void)find_carrier(mechanism, terms[0].coordinate, terms[1].coordinate, place);
      terms[1].factor = -1.0 / numbers[0];
      break;
    case CouplingKind::kScrew:
      need_dimensions(mechanism, terms, false, place, description.kind);
      terms[1].factor = -2.0 * std::numbers::pi / numbers[0];
      break;
    case CouplingKind::kSum:
      for (std::size_t k = 0; k < terms.size(); ++k) terms[k].factor = numbers[k];
      break;
    case CouplingKind::kFollows: {
      terms[1].factor = -1.0;
      const TimeFunction slope = derivative(*description.law);
      coupling.law = CouplingLaw{*description.law, slope, derivative(slope)};
      break;
    }
    case CouplingKind::kRolls:  // of joints alone: make_rolling
      break;
  }
  return coupling;
}

Coupling make_rolling(const Mechanism& mechanism, JointIndex joint) {
  const CircleRolling& rolling = *mechanism.joint(joint).rolling;
  return {.name = mechanism.joint(joint).name + ".rolling",
          .kind = CouplingKind::kRolls,
          .terms = {{{joint, 1}, 1.0}, {{joint, 0}, -(1.0 + rolling.base / rolling.radius)}},
          .numbers = {rolling.radius, rolling.base},
          .of_joint = joint};
}

}  // namespace eslabon::model::detail
