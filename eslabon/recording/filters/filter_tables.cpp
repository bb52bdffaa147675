#include "eslabon/recording/filters/filter_tables.hpp"

#include <fmt/format.h>

#include "eslabon/runs/estimation/size_text.hpp"

namespace eslabon::recording {

namespace {

using sensing::Outcome;

std::string outcome_text(const sensing::StreamCounts& counts) {
  std::string text;
  for (const Outcome outcome :
       {Outcome::kOutlier, Outcome::kFailed, Outcome::kDuplicate, Outcome::kLate, Outcome::kClockDoubted,
        Outcome::kNotFinite, Outcome::kSaturated, Outcome::kStuck, Outcome::kNoRoom})
    if (const std::int64_t count = counts.of(outcome); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, sensing::name(outcome));
  return text.empty() ? "–" : text;
}

std::string note_text(const sensing::StreamCounts& counts) {
  std::string text;
  for (const Outcome outcome : {Outcome::kReordered, Outcome::kGap, Outcome::kResynchronised})
    if (const std::int64_t count = counts.of(outcome); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, sensing::name(outcome));
  return text.empty() ? "–" : text;
}

}  // namespace

std::string rmse_text(const runs::TruthComparison::Line& line) {
  return line.is_coarse ? "–" : runs::size_text(line.rmse(), line.unit);
}

std::vector<std::vector<std::string>> error_rows(const runs::TruthComparison& truth) {
  std::vector<std::vector<std::string>> rows;
  for (const runs::TruthComparison::Line& line : truth.lines())
    rows.push_back(
        {line.name, rmse_text(line), line.is_coarse ? "–" : runs::size_text(line.largest, line.unit)});
  return rows;
}

std::vector<std::string> reading_headings() {
  return {"sensor", "accepted", "refused", "noted", "NIS", "expected"};
}

std::vector<std::vector<std::string>> reading_rows(runs::FilterCase& filter) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t s = 0; s < filter.facts().size(); ++s) {
    const int sensor = static_cast<int>(s);
    const sensing::StreamCounts& counts = filter.front_end().log().counts(sensor);
    const estimation::RunningMean& nis = filter.run().nis(sensor);
    rows.push_back({filter.facts()[s].name, std::to_string(counts.of(Outcome::kAccepted)),
                    outcome_text(counts), note_text(counts),
                    nis.count() > 0 ? fmt::format("{:.2f}", nis.mean()) : "–",
                    std::to_string(filter.facts()[s].channels.size())});
  }
  return rows;
}

}  // namespace eslabon::recording
