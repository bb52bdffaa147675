#pragma once

#include <string>
#include <string_view>

#include <Eigen/Core>

#include "eslabon/model/elements/element_place.hpp"
#include "eslabon/model/elements/force_elements.hpp"
#include "eslabon/model/elements/time_function.hpp"

/// Checks of one number, vector or table of one element. Private to layer model. Each throws
/// core::ModelError.
namespace eslabon::model::detail {

/// "0.5 m", "0.5" without a unit.
std::string with_unit(double value, std::string_view unit);

/// "[0, 1, 0.5]"
std::string to_text(const Eigen::Vector3d& v);

void check_finite(double value, std::string_view unit, const Place& place, const Field& field);
void check_finite(const Eigen::Vector3d& v, const Place& place, const Field& field);

/// > 0, and finite.
void check_positive(double value, std::string_view unit, const Place& place, const Field& field);

/// ≥ 0, and finite.
void check_not_negative(double value, std::string_view unit, const Place& place, const Field& field);

/// Finite, and z is 0 when the mechanism is planar.
void check_position(const Eigen::Vector3d& p, bool is_planar, const Place& place, const Field& field);

/// Finite, not zero, and z is 0 when the mechanism is planar.
void check_direction(const Eigen::Vector3d& u, bool is_planar, const Place& place, const Field& field);

/// At least two rows, finite, arguments strictly increasing. An empty table is none and passes.
void check_table(const ForceTable& table, const Place& place);

/// Finite at t = 0.
void check_function(const TimeFunction& function, const Place& place, const Field& field);

}  // namespace eslabon::model::detail
