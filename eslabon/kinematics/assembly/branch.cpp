#include "eslabon/kinematics/assembly/branch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/random/rng.hpp"

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
      : system_("reference-point", mechanism, structure, drivers_of(mechanism)),
        blocks_(structure.groups.size()) {
    std::vector<int> group_of_body(mechanism.bodies().size(), -1),
        group_of_joint(mechanism.joints().size(), -1), group_of_input(structure.inputs.size(), -1),
        group_of_coupling(mechanism.couplings().size(), -1);
    for (std::size_t g = 0; g < structure.groups.size(); ++g) {
      const structure::StructuralGroup& group = structure.groups[g];
      // More joints than links: something has to close.
      blocks_[g].has_loop = group.joints.size() > group.links.size();
      for (const model::BodyIndex body : group.bodies) group_of_body[body.slot()] = static_cast<int>(g);
      for (const model::JointIndex joint : group.joints) group_of_joint[joint.slot()] = static_cast<int>(g);
      for (const model::CouplingIndex coupling : group.couplings)
        group_of_coupling[coupling.slot()] = static_cast<int>(g);
      for (const int input : group.inputs)
        group_of_input[static_cast<std::size_t>(input)] = static_cast<int>(g);
    }
    std::vector<int> group_of_row;
    for (int r = 0; r < system_.num_rows(); ++r) {
      const coordinates::RowLabel& label = system_.label(r);
      int g = -1;
      if (const auto* body = std::get_if<model::BodyIndex>(&label.source)) g = group_of_body[body->slot()];
      if (const auto* joint = std::get_if<model::JointIndex>(&label.source)) {
        g = group_of_joint[joint->slot()];
        if (g < 0) g = group_of_body[mechanism.joint(*joint).second().slot()];  // a weld inside a link
      }
      if (const auto* coupling = std::get_if<model::CouplingIndex>(&label.source))
        g = group_of_coupling[coupling->slot()];
      if (const auto* driver = std::get_if<coordinates::PrescribedIndex>(&label.source))
        g = group_of_input[driver->slot()];
      group_of_row.push_back(g);
      if (g >= 0) blocks_[static_cast<std::size_t>(g)].rows.push_back(r);
    }
    const int per_body = mechanism.is_planar() ? 3 : 7;
    const int num_body_columns = (static_cast<int>(mechanism.bodies().size()) - 1) * per_body;
    const coordinates::SparsePattern& pattern = system_.pattern();
    for (int c = 0; c < system_.num_coordinates(); ++c) {
      int g = -1;
      if (c < num_body_columns) {
        g = group_of_body[static_cast<std::size_t>(c / per_body) + 1];
      } else {  // a mixed coordinate: with the row that ties it to the bodies, its first
        const int tie = pattern.column_start[static_cast<std::size_t>(c)];
        g = group_of_row[static_cast<std::size_t>(pattern.row_of_entry[static_cast<std::size_t>(tie)])];
      }
      if (g >= 0) blocks_[static_cast<std::size_t>(g)].columns.push_back(c);
    }
  }

  std::string name(const MechanismMotion& bodies) {
    const auto n = static_cast<std::size_t>(system_.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system_.read_bodies(bodies, {q, v, a});
    const std::vector<coordinates::CoordinateValue> values(system_.prescribed().size());
    system_.evaluate_positions(q, values, positions_);
    std::string signs;
    for (const Block& block : blocks_)
      if (block.has_loop && block.rows.size() == block.columns.size()) signs += sign_of(dense(block));
    return signs;
  }

 private:
  struct Block {
    bool has_loop = false;
    std::vector<int> rows;     ///< ascending
    std::vector<int> columns;  ///< ascending
  };

  /// Rows of the group's joints, welds, unit parameters and inputs by the coordinates of its bodies.
  MatrixXd dense(const Block& block) const {
    const coordinates::SparsePattern& pattern = system_.pattern();
    const auto size = static_cast<Eigen::Index>(block.rows.size());
    MatrixXd matrix = MatrixXd::Zero(size, size);
    for (Eigen::Index k = 0; k < size; ++k) {
      const auto c = static_cast<std::size_t>(block.columns[static_cast<std::size_t>(k)]);
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e) {
        const auto row =
            std::ranges::lower_bound(block.rows, pattern.row_of_entry[static_cast<std::size_t>(e)]);
        if (row != block.rows.end() && *row == pattern.row_of_entry[static_cast<std::size_t>(e)])
          matrix(row - block.rows.begin(), k) = positions_.Phi_q[static_cast<std::size_t>(e)];
      }
    }
    return matrix;
  }

  /// e and −e give the same sign: every entry of four columns changes its own.
  static char sign_of(const MatrixXd& block) {
    const core::FullPivots pivots = core::full_pivots(block);
    if (pivots.smallest < kSingular * pivots.largest) return '0';
    return pivots.sign_of_determinant > 0 ? '+' : '-';
  }

  ConstraintSystem system_;
  std::vector<Block> blocks_;  ///< (groups)
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

bool are_same(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b,
              double tolerance) {
  return std::ranges::equal(
      a, b, [&](const Eigen::Vector3d& p, const Eigen::Vector3d& q) { return (p - q).norm() <= tolerance; });
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
      const core::Dimension& dimension = tree.coordinates()[c].dimension;
      q[c] = dimension == core::kAngle    ? std::numbers::pi * (2.0 * rng.uniform() - 1.0)
             : dimension == core::kLength ? start[c] + length * rng.normal()
                                          : rng.normal();
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
  // Equal names get a number, and so does the first when it has no signs.
  if (branches.front().name.empty()) branches.front().name = "#1";
  for (std::size_t i = 1; i < branches.size(); ++i) {
    const std::string stem = branches[i].name;
    const auto same =
        std::count_if(branches.begin(), branches.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Branch& b) { return b.name == stem || b.name.starts_with(stem + "#"); });
    if (same > 0) branches[i].name = stem + "#" + std::to_string(same + 1);
  }
  return branches;
}

}  // namespace eslabon::kinematics
