// Mechanisms of known mobility: single loops in space.
#include "tests/mechanism_sketch.hpp"

namespace eslabon::test::sketch {

namespace {

// ---- Single loops in space -----------------------------------------------------------------------------------------

/// The planar four-bar and slider-crank, laid into space by X, with the axes along its z.
std::vector<Pair> laid_out(const Eigen::Isometry3d& X, std::vector<Pair> pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    // The pins of one planar mechanism may lie at any height.
    pairs[i].p = X * V(pairs[i].p + V(0, 0, 0.04 * static_cast<double>(i * i)));
    pairs[i].u = X.linear() * pairs[i].u;
  }
  return pairs;
}

void add_planar_loops_in_space(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const std::string four_source = "textbook: a planar loop of revolutes needs 3 of its 6 equations";
  const auto inclined = Eigen::Isometry3d(Eigen::Quaterniond::FromTwoVectors(V::UnitZ(), V(1, 2, 3)));
  list.push_back(known(ring("four-bar in space", space, laid_out(Eigen::Isometry3d::Identity(), kFourBar)),
                       {-2, 1, 3}, four_source, letters(4)));
  list.push_back(known(ring("inclined four-bar", space, laid_out(inclined, kFourBar)), {-2, 1, 3},
                       four_source, letters(4)));
  std::vector<Pair> tilted = laid_out(inclined, kFourBar);
  tilted[2].u = turn(0.1, V(1, 0, 0.3)) * tilted[2].u;
  list.push_back(
      known(ring("four-bar with one pin tilted", space, tilted), {-2, 0, 2},
            "by thought: four lines without relation give rank 4 of 6; Bennett's is the only movable one",
            letters(4)));
  const std::vector<Pair> slider{
      {R, V(0, 0, 0)}, {R, V(0.1, 0.2, 0)}, {R, V(0.8, 0.05, 0)}, {P, V(0.8, 0.05, 0), V(2, 0.3, 0)}};
  list.push_back(known(ring("slider-crank in space", space, laid_out(inclined, slider)), {-2, 1, 3},
                       four_source, letters(4)));
  const std::vector<Pair> wedges{
      {P, V(0, 0, 0), V(1, 0.2, 0)}, {P, V(0.3, 0.1, 0), V(0.6, 0.8, 0)}, {P, V(0.5, 0, 0), V(-0.3, 1, 0)}};
  list.push_back(known(ring("three wedges in space", space, laid_out(inclined, wedges)), {-3, 1, 4},
                       "by thought: three pairs share two equations", letters(3)));
  list.push_back(known(ring("four slides in space", space,
                            {{P, V(0, 0, 0), V(1, 0.2, 0.1)},
                             {P, V(0.3, 0, 0.1), V(0, 1, 0.4)},
                             {P, V(0.5, 0.2, 0), V(0.3, -0.1, 1)},
                             {P, V(0.1, 0.4, 0.2), V(1, 1, -1)}}),
                       {-2, 1, 3}, "by thought: nothing can turn, so four pairs share three equations",
                       letters(4)));
  list.push_back(known(ring("Oldham coupling in space", space,
                            laid_out(inclined, {{R, V(0, 0, 0)},
                                                {P, V(0, 0, 0), V(3, 1, 0)},
                                                {P, V(0, 0, 0), V(-1, 3, 0)},
                                                {R, V(0.1, 0.05, 0)}})),
                       {-2, 1, 3}, four_source, letters(4)));
  // Vehicle door with a check strap that slides through a swivel on the door.
  Sketch door("car door with a check strap", space);
  door.join("hinge", "ground", "door", {R, V(0, 0, 0)});
  door.join("strap_pin", "ground", "strap", {R, V(0.1, 0.2, 0.3)});
  door.join("slot", "strap", "swivel", {P, V(0.3, 0.25, 0.3), V(0.2, 0.05, 0)});
  door.join("swivel_pin", "swivel", "door", {R, V(0.4, 0.275, 0.25)});
  list.push_back(known(door, {-2, 1, 3}, four_source, {"hinge", "strap_pin", "slot", "swivel_pin"}));
}

/// The four axes of a Bennett linkage: sides (a, alpha) and (b, beta) in turn with sin(alpha)/a = sin(beta)/b, and
///   tan(theta1/2) tan(theta2/2) = sin((alpha + beta)/2) / sin((beta − alpha)/2),                              (1)
///   theta3 = 2π − theta1,  theta4 = 2π − theta2.                                                             (2)
std::vector<Eigen::Isometry3d> bennett_frames(const Eigen::Isometry3d& first, const Side& a, const Side& b,
                                              double theta1) {
  const double theta2 = 2.0 * std::atan(std::sin(0.5 * (a.alpha + b.alpha)) /
                                        std::sin(0.5 * (b.alpha - a.alpha)) / std::tan(0.5 * theta1));
  std::vector<Eigen::Isometry3d> frames{first};
  frames.push_back(frames[0] * link_transform(theta1, a.a, a.alpha));
  frames.push_back(frames[1] * link_transform(theta2, b.a, b.alpha));
  frames.push_back(frames[2] * link_transform(-theta1, a.a, a.alpha));
  if (!(frames[3] * link_transform(-theta2, b.a, b.alpha)).isApprox(first, 1e-12))
    throw std::logic_error("the Bennett linkage of known_mobility.cpp does not close");
  return frames;
}

/// The side of length a that has the Bennett ratio of `other`.
Side with_ratio_of(const Side& other, double a) {
  return {a, std::asin(a * std::sin(other.alpha) / other.a)};
}

/// theta with zero offsets that closes the ring of `sides` near a guess: Gauss and Newton, differences for derivatives.
Eigen::VectorXd closed_angles(const std::vector<Side>& sides, Eigen::VectorXd theta) {
  const auto gap = [&](const Eigen::VectorXd& angles) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    for (std::size_t i = 0; i < sides.size(); ++i)
      X = X * link_transform(angles(static_cast<int>(i)), sides[i].a, sides[i].alpha);
    Eigen::Matrix<double, 12, 1> g;
    g << X.linear().reshaped() - Eigen::Matrix3d::Identity().reshaped(), X.translation();
    return g;
  };
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double h = 1e-6;  // cbrt of roundoff
    Eigen::MatrixXd J(12, theta.size());
    for (int i = 0; i < theta.size(); ++i) {
      const Eigen::VectorXd d = h * Eigen::VectorXd::Unit(theta.size(), i);
      J.col(i) = (gap(theta + d) - gap(theta - d)) / (2.0 * h);
    }
    const Eigen::Matrix<double, 12, 1> g = gap(theta);
    const Eigen::MatrixXd damped =
        J.transpose() * J + g.squaredNorm() * Eigen::MatrixXd::Identity(theta.size(), theta.size());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(damped);
    cod.setThreshold(1e-9);
    theta -= cod.solve(J.transpose() * g);
  }
  return theta;
}

void add_bennett_linkages(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const Eigen::Isometry3d first = turn(0.7, V(1, 2, -1));
  const Side a{0.5, 0.6}, b = with_ratio_of(a, 0.8), c = with_ratio_of(a, 0.35);
  const double theta = 1.1;
  const auto bennett = bennett_frames(first, a, b, theta);
  std::vector<Pair> hinges;
  for (const Eigen::Isometry3d& X : bennett) hinges.push_back(hinge_of(X));
  list.push_back(known(ring("Bennett linkage", space, hinges), {-2, 1, 3}, "Bennett 1903", letters(4)));

  // Two Bennett linkages share the side a between axes 1 and 2. The sides b and c that meet at axis 2 become one
  // link; then the common side and axis 2 can go, and five axes are left.
  const double other_theta = -1.9;
  const auto second = bennett_frames(first * turn(theta - other_theta, V::UnitZ()), a, c, other_theta);
  list.push_back(known(ring("Goldberg five-bar", space,
                            {hinge_of(bennett[0]), hinge_of(bennett[3]), hinge_of(bennett[2]),
                             hinge_of(second[2]), hinge_of(second[3])}),
                       {-1, 1, 2}, "Goldberg 1943: two Bennett linkages", letters(5)));

  std::vector<Pair> spherical;
  for (const V& u : {V(0, 0, 1), V(0.5, 0.2, 1), V(0.8, 1, 0.7), V(-0.3, 0.9, 0.6)})
    spherical.push_back({R, V(V(0.1, 0.2, 0.3) + 0.5 * u), u});
  list.push_back(known(ring("spherical four-bar", space, spherical), {-2, 1, 3},
                       "textbook: all axes through one point", letters(4)));
}

void add_bricard_linkages(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const double right = 0.5 * std::numbers::pi;
  // All sides 1, angles theta and phi in turn: cos(phi) = −cos(theta)/(1 + cos(theta)). hinges_of checks it.
  const auto alternating = [&](const std::array<double, 6>& lengths) {
    std::vector<Side> sides;
    for (std::size_t i = 0; i < 6; ++i) sides.push_back({lengths[i], i % 2 == 0 ? right : -right});
    return sides;
  };
  const std::vector<Side> threefold = alternating({1, 1, 1, 1, 1, 1});
  const double theta = 1.2, phi = std::acos(-std::cos(theta) / (1.0 + std::cos(theta)));
  const Eigen::VectorXd threefold_angles =
      (Eigen::VectorXd(6) << theta, phi, theta, phi, theta, phi).finished();
  list.push_back(known(ring("threefold-symmetric Bricard", space, hinges_of(threefold, threefold_angles)),
                       {0, 1, 1}, "kaleidocycle: Bricard 1927, equal sides and right angles", letters(6)));
  // a1² + a3² + a5² = 1.10 = a2² + a4² + a6².
  const std::vector<Side> trihedral = alternating({0.5, 0.4, 0.7, 0.5, 0.6, std::sqrt(0.69)});
  list.push_back(known(
      ring("trihedral Bricard", space, hinges_of(trihedral, closed_angles(trihedral, threefold_angles))),
      {0, 1, 1}, "Bricard 1927, orthogonal", letters(6)));
  const std::vector<Pair> half{{R, V(0.6, 0.1, 0.2), V(0.3, 1, 0.5)},
                               {R, V(0.5, 0.7, -0.1), V(-0.4, 0.2, 1)},
                               {R, V(-0.1, 0.6, 0.3), V(1, 0.3, -0.2)}};
  std::vector<Pair> line_symmetric = half;
  for (const Pair& hinge : half) {
    const Eigen::Isometry3d half_turn = turn(std::numbers::pi, V::UnitZ());
    line_symmetric.push_back({R, half_turn * hinge.p, half_turn.linear() * hinge.u});
  }
  list.push_back(known(ring("line-symmetric Bricard", space, line_symmetric), {0, 1, 1},
                       "Bricard 1927: opposite sides equal, one half turned into the other about z",
                       letters(6)));
  const auto mirrored = [](const Pair& hinge) {
    return Pair{R, V(hinge.p.x(), -hinge.p.y(), hinge.p.z()), V(hinge.u.x(), -hinge.u.y(), hinge.u.z())};
  };
  const Pair near_axis{R, V(0.7, 0, 0.1), V(0.4, 0, 1)}, far_axis{R, V(-0.6, 0, 0.2), V(1, 0, 0.7)};
  list.push_back(known(ring("plane-symmetric Bricard", space,
                            {near_axis, half[0], half[1], far_axis, mirrored(half[1]), mirrored(half[0])}),
                       {0, 1, 1}, "Bricard 1927: one half mirrored into the other, two axes in the mirror",
                       letters(6)));
  std::vector<Pair> general = line_symmetric;
  general[4].p += V(0.1, -0.05, 0.07);
  list.push_back(known(ring("six revolutes without relation", space, general), {0, 0, 0}, "by count"));
  list.push_back(known(ring("seven revolutes", space,
                            {general[0],
                             general[1],
                             general[2],
                             general[3],
                             general[4],
                             general[5],
                             {R, V(0.9, -0.3, 0.4), V(0.2, 1, -0.6)}}),
                       {1, 1, 0}, "by count: 6·6 − 7·5 = 1"));
}

void add_general_loops(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const V O(0, 0, 0), A(0.05, 0.0866, 0.02), B(0.22, 0.2, 0.3), G(0.2, 0.25, 0.1);
  list.push_back(known(ring("RSSR", space, {{R, O}, {S, A}, {S, B}, {R, G, V(1, 0, 0.2)}}), {2, 2, 0, 1},
                       "textbook: one freedom is the coupler's spin"));
  Sketch rod("RSSR with a rod", space);
  rod.join("O", "ground", "crank", {R, O});
  rod.rod("coupler", "crank", "rocker", A, B);
  rod.join("G", "ground", "rocker", {R, G, V(1, 0, 0.2)});
  list.push_back(known(rod, {1, 1, 0}, "textbook: RSSR without the spin"));
  list.push_back(known(ring("RSSP", space, {{R, O}, {S, A}, {S, B}, {P, G, V(1, 0.3, 0.2)}}), {2, 2, 0, 1},
                       "textbook: spatial slider-crank, one freedom is the coupler's spin"));
  list.push_back(known(
      ring("RCCC", space, {{R, O}, {C, A, V(0.2, 1, 0.3)}, {C, B, V(1, 0.1, 0.4)}, {C, G, V(0.3, 0.2, 1)}}),
      {1, 1, 0}, "textbook: 6·3 − 5 − 3·4 = 1"));
  list.push_back(known(
      ring("CCCC", space, {{C, O}, {C, A, V(0.2, 1, 0.3)}, {C, B, V(1, 0.1, 0.4)}, {C, G, V(0.3, -0.2, 1)}}),
      {2, 2, 0}, "textbook: 6·3 − 4·4 = 2"));
  list.push_back(known(ring("RSCR", space, {{R, O}, {S, A}, {C, B, V(1, 0.1, 0.4)}, {R, G, V(0.3, -0.2, 1)}}),
                       {1, 1, 0}, "textbook: 6·3 − 5 − 3 − 4 − 5 = 1"));
  list.push_back(known(ring("RESR", space, {{R, O}, {E, A, V(0.2, 1, 0.3)}, {S, B}, {R, G, V(1, 0, 0.2)}}),
                       {2, 2, 0}, "textbook: 6·3 − 5 − 3 − 3 − 5 = 2"));
}

void add_cardan_shafts(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const V O(0, 0, 0);
  // Hinge lines of the yokes: u on the shaft, across on the other side of the cross.
  const V shaft = V::UnitX(), yoke = V(0, std::cos(0.4), std::sin(0.4));
  const auto cross_to = [&](const V& u, const V& other_shaft) {
    return V(u.cross(other_shaft).normalized());
  };
  const V bent(1, 0.2, 0.5);
  list.push_back(known(ring("Hooke's joint", space,
                            {{R, V(-1, 0, 0), shaft}, {U, O, yoke, cross_to(yoke, bent)}, {R, bent, bent}}),
                       {-2, 1, 3}, "textbook: a spherical four-bar", letters(3)));
  const V middle(1, 0.1, 0.4);  // along the intermediate shaft
  const V inner = cross_to(yoke, middle);
  const std::vector<Pair> cardan{{R, V(-0.5, 0, 0), shaft},
                                 {U, O, yoke, inner},
                                 {U, middle, inner, yoke},
                                 {R, V(middle + V(0.5, 0, 0)), shaft}};
  list.push_back(
      known(ring("double Cardan shaft, parallel shafts", space, cardan), {0, 1, 1},
            "textbook: inner yokes in one plane transmit evenly; parallel shafts need no length change",
            letters(4)));
  std::vector<Pair> out_of_phase = cardan;
  const V twisted = turn(0.6, middle).linear() * inner;
  out_of_phase[2].u = twisted;
  out_of_phase[2].u2 = twisted.cross(shaft).normalized();
  list.push_back(known(ring("double Cardan shaft, yokes out of phase", space, out_of_phase), {0, 1, 1},
                       "by thought: each shaft keeps its yoke's centre on its axis, whatever the phase",
                       letters(4)));
  const V skew(1, 0.3, -0.4);
  std::vector<Pair> telescopic{cardan[0],
                               cardan[1],
                               {P, V(0.5 * middle), middle},
                               {U, middle, inner, cross_to(inner, skew)},
                               {R, V(middle + 0.5 * skew), skew}};
  list.push_back(known(ring("Cardan shaft with a slide", space, telescopic), {1, 1, 0},
                       "by count: 6·4 − 5·3 − 4·2 = 1"));
}

}  // namespace

void add_loops_in_space(std::vector<KnownMobility>& list) {
  add_planar_loops_in_space(list);
  add_bennett_linkages(list);
  add_bricard_linkages(list);
  add_general_loops(list);
  add_cardan_shafts(list);
}

}  // namespace eslabon::test::sketch
