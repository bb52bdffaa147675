#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/recording/pages/cloud_recorder.hpp"
#include "eslabon/recording/pages/report_recorder.hpp"
#include "eslabon/runs/estimation/filter_case.hpp"

namespace eslabon::recording {

/// Keeps what one filter does for the report of its run: rows, bodies, hypotheses, and what happened on the way.
class FilterRecord {
 public:
  /// `filter` must outlive it, and its front end tells it of readings from now on. `particles`: most hypotheses of an instant, 0 for none.
  /// `cloud_bytes`: what they may take of the page.
  FilterRecord(runs::FilterCase& filter, std::size_t particles, double cloud_bytes);
  FilterRecord(const FilterRecord&) = delete;
  FilterRecord& operator=(const FilterRecord&) = delete;

  /// The row that the filter filled just now.
  void add_row(std::span<const double> row);
  /// After each step of the filter.
  void follow_step();
  /// After the last.
  void finish();

  /// What was kept, after finish().
  report::Recording take_recording();
  std::optional<report::Cloud> take_cloud() { return cloud_ ? cloud_->take() : std::nullopt; }
  /// What of all this is not the whole, a sentence each.
  std::vector<std::string> notes() const;

 private:
  void hear(core::Instant t, int sensor, sensing::Outcome kind, std::int64_t amount);
  void add_mark(double t, report::Mark::Kind kind, std::string text, std::string channel = "");

  runs::FilterCase& filter_;
  ReportRecorder recorder_;
  std::optional<CloudRecorder> cloud_;
  bool has_hypothesis_ = false;  ///< bodies are those of one hypothesis
  bool has_last_frame_ = false;
  double last_row_ = 0.0;                                                  ///< [s]
  long restarts_ = 0, reopenings_ = 0, resamplings_ = 0, recoveries_ = 0;  ///< up to the step before
  std::map<report::Mark::Kind, std::size_t>
      marks_;  ///< of each kind; those beyond ReportRecorder::kMostMarks are left out
};

/// All readings, those that were refused too, channel by channel in the order of their times; without what is not finite and what is not
/// of the time from `begin` to `end` [s]. `left_out`: how many readings that is.
report::Recording readings_recording(const runs::FilterCase& filter,
                                     std::span<const sensing::Reading> readings, double begin, double end,
                                     std::size_t& left_out);

}  // namespace eslabon::recording
