#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::core {

/// The fewest insertions, deletions, replacements of one byte, or swaps of two neighbours, that turn a
/// into b: the Damerau–Levenshtein distance. Cost O(|a| |b|) time and memory.
int edit_distance(std::string_view a, std::string_view b);

/// The known name that was probably meant, if any is near enough:
///   1. one that differs in case only;
///   2. otherwise the first at the smallest edit distance d (case ignored) with d ≤ max(1, |typed|/3),
///      and with at least one letter in common: "a" is no misspelt "b".
/// Letters are bytes; only ASCII letters have a case here.
std::optional<std::string> nearest_name(std::string_view typed, std::span<const std::string> known);

}  // namespace eslabon::core
