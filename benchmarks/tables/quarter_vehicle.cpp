#include "benchmarks/tables/quarter_vehicle.hpp"

#include <cmath>
#include <memory>

#include "benchmarks/tables/bench_case.hpp"
#include "benchmarks/tables/reference_models.hpp"
#include <fmt/format.h>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"

namespace eslabon::benchmarks {

namespace {

constexpr const char* kCoordinates = "reference-point";

/// The vehicle where it starts.
struct Vehicle {
  explicit Vehicle(const std::vector<io::ParameterOverride>& settings)
      : mechanism(io::read_mechanism(reference_models::quarter_vehicle, "quarter-vehicle.yaml", settings)),
        structure(kinematics::analyse_driven_structure(mechanism)),
        model(mechanism, structure, assembled_or_throw(mechanism, structure)) {}
  Vehicle(const Vehicle&) = delete;
  Vehicle& operator=(const Vehicle&) = delete;

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
};

std::vector<io::ParameterOverride> overrides(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  return {{setting.substr(0, equals), setting.substr(equals + 1)}};
}

/// The equation of a joint that forbids it to move along z of the world. Rows are written along the axes of the joint's frame.
class RowAlongZ {
 public:
  RowAlongZ(const Vehicle& vehicle, const std::string& joint_name)
      : system_(kCoordinates, vehicle.mechanism, vehicle.structure, {}) {
    for (int r = 0; r < system_.num_rows(); ++r) {
      const auto* index = std::get_if<model::JointIndex>(&system_.label(r).source);
      if (index == nullptr || !system_.row_is_length(r)) continue;
      const model::Joint& joint = vehicle.mechanism.joint(*index);
      const Eigen::Matrix3d& R = joint.ends[0].X_BF.R_AB.matrix();
      const int axis = system_.label(r).direction.back() - 'x';  // "translation along x"
      if (joint.name == joint_name && std::abs(R(2, axis)) > 0.5) row_ = r;
    }
  }

  double value(const dynamics::State& state) {
    system_.evaluate_positions(state.q, {}, level_);
    return level_.Phi[row_];
  }

 private:
  coordinates::ConstraintSystem system_;
  coordinates::PositionLevel level_;
  Eigen::Index row_ = 0;
};

}  // namespace

VehicleCount count_vehicle() {
  const Vehicle vehicle({});
  VehicleCount count;
  count.bodies = static_cast<int>(vehicle.mechanism.bodies().size());
  int revolutes = 0, fixed = 0;
  for (const model::Joint& joint : vehicle.mechanism.joints())
    ++(joint.type == model::JointType::kRevolute ? revolutes : fixed);
  count.terms = {{"bodies", count.bodies, 6},
                 {"revolute joints", revolutes, -5},
                 {"fixed joints", fixed, -6},
                 {"Euler parameters", count.bodies - 1, -1}};
  const coordinates::ConstraintSystem system(kCoordinates, vehicle.mechanism, vehicle.structure, {});
  const kinematics::RedundancyReport report = kinematics::explain_redundancy(system, vehicle.model.start());
  count.coordinates = report.coordinates;
  count.rows = report.rows;
  count.rank = report.rank;
  count.freedoms = report.mobility;
  for (const kinematics::RedundantRow& row : report.redundant)
    count.redundant.push_back(vehicle.mechanism.joint(row.joint).name + ", " + row.direction);
  return count;
}

std::vector<VehicleRow> run_vehicle(const std::string& setting, const VehicleWay& way) {
  const Vehicle vehicle(overrides(setting));
  const auto formulation = dynamics::make_formulation(way.formulation, vehicle.model,
                                                      {.kind = way.coordinates, .baumgarte = way.baumgarte});
  const double tolerance = way.tolerance / (way.integrator == "bdf" ? integration::kPartOfBdfStep : 1.0);
  // The road is a function of time: steps are not to pass over the bump.
  integration::Simulation simulation(
      vehicle.model, *formulation,
      integration::make_integrator(
          way.integrator, {.rtol = tolerance, .atol = tolerance, .largest_step = 0.5 * kVehicleRowTime}),
      kVehicleRows * kVehicleRowTime);
  RowAlongZ third(vehicle, "A");
  const std::size_t knuckle = std::get<model::BodyIndex>(*vehicle.mechanism.find("knuckle")).slot();
  coordinates::MechanismMotion bodies(vehicle.mechanism.bodies().size());
  std::vector<VehicleRow> rows;
  for (int k = 0; k <= kVehicleRows; ++k) {
    if (k > 0 && !simulation.advance_to(k * kVehicleRowTime))
      throw core::ModelError(simulation.failure()->error_text(true));
    simulation.evaluate_bodies(bodies);
    const coordinates::BodyMotion& body = bodies[knuckle];  // its origin is its centre of mass
    const Eigen::Vector3d &p = body.X_WB.p_AB_A, &v = body.v_WB_W, &a = body.a_WB_W;
    rows.push_back({simulation.t(),
                    {p.y(), v.y(), a.y(), p.z(), v.z(), a.z()},
                    way.coordinates == kCoordinates ? third.value(simulation.point().state) : 0.0});
  }
  return rows;
}

}  // namespace eslabon::benchmarks
