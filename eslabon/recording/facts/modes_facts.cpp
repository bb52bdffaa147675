#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/facts/json_parts.hpp"
#include "eslabon/recording/facts/statics_facts.hpp"

namespace eslabon::recording {

namespace {

using dynamics::Mode;
using Json = nlohmann::ordered_json;

std::string mode_kind(const Mode& mode) {
  switch (mode.kind) {
    case Mode::Kind::kOscillation:
      return mode.eigenvalue.real() > 1e-9 * mode.natural_frequency() ? "grows" : "swings";
    case Mode::Kind::kDivergence:
      return "falls away";
    case Mode::Kind::kReal:
      return mode.eigenvalue.real() < 0.0 ? "decays" : "grows";
    case Mode::Kind::kRigid:
      return "rigid";
  }
  return "";
}

}  // namespace

std::optional<double> frequency_of(const Mode& mode) {
  if (mode.kind != Mode::Kind::kOscillation) return std::nullopt;
  return mode.natural_frequency() / (2.0 * std::numbers::pi);
}

std::vector<report::Fact> modes_facts(const runs::ModesResult& result) {
  const dynamics::LinearSystem& linear = result.linear;
  std::vector<report::Fact> facts{
      {"About",
       result.about +
           (linear.is_equilibrium ? "" : "; not an equilibrium: frequencies are those of the frozen state")}};
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  if (!result.held.empty()) add("Held", held_text(result.held));
  if (!result.released.empty()) add("Released", core::listed(result.released, 6));
  const auto f = static_cast<std::size_t>(linear.scales.size());
  add("State", core::listed(std::span(linear.state_names).first(f), 8) +
                   (f == 1 ? " and its rate" : " and their rates") +
                   (linear.state_names.size() > 2 * f
                        ? "; " + core::listed(std::span(linear.state_names).subspan(2 * f), 8)
                        : ""));
  add("Derivatives", fmt::format("error about {:.1g} of the max entry", std::max(linear.error, 1e-16)));
  return facts;
}

std::vector<std::vector<std::string>> mode_rows(const runs::ModesResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Mode& mode = result.modes[k];
    const std::optional<double> frequency = frequency_of(mode);
    const double ratio = mode.damping_ratio();
    rows.push_back({std::to_string(k + 1), mode_kind(mode),
                    frequency ? fmt::format("{:.6g}", *frequency) : "–",
                    fmt::format("{:.6g}", mode.natural_frequency()),
                    frequency ? fmt::format("{:.4g}", std::abs(ratio) < 1e-12 ? 0.0 : ratio) : "–",
                    result.shape_texts[k]});
  }
  return rows;
}

std::string modes_json(const runs::ModesResult& result, const std::vector<std::string>& files,
                       const Provenance& provenance) {
  Json json = result_of<Json>("modes", result.mechanism);
  json["about"] = result.about;
  json["equilibrium"] = result.linear.is_equilibrium;
  json["states"] = result.linear.state_names;
  json["derivative_error"] = result.linear.error;
  json["modes"] = Json::array();
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Mode& mode = result.modes[k];
    const std::optional<double> frequency = frequency_of(mode);
    json["modes"].push_back({{"kind", mode_kind(mode)},
                             {"frequency", or_null<Json>(frequency)},
                             {"damping_ratio", frequency ? Json(mode.damping_ratio()) : Json(nullptr)},
                             {"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
                             {"shape", result.shape_texts[k]}});
  }
  json["files"] = {{"systems", files}};
  return json_text(json, provenance);
}

}  // namespace eslabon::recording
