#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tests/unit/model/gauss_newton.hpp"
#include <Eigen/Dense>

namespace eslabon::model::test {

inline constexpr std::array<double, 5> kAxleY{0.0, 4.640, 6.660, 11.73465, 13.73465};

inline bool is_turned(int axle) { return axle == 3 || axle == 5; }

/// One axle of the truck by the source's own equations in natural coordinates, numbers as in its listing.
/// Shares no code and no data with the family. Points and vectors by their numbers there.
class SeedAxle {
 public:
  SeedAxle(int number, double Z15, double Z16)
      : d_(kAxleY[static_cast<std::size_t>(number - 1)]),
        turned_(is_turned(number)),
        mult_(turned_ ? -1.0 : 1.0) {
    P[1] = listed(0, 0.889, -2 * 0.889, 0.265);
    P[2] = listed(0.76, 0.917, -2 * 0.917, 0);
    P[3] = listed(-0.76, 0.917, -2 * 0.917, 0);
    P[4] = listed(0.7343, 0.003, 2 * 0.0004, 0.5539);
    P[5] = listed(-0.7373, 0.0003, 2 * 0.0004, 0.5539);
    P[6] = listed(0.819, -0.833, 2 * 0.833, 0.261);
    P[7] = listed(-0.819, -0.833, 2 * 0.833, 0.261);
    solve_group_2345(Z15, Z16);
    solve_group_79({7, 13, 18, 23, 25}, {0.199, 0.3606, 0.00003});
    solve_group_79({6, 12, 17, 20, 22}, {-0.199, 0.3606, 0.00003});
    solve_group_1213(4, 10, 13);
    solve_group_1213(5, 11, 18);
  }

  std::array<Vector3d, 19> P;  ///< [1] … [18], as the source numbers them
  std::array<Vector3d, 26> V;  ///< those that the tests ask for
  double residual = 0.0;       ///< the largest of the groups

 private:
  Vector3d listed(double x, double y, double cte, double z) const {
    return {mult_ * x, y + d_ + (turned_ ? cte : 0.0), z};
  }
  Vector3d x() const { return {mult_, 0, 0}; }
  Vector3d y() const { return {0, mult_, 0}; }

  static VectorXd stack(const std::vector<Vector3d>& parts) {
    VectorXd q(3 * std::ssize(parts));
    for (std::size_t k = 0; k < parts.size(); ++k) q.segment<3>(3 * static_cast<Eigen::Index>(k)) = parts[k];
    return q;
  }

  // Cuadros 3.30 and 3.31. q = P14 P8 P9 P15 P16 V2 V9 V8 V7 V5 V6 V3 V4; the heights of P15 and P16 are rows
  // here.
  void solve_group_2345(double Z15, double Z16) {
    const Vector3d z = Vector3d::UnitZ();
    const auto rows = [&](const VectorXd& q) {
      const auto v = [&](int k) { return Vector3d(q.segment<3>(3 * k)); };
      const Vector3d P14 = v(0), P8 = v(1), P9 = v(2), P15 = v(3), P16 = v(4), V9 = v(6), V8 = v(7),
                     V7 = v(8);
      Rows r;
      r.unit_and_perpendicular(V9, V8);
      r.zero(V7.squaredNorm() - 1.0);
      r.zero(V7.dot(V8));
      r.zero(V7.dot(V9));
      const auto link = [&](const Vector3d& fixed, const Vector3d& moving, const Vector3d& a,
                            const Vector3d& b, double length) {
        r.unit_and_perpendicular(a, b);
        r.zero(a.dot(moving - fixed));
        r.zero(b.dot(moving - fixed));
        r.zero((moving - fixed).squaredNorm() - length * length);
      };
      link(P[1], P14, x(), v(5), 0.889);
      link(P[2], P8, v(11), v(12), 0.8);
      link(P[3], P9, v(9), v(10), 0.8);
      r.zero(Vector3d(P8 - P14 - 0.758 * V9 - 0.131 * V8 + 0.265 * V7));
      r.zero(Vector3d(P9 - P14 + 0.758 * V9 - 0.131 * V8 + 0.265 * V7));
      r.zero(Vector3d(P15 - P14 - 1.202 * V9 + 0.265 * V7));
      r.zero(Vector3d(P16 - P14 + 1.202 * V9 + 0.265 * V7));
      r.zero(V9.dot(v(12)));  // cardan 2-4
      r.zero(V9.dot(v(10)));  // cardan 2-5
      r.zero(P15.z() - Z15);
      r.zero(P16.z() - Z16);
      return r.vector();
    };
    const Solution found = solve(rows, stack({listed(0, 0, 0, 0.265), listed(0.76, 0.12, -2 * 0.131, 0),
                                              listed(-0.76, 0.12, -2 * 0.131, 0), listed(1.202, 0, 0, 0),
                                              listed(-1.202, 0, 0, 0), z, x(), y(), z, x(), z, x(), z}));
    residual = std::max(residual, found.residual);
    for (const auto& [number, k] : {std::pair{14, 0}, {8, 1}, {9, 2}, {15, 3}, {16, 4}}) {
      P[static_cast<std::size_t>(number)] = found.x.segment<3>(3 * k);
    }
    for (const auto& [number, k] : {std::pair{9, 6}, {8, 7}, {7, 8}, {6, 10}, {4, 12}}) {
      V[static_cast<std::size_t>(number)] = found.x.segment<3>(3 * k);
    }
    P[10] = P[14] + 0.7373 * V[9] - 0.0004 * V[8] - 0.134 * V[7];
    P[11] = P[14] - 0.7373 * V[9] - 0.0004 * V[8] - 0.134 * V[7];
    P[12] = P[14] + 0.6246 * V[9] - 0.4727 * V[8] - 0.4133 * V[7];
    P[13] = P[14] - 0.6246 * V[9] - 0.4727 * V[8] - 0.4133 * V[7];
  }

  /// Numbers of the points and vectors of a half of the bar with its drop link.
  struct BarGroup {
    std::size_t top, seat, end;  ///< points: chassis to link, axle to bar, bar to link
    std::size_t link_y, bar_z;   ///< vectors
  };

  // Cuadro 3.40. q = end point of the bar, V1 and V2 of the link, V3 and V5 of the bar.
  void solve_group_79(const BarGroup& n, const Vector3d& coef) {
    const auto rows = [&](const VectorXd& q) {
      const auto v = [&](int k) { return Vector3d(q.segment<3>(3 * k)); };
      const Vector3d drop = v(0) - P[n.top];
      Rows r;
      r.unit_and_perpendicular(v(1), v(2));
      r.zero(v(1).dot(drop));
      r.zero(v(2).dot(drop));
      r.zero(drop.squaredNorm() - 0.419 * 0.419);
      r.unit_and_perpendicular(v(4), v(3));
      r.zero(V[9].dot(v(3)));
      r.zero(V[9].dot(v(4)));
      r.zero(v(1).dot(V[9]));  // cardan 7-9
      r.zero(Vector3d(P[n.seat] - v(0) - coef.x() * V[9] - coef.y() * v(4) - coef.z() * v(3)));
      return r.vector();
    };
    const Vector3d z = Vector3d::UnitZ();
    const Solution found = solve(
        rows, stack({listed(n.end == 17 ? 0.819 : -0.819, -0.833, 2 * 0.833, -0.160), y(), x(), z, y()}));
    residual = std::max(residual, found.residual);
    P[n.end] = found.x.segment<3>(0);
    V[n.link_y] = found.x.segment<3>(3);
    V[n.bar_z] = found.x.segment<3>(9);
  }

  // Cuadro 3.45. q = V1 along the strut, V2 and V3 of the tube, V4 and V5 of the rod.
  void solve_group_1213(std::size_t top, std::size_t foot, std::size_t rod_x) {
    const auto rows = [&](const VectorXd& q) {
      const auto v = [&](int k) { return Vector3d(q.segment<3>(3 * k)); };
      Rows r;
      r.unit_and_perpendicular(v(1), v(2));
      r.unit_and_perpendicular(v(3), v(4));
      r.zero(v(0).squaredNorm() - 1.0);
      for (int k = 1; k < 5; ++k) r.zero(v(0).dot(v(k)));
      r.zero((P[foot] - P[top]).cross(v(0)));
      r.zero(v(4).dot(v(1)));
      r.zero(V[8].dot(v(4)));  // cardan 12-2
      return r.vector();
    };
    const Solution found = solve(rows, stack({Vector3d::UnitZ(), y(), x(), y(), x()}));
    residual = std::max(residual, found.residual);
    V[rod_x] = found.x.segment<3>(12);
  }

  double d_;
  bool turned_;
  double mult_;
};

}  // namespace eslabon::model::test
