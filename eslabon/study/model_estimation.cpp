#include "eslabon/study/model_estimation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/study/filter_settings.hpp"

namespace eslabon::study {

namespace {

/// Settings that belong to a model and its sensors, which every filter reads; the others belong to a filter or to a run.
constexpr std::array<std::string_view, 8> kOfModels{
    "step",           "start-deviation", "start-rate-deviation",
    "position-noise", "velocity-noise",  "acceleration-noise",
    "gate",           "unknown"};

[[noreturn]] void fail(const io::EstimationSetting& setting, std::string what, std::string expected,
                       std::string actual, std::string next) {
  throw io::FileError(
      {std::move(what), setting.place.where(), std::move(expected), std::move(actual), std::move(next)});
}

void check(const io::EstimationSetting& setting) {
  if (std::ranges::find(kOfModels, setting.name) == kOfModels.end()) {
    const std::vector<std::string> known(kOfModels.begin(), kOfModels.end());
    const auto nearest = core::nearest_name(setting.name, known);
    fail(setting, "unknown setting of the estimation", core::quoted_list(known), core::quoted(setting.name),
         nearest ? "Did you mean '" + *nearest + "'?"
                 : "What belongs to a filter or a run is an option of 'eslabon estimate'.");
  }
  const bool is_list = find_filter_setting(setting.name)->kind() == FilterSetting::Kind::kList;
  if (!setting.is_list || is_list) return;
  fail(setting, "this setting has one value", "a text or a number", "a list",
       "Write it without the brackets.");
}

}  // namespace

void set_from_model(runs::EstimateRequest& request, const io::DescribedMechanism& loaded) {
  for (const io::EstimationSetting& setting : loaded.estimation) {
    check(setting);
    try {
      const FilterSetting& known = *find_filter_setting(setting.name);
      runs::EstimateRequest alone;
      known.set(alone, setting.texts, loaded.mechanism);
      check_request(alone, {alone.filter});
      const bool is_of_a_known_start = setting.name == "start-deviation";
      if (!request.has_unknown_start || !is_of_a_known_start)
        known.set(request, setting.texts, loaded.mechanism);
    } catch (const core::ModelError& error) {
      core::ErrorText text = error.text();
      text.where = setting.place.where();
      throw io::FileError(runs::with_field_words(text, setting_of));
    }
  }
}

std::vector<std::string> names_of_settings(const io::DescribedMechanism& loaded) {
  std::vector<std::string> names;
  for (const io::EstimationSetting& setting : loaded.estimation) names.push_back(setting.name);
  return names;
}

}  // namespace eslabon::study
