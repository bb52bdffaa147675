#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/result_table.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::runs {

/// Rows of a result file that are looked at, evenly, before it is believed.
std::vector<std::size_t> rows_to_look_at(const core::ResultTable& table);

/// The columns of a result file that are positions of a mechanism, to be compared with where its bodies are.
class ToldPositions {
 public:
  /// `table` must outlive it.
  ToldPositions(const core::ResultTable& table, model::Mechanism mechanism);

  bool empty() const { return positions_.empty(); }
  /// What of a row does not fit to these bodies, "at 1 s its coupler.angle differs by 0.034 rad from that of the mechanism"; empty:
  /// nothing. `length`: size of the mechanism [m].
  std::string misfit(std::size_t row, const coordinates::MechanismMotion& bodies, double length) const;

 private:
  struct Position {
    std::size_t column;
    model::Variable variable;
    bool is_angle;
    std::optional<std::size_t> sigma;  ///< column of its deviation
  };

  const core::ResultTable& table_;
  model::Mechanism mechanism_;
  std::vector<Position> positions_;
};

}  // namespace eslabon::runs
