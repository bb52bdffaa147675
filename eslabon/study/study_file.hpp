#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/io/mechanism/document.hpp"

namespace eslabon::study {

/// A value as it stands in the file: one text, or several where a list is one value.
struct StudyValue {
  std::vector<std::string> texts;
  io::TextPlace place;

  /// "a+b": for tables and files.
  std::string shown() const;
};

/// What a value is given to.
struct StudySubject {
  enum class Kind {
    kFilter,          ///< which one
    kSensors,         ///< names of those in use
    kOption,          ///< one of filter_settings()
    kParameter,       ///< of the mechanism, for truth and filter
    kTruthParameter,  ///< the same for the truth alone
    kSensorNoise,     ///< of the sensor `name`
    kSensorRate,      ///< the same; the text "step": one reading at every step of the filter
  };
  Kind kind = Kind::kOption;
  std::string name = {};  ///< of the option, parameter or sensor

  friend bool operator==(const StudySubject&, const StudySubject&) = default;
};

struct StudySetting {
  StudySubject subject;
  StudyValue value;
};

/// What is swept.
struct StudyAxis {
  std::string name;  ///< as in the file: "particles", "parameters.input_length", "sensors.gyroscope.noise"
  StudySubject subject;
  std::vector<StudyValue> values;
};

/// An output whose error at the end tells whether a try has converged.
struct StudyCriterion {
  std::string output;
  StudyValue within;
};

/// A study as its file describes it (docs/study-file.md).
struct StudyFile {
  std::string file_name;
  std::string title;
  std::string model;  ///< a path that can be opened, or family:NAME,key=value…
  bool is_truth_unknown = false;
  bool is_filter_unknown = false;
  core::Duration until;
  core::Duration rmse_from;  ///< root mean squares are taken from there on
  std::vector<std::string> release;
  std::optional<std::string> branch;
  std::vector<StudySetting> settings;  ///< of every point, unless an axis says otherwise
  std::vector<StudyAxis> axes;
  std::vector<StudyCriterion> criteria;
  int tries = 100;
  std::uint64_t seed = 1;
};

/// Reads a study. Strict, as mechanism files: throws core::ModelError with file, line and column.
StudyFile read_study(std::string_view text, const std::string& file_name);

/// Everything that the results of a try depend on beside the model's file, as one text; not the title, nor how many tries there are:
/// try number k is the same among any number of them.
std::string study_meaning(const StudyFile& study);
/// Hash of that, and of the way in which tries are made.
std::uint64_t study_hash(const StudyFile& study);

}  // namespace eslabon::study
