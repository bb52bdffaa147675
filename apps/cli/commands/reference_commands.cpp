#include "apps/cli/commands/reference_commands.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/man_page.hpp"
#include "apps/cli/text/shell_completion.hpp"
#include "apps/cli/words/command_line.hpp"
#include <CLI/CLI.hpp>

namespace eslabon::cli {

void add_reference_commands(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand("completion", "Prints a shell completion script");
  offer_words(completion->add_option("SHELL", *shell, "bash, zsh or fish")->required(), completion_shells());
  show_examples(*completion,
                {{"In ~/.bashrc, unless the program is installed with its completion:",
                  "source <(eslabon completion bash)"},
                 {"In ~/.zshrc, after compinit:", "source <(eslabon completion zsh)"},
                 {"Once, for fish:", "eslabon completion fish > ~/.config/fish/completions/eslabon.fish"}});
  completion->callback([shell, &app] {
    check_word("SHELL", "unknown shell", *shell, completion_shells());
    std::fputs(completion_script(command_reference(app), *shell).c_str(), stdout);
  });

  CLI::App* man = app.add_subcommand("man", "Prints the manual page, for man(1)");
  show_examples(*man, {{"Read it without installing anything:", "eslabon man | man -l -"}});
  man->callback([&app] { std::fputs(man_page(command_reference(app), ESLABON_VERSION).c_str(), stdout); });
}

}  // namespace eslabon::cli
