#include "eslabon/kinematics/branch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "eslabon/core/rng.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::MechanismMotion;
using Eigen::MatrixXd;

// Where branches meet a position is known to the square root of its residual only.
constexpr double kSingular = 1e-5;

/// Whether every freedom but idle ones has a driver, by counting.
bool is_fully_driven(const structure::Structure& structure) {
  return std::ranges::all_of(structure.inputs, [](const structure::Input& input) {
    return input.origin == structure::InputOrigin::kDriver;
  });
}

std::vector<coordinates::Prescribed> drivers_of(const model::Mechanism& mechanism) {
  std::vector<coordinates::Prescribed> list;
  for (const model::Driver& driver : mechanism.drivers())
    list.push_back({driver.target, "driver '" + driver.name + "'"});
  return list;
}

/// Determinants of the groups in reference-point coordinates, where every row belongs to one joint and every column to
/// one body.
class GroupSigns {
 public:
  GroupSigns(const model::Mechanism& mechanism, const structure::Structure& structure)
      : mechanism_(mechanism),
        structure_(structure),
        system_("reference-point", mechanism, structure, drivers_of(mechanism)),
        num_body_columns_(mechanism.is_planar() ? 3 : 7) {}

  std::string name(const MechanismMotion& bodies) {
    const auto n = static_cast<std::size_t>(system_.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system_.read_bodies(bodies, {q, v, a});
    const std::vector<coordinates::CoordinateValue> values(system_.prescribed().size());
    system_.evaluate_positions(q, values, positions_);
    const MatrixXd Phi_q = system_.dense(positions_.Phi_q);
    std::string signs;
    for (const structure::StructuralGroup& group : structure_.groups)
      if (has_loop(group)) signs += sign_of(block(group, Phi_q));
    return signs;
  }

 private:
  /// More joints than links: something has to close.
  static bool has_loop(const structure::StructuralGroup& group) { return group.joints.size() > group.links.size(); }

  /// Rows of the group's joints, welds, unit parameters and inputs by the coordinates of its bodies.
  MatrixXd block(const structure::StructuralGroup& group, const MatrixXd& Phi_q) const {
    const auto is_body = [&](model::BodyIndex body) {
      return std::ranges::find(group.bodies, body) != group.bodies.end();
    };
    std::vector<int> rows, columns;
    for (int r = 0; r < system_.num_rows(); ++r) {
      const coordinates::RowLabel& label = system_.label(r);
      bool is_own = false;
      if (const auto* body = std::get_if<model::BodyIndex>(&label.source)) is_own = is_body(*body);
      if (const auto* joint = std::get_if<model::JointIndex>(&label.source)) {
        const model::Joint& j = mechanism_.joint(*joint);
        const bool is_weld = j.type == model::JointType::kFixed && is_body(j.first()) && is_body(j.second());
        is_own = is_weld || std::ranges::find(group.joints, *joint) != group.joints.end();
      }
      if (const auto* driver = std::get_if<coordinates::PrescribedIndex>(&label.source))
        is_own = std::ranges::find(group.inputs, driver->value()) != group.inputs.end();
      if (is_own) rows.push_back(r);
    }
    for (const model::BodyIndex body : group.bodies)
      for (int k = 0; k < num_body_columns_; ++k) columns.push_back((body.value() - 1) * num_body_columns_ + k);
    // Mixed coordinates of the group's rows: behind those of the bodies, each with rows of its own.
    for (int c = (static_cast<int>(mechanism_.bodies().size()) - 1) * num_body_columns_; c < system_.num_coordinates();
         ++c)
      if (std::ranges::any_of(rows, [&](int r) { return Phi_q(r, c) != 0.0; })) columns.push_back(c);
    return Phi_q(rows, columns);
  }

  /// e and −e give the same sign: every entry of four columns changes its own.
  static std::string sign_of(const MatrixXd& block) {
    if (block.rows() != block.cols()) return "";  // redundant rows or idle freedoms: no determinant
    const Eigen::FullPivLU<MatrixXd> lu(block);
    const double largest = std::abs(lu.matrixLU()(0, 0));
    const double smallest = std::abs(lu.matrixLU().diagonal().cwiseAbs().minCoeff());
    if (smallest < kSingular * largest) return "0";
    return lu.determinant() > 0.0 ? "+" : "−";
  }

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  ConstraintSystem system_;
  int num_body_columns_;
  coordinates::PositionLevel positions_;
};

/// Where the joints are; idle spins do not show in it.
std::vector<Eigen::Vector3d> joint_places(const model::Mechanism& mechanism, const MechanismMotion& bodies) {
  std::vector<Eigen::Vector3d> places;
  for (const model::Joint& joint : mechanism.joints())
    for (const model::JointEnd& end : joint.ends)
      places.push_back(bodies[end.body.slot()].point_position(end.X_BF.p_AB_A));
  return places;
}

bool are_same(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b, double tolerance) {
  return std::ranges::equal(a, b, [&](const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
    return (p - q).norm() <= tolerance;
  });
}

}  // namespace

std::string branch_name(const model::Mechanism& mechanism, const structure::Structure& structure,
                        const MechanismMotion& bodies) {
  if (!is_fully_driven(structure)) return "";
  return GroupSigns(mechanism, structure).name(bodies);
}

std::vector<Branch> find_branches(const model::Mechanism& mechanism, const structure::Structure& structure,
                                  const AssemblyReport& assembly, int tries) {
  std::vector<Branch> branches{{branch_name(mechanism, structure, assembly.bodies), assembly.bodies}};
  if (!is_fully_driven(structure) || mechanism.drivers().empty()) return branches;
  GroupSigns signs(mechanism, structure);
  const double length = coordinates::length_scale(mechanism);
  std::vector<std::vector<Eigen::Vector3d>> places{joint_places(mechanism, assembly.bodies)};

  const ConstraintSystem tree("relative", mechanism, structure, {});
  const auto n = static_cast<std::size_t>(tree.num_coordinates());
  std::vector<double> start(n), v(n), a(n), q(n);
  tree.read_bodies(assembly.bodies, {start, v, a});
  std::ranges::fill(v, 0.0);
  coordinates::BodiesWorkspace workspace;
  MechanismMotion guess = assembly.bodies;
  core::Rng rng(1);
  for (int i = 0; i < tries; ++i) {
    for (std::size_t c = 0; c < n; ++c) {
      switch (tree.coordinates()[c].unit) {
        case coordinates::CoordinateUnit::kAngle:
          q[c] = std::numbers::pi * (2.0 * rng.uniform() - 1.0);
          break;
        case coordinates::CoordinateUnit::kLength:
          q[c] = start[c] + length * rng.normal();
          break;
        case coordinates::CoordinateUnit::kPure:
          q[c] = rng.normal();
          break;
      }
    }
    for (std::size_t d = 0; d < mechanism.drivers().size(); ++d)
      if (const auto column = tree.layout().column_of(mechanism.drivers()[d].target))
        q[static_cast<std::size_t>(*column)] = assembly.driver_starts[d];
    tree.evaluate_bodies(q, v, v, workspace, guess);
    const AssemblyReport report = assemble_from(mechanism, structure, guess, assembly.driver_starts);
    if (!report.usable()) continue;
    auto found = joint_places(mechanism, report.bodies);
    if (std::ranges::any_of(places, [&](const auto& known) { return are_same(known, found, 1e-5 * length); }))
      continue;
    places.push_back(std::move(found));
    branches.push_back({signs.name(report.bodies), report.bodies});
  }
  // Equal names get a number.
  for (std::size_t i = 1; i < branches.size(); ++i) {
    const std::string stem = branches[i].name;
    const auto same = std::count_if(branches.begin(), branches.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Branch& b) { return b.name == stem || b.name.starts_with(stem + "#"); });
    if (same > 0) branches[i].name = stem + "#" + std::to_string(same + 1);
  }
  return branches;
}

}  // namespace eslabon::kinematics
