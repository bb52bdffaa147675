#pragma once

#include <string>

#include "apps/cli/text/page_style.hpp"

#include "eslabon/recording/facts/run_json.hpp"
#include "eslabon/vehicle/manoeuvre_run.hpp"

namespace eslabon::cli {

/// What a manoeuvre told: its figures and tables, then how it was computed.
std::string manoeuvre_page(const vehicle::ManoeuvreSummary& summary, const recording::WrittenRun& written,
                           const PageStyle& style);

}  // namespace eslabon::cli
