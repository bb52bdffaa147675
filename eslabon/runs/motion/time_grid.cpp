#include "eslabon/runs/motion/time_grid.hpp"

#include <algorithm>

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

void require_positive(std::string_view field, core::Duration time) {
  if (time > core::Duration()) return;
  throw RequestError({.what = "the time is too short",
                      .where = runs::field(field),
                      .expected = "a positive time of at least 1 ns",
                      .actual = fmt::format("{:g} s", time.seconds()),
                      .next = "Give a longer one."});
}

core::Duration thousandth_of(core::Duration until) {
  constexpr std::int64_t kRows = 1000;
  return core::Duration::from_nanoseconds(
      std::max<std::int64_t>(1, (until.nanoseconds() + kRows - 1) / kRows));
}

}  // namespace eslabon::runs
