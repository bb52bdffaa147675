#pragma once

#include <charconv>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/time/time.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/partial_file.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/runs/request_error.hpp"

/// What the sub-commands have in common.
namespace eslabon::cli {

/// A word of the command line is wrong. Exit status 2, as for io::FileError: a file that the command line names is. All other errors are
/// of the work: the mechanism cannot be assembled or moved as asked, a method does not converge, the disk is full. Exit status 1.
class CommandLineError : public runs::RequestError {
 public:
  using runs::RequestError::RequestError;
};

/// The text with the options of the command line for marked names of fields: "--largest-step" for largest_step.
std::string in_option_words(std::string_view text);
/// The sentence of an error with these options.
std::string in_option_words(const core::ErrorText& text);
std::string sentence_of(const std::exception& error);

/// The error with the name of a file or an option before the place that it tells.
inline core::ErrorText placed(const std::string& name, core::ErrorText text) {
  text.where = text.where.empty() ? name : name + ", " + text.where;
  return text;
}

/// Does the work; what is wrong with the mechanism is said with the name of the model before it.
template <class Work>
auto naming(const std::string& model, Work work) {
  try {
    return work();
  } catch (const runs::RequestError&) {
    throw;  // the model has no part in it
  } catch (const core::DataError&) {
    throw;  // it names its file
  } catch (const io::WriteError&) {
    throw;  // and so does this one
  } catch (const core::ModelError& error) {
    throw core::ModelError(placed(model == io::kStandardInput ? "the standard input" : model, error.text()));
  }
}

/// Does the work that the words of an option ask for; what is wrong is wrong with them.
template <class Work>
auto naming_option(const std::string& option, Work work) {
  try {
    return work();
  } catch (const runs::RequestError&) {
    throw;
  } catch (const core::ModelError& error) {
    throw CommandLineError(placed(option, error.text()));
  }
}

/// A positive time of at least 1 ns: "0.01" [s], "10 ms". `option`, `meaning`: "--step", "time from row to row".
core::Duration read_time(const std::string& option, const std::string& meaning, const std::string& text);

/// The same, where no time at all is one too: "0", "0 s".
core::Duration read_time_from_zero(const std::string& option, const std::string& meaning,
                                   const std::string& text);

/// A whole number from 0 to `most`.
std::uint64_t read_whole(const std::string& option, const std::string& text, std::uint64_t most);

/// The whole text as a number from `least` to `most`; nothing where it is none.
template <class Number>
std::optional<Number> number_in(const std::string& text, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    return std::nullopt;
  return value;
}

/// Throws CommandLineError for words that are wrong: what, where, expected, actual, next.
inline void refuse_if(bool is_wrong, const core::ErrorText& text) {
  if (is_wrong) throw CommandLineError(text);
}

/// Fails unless the word is one of the known; `what`: "unknown method".
void check_word(const std::string& option, const std::string& what, const std::string& word,
                const std::vector<std::string>& known);

/// The names of a list "a, b,c". Fails for empty ones; `example`: a list that would do.
std::vector<std::string> read_names(const std::string& option, const std::string& text,
                                    const std::string& example = "crank.angle,A.q");

/// Names of --outputs; nothing without it.
std::optional<std::vector<std::string>> read_outputs(const std::optional<std::string>& text);

/// Fails when a file could not be written; before the work, and without a trace. `what`: "the drawing".
void check_file(const std::string& path, const std::string& what);
using io::write_text_file;

}  // namespace eslabon::cli
