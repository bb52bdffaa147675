#pragma once

#include <string>
#include <vector>

#include "eslabon/io/result_writer.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-command `kinematics`.
void add_kinematics_command(CLI::App& app);

/// First, last, least and largest value of one column of the results.
struct ColumnRange {
  double start = 0.0, end = 0.0, least = 0.0, largest = 0.0;
  bool is_empty = true;

  void add(double value);
};

/// What a run did, for its summary.
struct MotionSummary {
  const kinematics::DrivenMechanism& driven;
  const kinematics::Motion& motion;
  std::string reason;                     ///< why the method was picked; empty when the user named it
  std::vector<io::ResultColumn> columns;  ///< without the time
  std::vector<ColumnRange> ranges;        ///< (columns)
  long rows = 0;                          ///< written
  double until = 0.0;                     ///< that was asked for [s]
  double seconds = 0.0;                   ///< that it took
  bool has_default_outputs = false;       ///< the user named none
  std::string file;                       ///< where the results are
};

/// The page for people.
std::string motion_summary(const MotionSummary& summary, bool has_colour);

}  // namespace eslabon::cli
