#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/text/error.hpp"

/// What a file in the text formats of OpenCRG is as text: sections of lines until a line that begins with $$, then rows of numbers.
namespace eslabon::io {

/// NAME = NUMBER
struct CrgNumber {
  double value = 0.0;
  int line = 0;
};

/// What one column of the rows is: the text behind "D:".
struct CrgChannel {
  std::string text;
  int line = 0;
};

struct CrgLines {
  std::string file;                                                 ///< its name, for messages
  std::map<std::string, std::map<std::string, CrgNumber>> numbers;  ///< by section and name, in capitals
  std::vector<CrgChannel> channels;
  std::vector<std::vector<double>> rows;  ///< a value for each channel; not a number where it is missing
  std::vector<int> row_lines;

  std::string place(int line) const { return file + ":" + std::to_string(line); }
  std::optional<CrgNumber> find(const std::string& section, const std::string& name) const;
};

/// Throws FileError for what is neither a section, a line NAME = NUMBER, a channel nor a row; for sections and names that are not known or come twice.
CrgLines split_crg_text(std::string_view text, const std::string& file);

/// Throws a FileError whose sentence is fit to be printed whatever the file holds.
[[noreturn]] void refuse_road(core::ErrorText text);

}  // namespace eslabon::io
