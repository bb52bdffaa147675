#include "eslabon/coordinates/linear_form.hpp"

#include <algorithm>

namespace eslabon::coordinates {

void LinearForm::add(const LinearForm& other, const Eigen::Matrix3d& M) {
  constant += M * other.constant;
  for (const Term& term : other.terms) {
    const auto place = std::ranges::lower_bound(terms, term.column, {}, &Term::column);
    if (place != terms.end() && place->column == term.column)
      place->factor += M * term.factor;
    else
      terms.insert(place, {term.column, M * term.factor});
  }
  // What cancels leaves the pattern.
  std::erase_if(terms, [](const Term& term) { return term.factor.cwiseAbs().maxCoeff() < 1e-14; });
}

}  // namespace eslabon::coordinates
