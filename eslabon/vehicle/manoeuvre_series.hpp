#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/vehicle/manoeuvre_outputs.hpp"
#include "eslabon/vehicle/manoeuvre_plan.hpp"

namespace eslabon::vehicle {

/// The rows of a manoeuvre by what is in them, as if it had gone to the left: y, angles about x and z and all that follows from them change signs
/// where it went to the right.
class ManoeuvreSeries {
 public:
  using Values = std::vector<double>;

  ManoeuvreSeries(const ManoeuvrePlan& plan, const VehicleLayout& layout, const core::ResultTable& rows)
      : side_(plan.side), layout_(layout), rows_(rows) {}

  const Values& t() const { return rows_.t; }
  std::size_t size() const { return rows_.t.size(); }

  Values x() const { return minus(column(layout_.chassis.point + ".x"), layout_.start.x()); }
  Values y() const { return times(side_, minus(column(layout_.chassis.point + ".y"), layout_.start.y())); }
  /// Of a point of a trailer, from where the chassis' point starts; and how its body looks and turns.
  Values x(const Trailer& trailer) const {
    return minus(column(trailer.names.point + ".x"), layout_.start.x());
  }
  Values y(const Trailer& trailer) const {
    return times(side_, minus(column(trailer.names.point + ".y"), layout_.start.y()));
  }
  Values heading(const Trailer& trailer) const { return times(side_, column(trailer.names.heading())); }
  Values yaw_rate(const Trailer& trailer) const { return times(side_, column(trailer.names.yaw_rate())); }
  Values heading() const { return times(side_, column(layout_.chassis.heading())); }
  Values pitch() const { return column(layout_.chassis.pitch()); }
  Values roll() const { return times(side_, column(layout_.chassis.roll())); }
  Values yaw_rate() const { return times(side_, column(layout_.chassis.yaw_rate())); }
  Values vertical() const { return column(layout_.chassis.point + ".az"); }
  Values speed() const { return column(kSpeed); }
  Values sideslip() const { return times(side_, column(kSideslip)); }
  Values longitudinal() const { return column(kLongitudinal); }
  Values lateral() const { return times(side_, column(kLateral)); }
  Values steering_wheel() const { return times(side_, column(kSteeringWheel)); }
  Values tyre(const Wheel& wheel, const char* what) const { return column(wheel.tyre + what); }

  /// The value at a time, linear between rows.
  double at(const Values& values, double time) const {
    const Values& t = rows_.t;
    const auto next = static_cast<std::size_t>(std::ranges::lower_bound(t, time) - t.begin());
    if (next == 0) return values.front();
    if (next >= t.size()) return values.back();
    const double u = (time - t[next - 1]) / (t[next] - t[next - 1]);
    return values[next - 1] + u * (values[next] - values[next - 1]);
  }
  /// The mean over rows of these times.
  double mean(const Values& values, double from, double to) const {
    double sum = 0.0;
    int count = 0;
    for (std::size_t k = 0; k < size(); ++k)
      if (rows_.t[k] >= from && rows_.t[k] <= to) {
        sum += values[k];
        ++count;
      }
    return count == 0 ? at(values, 0.5 * (from + to)) : sum / count;
  }
  /// When the values first come to a level from a time on, linear between rows.
  std::optional<double> crossing(const Values& values, double level, double from) const {
    for (std::size_t k = 1; k < size(); ++k) {
      if (rows_.t[k] < from) continue;
      const double before = values[k - 1] - level, after = values[k] - level;
      if (before * after > 0.0 || before == after) continue;
      return rows_.t[k - 1] + (rows_.t[k] - rows_.t[k - 1]) * before / (before - after);
    }
    return std::nullopt;
  }

 private:
  const Values& column(const std::string& name) const { return rows_.values[rows_.find(name).value()]; }
  static Values times(double factor, Values values) {
    for (double& value : values) value *= factor;
    return values;
  }
  static Values minus(Values values, double by) {
    for (double& value : values) value -= by;
    return values;
  }

  double side_;
  const VehicleLayout& layout_;
  const core::ResultTable& rows_;
};

inline double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace eslabon::vehicle
