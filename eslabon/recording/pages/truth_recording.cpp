#include "eslabon/recording/pages/truth_recording.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/recording/pages/report_recorder.hpp"
#include "eslabon/runs/estimation/size_text.hpp"
#include "eslabon/runs/sensing/recorded_truth.hpp"

namespace eslabon::recording {

namespace {

constexpr double kSameInstant = 1e-9;  // [s]
constexpr double kSameValue = 1e-5;    // [rad], or of the largest magnitude

/// How far outputs of the file are from those of the bodies that are drawn.
class Difference {
 public:
  Difference(const runs::TruthComparison& truth, const runs::FilterCase& filter)
      : truth_(truth), filter_(filter) {
    for (const runs::TruthComparison::Line& line : truth.lines())
      if (!kinematics::needs_forces(variable(line)) &&
          core::is_position(model::dimension(filter.mechanism(), variable(line))))
        lines_.push_back(&line);
    largest_.assign(lines_.size(), 0.0);
    sizes_.assign(lines_.size(), 0.0);
  }
  void add(std::size_t row, const coordinates::MechanismMotion& bodies) {
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const double told = truth_.table().values[lines_[k]->column][row];
      double difference = told - kinematics::told_value(filter_.mechanism(), variable(*lines_[k]), bodies);
      if (lines_[k]->is_angle) difference = std::remainder(difference, 2.0 * std::numbers::pi);
      largest_[k] = std::max(largest_[k], std::abs(difference));
      sizes_[k] = std::max(sizes_[k], lines_[k]->is_angle ? 1.0 : std::abs(told));
    }
  }
  void tell(std::vector<std::string>& notes) const {
    for (std::size_t k = 0; k < lines_.size(); ++k)
      if (largest_[k] > kSameValue * sizes_[k])
        notes.push_back(
            fmt::format("The bodies of the truth are drawn by the model of the filter: {} of the file "
                        "differs from them by up to {}.",
                        lines_[k]->name, runs::size_text(largest_[k], lines_[k]->unit)));
  }

 private:
  const model::Variable& variable(const runs::TruthComparison::Line& line) const {
    return filter_.outputs()[line.place / 2];  // NAME, NAME.sigma
  }
  const runs::TruthComparison& truth_;
  const runs::FilterCase& filter_;
  std::vector<const runs::TruthComparison::Line*> lines_;
  std::vector<double> largest_, sizes_;  ///< (lines)
};

}  // namespace

std::optional<report::Recording> truth_recording(const runs::TruthComparison& truth,
                                                 const runs::FilterCase& filter, double begin, double end,
                                                 std::vector<std::string>& notes) {
  const core::ResultTable& table = truth.table();
  const auto first =
      static_cast<std::size_t>(std::ranges::lower_bound(table.t, begin - kSameInstant) - table.t.begin());
  const auto last =
      static_cast<std::size_t>(std::ranges::upper_bound(table.t, end + kSameInstant) - table.t.begin());
  if (first >= last) {
    notes.push_back("The truth has no row of the time of the estimate.");
    return std::nullopt;
  }
  std::vector<core::Column> columns;
  for (const runs::TruthComparison::Line& line : truth.lines()) columns.push_back({line.name, line.unit});
  ReportRecorder recorder("truth", report::Recording::Role::kTruth, columns);
  const model::Mechanism released = model::without_all_drivers(filter.loaded());
  std::optional<runs::RecordedTruth> motion;
  runs::RunObserver nobody;
  try {
    motion.emplace(table, filter.loaded(), released, runs::RecordedTruth::Use::kPositions, filter.branch(),
                   nobody);
  } catch (const core::ModelError& error) {
    notes.push_back(
        fmt::format("The truth is drawn as curves only: {}", core::marked_sentence(error.text())));
  }
  Difference difference(truth, filter);
  std::vector<double> row(columns.size());
  for (std::size_t k = first; k < last; ++k) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = table.values[truth.lines()[c].column][k];
    const bool is_frame = motion && (recorder.wants_frame() || k + 1 == last);
    recorder.add_row(table.t[k], row);
    if (!is_frame) continue;
    try {
      const coordinates::MechanismMotion& bodies = motion->at(table.t[k]).bodies;
      recorder.add_frame(bodies);
      difference.add(k, bodies);
    } catch (const core::ModelError& error) {  // a dead centre
      notes.push_back(fmt::format("The bodies of the truth are drawn up to {:.6g} s: {}", table.t[k],
                                  core::marked_sentence(error.text())));
      motion.reset();
    }
  }
  difference.tell(notes);
  return recorder.take();
}

}  // namespace eslabon::recording
