#pragma once

#include <string>

#include "apps/cli/text/page_style.hpp"

#include "eslabon/recording/facts/estimate_facts.hpp"

namespace eslabon::cli {

using recording::EstimateSummary;

/// What a filter did, for people.
std::string estimate_page(const EstimateSummary& summary, const PageStyle& style);

}  // namespace eslabon::cli
