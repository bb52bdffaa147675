#pragma once

#include <complex>
#include <string>
#include <vector>

#include "eslabon/dynamics/statics/freedom_chart.hpp"

namespace eslabon::dynamics {

/// How numbers with names move for unit rates of y.
struct NamedRates {
  std::vector<std::string> names;
  std::vector<core::Dimension> dimensions;  ///< of the positions: angles and lengths
  Eigen::MatrixXd rates;                    ///< (names × f); with auxiliary states (names × (f + s))
  std::vector<double> sizes =
      {};  ///< what each is measured by beside others; none: radians, and lengths by the mechanism's size
};

/// Of every scalar coordinate of every joint: "A.q".
NamedRates joint_rates(FreedomChart& chart, const State& state, const Eigen::MatrixXd& directions);
/// Of every moving body: shift of its origin and turn, world axes: "arm.x", "arm.turn_z"; in the plane x, y and turn_z.
NamedRates body_rates(FreedomChart& chart, const State& state, const Eigen::MatrixXd& directions);

/// With auxiliary states behind, "lag.value", each measured by its size.
NamedRates with_states(NamedRates rows, const FreedomChart& chart);

/// A motion in numbers with names, the largest 1: radians are compared with metres in units of the mechanism's size.
struct NamedShape {
  NamedRates rows;
  Eigen::VectorXcd values;  ///< (rows)
  double length = 1.0;      ///< the mechanism's size [m]

  /// "A.q 1 rad, D.q -0.52 rad", the largest first, without those below a hundredth; phases where they are neither 0 nor 180°.
  std::string text(std::size_t most = 4) const;
  /// What a row is measured by beside others.
  double size_of(Eigen::Index row) const;
};

/// The shape (f, or f + s with auxiliary states) in coordinates of joints; in bodies where joints have none that show it, such as balls.
NamedShape named_shape(FreedomChart& chart, const State& state, const Eigen::MatrixXd& directions,
                       const Eigen::VectorXcd& shape);
/// The same in these rows.
NamedShape scaled_shape(NamedRates rows, const Eigen::VectorXcd& shape, double length);

}  // namespace eslabon::dynamics
