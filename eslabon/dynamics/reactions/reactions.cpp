#include "eslabon/dynamics/reactions/reactions.hpp"

#include <algorithm>

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double relative_residual(const VectorXd& given, const VectorXd& wanted, double size) {
  if (wanted.size() == 0) return 0.0;
  return (given - wanted).lpNorm<Eigen::Infinity>() / (size + 1e-300);
}

double size_of_forces(const RowPushes& pushes, const BodyNeeds& needs) {
  const VectorXd inertial = pushes.stacked(needs.inertial()), applied = pushes.stacked(needs.applied());
  return inertial.size() == 0
             ? 0.0
             : std::max(inertial.lpNorm<Eigen::Infinity>(), applied.lpNorm<Eigen::Infinity>());
}

Reactions::Reactions(const DynamicModel& model)
    : model_(model),
      needs_(model),
      pushes_(model.mechanism()),
      joints_(model.mechanism().joints().size()),
      couplings_(model.mechanism().couplings().size()),
      efforts_(model.prescribed().size()),
      is_effort_unique_(efforts_.size(), true) {
  for (const coordinates::Prescribed& driver : model.prescribed()) pushes_.add(driver);
}

void Reactions::solve_or_throw(double t, const coordinates::MechanismMotion& bodies,
                               const ForceMemory& memory) {
  if (!solve(t, bodies, memory)) throw core::ModelError(model_.forces().why_not(t, bodies, memory));
}

bool Reactions::solve(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory) {
  if (!needs_.evaluate(t, bodies, memory)) return false;
  pushes_.evaluate(bodies);
  const MatrixXd G = pushes_.matrix();
  const VectorXd w = pushes_.stacked(needs_.needed());
  solver_.compute(G, kDependent * core::longest_column(G));
  const VectorXd mu = solver_.solve(w);  // (1)
  residual_ = relative_residual(G * mu, w, size_of_forces(pushes_, needs_));

  const MatrixXd shared = solver_.null_space();
  find_joint_reactions(model_.mechanism(), bodies, pushes_, mu, shared, joints_);
  find_coupling_efforts(pushes_, mu, shared, couplings_);
  for (std::size_t d = 0; d < efforts_.size(); ++d) {
    const Index row = pushes_.num_joint_rows() + static_cast<Index>(d);
    efforts_[d] = mu[row] * pushes_.unit(row);
    is_effort_unique_[d] = shared.cols() == 0 || shared.row(row).cwiseAbs().maxCoeff() < kSameForce;
  }
  return true;
}

}  // namespace eslabon::dynamics
