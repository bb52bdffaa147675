#pragma once

#include <string>

namespace eslabon::recording {

/// What a report can show.
enum class ResultKind {
  kMechanism,  ///< a mechanism file or family:NAME,key=value…
  kResult,     ///< rows over time: of kinematics, simulate, inverse
  kEstimate,   ///< the same with deviations, NAME.sigma
  kReadings,   ///< a measurement file
  kStudy,      ///< a folder of `study`
  kPage,       ///< a report, of which pictures can be taken
};

/// What a file, folder or family is, by what is in it. Throws core::ModelError that says what was looked for when it is none.
ResultKind result_kind(const std::string& path);

}  // namespace eslabon::recording
