#include "eslabon/dynamics/mass/mass_model.hpp"

#include <algorithm>

namespace eslabon::dynamics {

std::unique_ptr<MassModel> make_masses(const coordinates::ConstraintSystem& system) {
  return system.layout().has_chains() ? make_tree_masses(system) : make_feature_masses(system);
}

void MassModel::multiply(const MassValues& values, std::span<const double> x, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t c = 0; c < x.size(); ++c)
    for (int e = pattern_.column_start[c]; e < pattern_.column_start[c + 1]; ++e)
      out[static_cast<std::size_t>(pattern_.row_of_entry[static_cast<std::size_t>(e)])] +=
          values.M[static_cast<std::size_t>(e)] * x[c];
}

}  // namespace eslabon::dynamics
