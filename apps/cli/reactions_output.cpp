#include "reactions_output.hpp"

#include <cstdio>

#include "command_line.hpp"
#include "motion_output.hpp"
#include "text_page.hpp"
#include <fmt/format.h>

#include "eslabon/core/name_list.hpp"

namespace eslabon::cli {

namespace {

constexpr double kUnbalanced = 1e-6;  // of what the motion needs
constexpr std::size_t kMostReactions = 12;

std::vector<io::ResultColumn> reaction_columns(const model::Mechanism& mechanism,
                                               std::span<const std::size_t> components,
                                               const std::vector<io::ResultColumn>& efforts) {
  std::vector<io::ResultColumn> columns;
  for (const model::Joint& joint : mechanism.joints())
    for (const char* frame : {".", ".frame."})
      for (const std::size_t k : components)
        columns.push_back({joint.name + frame + dynamics::kComponentNames[k], k < 3 ? "N" : "N*m"});
  columns.insert(columns.end(), efforts.begin(), efforts.end());
  return columns;
}

}  // namespace

ReactionsOutput::ReactionsOutput(const std::string& path, const model::Mechanism& mechanism,
                                 const std::vector<io::ResultColumn>& efforts, io::HeaderStyle header)
    : mechanism_(mechanism),
      components_(dynamics::reaction_components(mechanism.is_planar())),
      columns_(reaction_columns(mechanism, components_, efforts)),
      writer_(path, columns_, header),
      was_unique_(columns_.size(), true) {}

void ReactionsOutput::write_row(double t, const std::vector<dynamics::JointReaction>& joints,
                                const std::vector<double>& efforts, const std::vector<bool>& is_unique,
                                double residual) {
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
  for (const dynamics::JointReaction& joint : joints) {
    add_components(joint.force, joint.moment, joint.is_unique_W);
    add_components(joint.force_M, joint.moment_M, joint.is_unique_M);
  }
  for (std::size_t k = 0; k < efforts.size(); ++k) add(efforts[k], is_unique[k]);
  if (!unbalanced_at_ && residual > kUnbalanced) unbalanced_at_ = t;
  writer_.write_row(t, row_);
}

void ReactionsOutput::print_notes() const {
  print_unbalanced(unbalanced_at_);
  // "A.fx", "A.fy", then only "fz", "frame.fx" of the same joint, so that all of them can be named.
  std::vector<std::string> joints;
  std::size_t k = 0;
  for (const model::Joint& joint : mechanism_.joints()) {
    std::vector<std::string> names;
    for (const std::size_t end = k + 2 * components_.size(); k < end; ++k)
      if (!was_unique_[k])
        names.push_back(names.empty() ? columns_[k].name : columns_[k].name.substr(joint.name.size() + 1));
    if (!names.empty()) joints.push_back(listed(names, names.size()));
  }
  for (; k < columns_.size(); ++k)
    if (!was_unique_[k]) joints.push_back(columns_[k].name);
  if (!joints.empty()) print_not_unique({core::joined(joints, "; ")}, true);
}

void print_not_unique(const std::vector<std::string>& names, bool are_many) {
  if (names.empty()) return;
  fmt::print(stderr,
             "eslabon: note: {} {} not unique, because joints or actuators are redundant: the minimum-norm "
             "ones are written.\n",
             listed(names, kMostReactions), names.size() == 1 && !are_many ? "is" : "are");
}

std::optional<std::string> not_unique_note(const std::vector<std::string>& names) {
  if (names.empty()) return std::nullopt;
  return fmt::format(
      "Forces of {} are not unique, because joints or actuators are redundant: the minimum-norm ones are "
      "drawn.",
      listed(names, kMostReactions));
}

void print_unbalanced(const std::optional<double>& t) {
  if (!t) return;
  fmt::print(stderr,
             "eslabon: note: at t = {:.9g} s, and perhaps later, joints cannot give the forces that the "
             "motion needs: the position is singular, and near it forces grow without bound.\n",
             *t);
}

}  // namespace eslabon::cli
