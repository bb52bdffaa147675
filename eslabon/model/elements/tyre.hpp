#pragma once

#include <string>

#include <Eigen/Core>

#include "eslabon/model/indices.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

namespace eslabon::model {

/// What is told of a tyre, in axes of its contact (tyres::WheelContactOf): the components of a VariableKind::kTyre.
enum class TyreQuantity {
  kForceX,
  kForceY,
  kForceZ,
  kMomentX,
  kMomentY,
  kMomentZ,
  kSlip,
  kSlipAngle,
  kCamber,
  kDeflection,
  kContactX,  ///< world axes, from the user's origin
  kContactY,
  kContactZ,
};

/// A tyre on a wheel, and what it stands on is the road of the mechanism. Its slips are auxiliary states of the mechanism.
struct Tyre {
  std::string name;
  PointRef center;         ///< of a body that turns with the wheel
  Eigen::Vector3d axis_B;  ///< (3) unit, body axes; to the left of the way ahead
  tyres::FittedTyre fitted;
  StateIndex slip;        ///< tyres::FeltSlipOf::kappa
  StateIndex slip_angle;  ///< its tangent, tyres::FeltSlipOf::tan_alpha
  friend bool operator==(const Tyre&, const Tyre&) = default;
};

}  // namespace eslabon::model
