#pragma once

#include <optional>
#include <string>
#include <utility>

#include "apps/cli/words/provenance.hpp"
#include <nlohmann/json.hpp>

#include "eslabon/recording/facts/json_parts.hpp"

/// Objects of --json that are no results of runs: tables of benches, pages.
namespace eslabon::cli {

using Json = nlohmann::ordered_json;

/// The value, or null.
template <class Value>
Json or_null(const std::optional<Value>& value) {
  return recording::or_null<Json>(value);
}

/// As it is printed, with where it comes from.
inline std::string text_of(Json json) { return recording::json_text(std::move(json), provenance_of_run()); }

}  // namespace eslabon::cli
