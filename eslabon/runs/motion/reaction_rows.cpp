#include "eslabon/runs/motion/reaction_rows.hpp"

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/motion/force_notes.hpp"

namespace eslabon::runs {

namespace {

constexpr double kUnbalanced = 1e-6;  // of what the motion needs

std::vector<core::Column> reaction_columns(const model::Mechanism& mechanism,
                                           std::span<const std::size_t> components,
                                           const std::vector<core::Column>& efforts) {
  std::vector<core::Column> columns;
  for (const model::Joint& joint : mechanism.joints())
    for (const char* frame : {".", ".frame."})
      for (const std::size_t k : components)
        columns.push_back({joint.name + frame + dynamics::kComponentNames[k], k < 3 ? "N" : "N*m"});
  columns.insert(columns.end(), efforts.begin(), efforts.end());
  return columns;
}

std::vector<std::string> joint_names(const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const model::Joint& joint : mechanism.joints()) names.push_back(joint.name);
  return names;
}

}  // namespace

ReactionRows::ReactionRows(const model::Mechanism& mechanism, const std::vector<core::Column>& efforts)
    : joints_(joint_names(mechanism)),
      components_(dynamics::reaction_components(mechanism.is_planar())),
      num_efforts_(efforts.size()),
      columns_(reaction_columns(mechanism, components_, efforts)),
      was_unique_(columns_.size(), true) {}

std::span<const double> ReactionRows::at(const Row& row) {
  const ReactionSolution solution = row.forces->solve();
  row_.clear();
  const auto add = [&](double value, bool is_value_unique) {
    if (!is_value_unique) was_unique_[row_.size()] = false;
    row_.push_back(value);
  };
  const auto add_components = [&](const Eigen::Vector3d& force, const Eigen::Vector3d& moment,
                                  const std::array<bool, 6>& are_unique) {
    for (const std::size_t k : components_)
      add(k < 3 ? force[static_cast<int>(k)] : moment[static_cast<int>(k) - 3], are_unique[k]);
  };
  for (const dynamics::JointReaction& joint : solution.joints) {
    add_components(joint.force, joint.moment, joint.is_unique_W);
    add_components(joint.force_M, joint.moment_M, joint.is_unique_M);
  }
  for (std::size_t k = 0; k < num_efforts_; ++k) add(solution.efforts[k], solution.are_efforts_unique[k]);
  if (!unbalanced_at_ && solution.residual > kUnbalanced) unbalanced_at_ = row.t;
  return row_;
}

std::vector<std::string> ReactionRows::notes() const {
  std::vector<std::string> notes;
  if (unbalanced_at_) notes.push_back(unbalanced_note(unbalanced_at_));
  if (const std::string names = not_unique(); !names.empty()) notes.push_back(not_unique_note({names}, true));
  return notes;
}

std::string ReactionRows::not_unique() const {
  // "A.fx", "A.fy", then only "fz", "frame.fx" of the same joint, so that all of them can be named.
  std::vector<std::string> joints;
  std::size_t k = 0;
  for (const std::string& joint : joints_) {
    std::vector<std::string> names;
    for (const std::size_t end = k + 2 * components_.size(); k < end; ++k)
      if (!was_unique_[k])
        names.push_back(names.empty() ? columns_[k].name : columns_[k].name.substr(joint.size() + 1));
    if (!names.empty()) joints.push_back(core::listed(names, names.size()));
  }
  for (; k < columns_.size(); ++k)
    if (!was_unique_[k]) joints.push_back(columns_[k].name);
  std::string text;
  for (const std::string& names : joints) text += (text.empty() ? "" : "; ") + names;
  return text;
}

}  // namespace eslabon::runs
