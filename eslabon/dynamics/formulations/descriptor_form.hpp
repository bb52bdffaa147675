#pragma once

#include <span>

#include <Eigen/Core>

#include "eslabon/dynamics/formulations/dynamics_status.hpp"
#include "eslabon/dynamics/state.hpp"

namespace eslabon::dynamics {

/// The equations of motion as they stand, with positions and multipliers as unknowns: index 3. For integrators that solve them at the
/// end of a step,
///   r = M a + h − Q + Phi_qᵀ λ = 0,   Phi = 0                     [GarciaDeJalonBayo1994, ch. 8]                 (1)
class DescriptorForm {
 public:
  virtual ~DescriptorForm() = default;

  virtual std::size_t num_rows() const = 0;  ///< m
  /// r (n) and Phi (m) at a state with accelerations a (n) and multipliers λ (m).
  [[nodiscard]] virtual DynamicsStatus evaluate(const State& state, std::span<const double> a,
                                                std::span<const double> lambda, Eigen::Ref<Eigen::VectorXd> r,
                                                Eigen::Ref<Eigen::VectorXd> Phi) = 0;
  /// Phi_q (m × n) of the last evaluate.
  virtual void write_Phi_q(Eigen::Ref<Eigen::MatrixXd> out) const = 0;
  /// (m) ε: how much each row may give in an iteration, so that rows may repeat others. Converged, they give nothing.
  virtual std::span<const double> softness() const = 0;
};

}  // namespace eslabon::dynamics
