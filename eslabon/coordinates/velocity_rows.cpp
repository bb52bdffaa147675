#include "eslabon/coordinates/velocity_rows.hpp"

#include <algorithm>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/row_kernel.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::coordinates {

namespace {

using core::index;
using Eigen::Index;
using Eigen::Vector3d;

/// Of the angle between plane and disc. Nearer to it the contact runs round the rim a million times while the disc turns once.
constexpr double kFlat = 1e-6;

}  // namespace

VelocityRows::VelocityRows(const ConstraintSystem& system) : system_(system) {
  const model::Mechanism& mechanism = system.mechanism();
  std::vector<Feature> features;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (const Row& row : velocity_rows(mechanism, model::JointIndex(static_cast<int>(j)))) {
      PlacedRow placed{row.form, row.constant, {}, {}, row.label};
      for (int f = 0; f < feature_count(row.form); ++f) {
        const Feature& feature = row.features[index(f)];
        auto found = std::ranges::find(features, feature);
        if (found == features.end()) found = features.insert(features.end(), feature);
        placed.features[index(f)] = static_cast<int>(found - features.begin());
      }
      rows_.push_back(std::move(placed));
    }
  map_ = system.layout().make_map(features);
  for (PlacedRow& row : rows_) {
    for (int f = 0; f < feature_count(row.form); ++f) {
      const auto columns = map_->columns(row.features[index(f)]);
      row.columns.insert(row.columns.end(), columns.begin(), columns.end());
    }
    std::ranges::sort(row.columns);
    row.columns.erase(std::unique(row.columns.begin(), row.columns.end()), row.columns.end());
  }
}

FeaturesOf<double> VelocityRows::of(const PlacedRow& row, const std::vector<Vector3d>& x) const {
  FeaturesOf<double> f{};
  for (int k = 0; k < feature_count(row.form); ++k) f[index(k)] = &x[index(row.features[index(k)])];
  return f;
}

void VelocityRows::evaluate(std::span<const double> q, VelocityLevel& out) const {
  out.A.setZero(size(), system_.num_coordinates());
  if (is_empty()) return;
  map_->evaluate(q, out.features);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PlacedRow& row = rows_[r];
    const RowGradient<double> g = row_gradient<double>(row.form, of(row, out.features.x), row.constant, 0.0);
    for (int k = 0; k < feature_count(row.form); ++k) {
      std::size_t slot = index(map_->first_column(row.features[index(k)]));
      for (const int column : map_->columns(row.features[index(k)]))
        out.A(static_cast<Index>(r), column) += g.by_feature[index(k)].dot(out.features.J[slot++]);
    }
  }
}

void VelocityRows::evaluate_gamma(std::span<const double> q, std::span<const double> v,
                                  VelocityLevel& level) const {
  level.gamma.resize(size());
  if (is_empty()) return;
  level.x_dot.resize(index(map_->size()));
  level.x_bias.resize(index(map_->size()) + index(map_->bias_scratch()));
  for (int f = 0; f < map_->size(); ++f) {
    Vector3d x_dot = Vector3d::Zero();
    std::size_t slot = index(map_->first_column(f));
    for (const int column : map_->columns(f)) x_dot += v[index(column)] * level.features.J[slot++];
    level.x_dot[index(f)] = x_dot;
  }
  if (!map_->is_linear()) map_->evaluate_bias(q, v, level.features, level.x_bias);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PlacedRow& row = rows_[r];
    const FeaturesOf<double> f = of(row, level.features.x);
    double second = row_second_order(row.form, f, of(row, level.x_dot), row.constant, 0.0, 0.0);
    if (!map_->is_linear()) {
      const RowGradient<double> g = row_gradient<double>(row.form, f, row.constant, 0.0);
      for (int k = 0; k < feature_count(row.form); ++k)
        second += g.by_feature[index(k)].dot(level.x_bias[index(row.features[index(k)])]);
    }
    level.gamma[static_cast<Index>(r)] = -second;  // (1)
  }
}

std::optional<model::JointIndex> VelocityRows::find_flat_disc(const VelocityLevel& level) const {
  for (const PlacedRow& row : rows_)
    if (row.form == RowForm::kNoSlip && !(no_slip_terms<double>(of(row, level.features.x)).rho > kFlat))
      return std::get<model::JointIndex>(row.label.source);
  return std::nullopt;
}

std::string describe_row(const ConstraintSystem& system, const VelocityRows& rows, int row) {
  const RowLabel& label = rows.label(row);
  return "joint '" + system.mechanism().joint(std::get<model::JointIndex>(label.source)).name + "', " +
         label.direction;
}

core::ErrorText flat_disc_text(const model::Mechanism& mechanism, model::JointIndex joint) {
  return {.what = "a rolling disc lies flat on its plane",
          .where = "joint '" + mechanism.joint(joint).name + "'",
          .expected = "a disc that stands on one point of its rim",
          .actual = "one that touches the plane with all of it",
          .next = "End the run before, or let it start upright or with a lean."};
}

}  // namespace eslabon::coordinates
