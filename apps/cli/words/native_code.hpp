#pragma once

#include <memory>

#include "eslabon/codegen/compile/native_compiler.hpp"

namespace eslabon::cli {

/// What --compiled asks for: the compiler of this system, by the environment of the program.
std::shared_ptr<codegen::NativeCompiler> make_native_compiler();

/// What it did, when there is one; its notes are printed.
std::optional<codegen::NativeCompiler::Report> told_report(
    const std::shared_ptr<codegen::NativeCompiler>& compiler);

}  // namespace eslabon::cli
