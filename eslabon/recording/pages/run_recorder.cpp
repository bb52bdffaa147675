#include "eslabon/recording/pages/run_recorder.hpp"

#include <utility>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

constexpr std::size_t kMostNotUnique = 12;

}  // namespace

RunRecorder::RunRecorder(const std::vector<core::Column>& columns)
    : report_("motion", report::Recording::Role::kMotion, columns) {}

RunRecorder::RunRecorder(const std::vector<core::Column>& columns, const dynamics::DynamicModel& model,
                         std::vector<ForceArrows::Actuator> actuators,
                         std::optional<std::int64_t> rows_per_solution)
    : RunRecorder(columns) {
  arrows_.emplace(model, std::move(actuators));
  rows_per_solution_ = rows_per_solution;
  report_.set_arrows(arrows_->arrows(), arrows_->num_of_reactions());
  std::vector<std::string> tyres;
  for (const model::Tyre& tyre : model.mechanism().tyres()) tyres.push_back(tyre.name);
  report_.set_contacts(tyres);
}

void RunRecorder::add(const runs::Row& row) {
  const bool is_frame = !rows_per_solution_ || report_.wants_frame() || row.is_last;
  report_.add_row(row.t, row.values);
  if (!is_frame) return;
  if (!arrows_) {
    report_.add_frame(row.bodies);
    return;
  }
  const bool is_due = !rows_per_solution_ || row.index % *rows_per_solution_ == 0 || row.is_last;
  std::optional<ForceArrows::Solution> solution;
  if (row.forces->is_solved() || (arrows_->has_reactions() && is_due)) {
    const runs::ReactionSolution solved = row.forces->solve();
    solution.emplace(ForceArrows::Solution{solved.joints, solved.efforts, solved.are_efforts_unique});
  }
  report_.add_frame(
      row.bodies, arrows_->evaluate(row.t, row.bodies, row.forces->memory(), solution ? &*solution : nullptr),
      arrows_->evaluate_contacts(row.bodies, row.forces->memory()));
}

std::vector<std::string> RunRecorder::notes() const {
  std::vector<std::string> notes;
  if (!arrows_) return notes;
  if (rows_per_solution_ && !arrows_->has_reactions())
    notes.push_back(fmt::format(
        "Reactions and efforts of drivers are not drawn: joints have more than {} rows. {} writes them to a "
        "file.",
        ForceArrows::kMostRows, runs::field("reactions")));
  else if (rows_per_solution_ && *rows_per_solution_ > 1)
    notes.push_back(fmt::format(
        "Reactions and efforts of drivers are computed at every {}th row; arrows of those between are "
        "interpolated. {} computes them all.",
        *rows_per_solution_, runs::field("reactions")));
  if (const std::vector<std::string> names = arrows_->not_unique(); !names.empty())
    notes.push_back(
        fmt::format("Forces of {} are not unique, because joints or actuators are redundant: the "
                    "minimum-norm ones are drawn.",
                    core::listed(names, kMostNotUnique)));
  return notes;
}

}  // namespace eslabon::recording
