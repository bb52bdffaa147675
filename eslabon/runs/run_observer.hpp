#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eslabon/core/text/field_name.hpp"

namespace eslabon::runs {

/// Who follows a run while it goes on. Each function may be left as it is.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Something that the user should know, a whole sentence.
  virtual void note(const std::string& /*sentence*/) {}
  /// The same with the names of fields marked, for those who say them in words of their own: core::with_field_words.
  virtual void marked_note(const std::string& sentence) { note(core::without_marks(sentence)); }
  /// Outputs of the mechanism that the run does not tell, and why.
  virtual void left_out(const std::vector<std::string>& /*outputs*/, const std::string& /*why*/) {}
  /// Asked between steps, of which so many were taken; true ends the run there, and what it has so far is kept.
  virtual bool must_stop(std::int64_t /*steps*/) { return false; }
  /// How much of the run is done, from 0 to 1.
  virtual void progress(double /*part*/) {}
};

/// Follows nothing: notes are in the results of a run too.
inline RunObserver& nobody() {
  static RunObserver observer;
  return observer;
}

}  // namespace eslabon::runs
