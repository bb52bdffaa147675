#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/column.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::recording {

/// Keeps the rows of a run for its report, and where bodies are at some of them: all while there are few, every second, every fourth, …
/// when they become many, so that a long run fits into memory and page. Of rows that become too many for any page those stay where a
/// column is least or largest.
class ReportRecorder {
 public:
  static constexpr std::size_t kMostFrames = 6000;      ///< of where bodies are
  static constexpr std::size_t kMostMarks = 2000;       ///< of one kind; more cannot be told apart
  static constexpr std::size_t kMostValues = 20000000;  ///< of all columns together; more than a page takes

  /// `columns`: of the result file without the time; NAME.sigma becomes the deviation of NAME.
  ReportRecorder(std::string name, report::Recording::Role role, const std::vector<core::Column>& columns,
                 std::size_t most_values = kMostValues);

  void add_row(double t, std::span<const double> row);
  /// Whether the frame of the row that comes next would be kept: what costs time to find out may be left out otherwise.
  bool wants_frame() const;
  /// Where the bodies are at the row just added, the ground included and not kept. `arrows_W`: (arrows) forces there, or all but the
  /// sparse ones. `contacts`: (contacts).
  void add_frame(const coordinates::MechanismMotion& bodies, std::span<const Eigen::Vector3d> arrows_W = {},
                 std::span<const report::Contact::Instant> contacts = {});
  /// What add_frame tells of each arrow; before the first frame. The last `num_sparse` of them may be told at some frames only, at the
  /// first among them: between those they change linearly, and after the last they stay.
  void set_arrows(std::vector<report::Arrow> arrows, std::size_t num_sparse = 0);
  /// The contacts that add_frame tells of, by the names of their tyres; before the first frame.
  void set_contacts(const std::vector<std::string>& tyres);
  void add_mark(report::Mark mark);

  /// What had to be left out so far, a sentence; nothing when all rows are kept.
  std::optional<std::string> note() const;
  /// What was recorded; the recorder is empty afterwards.
  report::Recording take();

 private:
  void leave_rows_out();
  void drop_last_frame();
  void keep_every_second_frame();
  /// Fills sparse arrows at frames that do not tell them.
  void interpolate_arrows();

  report::Recording recording_;
  std::vector<std::size_t> channel_of_column_;  ///< (columns)
  std::vector<bool> is_sigma_;                  ///< (columns) the deviation of that channel
  std::size_t rows_ = 0;                        ///< that came
  std::size_t most_rows_ = 0;                   ///< that are kept
  std::size_t every_ = 1;                       ///< rows from frame to frame
  report::Motion motion_;
  std::size_t num_sparse_ = 0;           ///< arrows, the last ones
  std::vector<unsigned char> is_whole_;  ///< (frames) sparse arrows are told
  bool is_last_extra_ = false;           ///< the last frame is there only until the next comes
};

}  // namespace eslabon::recording
