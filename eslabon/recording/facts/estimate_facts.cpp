#include "eslabon/recording/facts/estimate_facts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/estimation/lost_filter.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

constexpr std::size_t kMostSpans = 4;

std::string times_text(long count) { return core::counted(static_cast<std::size_t>(count), "time"); }

std::string unobserved_text(const runs::UnobservedSpans& unobserved) {
  const std::vector<runs::UnobservedSpan>& spans = unobserved.list();
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

std::string nees_text(const runs::TruthComparison& truth) {
  if (const auto nees = truth.nees())
    return fmt::format("{:.3g} on average; {} for a consistent filter", *nees, truth.num_nees_states());
  if (truth.is_nees_coarse()) return "unknown: the rows of the truth are too far apart";
  const std::string columns = truth.nees_columns();
  if (columns.empty()) return "unknown: no column tells the degrees of freedom of balls and free bodies";
  return "unknown: the truth lacks the columns " + columns + "; 'eslabon simulate' writes them unless " +
         runs::field("outputs") + " leaves them out";
}

}  // namespace

std::vector<report::Fact> estimate_facts(const EstimateSummary& summary) {
  runs::FilterCase& filter = summary.filter;
  const estimation::EstimationRun& run = filter.run();
  std::vector<std::string> states;
  for (const estimation::StateInfo& state : filter.system().states()) states.push_back(state.name);
  std::vector<report::Fact> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  add("Filter", fmt::format("{}, steps of {:g} ms; states {}", filter.estimator().name(),
                            run.step_size().seconds() * 1e3, core::joined(states)));
  if (!summary.of_model.empty())
    add("Settings",
        core::joined(summary.of_model) + " as the model file has them, but for those of the command line");
  if (!filter.released().empty()) add("Released", core::listed(filter.released(), 6));
  add("Readings", summary.readings);
  add("Motion", fmt::format("up to {:.9g} s, {}", run.now().seconds(),
                            core::counted(static_cast<std::size_t>(filter.num_rows()), "row")));
  add("Constraints", fmt::format("max error {:.2g} m", run.worst_constraint_error()));
  add("Observed", unobserved_text(filter.unobserved()));
  if (run.num_restarts() > 0)
    add("Restarts", fmt::format("{}: no admissible state followed; the filter restarted at rest, where "
                                "it last accepted a reading",
                                run.num_restarts()));
  if (run.num_reopenings() > 0)
    add("Reopened",
        fmt::format("{} times, after most readings had been rejected for a long time", run.num_reopenings()));
  if (run.lost_time().lost() > core::Duration()) add("Lost", runs::lost_time_text(run));
  if (filter.num_resamplings() > 0) add("Resampled", times_text(filter.num_resamplings()));
  if (filter.num_recoveries() > 0)
    add("Spread", times_text(filter.num_recoveries()) + ": no particle explained the reading");
  add("Step times", filter.step_times().brief());
  if (summary.compiled) add("Compiled", codegen::summary(*summary.compiled));
  return facts;
}

std::vector<report::Fact> truth_facts(const runs::TruthComparison& truth) {
  std::vector<report::Fact> facts{{"NEES", nees_text(truth)}};
  for (report::Fact& fact : not_compared_facts(truth)) facts.push_back(std::move(fact));
  return facts;
}

std::vector<report::Fact> not_compared_facts(const runs::TruthComparison& truth) {
  if (truth.missing().empty()) return {};
  return {{"Not compared", core::listed(truth.missing(), 6) + ": not in the truth"}};
}

}  // namespace eslabon::recording
