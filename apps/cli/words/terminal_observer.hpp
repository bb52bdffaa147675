#pragma once

#include "apps/cli/words/progress_bar.hpp"
#include "apps/cli/words/run_limit.hpp"

#include "eslabon/runs/run_observer.hpp"

namespace eslabon::cli {

/// A line on stderr: "eslabon: note: …", with options for the names of fields.
void print_note(const std::string& sentence);
void print_notes(const std::vector<std::string>& sentences);
/// Those that are not among the `told`, which then are.
void print_new_notes(const std::vector<std::string>& sentences, std::vector<std::string>& told);

/// A run that is followed at a terminal: notes on stderr, a progress bar, and a limit that ends it.
class TerminalObserver final : public runs::RunObserver {
 public:
  explicit TerminalObserver(RunLimit* limit = nullptr) : limit_(limit) {}

  void note(const std::string& sentence) override { print_note(sentence); }
  void marked_note(const std::string& sentence) override { print_note(sentence); }
  void left_out(const std::vector<std::string>& outputs, const std::string& why) override;
  bool must_stop(std::int64_t steps) override { return limit_ != nullptr && limit_->is_reached(steps); }
  void progress(double part) override { bar_.update(part); }
  /// The bar goes, before a page is printed.
  void clear() { bar_.clear(); }
  /// What may end the run from now on; time counts from where it was made.
  void set_limit(RunLimit& limit) { limit_ = &limit; }

 private:
  RunLimit* limit_;
  ProgressBar bar_;
};

}  // namespace eslabon::cli
