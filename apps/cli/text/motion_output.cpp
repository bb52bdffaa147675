#include "apps/cli/text/motion_output.hpp"

#include <cstdio>
#include <utility>

#include "apps/cli/words/command_line.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace eslabon::cli {

void print_left_out(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return;
  std::string names;
  for (const std::string& name : left_out) names += (names.empty() ? "" : ", ") + name;
  fmt::print(stderr, "eslabon: left out: {}: kinematics computes no forces.\n", names);
}

void check_out(const std::string& out) {
  if (!out.empty()) return;
  throw CommandLineError({.what = "the results have no destination",
                          .where = "--out",
                          .expected = "the name of a file, or - for the standard output",
                          .actual = "''",
                          .next = "Write, for example, --out result.csv."});
}

void check_also_out(const std::string& option, const std::string& what, const std::string& file) {
  if (!file.empty() && file != kStdout) return;
  throw CommandLineError({.what = what + " have no destination",
                          .where = option,
                          .expected = "the name of a file",
                          .actual = "'" + file + "'",
                          .next = "Write, for example, " + option + " " + option.substr(2) +
                                  (option == "--provenance" ? ".json." : ".csv.")});
}

std::FILE* standard_output() { return fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), "wb"); }

io::ResultWriter open_results(const std::string& path, const std::vector<io::ResultColumn>& columns,
                              io::HeaderStyle header) {
  if (path != kStdout) return io::ResultWriter(path, columns, header);
  return io::ResultWriter(standard_output(), "the standard output", columns, header);
}

void write_results(const std::string& path, const runs::Result& result, io::HeaderStyle header) {
  io::ResultWriter writer = open_results(path, result.columns, header);
  std::vector<double> row(result.columns.size());
  for (std::size_t k = 0; k < result.t.size(); ++k) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = result.values[c][k];
    writer.write_row(result.t[k], row);
  }
  writer.finish();
}

}  // namespace eslabon::cli
