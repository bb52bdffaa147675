#pragma once

#include <string>
#include <vector>

#include "eslabon/core/error.hpp"
#include "eslabon/core/time.hpp"

/// What the sub-commands have in common.
namespace eslabon::cli {

/// A word of the command line that is wrong whatever the model is: exit status 2.
class CommandLineError : public core::ModelError {
 public:
  using core::ModelError::ModelError;
};

/// Does the work; what is wrong with the mechanism is said with the name of the model before it.
template <class Work>
auto naming(const std::string& model, Work work) {
  try {
    return work();
  } catch (const CommandLineError&) {
    throw;  // the model has no part in it
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    text.where = text.where.empty() ? model : model + ", " + text.where;
    throw core::ModelError(text);
  }
}

/// A positive time of at least 1 ns: "0.01" [s], "10 ms". `option`, `meaning`: "--step", "time from row to row".
core::Duration read_time(const std::string& option, const std::string& meaning, const std::string& text);

/// The same, where no time at all is one too: "0", "0 s".
core::Duration read_time_from_zero(const std::string& option, const std::string& meaning,
                                   const std::string& text);

/// Fails unless the word is one of the known; `what`: "unknown method".
void check_word(const std::string& option, const std::string& what, const std::string& word,
                const std::vector<std::string>& known);

/// The names of a list "a, b,c". Fails for empty ones; `example`: a list that would do.
std::vector<std::string> read_names(const std::string& option, const std::string& text,
                                    const std::string& example = "crank.angle,A.q");

/// Writes a file that the user asked for with `option`.
void write_text_file(const std::string& option, const std::string& path, const std::string& text);

/// Whether what is written to this file (STDOUT_FILENO, STDERR_FILENO) may be coloured.
bool has_colour(int file);

}  // namespace eslabon::cli
