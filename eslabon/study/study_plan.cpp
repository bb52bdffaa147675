#include "eslabon/study/study_plan.hpp"

#include <algorithm>
#include <optional>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::study {

namespace {

std::optional<io::Quantity> quantity_of(const StudyValue& value) {
  if (value.texts.size() != 1) return std::nullopt;
  try {
    return io::parse_quantity(value.texts[0], value.place);
  } catch (const core::ModelError&) {
    return std::nullopt;  // a word
  }
}

}  // namespace

TrySeeds try_seeds(std::uint64_t seed) {
  core::Rng rng(seed);
  TrySeeds seeds;
  seeds.truth = rng.bits();
  seeds.sensors = rng.bits();
  seeds.filter = rng.bits();
  return seeds;
}

StudyPlan::StudyPlan(const StudyFile& study) : study_(study) {
  for (const StudyAxis& axis : study.axes) num_points_ *= axis.values.size();
}

std::vector<std::size_t> StudyPlan::values_of(std::size_t point) const {
  std::vector<std::size_t> values(study_.axes.size());
  for (std::size_t k = values.size(); k-- > 0;) {
    values[k] = point % study_.axes[k].values.size();
    point /= study_.axes[k].values.size();
  }
  return values;
}

std::vector<StudySetting> StudyPlan::settings_of(std::size_t point) const {
  std::vector<StudySetting> settings = study_.settings;
  const std::vector<std::size_t> values = values_of(point);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const StudyAxis& axis = study_.axes[k];
    std::erase_if(settings, [&](const StudySetting& setting) { return setting.subject == axis.subject; });
    settings.push_back({axis.subject, axis.values[values[k]]});
  }
  return settings;
}

std::vector<std::size_t> StudyPlan::points_with_each_value() const {
  std::vector<std::size_t> points{0};
  std::size_t stride = num_points();
  for (const StudyAxis& axis : study_.axes) {
    stride /= axis.values.size();
    for (std::size_t value = 1; value < axis.values.size(); ++value) points.push_back(value * stride);
  }
  return points;
}

std::string StudyPlan::name_of(std::size_t point) const {
  std::string name;
  const std::vector<std::size_t> values = values_of(point);
  for (std::size_t k = 0; k < values.size(); ++k)
    name +=
        (name.empty() ? "" : ", ") + study_.axes[k].name + " = " + study_.axes[k].values[values[k]].shown();
  return name;
}

std::uint64_t StudyPlan::seed_of(std::size_t attempt) const {
  return core::Rng(study_.seed, attempt).bits() >> 12;
}

AxisColumn axis_column(const StudyAxis& axis) {
  AxisColumn column{"1", {}};
  for (const StudyValue& value : axis.values) {
    const auto quantity = quantity_of(value);
    if (!quantity) {
      column = {"", {}};
      for (const StudyValue& word : axis.values) column.cells.push_back(word.shown());
      return column;
    }
    if (quantity->certainty == io::Certainty::kKnown) column.unit = io::si_unit(quantity->dimension);
    column.cells.push_back(core::number_text(quantity->value));
  }
  return column;
}

}  // namespace eslabon::study
