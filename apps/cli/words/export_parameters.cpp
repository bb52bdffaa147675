#include "apps/cli/words/export_parameters.hpp"

#include <algorithm>
#include <memory>

#include "apps/cli/words/command_line.hpp"

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/io/mechanism/file_numbers.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/start/released_start.hpp"

namespace eslabon::cli {

namespace {

constexpr const char* kOption = "--parameters";
constexpr const char* kAll = "all";

using Factor = dynamics::Unknown::Kind;

/// Names of elements of which factors can be parameters, in their order; others are empty.
std::vector<std::string> names_of(const model::Mechanism& mechanism, Factor kind) {
  std::vector<std::string> names;
  const auto add = [&](const auto& elements, const auto& has_factor) {
    for (const auto& element : elements) names.push_back(has_factor(element) ? element.name : "");
  };
  const auto always = [](const auto&) { return true; };
  if (kind == Factor::kMass)
    add(mechanism.bodies(), [](const model::Body& body) { return !body.mass_properties.is_massless(); });
  if (kind == Factor::kSpring) add(mechanism.springs(), always);
  if (kind == Factor::kDamper) add(mechanism.dampers(), always);
  if (kind == Factor::kFriction)
    add(mechanism.joints(), [](const model::Joint& joint) { return !joint.friction.is_none(); });
  return names;
}

/// "mass:coupler"
codegen::ExportedUnknown read_factor(const std::string& word, const model::Mechanism& mechanism) {
  const std::size_t colon = word.find(':');
  const std::string kind = word.substr(0, colon), name = word.substr(colon + 1);
  check_word(kOption, "unknown kind of factor", kind, {"mass", "stiffness", "damping", "friction"});
  const Factor factor = kind == "mass"        ? Factor::kMass
                        : kind == "stiffness" ? Factor::kSpring
                        : kind == "damping"   ? Factor::kDamper
                                              : Factor::kFriction;
  const std::vector<std::string> all = names_of(mechanism, factor);
  std::vector<std::string> known = all;
  std::erase(known, "");
  refuse_if(known.empty(),
            {"nothing in the model has a factor of this kind", kOption,
             "a model with " + (kind == "mass" ? "masses" : kind), core::quoted(word), "Leave it out."});
  check_word(kOption, "unknown element with " + kind, name, known);
  return {{factor, static_cast<int>(std::ranges::find(all, name) - all.begin())}, {word, "1"}};
}

codegen::SymbolicParameters symbolic(const std::vector<std::string>& names, const ModelWords& words,
                                     const io::DescribedMechanism& loaded) {
  const auto numbers = std::make_shared<io::FileNumbers>(loaded.parameters, names);
  static_cast<void>(io::load_described_model(words.model, words.set, numbers.get()));
  codegen::SymbolicParameters out;
  out.numbers = numbers->values();
  for (const std::string& name : names) {
    const io::ParameterFact& fact = numbers->parameter(name);
    out.symbols.push_back({name, fact.unit.empty() ? "1" : fact.unit});
    out.values.push_back(fact.value);
  }
  out.trace = [numbers](std::span<const core::Traced> symbols) { return numbers->trace(symbols); };
  out.symbols_of = [numbers](std::size_t number) { return numbers->symbols_of(number); };
  out.mechanism = [numbers, words](std::span<const double> values) {
    numbers->replace(values);
    const model::Mechanism mechanism =
        io::load_described_model(words.model, words.set, numbers.get()).mechanism;
    return runs::without_released(mechanism, runs::released_drivers(words.release, mechanism));
  };
  return out;
}

}  // namespace

void read_export_parameters(const std::string& text, const ModelWords& words,
                            const io::DescribedMechanism& loaded, codegen::MotionExportOptions& options) {
  std::vector<std::string> known, names;
  for (const io::ParameterFact& parameter : loaded.parameters) known.push_back(parameter.name);
  const auto add = [&](const std::string& name) {
    refuse_if(std::ranges::find(names, name) != names.end(),
              {"a parameter is named twice", kOption, "each once", core::quoted(name), "Remove one."});
    names.push_back(name);
  };
  for (const std::string& word : read_names(kOption, text, "crank,mass:coupler")) {
    if (word.find(':') != std::string::npos) {
      options.unknowns.push_back(read_factor(word, loaded.mechanism));
      continue;
    }
    refuse_if(words.model.starts_with("family:"),
              {"parameters of a family are none of its equations", kOption,
               "a file with 'parameters', or a factor such as mass:BODY", core::quoted(word),
               "Leave it out, or write the model as a file."});
    if (word == kAll) {
      for (const std::string& name : io::independent_parameters(loaded.parameters)) add(name);
      continue;
    }
    refuse_if(known.empty(), {"the model has no parameters", kOption, "a file with 'parameters'",
                              core::quoted(word), "Leave it out."});
    check_word(kOption, "unknown parameter", word, known);
    add(word);
  }
  if (!names.empty()) options.parameters = symbolic(names, words, loaded);
}

}  // namespace eslabon::cli
