#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/runs/estimation/filter_case.hpp"
#include "eslabon/sensing/recorded_column.hpp"

namespace eslabon::runs {

/// Compares an estimate with the true motion, row by row. Between rows of the truth its columns are interpolated with the rates and
/// accelerations that it has (sensing::RecordedColumn); where it lacks these, but tells the whole motion, they are those of the motion.
/// Instants between which a rate jumps are left out.
class TruthComparison {
 public:
  /// `truth`: results of the same mechanism. `filter` must outlive it. Throws core::DataError for a broken table, and
  /// when it has none of the outputs.
  TruthComparison(core::ResultTable truth, FilterCase& filter);
  ~TruthComparison();
  TruthComparison(const TruthComparison&) = delete;
  TruthComparison& operator=(const TruthComparison&) = delete;

  /// `row`: as FilterCase::fill_row gives it, at the filter's time. Instants outside the file are left out.
  void add(std::span<const double> row);

  struct Line {
    std::string name, unit;
    std::size_t place = 0;   ///< in the row
    std::size_t column = 0;  ///< in the file
    bool is_angle = false;
    bool is_either_sign = false;  ///< an Euler parameter
    double squares = 0.0, largest = 0.0;
    double variances = 0.0;  ///< sum of those that the filter believes in
    long count = 0;
    long between = 0;           ///< of them between rows of the truth
    bool is_by_motion = false;  ///< between rows it is that of the motion which the freedoms of the file tell
    double error = 0.0;  ///< of the truth between its rows, a deviation over all instants that were compared
    double order = 0.0;  ///< with which that falls
    /// Whether that is more than half of the errors: they are not those of the estimate.
    bool is_coarse = false;
    double rmse() const;
  };
  const std::vector<Line>& lines() const { return lines_; }
  const core::ResultTable& table() const { return table_; }
  /// After the last row: how far the truth is known between its rows.
  void finish();
  /// What is to be said of that.
  std::vector<std::string> notes() const;
  /// Throws core::DataError when rows are too far apart for a position or a rate, and says how near they must be.
  void check_rows() const;
  /// Outputs that the file does not have.
  const std::vector<std::string>& missing() const { return missing_; }
  /// Mean of the normalised squared error of positions and rates, when the file has them or tells the whole motion; with their number.
  std::optional<double> nees() const;
  /// It is not known because rows of the truth are too far apart for what the filter believes.
  bool is_nees_coarse() const { return is_nees_coarse_; }
  int num_nees_states() const { return 2 * static_cast<int>(filter_.system().num_freedoms()); }
  /// What the file would need for it: "A.q, A.v"; nothing where no column tells a degree of freedom, as of balls and free bodies.
  std::string nees_columns() const;

 private:
  double at(std::size_t column, double t) const { return columns_.at(column).at(t); }
  /// With the columns of its derivatives, where the file has them.
  void take_column(std::size_t column);
  /// Whether t lies between rows among which a rate jumps.
  bool is_at_jump(double t) const;
  bool is_row(double t) const;
  /// Lines that are those of the motion between rows: of columns without accelerations, which fit to it in the rows.
  void find_lines_of_motion();
  bool fits_motion(const Line& line);
  void add_nees(double t);
  /// The columns of the states, which may have changed their coordinates.
  void find_states();
  /// Where the bodies of the truth are at t; nullptr where the file does not tell the whole motion.
  const coordinates::MechanismMotion* bodies_at(double t);

  FilterCase& filter_;
  core::ResultTable table_;
  std::map<std::size_t, sensing::RecordedColumn> columns_;  ///< those that are read
  std::vector<char> jumps_;                                 ///< (rows − 1) of any of them
  long left_out_ = 0;                                       ///< instants at jumps
  bool has_been_between_ = false;                           ///< rows
  bool is_nees_coarse_ = false;
  std::vector<Line> lines_;
  std::vector<std::string> missing_;
  std::vector<std::string> coordinates_;                   ///< (f) that state_columns_ belong to
  std::vector<std::optional<std::size_t>> state_columns_;  ///< (2 f) of positions, then of rates
  /// (2 f) the same as variables, for those that have no column; none: of a ball or a free body
  std::vector<std::optional<model::Variable>> state_variables_;
  struct Motion;
  std::unique_ptr<Motion> motion_;  ///< of the file, once it is needed
  bool has_motion_ = true;          ///< false: the file does not tell it
  estimation::ErrorSquare square_;
  estimation::RunningMean nees_;
  Eigen::VectorXd nees_variances_;  ///< (2 f) sums of P
  Eigen::VectorXd error_;
  Eigen::MatrixXd P_;
};

}  // namespace eslabon::runs
