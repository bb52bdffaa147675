#include "estimate_summary.hpp"

#include <algorithm>

#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>

#include "eslabon/recording/filter_tables.hpp"
#include "eslabon/runs/lost_filter.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostSpans = 4;

std::string sensor_table(FilterCase& filter) {
  TextTable table({"sensor", ">accepted", "refused", "noted", ">NIS", ">expected"});
  for (std::vector<std::string>& row : recording::reading_rows(filter)) table.add_row(std::move(row));
  return table.text();
}

std::string truth_table(const TruthComparison& truth) {
  TextTable table({"output", ">RMSE", ">max error"});
  for (const TruthComparison::Line& line : truth.lines())
    table.add_row(
        {line.name, recording::rmse_text(line), line.is_coarse ? "–" : size_text(line.largest, line.unit)});
  return table.text();
}

std::string unobserved_text(const UnobservedSpans& unobserved) {
  const std::vector<UnobservedSpan>& spans = unobserved.list();
  if (spans.empty()) return "everywhere: the motion is observable throughout";
  std::string text = "NOT from ";
  for (std::size_t k = 0; k < std::min(spans.size(), kMostSpans); ++k)
    text += fmt::format("{}{:.4g} s to {:.4g} s", k == 0 ? "" : ", ", spans[k].from, spans[k].until);
  if (spans.size() > kMostSpans) text += fmt::format(" and {} more", spans.size() - kMostSpans);
  return text + fmt::format(
                    " ({:.3g} s): the recent readings do not determine the motion there, and the estimate is "
                    "not to be trusted",
                    unobserved.length());
}

}  // namespace

std::string estimate_summary(const EstimateSummary& summary, const PageStyle& style) {
  FilterCase& filter = summary.filter;
  estimation::MechanismSystem& system = filter.system();
  TextPage page(style);
  page.title(filter.mechanism().name(), "estimate");
  std::string states;
  for (const estimation::StateInfo& state : system.states())
    states += (states.empty() ? "" : ", ") + state.name;
  page.fact("Filter", fmt::format("{}, steps of {:g} ms; states {}", filter.estimator().name(),
                                  filter.run().step_size().seconds() * 1e3, states));
  if (!filter.released().empty()) page.fact("Released", listed(filter.released(), 6));
  page.fact("Readings", summary.readings);
  page.fact("Motion", fmt::format("up to {:.9g} s, {}", filter.run().now().seconds(),
                                  counted(static_cast<std::size_t>(filter.num_rows()), "row")));
  page.fact("Constraints", fmt::format("max error {:.2g} m", filter.run().worst_constraint_error()));
  page.fact("Observed", unobserved_text(filter.unobserved()));
  if (filter.run().num_restarts() > 0)
    page.fact("Restarts", fmt::format("{}: no admissible state followed; the filter restarted at rest, where "
                                      "it last accepted a reading",
                                      filter.run().num_restarts()));
  if (filter.run().num_reopenings() > 0)
    page.fact("Reopened", fmt::format("{} times, after most readings had been rejected for a long time",
                                      filter.run().num_reopenings()));
  if (filter.run().lost_time().lost() > core::Duration())
    page.fact("Lost", runs::lost_time_text(filter.run()));
  if (filter.num_resamplings() > 0)
    page.fact("Resampled", counted(static_cast<std::size_t>(filter.num_resamplings()), "time"));
  if (filter.num_recoveries() > 0)
    page.fact("Spread", fmt::format("{}: no particle explained the reading",
                                    counted(static_cast<std::size_t>(filter.num_recoveries()), "time")));
  page.fact("Step times", filter.step_times().brief());
  page.append("\n" + sensor_table(filter));
  if (summary.truth != nullptr) {
    page.heading("Against the truth");
    page.append(truth_table(*summary.truth));
    if (const auto nees = summary.truth->nees())
      page.fact("NEES", fmt::format("{:.3g} on average; {} for a consistent filter", *nees,
                                    summary.truth->num_nees_states()));
    else if (summary.truth->is_nees_coarse())
      page.fact("NEES", "unknown: the rows of the truth are too far apart");
    else
      page.fact("NEES", "unknown: the truth lacks the columns " + summary.truth->nees_columns() +
                            "; 'eslabon simulate' writes them unless --outputs leaves them out");
    if (!summary.truth->missing().empty())
      page.fact("Not compared", listed(summary.truth->missing(), 6) + ": not in the truth");
  }
  page.append("\n");
  page.fact("Written", summary.file);
  if (summary.report) page.fact("Report", *summary.report);
  return page.text();
}

}  // namespace eslabon::cli
