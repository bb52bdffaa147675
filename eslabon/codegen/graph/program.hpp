#pragma once

#include "eslabon/core/scalar/program.hpp"

namespace eslabon::codegen {

// Programs are those of core, where they are interpreted; here they are differentiated, cut and printed.
using core::computes;
using core::operands;
using core::OperationCounts;
using core::Program;

}  // namespace eslabon::codegen
