#include "eslabon/coordinates/coupled_coordinates.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::coordinates {

CoupledCoordinates::CoupledCoordinates(const model::Mechanism& mechanism) : mechanism_(mechanism) {
  for (const model::Coupling& coupling : mechanism.couplings()) {
    std::vector<int> places;
    for (const model::CouplingTerm& term : coupling.terms) {
      const auto found = std::ranges::find(list_, term.coordinate);
      places.push_back(static_cast<int>(found - list_.begin()));
      if (found == list_.end()) list_.push_back(term.coordinate);
    }
    relations_.push_back(relation_of(mechanism, coupling, places));
  }
  turns_ = CouplingTurns(relations_);
}

bool CoupledCoordinates::is_angle(std::size_t k) const {
  return model::coordinate_dimension(mechanism_.joint(list_[k].joint).type, list_[k].component) ==
         core::kAngle;
}

std::optional<std::size_t> CoupledCoordinates::place_of(const model::Variable& variable) const {
  const auto* joint = std::get_if<model::JointIndex>(&variable.element);
  if (joint == nullptr) return std::nullopt;
  const auto found = std::ranges::find(list_, model::JointCoordinate{*joint, variable.component});
  if (found == list_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list_.begin());
}

std::vector<CoordinateValue> CoupledCoordinates::read(const MechanismMotion& bodies,
                                                      std::span<const std::optional<double>> near) const {
  std::vector<CoordinateValue> values;
  std::vector<double> positions;
  std::vector<bool> is_told(list_.size(), false);
  for (std::size_t k = 0; k < list_.size(); ++k) {
    values.push_back(joint_coordinate(mechanism_.joint(list_[k].joint), list_[k].component, bodies));
    is_told[k] = near[k].has_value() && is_angle(k);
    positions.push_back(is_told[k] ? unwrapped(values[k].position, *near[k]) : values[k].position);
  }
  turns_.apply(positions, std::move(is_told));
  for (std::size_t k = 0; k < list_.size(); ++k) values[k].position = positions[k];
  return values;
}

double CoupledCoordinates::residual(std::span<const CoordinateValue> values, double length) const {
  double largest = 0.0;
  for (const LinearRelation& relation : relations_) {
    double sum = -relation.constant;
    for (const LinearRelation::Term& term : relation.terms)
      sum += term.value_at(values[static_cast<std::size_t>(term.place)].position);
    largest = std::max(largest, std::abs(sum) / (relation.terms.front().is_angle ? 1.0 : length));
  }
  return largest;
}

}  // namespace eslabon::coordinates
