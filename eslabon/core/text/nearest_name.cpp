#include "eslabon/core/text/nearest_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace eslabon::core {

namespace {

/// Longer texts are no misspelt names, and the table of edit_distance grows with the square.
constexpr std::size_t kLongestTyped = 256;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

/// With d(i, j) the distance of the first i letters of a from the first j of b,
///
///   d(i, j) = min { d(i−1, j) + 1,  d(i, j−1) + 1,  d(i−1, j−1) + [aᵢ ≠ bⱼ],              (1)
///                   d(k−1, l−1) + (i − k − 1) + 1 + (j − l − 1) }                         (2)
///
/// where k < i is the last place of bⱼ in a and l < j the last place of aᵢ in b: swap a_k and aᵢ after
/// deleting what stands between them and before inserting what stands between b_l and bⱼ.
/// Source: [LowranceWagner1975]; unlike the common short form, a swapped pair may be edited further.
int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> table((a.size() + 1) * width);
  const auto d = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) d(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d(0, j) = static_cast<int>(j);

  std::array<std::size_t, 256> last_in_a{};  // by letter, places counted from 1, 0: not seen yet
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t l = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t k = last_in_a[static_cast<unsigned char>(b[j - 1])];
      const bool equal = a[i - 1] == b[j - 1];
      int best = std::min({d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (equal ? 0 : 1)});  // (1)
      if (k > 0 && l > 0) {
        best = std::min(best, d(k - 1, l - 1) + static_cast<int>((i - k - 1) + 1 + (j - l - 1)));  // (2)
      }
      d(i, j) = best;
      if (equal) l = j;
    }
    last_in_a[static_cast<unsigned char>(a[i - 1])] = i;
  }
  return d(a.size(), b.size());
}

std::optional<std::string> nearest_name(std::string_view typed, std::span<const std::string> known) {
  const std::string wanted = lower_case(typed);
  if (wanted.empty() || wanted.size() > kLongestTyped) return std::nullopt;
  for (const std::string& name : known) {
    if (lower_case(name) == wanted) return name;
  }
  const std::size_t cutoff = std::max<std::size_t>(1, wanted.size() / 3);
  std::size_t best = cutoff + 1;
  std::optional<std::string> nearest;
  for (const std::string& name : known) {
    const std::size_t longer = std::max(name.size(), wanted.size());
    const std::size_t shorter = std::min(name.size(), wanted.size());
    if (longer - shorter > cutoff) continue;  // the distance is at least the difference of the lengths
    const auto distance = static_cast<std::size_t>(edit_distance(wanted, lower_case(name)));
    if (distance >= best || distance >= longer) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

}  // namespace eslabon::core
