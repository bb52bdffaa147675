#pragma once

#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::recording {

/// Throws core::ModelError that names the columns of a result file which no run of this mechanism writes, or which it has in another unit:
/// the file is the result of another mechanism. Known are all variables of the mechanism with their deviations (NAME.sigma) and true values
/// (NAME.true), efforts, reactions in frames of joints, unknowns of filters, and what every run adds (energy, constraint_error, …).
void check_result_columns(const std::string& path, const std::vector<core::Column>& columns,
                          const model::Mechanism& mechanism);

/// The same for the columns of a measurement file beside the time: each is a channel of a sensor of the mechanism.
void check_reading_columns(const std::string& path, const std::vector<core::Column>& columns,
                           const model::Mechanism& mechanism);

}  // namespace eslabon::recording
