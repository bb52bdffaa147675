// Adds rows to a live log until it is killed: `live_log_writer FILE`. A row has the time of the monotonic clock, the number of the row
// and a number that follows from both, so that a row that is not whole shows. For live_log_test.py.

#include <array>
#include <cstdint>

#include "eslabon/live/live_log.hpp"
#include "eslabon/live/step_clock.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  eslabon::live::LiveLog log(argv[1], {{"row", "1"}, {"check", "1"}});
  eslabon::live::StepClock clock(eslabon::core::Duration::from_nanoseconds(1'000'000));
  clock.start();
  for (std::int64_t row = 0;; ++row) {
    static_cast<void>(clock.wait());
    const double t = 1e-9 * static_cast<double>(eslabon::live::monotonic_now());
    log.add(std::array{t, static_cast<double>(row), t + static_cast<double>(row)});
  }
}
