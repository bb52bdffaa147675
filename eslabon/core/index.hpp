#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>

namespace eslabon::core {

/// A number of an element, counted in signed numbers, for containers of the standard library. It must not be negative.
constexpr std::size_t index(std::signed_integral auto i) { return static_cast<std::size_t>(i); }

/// An integer that names one thing of one kind and converts to nothing else.
template <class Tag>
class Index {
 public:
  explicit constexpr Index(int value) : value_(value) {}
  constexpr int value() const { return value_; }
  /// The position in a std::vector that is ordered by this index.
  constexpr std::size_t slot() const { return static_cast<std::size_t>(value_); }
  friend constexpr auto operator<=>(Index a, Index b) = default;

 private:
  int value_;
};

}  // namespace eslabon::core

template <class Tag>
struct std::hash<eslabon::core::Index<Tag>> {
  std::size_t operator()(eslabon::core::Index<Tag> index) const noexcept {
    return std::hash<int>{}(index.value());
  }
};
