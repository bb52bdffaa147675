#include "apps/cli/words/command_line.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/io/quantities/setting_text.hpp"
#include "eslabon/study/filter_settings.hpp"

namespace eslabon::cli {

namespace {

/// Fields whose options have other names.
constexpr std::array<std::pair<std::string_view, const char*>, 7> kOtherOptions{
    {{"after", "--at"},
     {"folder", "--out"},
     {"is_fresh", "--fresh"},
     {"log", "--out"},
     {"manoeuvre", "NAME"},
     {"port", "--udp"},
     {"senders", "--any-sender"}}};

std::string option_of(std::string_view field) {
  const auto* const other =
      std::ranges::find(kOtherOptions, field, [](const auto& entry) { return entry.first; });
  return other != kOtherOptions.end() ? other->second : "--" + study::setting_of(field);
}

}  // namespace

std::string in_option_words(std::string_view text) { return runs::with_field_words(text, option_of); }

std::string in_option_words(const core::ErrorText& text) {
  return in_option_words(core::marked_sentence(text));
}

std::string sentence_of(const std::exception& error) {
  const auto* const of_model = dynamic_cast<const core::ModelError*>(&error);
  return of_model != nullptr ? in_option_words(of_model->text()) : error.what();
}

namespace {

/// Reads a word; what is wrong with it is wrong with the command line.
template <class Read>
auto reading_word(Read read) {
  try {
    return read();
  } catch (const core::ModelError& error) {
    throw CommandLineError(error.text());
  }
}

}  // namespace

core::Duration read_time(const std::string& option, const std::string& meaning, const std::string& text) {
  return reading_word([&] { return io::read_time(option, meaning, text); });
}

core::Duration read_time_from_zero(const std::string& option, const std::string& meaning,
                                   const std::string& text) {
  return reading_word([&] { return io::read_time_from_zero(option, meaning, text); });
}

std::uint64_t read_whole(const std::string& option, const std::string& text, std::uint64_t most) {
  return reading_word([&] { return io::read_whole(option, text, most); });
}

void check_word(const std::string& option, const std::string& what, const std::string& word,
                const std::vector<std::string>& known) {
  if (std::ranges::find(known, word) != known.end()) return;
  const auto nearest = core::nearest_name(word, known);
  throw CommandLineError({.what = what,
                          .where = option,
                          .expected = core::quoted_list(known),
                          .actual = io::in_quotes(word),
                          .next = nearest ? "Did you mean '" + *nearest + "'?" : "Use one of these."});
}

std::vector<std::string> read_names(const std::string& option, const std::string& text,
                                    const std::string& example) {
  return reading_word([&] { return io::read_names(option, text, example); });
}

std::optional<std::vector<std::string>> read_outputs(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return read_names("--outputs", *text);
}

void check_file(const std::string& path, const std::string& what) { const io::PartialFile check(path, what); }

}  // namespace eslabon::cli
