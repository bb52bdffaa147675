#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/live/filter_task.hpp"
#include "eslabon/live/live_run.hpp"
#include "eslabon/runs/estimation/estimate_request.hpp"

namespace eslabon::live {

/// Where a live estimate gets its readings and where its rows go.
struct LiveEnds {
  std::optional<LiveSource::Port> port = {};  ///< none: the standard input
  std::optional<std::string> log = {};        ///< none: rows are printed to the standard output
  io::HeaderStyle header = io::HeaderStyle::kTwoRows;
};

/// A filter that estimates while its readings come.
class LiveEstimate {
 public:
  /// Opens the source first: a port that is taken is known before an earlier log is replaced. `filter` must outlive it.
  LiveEstimate(runs::FilterCase& filter, const LiveEnds& ends);

  int port() const { return source_->port(); }  ///< the one that was bound; 0 of the standard input
  /// Once. `spin`: how long before each step the thread waits without sleeping; none: 0.1 ms, at most half a step.
  void run(const runs::EstimateRequest& request, std::optional<core::Duration> spin,
           const std::atomic<bool>& stop);

  /// What it did.
  const LiveReport& report() const { return *report_; }
  const SourceReport& source() const { return source_->report(); }
  const LogReport* log() const { return log_ ? &log_->report() : nullptr; }  ///< nullptr: rows were printed
  bool was_stopped() const { return report_->end == LiveReport::End::kStopped; }

  /// Throws io::FileError when no reading came.
  void check_started() const;
  /// What a user should know, a sentence each.
  std::vector<std::string> notes() const;
  /// Throws core::ModelError when rows could not be written.
  void check_written() const;

 private:
  runs::FilterCase& filter_;
  std::optional<LiveSource> source_;
  std::optional<LiveLog> log_;
  std::optional<LivePrinter> printer_;
  std::optional<LiveReport> report_;
};

}  // namespace eslabon::live
