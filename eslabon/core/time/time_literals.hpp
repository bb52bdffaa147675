#pragma once

#include "eslabon/core/time/time.hpp"

/// Times in the source of a program: 5_s, 10_ms.
namespace eslabon::core::literals {

constexpr Duration operator""_s(unsigned long long seconds) {
  return Duration::from_nanoseconds(static_cast<std::int64_t>(seconds) * 1'000'000'000);
}
constexpr Duration operator""_ms(unsigned long long milliseconds) {
  return Duration::from_nanoseconds(static_cast<std::int64_t>(milliseconds) * 1'000'000);
}

}  // namespace eslabon::core::literals
