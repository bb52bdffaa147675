#include "eslabon/io/mechanism/read_parameters.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {

namespace {

/// Reads the section, each parameter with its places.
class DeclaredParameters {
 public:
  DeclaredParameters(const Document& document, const std::string& chain)
      : document_(document), chain_(chain) {}

  std::vector<ParameterText> read(const Node& section) const {
    if (!section.is_map())
      fail(section, "section 'parameters' is not a map", "a name and a value for each parameter",
           "Write one 'name: value' per line, indented and without '-'.");
    std::vector<ParameterText> declared;
    for (const Entry& entry : section.entries()) {
      const std::string element = "parameter '" + entry.key.text() + "'";
      if (!entry.value.is_scalar())
        fail(entry.value, element + " is not a number", "a number, or '= ' and an expression",
             "Declare one parameter for each number.");
      declared.push_back(
          {entry.key.text(), entry.value.text(), place(entry.value, element), place(entry.key, element)});
    }
    return declared;
  }

 private:
  TextPlace place(const Node& node, const std::string& element = "") const {
    const bool has_both = !element.empty() && !chain_.empty();
    return document_.place(node, element + (has_both ? ", " : "") + chain_);
  }

  [[noreturn]] void fail(const Node& node, std::string what, std::string expected, std::string next) const {
    throw core::ModelError(
        {.what = std::move(what),
         .where = place(node).where(),
         .expected = std::move(expected),
         .actual = node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()),
         .next = node.is_null() ? "Give it a value, or remove it." : std::move(next)});
  }

  const Document& document_;
  const std::string& chain_;
};

void check_needed(const std::vector<ParameterText>& declared, const std::vector<ParameterText>& replaced) {
  for (const ParameterText& parameter : declared)
    if (parameter.text == kNeeded &&
        std::ranges::find(replaced, parameter.name, &ParameterText::name) == replaced.end())
      throw core::ModelError({.what = "a parameter that is needed has no value",
                              .where = parameter.place.where(),
                              .expected = "a value from where the part is used",
                              .actual = "none",
                              .next = "Give it with 'set: {" + parameter.name +
                                      ": …}' of the instance, or with --set '" + parameter.name +
                                      "=…' for the part on its own."});
}

}  // namespace

ReadParameters read_parameters(const Document& document, const std::vector<ParameterText>& replaced,
                               const std::string& chain) {
  std::vector<ParameterText> declared;
  if (const Node* section = document.root.find("parameters"))
    declared = DeclaredParameters(document, chain).read(*section);
  check_needed(declared, replaced);
  ParameterTable table(declared, replaced);
  std::vector<ParameterFact> facts = parameter_facts(declared, replaced, table);
  return {std::move(table), std::move(facts)};
}

}  // namespace eslabon::io
