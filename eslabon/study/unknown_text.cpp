#include "eslabon/study/unknown_text.hpp"

#include <optional>
#include <vector>

#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/io/quantities/setting_text.hpp"
#include "eslabon/runs/estimation/unknown_states.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::study {

namespace {

[[noreturn]] void fail_unknown(const std::string& text, const std::string& expected) {
  const std::string setting = runs::field("unknown");
  throw runs::RequestError(
      {.what = "this unknown cannot be read",
       .where = setting,
       .expected = expected,
       .actual = io::in_quotes(text),
       .next = "Write, for example, " + setting + " 'force:wheel.W.z,sigma=200 N,walk=1000 N'."});
}

/// What stands behind the kind and the name, as it was written.
struct UnknownTexts {
  std::optional<std::string> sigma, walk, start;
};

UnknownTexts read_rest(const std::vector<std::string>& parts, const std::string& text) {
  UnknownTexts texts;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals);
    std::optional<std::string>* const target = key == "sigma"   ? &texts.sigma
                                               : key == "walk"  ? &texts.walk
                                               : key == "start" ? &texts.start
                                                                : nullptr;
    if (target == nullptr || equals == std::string::npos || *target)
      fail_unknown(text, "sigma=…, walk=… and start=…, each once at most");
    *target = parts[i].substr(equals + 1);
  }
  return texts;
}

/// A number that has all of these dimensions: of a bare one they say what it is.
std::optional<double> read_value(const std::optional<std::string>& text,
                                 const std::vector<core::Dimension>& dimensions) {
  if (!text) return std::nullopt;
  double value = 0.0;
  for (const core::Dimension& dimension : dimensions)
    value = io::read_number(runs::field("unknown"), *text, dimension);
  return value;
}

}  // namespace

runs::UnknownRequest read_unknown(const std::string& text, const model::Mechanism& mechanism) {
  const std::vector<std::string> parts =
      io::read_names(runs::field("unknown"), text, "'bias:gyroscope,sigma=0.01'");
  const std::size_t colon = parts.front().find(':');
  if (colon == std::string::npos)
    fail_unknown(text, "force:, mass:, stiffness:, damping:, friction:, bias: or state: and a name");
  const UnknownTexts texts = read_rest(parts, text);
  const std::string kind = parts.front().substr(0, colon);
  runs::require_known("unknown", "unknown kind of unknown", kind,
                      {"force", "mass", "stiffness", "damping", "friction", "bias", "state"});
  runs::UnknownRequest unknown{.kind = *runs::find_unknown_kind(kind),
                               .name = parts.front().substr(colon + 1)};
  const std::vector<core::Dimension> dimensions = dimensions_of(unknown, mechanism);
  unknown.deviation = read_value(texts.sigma, dimensions);
  unknown.walk = read_value(texts.walk, dimensions);
  unknown.start = read_value(texts.start, dimensions);
  return unknown;
}

}  // namespace eslabon::study
