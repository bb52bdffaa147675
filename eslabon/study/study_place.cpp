#include "eslabon/study/study_place.hpp"

#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/study/filter_settings.hpp"

namespace eslabon::study {

namespace {

using Kind = StudySubject::Kind;

/// What an error calls a setting.
std::string name_in_errors(const StudySubject& subject) {
  switch (subject.kind) {
    case Kind::kFilter:
      return runs::field("filter");
    case Kind::kSensors:
      return runs::field("sensors");
    case Kind::kOption:
      return runs::field(field_of(subject.name));
    case Kind::kParameter:
    case Kind::kTruthParameter:
      return io::place_of_setting(subject.name);
    case Kind::kSensorNoise:
      return "noise of " + subject.name;
    case Kind::kSensorRate:
      return "rate of " + subject.name;
  }
  return "";
}

/// The key of the study file for a field of a request.
std::string key_of(std::string_view field) { return field == "outputs" ? "converged" : setting_of(field); }

std::string place_of(const std::string& where, const StudyFile& study,
                     const std::vector<StudySetting>& settings) {
  if (where.starts_with(study.file_name)) return where;
  for (const StudySetting& setting : settings)
    if (where == name_in_errors(setting.subject)) return setting.value.place.where();
  const std::string in_keys = runs::with_field_words(where, key_of);
  if (in_keys != where) return study.file_name + ", " + in_keys;
  if (where.starts_with(study.model)) return where;
  return study.model + (where.empty() ? "" : ", " + where);
}

}  // namespace

core::ModelError located(const core::ModelError& error, const StudyFile& study,
                         const std::vector<StudySetting>& settings) {
  core::ErrorText text = error.text();
  text.where = place_of(text.where, study, settings);
  return core::ModelError(runs::with_field_words(text, key_of));
}

void throw_located(const core::ModelError& error, const StudyFile& study,
                   const std::vector<StudySetting>& settings) {
  const core::ModelError placed = located(error, study, settings);
  // What would be a wrong request is here a wrong word of the file.
  if (dynamic_cast<const runs::RequestError*>(&error) != nullptr ||
      dynamic_cast<const core::DataError*>(&error) != nullptr)
    throw io::FileError(placed.text());
  throw placed;
}

}  // namespace eslabon::study
