#include "eslabon/model/variables/variable.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/model/elements/element_place.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/model/variables/variable_words.hpp"

namespace eslabon::model {

namespace {

using detail::VariableWord;
using Owner = decltype(Variable::element);

[[noreturn]] void fail_unknown(std::string expected, std::string_view text, std::string next) {
  throw core::ModelError({.what = "no such variable",
                          .where = "",
                          .expected = std::move(expected),
                          .actual = core::quoted(text),
                          .next = std::move(next)});
}

std::string did_you_mean(const std::string& name) { return "Did you mean '" + name + "'?"; }

std::vector<std::string> texts(const std::vector<VariableWord>& words) {
  std::vector<std::string> result;
  for (const VariableWord& word : words) result.push_back(word.text);
  return result;
}

template <class Elements>
void append_names(const Elements& elements, std::vector<std::string>& names) {
  for (const auto& element : elements) names.push_back(element.name);
}

/// The words of the element that owns a variable, in this mechanism; `is_planar` is apart so that the words
/// that the element would have in the other kind of mechanism can be asked for too.
std::vector<VariableWord> words_of(const Mechanism& mechanism, const Owner& owner, bool is_planar) {
  struct WordsOf {
    const Mechanism& mechanism;
    bool is_planar;
    std::vector<VariableWord> operator()(BodyIndex) const { return detail::body_words(is_planar); }
    std::vector<VariableWord> operator()(const PointRef&) const { return detail::point_words(is_planar); }
    std::vector<VariableWord> operator()(JointIndex joint) const {
      return detail::joint_words(mechanism.joint(joint).type, is_planar);
    }
    std::vector<VariableWord> operator()(DriverIndex) const { return detail::driver_words(); }
    std::vector<VariableWord> operator()(SpringIndex) const { return detail::spring_words(); }
    std::vector<VariableWord> operator()(DamperIndex) const { return detail::spring_words(); }
    std::vector<VariableWord> operator()(StopIndex) const { return detail::stop_words(); }
    std::vector<VariableWord> operator()(const AxisRef&) const { return detail::axis_words(is_planar); }
    std::vector<VariableWord> operator()(StateIndex) const { return detail::state_words(); }
    std::vector<VariableWord> operator()(FormulaIndex) const { return {}; }
    std::vector<VariableWord> operator()(CouplingIndex) const { return detail::coupling_words(); }
    std::vector<VariableWord> operator()(LoadIndex load) const {
      return detail::load_words(mechanism.loads()[load.slot()], is_planar);
    }
    std::vector<VariableWord> operator()(TyreIndex) const { return detail::tyre_words(); }
  };
  return std::visit(WordsOf{mechanism, is_planar}, owner);
}

/// What comes before the last word: "coupler.P3", "A".
std::string owner_name(const Mechanism& mechanism, const Owner& owner) {
  struct NameOf {
    const Mechanism& mechanism;
    std::string operator()(BodyIndex body) const { return mechanism.body(body).name; }
    std::string operator()(const PointRef& point) const { return mechanism.name_of(point); }
    std::string operator()(JointIndex joint) const { return mechanism.joint(joint).name; }
    std::string operator()(DriverIndex driver) const { return mechanism.drivers()[driver.slot()].name; }
    std::string operator()(SpringIndex spring) const { return mechanism.springs()[spring.slot()].name; }
    std::string operator()(DamperIndex damper) const { return mechanism.dampers()[damper.slot()].name; }
    std::string operator()(StopIndex stop) const { return mechanism.stops()[stop.slot()].name; }
    std::string operator()(const AxisRef& ref) const {
      return mechanism.body(ref.body).name + "." + mechanism.axis(ref).name;
    }
    std::string operator()(StateIndex state) const { return mechanism.states()[state.slot()].name; }
    std::string operator()(FormulaIndex formula) const { return mechanism.formulas()[formula.slot()].name; }
    std::string operator()(CouplingIndex coupling) const { return mechanism.coupling(coupling).name; }
    std::string operator()(LoadIndex load) const { return mechanism.loads()[load.slot()].name; }
    std::string operator()(TyreIndex tyre) const { return mechanism.tyres()[tyre.slot()].name; }
  };
  return std::visit(NameOf{mechanism}, owner);
}

[[noreturn]] void fail_element(const Mechanism& mechanism, std::string_view text) {
  std::vector<std::string> names;
  append_names(mechanism.bodies(), names);
  append_names(mechanism.joints(), names);
  append_names(mechanism.couplings(), names);
  append_names(mechanism.drivers(), names);
  append_names(mechanism.springs(), names);
  append_names(mechanism.dampers(), names);
  append_names(mechanism.stops(), names);
  append_names(mechanism.loads(), names);
  append_names(mechanism.tyres(), names);
  append_names(mechanism.states(), names);
  append_names(mechanism.formulas(), names);
  std::string_view element = core::leading_name(
      text, [&](std::string_view name) { return core::nearest_name(name, names).has_value(); });
  if (element.empty()) element = text.substr(0, text.find('.'));
  const auto nearest = core::nearest_name(element, names);
  fail_unknown("a name that begins with a body, joint, driver, spring, damper or stop", text,
               nearest ? did_you_mean(*nearest + std::string(text.substr(element.size())))
                       : "There are " + core::quoted_list(names) + ".");
}

[[noreturn]] void fail_word(const Mechanism& mechanism, const Owner& owner, std::string_view word,
                            std::string_view text) {
  std::string stem(text.substr(0, text.size() - word.size()));
  if (!stem.ends_with('.')) stem += '.';
  const std::vector<std::string> known = texts(words_of(mechanism, owner, mechanism.is_planar()));
  const std::string expected = core::quoted_list(known) + " after '" + stem + "'";
  const auto elsewhere = texts(words_of(mechanism, owner, !mechanism.is_planar()));
  if (std::ranges::find(elsewhere, word) != elsewhere.end())
    fail_unknown(expected, text,
                 std::string("The mechanism is ") + (mechanism.is_planar() ? "planar" : "spatial") +
                     " and has no '" + std::string(word) + "' here.");
  const auto nearest = core::nearest_name(word, known);
  fail_unknown(expected, text, nearest ? did_you_mean(stem + *nearest) : "Choose one of these.");
}

[[noreturn]] void fail_point(const Mechanism& mechanism, BodyIndex body, std::string_view point,
                             std::string_view rest, std::string_view text) {
  std::vector<std::string> known;
  append_names(mechanism.body(body).points, known);
  const std::string& body_name = mechanism.body(body).name;
  const auto nearest = core::nearest_name(point, known);
  fail_unknown(
      "a point of '" + body_name + "': " + core::quoted_list(known), text,
      nearest ? did_you_mean(body_name + "." + *nearest + std::string(rest)) : "Add the point to the body.");
}

Variable with_word(const Mechanism& mechanism, const Owner& owner, std::string_view word,
                   std::string_view text) {
  const std::vector<VariableWord> words = words_of(mechanism, owner, mechanism.is_planar());
  const auto found = std::ranges::find(words, word, &VariableWord::text);
  if (found == words.end() && std::holds_alternative<BodyIndex>(owner) && !mechanism.is_planar())
    if (const auto component = detail::euler_angle_of(word))
      return {VariableKind::kBodyEulerAngle, owner, *component};
  if (found == words.end()) fail_word(mechanism, owner, word, text);
  return {found->kind, owner, found->component};
}

Variable find_of_body(const Mechanism& mechanism, BodyIndex body, std::string_view rest,
                      std::string_view text) {
  const auto is_marker = [&](std::string_view name) {
    return mechanism.find_point(body, name).has_value() || mechanism.find_axis(body, name).has_value();
  };
  const auto dot = rest.rfind('.');
  std::string_view marker = rest.substr(0, dot);
  if (!is_marker(marker)) marker = core::leading_name(rest, is_marker);
  if (const auto point = mechanism.find_point(body, marker))
    return with_word(mechanism, PointRef{body, *point}, core::after_name(rest, marker), text);
  if (const auto axis = mechanism.find_axis(body, marker))
    return with_word(mechanism, AxisRef{body, *axis}, core::after_name(rest, marker), text);
  if (dot != rest.npos) fail_point(mechanism, body, rest.substr(0, dot), rest.substr(dot), text);
  return with_word(mechanism, body, rest, text);
}

core::Dimension position_along(const Mechanism& mechanism, const JointCoordinate& coordinate) {
  return coordinate_dimension(mechanism.joint(coordinate.joint).type, coordinate.component);
}

core::Dimension position_along(const Mechanism& mechanism, const Connection& connection) {
  if (const auto* coordinate = std::get_if<JointCoordinate>(&connection))
    return position_along(mechanism, *coordinate);
  const auto* pair = std::get_if<CoordinatePair>(&connection);
  return pair != nullptr ? position_along(mechanism, pair->first) : core::kLength;
}

/// The position that the owner of a variable moves along: the angle of a body, a coordinate of a point or joint, what a
/// driver, spring, damper or stop acts on.
core::Dimension position_along(const Mechanism& mechanism, const Variable& variable) {
  struct Along {
    const Mechanism& mechanism;
    int component;
    core::Dimension operator()(BodyIndex) const { return core::kAngle; }
    core::Dimension operator()(const PointRef&) const { return core::kLength; }
    core::Dimension operator()(JointIndex joint) const {
      return position_along(mechanism, JointCoordinate{joint, component});
    }
    core::Dimension operator()(DriverIndex driver) const {
      return position_along(mechanism, mechanism.drivers()[driver.slot()].target);
    }
    core::Dimension operator()(SpringIndex spring) const {
      return position_along(mechanism, mechanism.springs()[spring.slot()].connection);
    }
    core::Dimension operator()(DamperIndex damper) const {
      return position_along(mechanism, mechanism.dampers()[damper.slot()].connection);
    }
    core::Dimension operator()(StopIndex stop) const {
      return position_along(mechanism, mechanism.stops()[stop.slot()].target);
    }
    core::Dimension operator()(const AxisRef&) const { return core::kNumber; }
    core::Dimension operator()(StateIndex) const { return core::kNumber; }
    core::Dimension operator()(FormulaIndex) const { return core::kNumber; }
    core::Dimension operator()(CouplingIndex coupling) const {
      return position_along(mechanism, mechanism.coupling(coupling).terms.front().coordinate);
    }
    core::Dimension operator()(TyreIndex) const { return core::kNumber; }
    core::Dimension operator()(LoadIndex load) const {
      const auto& action = mechanism.loads()[load.slot()].action;
      if (const auto* effort = std::get_if<JointEffort>(&action))
        return position_along(mechanism, effort->coordinate);
      return std::holds_alternative<PointForce>(action) ? core::kLength : core::kAngle;
    }
  };
  return std::visit(Along{mechanism, variable.component}, variable.element);
}

core::Dimension dimension_of(TyreQuantity quantity) {
  using enum TyreQuantity;
  if (quantity <= kForceZ) return core::kForce;
  if (quantity <= kMomentZ) return core::kTorque;
  if (quantity == kSlip) return core::kNumber;
  return quantity <= kCamber ? core::kAngle : core::kLength;
}

}  // namespace

Variable variable_of(const Mechanism& mechanism, FormulaIndex formula) {
  const bool is_of_dynamics =
      std::ranges::any_of(mechanism.formulas()[formula.slot()].variables, needs_dynamics);
  return {is_of_dynamics ? VariableKind::kForceFormula : VariableKind::kFormula, formula, 0};
}

bool is_force(const Variable& variable) {
  return variable.kind == VariableKind::kJointForce || variable.kind == VariableKind::kJointMoment ||
         variable.kind == VariableKind::kDriverEffort || variable.kind == VariableKind::kCouplingEffort ||
         variable.kind == VariableKind::kElementForce || variable.kind == VariableKind::kJointFriction ||
         variable.kind == VariableKind::kTyre || variable.kind == VariableKind::kForceFormula;
}

bool needs_dynamics(const Variable& variable) {
  return is_force(variable) || variable.kind == VariableKind::kState;
}

Variable find_variable(const Mechanism& mechanism, std::string_view text) {
  const std::string_view element_name =
      core::leading_name(text, [&](std::string_view name) { return mechanism.find(name).has_value(); });
  const std::string_view rest = core::after_name(text, element_name);
  const auto element = mechanism.find(element_name);
  if (!element || std::holds_alternative<std::monostate>(*element)) fail_element(mechanism, text);
  if (const auto* formula = std::get_if<FormulaIndex>(&*element)) {
    if (rest.empty()) return variable_of(mechanism, *formula);
    fail_unknown("the name of the formula alone", text, did_you_mean(std::string(element_name)));
  }
  if (const auto* body = std::get_if<BodyIndex>(&*element)) return find_of_body(mechanism, *body, rest, text);

  struct OwnerOf {
    Owner operator()(std::monostate) const { return kGround; }  // unreachable
    Owner operator()(BodyIndex body) const { return body; }
    Owner operator()(JointIndex joint) const { return joint; }
    Owner operator()(DriverIndex driver) const { return driver; }
    Owner operator()(SpringIndex spring) const { return spring; }
    Owner operator()(DamperIndex damper) const { return damper; }
    Owner operator()(StopIndex stop) const { return stop; }
    Owner operator()(StateIndex state) const { return state; }
    Owner operator()(FormulaIndex formula) const { return formula; }
    Owner operator()(CouplingIndex coupling) const { return coupling; }
    Owner operator()(LoadIndex load) const { return load; }
    Owner operator()(TyreIndex tyre) const { return tyre; }
  };
  return with_word(mechanism, std::visit(OwnerOf{}, *element), rest, text);
}

std::string name(const Mechanism& mechanism, const Variable& variable) {
  if (std::holds_alternative<FormulaIndex>(variable.element)) return owner_name(mechanism, variable.element);
  if (variable.kind == VariableKind::kBodyEulerAngle)
    return owner_name(mechanism, variable.element) + "." + detail::euler_angle_word(variable.component);
  const std::vector<VariableWord> words = words_of(mechanism, variable.element, mechanism.is_planar());
  const auto found = std::ranges::find_if(words, [&](const VariableWord& word) {
    return word.kind == variable.kind && word.component == variable.component;
  });
  const std::string stem = owner_name(mechanism, variable.element);
  if (found == words.end())
    throw core::ContractError({.what = "a variable that the mechanism does not have",
                               .where = "variable of '" + stem + "'",
                               .expected = "a kind and component that find_variable gives",
                               .actual = "kind " + std::to_string(static_cast<int>(variable.kind)) +
                                         ", component " + std::to_string(variable.component),
                               .next = "Make variables with find_variable."});
  return stem + "." + found->text;
}

core::Dimension dimension(const Mechanism& mechanism, const Variable& variable) {
  switch (variable.kind) {
    case VariableKind::kBodyEulerParameter:
    case VariableKind::kAxisDirection:
      return core::kNumber;
    case VariableKind::kState:
      return mechanism.states()[std::get<StateIndex>(variable.element).slot()].dimension;
    case VariableKind::kFormula:
    case VariableKind::kForceFormula:
      return mechanism.formulas()[std::get<FormulaIndex>(variable.element).slot()].dimension;
    case VariableKind::kBodyEulerAngle:
    case VariableKind::kBodyAngle:
    case VariableKind::kPointPosition:
    case VariableKind::kJointPosition:
    case VariableKind::kElementLength:
      return position_along(mechanism, variable);
    case VariableKind::kBodyRate:
    case VariableKind::kBodyAngularVelocity:
    case VariableKind::kPointVelocity:
    case VariableKind::kJointVelocity:
    case VariableKind::kElementRate:
      return position_along(mechanism, variable) / core::kTime;
    case VariableKind::kBodyAngularAcceleration:
    case VariableKind::kBodyAlpha:
    case VariableKind::kPointAcceleration:
    case VariableKind::kJointAcceleration:
      return position_along(mechanism, variable) / core::kTime / core::kTime;
    case VariableKind::kTyre:
      return dimension_of(static_cast<TyreQuantity>(variable.component));
    case VariableKind::kJointForce:
      return core::kForce;
    case VariableKind::kJointMoment:
      return core::kTorque;
    case VariableKind::kDriverEffort:
    case VariableKind::kCouplingEffort:
    case VariableKind::kElementForce:
    case VariableKind::kJointFriction:
      return core::effort_along(position_along(mechanism, variable));
  }
  return core::kNumber;
}

std::string unit(const Mechanism& mechanism, const Variable& variable) {
  return core::si_unit(dimension(mechanism, variable));
}

bool is_position(const Variable& variable) {
  return variable.kind == VariableKind::kBodyAngle || variable.kind == VariableKind::kPointPosition ||
         variable.kind == VariableKind::kJointPosition;
}

bool is_rate(const Variable& variable) {
  return variable.kind == VariableKind::kBodyAngularVelocity || position_of(variable).has_value();
}

std::optional<Variable> position_of(const Variable& rate) {
  switch (rate.kind) {
    case VariableKind::kBodyRate:
      return Variable{VariableKind::kBodyAngle, rate.element, rate.component};
    case VariableKind::kPointVelocity:
      return Variable{VariableKind::kPointPosition, rate.element, rate.component};
    case VariableKind::kJointVelocity:
      return Variable{VariableKind::kJointPosition, rate.element, rate.component};
    case VariableKind::kElementRate:
      return Variable{VariableKind::kElementLength, rate.element, rate.component};
    default:
      return std::nullopt;
  }
}

}  // namespace eslabon::model
