#include "eslabon/recording/filters/filter_record.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

using report::Mark;
using sensing::Outcome;

FilterRecord::FilterRecord(runs::FilterCase& filter, std::size_t particles, double cloud_bytes)
    : filter_(filter),
      recorder_(std::string(filter.estimator().name()), report::Recording::Role::kEstimate,
                filter.columns()) {
  std::vector<core::Pose<double>> X_WB(filter.system().num_bodies());
  estimation::Particles* const own = filter.estimator().particles();
  has_hypothesis_ = own != nullptr && own->find_poses(X_WB);
  if (particles > 0)
    cloud_.emplace(std::string(filter.estimator().name()), particles, filter.mechanism().is_planar(),
                   cloud_bytes);
  filter.front_end().set_listener([this](core::Instant t, int sensor, Outcome kind, std::int64_t amount) {
    hear(t, sensor, kind, amount);
  });
}

void FilterRecord::add_mark(double t, Mark::Kind kind, std::string text, std::string channel) {
  if (++marks_[kind] > ReportRecorder::kMostMarks) return;
  recorder_.add_mark({t, kind, std::move(text), std::move(channel)});
}

void FilterRecord::hear(core::Instant t, int sensor, Outcome kind, std::int64_t amount) {
  const std::string& name = filter_.facts()[static_cast<std::size_t>(sensor)].name;
  if (kind == Outcome::kOutlier || kind == Outcome::kFailed || sensing::is_drop(kind))
    add_mark(t.seconds(), Mark::Kind::kRejected, fmt::format("{} refused: {}", name, sensing::name(kind)),
             name);
  else if (kind == Outcome::kGap)
    add_mark(t.seconds(), Mark::Kind::kEvent, fmt::format("{}: gap, {} missing", name, amount));
  else if (kind == Outcome::kResynchronised)
    add_mark(t.seconds(), Mark::Kind::kEvent,
             fmt::format("{}: resynchronised, its times are shifted by {:.6g} s", name,
                         core::Duration::from_nanoseconds(amount).seconds()));
}

void FilterRecord::add_row(std::span<const double> row) {
  last_row_ = filter_.run().now().seconds();
  has_last_frame_ = recorder_.wants_frame();
  recorder_.add_row(last_row_, row);
  if (has_last_frame_) recorder_.add_frame(filter_.find_bodies());
  estimation::ManyStates* const states = filter_.estimator().many_states();
  if (cloud_ && states != nullptr) cloud_->add(last_row_, *states);
}

void FilterRecord::follow_step() {
  const double t = filter_.run().now().seconds();
  const auto mark = [&](long& before, long now, Mark::Kind kind, const char* text) {
    for (; before < now; ++before) add_mark(t, kind, text);
  };
  mark(restarts_, filter_.run().num_restarts(), Mark::Kind::kRestart,
       "restarted at rest: no admissible state followed");
  mark(reopenings_, filter_.run().num_reopenings(), Mark::Kind::kRestart,
       "reopened: most readings had been rejected for a long time");
  mark(recoveries_, filter_.num_recoveries(), Mark::Kind::kRestart,
       "spread: no particle explained the reading");
  mark(resamplings_, filter_.num_resamplings(), Mark::Kind::kResampled, "resampled");
}

void FilterRecord::finish() {
  if (!has_last_frame_ && last_row_ == filter_.run().now().seconds() && filter_.num_rows() > 0)
    recorder_.add_frame(filter_.find_bodies());
  filter_.front_end().set_listener({});
}

report::Recording FilterRecord::take_recording() {
  report::Recording recording = recorder_.take();
  std::ranges::stable_sort(recording.marks, {},
                           &Mark::t);  // readings are refused when they come, or when they are handed out
  return recording;
}

std::vector<std::string> FilterRecord::notes() const {
  const std::string name(filter_.estimator().name());
  std::vector<std::string> notes;
  if (has_hypothesis_)
    notes.push_back(
        fmt::format("The bodies of {} are those of one particle, the one nearest to the mean among those of "
                    "at least mean weight; the mean itself is not a position of the mechanism.",
                    name));
  if (cloud_ && cloud_->num_all() > cloud_->num_kept())
    notes.push_back(fmt::format(
        "Of {} particles of {}, {} are shown at each instant: evenly spaced in the order of weights, the "
        "heaviest included.",
        cloud_->num_all(), name, cloud_->num_kept()));
  if (cloud_ && cloud_->spacing() > CloudRecorder::kSpacing)
    notes.push_back(
        fmt::format("Particles of {} are shown every {:.3g} s: more would make the page too large. Fewer, "
                    "with {}, are shown more often.",
                    name, cloud_->spacing(), runs::field("report_particles")));
  if (const auto note = recorder_.note()) notes.push_back(name + ": " + *note);
  for (const auto& [kind, count] : marks_)
    if (count > ReportRecorder::kMostMarks)
      notes.push_back(fmt::format("Of {} {} of {} the first {} are marked.", count,
                                  kind == Mark::Kind::kRejected    ? "refused readings"
                                  : kind == Mark::Kind::kResampled ? "resamplings"
                                  : kind == Mark::Kind::kRestart   ? "restarts"
                                                                   : "gaps and resynchronisations",
                                  name, ReportRecorder::kMostMarks));
  return notes;
}

report::Recording readings_recording(const runs::FilterCase& filter,
                                     std::span<const sensing::Reading> readings, double begin, double end,
                                     std::size_t& left_out) {
  std::vector<std::vector<const sensing::Reading*>> of_sensor(filter.facts().size());
  left_out = 0;
  for (const sensing::Reading& reading : readings) {
    const auto s = static_cast<std::size_t>(reading.sensor);
    const auto values = std::span(reading.values).first(filter.facts()[s].channels.size());
    const bool is_shown = reading.t.seconds() >= begin && reading.t.seconds() <= end &&
                          std::ranges::all_of(values, [](double y) { return std::isfinite(y); });
    if (is_shown)
      of_sensor[s].push_back(&reading);
    else
      ++left_out;
  }
  report::Recording recording;
  recording.name = "readings";
  recording.role = report::Recording::Role::kReadings;
  for (std::size_t s = 0; s < of_sensor.size(); ++s) {
    std::ranges::stable_sort(of_sensor[s], {}, [](const sensing::Reading* one) { return one->t; });
    for (std::size_t k = 0; !of_sensor[s].empty() && k < filter.facts()[s].channels.size(); ++k) {
      const sensing::Channel& facts = filter.facts()[s].channels[k];
      report::Channel& channel = recording.channels.emplace_back();
      channel.name = facts.name;
      channel.unit = core::si_unit(facts.dimension);
      for (const sensing::Reading* one : of_sensor[s]) {
        channel.times.push_back(one->t.seconds());
        channel.values.push_back(one->values[k]);
      }
    }
  }
  return recording;
}

}  // namespace eslabon::recording
