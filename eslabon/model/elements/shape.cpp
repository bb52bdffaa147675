#include "eslabon/model/elements/shape.hpp"

#include <array>
#include <numbers>

namespace eslabon::model {

namespace {

/// I = transverse·(E − u uᵀ) + axial·u uᵀ for a body of revolution about the unit vector u.
Eigen::Matrix3d inertia_of_revolution(double axial, double transverse, const Eigen::Vector3d& axis) {
  const Eigen::Vector3d u = axis.stableNormalized();
  const Eigen::Matrix3d along =
      u * u.transpose();  // on its own: Eigen would take the factor into u, unsymmetrically
  return transverse * Eigen::Matrix3d::Identity() + (axial - transverse) * along;
}

// Moments about the centre of mass of uniform bodies, m the mass:
//   thin bar, length L        axial 0          transverse m L²/12               (1)
//   thin disc, radius r       axial m r²/2     transverse m r²/4                (2)
//   box a × b × c             about x: m (b² + c²)/12, cyclic                   (3)
//   cylinder r, L             axial m r²/2     transverse m (3 r² + L²)/12      (4)
//   ball r                    2 m r²/5                                          (5)
struct MomentsOf {
  double m;
  Eigen::Vector3d p_from, p_to;

  MassProperties operator()(const Bar&) const {
    const Eigen::Vector3d along = p_to - p_from;
    return {m, 0.5 * (p_from + p_to),
            inertia_of_revolution(0.0, m * along.squaredNorm() / 12.0, along)};  // (1)
  }
  MassProperties operator()(const Disc& disc) const {
    const double m_r2 = m * disc.radius * disc.radius;
    return {m, disc.p_BC_B, inertia_of_revolution(m_r2 / 2.0, m_r2 / 4.0, disc.axis_B)};  // (2)
  }
  MassProperties operator()(const Box& box) const {
    const Eigen::Vector3d squares = box.size.cwiseAbs2();
    const Eigen::Vector3d moments = m / 12.0 * (Eigen::Vector3d::Constant(squares.sum()) - squares);  // (3)
    return {m, box.p_BC_B, moments.asDiagonal()};
  }
  MassProperties operator()(const Cylinder& cylinder) const {
    const double r2 = cylinder.radius * cylinder.radius;
    const double transverse = m * (3.0 * r2 + cylinder.length * cylinder.length) / 12.0;
    return {m, cylinder.p_BC_B, inertia_of_revolution(m * r2 / 2.0, transverse, cylinder.axis_B)};  // (4)
  }
  MassProperties operator()(const Sphere& ball) const {
    const double moment = 0.4 * m * ball.radius * ball.radius;  // (5)
    return {m, ball.p_BC_B, moment * Eigen::Matrix3d::Identity()};
  }
};

}  // namespace

std::string_view name(const Shape& shape) {
  static constexpr std::array<std::string_view, 5> kNames{"bar", "disc", "box", "cylinder", "sphere"};
  return kNames[shape.index()];
}

std::optional<double> volume(const Shape& shape) {
  using std::numbers::pi;
  if (const auto* box = std::get_if<Box>(&shape)) {
    if (box->size.z() == 0.0) return std::nullopt;
    return box->size.prod();
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return pi * cylinder->radius * cylinder->radius * cylinder->length;
  if (const auto* ball = std::get_if<Sphere>(&shape))
    return 4.0 / 3.0 * pi * ball->radius * ball->radius * ball->radius;
  return std::nullopt;
}

MassProperties uniform_mass_properties(const Shape& shape, double mass, const Eigen::Vector3d& p_from,
                                       const Eigen::Vector3d& p_to) {
  return std::visit(MomentsOf{mass, p_from, p_to}, shape);
}

}  // namespace eslabon::model
