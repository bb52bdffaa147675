#pragma once

#include "eslabon/report/report.hpp"

namespace eslabon::report {

/// Throws core::ContractError, naming the part, unless lists that belong together have one length, instants do not decrease, and
/// positions in lists name something. Whether numbers are finite is seen where they are packed.
void check_report(const Report& report);

/// The same of one chart; its numbers must be finite, too.
void check_chart(const Chart& chart);

}  // namespace eslabon::report
