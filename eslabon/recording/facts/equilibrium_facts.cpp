#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/shown_digits.hpp"
#include "eslabon/recording/facts/json_parts.hpp"
#include "eslabon/recording/facts/statics_facts.hpp"

namespace eslabon::recording {

namespace {

using Json = nlohmann::ordered_json;
using runs::EquilibriumResult;
using runs::EquilibriumSolution;

constexpr std::size_t kMostNames = 8;

std::string stability_text(const EquilibriumResult& result, const EquilibriumSolution& one) {
  return result.num_freedoms == 0 ? "held" : std::string(dynamics::stability_word(one.at.stability));
}

std::string softest_text(const EquilibriumResult& result, const EquilibriumSolution& one) {
  if (result.num_freedoms == 0) return "none: nothing can move";
  if (!one.at.softest_square) return "without mass: " + one.softest_shape;
  const double square = *one.at.softest_square;
  if (square == 0.0)
    return (one.at.stability == dynamics::Stability::kNeutral ? "no restoring force: "
                                                              : "auxiliary states alone act: ") +
           one.softest_shape;
  const double rate = std::sqrt(std::abs(square));
  return fmt::format("{}: {}",
                     square > 0.0 ? fmt::format("{:.6g} Hz", rate / (2.0 * std::numbers::pi))
                                  : fmt::format("grows e-fold in {:.4g} s", 1.0 / rate),
                     one.softest_shape);
}

/// Roundoff of what there is in its place is shown as 0.
std::string number(double value, double size, std::string_view unit) {
  return fmt::format("{:.{}g}", std::abs(value) <= 1e-13 * size ? 0.0 : value,
                     core::shown_digits(value, unit, 8));
}

std::string freedoms_text(const EquilibriumResult& result) {
  if (result.num_freedoms == 0) return "0: the drivers hold everything";
  return fmt::format("{}: {}", result.num_freedoms, core::listed(result.freedoms, kMostNames));
}

/// "motor -3.2 N*m" of each driver that holds, at the first solution.
std::string holding_text(const EquilibriumResult& result) {
  std::vector<std::string> efforts;
  for (std::size_t k = 0; k < result.outputs.size(); ++k)
    if (result.variables[k].kind == model::VariableKind::kDriverEffort)
      efforts.push_back(fmt::format("{} = {:.8g} {}", result.outputs[k].name,
                                    result.solutions.front().outputs[k], result.outputs[k].unit));
  return core::listed(efforts, kMostNames);
}

std::string found_text(const EquilibriumResult& result, int most) {
  return core::counted(result.solutions.size(), "equilibrium position") +
         (most == 1
              ? ", in " + core::counted(static_cast<std::size_t>(result.solutions.front().at.iterations),
                                        "iteration")
              : ": " + result.thoroughness);
}

std::string residual_text(const EquilibriumResult& result) {
  if (result.is_held) return fmt::format("constraint error {:.2g} m", result.start_error);
  double residual = 0.0, error = 0.0;
  for (const EquilibriumSolution& one : result.solutions) {
    residual = std::max(residual, one.at.residual);
    error = std::max(error, one.constraint_error);
  }
  return fmt::format("force balance error {:.2g} of the applied forces; constraint error {:.2g} m", residual,
                     error);
}

}  // namespace

std::string held_text(const std::vector<runs::HeldDriver>& held) {
  std::vector<std::string> words;
  for (const runs::HeldDriver& driver : held)
    words.push_back(fmt::format("{} at {:.{}g} {}", driver.name, driver.position,
                                core::shown_digits(driver.position, driver.unit, 6), driver.unit));
  return words.empty() ? "" : core::listed(words, kMostNames);
}

std::vector<report::Fact> equilibrium_facts(const EquilibriumResult& result, int solutions) {
  std::vector<report::Fact> facts{{"DOF", freedoms_text(result)}};
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  if (!result.held.empty()) add("Held", held_text(result.held));
  if (!result.released.empty()) add("Released", core::listed(result.released, 6));
  if (result.time > 0.0) add("Time", fmt::format("{:.9g} s", result.time));
  if (!result.is_held) add("Found", found_text(result, solutions));
  add("Residual", residual_text(result));
  if (const std::string holding = holding_text(result); !holding.empty() && result.solutions.size() == 1)
    add("Holding", holding);
  return facts;
}

std::vector<std::vector<std::string>> solution_rows(const EquilibriumResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const EquilibriumSolution& one : result.solutions)
    rows.push_back({std::to_string(rows.size() + 1), stability_text(result, one),
                    number(one.energy, 0.0, "J"), softest_text(result, one)});
  return rows;
}

std::vector<std::vector<std::string>> output_rows(const EquilibriumResult& result, std::size_t solutions) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < result.outputs.size(); ++k) {
    const auto& [name, unit] = result.outputs[k];
    rows.push_back({name, unit});
    for (std::size_t s = 0; s < solutions; ++s)
      rows.back().push_back(number(result.solutions[s].outputs[k], unit == "m" ? result.length : 1.0, unit));
  }
  return rows;
}

std::string equilibrium_json(const runs::EquilibriumResult& result, const std::optional<std::string>& file,
                             const Provenance& provenance) {
  Json json = result_of<Json>("equilibrium", result.mechanism);
  json["thoroughness"] = result.thoroughness;
  json["solutions"] = Json::array();
  for (const EquilibriumSolution& one : result.solutions) {
    Json outputs = Json::array();
    for (std::size_t k = 0; k < result.outputs.size(); ++k)
      outputs.push_back(
          {{"name", result.outputs[k].name}, {"unit", result.outputs[k].unit}, {"value", one.outputs[k]}});
    json["solutions"].push_back({{"stability", stability_text(result, one)},
                                 {"energy", one.energy},
                                 {"softest_square", or_null<Json>(one.at.softest_square)},
                                 {"residual", one.at.residual},
                                 {"constraint_error", one.constraint_error},
                                 {"outputs", outputs}});
  }
  json["files"] = {{"results", or_null<Json>(file)}};
  return json_text(json, provenance);
}

}  // namespace eslabon::recording
