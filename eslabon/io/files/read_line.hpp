#pragma once

#include <istream>
#include <string>

#include "eslabon/io/files/file_error.hpp"

namespace eslabon::io {

/// The next line of a file; false at its end. std::getline alone takes a lack of memory, and a disk that fails, for the end of the file,
/// and the rest of it is lost. `path` is for messages. Throws FileError when the file cannot be read on.
inline bool read_line(std::istream& file, const std::string& path, std::string& line) {
  file.exceptions(std::ios::badbit);  // what goes wrong inside is thrown again
  try {
    return static_cast<bool>(std::getline(file, line));
  } catch (const std::ios_base::failure& error) {
    throw FileError({.what = "the file cannot be read to its end",
                     .where = path,
                     .expected = "a file on a disk that answers",
                     .actual = error.what(),
                     .next = "Copy it to another disk, and try again."});
  }
}

}  // namespace eslabon::io
