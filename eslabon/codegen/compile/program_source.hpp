#pragma once

#include <string>

#include "eslabon/core/scalar/program.hpp"

namespace eslabon::codegen {

/// C code of a program that is compiled and called by this process.
struct ProgramSource {
  std::string text;
  std::size_t num_work = 0;  ///< numbers of its last argument
};

/// core::CompiledFunction::Call. Needs kStateHead before it, once.
ProgramSource state_source(const std::string& name, const core::Program& program);
extern const std::string_view kStateHead;

}  // namespace eslabon::codegen
