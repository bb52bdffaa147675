#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/text/error.hpp"

/// What a .tir file is as text: sections of lines NAME = VALUE, comments after $ and !, tables under a line in braces.
namespace eslabon::io {

/// One line NAME = VALUE.
struct TyreEntry {
  std::string section;  ///< in capitals
  std::string name;     ///< in capitals
  std::string value;    ///< without its quotes
  bool is_quoted = false;
  int line = 0;
};

/// One row of a table: what stands between blanks.
struct TyreRow {
  std::string section;
  std::vector<std::string> cells;
  int line = 0;
};

struct TyreLines {
  std::string file;  ///< its name, for messages
  std::vector<TyreEntry> entries;
  std::vector<TyreRow> rows;

  std::string place(int line) const { return file + ":" + std::to_string(line); }
};

/// Splits a text into its lines. `sections` are those that there may be.
/// Throws FileError for what is neither a section, a line NAME = VALUE, a row nor a comment; for sections that are not known or come
/// twice, and names that come twice.
TyreLines split_tyre_text(std::string_view text, const std::string& file,
                          const std::vector<std::string>& sections);

/// Throws a FileError whose sentence is fit to be printed whatever the file holds.
[[noreturn]] void refuse_tyre(core::ErrorText text);

}  // namespace eslabon::io
