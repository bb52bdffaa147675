#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"
#include "eslabon/runs/motion/time_grid.hpp"

namespace eslabon::runs {

/// The word for what is picked by structure and size.
inline constexpr const char* kAuto = "auto";

/// Moves a mechanism by its drivers.
struct MotionRequest {
  core::Duration until = {};                 ///< 0: the start alone
  std::optional<core::Duration> step = {};   ///< solved at least this often; none: a thousandth
  std::optional<core::Duration> every = {};  ///< from row to row; none: the step
  std::string method = kAuto;                ///< of kinematics::method_names()
  std::optional<std::string> coordinates =
      {};  ///< of coordinates::layout_names(), for methods that have some
  std::optional<std::vector<std::string>> outputs =
      {};                                  ///< none: those of the mechanism, or all joint coordinates
  std::optional<std::string> branch = {};  ///< none: that of the start values
  std::shared_ptr<core::ProgramCompiler> compiler =
      {};  ///< of machine code for groups in closed form; none: interpreted
};

/// Methods that a request may name.
std::vector<std::string> known_methods();

/// Throws RequestError for what is unknown or does not go together.
void check(const MotionRequest& request);

/// The rows of a run. Throws RequestError.
TimeGrid grid_of(const MotionRequest& request);

}  // namespace eslabon::runs
