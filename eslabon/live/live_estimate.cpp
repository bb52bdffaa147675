#include "eslabon/live/live_estimate.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/io/files/file_error.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::live {

namespace {

core::Duration usual_spin(core::Duration step) {
  return core::Duration::from_nanoseconds(std::min<std::int64_t>(step.nanoseconds() / 2, 100'000));
}

}  // namespace

LiveEstimate::LiveEstimate(runs::FilterCase& filter, const LiveEnds& ends) : filter_(filter) {
  if (ends.port)
    source_.emplace(*ends.port, filter.all_facts());
  else
    source_.emplace(STDIN_FILENO, "the standard input", filter.all_facts());
  if (ends.log)
    log_.emplace(*ends.log, filter.columns(), LiveLog::kCapacity, ends.header);
  else
    printer_.emplace(STDOUT_FILENO, filter.columns(), ends.header);
}

void LiveEstimate::run(const runs::EstimateRequest& request, std::optional<core::Duration> spin,
                       const std::atomic<bool>& stop) {
  FilterTask task(filter_, request.every.value_or(request.step), printer_ ? &*printer_ : nullptr);
  report_.emplace(run_live(*source_, log_ ? &*log_ : nullptr, task,
                           {.step = filter_.run().step_size(),
                            .delay = filter_.window(),
                            .spin = spin.value_or(usual_spin(request.step)),
                            .until = request.until,
                            .stop = &stop}));
  source_->stop();
  if (log_) log_->finish();
  if (printer_) printer_->finish();
}

void LiveEstimate::check_started() const {
  if (report_->has_started) return;
  const std::vector<std::string>& messages = source().feed.messages;
  throw io::FileError(
      {.what = "no reading came",
       .where = port() != 0 ? runs::field("port") : "the standard input",
       .expected = "rows of a measurement file",
       .actual = messages.empty() ? "none" : "none that could be read (" + messages.front() + ")",
       .next = "Pipe in what 'eslabon sense' writes."});
}

std::vector<std::string> LiveEstimate::notes() const {
  std::vector<std::string> notes;
  if (report_->priority != "real-time priority")
    notes.push_back(fmt::format("the steps had {}: others may delay them.", report_->priority));
  if (log_ && log_->report().rows_not_finite > 0)
    notes.push_back(
        fmt::format("{} rows were not finite and are not in the log.", log_->report().rows_not_finite));
  if (log_ && !log_->report().sync_error.empty())
    notes.push_back(fmt::format("the log could not be brought to the disk: {}.", log_->report().sync_error));
  if (printer_ && printer_->report().rows_not_finite > 0)
    notes.push_back(
        fmt::format("{} rows were not finite and are not printed.", printer_->report().rows_not_finite));
  if (printer_ && printer_->report().rows_dropped > 0)
    notes.push_back(fmt::format(
        "{} rows were not printed: {}.", printer_->report().rows_dropped,
        printer_->report().error.empty() ? "they were not read in time" : printer_->report().error));
  if (const io::DatagramReport& datagrams = source().datagrams; datagrams.other)
    notes.push_back(fmt::format(
        "{} datagrams were passed over, the first of them from {}: readings are those of {}, the first that "
        "sent one; {} takes those of all.",
        datagrams.passed_over, datagrams.other->text(), datagrams.first->text(), runs::field("senders")));
  if (source().datagrams_lost > 0)
    notes.push_back(fmt::format("{} datagrams were lost by the system: they came faster than they were read.",
                                source().datagrams_lost));
  std::ranges::copy(source().feed.messages, std::back_inserter(notes));
  if (!source().error.empty()) notes.push_back(fmt::format("reading failed: {}.", source().error));
  return notes;
}

void LiveEstimate::check_written() const {
  if (printer_ && !printer_->report().error.empty())
    throw core::ModelError({.what = "the estimates could not be printed",
                            .where = runs::field("log") + " -",
                            .expected = "a standard output that takes them",
                            .actual = printer_->report().error,
                            .next = "Check the program that reads it, or write to a file."});
  if (log_ && !log_->report().error.empty())
    throw core::ModelError({.what = "the log could not be written",
                            .where = runs::field("log"),
                            .expected = "room on the disk",
                            .actual = log_->report().error,
                            .next = "Free some, or write to another disk."});
}

}  // namespace eslabon::live
