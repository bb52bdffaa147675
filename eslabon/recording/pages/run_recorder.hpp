#pragma once

#include <cstdint>
#include <optional>

#include "eslabon/recording/pages/force_arrows.hpp"
#include "eslabon/recording/pages/report_recorder.hpp"
#include "eslabon/runs/row_sink.hpp"

namespace eslabon::recording {

/// Keeps a run that moves a mechanism for its page: rows, where bodies are, and forces as arrows.
class RunRecorder final : public runs::RowSink {
 public:
  /// Of a run without forces. `columns`: beside the time.
  explicit RunRecorder(const std::vector<core::Column>& columns);
  /// With arrows of the applied forces, and of reactions and efforts at every `rows_per_solution`th row; none: the run solves for them at
  /// each.
  RunRecorder(const std::vector<core::Column>& columns, const dynamics::DynamicModel& model,
              std::vector<ForceArrows::Actuator> actuators, std::optional<std::int64_t> rows_per_solution);

  void add(const runs::Row& row) override;

  ReportRecorder& report() { return report_; }
  /// Why arrows of reactions and efforts are not drawn, or not at every row, and which are not unique: sentences for the page.
  std::vector<std::string> notes() const;

 private:
  ReportRecorder report_;
  std::optional<ForceArrows> arrows_;
  std::optional<std::int64_t> rows_per_solution_;
};

}  // namespace eslabon::recording
