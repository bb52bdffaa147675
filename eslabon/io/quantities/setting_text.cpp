#include "eslabon/io/quantities/setting_text.hpp"

#include <algorithm>
#include <charconv>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::io {

namespace {

double read_measure(const std::string& setting, const std::string& meaning, const std::string& text,
                    const Dimension& dimension) {
  TextPlace place;
  place.source = setting;
  const Quantity quantity = parse_quantity(text, place);
  check_dimension(quantity.measure(), dimension, {.name = meaning, .text = text, .where = setting});
  return quantity.value;
}

}  // namespace

core::Duration read_time(const std::string& setting, const std::string& meaning, const std::string& text) {
  const std::string advice =
      "Write it in seconds, or with a unit: " + setting + " 0.5 or " + setting + " '10 ms'.";
  if (text.find_first_of("0123456789") == std::string::npos)
    throw core::ModelError({.what = "the " + meaning + " is not a number",
                            .where = setting,
                            .expected = "a positive time in s",
                            .actual = in_quotes(text),
                            .next = advice});
  constexpr double kLongest = 9e9;  // [s], some 285 years: what nanoseconds in 64 bits can count
  const double seconds = read_measure(setting, meaning, text, kTime);
  const bool is_long_enough = seconds >= 1e-9;
  if (is_long_enough && seconds <= kLongest) return core::Duration::from_seconds(seconds);
  throw core::ModelError({.what = "the " + meaning + " is too " + (is_long_enough ? "long" : "short"),
                          .where = setting,
                          .expected = is_long_enough ? "at most 9e9 s" : "a positive time of at least 1 ns",
                          .actual = in_quotes(text),
                          .next = advice});
}

core::Duration read_time_from_zero(const std::string& setting, const std::string& meaning,
                                   const std::string& text) {
  const auto is_zero = [&] {
    try {
      const Quantity quantity = parse_quantity(text, TextPlace{setting, {}, false, {}});
      return quantity.value == 0.0 &&
             (quantity.certainty != Certainty::kKnown || quantity.dimension == kTime);
    } catch (const core::ModelError&) {  // read_time says what is wrong with it
      return false;
    }
  };
  return is_zero() ? core::Duration() : read_time(setting, meaning, text);
}

double read_number(const std::string& setting, const std::string& text, const Dimension& dimension) {
  return read_measure(setting, "value", text, dimension);
}

std::uint64_t read_whole(const std::string& setting, const std::string& text, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number <= most) return number;
  throw core::ModelError({.what = "not a whole number",
                          .where = setting,
                          .expected = "0, 1, 2, … up to " + std::to_string(most),
                          .actual = in_quotes(text),
                          .next = "Write, for example, " + setting + " 200."});
}

std::vector<std::string> read_names(const std::string& setting, const std::string& text,
                                    const std::string& example) {
  std::vector<std::string> names;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    std::string name = text.substr(start, end - start);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name.empty())
      throw core::ModelError({.what = "a word is missing",
                              .where = setting,
                              .expected = "words with commas between them",
                              .actual = in_quotes(text),
                              .next = "Write, for example, " + setting + " " + example + "."});
    names.push_back(name);
    start = end + 1;
  }
  return names;
}

}  // namespace eslabon::io
