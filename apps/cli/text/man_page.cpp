#include "apps/cli/text/man_page.hpp"

#include <algorithm>
#include <cctype>

namespace eslabon::cli {

namespace {

/// Text that roff shows as it is.
std::string escaped(const std::string& text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// A term and, indented, what it means.
std::string item(const std::string& term, const std::string& meaning) {
  return ".TP\n" + term + "\n" + escaped(meaning) + "\n";
}

std::string option_item(const OptionReference& option) {
  std::string term = (option.short_name.empty() ? "" : bold(option.short_name) + ", ") + bold(option.name);
  if (!option.value.empty()) term += " " + italic(option.value);
  std::string meaning = option.description;
  if (!option.usual.empty()) meaning += " [" + option.usual + "]";
  if (option.is_required) meaning += " (required)";
  return item(term, meaning);
}

/// Remarks as paragraphs; lines that are indented keep their breaks.
std::string closing_text(const std::string& closing) {
  std::string out;
  bool is_kept = false;
  std::size_t start = 0;
  while (start < closing.size()) {
    const std::size_t end = std::min(closing.find('\n', start), closing.size());
    const std::string line = closing.substr(start, end - start);
    const bool is_indented = line.starts_with(' ');
    if (is_indented && !is_kept) out += ".nf\n";
    if (!is_indented && is_kept) out += ".fi\n";
    is_kept = is_indented;
    out += is_indented ? escaped(line) + "\n" : line.empty() ? "" : ".PP\n" + escaped(line) + "\n";
    start = end + 1;
  }
  return out + (is_kept ? ".fi\n" : "");
}

/// What there is to say about a command, its own commands behind it.
std::string command_text(const CommandReference& command, const std::string& program) {
  std::string out = ".SS \"" + escaped(command.path.substr(program.size() + 1)) + "\"\n";
  out += escaped(command.description) + ".\n.PP\n" + bold(synopsis(command)) + "\n";
  for (const OptionReference& word : command.positional) out += item(italic(word.name), word.description);
  for (const OptionGroup& group : command.groups) {
    if (group.heading == kCommonOptions) continue;
    out += ".PP\n" + italic(group.heading) + "\n";
    for (const OptionReference& option : group.options) out += option_item(option);
  }
  if (!command.closing.empty()) out += closing_text(command.closing);
  for (const CommandReference& sub : command.commands) out += command_text(sub, program);
  return out;
}

/// The options that every command has, once.
const OptionGroup* common_options(const CommandReference& program) {
  const CommandReference* command = &program;
  while (!command->commands.empty()) command = &command->commands.front();
  const auto found = std::ranges::find(command->groups, kCommonOptions, &OptionGroup::heading);
  return found == command->groups.end() ? nullptr : &*found;
}

}  // namespace

std::string man_page(const CommandReference& program, const std::string& version) {
  const std::string& name = program.path;
  std::string out = ".\\\" Made by '" + name + " man' from the definitions of its command line.\n";
  out += ".TH " + in_capitals(name) + " 1 \"\" \"" + name + " " + version + "\" \"User Commands\"\n";
  out += ".SH NAME\n" + escaped(name) + " \\- " +
         escaped(program.description.substr(
             program.description.find(": ") == std::string::npos ? 0 : program.description.find(": ") + 2)) +
         "\n.SH SYNOPSIS\n" + bold(name) + " " + italic("COMMAND") + " …\n";
  out += ".SH DESCRIPTION\n";
  for (const CommandReference& command : program.commands)
    out += item(bold(name + " " + command.name()), command.description);
  if (!program.closing.empty()) out += closing_text(program.closing);
  out += ".SH COMMANDS\n";
  for (const CommandReference& command : program.commands) out += command_text(command, name);
  if (const OptionGroup* common = common_options(program)) {
    out += ".SH COMMON OPTIONS\n";
    for (const OptionReference& option : common->options) out += option_item(option);
  }
  return out;
}

}  // namespace eslabon::cli
