#include "estimate_live.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <system_error>

#include "command_line.hpp"
#include "estimate_page.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "presentation.hpp"
#include "provenance.hpp"
#include "terminal_observer.hpp"
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/live/filter_task.hpp"
#include "eslabon/live/live_printer.hpp"
#include "eslabon/live/live_run.hpp"
#include "eslabon/runs/estimate.hpp"
#include "eslabon/runs/filter_notes.hpp"
#include "eslabon/runs/lost_filter.hpp"

namespace eslabon::cli {

namespace {

using live::LiveReport;
using live::LogReport;
using live::SourceReport;

int read_port(const std::string& text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error == std::errc() && end == text.data() + text.size() && port >= 0 && port < 65536) return port;
  throw CommandLineError({.what = "not a port",
                          .where = "--udp",
                          .expected = "a whole number from 0 (any that is free) to 65535",
                          .actual = "'" + text + "'",
                          .next = "Write, for example, --udp 5005."});
}

std::string live_text(const LiveReport& report, const SourceReport& source, const LogReport* log) {
  const estimation::LatencyHistogram& latency = report.clock.latency();
  std::string text =
      fmt::format("\n  Live       {} steps, {} missed\n  Latency    from the clock to the estimate: {}\n{}\n",
                  report.clock.num_steps(), report.clock.num_missed(), latency.brief(), latency.text());
  text += fmt::format("  Source     {} lines, {} readings, {} lines refused, {} readings dropped\n",
                      source.feed.lines, source.feed.readings, source.feed.refused, source.readings_dropped);
  if (source.datagrams.first)
    text += fmt::format("  Datagrams  {} taken, {} of other senders passed over, {} lost by the system\n",
                        source.datagrams.taken, source.datagrams.passed_over, source.datagrams_lost);
  if (log != nullptr)
    text += fmt::format("  Log        {} rows written, {} dropped, slowest sync {:.3g} ms\n",
                        log->rows_written, log->rows_dropped, 1e3 * log->longest_sync);
  return text;
}

recording::LiveTotals totals_of(const LiveReport& report, const SourceReport& source) {
  const estimation::LatencyHistogram& latency = report.clock.latency();
  return {.steps = report.clock.num_steps(),
          .missed = report.clock.num_missed(),
          .lines = static_cast<std::int64_t>(source.feed.lines),
          .refused = static_cast<std::int64_t>(source.feed.refused),
          .readings = static_cast<std::int64_t>(source.feed.readings),
          .readings_dropped = static_cast<std::int64_t>(source.readings_dropped),
          .datagrams = source.datagrams.taken,
          .datagrams_passed_over = source.datagrams.passed_over,
          .datagrams_lost = source.datagrams_lost,
          .median_latency = latency.quantile(0.5).seconds(),
          .largest_latency = latency.quantile(1.0).seconds()};
}

void print_notes_of_datagrams(const SourceReport& source) {
  const io::DatagramReport& datagrams = source.datagrams;
  if (datagrams.other)
    fmt::print(stderr,
               "eslabon: note: {} datagrams were passed over, the first of them from {}: readings are those "
               "of {}, the first that sent one; --any-sender takes those of all.\n",
               datagrams.passed_over, datagrams.other->text(), datagrams.first->text());
  if (source.datagrams_lost > 0)
    fmt::print(stderr,
               "eslabon: note: {} datagrams were lost by the system: they came faster than they were read.\n",
               source.datagrams_lost);
}

void print_notes_of_run(const LiveReport& report, const SourceReport& source, const LogReport* log,
                        const LogReport* printed) {
  if (report.priority != "real-time priority")
    fmt::print(stderr, "eslabon: note: the steps had {}: others may delay them.\n", report.priority);
  if (log != nullptr && log->rows_not_finite > 0)
    fmt::print(stderr, "eslabon: note: {} rows were not finite and are not in the log.\n",
               log->rows_not_finite);
  if (log != nullptr && !log->sync_error.empty())
    fmt::print(stderr, "eslabon: note: the log could not be brought to the disk: {}.\n", log->sync_error);
  if (printed != nullptr && printed->rows_not_finite > 0)
    fmt::print(stderr, "eslabon: note: {} rows were not finite and are not printed.\n",
               printed->rows_not_finite);
  if (printed != nullptr && printed->rows_dropped > 0)
    fmt::print(stderr, "eslabon: note: {} rows were not printed: {}.\n", printed->rows_dropped,
               printed->error.empty() ? "they were not read in time" : printed->error);
  print_notes_of_datagrams(source);
  for (const std::string& message : source.feed.messages) print_note(message);
  if (!source.error.empty()) fmt::print(stderr, "eslabon: note: reading failed: {}.\n", source.error);
  if (printed != nullptr && !printed->error.empty())
    throw core::ModelError({.what = "the estimates could not be printed",
                            .where = "--out -",
                            .expected = "a standard output that takes them",
                            .actual = printed->error,
                            .next = "Check the program that reads it, or write to a file."});
  if (log != nullptr && !log->error.empty())
    throw core::ModelError({.what = "the log could not be written",
                            .where = "--out",
                            .expected = "room on the disk",
                            .actual = log->error,
                            .next = "Free some, or write to another disk."});
}

}  // namespace

void run_live_estimate(const EstimateOptions& options, const Presentation& presentation) {
  check_out(options.out);
  const io::DescribedMechanism loaded =
      naming(options.model, [&] { return io::load_described_model(options.model, options.set); });
  const runs::EstimateRequest request = read_request(options, loaded.mechanism);
  const std::optional<core::Duration>& until = request.until;
  TerminalObserver observer;
  const auto filter = naming(options.model, [&] {
    return std::make_unique<runs::FilterCase>(request, (until ? until->seconds() : 0.0) + runs::kLongestDrive,
                                              loaded.mechanism, observer);
  });
  for (const io::ParameterFact& parameter : loaded.parameters)
    if (!parameter.doubt.empty()) print_note(parameter.doubt);
  print_notes(notes_before(request, *filter));
  if (options.limits.seconds || options.limits.steps)
    throw CommandLineError({.what = "a live run has no such limit",
                            .where = options.limits.seconds ? "--most-seconds" : "--most-steps",
                            .expected = "--until, by the time of the readings, or a signal",
                            .actual = "--live",
                            .next = "Leave it out."});
  RunLimit limit;
  std::optional<live::LiveSource> source;  // a port that is taken is known before an earlier log is replaced
  if (options.udp)
    source.emplace(live::LiveSource::Port{read_port(*options.udp), options.any_sender
                                                                       ? io::DatagramFeed::Senders::kAll
                                                                       : io::DatagramFeed::Senders::kFirst},
                   filter->all_facts());
  else
    source.emplace(STDIN_FILENO, "the standard input", filter->all_facts());
  std::optional<live::LiveLog> log;
  std::optional<live::LivePrinter> printer;
  if (options.out == kStdout)
    printer.emplace(STDOUT_FILENO, filter->columns(), read_header(options.header));
  else
    log.emplace(options.out, filter->columns(), live::LiveLog::kCapacity, read_header(options.header));
  if (options.udp) fmt::print(stderr, "eslabon: listening on 127.0.0.1:{}.\n", source->port());
  live::FilterTask task(*filter, request.every.value_or(request.step), printer ? &*printer : nullptr);
  const LiveReport report = live::run_live(*source, log ? &*log : nullptr, task,
                                           {.step = filter->run().step_size(),
                                            .delay = filter->window(),
                                            .spin = read_spin(options, request.step),
                                            .until = until,
                                            .stop = &StopSignals::flag()});
  source->stop();
  if (log) log->finish();
  if (printer) printer->finish();
  if (!report.has_started && !limit.is_reached())
    throw io::FileError(
        {.what = "no reading came",
         .where = options.udp ? "--udp" : "the standard input",
         .expected = "rows of a measurement file",
         .actual = source->report().feed.messages.empty()
                       ? "none"
                       : "none that could be read (" + source->report().feed.messages.front() + ")",
         .next = "Pipe in what 'eslabon sense' writes."});
  const EstimateSummary summary{
      .filter = *filter,
      .readings = options.udp ? fmt::format("port {}", source->port()) : "the standard input",
      .file = options.out == kStdout ? "to the standard output" : options.out,
      .live = totals_of(report, source->report()),
      .is_complete = report.end != LiveReport::End::kStopped};
  const LogReport* const log_report = log ? &log->report() : nullptr;
  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) {
        return estimate_page(summary, style) + live_text(report, source->report(), log_report);
      },
      [&] { return recording::estimate_json({summary}, provenance_of_run()); });
  print_notes(notes_after(*filter));
  print_notes_of_run(report, source->report(), log_report, printer ? &printer->report() : nullptr);
  if (report.end == LiveReport::End::kStopped && limit.is_reached())
    throw CutRun(
        limit.error_text(options.model, until ? seconds_of_motion(until->seconds()) : "readings to their end",
                         seconds_of_motion((report.last - report.first).seconds())),
        limit.status());
  check_not_lost(*filter);
}

}  // namespace eslabon::cli
