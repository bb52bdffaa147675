#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/model/elements/force_elements.hpp"
#include "eslabon/model/elements/joint_type.hpp"
#include "eslabon/model/variables/variable.hpp"

/// The last words of the names of variables. Private to layer model.
namespace eslabon::model::detail {

/// "vx" of a point: what it stands for.
struct VariableWord {
  std::string text;
  VariableKind kind;
  int component;
};

/// The words that may follow the name of each kind of element, planar and spatial mechanisms apart.
std::vector<VariableWord> body_words(bool is_planar);
std::vector<VariableWord> point_words(bool is_planar);
std::vector<VariableWord> joint_words(JointType type, bool is_planar);
std::vector<VariableWord> driver_words();
std::vector<VariableWord> coupling_words();
std::vector<VariableWord> spring_words();  ///< of dampers too
std::vector<VariableWord> state_words();
/// "fx", …, "slip", …: in the order of TyreQuantity.
std::vector<VariableWord> tyre_words();
std::vector<VariableWord> stop_words();
/// "fx", "fy", … of a force at a point, "mz" … of a torque, "effort" of one in a joint.
std::vector<VariableWord> load_words(const Load& load, bool is_planar);
std::vector<VariableWord> axis_words(bool is_planar);

/// "euler_zyx_2" of a body in space: 3 × the place of the sequence in kEulerSequences + the place of the turn.
std::optional<int> euler_angle_of(std::string_view word);
std::string euler_angle_word(int component);

/// Whether the text is a word of bodies, in the plane or in space. No point may have such a name.
bool is_body_word(std::string_view text);

/// "q", or "q2" for component 1 of a joint with several coordinates.
std::string coordinate_word(std::string_view letter, int component, int count);

}  // namespace eslabon::model::detail
