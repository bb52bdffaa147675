#pragma once

#include <functional>

namespace eslabon::benchmarks {

/// Is told how much of the work is done, 0 to 1.
using Progress = std::function<void(double fraction)>;

}  // namespace eslabon::benchmarks
