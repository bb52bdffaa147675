#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/runs/motion/row_summary.hpp"
#include "eslabon/runs/result.hpp"

/// What the sub-commands that write a motion as rows have in common.
namespace eslabon::cli {

/// The FILE that is the standard output.
inline constexpr const char* kStdout = "-";

/// A line on stderr about outputs that are left out.
void print_left_out(const std::vector<std::string>& left_out);

/// Fails when the results have no place to go.
void check_out(const std::string& out);
/// The same for a second file beside the results: `option` "--reactions", `what` "the reactions".
void check_also_out(const std::string& option, const std::string& what, const std::string& file);
/// The standard output once more, for who closes what it writes to; nullptr with errno when there is none.
std::FILE* standard_output();
io::ResultWriter open_results(const std::string& path, const std::vector<io::ResultColumn>& columns,
                              io::HeaderStyle header = io::HeaderStyle::kTwoRows);

/// Writes a whole table.
void write_results(const std::string& path, const runs::Result& result, io::HeaderStyle header);

}  // namespace eslabon::cli
