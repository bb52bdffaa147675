#pragma once

#include <string>
#include <utility>

#include "eslabon/core/geometry/vector.hpp"
#include "eslabon/core/scalar/trace.hpp"

/// Names of traced numbers, given where they are written down: `Trace::naming()` tells whether anybody reads them.
namespace eslabon::core {

inline void name(Trace& trace, std::string symbol, const Traced& x, std::string law = "") {
  trace.name({.symbol = std::move(symbol), .law = std::move(law), .rows = 1, .entries = {x}});
}

/// Components along x, y and z.
inline void name(Trace& trace, std::string symbol, const Vector3<Traced>& x, std::string law = "") {
  trace.name({.symbol = std::move(symbol),
              .law = std::move(law),
              .rows = 3,
              .is_spatial = true,
              .entries = {x[0], x[1], x[2]}});
}

inline void name(Trace& trace, std::string symbol, const std::vector<Traced>& x, std::string law = "") {
  trace.name(
      {.symbol = std::move(symbol), .law = std::move(law), .rows = static_cast<int>(x.size()), .entries = x});
}

template <class Matrix>
void name_matrix(Trace& trace, std::string symbol, const Matrix& A, std::string law = "") {
  Trace::Quantity quantity{.symbol = std::move(symbol),
                           .law = std::move(law),
                           .rows = static_cast<int>(A.rows()),
                           .columns = static_cast<int>(A.cols())};
  for (Eigen::Index r = 0; r < A.rows(); ++r)
    for (Eigen::Index c = 0; c < A.cols(); ++c) quantity.entries.push_back(A(r, c));
  trace.name(std::move(quantity));
}

}  // namespace eslabon::core
