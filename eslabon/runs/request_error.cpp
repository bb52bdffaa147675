#include "eslabon/runs/request_error.hpp"

#include <algorithm>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::runs {

core::ErrorText with_field_words(const core::ErrorText& text,
                                 const std::function<std::string(std::string_view)>& say) {
  return {.what = with_field_words(text.what, say),
          .where = with_field_words(text.where, say),
          .expected = with_field_words(text.expected, say),
          .actual = with_field_words(text.actual, say),
          .next = with_field_words(text.next, say)};
}

std::string quoted_number(double value) { return core::quoted(core::number_text(value)); }

void require_known(std::string_view field_name, const std::string& what, const std::string& word,
                   const std::vector<std::string>& known) {
  if (std::ranges::find(known, word) != known.end()) return;
  const auto nearest = core::nearest_name(word, known);
  throw RequestError({.what = what,
                      .where = field(field_name),
                      .expected = core::quoted_list(known),
                      .actual = "'" + word + "'",
                      .next = nearest ? "Did you mean '" + *nearest + "'?" : "Use one of these."});
}

}  // namespace eslabon::runs
