#pragma once

#include "apps/cli/words/estimate_options.hpp"

namespace eslabon::cli {

struct Presentation;

/// `eslabon estimate --live`: readings from the standard input or a port, estimates at once.
void run_live_estimate(const EstimateOptions& options, const Presentation& presentation);

}  // namespace eslabon::cli
