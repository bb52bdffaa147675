#include "eslabon/dynamics/statics/named_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

constexpr double kHidden = 1e-3;  // of the motion of bodies: joints do not show it
constexpr double kSmall = 0.01;   // of the largest: not printed
constexpr double kInPhase = 0.5;  // degrees

double measure(const core::Dimension& dimension, double length) {
  return dimension == core::kLength ? length : 1.0;
}

std::string component_text(const std::string& name, const std::string& unit, std::complex<double> value) {
  double phase = std::arg(value) * 180.0 / std::numbers::pi;
  double size = std::abs(value);
  if (std::abs(phase) > 180.0 - kInPhase) {
    size = -size;
    phase = 0.0;
  }
  std::string text = name + " " + core::rounded_text(size, 3) + " " + unit;
  if (std::abs(phase) > kInPhase) text += " ∠" + core::rounded_text(std::round(phase), 3) + "°";
  return text;
}

}  // namespace

NamedRates joint_rates(FreedomChart& chart, const State& state, const MatrixXd& directions) {
  const model::Mechanism& mechanism = chart.model().mechanism();
  NamedRates out;
  std::vector<model::Variable> rates;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c) {
      const model::JointIndex joint(static_cast<int>(j));
      const model::Variable position{model::VariableKind::kJointPosition, joint, c};
      out.names.push_back(model::name(mechanism, position));
      out.dimensions.push_back(model::dimension(mechanism, position));
      rates.push_back({model::VariableKind::kJointVelocity, joint, c});
    }
  out.rates.resize(static_cast<Index>(rates.size()), directions.cols());
  coordinates::MechanismMotion moving(mechanism.bodies().size());
  for (Index k = 0; k < directions.cols(); ++k) {
    chart.evaluate_displacement(state, directions.col(k), moving);
    for (std::size_t r = 0; r < rates.size(); ++r)
      out.rates(static_cast<Index>(r), k) = kinematics::value_of(mechanism, rates[r], moving);
  }
  return out;
}

NamedRates body_rates(FreedomChart& chart, const State& state, const MatrixXd& directions) {
  const model::Mechanism& mechanism = chart.model().mechanism();
  const std::vector<int> parts = mechanism.is_planar() ? std::vector{0, 1, 5} : std::vector{0, 1, 2, 3, 4, 5};
  static constexpr const char* kNames[] = {".x", ".y", ".z", ".turn_x", ".turn_y", ".turn_z"};
  NamedRates out;
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    for (const int part : parts) {
      out.names.push_back(mechanism.bodies()[b].name + kNames[part]);
      out.dimensions.push_back(part < 3 ? core::kLength : core::kAngle);
    }
  out.rates.resize(static_cast<Index>(out.names.size()), directions.cols());
  coordinates::MechanismMotion moving(mechanism.bodies().size());
  for (Index k = 0; k < directions.cols(); ++k) {
    chart.evaluate_displacement(state, directions.col(k), moving);
    Index row = 0;
    for (std::size_t b = 1; b < moving.size(); ++b)
      for (const int part : parts)
        out.rates(row++, k) = part < 3 ? moving[b].v_WB_W[part] : moving[b].w_WB_W[part - 3];
  }
  return out;
}

NamedRates with_states(NamedRates rows, const FreedomChart& chart) {
  const std::vector<model::AuxiliaryState>& states = chart.model().mechanism().states();
  const Index names = rows.rates.rows(), f = rows.rates.cols(), s = static_cast<Index>(states.size());
  MatrixXd rates = MatrixXd::Zero(names + s, f + s);
  rates.topLeftCorner(names, f) = rows.rates;
  rates.bottomRightCorner(s, s).setIdentity();
  rows.rates = rates;
  for (const core::Dimension& dimension : rows.dimensions)
    rows.sizes.push_back(measure(dimension, chart.length()));
  for (const model::AuxiliaryState& state : states) {
    rows.names.push_back(state.name + ".value");
    rows.dimensions.push_back(state.dimension);
    rows.sizes.push_back(state.size);
  }
  return rows;
}

NamedShape scaled_shape(NamedRates rows, const VectorXcd& shape, double length) {
  NamedShape out{std::move(rows), {}, length};
  out.values = out.rows.rates * shape;
  Index reference = -1;
  double largest = 0.0;
  for (Index r = 0; r < out.values.size(); ++r) {
    const double size = std::abs(out.values[r]) / out.size_of(r);
    if (size <= largest * (1.0 + 1e-9)) continue;  // of equal ones the first
    largest = size;
    reference = r;
  }
  if (reference >= 0) out.values /= std::complex<double>(out.values[reference]);
  return out;
}

NamedShape named_shape(FreedomChart& chart, const State& state, const MatrixXd& directions,
                       const VectorXcd& shape) {
  if (shape.size() > directions.cols()) {
    const VectorXcd moving = shape.head(directions.cols());
    const bool moves = moving.cwiseAbs().maxCoeff() > 0.0;
    NamedRates rows =
        moves ? named_shape(chart, state, directions, moving).rows : joint_rates(chart, state, directions);
    return scaled_shape(with_states(std::move(rows), chart), shape, chart.length());
  }
  NamedRates joints = joint_rates(chart, state, directions);
  NamedRates bodies = body_rates(chart, state, directions);
  const auto largest = [&](const NamedRates& rows) {
    double size = 0.0;
    const VectorXcd values = rows.rates * shape;
    for (Index r = 0; r < values.size(); ++r)
      size = std::max(
          size, std::abs(values[r]) / measure(rows.dimensions[static_cast<std::size_t>(r)], chart.length()));
    return size;
  };
  const bool shows = largest(joints) > kHidden * largest(bodies);
  return scaled_shape(shows ? std::move(joints) : std::move(bodies), shape, chart.length());
}

double NamedShape::size_of(Index r) const {
  const auto k = static_cast<std::size_t>(r);
  return rows.sizes.empty() ? measure(rows.dimensions[k], length) : rows.sizes[k];
}

std::string NamedShape::text(std::size_t most) const {
  const auto size = [&](Index r) { return std::abs(values[r]) / size_of(r); };
  double largest = 0.0;
  for (Index r = 0; r < values.size(); ++r) largest = std::max(largest, size(r));
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](Index r) { return size(r) > (1.0 - 1e-9) * largest ? largest : size(r); });
  std::string text;
  std::size_t count = 0;
  for (const Index r : order) {
    if (size(r) < kSmall * largest || count == most) break;
    const auto k = static_cast<std::size_t>(r);
    text += (text.empty() ? "" : ", ") +
            component_text(rows.names[k], core::si_unit(rows.dimensions[k]), values[r]);
    ++count;
  }
  return text;
}

}  // namespace eslabon::dynamics
