#pragma once

#include <string>

#include "eslabon/core/scalar/program.hpp"

namespace eslabon::codegen {

/// C code of a program that is compiled and called by this process.
struct ProgramSource {
  std::string text;
  std::size_t num_work = 0;  ///< numbers of its last argument
};

/// core::CompiledFunction::Call, and what stands before all such functions.
ProgramSource state_source(const std::string& name, const core::Program& program);
std::string state_source_head();

/// core::CompiledLanes::Call, and what stands before all such functions.
ProgramSource lanes_source(const std::string& name, const core::Program& program);
std::string lanes_source_head();

}  // namespace eslabon::codegen
