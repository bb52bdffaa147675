#include "apps/cli/text/command_reference.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace eslabon::cli {

namespace {

constexpr const char* kWordsValidator = "words";  // of the validator that holds what an option may be

/// "TIME" of "TIME:a b c", with the words behind it.
void split_type(const std::string& type, OptionReference& option) {
  const std::size_t colon = type.find(':');
  option.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  std::size_t start = colon + 1;
  while (start < type.size()) {
    const std::size_t end = std::min(type.find(' ', start), type.size());
    option.words.push_back(type.substr(start, end - start));
    start = end + 1;
  }
}

OptionReference reference_of(const CLI::Option& option) {
  OptionReference reference;
  if (option.get_positional())
    reference.name = option.get_name(true);
  else if (!option.get_lnames().empty())
    reference.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) reference.short_name = "-" + option.get_snames().front();
  reference.description = option.get_description();
  reference.usual = option.get_default_str();
  reference.is_required = option.get_required();
  reference.is_in_synopsis =
      reference.is_required || reference.description.find("(required ") != std::string::npos;
  reference.is_repeatable = option.get_expected_max() > 1;
  if (option.get_items_expected_max() > 0) split_type(option.get_type_name(), reference);
  if (option.get_positional()) reference.value.clear();
  return reference;
}

OptionGroup& group_of(CommandReference& command, const std::string& heading) {
  const auto found = std::ranges::find(command.groups, heading, &OptionGroup::heading);
  if (found != command.groups.end()) return *found;
  command.groups.push_back({heading, {}});
  return command.groups.back();
}

CommandReference reference_of(const CLI::App& app, const std::string& parent) {
  CommandReference command;
  command.path = (parent.empty() ? "" : parent + " ") + app.get_name();
  command.heading = app.get_group();
  command.description = app.get_description();
  command.closing = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || option == app.get_help_ptr()) continue;
    if (option->get_positional())
      command.positional.push_back(reference_of(*option));
    else
      group_of(command, option->get_group()).options.push_back(reference_of(*option));
  }
  if (const CLI::Option* help = app.get_help_ptr())
    group_of(command, kCommonOptions).options.push_back(reference_of(*help));
  for (const CLI::App* sub : app.get_subcommands({}))
    if (!sub->get_group().empty()) command.commands.push_back(reference_of(*sub, command.path));
  return command;
}

}  // namespace

CommandReference command_reference(const CLI::App& app) {
  std::string parent;
  for (const CLI::App* above = app.get_parent(); above != nullptr; above = above->get_parent())
    parent = above->get_name() + (parent.empty() ? "" : " " + parent);
  return reference_of(app, parent);
}

std::string synopsis(const CommandReference& command) {
  std::string text = command.path;
  for (const OptionReference& word : command.positional)
    text += " " + (word.is_required ? word.name : "[" + word.name + "]") + (word.is_repeatable ? "…" : "");
  bool has_more = false;
  for (const OptionGroup& group : command.groups)
    for (const OptionReference& option : group.options) {
      if (option.is_in_synopsis)
        text += " " + option.name + (option.value.empty() ? "" : " " + option.value);
      else
        has_more = true;
    }
  if (!command.commands.empty()) text += " COMMAND";
  return text + (has_more ? " [OPTIONS]" : "");
}

CLI::Option* offer_words(CLI::Option* option, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return option->check(CLI::Validator([](std::string&) { return std::string(); }, text, kWordsValidator));
}

void show_examples(CLI::App& command, const std::vector<CommandExample>& examples) {
  std::string text = command.get_footer();
  if (!text.empty()) text += "\n\n";
  text += "Examples";
  for (const CommandExample& example : examples) {
    if (!example.does.empty()) text += "\n  " + example.does;
    text += "\n    " + example.line;
  }
  command.footer(text);
}

}  // namespace eslabon::cli
