#pragma once

#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::coordinates {

/// The rows of a ConstraintSystem in their order, before their features have places in a map, and what belongs to them.
struct RowList {
  /// An angle or distance that is none of the kind's own coordinates, behind them.
  struct Mixed {
    model::Variable variable;
    int column;
  };
  std::vector<Row> rows;
  std::vector<Coordinate> coordinates;  ///< of the kind, then mixed ones
  std::vector<Mixed> mixed;
  std::vector<LinearRelation> relations;  ///< (couplings)
  int num_mechanism_rows = 0;
};

/// Rows of the kind of coordinates, of couplings, and one for each prescribed value, each behind the rows that tie its mixed coordinates.
RowList list_rows(const Layout& layout, const model::Mechanism& mechanism,
                  const std::vector<Prescribed>& prescribed);

}  // namespace eslabon::coordinates
