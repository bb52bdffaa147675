#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/io/quantities/dimension.hpp"

/// Settings as their users write them, to values. `setting`: what messages call it, such as "--step". All throw core::ModelError for
/// what cannot be read, and say what could.
namespace eslabon::io {

/// A positive time of at least 1 ns: "0.01" [s], "10 ms". `meaning`: "time from row to row".
core::Duration read_time(const std::string& setting, const std::string& meaning, const std::string& text);
/// The same, where no time at all is one too: "0", "0 s".
core::Duration read_time_from_zero(const std::string& setting, const std::string& meaning,
                                   const std::string& text);

/// A number of this dimension, in SI units.
double read_number(const std::string& setting, const std::string& text, const Dimension& dimension);

/// A whole number from 0 to `most`.
std::uint64_t read_whole(const std::string& setting, const std::string& text, std::uint64_t most);

/// The names of a list "a, b,c"; none may be empty. `example`: a list that would do.
std::vector<std::string> read_names(const std::string& setting, const std::string& text,
                                    const std::string& example);

}  // namespace eslabon::io
