#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/time.hpp"
#include "eslabon/io/result_writer.hpp"
#include "eslabon/kinematics/assembly.hpp"

/// What the sub-commands that write a motion as rows have in common.
namespace eslabon::cli {

/// The FILE that is the standard output.
inline constexpr const char* kStdout = "-";

/// The instants of the rows: 0, h, 2 h, … and the end.
class TimeGrid {
 public:
  /// `option`: where h comes from. Throws CommandLineError for more than 10⁸ rows.
  TimeGrid(core::Duration until, core::Duration step, const std::string& option);
  std::int64_t rows() const { return 1 + count_.whole + (count_.rest > core::Duration() ? 1 : 0); }
  /// Time of row k [s].
  double operator[](std::int64_t k) const { return (k > count_.whole ? until_ : step_ * k).seconds(); }
  double until() const { return until_.seconds(); }
  double step() const { return step_.seconds(); }

 private:
  core::Duration until_, step_;
  core::StepCount count_;
};

/// The mechanism with the outputs that are written.
struct LoadedModel {
  model::Mechanism mechanism;
  std::vector<std::string> left_out = {};  ///< outputs of the file that a motion does not tell
  bool has_default_outputs = false;        ///< neither the file nor the command line names any
};

/// Chooses outputs: those of `outputs` ("a,b"), or of the file, or every joint coordinate. Without `with_forces` those of
/// the file that are forces are left out, and asking for one is an error.
LoadedModel select_outputs(const model::Mechanism& mechanism, const std::optional<std::string>& outputs,
                           bool with_forces);
/// A line on stderr about outputs that are left out.
void print_left_out(const std::vector<std::string>& left_out);

/// The mechanism assembled, on the branch that was asked for. Throws core::ModelError when it cannot be, CommandLineError when
/// there is no such branch.
kinematics::AssemblyReport assembled_on_branch(const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch);

/// First, last, least and largest value of one column of the results.
struct ColumnRange {
  double start = 0.0, end = 0.0, least = 0.0, largest = 0.0;
  bool is_empty = true;

  void add(double value);
};

/// "0.25", with as many digits as shown_digits says; roundoff of the largest value is 0.
std::string column_number(double value, double largest, std::string_view unit);

/// A table of what the columns did, constraint_error apart, with what each is wrong by where `errors` says so.
std::string column_table(const std::vector<io::ResultColumn>& columns, const std::vector<ColumnRange>& ranges,
                         const std::vector<double>& errors = {});

/// Fails when the results have no place to go.
void check_out(const std::string& out);
/// The same for a second file beside the results: `option` "--reactions", `what` "the reactions".
void check_also_out(const std::string& option, const std::string& what, const std::string& file);
/// The standard output once more, for who closes what it writes to; nullptr with errno when there is none.
std::FILE* standard_output();
io::ResultWriter open_results(const std::string& path, const std::vector<io::ResultColumn>& columns,
                              io::HeaderStyle header = io::HeaderStyle::kTwoRows);

/// A time in which no body turns by more than about half a radian, so that no angle between two bodies can make a turn
/// unseen: |ω| h ≤ ½ and ½ |α| h² ≤ ½ [s].
double time_of_small_turn(const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::cli
