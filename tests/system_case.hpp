#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/estimated_case.hpp"

namespace eslabon::test {

/// A mechanism as a system, with sensors by name.
struct SystemCase {
  SystemCase(const model::Mechanism& mechanism, const std::vector<std::string>& sensors,
             estimation::MechanismSystemOptions options)
      : c(mechanism), system(c.model, sensors_of(c, sensors), std::move(options)) {}

  DynamicCase c;
  estimation::MechanismSystem system;
};

}  // namespace eslabon::test
