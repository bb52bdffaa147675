#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What the command line offers, read from the definitions that also parse it: help, the manual page and completion are made from this
/// alone, so that they cannot tell of other options than there are.
namespace eslabon::cli {

/// One option or positional word.
struct OptionReference {
  std::string name;                ///< "--until", "MODEL"
  std::string short_name;          ///< "-h"; mostly empty
  std::string value;               ///< what stands behind it: "TIME"; empty for flags and positional words
  std::vector<std::string> words;  ///< the values it may have, where there is a list of them
  std::string description;
  std::string usual;  ///< its value when it is not given; empty: said in the description, or none
  bool is_required = false;
  bool is_in_synopsis = false;  ///< required, or "(required unless …)", as its description says
  bool is_repeatable = false;
};

/// Options under one heading.
struct OptionGroup {
  std::string heading;
  std::vector<OptionReference> options;
};

struct CommandReference {
  std::string path;         ///< "eslabon bench kinematics"
  std::string heading;      ///< under which its parent lists it
  std::string description;  ///< one sentence
  std::string closing;      ///< remarks and examples, in lines
  std::vector<OptionReference> positional;
  std::vector<OptionGroup> groups;
  std::vector<CommandReference> commands;

  std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

/// Options of this heading are hidden from nobody and come last: those that every command has.
inline constexpr const char* kCommonOptions = "Common to all commands";

CommandReference command_reference(const CLI::App& app);

/// "eslabon simulate MODEL --until TIME --out FILE [OPTIONS]"
std::string synopsis(const CommandReference& command);

/// Tells which words an option may have: for help and completion; what is typed is checked by who reads it.
CLI::Option* offer_words(CLI::Option* option, const std::vector<std::string>& words);

/// One command line to try, and what it does.
struct CommandExample {
  std::string does;  ///< "Where the coupler point goes:"; empty: the next step of the one before
  std::string line;  ///< "eslabon kinematics …"
};
/// Shows examples below the options of a command.
void show_examples(CLI::App& command, const std::vector<CommandExample>& examples);

}  // namespace eslabon::cli
