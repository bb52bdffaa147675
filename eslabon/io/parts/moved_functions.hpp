#pragma once

#include <array>

#include <Eigen/Core>

#include "eslabon/model/descriptions.hpp"

/// Numbers, functions and laws of a part where its coordinates or axes are turned round.
namespace eslabon::io {

/// sign · x + offset, and x itself, −0 too, where nothing changes.
double moved_value(double x, double sign, double offset);
/// The same of a function of time.
model::TimeFunction moved_function(const model::TimeFunction& f, double sign, double offset);
/// f of a follower where its own coordinate, or that which it follows, counts the other way:  s_y f(s_x x).
model::TimeFunction moved_law(const model::TimeFunction& f, double sign_y, double sign_x);
/// The law of a spring or damper along a coordinate that counts the other way.
void turn_round(model::ForceTable& table);
/// Σ M_ij f_j; terms with a factor 0 are none, and factors 1 and −1 stay exact.
std::array<model::TimeFunction, 3> turned_functions(const Eigen::Matrix3d& M,
                                                    const std::array<model::TimeFunction, 3>& f);

}  // namespace eslabon::io
