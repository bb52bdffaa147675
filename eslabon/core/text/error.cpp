#include "eslabon/core/text/error.hpp"

#include <utility>

#include "eslabon/core/text/field_name.hpp"

namespace eslabon::core {

std::string marked_sentence(const ErrorText& text) {
  std::string sentence = text.what;
  if (!text.where.empty()) sentence += " [" + text.where + "]";
  if (!text.expected.empty()) sentence += ": expected " + text.expected;
  if (!text.actual.empty()) sentence += (text.expected.empty() ? ": got " : ", got ") + text.actual;
  sentence += ".";
  if (!text.next.empty()) sentence += " " + text.next;
  return sentence;
}

std::string to_sentence(const ErrorText& text) { return without_marks(marked_sentence(text)); }

ModelError::ModelError(ErrorText text) : std::runtime_error(to_sentence(text)), text_(std::move(text)) {}

ContractError::ContractError(ErrorText text) : std::logic_error(to_sentence(text)), text_(std::move(text)) {}

}  // namespace eslabon::core
