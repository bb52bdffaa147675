#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/recording/pages/estimate_report.hpp"
#include "eslabon/runs/estimation/estimate.hpp"

namespace eslabon::recording {

/// What filters are led through.
struct EstimateInput {
  model::Mechanism mechanism;                   ///< with its drivers
  std::string measurements;                     ///< the file of the readings
  std::vector<std::string> notes = {};          ///< what is to be said of the mechanism, a sentence each
  std::optional<core::ResultTable> truth = {};  ///< what estimates are compared with
  std::optional<std::size_t> particles = {};    ///< for a report: most of an instant; none: no report
  double cloud_bytes = report::SizeLimits{}.cloud_bytes;  ///< what those of each filter may take of it
};

/// What the particles of each of these filters may take of one report.
double cloud_share(const std::vector<std::string>& filters);

/// One filter that is led through a file of readings.
class EstimateRun {
 public:
  /// `input` must outlive it. Throws runs::RequestError, io::FileError, and core::ModelError.
  EstimateRun(const EstimateInput& input, runs::EstimateRequest request, runs::RunObserver& observer);

  /// Once: rows go into the file. False when the observer stopped it. Throws core::ModelError when it cannot go on.
  bool run(io::ResultWriter& rows, runs::RunObserver& observer);

  /// What a user should know of it, a sentence each.
  std::vector<std::string> notes_before() const;
  std::vector<std::string> notes_after() const;
  /// What happened to the stream of readings, a sentence each; of more than `most` these and how many there are.
  std::vector<std::string> events(std::size_t most) const;
  /// Throws when it is no estimate though it wrote its rows, or cannot be compared with the truth.
  void check_result() const;

  runs::FilterCase& filter() const { return *filter_; }
  const runs::TruthComparison* truth() const { return truth_ ? &*truth_ : nullptr; }
  const std::string& name() const { return request_.filter; }
  const std::string& measurements() const { return input_.measurements; }
  const std::vector<sensing::Reading>& readings() const { return readings_; }
  bool is_complete() const { return is_complete_; }

 private:
  friend std::optional<report::Report> estimate_report(const std::vector<std::unique_ptr<EstimateRun>>& runs,
                                                       const std::optional<std::string>& failure);

  const EstimateInput& input_;
  runs::EstimateRequest request_;
  std::unique_ptr<runs::FilterCase> filter_;
  std::vector<sensing::Reading> readings_;
  std::optional<runs::TruthComparison> truth_;
  std::optional<FilterRecord> record_;
  bool is_complete_ = true;
};

/// Of filters that ran on the same readings; nothing where none was asked for or none has rows. `failure`: why the last of them ended before
/// its time.
std::optional<report::Report> estimate_report(const std::vector<std::unique_ptr<EstimateRun>>& runs,
                                              const std::optional<std::string>& failure = std::nullopt);

/// What they did, beside each other: a row for each filter.
report::Table comparison_table(const std::vector<std::unique_ptr<EstimateRun>>& runs);

}  // namespace eslabon::recording
