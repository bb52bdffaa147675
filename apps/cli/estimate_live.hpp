#pragma once

#include "estimate_options.hpp"

namespace eslabon::cli {

/// `eslabon estimate --live`: readings from the standard input or a port, estimates at once.
void run_live_estimate(const EstimateOptions& options);

}  // namespace eslabon::cli
