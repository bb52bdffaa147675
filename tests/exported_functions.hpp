#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "eslabon/codegen/exported_model.hpp"

/// Functions of an export by name, and what they give at a state.
namespace eslabon::test {

inline const codegen::ExportedFunction& function(const codegen::ExportedModel& model,
                                                 const std::string& name) {
  const auto at = std::ranges::find(model.functions, name, &codegen::ExportedFunction::name);
  EXPECT_NE(at, model.functions.end()) << name;
  return *at;
}

/// y alone.
inline Eigen::VectorXd values(const codegen::ExportedFunction& function, const codegen::CheckState& state) {
  const std::vector<double> all = codegen::ExportedModel::evaluate(function, state);
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(function.numbers.size()));
}

/// A matrix in full.
inline Eigen::MatrixXd matrix(const codegen::ExportedFunction& function, const codegen::CheckState& state) {
  const Eigen::VectorXd entries = values(function, state);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(function.matrix->rows, function.matrix->columns);
  for (std::size_t e = 0; e < function.matrix->places.size(); ++e)
    out(function.matrix->places[e].first, function.matrix->places[e].second) =
        entries[static_cast<Eigen::Index>(e)];
  return out;
}

}  // namespace eslabon::test
