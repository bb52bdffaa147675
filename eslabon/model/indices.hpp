#pragma once

#include "eslabon/core/index.hpp"

namespace eslabon::model {

using BodyIndex = core::Index<struct BodyTag>;          ///< position in Mechanism::bodies(); 0 is the ground
using PointIndex = core::Index<struct PointTag>;        ///< position in Body::points of one body
using JointIndex = core::Index<struct JointTag>;        ///< position in Mechanism::joints()
using DriverIndex = core::Index<struct DriverTag>;      ///< position in Mechanism::drivers()
using SpringIndex = core::Index<struct SpringTag>;      ///< position in Mechanism::springs()
using DamperIndex = core::Index<struct DamperTag>;      ///< position in Mechanism::dampers()
using StopIndex = core::Index<struct StopTag>;          ///< position in Mechanism::stops()
using LoadIndex = core::Index<struct LoadTag>;          ///< position in Mechanism::loads()
using TyreIndex = core::Index<struct TyreTag>;          ///< position in Mechanism::tyres()
using CouplingIndex = core::Index<struct CouplingTag>;  ///< position in Mechanism::couplings()
using AxisIndex = core::Index<struct AxisTag>;          ///< position in Body::axes of one body
using StateIndex = core::Index<struct StateTag>;        ///< position in Mechanism::states()
using FormulaIndex = core::Index<struct FormulaTag>;    ///< position in Mechanism::formulas()

/// The body that does not move. Every mechanism has it.
inline constexpr BodyIndex kGround{0};

/// A named point of a body.
struct PointRef {
  BodyIndex body;
  PointIndex point;
  friend bool operator==(const PointRef&, const PointRef&) = default;
};

/// A named axis of a body.
struct AxisRef {
  BodyIndex body;
  AxisIndex axis;
  friend bool operator==(const AxisRef&, const AxisRef&) = default;
};

}  // namespace eslabon::model
