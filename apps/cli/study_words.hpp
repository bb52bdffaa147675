#pragma once

#include <vector>

#include "apps/cli/study_plan.hpp"
#include "estimate_options.hpp"

/// From the words of a study to those of `estimate`.
namespace eslabon::cli {

/// The options of `estimate` that a study may give its filters: all but those that say where readings come from and results go, and
/// those for which a study has keys of its own.
std::vector<FilterWord> study_filter_words();

/// What `estimate` would be told for a point: filter, sensors, options, outputs, parameters. Throws core::ModelError with the place in the
/// study file.
EstimateOptions estimate_words(const StudyFile& study, const std::vector<StudySetting>& settings);

/// The error of a point with the place in the study file where the words stand that it speaks of ("--step", "--set crank").
core::ModelError located(const core::ModelError& error, const StudyFile& study,
                         const std::vector<StudySetting>& settings);

/// Throws that error: io::FileError where the study file says what cannot be, core::ModelError where the mechanism cannot do it.
[[noreturn]] void throw_located(const core::ModelError& error, const StudyFile& study,
                                const std::vector<StudySetting>& settings);

}  // namespace eslabon::cli
