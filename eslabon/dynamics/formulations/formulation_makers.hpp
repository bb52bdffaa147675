#pragma once

#include "eslabon/dynamics/formulations/formulation.hpp"

namespace eslabon::dynamics {

// One file each; listed in formulation_registry.cpp.
std::unique_ptr<Formulation> make_multipliers(const DynamicModel& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_null_space(const DynamicModel& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_augmented_lagrangian(const DynamicModel& model,
                                                       const FormulationOptions& options);
std::unique_ptr<Formulation> make_semi_recursive(const DynamicModel& model,
                                                 const FormulationOptions& options);
std::unique_ptr<Formulation> make_clusters(const DynamicModel& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_groups(const DynamicModel& model, const FormulationOptions& options);

}  // namespace eslabon::dynamics
