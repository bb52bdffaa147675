#include "eslabon/coordinates/constraint_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "eslabon/coordinates/row_kernel.hpp"
#include "eslabon/coordinates/row_list.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::coordinates {

namespace {

using core::index;
using Eigen::Vector3d;

/// Gives every distinct feature one place.
class FeatureList {
 public:
  int place(const Feature& feature) {
    const auto key = std::make_tuple(feature.body.value(), feature.is_point, feature.local_B.x(),
                                     feature.local_B.y(), feature.local_B.z());
    const auto [found, is_new] = places_.try_emplace(key, static_cast<int>(features_.size()));
    if (is_new) features_.push_back(feature);
    return found->second;
  }
  const std::vector<Feature>& features() const { return features_; }

 private:
  std::map<std::tuple<int, bool, double, double, double>, int> places_;
  std::vector<Feature> features_;
};

/// Coordinates on the way to all features of a row move them together and drop out of it: no form of row changes when
/// its features move as one body.
std::vector<int> common_columns(const FeatureMap& map, std::span<const int> features) {
  std::vector<int> common;
  if (features.size() < 2) return common;
  const auto has = [&](int f, int column) {
    return std::ranges::find(map.columns(f), column) != map.columns(f).end();
  };
  for (const int column : map.columns(features[0]))
    if (std::ranges::all_of(features, [&](int f) { return has(f, column); })) common.push_back(column);
  return common;
}

}  // namespace

ConstraintSystem::ConstraintSystem(std::string_view kind, const model::Mechanism& mechanism,
                                   const structure::Structure& structure, std::vector<Prescribed> prescribed)
    : mechanism_(mechanism),
      structure_(structure),
      layout_(make_layout(kind, mechanism, structure)),
      prescribed_(std::move(prescribed)) {
  RowList list = list_rows(*layout_, mechanism, prescribed_);
  coordinates_ = std::move(list.coordinates);
  for (const RowList::Mixed& mixed : list.mixed) mixed_.push_back({mixed.variable, mixed.column});
  turns_ = CouplingTurns(std::move(list.relations));
  num_mechanism_rows_ = list.num_mechanism_rows;
  place_rows(list.rows);
}

std::optional<int> ConstraintSystem::column_of(const model::Variable& variable) const {
  if (const auto column = layout_->column_of(variable)) return column;
  const auto mixed = std::ranges::find(mixed_, variable, &MixedCoordinate::variable);
  return mixed == mixed_.end() ? std::nullopt : std::optional(mixed->column);
}

void ConstraintSystem::place_rows(const std::vector<Row>& rows) {
  FeatureList list;
  for (const Row& row : rows)
    for (int f = 0; f < feature_count(row.form); ++f) (void)list.place(row.features[index(f)]);
  map_ = layout_->make_map(list.features());

  // The entries of each row, then the pattern by columns.
  struct Entry {
    int column, row;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries;
  std::vector<std::vector<int>> excluded(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    std::array<int, kMostFeatures> places;
    places.fill(-1);
    for (std::size_t f = 0; f < index(feature_count(row.form)); ++f) places[f] = list.place(row.features[f]);
    if (layout_->has_chains())
      excluded[r] = common_columns(*map_, std::span(places).first(index(feature_count(row.form))));
    for (const int place : places)
      if (place >= 0)
        for (const int column : map_->columns(place))
          if (std::ranges::find(excluded[r], column) == excluded[r].end())
            entries.push_back({column, static_cast<int>(r)});
    for (int k = 0; row.column >= 0 && k < (row.form == RowForm::kUnit ? 4 : 1); ++k)
      entries.push_back({row.column + k, static_cast<int>(r)});
    const int first_term = static_cast<int>(terms_.size());
    for (const LinearTerm& term : row.terms) {
      entries.push_back({term.column, static_cast<int>(r)});
      terms_.push_back({term.column, term.factor, term.law, -1});
    }
    rows_.push_back({row.form,
                     row.constant,
                     row.column,
                     row.prescribed,
                     places,
                     {},
                     {-1, -1, -1, -1},
                     first_term,
                     static_cast<int>(terms_.size()),
                     row.measures_length});
    labels_.push_back(row.label);
  }
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  pattern_.rows = static_cast<int>(rows.size());
  pattern_.columns = static_cast<int>(coordinates_.size());
  pattern_.column_start.assign(coordinates_.size() + 1, 0);
  for (const Entry& entry : entries) {
    ++pattern_.column_start[index(entry.column) + 1];
    pattern_.row_of_entry.push_back(entry.row);
  }
  for (std::size_t c = 0; c < coordinates_.size(); ++c)
    pattern_.column_start[c + 1] += pattern_.column_start[c];

  const auto entry_of = [&](int column, int row) {
    return static_cast<int>(std::ranges::lower_bound(entries, Entry{column, row}) - entries.begin());
  };
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    PlacedRow& row = rows_[r];
    for (std::size_t f = 0; f < kMostFeatures; ++f) {
      row.first_target[f] = static_cast<int>(targets_.size());
      if (row.features[f] < 0) continue;
      int J = map_->first_column(row.features[f]);
      for (const int column : map_->columns(row.features[f])) {
        if (std::ranges::find(excluded[r], column) == excluded[r].end())
          targets_.push_back({entry_of(column, static_cast<int>(r)), J});
        ++J;
      }
    }
    row.first_target[kMostFeatures] = static_cast<int>(targets_.size());
    for (int k = 0; row.column >= 0 && k < (row.form == RowForm::kUnit ? 4 : 1); ++k)
      row.own_entries[index(k)] = entry_of(row.column + k, static_cast<int>(r));
    for (int t = row.first_term; t < row.end_term; ++t)
      terms_[index(t)].entry = entry_of(terms_[index(t)].column, static_cast<int>(r));
  }
}

template <core::Scalar T>
std::array<const core::Vector3<T>*, kMostFeatures> ConstraintSystem::features_of(
    const PlacedRow& row, const std::vector<core::Vector3<T>>& x) const {
  FeaturesOf<T> f{};
  for (std::size_t i = 0; i < kMostFeatures; ++i)
    if (row.features[i] >= 0) f[i] = &x[index(row.features[i])];
  return f;
}

template <core::Scalar T>
T ConstraintSystem::value_of(const PlacedTerm& term, std::span<const T> q) {
  const T& own = q[index(term.column)];
  return term.law != nullptr ? T(term.factor * term.law->value.evaluate(own)) : T(term.factor * own);
}

// Seed000 eq. 2
template <core::Scalar T>
void ConstraintSystem::evaluate_residual(std::span<const T> q, std::span<const T> values,
                                         FeatureValues<T>& features, std::span<T> Phi) const {
  map_->evaluate(q, features);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PlacedRow& row = rows_[r];
    const auto f = features_of(row, features.x);
    const T own = row.column >= 0 ? q[index(row.column)] : T(0.0);
    T residual = row_residual<T>(row.form, f, row.constant, own);
    if (row.form == RowForm::kUnit)
      for (int k = 0; k < 4; ++k)
        residual = residual + 0.5 * (q[index(row.column + k)] * q[index(row.column + k)] - 0.25);
    if (row.form == RowForm::kCoordinate) residual = residual + own;
    if (subtracts_own(row.form)) residual = residual - own;
    for (int t = row.first_term; t < row.end_term; ++t)
      residual = residual + value_of<T>(terms_[index(t)], q);
    if (has_constant_outside(row.form)) residual = residual - row.constant.value;
    if (row.prescribed >= 0) residual = residual - values[index(row.prescribed)];
    Phi[r] = residual;
  }
}

// Seed000 eq. 81
// Seed004 eq. 23
template <core::Scalar T>
void ConstraintSystem::add_gradient(const PlacedRow& row, std::span<const T> q,
                                    const FeatureValues<T>& features, std::span<T> Phi_q) const {
  const T own = row.column >= 0 ? q[index(row.column)] : T(0.0);
  const RowGradient<T> gradient = row_gradient<T>(row.form, features_of(row, features.x), row.constant, own);
  for (std::size_t k = 0; k < kMostFeatures; ++k)
    for (int t = row.first_target[k]; t < row.first_target[k + 1]; ++t) {
      const Target& target = targets_[index(t)];
      Phi_q[index(target.entry)] += gradient.by_feature[k].dot(features.J[index(target.J)]);
    }
  switch (row.form) {
    case RowForm::kUnit:
      for (int k = 0; k < 4; ++k) Phi_q[index(row.own_entries[index(k)])] += q[index(row.column + k)];
      break;
    case RowForm::kCoordinate:
      Phi_q[index(row.own_entries[0])] += 1.0;
      break;
    case RowForm::kOffset:
    case RowForm::kSpan:
      if (row.column >= 0) Phi_q[index(row.own_entries[0])] -= 1.0;
      break;
    case RowForm::kAngle:
    case RowForm::kBearing:
    case RowForm::kCurvePlace:
    case RowForm::kFacePlace:
    case RowForm::kPairPlace:
    case RowForm::kSpaceCurvePlace:
      Phi_q[index(row.own_entries[0])] += gradient.by_angle;
      break;
    case RowForm::kLinear:
      for (int t = row.first_term; t < row.end_term; ++t) {
        const PlacedTerm& term = terms_[index(t)];
        if (term.law != nullptr)
          Phi_q[index(term.entry)] += term.factor * term.law->slope.evaluate(q[index(term.column)]);
        else
          Phi_q[index(term.entry)] += term.factor;
      }
      break;
    default:
      break;
  }
}

// Seed000 eq. 87
template <core::Scalar T>
void ConstraintSystem::evaluate_jacobian(std::span<const T> q, FeatureValues<T>& features,
                                         std::span<T> Phi_q) const {
  map_->evaluate(q, features);
  std::ranges::fill(Phi_q, T(0.0));
  for (const PlacedRow& row : rows_) add_gradient(row, q, features, Phi_q);
}

#define ESLABON_INSTANTIATE(T)                                                                              \
  template void ConstraintSystem::evaluate_residual<T>(std::span<const T>, std::span<const T>,              \
                                                       FeatureValues<T>&, std::span<T>) const;              \
  template void ConstraintSystem::evaluate_jacobian<T>(std::span<const T>, FeatureValues<T>&, std::span<T>) \
      const;
ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

// Seed000 eq. 75, eq. 84
// Seed003 eq. 1
void ConstraintSystem::evaluate_positions(std::span<const double> q, std::span<const CoordinateValue> values,
                                          PositionLevel& out) const {
  out.Phi.resize(num_rows());
  out.Phi_t.setZero(num_rows());
  out.Phi_q.assign(index(pattern_.num_entries()), 0.0);
  map_->evaluate(q, out.features);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PlacedRow& row = rows_[r];
    const auto i = static_cast<Eigen::Index>(r);
    const auto f = features_of(row, out.features.x);
    const double own = row.column >= 0 ? q[index(row.column)] : 0.0;
    double residual = row_residual<double>(row.form, f, row.constant, own);
    add_gradient<double>(row, q, out.features, out.Phi_q);
    if (row.form == RowForm::kUnit)
      for (int k = 0; k < 4; ++k)
        residual += 0.5 * (q[index(row.column + k)] * q[index(row.column + k)] - 0.25);
    if (row.form == RowForm::kCoordinate) residual += own;
    if (subtracts_own(row.form)) residual -= own;
    for (int t = row.first_term; t < row.end_term; ++t) residual += value_of<double>(terms_[index(t)], q);
    if (has_constant_outside(row.form)) residual -= row.constant.value;
    if (row.prescribed >= 0) {
      residual -= values[index(row.prescribed)].position;
      out.Phi_t[i] = -values[index(row.prescribed)].velocity;
    }
    out.Phi[i] = residual;
  }
}

// Seed000 eq. 73, eq. 85, eq. 88
// Seed002 eq. 26
void ConstraintSystem::evaluate_gamma(const PositionLevel& positions, std::span<const double> q,
                                      std::span<const double> v, std::span<const CoordinateValue> values,
                                      GammaWorkspace& workspace, Eigen::VectorXd& gamma) const {
  gamma.resize(num_rows());
  const std::size_t num_features = index(map_->size());
  workspace.x_dot.resize(num_features);
  workspace.x_bias.resize(num_features + index(map_->bias_scratch()));
  for (int f = 0; f < map_->size(); ++f) {
    Vector3d x_dot = Vector3d::Zero();
    std::size_t slot = index(map_->first_column(f));
    for (const int column : map_->columns(f)) x_dot += v[index(column)] * positions.features.J[slot++];
    workspace.x_dot[index(f)] = x_dot;
  }
  if (!map_->is_linear()) map_->evaluate_bias(q, v, positions.features, workspace.x_bias);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PlacedRow& row = rows_[r];
    const auto f = features_of(row, positions.features.x);
    const auto f_dot = features_of(row, workspace.x_dot);
    const double own = row.column >= 0 ? q[index(row.column)] : 0.0;
    const double own_rate = row.column >= 0 ? v[index(row.column)] : 0.0;
    double second = row_second_order(row.form, f, f_dot, row.constant, own, own_rate);
    if (!map_->is_linear() && row.features[0] >= 0) {
      const RowGradient<double> gradient = row_gradient<double>(row.form, f, row.constant, own);
      for (std::size_t k = 0; k < kMostFeatures; ++k)
        if (row.features[k] >= 0)
          second += gradient.by_feature[k].dot(workspace.x_bias[index(row.features[k])]);
    }
    if (row.form == RowForm::kUnit)
      for (int k = 0; k < 4; ++k) second += v[index(row.column + k)] * v[index(row.column + k)];
    for (int t = row.first_term; t < row.end_term; ++t)
      if (const PlacedTerm& term = terms_[index(t)]; term.law != nullptr) {
        const double rate = v[index(term.column)];
        second += term.factor * term.law->curvature.evaluate(q[index(term.column)]) * rate * rate;
      }
    gamma[static_cast<Eigen::Index>(r)] =
        -second + (row.prescribed >= 0 ? values[index(row.prescribed)].acceleration : 0.0);  // (2)
  }
}

CoordinateValue ConstraintSystem::read_mixed(const MixedCoordinate& mixed,
                                             const MechanismMotion& bodies) const {
  if (const auto* joint = std::get_if<model::JointIndex>(&mixed.variable.element))
    return joint_coordinate(mechanism_.joint(*joint), mixed.variable.component, bodies);
  const BodyMotion& body = bodies[std::get<model::BodyIndex>(mixed.variable.element).slot()];
  const auto& R = body.X_WB.R_AB.matrix();
  return {std::atan2(R(1, 0), R(0, 0)), body.w_WB_W.z(), body.alpha_WB_W.z()};
}

void ConstraintSystem::read_bodies(const MechanismMotion& bodies, CoordinateSpans out,
                                   std::span<const double> near) const {
  layout_->read_bodies(bodies, out);
  for (const MixedCoordinate& mixed : mixed_) {
    const CoordinateValue value = read_mixed(mixed, bodies);
    out.q[index(mixed.column)] = value.position;
    out.v[index(mixed.column)] = value.velocity;
    out.a[index(mixed.column)] = value.acceleration;
  }
  std::vector<bool> is_told(coordinates_.size(), false);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const auto* variable = std::get_if<model::Variable>(&prescribed_[i].what);
    const auto column = variable == nullptr ? std::nullopt : column_of(*variable);
    if (!column || coordinates_[index(*column)].dimension != core::kAngle) continue;
    out.q[index(*column)] = unwrapped(out.q[index(*column)], near[i]);
    is_told[index(*column)] = true;
  }
  turns_.apply(out.q, std::move(is_told));
}

Eigen::MatrixXd ConstraintSystem::dense(std::span<const double> Phi_q) const {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(num_rows(), num_coordinates());
  for (int c = 0; c < num_coordinates(); ++c)
    for (int e = pattern_.column_start[index(c)]; e < pattern_.column_start[index(c) + 1]; ++e)
      matrix(pattern_.row_of_entry[index(e)], c) = Phi_q[index(e)];
  return matrix;
}

std::string describe_row(const ConstraintSystem& system, int row) {
  const RowLabel& label = system.label(row);
  const std::string direction = label.direction.empty() ? "" : ", " + label.direction;
  if (const auto* joint = std::get_if<model::JointIndex>(&label.source))
    return "joint '" + system.mechanism().joint(*joint).name + "'" + direction;
  if (const auto* body = std::get_if<model::BodyIndex>(&label.source))
    return "body '" + system.mechanism().body(*body).name + "'" + direction;
  if (const auto* coupling = std::get_if<model::CouplingIndex>(&label.source))
    return "coupling '" + system.mechanism().coupling(*coupling).name + "'";
  return system.prescribed()[std::get<PrescribedIndex>(label.source).slot()].name;
}

}  // namespace eslabon::coordinates
