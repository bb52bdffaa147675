#include "apps/cli/commands/estimate_live.hpp"

#include <cstdio>

#include "apps/cli/text/estimate_page.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/native_code.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <fmt/format.h>

#include "eslabon/live/live_estimate.hpp"
#include "eslabon/runs/estimation/estimate.hpp"
#include "eslabon/runs/estimation/filter_notes.hpp"
#include "eslabon/runs/estimation/lost_filter.hpp"
#include "eslabon/study/model_estimation.hpp"

namespace eslabon::cli {

namespace {

using live::LiveReport;
using live::LogReport;
using live::SourceReport;

int read_port(const std::string& text) {
  if (const std::optional<int> port = number_in(text, 0, 65535)) return *port;
  throw CommandLineError({"not a port", "--udp", "a whole number from 0 (any that is free) to 65535",
                          "'" + text + "'", "Write, for example, --udp 5005."});
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

live::LiveEnds read_ends(const EstimateOptions& options) {
  using Senders = io::DatagramFeed::Senders;
  live::LiveEnds ends{.header = read_header(options.header)};
  if (options.udp)
    ends.port = {read_port(*options.udp), options.any_sender ? Senders::kAll : Senders::kFirst};
  if (options.out != kStdout) ends.log = options.out;
  return ends;
}

}  // namespace

void run_live_estimate(const EstimateOptions& options, const Presentation& presentation) {
  check_out(options.out);
  const io::DescribedMechanism loaded =
      naming(options.model, [&] { return cli::read_described_model(options.model, options.set); });
  const auto compiler = options.compiled ? make_native_compiler() : nullptr;
  const runs::EstimateRequest request = read_request(options, loaded, compiler);
  const std::optional<core::Duration>& until = request.until;
  TerminalObserver observer;
  const auto filter = naming(options.model, [&] {
    return std::make_unique<runs::FilterCase>(request, (until ? until->seconds() : 0.0) + runs::kLongestDrive,
                                              loaded.mechanism, observer);
  });
  print_notes(loaded.doubts());
  print_notes(notes_before(request, *filter));
  const auto compiled = told_report(compiler);
  refuse_if(options.limits.seconds || options.limits.steps,
            {"a live run has no such limit", options.limits.seconds ? "--most-seconds" : "--most-steps",
             "--until, by the time of the readings, or a signal", "--live", "Leave it out."});
  RunLimit limit;
  live::LiveEstimate run(*filter, read_ends(options));
  if (options.udp) fmt::print(stderr, "eslabon: listening on 127.0.0.1:{}.\n", run.port());
  run.run(request, read_spin(options), StopSignals::flag());
  if (!limit.is_reached()) run.check_started();
  const EstimateSummary summary{
      .filter = *filter,
      .readings = options.udp ? fmt::format("port {}", run.port()) : "the standard input",
      .file = options.out == kStdout ? "to the standard output" : options.out,
      .of_model = study::names_of_settings(loaded),
      .live = totals_of(run.report(), run.source()),
      .compiled = compiled,
      .is_complete = !run.was_stopped()};
  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) {
        return estimate_page(summary, style) + live_text(run.report(), run.source(), run.log());
      },
      [&] { return recording::estimate_json({summary}, provenance_of_run()); });
  print_notes(notes_after(*filter));
  print_notes(run.notes());
  run.check_written();
  if (run.was_stopped() && limit.is_reached())
    throw CutRun(
        limit.error_text(options.model, until ? seconds_of_motion(until->seconds()) : "readings to their end",
                         seconds_of_motion((run.report().last - run.report().first).seconds())),
        limit.status());
  check_not_lost(*filter);
}

}  // namespace eslabon::cli
