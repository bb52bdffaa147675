#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eslabon/runs/estimation/estimate_request.hpp"

namespace eslabon::study {

/// A setting of a filter as its users write it; the reader knows its dimension, and the field of the request that it is given to.
class FilterSetting {
 public:
  enum class Kind { kValue, kFlag, kList };
  class Text;  ///< what was written
  using Reader = void (*)(const Text& text, runs::EstimateRequest& request);
  using Words = std::vector<std::string> (*)();

  constexpr FilterSetting(std::string_view name, Reader read, Kind kind = Kind::kValue,
                          bool is_of_studies = true)
      : name_(name), read_(read), kind_(kind), is_of_studies_(is_of_studies) {}
  constexpr FilterSetting(std::string_view name, Reader read, Words known)
      : name_(name), read_(read), words_(known) {}

  std::string_view name() const { return name_; }  ///< "start-deviation"
  Kind kind() const { return kind_; }
  /// Those that it takes; none: it is no word.
  std::vector<std::string> words() const { return words_ == nullptr ? std::vector<std::string>() : words_(); }
  bool is_of_studies() const {
    return is_of_studies_;
  }  ///< false: a study gives it itself, or has no use for it

  /// Gives the request what `texts` say: one of a value, "true" or "false" of a flag; of a list the items, in the place of those of the same names. `mechanism`: whose names they may have. Throws
  /// runs::RequestError that names the field.
  void set(runs::EstimateRequest& request, const std::vector<std::string>& texts,
           const model::Mechanism& mechanism) const;

 private:
  std::string_view name_;
  Reader read_;
  Kind kind_ = Kind::kValue;
  bool is_of_studies_ = true;
  Words words_ = nullptr;
};

const std::vector<FilterSetting>& filter_settings();
/// nullptr when there is none.
const FilterSetting* find_filter_setting(std::string_view name);
/// The field of the request that a setting is for: "start_deviation" for "start-deviation".
std::string field_of(std::string_view setting);
/// What users write for a field: "start-deviation" for "start_deviation".
std::string setting_of(std::string_view field);

}  // namespace eslabon::study
