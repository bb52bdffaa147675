#include "eslabon/codegen/exported_model.hpp"

#include <algorithm>
#include <cctype>

namespace eslabon::codegen {

bool ExportedModel::has_steps() const {
  return std::ranges::find(functions, "accelerations", &ExportedFunction::name) != functions.end();
}

std::vector<double> ExportedModel::evaluate(const ExportedFunction& function, const CheckState& state) {
  std::vector<double> inputs = state.x, out(function.program.outputs().size());
  inputs.insert(inputs.end(), state.u.begin(), state.u.end());
  inputs.insert(inputs.end(), state.p.begin(), state.p.end());
  function.program.evaluate(inputs, out);
  return out;
}

std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_word =
        std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
    if (is_word)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) != 0) out = "m" + out;
  return out;
}

}  // namespace eslabon::codegen
