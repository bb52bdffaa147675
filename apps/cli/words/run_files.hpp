#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/recording/facts/run_json.hpp"
#include "eslabon/recording/pages/run_recorder.hpp"
#include "eslabon/runs/motion/coefficient_rows.hpp"
#include "eslabon/runs/motion/reaction_rows.hpp"

namespace CLI {
class App;
}

/// The files of the sub-commands that write the rows of a run.
namespace eslabon::cli {

/// As they were typed.
struct RunFileWords {
  std::optional<std::string> out, report, reactions, coefficients, events, header;
};

/// The options --out, --reactions and --coefficients.
void add_out_option(CLI::App& command, std::optional<std::string>& out);
void add_reactions_option(CLI::App& command, std::optional<std::string>& reactions);
void add_coefficients_option(CLI::App& command, std::optional<std::string>& coefficients);

/// Fails when a file has no place to go, before the run.
void check_run_files(const RunFileWords& words);

using recording::WrittenRun;

/// Where the rows of a run go: into the file of --out, those of --reactions and --coefficients, and into what is kept for the page of --report.
class RunFiles final : public runs::RowSink {
 public:
  /// Opens the files; time counts from here on. `reactions`: with --reactions; `recorder`: with --report.
  RunFiles(const RunFileWords& words, const std::vector<core::Column>& columns,
           std::optional<runs::ReactionRows> reactions, std::unique_ptr<recording::RunRecorder> recorder);

  /// Opens the file of --coefficients; before the first row.
  void write_coefficients(const RunFileWords& words, runs::CoefficientRows rows);

  void add(const runs::Row& row) override;
  void finish() override;

  bool is_on_standard_output() const { return is_on_standard_output_; }
  const WrittenRun& written() const { return written_; }
  void forget_report() { written_.report.reset(); }
  /// nullptr: there is no page.
  recording::RunRecorder* recorder() { return recorder_.get(); }
  /// Notes on stderr about the reactions that are written; false when there are none.
  bool tell_reactions() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// A file beside the results, with a row for each of theirs.
  template <class Rows>
  struct SecondFile {
    SecondFile(const std::string& path, Rows of, io::HeaderStyle header)
        : rows(std::move(of)), writer(path, rows.columns(), header) {}
    void add(const runs::Row& row) { writer.write_row(row.t, rows.at(row)); }
    Rows rows;
    io::ResultWriter writer;
  };

  bool is_on_standard_output_;
  std::optional<io::ResultWriter> results_;
  std::optional<SecondFile<runs::ReactionRows>> reactions_;
  std::optional<SecondFile<runs::CoefficientRows>> coefficients_;
  std::unique_ptr<recording::RunRecorder> recorder_;
  WrittenRun written_;
  Clock::time_point start_;
  Clock::duration of_page_{};  ///< spent on what is kept for the page
};

}  // namespace eslabon::cli
