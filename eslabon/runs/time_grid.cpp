#include "eslabon/runs/time_grid.hpp"

#include <fmt/format.h>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

constexpr std::int64_t kMostRows = 100'000'000;

}  // namespace

TimeGrid::TimeGrid(core::Duration until, core::Duration step, std::string_view field)
    : until_(until), step_(step), count_(core::number_of_steps(until, step)) {
  if (rows() <= kMostRows) return;
  throw RequestError({.what = "too many rows",
                      .where = runs::field(field),
                      .expected = fmt::format("at most {} steps up to {}", kMostRows, runs::field("until")),
                      .actual = fmt::format("{} steps of {} s", rows() - 1, step.seconds()),
                      .next = "Take a longer step or an earlier end."});
}

}  // namespace eslabon::runs
