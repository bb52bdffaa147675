#include "eslabon/live/step_clock.hpp"

#include <cerrno>
#include <ctime>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::live {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::int64_t monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kSecond + now.tv_nsec;
}

StepClock::StepClock(core::Duration step, core::Duration spin)
    : step_(step.nanoseconds()), spin_(spin.nanoseconds()) {
  if (step_ > 0 && spin_ >= 0) return;
  throw core::ContractError(
      {.what = "a clock without steps",
       .where = "StepClock",
       .expected = "step > 0 s and spin >= 0 s",
       .actual = core::number_text(step.seconds()) + " s and " + core::number_text(spin.seconds()) + " s",
       .next = "Give a step."});
}

void StepClock::start() {
  deadline_ = monotonic_now();
  is_waiting_ = false;
}

bool StepClock::wait() {
  if (!is_waiting_) deadline_ += step_;
  is_waiting_ = true;
  const std::int64_t sleep_until = deadline_ - spin_;
  const timespec wake_at{static_cast<time_t>(sleep_until / kSecond),
                         static_cast<long>(sleep_until % kSecond)};
  if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake_at, nullptr) == EINTR) return false;
  std::int64_t now = monotonic_now();
  while (now < deadline_) now = monotonic_now();
  is_waiting_ = false;
  ++num_steps_;
  wake_.add(core::Duration::from_nanoseconds(now - deadline_));
  if (now - deadline_ > step_) ++num_missed_;
  return true;
}

void StepClock::finish_step() { latency_.add(core::Duration::from_nanoseconds(monotonic_now() - deadline_)); }

}  // namespace eslabon::live
