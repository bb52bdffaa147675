#include "apps/cli/text/help_text.hpp"

#include <algorithm>
#include <memory>

#include "apps/cli/text/text_page.hpp"
#include "apps/cli/text/text_table.hpp"
#include <CLI/CLI.hpp>
#include <unistd.h>

namespace eslabon::cli {

namespace {

constexpr std::size_t kColumn = 28;  // where descriptions begin

/// A name on the left, its description on the right, from the next line on where the name is long.
std::string entry(const std::string& name, const std::string& description, std::size_t width) {
  const std::string left = "  " + name;
  const bool is_short = display_width(left) + 2 <= kColumn;
  std::string out = left + (is_short ? std::string(kColumn - display_width(left), ' ') : "\n");
  bool is_indented = is_short;
  for (const std::string& line : wrapped(description, width - kColumn)) {
    out += (is_indented ? "" : std::string(kColumn, ' ')) + line + "\n";
    is_indented = false;
  }
  return out;
}

std::string described(const OptionReference& option) {
  std::string text = option.description;
  if (!option.usual.empty()) text += " [" + option.usual + "]";
  if (option.is_required) text += " (required)";
  return text;
}

std::string title_of(const OptionReference& option) {
  std::string title = option.short_name.empty() ? option.name : option.short_name + ", " + option.name;
  if (!option.value.empty()) title += " " + option.value;
  return title;
}

std::string commands_text(const CommandReference& command, std::size_t width) {
  std::vector<std::string> headings;
  for (const CommandReference& sub : command.commands)
    if (std::ranges::find(headings, sub.heading) == headings.end()) headings.push_back(sub.heading);
  std::string out;
  for (const std::string& heading : headings) {
    out += "\n" + heading + "\n";
    for (const CommandReference& sub : command.commands)
      if (sub.heading == heading) out += entry(sub.name(), sub.description, width);
  }
  return out;
}

/// Lines that stand at the margin are wrapped, others kept as they are.
std::string closing_text(const std::string& closing, std::size_t width) {
  std::string out;
  std::size_t start = 0;
  while (start < closing.size()) {
    const std::size_t end = std::min(closing.find('\n', start), closing.size());
    const std::string line = closing.substr(start, end - start);
    if (line.starts_with(' '))
      out += line + "\n";
    else
      for (const std::string& part : wrapped(line, width)) out += part + "\n";
    start = end + 1;
  }
  return out;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return help_text(command_reference(*app), page_style(STDOUT_FILENO).width);
  }
};

}  // namespace

std::string help_text(const CommandReference& command, std::size_t width) {
  std::string out;
  for (const std::string& line : wrapped(command.description, width)) out += line + "\n";
  out += "\nUsage\n  " + synopsis(command) + "\n";
  if (!command.positional.empty()) out += "\n";
  for (const OptionReference& word : command.positional) out += entry(word.name, word.description, width);
  out += commands_text(command, width);
  for (const OptionGroup& group : command.groups) {
    out += "\n" + group.heading + "\n";
    for (const OptionReference& option : group.options)
      out += entry(title_of(option), described(option), width);
  }
  if (!command.closing.empty()) out += "\n" + closing_text(command.closing, width);
  return out;
}

void use_help_text(CLI::App& app) { app.formatter(std::make_shared<HelpFormatter>()); }

}  // namespace eslabon::cli
