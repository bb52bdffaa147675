#pragma once

#include <ctime>

namespace eslabon::test {

/// Time that this process has used since the clock was made: others may be busy meanwhile.
class ProcessorClock {
 public:
  double seconds() const { return static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t begin_ = std::clock();
};

}  // namespace eslabon::test
