#pragma once

#include <stdexcept>
#include <string>

namespace eslabon::core {

/// The parts of every user-facing message, in the order they are printed:
///   what [where]: expected rule, got value. Next step.
/// Parts left empty are left out, with their punctuation. Names of fields of a request are marked: see field_name.hpp.
struct ErrorText {
  std::string what;      ///< the fact, in the user's words
  std::string where;     ///< file:line:column and the element's name, as far as they are known
  std::string expected;  ///< the rule that was broken
  std::string actual;    ///< the value that broke it, with its unit
  std::string next;      ///< one thing the user can do about it, a whole sentence
};

/// The one sentence that a person reads.
std::string to_sentence(const ErrorText& text);
/// The same with the marks of names of fields.
std::string marked_sentence(const ErrorText& text);

/// Input from outside (a file, a family's key, a builder call) breaks a rule of the model.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(ErrorText text);
  const ErrorText& text() const { return text_; }

 private:
  ErrorText text_;
};

/// What a run was given to read, a file or a table, is not what it should be: a mistake of who gave it, apart from what a mechanism cannot
/// do.
class DataError : public ModelError {
 public:
  using ModelError::ModelError;
};

/// A caller of the library breaks a precondition.
class ContractError : public std::logic_error {
 public:
  explicit ContractError(ErrorText text);
  const ErrorText& text() const { return text_; }

 private:
  ErrorText text_;
};

}  // namespace eslabon::core
