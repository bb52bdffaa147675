#pragma once

#include <string>

#include "eslabon/io/mechanism/map_reader.hpp"

namespace eslabon::io {

/// A function of time by rows, in a map:  {table: [[t, x], …]}  or  {file: FILE.csv, column: NAME}, the file as results are written, its
/// path relative to that of the mechanism. Between rows it has two derivatives that go on; before the first and behind the last it has no
/// value. The file is added to InstanceContext::data_files.
model::TimeFunction read_time_table(const Reading& reading, const Node& node, const std::string& element,
                                    const std::string& field, const Dimension& dimension);

}  // namespace eslabon::io
