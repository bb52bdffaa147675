#include "eslabon/io/mechanism/force_functions.hpp"

#include <algorithm>

#include "eslabon/io/quantities/expression.hpp"

namespace eslabon::io {

namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool goes_on(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

/// Whether an expression has the name of a variable in it: NAME.NAME or one in braces.
bool has_variables(std::string_view text) {
  if (text.find('{') != std::string_view::npos) return true;
  for (std::size_t at = 0; at < text.size();) {
    if (!goes_on(text[at])) {
      ++at;
      continue;
    }
    const bool is_name = begins_name(text[at]);
    while (at < text.size() && goes_on(text[at])) ++at;
    if (is_name && at + 1 < text.size() && text[at] == '.' && begins_name(text[at + 1])) return true;
  }
  return false;
}

}  // namespace

Argument ForceFunctions::find(const std::string& name, const std::string& where) {
  const PartBuilder::MovedVariable moved = builder_.moved_argument(name, where);
  const model::Variable variable = model::find_variable(*so_far_, moved.name);
  if (const auto reason = model::why_no_force_variable(*so_far_, variable, whose_))
    throw core::ModelError(*reason);
  const auto found = std::ranges::find(names_, moved.name);
  const auto place = static_cast<int>(found - names_.begin());
  if (found == names_.end()) {
    names_.push_back(moved.name);
    // value in the mechanism = sign · value in the file + offset
    model::TimeFunction own = model::TimeFunction::argument(place);
    if (moved.offset != 0.0) own = own - moved.offset;
    // Angles of bodies are between −π and π, in the file of the part too.
    if (variable.kind == model::VariableKind::kBodyAngle && moved.offset != 0.0)
      own = atan2(sin(own), cos(own));
    moved_.push_back(moved.sign < 0.0 ? -own : own);
  }
  return {place, model::dimension(*so_far_, variable)};
}

TimeExpression ForceFunctions::read_formula(const Node& node, const std::string& element) {
  if (!so_far_) so_far_ = reading_.at_place([&] { return builder_.whole().build(); });
  const std::string where = reading_.full_element(element);
  const ArgumentScope scope{[&](const std::string& name) { return find(name, where); }, reading_.is_planar(),
                            true};
  return reading_.formula(node, element, scope, true);
}

model::TimeFunction ForceFunctions::read_any(const Node& node, const std::string& element,
                                             const std::string& field) {
  if (!node.is_scalar() || !is_expression(node.text()) || !has_variables(node.text()))
    return reading_.function(node, element, field, kNumber);
  return read_formula(node, element).function.with_arguments(moved_);
}

model::TimeFunction ForceFunctions::read(const Node& node, const std::string& element,
                                         const std::string& field, const Dimension& dimension) {
  if (!node.is_scalar() || !is_expression(node.text()) || !has_variables(node.text()))
    return reading_.function(node, element, field, dimension);
  TimeExpression read = read_formula(node, element);
  check_dimension(read.measure, dimension, {field, node.text(), reading_.place(node, element).where(), true});
  return read.function.with_arguments(moved_);
}

}  // namespace eslabon::io
