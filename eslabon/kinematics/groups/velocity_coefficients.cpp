#include "eslabon/kinematics/groups/velocity_coefficients.hpp"

#include <algorithm>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/kinematics/drivers/input_parties.hpp"

namespace eslabon::kinematics {

// Seed001 eq. 2.13
Eigen::VectorXd VelocityCoefficients::accelerations(const Eigen::VectorXd& z_dot,
                                                    const Eigen::VectorXd& z_ddot) const {
  Eigen::VectorXd sum = K * z_ddot;
  for (std::size_t i = 0; i < L.size(); ++i) sum += z_dot[static_cast<Eigen::Index>(i)] * (L[i] * z_dot);
  return sum;  // (1)
}

template <class Link>
VelocityCoefficientFinder<Link>::VelocityCoefficientFinder(const GroupKinematics<Link>& groups)
    : groups_(groups), inputs_(groups.problem().prescribed.size()) {
  const std::size_t n = groups.problem().num_inputs(), num_links = groups.start().links.size();
  const InputParties found = find_input_parties(groups.problem().structure, 0);
  parties_ = found.parties;
  for (const std::vector<std::size_t>& party : parties_) {
    std::vector<int> mover(num_links, -1);
    for (std::size_t l = 1; l < num_links; ++l)
      for (const std::size_t i : party)
        if (std::ranges::binary_search(found.movers[l], i)) mover[l] = static_cast<int>(i);
    mover_.push_back(std::move(mover));
  }
  const double length = coordinates::length_scale(groups.problem().mechanism);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& variable = std::get<model::Variable>(groups.problem().prescribed[i].what);
    scale_.push_back(model::dimension(groups.problem().mechanism, variable) == core::kAngle ? 1.0 : length);
  }
  const Eigen::Index rows = Link::kFreedoms * static_cast<Eigen::Index>(num_links - 1),
                     columns = static_cast<Eigen::Index>(n);
  coefficients_.K.setZero(rows, columns);
  coefficients_.L.assign(n, Eigen::MatrixXd::Zero(rows, columns));
}

template <class Link>
void VelocityCoefficientFinder<Link>::set_rates(std::size_t party, double rate) {
  for (const std::size_t i : parties_[party]) inputs_[i].velocity = rate * scale_[i];
}

// Seed001 eq. 2.12, eq. 2.18
template <class Link>
auto VelocityCoefficientFinder<Link>::find(std::span<const coordinates::CoordinateValue> inputs, Solution& at,
                                           Workspace& workspace) -> std::optional<Failure> {
  constexpr Eigen::Index kRows = Link::kFreedoms;
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = {inputs[i].position, 0.0, 0.0};
  std::vector<Eigen::MatrixXd>& L = coefficients_.L;
  for (std::size_t p = 0; p < parties_.size(); ++p) {
    set_rates(p, 1.0);
    if (const auto failure = groups_.solve(inputs_, at, workspace)) return failure;
    for (std::size_t l = 1; l < at.links.size(); ++l) {
      const Eigen::Index row = kRows * static_cast<Eigen::Index>(l - 1), i = mover_[p][l];
      if (i < 0) continue;
      const double s = scale_[static_cast<std::size_t>(i)];
      coefficients_.K.template block<kRows, 1>(row, i) = at.links[l].velocity() / s;
      L[static_cast<std::size_t>(i)].template block<kRows, 1>(row, i) = at.links[l].acceleration() / (s * s);
    }
    for (std::size_t r = 0; r < p; ++r) {
      set_rates(r, 1.0);
      if (const auto failure = groups_.solve(inputs_, at, workspace)) return failure;
      for (std::size_t l = 1; l < at.links.size(); ++l) {
        const Eigen::Index row = kRows * static_cast<Eigen::Index>(l - 1), i = mover_[p][l], j = mover_[r][l];
        if (i < 0 || j < 0) continue;
        Eigen::MatrixXd &L_i = L[static_cast<std::size_t>(i)], &L_j = L[static_cast<std::size_t>(j)];
        auto L_ij = L_i.template block<kRows, 1>(row, j);
        const double s = scale_[static_cast<std::size_t>(i)], r_s = scale_[static_cast<std::size_t>(j)];
        L_ij = 0.5 / (s * r_s) *
               (at.links[l].acceleration() - s * s * L_i.template block<kRows, 1>(row, i) -
                r_s * r_s * L_j.template block<kRows, 1>(row, j));
        L_j.template block<kRows, 1>(row, i) = L_ij;
      }
      set_rates(r, 0.0);
    }
    set_rates(p, 0.0);
  }
  return std::nullopt;
}

template class VelocityCoefficientFinder<PlanarLink>;
template class VelocityCoefficientFinder<SpatialLink>;

}  // namespace eslabon::kinematics
