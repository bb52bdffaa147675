#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/geometry/vector.hpp"
#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/model/indices.hpp"

namespace eslabon::coordinates {

/// A point or a direction that a body carries with it. Every constraint is written with these alone; the kinds of
/// coordinates differ only in how a feature follows from q.
struct Feature {
  model::BodyIndex body = model::kGround;
  bool is_point = true;                               ///< otherwise a direction
  Eigen::Vector3d local_B = Eigen::Vector3d::Zero();  ///< (3) p_BP_B [m] or u_B [1]
  friend bool operator==(const Feature& a, const Feature& b) {
    return a.body == b.body && a.is_point == b.is_point && a.local_B == b.local_B;
  }
};

/// Frames of the links of a tree and the motions that its coordinates give: scratch of relative coordinates.
template <core::Scalar T>
struct TreeValues {
  std::vector<core::Matrix3<T>> R_WL;  ///< (links)
  std::vector<core::Vector3<T>> p_WL;  ///< (links)
  /// (coordinates) motion of everything above for a unit rate of the coordinate: angular part, and velocity of the
  /// point that coincides with the world's origin: b_i of [Seed004, eqs. (3), (4)], there with the linear part on top.
  std::vector<core::Vector3<T>> axis_w;
  std::vector<core::Vector3<T>> axis_v;
};

/// Values of all features of a map at one q.
template <core::Scalar T>
struct FeatureValues {
  std::vector<core::Vector3<T>> x;  ///< (features) world components [m] or [1]
  std::vector<core::Vector3<T>>
      J;  ///< columns of ∂x/∂q, feature after feature, each in the order of columns()
  TreeValues<T> tree;
  const void* owner = nullptr;  ///< the map that sized the above and wrote its constant parts
};

/// x = x(q) for a list of features, with the exact derivatives that constraints need:
///   ẋ = J v                                                                                   (1)
///   ẍ = J a + x_bias,   x_bias = (dJ/dt) v                                                    (2)
/// const and safe to share between threads; values belong to the caller. After the first call with the same
/// values nothing allocates.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  int size() const { return static_cast<int>(first_.size()) - 1; }
  /// Coordinates that the feature depends on.
  std::span<const int> columns(int feature) const {
    const auto f = static_cast<std::size_t>(feature);
    return std::span(columns_).subspan(static_cast<std::size_t>(first_[f]),
                                       static_cast<std::size_t>(first_[f + 1] - first_[f]));
  }
  /// Where the columns of the feature start in FeatureValues::J.
  int first_column(int feature) const { return first_[static_cast<std::size_t>(feature)]; }

#define ESLABON_DECLARE(T) virtual void evaluate(std::span<const T> q, FeatureValues<T>& out) const = 0;
  ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_DECLARE)
#undef ESLABON_DECLARE

  /// x_bias of (2) for every feature; `values` are those at q. `bias` has room for bias_scratch() vectors more than
  /// there are features.
  virtual void evaluate_bias(std::span<const double> q, std::span<const double> v,
                             const FeatureValues<double>& values, std::span<Eigen::Vector3d> bias) const = 0;
  virtual int bias_scratch() const { return 0; }
  /// Whether x_bias is always zero, because x is linear in q.
  virtual bool is_linear() const { return false; }

 protected:
  /// Appends a feature with these columns; returns where they start in FeatureValues::J.
  int append(std::span<const int> columns) {
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    first_.push_back(static_cast<int>(columns_.size()));
    return first_[first_.size() - 2];
  }
  /// Whether `out` is new to this map; then its lists have been sized and zeroed.
  template <core::Scalar T>
  bool prepare(FeatureValues<T>& out) const {
    if (out.owner == this) return false;
    out.owner = this;
    out.x.assign(static_cast<std::size_t>(size()), core::Vector3<T>::Zero());
    out.J.assign(columns_.size(), core::Vector3<T>::Zero());
    return true;
  }

 private:
  std::vector<int> first_{0};  ///< (features + 1)
  std::vector<int> columns_;
};

}  // namespace eslabon::coordinates
