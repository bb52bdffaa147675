#include "command_line.hpp"

#include <algorithm>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/io/dimension.hpp"
#include "eslabon/io/partial_file.hpp"
#include "eslabon/io/quantity.hpp"

namespace eslabon::cli {

std::string in_option_words(std::string_view text) {
  return runs::with_field_words(text, [](std::string_view field) {
    std::string option = "--" + std::string(field);
    std::ranges::replace(option, '_', '-');
    return option;
  });
}

core::Duration read_time(const std::string& option, const std::string& meaning, const std::string& text) {
  const std::string advice =
      "Write it in seconds, or with a unit: " + option + " 0.5 or " + option + " '10 ms'.";
  if (text.find_first_of("0123456789") == std::string::npos)
    throw CommandLineError({.what = "the " + meaning + " is not a number",
                            .where = option,
                            .expected = "a positive time in s",
                            .actual = io::in_quotes(text),
                            .next = advice});
  constexpr double kLongest = 9e9;  // [s], some 285 years: what nanoseconds in 64 bits can count
  double seconds = 0.0;
  try {
    io::TextPlace place;
    place.source = option;
    const io::Quantity quantity = io::parse_quantity(text, place);
    io::check_dimension(quantity.measure(), io::kTime, {.name = meaning, .text = text, .where = option});
    seconds = quantity.value;
  } catch (const core::ModelError& error) {
    throw CommandLineError(error.text());
  }
  const bool is_long_enough = seconds >= 1e-9;
  if (is_long_enough && seconds <= kLongest) return core::Duration::from_seconds(seconds);
  throw CommandLineError({.what = "the " + meaning + " is too " + (is_long_enough ? "long" : "short"),
                          .where = option,
                          .expected = is_long_enough ? "at most 9e9 s" : "a positive time of at least 1 ns",
                          .actual = io::in_quotes(text),
                          .next = advice});
}

core::Duration read_time_from_zero(const std::string& option, const std::string& meaning,
                                   const std::string& text) {
  const auto is_zero = [&] {
    try {
      const io::Quantity quantity = io::parse_quantity(text, io::TextPlace{option, {}, false, {}});
      return quantity.value == 0.0 &&
             (quantity.certainty != io::Certainty::kKnown || quantity.dimension == io::kTime);
    } catch (const core::ModelError&) {  // read_time says what is wrong with it
      return false;
    }
  };
  return is_zero() ? core::Duration() : read_time(option, meaning, text);
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
  std::vector<std::string> names;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    std::string name = text.substr(start, end - start);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name.empty())
      throw CommandLineError({.what = "a word is missing",
                              .where = option,
                              .expected = "words with commas between them",
                              .actual = io::in_quotes(text),
                              .next = "Write, for example, " + option + " " + example + "."});
    names.push_back(name);
    start = end + 1;
  }
  return names;
}

std::optional<std::vector<std::string>> read_outputs(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return read_names("--outputs", *text);
}

void check_file(const std::string& path, const std::string& what) { const io::PartialFile check(path, what); }

void write_text_file(const std::string& path, const std::string& what, const std::string& text) {
  io::PartialFile file(path, what);
  file.append(text);
  file.finish();
}

}  // namespace eslabon::cli
