#include "recovered_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "placement.hpp"
#include <fmt/format.h>

#include "eslabon/core/error.hpp"
#include "eslabon/kinematics/branch.hpp"
#include "eslabon/kinematics/driven_structure.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::cli {

namespace {

constexpr double kSame = 1e-4;  // [rad], or of the mechanism's size: what a run's constraints may be open by
constexpr double kDeviations = 6.0;  // of an estimate: the mean of a position is not the position of the mean
constexpr std::size_t kLooked = 100;  // rows that are looked at before anything is drawn

/// "only plots are shown: …" of an error that another command would explain.
std::string sentence(const std::string& what, const core::ErrorText& error) {
  return fmt::format("{}: {}, got {}. {}", what, error.what, error.actual, error.next);
}

}  // namespace

RecoveredMotion::RecoveredMotion(const io::ResultTable& table, const ResultModel* model,
                                 std::vector<std::string>& notes)
    : table_(table), model_(model), notes_(notes) {
  if (model == nullptr) {
    notes.push_back(table.path + ": only plots are shown: without a mechanism file nobody knows what moves.");
    return;
  }
  find_positions();
  try {
    choose_branch(fit_on(model->branch));
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    if (text.next.find("--truth") != std::string::npos)  // the advice of another command
      text.next = "The option --report of the command that computes it draws it.";
    notes.push_back(table.path + ": " + sentence("only plots are shown", text));
  }
}

void RecoveredMotion::find_positions() {
  const model::Mechanism& mechanism = model_->released;
  for (std::size_t c = 0; c < table_.columns.size(); ++c) {
    try {
      const model::Variable variable = model::find_variable(mechanism, table_.columns[c].name);
      const std::string_view unit = model::unit(mechanism, variable);
      if (model::is_position(variable) && unit == table_.columns[c].unit)
        positions_.push_back({c, variable, unit == "rad", table_.find(table_.columns[c].name + ".sigma")});
    } catch (const core::ModelError&) {  // a column of something else
    }
  }
}

RecoveredMotion::Fit RecoveredMotion::fit_on(const std::optional<std::string>& branch) const {
  Fit fit;
  fit.truth = std::make_unique<RecordedTruth>(table_.path, model_->with_drivers, model_->released,
                                              RecordedTruth::Use::kPositions, branch);
  const std::size_t last = table_.t.size() - 1, looked = std::min(kLooked, last + 1);
  for (std::size_t k = 0; k < looked; ++k, ++fit.rows) {
    const std::size_t row = looked == 1 ? last : k * last / (looked - 1);
    try {
      fit.misfit = misfit(row, fit.truth->at(table_.t[row]).bodies, fit.truth->length());
      if (!fit.misfit.empty()) fit.misfit += " Give the --set with which it was computed, or --branch.";
    } catch (const core::ModelError& error) {
      fit.misfit = sentence(fmt::format("at {:.6g} s", table_.t[row]), error.text());
    }
    if (!fit.misfit.empty()) return fit;
  }
  fit.is_whole = true;
  return fit;
}

std::vector<std::string> RecoveredMotion::other_branches() const {
  std::vector<std::string> names;
  const model::Mechanism& mechanism = model_->with_drivers;
  if (model_->branch || !has_few_bodies(mechanism)) return names;
  const structure::Structure structure = kinematics::analyse_driven_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  if (!assembly.usable()) return names;
  for (const kinematics::Branch& branch : kinematics::find_branches(mechanism, structure, assembly))
    names.push_back(branch.name);
  names.erase(names.begin());  // that of the start values
  return names;
}

void RecoveredMotion::choose_branch(Fit fit) {
  if (!fit.is_whole) {
    std::string taken;
    for (const std::string& name : other_branches()) {
      if (fit.is_whole) break;
      Fit other = fit_on(name);
      if (other.rows <= fit.rows) continue;
      fit = std::move(other);
      taken = name;
    }
    if (!taken.empty())
      notes_.push_back(
          fmt::format("{}: drawn on the branch '{}', to which it fits, not on that of the start values.",
                      table_.path, taken));
  }
  if (fit.rows > 0 || positions_.empty()) {
    truth_ = std::move(fit.truth);
    return;
  }
  notes_.push_back(fmt::format("{}: only plots are shown: it does not belong to this mechanism or branch, {}",
                               table_.path, fit.misfit));
}

std::string RecoveredMotion::misfit(std::size_t row, const coordinates::MechanismMotion& bodies,
                                    double length) const {
  for (const Position& position : positions_) {
    const double told = table_.values[position.column][row];
    const double found = kinematics::value_of(model_->released, position.variable, bodies);
    const double difference =
        position.is_angle ? std::remainder(told - found, 2.0 * std::numbers::pi) : told - found;
    const double deviation = position.sigma ? table_.values[*position.sigma][row] : 0.0;
    if (std::abs(difference) <= kSame * (position.is_angle ? 1.0 : length) + kDeviations * deviation)
      continue;
    const io::ResultColumn& column = table_.columns[position.column];
    return fmt::format("at {:.6g} s its {} differs by {:.3g} {} from that of the mechanism.", table_.t[row],
                       column.name, std::abs(difference), column.unit);
  }
  return "";
}

const coordinates::MechanismMotion* RecoveredMotion::at_row(std::size_t row) {
  if (!truth_) return nullptr;
  const std::string from = fmt::format("nothing is drawn from {:.6g} s on", table_.t[row]);
  std::string wrong;
  try {
    const coordinates::MechanismMotion& bodies = truth_->at(table_.t[row]).bodies;
    wrong = misfit(row, bodies, truth_->length());
    if (wrong.empty()) return &bodies;
    wrong = from + ": " + wrong + " It is of another branch there, or of other parameters (--set).";
  } catch (const core::ModelError& error) {
    wrong = sentence(from, error.text());
  }
  truth_.reset();
  notes_.push_back(table_.path + ": " + wrong);
  return nullptr;
}

}  // namespace eslabon::cli
