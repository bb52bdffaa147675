#pragma once

#include <string_view>

namespace eslabon::codegen {

/// Whether an exported model cannot have this name: a word of C, C++, Python or MATLAB, a module of Python, or a function that code calls. Files
/// and functions begin with the name, but Python's module and the namespace in C++ are the name itself.
bool is_reserved_name(std::string_view name);

}  // namespace eslabon::codegen
