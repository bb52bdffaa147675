#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/text/page_style.hpp"
#include "benchmarks/tables/compiled_table.hpp"
#include "benchmarks/tables/dynamics_table.hpp"
#include "benchmarks/tables/estimation_table.hpp"
#include "benchmarks/tables/findings.hpp"
#include "benchmarks/tables/kinematics_table.hpp"
#include "benchmarks/tables/references_table.hpp"
#include "benchmarks/tables/vehicle_figures.hpp"
#include "benchmarks/tables/vehicles_table.hpp"

/// What `eslabon bench` has measured, as pages and as objects of --json.
namespace eslabon::cli {

/// `files`: those that were written.
std::string bench_page(const benchmarks::Findings& found, const std::vector<std::string>& files,
                       const PageStyle& style);

/// `command`: "bench kinematics". `csv`: csv_text() of its table.
std::string bench_json(const std::string& command, const std::string& csv,
                       const std::optional<std::string>& out);
std::string bench_json(const benchmarks::VehicleFigures& figures, const std::vector<std::string>& files);
std::string bench_json(const benchmarks::EstimationTable& table);

}  // namespace eslabon::cli
