#include "eslabon/io/mechanism/model_source.hpp"

#include <iostream>
#include <iterator>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/model/families/family.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::io {

namespace {

constexpr std::string_view kFamilyPrefix = "family:";

ParameterOverride split(const std::string& setting) {
  const std::size_t sign = setting.find('=');
  if (sign == 0 || sign == std::string::npos || sign + 1 == setting.size())
    throw core::ModelError({.what = "a setting has no value",
                            .where = "--set",
                            .expected = "name=value",
                            .actual = "'" + setting + "'",
                            .next = "Write, for example, --set 'crank=130 mm'."});
  return {setting.substr(0, sign), setting.substr(sign + 1)};
}

/// What stands in the standard input, which can be read once: later calls give the same text.
const std::string& standard_input() {
  static const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return text;
}

DescribedMechanism read_model(const std::string& model, const ModelSettings& settings, FileNumbers* numbers) {
  std::vector<ParameterOverride> overrides;
  for (const std::string& setting : settings.set) overrides.push_back(split(setting));
  const ReadRequest request{.overrides = overrides, .variant = settings.variant, .numbers = numbers};
  if (model == kStandardInput)
    return read_described_mechanism(standard_input(), "the standard input", request);
  if (!model.starts_with(kFamilyPrefix)) return read_described_file(model, request);
  if (!settings.variant.empty())
    throw core::ModelError({.what = "a family has no variants",
                            .where = "--variant",
                            .expected = "a mechanism file",
                            .actual = "'" + model + "'",
                            .next = "Set its keys instead, or leave the variant out."});
  std::string specification = model.substr(kFamilyPrefix.size());
  for (const ParameterOverride& entry : overrides) specification += "," + entry.name + "=" + entry.text;
  std::vector<ParameterFact> keys;
  for (const auto& [key, value] : model::family_values(specification)) {
    const std::string text = core::number_text(value);
    keys.push_back({.name = key.name,
                    .text = text,
                    .value = value,
                    .unit = "",
                    .written_value = value,
                    .written_unit = "",
                    .meaning = key.meaning,
                    .doubt = ""});
  }
  return {model::make_family(specification), std::move(keys)};
}

}  // namespace

DescribedMechanism load_described_model(const std::string& model, const ModelSettings& settings,
                                        FileNumbers* numbers) {
  DescribedMechanism loaded = reading_file([&] { return read_model(model, settings, numbers); });
  loaded.mechanism = model::about_own_origin(loaded.mechanism);
  return loaded;
}

DescribedMechanism load_model_as_written(const std::string& model, const ModelSettings& settings) {
  return reading_file([&] { return read_model(model, settings, nullptr); });
}

model::Mechanism load_model(const std::string& model, const ModelSettings& settings) {
  return load_described_model(model, settings).mechanism;
}

}  // namespace eslabon::io
