#pragma once

#include <array>
#include <span>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/coordinates/row_kernel.hpp"
#include "eslabon/kinematics/groups/spatial_link.hpp"

namespace eslabon::kinematics {

/// A point or direction of a link.
struct LinkFeature {
  std::size_t link = 0;
  bool is_point = true;
  Eigen::Vector3d local = Eigen::Vector3d::Zero();  ///< (3) in the link's frame
};

/// A constraint row between features of links, written with poses and rates of the links themselves.
struct LinkRow {
  coordinates::RowForm form;
  coordinates::RowConstant constant = 0.0;
  int input = -1;  ///< position of s in the list of prescribed values; −1: none
  std::array<LinkFeature, coordinates::kMostFeatures> features = {};

  int num_features() const { return coordinates::feature_count(form); }
};

LinkRow place_row(const coordinates::Row& row, int input, const coordinates::KinematicTree& tree);
/// The row that makes a prescribed variable, or a held direction, follow its value number `input`.
LinkRow prescribed_row(const model::Mechanism& mechanism, const coordinates::Prescribed& prescribed,
                       int input, const coordinates::KinematicTree& tree);

/// Residuals of all joints between links and of what is prescribed, from the poses of the links.
class LinkResidual {
 public:
  LinkResidual(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
               std::span<const coordinates::Prescribed> prescribed);

  /// The largest, lengths in units of `length`. Couplings are not looked at.
  double largest(std::span<const SpatialLink> links, std::span<const coordinates::CoordinateValue> values,
                 double length) const;

 private:
  std::vector<LinkRow> rows_;
};

using FeatureVectors = std::array<Eigen::Vector3d, coordinates::kMostFeatures>;

/// Features of a row and their motion.
struct RowMotion {
  FeatureVectors x, x_dot, x_ddot;
};

/// Where the features are; their rates when `with_rates`.
RowMotion row_motion(const LinkRow& row, std::span<const SpatialLink> links, bool with_rates);

inline coordinates::FeaturesOf<double> pointers(const FeatureVectors& x) {
  return {&x[0], &x[1], &x[2], &x[3], &x[4]};
}

/// Φ of the row; s: the value that it follows.
double row_value(const LinkRow& row, const FeatureVectors& x, double s);

/// dΦ/dt, or d²Φ/dt², for these motions of the features and of the value.
double row_velocity(const LinkRow& row, const RowMotion& motion, const coordinates::CoordinateValue& s);
double row_acceleration(const LinkRow& row, const RowMotion& motion, const coordinates::CoordinateValue& s);

}  // namespace eslabon::kinematics
