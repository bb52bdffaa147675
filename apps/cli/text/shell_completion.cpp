#include "apps/cli/text/shell_completion.hpp"

#include <algorithm>
#include <functional>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::cli {

namespace {

/// What can stand behind an option.
enum class ValueKind { kFlag, kWords, kFile, kOther };

ValueKind kind_of(const OptionReference& option) {
  if (!option.words.empty()) return ValueKind::kWords;
  if (option.value.empty()) return ValueKind::kFlag;
  const bool is_path = option.value.find("FILE") != std::string::npos || option.value == "DIR";
  return is_path ? ValueKind::kFile : ValueKind::kOther;
}

/// The words that lead to a command: "bench kinematics"; none for the program.
std::string words_of(const CommandReference& command) {
  const std::size_t space = command.path.find(' ');
  return space == std::string::npos ? "" : command.path.substr(space + 1);
}

std::vector<std::string> option_names(const CommandReference& command) {
  std::vector<std::string> names;
  for (const OptionGroup& group : command.groups)
    for (const OptionReference& option : group.options)
      if (!option.name.empty()) names.push_back(option.name);
  return names;
}

/// Options with this kind of value, as patterns "'simulate --out'|…".
std::string patterns(const CommandReference& command, ValueKind kind) {
  std::string text;
  for (const OptionGroup& group : command.groups)
    for (const OptionReference& option : group.options)
      if (kind_of(option) == kind)
        text += (text.empty() ? "'" : "|'") + words_of(command) + " " + option.name + "'";
  return text;
}

/// Names of commands below, or words of the first positional word.
std::vector<std::string> first_words(const CommandReference& command) {
  std::vector<std::string> words;
  for (const CommandReference& sub : command.commands) words.push_back(sub.name());
  if (words.empty() && !command.positional.empty()) words = command.positional.front().words;
  return words;
}

using Visit = std::function<void(const CommandReference&)>;

void for_each(const CommandReference& command, const Visit& visit) {
  visit(command);
  for (const CommandReference& sub : command.commands) for_each(sub, visit);
}

/// How bash and zsh, whose scripts are alike, say the same things.
struct Dialect {
  std::string begin;  ///< of the function
  std::string words;  ///< the array of words on the line
  std::string first;  ///< place of the first word behind the program
  std::string last;   ///< place of the word that is completed
  std::string offer;  ///< before words to choose from
  std::string offer_end;
  std::string files;    ///< offers file names
  std::string nothing;  ///< offers nothing
};

const Dialect kBash{
    .begin = "  COMPREPLY=()\n",
    .words = "COMP_WORDS",
    .first = "1",
    .last = "COMP_CWORD",
    .offer = "mapfile -t COMPREPLY < <(compgen -W '",
    .offer_end = "' -- \"$current\")",
    .files = "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); compopt -o filenames 2>/dev/null",
    .nothing = ":"};
const Dialect kZsh{.begin = "",
                   .words = "words",
                   .first = "2",
                   .last = "CURRENT",
                   .offer = "compadd -- ",
                   .offer_end = "",
                   .files = "_files",
                   .nothing = ":"};

/// The command that the words lead to, and what comes before the word that is completed.
std::string line_reader(const CommandReference& program, const Dialect& dialect) {
  std::vector<std::string> commands;
  for_each(program, [&](const CommandReference& command) {
    if (!words_of(command).empty()) commands.push_back("'" + words_of(command) + "'");
  });
  const std::string at = dialect.words + "[" + dialect.last;
  return "  local current=\"${" + at + "]}\" previous=\"${" + at + " - 1]}\" command='' place\n" +
         "  if [[ $current == '=' ]]; then current=''; elif [[ $previous == '=' ]]; then previous=\"${" + at +
         " - 2]}\"; fi\n" + "  for ((place = " + dialect.first + "; place < " + dialect.last +
         "; place++)); do\n" + "    case \"${command:+$command }${" + dialect.words + "[place]}\" in\n" +
         "      " + core::joined(commands, "|") + ") command=\"${command:+$command }${" + dialect.words +
         "[place]}\" ;;\n    esac\n  done\n";
}

/// What may stand behind each option.
std::string value_cases(const CommandReference& program, const Dialect& dialect) {
  std::string text = "  case \"$command $previous\" in\n";
  for_each(program, [&](const CommandReference& command) {
    for (const OptionGroup& group : command.groups)
      for (const OptionReference& option : group.options)
        if (kind_of(option) == ValueKind::kWords)
          text += "    '" + words_of(command) + " " + option.name + "') " + dialect.offer +
                  core::joined(option.words, " ") + dialect.offer_end + "; return ;;\n";
    if (const std::string files = patterns(command, ValueKind::kFile); !files.empty())
      text += "    " + files + ") " + dialect.files + "; return ;;\n";
    if (const std::string others = patterns(command, ValueKind::kOther); !others.empty())
      text += "    " + others + ") " + dialect.nothing + "; return ;;\n";
  });
  return text + "  esac\n";
}

/// Options, commands and files of each command.
std::string command_cases(const CommandReference& program, const Dialect& dialect) {
  std::string text = "  case \"$command\" in\n";
  for_each(program, [&](const CommandReference& command) {
    text += "    '" + words_of(command) + "')\n      if [[ $current == -* ]]; then " + dialect.offer +
            core::joined(option_names(command), " ") + dialect.offer_end + "; ";
    if (const auto words = first_words(command); !words.empty())
      text += "else " + dialect.offer + core::joined(words, " ") + dialect.offer_end + "; ";
    else if (!command.positional.empty())
      text += "else " + dialect.files + "; ";
    text += "fi ;;\n";
  });
  return text + "  esac\n";
}

std::string function_script(const CommandReference& program, const Dialect& dialect) {
  return "_" + program.path + "() {\n" + dialect.begin + line_reader(program, dialect) +
         value_cases(program, dialect) + command_cases(program, dialect) + "}\n";
}

std::string bash_script(const CommandReference& program) {
  return "# Completion of " + program.path + " in bash, made by '" + program.path + " completion bash'.\n" +
         function_script(program, kBash) + "complete -F _" + program.path + " " + program.path + "\n";
}

std::string zsh_script(const CommandReference& program) {
  return "#compdef " + program.path + "\n# Completion of " + program.path + " in zsh, made by '" +
         program.path + " completion zsh'.\n" + function_script(program, kZsh) + "if [[ $funcstack[1] == _" +
         program.path + " ]]; then _" + program.path + "; else compdef _" + program.path + " " +
         program.path + "; fi\n";
}

/// In single quotes of fish.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

/// The first sentence or clause: what fits beside a name.
std::string brief(const std::string& description) {
  const std::size_t end = description.ends_with(']') ? description.rfind(" [") : description.size();
  return description.substr(0, std::min(end, description.find_first_of(";:(")));
}

/// When fish is to complete something of this command: all of its words are there, and none of the commands below it, nor one whose
/// own commands may have the same name.
std::string fish_condition(const CommandReference& program, const CommandReference& command) {
  const std::string words = words_of(command);
  std::vector<std::string> conditions;
  std::size_t start = 0;
  while (start < words.size()) {
    const std::size_t end = std::min(words.find(' ', start), words.size());
    conditions.push_back("__fish_seen_subcommand_from " + words.substr(start, end - start));
    start = end + 1;
  }
  std::vector<std::string> others;
  if (!command.commands.empty()) others = first_words(command);
  if (conditions.size() == 1)
    for (const CommandReference& one : program.commands)
      if (!one.commands.empty() && one.path != command.path) others.push_back(one.name());
  if (!others.empty()) conditions.push_back("not __fish_seen_subcommand_from " + core::joined(others, " "));
  return core::joined(conditions, "; and ");
}

std::string fish_script(const CommandReference& program) {
  std::string text =
      "# Completion of " + program.path + " in fish, made by '" + program.path + " completion fish'.\n";
  for_each(program, [&](const CommandReference& command) {
    const std::string start =
        "complete -c " + program.path + " -n " + quoted(fish_condition(program, command));
    for (const CommandReference& sub : command.commands)
      text += start + " -f -a " + sub.name() + " -d " + quoted(brief(sub.description)) + "\n";
    if (command.commands.empty())
      if (const auto words = first_words(command); !words.empty())
        text += start + " -f -a " + quoted(core::joined(words, " ")) + "\n";
    for (const OptionGroup& group : command.groups)
      for (const OptionReference& option : group.options) {
        const ValueKind kind = kind_of(option);
        text += start + " -l " + option.name.substr(2);
        if (kind == ValueKind::kWords) text += " -x -a " + quoted(core::joined(option.words, " "));
        if (kind == ValueKind::kFile) text += " -r -F";
        if (kind == ValueKind::kOther) text += " -x";
        text += " -d " + quoted(brief(option.description)) + "\n";
      }
  });
  return text;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells{"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(const CommandReference& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  return shell == "zsh" ? zsh_script(program) : fish_script(program);
}

}  // namespace eslabon::cli
