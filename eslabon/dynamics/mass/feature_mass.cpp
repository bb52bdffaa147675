#include <algorithm>
#include <utility>

#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/mass/feature_masses.hpp"
#include "eslabon/dynamics/mass/mass_model.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::Feature;
using core::index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Mass and generalised forces of a mechanism in any kind of coordinates, by its FeatureMasses m_ij. With ẋ_i = J_i v and ẍ_i = J_i a + x_bias,i of
/// coordinates::FeatureMap follow
///   M = Σ m_ij J_iᵀ J_j,   h = Σ m_ij J_iᵀ x_bias,j,   Q = Σ J_0ᵀ f + ½ Σ_k J_kᵀ (τ × x_k)                     (3)
/// where features are linear in q (natural coordinates) M is constant and h = 0; where they are quadratic, (1) is the inertia in Euler
/// parameters.
/// Source: the constant mass matrix of [GarciaDeJalonBayo1994, ch. 4], for features of any kind.
class MassSystem final : public MassModel {
 public:
  explicit MassSystem(const coordinates::ConstraintSystem& system);
  void evaluate(std::span<const double> q, std::span<const double> v, const Vector3d& g,
                MassValues& out) const override;
  void project(std::span<const Wrench> wrenches, MassValues& out) const override;

 private:
  /// One product: entry of M += m J_a · J_b.
  struct Product {
    int entry, a, b;
    double m;
  };

  const coordinates::ConstraintSystem& system_;
  std::unique_ptr<coordinates::FeatureMap> map_;
  std::vector<FeatureMasses::Coupling> couplings_;
  std::vector<FeatureMasses::BodyFeatures> bodies_;
  std::vector<int> points_;  ///< features that are points
  std::vector<Product> products_;
};

MassSystem::MassSystem(const coordinates::ConstraintSystem& system) : system_(system) {
  FeatureMasses masses = feature_masses(system.mechanism());
  couplings_ = std::move(masses.couplings);
  bodies_ = std::move(masses.bodies);
  const std::vector<Feature>& features = masses.features;
  for (std::size_t f = 0; f < features.size(); ++f)
    if (features[f].is_point) points_.push_back(static_cast<int>(f));
  map_ = system.layout().make_map(features);

  struct Entry {
    int column, row;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries;
  for (const FeatureMasses::Coupling& coupling : couplings_)
    for (const int row : map_->columns(coupling.i))
      for (const int column : map_->columns(coupling.j)) entries.push_back({column, row});
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  const auto n = index(system.num_coordinates());
  pattern_.rows = pattern_.columns = static_cast<int>(n);
  pattern_.column_start.assign(n + 1, 0);
  for (const Entry& entry : entries) {
    ++pattern_.column_start[index(entry.column) + 1];
    pattern_.row_of_entry.push_back(entry.row);
  }
  for (std::size_t c = 0; c < n; ++c) pattern_.column_start[c + 1] += pattern_.column_start[c];
  for (const FeatureMasses::Coupling& coupling : couplings_) {
    int a = map_->first_column(coupling.i);
    for (const int row : map_->columns(coupling.i)) {
      int b = map_->first_column(coupling.j);
      for (const int column : map_->columns(coupling.j)) {
        const auto found = std::ranges::lower_bound(entries, Entry{column, row});
        products_.push_back({static_cast<int>(found - entries.begin()), a, b, coupling.m});
        ++b;
      }
      ++a;
    }
  }
}

// Seed002 eq. 8, eq. 9, eq. 14, eq. 25
void MassSystem::evaluate(std::span<const double> q, std::span<const double> v, const Vector3d& g,
                          MassValues& out) const {
  map_->evaluate(q, out.features);
  if (!out.is_constant) {
    out.M.assign(pattern_.row_of_entry.size(), 0.0);
    for (const Product& p : products_)
      out.M[index(p.entry)] += p.m * out.features.J[index(p.a)].dot(out.features.J[index(p.b)]);  // (3)
    out.is_constant = map_->is_linear();
  }
  out.h.setZero(system_.num_coordinates());
  if (map_->is_linear() && g.isZero(0.0)) return;
  out.x_bias.resize(index(map_->size() + map_->bias_scratch()));
  if (map_->is_linear())
    std::ranges::fill(out.x_bias, Vector3d::Zero());
  else
    map_->evaluate_bias(q, v, out.features, out.x_bias);
  // Weight is a need for −g of every point. Σ_j m_ij (x_bias,j − g) of every feature first.
  for (const int point : points_) out.x_bias[index(point)] -= g;
  out.sums.assign(index(map_->size()), Vector3d::Zero());
  for (const FeatureMasses::Coupling& c : couplings_) out.sums[index(c.i)] += c.m * out.x_bias[index(c.j)];
  for (int f = 0; f < map_->size(); ++f) {
    std::size_t slot = index(map_->first_column(f));
    for (const int column : map_->columns(f)) out.h[column] += out.features.J[slot++].dot(out.sums[index(f)]);
  }
}

// Seed002 eq. 23
void MassSystem::project(std::span<const Wrench> wrenches, MassValues& out) const {
  out.Q.setZero(system_.num_coordinates());
  const auto add = [&](int feature, const Vector3d& force) {
    std::size_t slot = index(map_->first_column(feature));
    for (const int column : map_->columns(feature)) out.Q[column] += out.features.J[slot++].dot(force);
  };
  for (const FeatureMasses::BodyFeatures& body : bodies_) {
    const Wrench& wrench = wrenches[body.body];
    add(body.origin, wrench.force);
    // ω = ½ Σ x_k × ẋ_k
    for (int k = 1; k <= body.num_axes; ++k)
      add(body.origin + k, 0.5 * wrench.torque.cross(out.features.x[index(body.origin + k)]));
  }
}

}  // namespace

// Seed000 eq. 37, eq. 38
// Seed002 eq. 11
FeatureMasses feature_masses(const model::Mechanism& mechanism) {
  const int num_axes = mechanism.is_planar() ? 2 : 3;
  FeatureMasses out;
  std::vector<Feature>& features = out.features;
  const auto couple = [&](int i, int j, double m) {
    if (m != 0.0) out.couplings.push_back({i, j, m});
  };
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    const int first = static_cast<int>(features.size());
    out.bodies.push_back({b, first, num_axes});
    features.push_back({body, true, Vector3d::Zero()});
    for (int k = 0; k < num_axes; ++k) features.push_back({body, false, Vector3d::Unit(k)});
    if (mass.is_massless()) continue;
    const Vector3d& c = mass.p_BC_B;
    const Matrix3d I_O =
        mass.I_BC_B + mass.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    couple(first, first, mass.mass);
    for (int k = 0; k < num_axes; ++k) {
      couple(first, first + 1 + k, mass.mass * c[k]);
      couple(first + 1 + k, first, mass.mass * c[k]);
      for (int l = 0; l < num_axes; ++l)
        couple(first + 1 + k, first + 1 + l, (k == l ? 0.5 * I_O.trace() : 0.0) - I_O(k, l));  // (1)
    }
  }
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.rod_mass == 0.0) continue;
    const int first = static_cast<int>(features.size());
    for (const model::JointEnd& end : joint.ends) features.push_back({end.body, true, end.X_BF.p_AB_A});
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) couple(first + i, first + j, joint.rod_mass / (i == j ? 3.0 : 6.0));  // (2)
  }
  return out;
}

std::unique_ptr<MassModel> make_feature_masses(const coordinates::ConstraintSystem& system) {
  return std::make_unique<MassSystem>(system);
}

}  // namespace eslabon::dynamics
