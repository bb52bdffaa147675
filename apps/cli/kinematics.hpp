#pragma once

#include <string>
#include <vector>

#include "motion_output.hpp"
#include "page_style.hpp"

#include "eslabon/kinematics/motion.hpp"
#include "eslabon/report/report.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `kinematics`.
void add_kinematics_command(CLI::App& app, const Presentation& presentation);

/// What a run did, for its summary.
struct MotionSummary {
  const kinematics::DrivenMechanism& driven;
  const kinematics::Motion& motion;
  std::string reason;                      ///< why the method was picked; empty when the user named it
  std::vector<io::ResultColumn> columns;   ///< without the time
  std::vector<ColumnRange> ranges;         ///< (columns)
  long rows = 0;                           ///< written
  bool is_complete = false;                ///< all that were asked for
  double until = 0.0;                      ///< that was asked for [s]
  double seconds = 0.0;                    ///< that it took
  bool has_default_outputs = false;        ///< the user named none
  std::string file;                        ///< where the results are
  std::optional<std::string> report = {};  ///< where the page is
};

/// The facts about the motion itself: method, steps, residual, branch.
std::vector<report::Fact> motion_facts(const MotionSummary& summary);
/// The page for people.
std::string motion_summary(const MotionSummary& summary, const PageStyle& style);
/// The same for programs: one JSON object.
std::string motion_json(const MotionSummary& summary);
/// Singular positions on the way as marks.
std::vector<report::Mark> event_marks(const model::Mechanism& mechanism,
                                      const std::vector<kinematics::MotionEvent>& events);

}  // namespace eslabon::cli
