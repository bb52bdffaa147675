#pragma once

#include <string>

#include "apps/cli/text/command_reference.hpp"

namespace eslabon::cli {

/// The manual page of a program in roff, for man(1): all of its commands, one after the other.
std::string man_page(const CommandReference& program, const std::string& version);

}  // namespace eslabon::cli
