#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/field_name.hpp"

namespace eslabon::runs {

/// A request asks for what cannot be done: a name that nobody knows, a number out of range, fields that exclude each other. All other errors
/// are of the work itself.
class RequestError : public core::ModelError {
 public:
  using core::ModelError::ModelError;
};

using core::field;
using core::with_field_words;
core::ErrorText with_field_words(const core::ErrorText& text,
                                 const std::function<std::string(std::string_view)>& say);

/// A number that was given, as messages show it: "'0.5'".
std::string quoted_number(double value);

/// Fails unless the word is one of the known; `what`: "unknown method".
void require_known(std::string_view field_name, const std::string& what, const std::string& word,
                   const std::vector<std::string>& known);

/// Does the work that a field asks for: what is wrong is wrong with that field.
template <class Work>
auto for_field(std::string_view name, Work work) {
  try {
    return work();
  } catch (const RequestError&) {
    throw;
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    text.where = text.where.empty() ? field(name) : field(name) + ", " + text.where;
    throw RequestError(text);
  }
}

}  // namespace eslabon::runs
