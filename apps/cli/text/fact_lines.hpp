#pragma once

#include <vector>

#include "apps/cli/text/text_page.hpp"

#include "eslabon/report/report.hpp"

namespace eslabon::cli {

/// Adds facts to a page, with the options of this program for the names of fields.
void add_facts(TextPage& page, const std::vector<report::Fact>& facts);

}  // namespace eslabon::cli
