#pragma once

#include <cstddef>
#include <string>

#include "apps/cli/text/command_reference.hpp"

namespace eslabon::cli {

/// The page of --help: usage, options under their headings, remarks and examples, at most `width` characters wide where words allow it.
std::string help_text(const CommandReference& command, std::size_t width);

/// Makes --help of this command, and of those that are added to it afterwards, that page, as wide as the terminal.
void use_help_text(CLI::App& app);

}  // namespace eslabon::cli
