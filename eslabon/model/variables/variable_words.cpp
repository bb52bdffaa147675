#include "eslabon/model/variables/variable_words.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "eslabon/model/variables/euler_sequence.hpp"

namespace eslabon::model::detail {

namespace {

using enum VariableKind;

/// prefix + x, y (and z in space).
void append_components(std::vector<VariableWord>& words, std::string_view prefix, VariableKind kind,
                       bool is_planar) {
  static constexpr std::array<char, 3> kLetters{'x', 'y', 'z'};
  for (int k = 0; k < (is_planar ? 2 : 3); ++k)
    words.push_back({std::string(prefix) + kLetters[static_cast<std::size_t>(k)], kind, k});
}

}  // namespace

std::vector<VariableWord> body_words(bool is_planar) {
  if (is_planar)
    return {{"angle", kBodyAngle, 0},
            {"rate", kBodyRate, 0},
            {"angular_acceleration", kBodyAngularAcceleration, 0}};
  std::vector<VariableWord> words;
  for (int k = 0; k < 4; ++k) words.push_back({"e" + std::to_string(k), kBodyEulerParameter, k});
  append_components(words, "w", kBodyAngularVelocity, false);
  append_components(words, "alpha", kBodyAlpha, false);
  return words;
}

std::vector<VariableWord> point_words(bool is_planar) {
  std::vector<VariableWord> words;
  append_components(words, "", kPointPosition, is_planar);
  append_components(words, "v", kPointVelocity, is_planar);
  append_components(words, "a", kPointAcceleration, is_planar);
  return words;
}

std::vector<VariableWord> joint_words(JointType type, bool is_planar) {
  std::vector<VariableWord> words;
  const int count = coordinate_count(type);
  const auto append_coordinates = [&](const char* letter, VariableKind kind) {
    for (int k = 0; k < count; ++k) words.push_back({coordinate_word(letter, k, count), kind, k});
  };
  append_coordinates("q", kJointPosition);
  append_coordinates("v", kJointVelocity);
  append_coordinates("a", kJointAcceleration);
  append_components(words, "f", kJointForce, is_planar);
  if (is_planar)
    words.push_back({"mz", kJointMoment, 2});
  else
    append_components(words, "m", kJointMoment, false);
  append_coordinates("friction", kJointFriction);
  return words;
}

std::vector<VariableWord> driver_words() { return {{"effort", kDriverEffort, 0}}; }

std::vector<VariableWord> coupling_words() { return {{"effort", kCouplingEffort, 0}}; }

std::vector<VariableWord> spring_words() {
  return {{"length", kElementLength, 0}, {"rate", kElementRate, 0}, {"force", kElementForce, 0}};
}

std::vector<VariableWord> stop_words() { return {{"force", kElementForce, 0}}; }

std::vector<VariableWord> load_words(const Load& load, bool is_planar) {
  if (std::holds_alternative<JointEffort>(load.action)) return {{"effort", kElementForce, 0}};
  const bool is_force = std::holds_alternative<PointForce>(load.action);
  if (is_planar && !is_force) return {{"mz", kElementForce, 2}};
  std::vector<VariableWord> words;
  append_components(words, is_force ? "f" : "m", kElementForce, is_planar);
  return words;
}

std::vector<VariableWord> tyre_words() {
  std::vector<VariableWord> words;
  for (const char* text :
       {"fx", "fy", "fz", "mx", "my", "mz", "slip", "slip_angle", "camber", "deflection", "x", "y", "z"})
    words.push_back({text, kTyre, static_cast<int>(words.size())});
  return words;
}

std::vector<VariableWord> state_words() { return {{"value", kState, 0}}; }

std::vector<VariableWord> axis_words(bool is_planar) {
  std::vector<VariableWord> words;
  append_components(words, "", kAxisDirection, is_planar);
  return words;
}

std::string euler_angle_word(int component) {
  return "euler_" + std::string(kEulerSequences[static_cast<std::size_t>(component / 3)]) + "_" +
         std::to_string(component % 3 + 1);
}

std::optional<int> euler_angle_of(std::string_view word) {
  for (int component = 0; component < 3 * static_cast<int>(kEulerSequences.size()); ++component)
    if (word == euler_angle_word(component)) return component;
  return std::nullopt;
}

bool is_body_word(std::string_view text) {
  static const std::vector<VariableWord> planar = body_words(true), spatial = body_words(false);
  return std::ranges::count(planar, text, &VariableWord::text) +
             std::ranges::count(spatial, text, &VariableWord::text) >
         0;
}

std::string coordinate_word(std::string_view letter, int component, int count) {
  std::string word(letter);
  if (count > 1) word += std::to_string(component + 1);
  return word;
}

}  // namespace eslabon::model::detail
