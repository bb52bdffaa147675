#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Pieces of mechanism files, as they are written.
namespace eslabon::io {

/// Keys and their values, as text.
using Entries = std::vector<std::pair<std::string, std::string>>;

/// Text in double quotes, as YAML reads it.
std::string double_quoted(std::string_view text);

/// A name or reference, plain where YAML allows it.
std::string word(const std::string& name);

/// "{a: 1, b: 2}" from its parts.
std::string flow_map(const Entries& entries);

/// In rad. The reader takes a bare angle of more than two turns for degrees whose unit was forgotten.
std::string angle_text(double angle);

void add_nonzero(Entries& entries, const char* key, double value);

}  // namespace eslabon::io
