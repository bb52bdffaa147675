#pragma once

#include <optional>

#include "eslabon/live/live_printer.hpp"
#include "eslabon/live/live_run.hpp"
#include "eslabon/runs/estimation/filter_case.hpp"
#include "eslabon/runs/sensing/row_clock.hpp"

namespace eslabon::live {

/// A filter that is stepped by a clock.
class FilterTask final : public LiveTask {
 public:
  /// `every`: from row to row. `printer` gets each row at once, where there is one. All must outlive it.
  FilterTask(runs::FilterCase& filter, core::Duration every, LivePrinter* printer)
      : filter_(filter), every_(every), printer_(printer) {}

  std::size_t width() const override { return filter_.columns().size() + 1; }
  bool can_receive() const override { return filter_.front_end().has_room(); }
  void receive(const sensing::Reading& given) override;
  void end_readings() override { filter_.front_end().flush(); }
  bool is_done() const override { return filter_.front_end().num_waiting() == 0; }
  bool step(core::Instant t, std::span<double> row) override;

 private:
  runs::FilterCase& filter_;
  core::Duration every_;
  LivePrinter* printer_;
  std::optional<runs::RowClock> rows_due_;  ///< since the first reading
};

}  // namespace eslabon::live
