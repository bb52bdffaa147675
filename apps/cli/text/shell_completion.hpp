#pragma once

#include <string>
#include <vector>

#include "apps/cli/text/command_reference.hpp"

namespace eslabon::cli {

/// Shells that there is a script for: "bash", "zsh", "fish".
const std::vector<std::string>& completion_shells();

/// A script that completes commands, options, their values and file names of a program. `shell` is one of completion_shells().
std::string completion_script(const CommandReference& program, const std::string& shell);

}  // namespace eslabon::cli
