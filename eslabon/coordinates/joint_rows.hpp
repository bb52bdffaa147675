#pragma once

#include <vector>

#include "eslabon/coordinates/row.hpp"

namespace eslabon::coordinates {

/// What two bodies have in common already because their coordinates are shared; the rows for it are left out.
struct SharedParts {
  bool point = false;  ///< the origin of the joint
  bool axis = false;   ///< its axis: z of the joint's frames, x of a prismatic one
};

/// The rows that hold a joint together, between features of its two bodies. Directions are those of the joint's frame
/// on the first body, x₁ y₁ z₁:
///   translation along k        k₁·(p₂ − p₁) = 0             the three of [Seed004, eq. (20)]       (1)
///   rotation about x, y        y₁·z₂ = 0, x₁·z₂ = 0         the two of its eq. (21)                (2)
///   rotation about z           y₁·x₂ = 0                                                           (3)
///   length of a rod            (|p₂ − p₁|² − l²) / 2l = 0   its eq. (22)                           (4)
///   rolling in the plane       turn of x₂ from x₁ = −x₁·(p₂ − p₁) / r                              (5)
///   a disc on a plane          x₁·(p₂ − p₁) = r |x₁×y₂|                                            (9)
///   a point on a curve, or a roller of radius r   ν·(p₂ − C(u)) − r = 0                               (6)
///   a curve on a straight face                     min_w y₁·(C(w) − p₁) = 0                           (7)
///   a curve on a curve, with one normal at u and w   ν·(C₂(w) − C(u)) = 0                              (8)
///   in space a point on a curve                    n₁·(p₂ − C(u)) = 0, n₂·(p₂ − C(u)) = 0             (10)
/// A pin in a straight slot and a point on a line stay on x₁, a point on a plane stays at z₁ = 0: rows (1). A circular slot is
/// (4). A circle that rolls on a line has its centre on x₁, which lies above the line by the radius, and row (5).
/// and the corresponding ones of prismatic (x for z), universal (x₁·y₂ = 0) and fixed joints. Being written in the
/// first body's axes, no row changes when both bodies move together, so it depends only on the joints between them.
std::vector<Row> joint_rows(const model::Mechanism& mechanism, model::JointIndex joint,
                            const SharedParts& shared = {});

/// The rows on velocities alone that the joint has beside them: a disc that rolls on a plane does not slip along y₁ and z₁.
std::vector<Row> velocity_rows(const model::Mechanism& mechanism, model::JointIndex joint);

/// The rows that remain where the joint's own steps are coordinates, as in a tree: the length of a rod, the radius of a circular slot,
/// rolling, curves.
std::vector<Row> rows_beside_steps(const model::Mechanism& mechanism, model::JointIndex joint);
/// Of a helical joint whose turn and slide are two steps: the row that ties them.
Row screw_row(const model::Mechanism& mechanism, model::JointIndex joint);

/// The features whose position or angle a scalar coordinate of a joint is, as a row with form kOffset or kAngle
/// without column: the row that ties a mixed coordinate to the bodies.
Row joint_coordinate_row(const model::Mechanism& mechanism, model::JointIndex joint, int component);

/// The same for any position variable: a joint coordinate, a coordinate of a point, an angle of a planar body.
Row variable_row(const model::Mechanism& mechanism, const model::Variable& variable);

}  // namespace eslabon::coordinates
