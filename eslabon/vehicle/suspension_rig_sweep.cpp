#include "eslabon/vehicle/suspension_rig_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::vehicle {

const char* side_name(std::size_t end) { return end == 0 ? "left." : "right."; }

std::optional<std::vector<double>> KcSweep::find(const std::string& name) const {
  const auto column = std::ranges::find(columns, name, &core::Column::name);
  if (column == columns.end()) return std::nullopt;
  const auto c = static_cast<std::size_t>(column - columns.begin());
  std::vector<double> values;
  for (const std::vector<double>& row : rows) values.push_back(row[c]);
  return values;
}

std::optional<double> KcSweep::find(const std::string& name, std::size_t row) const {
  const auto values = find(name);
  if (!values) return std::nullopt;
  return (*values)[row];
}

const char* name_of(KcSweep::Kind kind) {
  switch (kind) {
    case KcSweep::Kind::kTravel:
      return "travel";
    case KcSweep::Kind::kRoll:
      return "roll";
    case KcSweep::Kind::kSteer:
      return "steer";
    case KcSweep::Kind::kLateral:
      return "lateral";
    case KcSweep::Kind::kLateralOpposite:
      return "lateral_opposite";
    case KcSweep::Kind::kLongitudinal:
      return "longitudinal";
    case KcSweep::Kind::kLongitudinalOpposite:
      return "longitudinal_opposite";
    case KcSweep::Kind::kAligning:
      return "aligning";
    case KcSweep::Kind::kAligningOpposite:
      return "aligning_opposite";
  }
  return "";
}

std::string title_of(KcSweep::Kind kind) {
  std::string title = name_of(kind);
  const std::size_t bar = title.find('_');
  return bar == std::string::npos ? title : title.replace(bar, 1, ", ");
}

bool is_loaded(KcSweep::Kind kind) {
  return kind != KcSweep::Kind::kTravel && kind != KcSweep::Kind::kRoll && kind != KcSweep::Kind::kSteer;
}

void add_row(const SuspensionRig& rig, const Figures& figures, KcSweep& sweep) {
  if (sweep.columns.empty()) sweep.columns = figures.columns();
  sweep.rows.push_back(figures.values());
  sweep.frames.push_back(rig.poses());
}

void follow(SuspensionRig& rig, const RigPoint& design, const std::vector<double>& values,
            const SweepWalk& walk, KcSweep& sweep) {
  constexpr int kHalvings = 10;  // of a step that cannot be taken
  RigPoint at = design;
  double last = 0.0;
  for (const double x : values) {
    if (auto next = rig.move(at, walk.setting(x))) {
      at = *next;
      last = x;
      rig.look_at(at, walk.setting(x));
      if (!walk.tell(x)) return;
      continue;
    }
    std::string why = rig.why_not();
    double step = 0.5 * (x - last);
    const double before = last;
    for (int i = 0; i < kHalvings; ++i, step *= 0.5)
      if (auto next = rig.move(at, walk.setting(last + step))) {
        at = *next;
        last += step;
      } else {
        why = rig.why_not();
      }
    if (last != before) {
      rig.look_at(at, walk.setting(last));
      walk.tell(last);
    }
    sweep.ends.push_back(walk.what + " ends at " + core::rounded_text(last * walk.scale, 4) + " " +
                         walk.unit + ": " + why + ".");
    return;
  }
}

std::vector<double> steps_to(double last, double step) {
  std::vector<double> values;
  const int count = static_cast<int>(std::ceil(std::abs(last) / step - 1e-9));
  for (int i = 1; i <= count; ++i) values.push_back(std::copysign(std::min(i * step, std::abs(last)), last));
  return values;
}

void join(KcSweep& down, KcSweep& up) {
  std::ranges::reverse(down.rows);
  std::ranges::reverse(down.frames);
  up.design = down.rows.size();
  up.rows.insert(up.rows.begin(), down.rows.begin(), down.rows.end());
  up.frames.insert(up.frames.begin(), down.frames.begin(), down.frames.end());
  up.ends.insert(up.ends.begin(), down.ends.begin(), down.ends.end());
}

}  // namespace eslabon::vehicle
