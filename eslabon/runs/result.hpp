#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/runs/motion/row_summary.hpp"
#include "eslabon/runs/row_sink.hpp"
#include "eslabon/runs/run_observer.hpp"

namespace eslabon::runs {

/// Something that happened in a run.
struct Event {
  double t = 0.0;  ///< [s]
  std::string text;
};

/// A run as a table in memory: what the program writes as CSV.
struct Result : core::ResultTable {
  std::vector<Event> events;
  std::vector<std::string> notes;  ///< whole sentences
  std::string failure;  ///< why it is not what was asked for, a sentence; rows up to there are kept

  /// Whether it is all that was asked for.
  [[nodiscard]] bool ok() const { return failure.empty(); }

  /// (rows) of the column of this name. Throws core::ModelError with the nearest one when there is none.
  std::span<const double> column(const std::string& name) const;
};

/// Says in the result how a run ended.
void tell_end(const RowSummary& rows, Result& result);

/// Fills the table of a result.
class ResultSink final : public RowSink {
 public:
  /// `result` must outlive it.
  explicit ResultSink(Result& result) : result_(result) {}
  void begin(const std::vector<core::Column>& columns) override;
  void add(const Row& row) override;

 private:
  Result& result_;
};

/// Keeps notes in a result, and hands on what it hears.
class NoteKeeper final : public RunObserver {
 public:
  /// Both must outlive it.
  NoteKeeper(Result& result, RunObserver& next) : result_(result), next_(next) {}
  void note(const std::string& sentence) override;
  void marked_note(const std::string& sentence) override;
  void left_out(const std::vector<std::string>& outputs, const std::string& why) override;
  bool must_stop(std::int64_t steps) override { return next_.must_stop(steps); }
  void progress(double part) override { next_.progress(part); }

 private:
  Result& result_;
  RunObserver& next_;
};

}  // namespace eslabon::runs
