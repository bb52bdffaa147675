#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/report/report.hpp"
#include "eslabon/runs/run_observer.hpp"

namespace eslabon::recording {

/// A mechanism for results to be drawn with.
struct ResultModel {
  const model::Mechanism& with_drivers;
  const model::Mechanism& released;  ///< without any of them
  std::optional<std::string> branch =
      {};  ///< of the start; none: that of the start values, or that which fits
};

/// A result file or estimate as a recording; its name is that of the file. With a model, where bodies were is found from the coordinates
/// that the file has; where that cannot be, a sentence about it is added to `notes`. Throws core::ModelError for what is no such file, and
/// for one with columns that the model does not have.
report::Recording read_recording(const std::string& path, report::Recording::Role role,
                                 const ResultModel* model, std::vector<std::string>& notes,
                                 runs::RunObserver& observer);

/// A measurement file: a channel for each column, with times of its own, those of the sensor's clock. Throws core::ModelError that names the
/// line for what is no such file, and, with a model, for columns that are of none of its sensors.
/// Readings that are no finite numbers are left out, with a sentence in `notes`.
report::Recording read_readings(const std::string& path, const ResultModel* model,
                                std::vector<std::string>& notes);

}  // namespace eslabon::recording
