#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

namespace eslabon::coordinates {

/// A vector that is linear in the coordinates:  x = constant + Σ column_k q_k.
struct LinearForm {
  struct Term {
    int column;
    Eigen::Vector3d factor;  ///< (3)
  };
  Eigen::Vector3d constant = Eigen::Vector3d::Zero();  ///< (3)
  std::vector<Term> terms;                             ///< ascending by column

  /// this += M · other, for a matrix M or a number.
  void add(const LinearForm& other, const Eigen::Matrix3d& M);
  void add(const LinearForm& other, double factor) { add(other, factor * Eigen::Matrix3d::Identity()); }
};

}  // namespace eslabon::coordinates
