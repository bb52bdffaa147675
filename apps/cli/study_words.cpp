#include "study_words.hpp"

#include <algorithm>
#include <array>

#include "command_line.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/core/name_list.hpp"

namespace eslabon::cli {

namespace {

using Kind = StudySubject::Kind;

/// Said elsewhere in a study, or of no use in one.
constexpr std::array kElsewhere{"help",       "measurements", "truth",  "filter", "every",
                                "until",      "sensors",      "window", "live",   "udp",
                                "any-sender", "spin",         "set",    "out",    "release",
                                "branch",     "outputs",      "start",  "seed",   "header"};

/// "--step=6 ms"
void add_word(const StudySetting& setting, const std::vector<FilterWord>& known,
              std::vector<std::string>& words) {
  const std::string option = "--" + setting.subject.name;
  const auto word = std::ranges::find(known, setting.subject.name, &FilterWord::name);
  if (word->kind == FilterWord::Kind::kFlag) {
    if (setting.value.texts[0] == "true") words.push_back(option);
    return;
  }
  for (const std::string& text : setting.value.texts) words.push_back(option + "=" + text);
}

/// What an error calls a setting.
std::string option_of(const StudySubject& subject) {
  switch (subject.kind) {
    case Kind::kFilter:
      return "--filter";
    case Kind::kSensors:
      return "--sensors";
    case Kind::kOption:
      return "--" + subject.name;
    case Kind::kParameter:
    case Kind::kTruthParameter:
      return "--set " + subject.name;
    case Kind::kSensorNoise:
      return "noise of " + subject.name;
    case Kind::kSensorRate:
      return "rate of " + subject.name;
  }
  return "";
}

}  // namespace

std::vector<FilterWord> study_filter_words() {
  CLI::App app;
  EstimateOptions options;
  add_estimate_options(app, options);
  std::vector<FilterWord> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty()) continue;  // MODEL
    const std::string& name = option->get_lnames().front();
    if (std::ranges::find(kElsewhere, name) != kElsewhere.end()) continue;
    words.push_back({name, option->get_items_expected_max() == 0 ? FilterWord::Kind::kFlag
                           : option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll ||
                                   option->get_items_expected_max() > 1
                               ? FilterWord::Kind::kList
                               : FilterWord::Kind::kValue});
  }
  return words;
}

EstimateOptions estimate_words(const StudyFile& study, const std::vector<StudySetting>& settings) {
  const std::vector<FilterWord> known = study_filter_words();
  std::vector<std::string> words{"model", "--out=study"};
  EstimateOptions options;
  for (const StudySetting& setting : settings)
    if (setting.subject.kind == Kind::kOption) add_word(setting, known, words);
  CLI::App app;
  add_estimate_options(app, options);
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw io::FileError({.what = "the options of the filter cannot be read",
                         .where = study.file_name + ", options",
                         .expected = "those of 'eslabon estimate'",
                         .actual = error.what(),
                         .next = "'eslabon estimate --help' shows how they are written."});
  }
  options.model = study.model;
  if (study.is_filter_unknown) options.start = "unknown";
  options.measurements = "study";
  options.release = study.release;
  options.branch = study.branch;
  std::vector<std::string> outputs;
  for (const StudyCriterion& criterion : study.criteria) outputs.push_back(criterion.output);
  options.outputs = core::joined(outputs, ",");
  for (const StudySetting& setting : settings) {
    if (setting.subject.kind == Kind::kFilter) options.filter = setting.value.texts[0];
    if (setting.subject.kind == Kind::kSensors) options.sensors = core::joined(setting.value.texts, ",");
    if (setting.subject.kind == Kind::kParameter)
      options.set.push_back(setting.subject.name + "=" + setting.value.texts[0]);
  }
  return options;
}

core::ModelError located(const core::ModelError& error, const StudyFile& study,
                         const std::vector<StudySetting>& settings) {
  core::ErrorText text = error.text();
  if (text.where.starts_with(study.file_name)) return core::ModelError(text);
  for (const StudySetting& setting : settings)
    if (text.where == option_of(setting.subject)) {
      text.where = setting.value.place.where();
      return core::ModelError(text);
    }
  if (text.where.starts_with("--outputs"))
    text.where = study.file_name + ", converged";
  else if (text.where.starts_with("--"))
    text.where = study.file_name + ", " + text.where.substr(2);
  else if (!text.where.starts_with(study.model))
    text.where = study.model + (text.where.empty() ? "" : ", " + text.where);
  return core::ModelError(text);
}

void throw_located(const core::ModelError& error, const StudyFile& study,
                   const std::vector<StudySetting>& settings) {
  const core::ModelError placed_error = located(error, study, settings);
  // What would be a wrong word of a command line is here a wrong word of the file.
  if (dynamic_cast<const CommandLineError*>(&error) != nullptr ||
      dynamic_cast<const io::FileError*>(&error) != nullptr)
    throw io::FileError(placed_error.text());
  throw placed_error;
}

}  // namespace eslabon::cli
