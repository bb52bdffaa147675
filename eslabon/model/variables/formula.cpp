#include "eslabon/model/variables/formula.hpp"

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::model {

core::ErrorText no_value(const Mechanism& mechanism, const Formula& formula, std::string_view kind, double t,
                         std::span<const double> values) {
  std::vector<std::string> with;
  for (std::size_t k = 0; k < values.size(); ++k)
    with.push_back(name(mechanism, formula.variables[k]) + " = " + core::rounded_text(values[k]) + " " +
                   unit(mechanism, formula.variables[k]));
  return {.what = "a formula has no value",
          .where = std::string(kind) + " '" + formula.name + "', t = " + core::number_text(t) + " s",
          .expected = "a finite number",
          .actual = core::number_text(formula.function.evaluate(t, values)) +
                    (with.empty() ? "" : " with " + core::listed(with)),
          .next = "Check divisions, roots and logarithms in it."};
}

}  // namespace eslabon::model
