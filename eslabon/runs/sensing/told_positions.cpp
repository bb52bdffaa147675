#include "eslabon/runs/sensing/told_positions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::runs {

namespace {

constexpr double kSame = 1e-4;  // [rad], or of the mechanism's size: what a run's constraints may be open by
constexpr double kDeviations = 6.0;  // of an estimate: the mean of a position is not the position of the mean
constexpr std::size_t kLooked = 100;

}  // namespace

std::vector<std::size_t> rows_to_look_at(const core::ResultTable& table) {
  const std::size_t last = table.t.size() - 1, looked = std::min(kLooked, last + 1);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < looked; ++k) rows.push_back(looked == 1 ? last : k * last / (looked - 1));
  return rows;
}

ToldPositions::ToldPositions(const core::ResultTable& table, model::Mechanism mechanism)
    : table_(table), mechanism_(std::move(mechanism)) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    try {
      const model::Variable variable = model::find_variable(mechanism_, table.columns[c].name);
      if (model::is_position(variable) && model::unit(mechanism_, variable) == table.columns[c].unit)
        positions_.push_back({c, variable, model::dimension(mechanism_, variable) == core::kAngle,
                              table.find(table.columns[c].name + ".sigma")});
    } catch (const core::ModelError&) {  // a column of something else
    }
  }
}

std::string ToldPositions::misfit(std::size_t row, const coordinates::MechanismMotion& bodies,
                                  double length) const {
  for (const Position& position : positions_) {
    const double told = table_.values[position.column][row];
    const double found = kinematics::told_value(mechanism_, position.variable, bodies);
    const double difference =
        position.is_angle ? std::remainder(told - found, 2.0 * std::numbers::pi) : told - found;
    const double deviation = position.sigma ? table_.values[*position.sigma][row] : 0.0;
    if (std::abs(difference) <= kSame * (position.is_angle ? 1.0 : length) + kDeviations * deviation)
      continue;
    const core::Column& column = table_.columns[position.column];
    return fmt::format("at {:.6g} s its {} differs by {:.3g} {} from that of the mechanism", table_.t[row],
                       column.name, std::abs(difference), column.unit);
  }
  return "";
}

}  // namespace eslabon::runs
