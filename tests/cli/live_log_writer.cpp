// Adds rows to a live log until it is killed: `live_log_writer FILE`. A row has the time of the monotonic clock, the number of the row
// and a number that follows from both, so that a row that is not whole shows. For live_log_test.py.

#include <array>
#include <cstdint>

#include "apps/cli/live_clock.hpp"
#include "apps/cli/live_log.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  eslabon::cli::LiveLog log(argv[1], {{"row", "1"}, {"check", "1"}});
  eslabon::cli::StepClock clock(eslabon::core::Duration::from_nanoseconds(1'000'000));
  clock.start();
  for (std::int64_t row = 0;; ++row) {
    static_cast<void>(clock.wait());
    const double t = 1e-9 * static_cast<double>(eslabon::cli::monotonic_now());
    log.add(std::array{t, static_cast<double>(row), t + static_cast<double>(row)});
  }
}
