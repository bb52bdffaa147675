#pragma once

#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/study/study_file.hpp"

/// Errors of a point of a study, with the place in its file where the words stand that they speak of.
namespace eslabon::study {

/// The error as readers of the study file understand it: what was a field of a request, or a parameter, is a place in the file.
core::ModelError located(const core::ModelError& error, const StudyFile& study,
                         const std::vector<StudySetting>& settings);

/// Throws that error: io::FileError where the study file says what cannot be, core::ModelError where the mechanism cannot do it.
[[noreturn]] void throw_located(const core::ModelError& error, const StudyFile& study,
                                const std::vector<StudySetting>& settings);

}  // namespace eslabon::study
