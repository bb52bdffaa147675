#include "eslabon/recording/files/recovered_motion.hpp"

#include <utility>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/assembly/branch.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/placement.hpp"

namespace eslabon::recording {

namespace {

/// "only plots are shown: …" of an error that another command would explain.
std::string sentence(const std::string& what, const core::ErrorText& error) {
  return fmt::format("{}: {}, got {}. {}", what, error.what, error.actual, error.next);
}

}  // namespace

RecoveredMotion::RecoveredMotion(const core::ResultTable& table, const ResultModel* model,
                                 std::vector<std::string>& notes, runs::RunObserver& observer)
    : table_(table), model_(model), notes_(notes), observer_(observer) {
  if (model == nullptr) {
    notes.push_back(table.path + ": only plots are shown: a motion needs a mechanism file.");
    return;
  }
  positions_.emplace(table, model->released);
  try {
    choose_branch(fit_on(model->branch));
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    if (text.next.find(runs::field("truth")) != std::string::npos)  // the advice of another command
      text.next = "The option " + runs::field("report") + " of the command that computes it draws it.";
    notes.push_back(table.path + ": " + sentence("only plots are shown", text));
  }
}

RecoveredMotion::Fit RecoveredMotion::fit_on(const std::optional<std::string>& branch) const {
  Fit fit;
  fit.truth = std::make_unique<runs::RecordedTruth>(table_, model_->with_drivers, model_->released,
                                                    runs::RecordedTruth::Use::kPositions, branch, observer_);
  for (const std::size_t row : runs::rows_to_look_at(table_)) {
    try {
      fit.misfit = positions_->misfit(row, fit.truth->at(table_.t[row]).bodies, fit.truth->length());
      if (!fit.misfit.empty())
        fit.misfit += ". Give the " + runs::field("set") + " with which it was computed, or " +
                      runs::field("branch") + ".";
    } catch (const core::ModelError& error) {
      fit.misfit = sentence(fmt::format("at {:.6g} s", table_.t[row]), error.text());
    }
    if (!fit.misfit.empty()) return fit;
    ++fit.rows;
  }
  fit.is_whole = true;
  return fit;
}

std::vector<std::string> RecoveredMotion::other_branches() const {
  std::vector<std::string> names;
  const model::Mechanism& mechanism = model_->with_drivers;
  if (model_->branch || !runs::has_few_bodies(mechanism)) return names;
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
  if (fit.rows > 0 || positions_->empty()) {
    truth_ = std::move(fit.truth);
    return;
  }
  notes_.push_back(fmt::format("{}: only plots are shown: it does not belong to this mechanism or branch, {}",
                               table_.path, fit.misfit));
}

const coordinates::MechanismMotion* RecoveredMotion::at_row(std::size_t row) {
  if (!truth_) return nullptr;
  const std::string from = fmt::format("nothing is drawn from {:.6g} s on", table_.t[row]);
  std::string wrong;
  try {
    const coordinates::MechanismMotion& bodies = truth_->at(table_.t[row]).bodies;
    wrong = positions_->misfit(row, bodies, truth_->length());
    if (wrong.empty()) return &bodies;
    wrong = from + ": " + wrong + ". It is of another branch there, or of other parameters (" +
            runs::field("set") + ").";
  } catch (const core::ModelError& error) {
    wrong = sentence(from, error.text());
  }
  truth_.reset();
  notes_.push_back(table_.path + ": " + wrong);
  return nullptr;
}

}  // namespace eslabon::recording
