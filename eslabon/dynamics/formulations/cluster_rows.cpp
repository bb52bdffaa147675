#include "eslabon/dynamics/formulations/cluster_rows.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/index.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::FeaturesOf;
using coordinates::RowForm;
using core::index;
using Eigen::Vector3d;

}  // namespace

ClusterRows::ClusterRows(const Cluster& cluster, const coordinates::KinematicTree& tree,
                         const ClusterLinks& links, const std::vector<coordinates::Row>& described)
    : cluster_(cluster), number_(cluster.links.empty() ? 0 : index(links.cluster_of(cluster.links.front()))) {
  std::vector<coordinates::Feature> known;
  for (const int r : cluster.rows) {
    const coordinates::Row& from = described[index(r)];
    PlacedRow& row = rows_.emplace_back();
    row.form = from.form;
    row.constant = from.constant;
    row.column = from.column;
    row.prescribed = from.prescribed;
    row.num_features = coordinates::feature_count(from.form);
    row.terms = from.terms;
    for (std::size_t f = 0; f < index(row.num_features); ++f) {
      const coordinates::Feature& feature = from.features[f];
      auto place = static_cast<int>(std::ranges::find(known, feature) - known.begin());
      const int link = tree.link_of(feature.body);
      const bool is_on_base = std::ranges::find(cluster.links, link) == cluster.links.end();
      if (index(place) == known.size()) {
        known.push_back(feature);
        const core::Pose<double> X_FB = links.in_link(feature.body, {});
        features_.push_back({link, feature.is_point, is_on_base,
                             feature.is_point ? X_FB.apply_to_point(feature.local_B)
                                              : X_FB.apply_to_direction(feature.local_B)});
      }
      row.features[f] = place;
      row.side[f] = -1;
      if (is_on_base) continue;
      for (std::size_t side = 0; side < 2 && row.side[f] < 0; ++side) {
        if (row.links[side] >= 0 && row.links[side] != link) continue;
        row.links[side] = link;
        row.side[f] = static_cast<int>(side);
      }
    }
  }
  x_.resize(features_.size());
  x_dot_.resize(features_.size());
  x_bias_.resize(features_.size());
  Phi_.resize(rows_.size());
  Phi_t_.resize(rows_.size());
  largest_.resize(rows_.size());
  gamma_.resize(rows_.size());
}

void ClusterRows::set_columns(const std::vector<int>& columns, const ClusterLinks& links) {
  width_ = columns.size();
  Phi_q_.assign(rows_.size() * width_, 0.0);
  const auto place_of = [&](int column) {
    const auto at = std::ranges::find(columns, column);
    return at == columns.end() ? -1 : static_cast<int>(at - columns.begin());
  };
  for (PlacedRow& row : rows_) {
    row.entries.clear();
    row.own_place = row.column < 0 ? -1 : place_of(row.column);
    row.term_places.clear();
    for (const coordinates::LinearTerm& term : row.terms) row.term_places.push_back(place_of(term.column));
    const auto has = [&](int link, int column) {
      return link >= 0 && std::ranges::find(links.path(link), column) != links.path(link).end();
    };
    for (std::size_t side = 0; side < 2; ++side)
      if (row.links[side] >= 0)
        for (const int column : links.path(row.links[side]))
          // What carries both moves them together.
          if (const int place = place_of(column); place >= 0 && !has(row.links[1 - side], column))
            row.entries.push_back({column, place, static_cast<int>(side)});
  }
}

void ClusterRows::evaluate(const ClusterLinks& links, std::span<const double> q,
                           std::span<const coordinates::CoordinateValue> prescribed) {
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const PlacedFeature& feature = features_[f];
    const ClusterLinks::Values& link = links[feature.link];
    x_[f].noalias() = link.R * feature.local;
    if (feature.is_point) x_[f] += link.p;
  }
  std::ranges::fill(Phi_q_, 0.0);
  const Vector3d& point = links.point(static_cast<int>(number_));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    PlacedRow& row = rows_[r];
    FeaturesOf<double> f{};
    for (std::size_t k = 0; k < index(row.num_features); ++k) f[k] = &x_[index(row.features[k])];
    const double own = row.column >= 0 ? q[index(row.column)] : 0.0;
    double residual = coordinates::row_residual<double>(row.form, f, row.constant, own);
    const coordinates::RowGradient<double> gradient =
        coordinates::row_gradient<double>(row.form, f, row.constant, own);
    std::array<Vector6d, 2> wrench{Vector6d::Zero(), Vector6d::Zero()};
    for (std::size_t k = 0; k < index(row.num_features); ++k) {
      const Vector3d& pull = row.gradient[k] = gradient.by_feature[k];
      if (row.side[k] < 0) continue;
      Vector6d& at = wrench[index(row.side[k])];
      if (features_[index(row.features[k])].is_point) {
        at.head<3>() += (*f[k] - point).cross(pull);
        at.tail<3>() += pull;
      } else {
        at.head<3>() += f[k]->cross(pull);
      }
    }
    double* const entries = Phi_q_.data() + r * width_;
    for (const Entry& entry : row.entries)
      entries[entry.place] += links.axis(entry.column).dot(wrench[index(entry.side)]);  // (1)
    if (row.own_place >= 0)
      entries[row.own_place] += row.form == RowForm::kCoordinate          ? 1.0
                                : coordinates::subtracts_own(row.form)    ? -1.0
                                : coordinates::holds_coordinate(row.form) ? gradient.by_angle
                                                                          : 0.0;
    if (row.form == RowForm::kCoordinate) residual += own;
    if (coordinates::subtracts_own(row.form)) residual -= own;
    for (std::size_t t = 0; t < row.terms.size(); ++t) {
      const coordinates::LinearTerm& term = row.terms[t];
      const double value = q[index(term.column)];
      residual += term.factor * (term.law != nullptr ? term.law->value.evaluate(value) : value);
      if (row.term_places[t] >= 0)
        entries[row.term_places[t]] +=
            term.factor * (term.law != nullptr ? term.law->slope.evaluate(value) : 1.0);
    }
    if (coordinates::has_constant_outside(row.form)) residual -= row.constant.value;
    Phi_t_[r] = 0.0;
    if (row.prescribed >= 0) {
      residual -= prescribed[index(row.prescribed)].position;
      Phi_t_[r] = -prescribed[index(row.prescribed)].velocity;
    }
    Phi_[r] = residual;
    double largest = 0.0;
    for (std::size_t k = 0; k < width_; ++k) largest = std::max(largest, std::abs(entries[k]));
    largest_[r] = largest;
  }
}

void ClusterRows::evaluate_gamma(const ClusterLinks& links, std::span<const double> q,
                                 std::span<const double> v,
                                 std::span<const coordinates::CoordinateValue> prescribed) {
  const Vector3d& point = links.point(static_cast<int>(number_));
  const Vector6d& base = links.base_motion(number_);
  const Vector3d still = Vector3d::Zero(), base_w = base.head<3>(), base_v = base.tail<3>();
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const PlacedFeature& feature = features_[f];
    const ClusterLinks::Values& link = links[feature.link];
    const Vector3d &w = feature.is_on_base ? base_w : link.w, &v_O = feature.is_on_base ? base_v : link.v;
    const Vector3d &alpha = feature.is_on_base ? still : link.alpha, &a = feature.is_on_base ? still : link.a;
    if (feature.is_point) {
      const Vector3d r = x_[f] - point;
      x_dot_[f] = v_O + w.cross(r);
      x_bias_[f] = a + alpha.cross(r) + w.cross(x_dot_[f]);
    } else {
      x_dot_[f] = w.cross(x_[f]);
      x_bias_[f] = alpha.cross(x_[f]) + w.cross(x_dot_[f]);
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PlacedRow& row = rows_[r];
    FeaturesOf<double> f{}, f_dot{};
    for (std::size_t k = 0; k < index(row.num_features); ++k) {
      f[k] = &x_[index(row.features[k])];
      f_dot[k] = &x_dot_[index(row.features[k])];
    }
    const double own = row.column >= 0 ? q[index(row.column)] : 0.0;
    const double own_rate = row.column >= 0 ? v[index(row.column)] : 0.0;
    double second = coordinates::row_second_order(row.form, f, f_dot, row.constant, own, own_rate);
    for (std::size_t k = 0; k < index(row.num_features); ++k)
      second += row.gradient[k].dot(x_bias_[index(row.features[k])]);
    for (const coordinates::LinearTerm& term : row.terms)
      if (term.law != nullptr) {
        const double rate = v[index(term.column)];
        second += term.factor * term.law->curvature.evaluate(q[index(term.column)]) * rate * rate;
      }
    gamma_[r] = -second + (row.prescribed >= 0 ? prescribed[index(row.prescribed)].acceleration : 0.0);
  }
}

}  // namespace eslabon::dynamics
