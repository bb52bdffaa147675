#pragma once

#include <string>
#include <vector>

#include "eslabon/estimation/estimator.hpp"

namespace eslabon::test {

/// Filters of systems with any number of states.
inline std::vector<std::string> general_filter_names() {
  std::vector<std::string> names;
  for (const std::string& name : estimation::estimator_names())
    if (estimation::estimator_capabilities(name).num_states == 0) names.push_back(name);
  return names;
}

/// Filters that have a mean and a covariance only: those that need a start.
inline std::vector<std::string> kalman_names() {
  std::vector<std::string> names;
  for (const std::string& name : estimation::estimator_names())
    if (!estimation::estimator_capabilities(name).unknown_start) names.push_back(name);
  return names;
}

}  // namespace eslabon::test
