#pragma once

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {

/// A file that was named cannot be opened, or is not what it should be.
class FileError : public core::DataError {
 public:
  using core::DataError::DataError;
};

/// A file could not be written to its end: the disk is full, or broke. No fault of a mechanism or of a word.
class WriteError : public core::ModelError {
 public:
  using core::ModelError::ModelError;
};

/// Does the work of opening or reading a file; whatever is wrong is then wrong with the file.
template <class Work>
auto reading_file(Work work) {
  try {
    return work();
  } catch (const FileError&) {
    throw;
  } catch (const core::ModelError& error) {
    throw FileError(error.text());
  }
}

}  // namespace eslabon::io
