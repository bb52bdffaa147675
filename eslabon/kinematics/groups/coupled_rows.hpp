#pragma once

#include <span>
#include <vector>

#include "eslabon/coordinates/coupled_coordinates.hpp"
#include "eslabon/kinematics/groups/link_row.hpp"

namespace eslabon::kinematics {

/// The coordinate that a row of form kAngle or kOffset measures, from the motion of its features. With Φ of kAngle,
///   q: tan q = (f₁·f₂)/(f₀·f₂), the turn nearest to `near`,   q̇ = −Σ ∂Φ/∂f·ḟ / ∂Φ/∂q                       (1)
coordinates::CoordinateValue measured(const LinkRow& row, const RowMotion& motion, double near,
                                      bool with_rates);

/// A coupling, Σ c_i q_i − c₀ = 0 or q_1 − f(q_2) − c₀ = 0, between coordinates that are measured on links.
struct CoupledRow {
  struct Term {
    LinkRow coordinate;
    double factor;
    std::size_t place;  ///< among the coupled coordinates
    const model::CouplingLaw* law = nullptr;

    /// c_i f(q_i), f = q_i where there is no law, and its derivative by q_i and rates.
    double value(double q) const { return factor * (law != nullptr ? law->value.evaluate(q) : q); }
    double slope(double q) const { return factor * (law != nullptr ? law->slope.evaluate(q) : 1.0); }
    double acceleration(const coordinates::CoordinateValue& q) const {
      const double bend =
          law != nullptr ? law->curvature.evaluate(q.position) * q.velocity * q.velocity : 0.0;
      return slope(q.position) * q.acceleration + factor * bend;
    }
  };
  std::vector<Term> terms;
  double constant = 0.0;
  bool is_length = false;
};
CoupledRow coupled_row(const model::Mechanism& mechanism, model::CouplingIndex coupling,
                       const coordinates::CoupledCoordinates& coordinates,
                       const coordinates::KinematicTree& tree);

/// Follows the coupled coordinates of a mechanism from one position of its links to the next.
class CoupledValues {
 public:
  CoupledValues(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree);

  const coordinates::CoupledCoordinates& coordinates() const { return coordinates_; }
  /// Values and rates where links are now; angles nearest to where they were.
  template <class Link>
  void follow(std::span<const Link> links, std::span<coordinates::CoordinateValue> values) const {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto [first, second] = links_[k];
      values[k] =
          at(k, std::array{links[first].to_spatial(), links[second].to_spatial()}, values[k].position);
    }
  }

 private:
  coordinates::CoordinateValue at(std::size_t k, const std::array<SpatialLink, 2>& ends, double near) const;

  coordinates::CoupledCoordinates coordinates_;
  std::vector<LinkRow> rows_;                               ///< (coordinates) on two links, 0 and 1
  std::vector<std::pair<std::size_t, std::size_t>> links_;  ///< (coordinates) those two
};

}  // namespace eslabon::kinematics
