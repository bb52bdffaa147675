#include "tests/spatial_group_bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>

#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

namespace eslabon::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using kinematics::SpatialLink;
using model::JointType;

/// How far open a joint is, from its own frames: 0 when it is closed [m] or [1].
double gap_of(const SpatialBench& bench, model::JointIndex index, const SpatialLinks& links) {
  const model::Joint& joint = bench.mechanism.joint(index);
  Vector3d p[2];
  Matrix3d R[2];
  for (std::size_t end = 0; end < 2; ++end) {
    const model::JointEnd& e = joint.ends[end];
    const SpatialLink& link = links[static_cast<std::size_t>(bench.tree.link_of(e.body))];
    p[end] = link.p + link.R * e.X_BF.p_AB_A;  // every link is one body
    R[end] = link.R * e.X_BF.R_AB.matrix();
  }
  const Vector3d across = p[1] - p[0];
  switch (joint.type) {
    case JointType::kRevolute:
      return std::max(across.norm(), (R[0].col(2) - R[1].col(2)).norm());
    case JointType::kPrismatic:
      return std::max(R[0].col(0).cross(across).norm(), (R[0] - R[1]).norm());
    case JointType::kUniversal:
      return std::max(across.norm(), std::abs(R[0].col(0).dot(R[1].col(1))));
    default:
      return across.norm();
  }
}

}  // namespace

template <class Link>
GroupBench<Link>::GroupBench(const GroupCase& group_case)
    : mechanism(group_case.mechanism),
      structure(structure::analyse_structure(mechanism)),
      assembly(kinematics::assemble(mechanism, structure)),
      driven(mechanism, structure, assembly),
      groups(driven),
      tree(mechanism, structure),
      coupled(mechanism),
      inputs(driven.prescribed().size()),
      start(groups.start().links) {
  driven.evaluate_or_throw(0.0, inputs);
  general = kinematics::make_general_group(
      {mechanism, structure, tree, driven.prescribed(), start, inputs, coupled, {}}, group());
  for (std::size_t i = 0; i < group_case.outer.size(); ++i) {
    const auto body = std::get<model::BodyIndex>(*mechanism.find(group_case.outer[i]));
    outer.push_back(static_cast<std::size_t>(tree.link_of(body)));
    const SpatialLink link = start[outer.back()].to_spatial();
    held.push_back(link.R.transpose() * (group_case.held[i] - link.p));
  }
}

template struct GroupBench<kinematics::PlanarLink>;
template struct GroupBench<kinematics::SpatialLink>;

void move_outer_links(const SpatialBench& bench, bool is_concurrent, Dice& dice, SpatialLinks& links) {
  kinematics::SpatialPoint at{Vector3d::Zero(), Vector3d::Zero(),
                              Vector3d::Zero()};  // where the point that all of them share goes
  for (std::size_t i = 0; i < bench.outer.size(); ++i) {
    SpatialLink& link = links[bench.outer[i]];
    if (i == 0 || !is_concurrent)
      at = {link.position(bench.held[i]) + dice.vector(0.3), dice.vector(1.0), dice.vector(1.0)};
    link.R = dice.turn(3.0) * link.R;
    link.w = dice.vector(2.0);
    link.alpha = dice.vector(2.0);
    link.put_point(bench.held[i], at);
  }
}

SpatialLinks disturbed(const SpatialBench& bench, Dice& dice, SpatialLinks links) {
  for (const structure::LinkIndex own : bench.group().links) {
    SpatialLink& link = links[own.slot()];
    link.R = dice.turn(1e-3) * link.R;
    link.p += dice.vector(1e-3);
    link.w = link.v = link.alpha = link.a = Vector3d::Zero();
  }
  return links;
}

bool is_near_toggle(const SpatialBench& bench, const SpatialLinks& links) {
  return std::ranges::any_of(bench.group().links, [&](const structure::LinkIndex own) {
    const SpatialLink& link = links[own.slot()];
    return link.w.norm() > 20.0 || link.alpha.norm() > 400.0 || link.v.norm() > 20.0 || link.a.norm() > 400.0;
  });
}

void expect_closed(const SpatialBench& bench, const SpatialLinks& links) {
  for (const model::JointIndex joint : bench.group().joints)
    ASSERT_LE(gap_of(bench, joint, links), test::tolerance_scale() * 1e-12)
        << bench.mechanism.joint(joint).name;
  for (const structure::LinkIndex own : bench.group().links) {
    const Matrix3d& R = links[own.slot()].R;
    ASSERT_LE((R.transpose() * R - Matrix3d::Identity()).norm(), test::tolerance_scale() * 1e-13);
    ASSERT_GT(R.determinant(), 0.0);
  }
}

void expect_same(const SpatialBench& bench, const SpatialLinks& actual, const SpatialLinks& expected) {
  const double scale = test::tolerance_scale();
  for (const structure::LinkIndex own : bench.group().links) {
    const SpatialLink &is = actual[own.slot()], &should = expected[own.slot()];
    // Beside speeds up to 20 and accelerations up to 400: the error is measured by them.
    const double fast = 1.0 + should.w.squaredNorm() + should.v.norm();
    const double size = fast + should.alpha.norm() + should.a.norm();
    ASSERT_LE((is.p - should.p).norm(), scale * 1e-11);
    ASSERT_LE((is.R - should.R).norm(), scale * 1e-11);
    ASSERT_LE((is.w - should.w).norm(), scale * 1e-10 * fast);
    ASSERT_LE((is.v - should.v).norm(), scale * 1e-10 * fast);
    ASSERT_LE((is.alpha - should.alpha).norm(), scale * 1e-9 * size);
    ASSERT_LE((is.a - should.a).norm(), scale * 1e-9 * size);
  }
}

double distance(const SpatialBench& bench, const SpatialLinks& a, const SpatialLinks& b) {
  double largest = 0.0;
  for (const structure::LinkIndex own : bench.group().links) {
    const SpatialLink &one = a[own.slot()], &other = b[own.slot()];
    largest = std::max({largest, (one.p - other.p).norm(), (one.R - other.R).norm()});
  }
  return largest;
}

}  // namespace eslabon::test
