#include <algorithm>
#include <array>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"

namespace eslabon::dynamics {

namespace {

enum class Kinds { kAll, kRelative, kNone };

struct Entry {
  std::string_view name;
  Kinds kinds;
  bool rolls;  ///< has rows on velocities: discs that roll without slipping
  std::unique_ptr<Formulation> (*make)(const DynamicModel&, const FormulationOptions&);
};

// A new formulation is one file and one line here.
constexpr std::array kEntries{
    Entry{"multipliers", Kinds::kAll, true, &make_multipliers},
    Entry{"null-space", Kinds::kAll, true, &make_null_space},
    Entry{"augmented-lagrangian", Kinds::kAll, false, &make_augmented_lagrangian},
    Entry{"semi-recursive", Kinds::kRelative, true, &make_semi_recursive},
    Entry{"clusters", Kinds::kRelative, false, &make_clusters},
    Entry{"groups", Kinds::kNone, false, &make_groups},
};

/// Throws for a disc that rolls without slipping in a formulation without rows on velocities.
void check_rolling(const Entry& entry, const model::Mechanism& mechanism) {
  if (entry.rolls) return;
  const auto joint = std::ranges::find_if(
      mechanism.joints(), [](const model::Joint& one) { return model::is_nonholonomic(one.type); });
  if (joint == mechanism.joints().end()) return;
  std::vector<std::string> able;
  for (const Entry& other : kEntries)
    if (other.rolls) able.emplace_back(other.name);
  throw core::ModelError(
      {.what = "the formulation '" + std::string(entry.name) + "' has no rows on velocities",
       .where = "joint '" + joint->name + "'",
       .expected = "one of " + core::quoted_list(able),
       .actual = "a disc that rolls without slipping",
       .next = "Take one of these."});
}

}  // namespace

std::vector<std::string> formulation_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> coordinate_kinds(std::string_view formulation) {
  const auto* const entry = std::ranges::find(kEntries, formulation, &Entry::name);
  if (entry == kEntries.end() || entry->kinds == Kinds::kNone) return {};
  return entry->kinds == Kinds::kAll ? coordinates::layout_names() : std::vector<std::string>{"relative"};
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const DynamicModel& model,
                                              const FormulationOptions& options) {
  const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
  if (entry == kEntries.end())
    throw core::ModelError({.what = "unknown formulation",
                            .where = "",
                            .expected = "one of " + core::quoted_list(formulation_names()),
                            .actual = "'" + std::string(name) + "'",
                            .next = "All give the same motion."});
  const std::vector<std::string> kinds = coordinate_kinds(name);
  if (!options.kind.empty() && std::ranges::find(kinds, options.kind) == kinds.end())
    throw core::ModelError(
        {.what = "the formulation '" + std::string(name) + "' does not have these coordinates",
         .where = "",
         .expected = "one of " + core::quoted_list(kinds),
         .actual = "'" + options.kind + "'",
         .next = "Take other coordinates or another formulation."});
  if (!options.variant.empty() && name != "semi-recursive")
    throw core::ModelError({.what = "the formulation '" + std::string(name) + "' has no variants",
                            .where = "",
                            .expected = "'semi-recursive' with 'dense' or 'sparse'",
                            .actual = "the variant '" + options.variant + "'",
                            .next = "Omit it, or take the formulation 'semi-recursive'."});
  if (!options.variant.empty() && options.variant != "dense" && options.variant != "sparse")
    throw core::ModelError({.what = "unknown variant of 'semi-recursive'",
                            .where = "",
                            .expected = "'dense' or 'sparse'",
                            .actual = "'" + options.variant + "'",
                            .next = "Omit it: the faster one is then chosen by size."});
  check_rolling(*entry, model.mechanism());
  FormulationOptions chosen = options;
  if (chosen.kind.empty() && !kinds.empty()) chosen.kind = kinds.front();
  return entry->make(model, chosen);
}

}  // namespace eslabon::dynamics
