#include "eslabon/runs/estimation/lost_filter.hpp"

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

using sensing::Outcome;

core::ErrorText nothing_accepted(FilterCase& filter, const sensing::StreamCounts& counts) {
  std::string why;
  for (const Outcome outcome :
       {Outcome::kOutlier, Outcome::kFailed, Outcome::kDuplicate, Outcome::kLate, Outcome::kClockDoubted,
        Outcome::kNotFinite, Outcome::kSaturated, Outcome::kStuck, Outcome::kNoRoom})
    if (const std::int64_t count = counts.of(outcome); count > 0)
      why += fmt::format("{}{} {}", why.empty() ? "" : ", ", count, sensing::name(outcome));
  return {.what = "no reading was accepted: the estimate comes from the model alone",
          .where = fmt::format("filter {}", filter.estimator().name()),
          .expected = "readings that fit the mechanism, in the order of time",
          .actual = fmt::format("{} of which none was: {}",
                                core::counted(static_cast<std::size_t>(counts.received), "reading"), why),
          .next = "Check units, times and sensors of the readings, and the start of the model."};
}

/// Loads bend where a tyre touches: where the filter does not know whether it does, neither its mean nor its deviations are right, and
/// no reading tells.
core::ErrorText tyres_doubted(FilterCase& filter) {
  const TyreKnowledge& tyres = filter.tyres();
  return {.what = "the filter does not know whether the tyres touch the road",
          .where = fmt::format("filter {}, tyre '{}'", filter.estimator().name(), tyres.most_doubted()),
          .expected = "deflections that are larger than half of their deviations, in most rows",
          .actual = fmt::format("{} of {} in which one of a tyre is not", tyres.num_doubted(),
                                core::counted(static_cast<std::size_t>(tyres.num_judged()), "row")),
          .next = fmt::format(
              "Rows with observed = 0 are not to be trusted. Leave {} out, or give a smaller one, "
              "or less {}, or use a sensor of the height or of accelerations.",
              field("start_deviation"), field("velocity_noise"))};
}

}  // namespace

std::string lost_time_text(const estimation::EstimationRun& run) {
  return fmt::format("{:.4g} s of {:.4g} s ({}, {})", run.lost_time().lost().seconds(),
                     run.lost_time().elapsed().seconds(),
                     core::counted(static_cast<std::size_t>(run.num_restarts()), "restart"),
                     core::counted(static_cast<std::size_t>(run.num_reopenings()), "reopening"));
}

std::optional<core::ErrorText> lost_text(FilterCase& filter) {
  const sensing::StreamCounts counts = filter.front_end().log().total();
  if (counts.received > 0 && counts.of(Outcome::kAccepted) == 0) return nothing_accepted(filter, counts);
  const estimation::LostTime& lost = filter.run().lost_time();
  if (!lost.is_mostly_lost())
    return filter.tyres().is_mostly_doubted() ? std::optional(tyres_doubted(filter)) : std::nullopt;
  return core::ErrorText{
      .what = "the filter has lost the motion",
      .where = fmt::format("filter {}", filter.estimator().name()),
      .expected = "an estimate that fits the readings for most of the time",
      .actual = fmt::format("one that was lost for {}, and did not expect {} of {}",
                            lost_time_text(filter.run()), lost.num_strange(),
                            core::counted(static_cast<std::size_t>(lost.num_judged()), "reading")),
      .next = fmt::format("Rows with observed = 0 are not to be trusted. Start nearer to the truth, give a "
                          "larger {}, {} or {}, "
                          "or use more sensors.",
                          field("start_deviation"), field("start_rate_deviation"), field("velocity_noise"))};
}

void check_not_lost(FilterCase& filter) {
  if (const auto text = lost_text(filter)) throw core::ModelError(*text);
}

}  // namespace eslabon::runs
