#include "eslabon/coordinates/natural_base.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace eslabon::coordinates {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kLeastSine = 0.1;     // about 6°
constexpr double kSamePlace = 1e-12;   // of the length scale
constexpr double kNegligible = 1e-14;  // coefficients

/// ẑ × in the plane.
Matrix3d quarter_turn() {
  Matrix3d M = Matrix3d::Zero();
  M(0, 1) = -1.0;
  M(1, 0) = 1.0;
  return M;
}

double snapped(double coefficient) {
  if (std::abs(coefficient) < kNegligible) return 0.0;
  if (std::abs(coefficient - 1.0) < kNegligible) return 1.0;
  return coefficient;
}

}  // namespace

NaturalBase::NaturalBase(std::vector<BaseElement> candidates, bool is_planar, double length_scale)
    : is_planar_(is_planar), length_scale_(length_scale), place_of_candidate_(candidates.size(), -1) {
  for (std::size_t i = 0; i < candidates.size() && elements_.empty(); ++i)
    if (candidates[i].is_point) {
      elements_.push_back(candidates[i]);
      place_of_candidate_[i] = 0;
    }
  if (elements_.empty()) elements_.push_back({.name = "origin"});
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (place_of_candidate_[i] < 0 && try_add(candidates[i]))
      place_of_candidate_[i] = static_cast<int>(elements_.size()) - 1;

  // Completion: the axis that is farthest from the span so far, made perpendicular to it.
  while (orthonormal_.size() < (is_planar_ ? 1u : 3u)) {
    Vector3d best = Vector3d::Zero();
    for (int k = 0; k < (is_planar_ ? 2 : 3); ++k) {
      Vector3d u = Vector3d::Unit(k);
      for (const Vector3d& d : orthonormal_) u -= u.dot(d) * d;
      if (u.norm() > best.norm() + 1e-6) best = u;
    }
    (void)try_add({.is_point = false,
                   .local = best.normalized(),
                   .name = "u" + std::to_string(orthonormal_.size() + 1)});
  }
}

Vector3d NaturalBase::direction(std::size_t i) const {
  return elements_[i].is_point ? Vector3d(elements_[i].local - elements_[0].local) : elements_[i].local;
}

bool NaturalBase::try_add(const BaseElement& element) {
  if (orthonormal_.size() == (is_planar_ ? 1u : 3u)) return false;
  const Vector3d d = element.is_point ? Vector3d(element.local - elements_[0].local) : element.local;
  const double length = d.norm();
  if (length <= (element.is_point ? 1e-6 * length_scale_ : 0.5)) return false;
  Vector3d rest = d / length;
  for (int twice = 0; twice < 2; ++twice)
    for (const Vector3d& u : orthonormal_) rest -= rest.dot(u) * u;
  if (rest.norm() < kLeastSine) return false;
  orthonormal_.push_back(rest.normalized());
  elements_.push_back(element);
  return true;
}

// Seed003 eq. 8e, eq. 8f
// Seed001 eq. 2.9, eq. 3.28
LinearForm NaturalBase::form_of(const Vector3d& local, bool is_point) const {
  for (const BaseElement& element : elements_) {
    const double tolerance = kSamePlace * (is_point ? length_scale_ : 1.0);
    if (element.is_point == is_point && (element.local - local).norm() <= tolerance) return *element.form;
  }
  const Vector3d target = is_point ? Vector3d(local - elements_[0].local) : local;
  LinearForm form;
  if (is_point) form.add(*elements_[0].form, 1.0);
  const auto add_direction = [&](std::size_t i, const Matrix3d& M) {
    form.add(*elements_[i].form, M);
    if (elements_[i].is_point) form.add(*elements_[0].form, -M);
  };
  if (is_planar_) {
    // local = origin + α d + β ẑ × d
    const Vector3d d = direction(1);
    const double alpha = snapped(target.dot(d) / d.squaredNorm());
    const double beta = snapped((d.x() * target.y() - d.y() * target.x()) / d.squaredNorm());
    add_direction(1, alpha * Matrix3d::Identity() + beta * quarter_turn());
    form.constant.z() = local.z();
    return form;
  }
  Matrix3d D;
  D << direction(1), direction(2), direction(3);
  const Vector3d coefficients = D.partialPivLu().solve(target);
  for (std::size_t i = 0; i < 3; ++i)
    if (const double c = snapped(coefficients[static_cast<Eigen::Index>(i)]); c != 0.0)
      add_direction(i + 1, c * Matrix3d::Identity());
  return form;
}

}  // namespace eslabon::coordinates
