#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/model/mechanism_variant.hpp"

/// Mechanisms that are let go, in a moving state.
namespace eslabon::test {

/// A mechanism without drivers, assembled, with everything that dynamics needs.
struct DynamicCase {
  explicit DynamicCase(const model::Mechanism& mechanism_, double until = 100.0)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        model(mechanism, structure, kinematics::assemble(mechanism, structure)) {
    model.prepare_drivers(until);
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
};

inline model::Mechanism released(const model::Mechanism& mechanism) {
  return model::without_all_drivers(mechanism);
}

inline model::Mechanism load_released(const std::string& name) {
  return released(io::load_model(
      name.starts_with("family:") ? name : std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml",
      {}));
}

/// Whether a formulation has rows on velocities, of discs that roll without slipping.
inline bool rolls(std::string_view formulation) {
  return formulation == "multipliers" || formulation == "null-space" || formulation == "semi-recursive";
}

/// Motions of the bodies that the joints allow, at random.
inline coordinates::MechanismMotion random_motion(const dynamics::DynamicModel& model, std::uint64_t seed,
                                                  double speed = 1.0) {
  const auto formulation = dynamics::make_formulation("multipliers", model, {.kind = "reference-point"});
  dynamics::State state = formulation->start();
  core::Rng rng(seed);
  for (double& v : state.v) v += speed * rng.normal();
  EXPECT_EQ(formulation->project(state), dynamics::DynamicsStatus::kSolved);
  coordinates::MechanismMotion bodies(model.mechanism().bodies().size());
  const std::vector<double> zero(state.q.size(), 0.0);
  formulation->evaluate_bodies(state, zero, bodies);
  return bodies;
}

/// The motion with the accelerations that a formulation finds for it.
inline coordinates::MechanismMotion accelerated(dynamics::Formulation& formulation,
                                                const coordinates::MechanismMotion& bodies, double t = 0.0) {
  const dynamics::State state = formulation.state_of(bodies, t);
  std::vector<double> a(state.q.size()), z_ddot(static_cast<std::size_t>(formulation.num_integrated()));
  EXPECT_EQ(formulation.accelerate(state, a, z_ddot), dynamics::DynamicsStatus::kSolved);
  coordinates::MechanismMotion out(bodies.size());
  formulation.evaluate_bodies(state, a, out);
  return out;
}

}  // namespace eslabon::test
