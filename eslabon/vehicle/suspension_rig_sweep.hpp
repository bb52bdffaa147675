#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/vehicle/suspension_rig.hpp"

namespace eslabon::vehicle {

/// Names, units and values side by side.
class Figures {
 public:
  void add(const std::string& name, const char* unit, double value) {
    columns_.push_back({name, unit});
    values_.push_back(value);
  }
  const std::vector<core::Column>& columns() const { return columns_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<core::Column> columns_;
  std::vector<double> values_;
};

/// "left." and "right."
const char* side_name(std::size_t end);

/// One motion of one axle: rows of figures.
struct KcSweep {
  enum class Kind {
    kTravel,
    kRoll,
    kSteer,
    kLateral,  ///< loads in the contact points: on both wheels, or opposite ones
    kLateralOpposite,
    kLongitudinal,
    kLongitudinalOpposite,
    kAligning,
    kAligningOpposite
  };
  Kind kind = Kind::kTravel;
  std::vector<core::Column> columns = {};                    ///< the first is what is imposed
  std::vector<std::vector<double>> rows = {};                ///< (rows) (columns)
  std::size_t design = 0;                                    ///< the row at which nothing is moved
  std::vector<std::string> ends = {};                        ///< why it is shorter than asked for: sentences
  std::vector<std::vector<core::Pose<double>>> frames = {};  ///< (rows) where bodies are, without the ground
  /// (rows) of a column; nothing where it has none of this name.
  std::optional<std::vector<double>> find(const std::string& name) const;
  /// One of a column.
  std::optional<double> find(const std::string& name, std::size_t row) const;
};

/// All of them, in the order in which they are told.
inline constexpr std::array kSweepKinds{KcSweep::Kind::kTravel,
                                        KcSweep::Kind::kRoll,
                                        KcSweep::Kind::kSteer,
                                        KcSweep::Kind::kLateral,
                                        KcSweep::Kind::kLateralOpposite,
                                        KcSweep::Kind::kLongitudinal,
                                        KcSweep::Kind::kLongitudinalOpposite,
                                        KcSweep::Kind::kAligning,
                                        KcSweep::Kind::kAligningOpposite};

/// "travel", "roll", "steer", "lateral", "lateral_opposite" and so on
const char* name_of(KcSweep::Kind kind);
/// The same for people: "lateral, opposite"
std::string title_of(KcSweep::Kind kind);
/// Whether loads are swept.
bool is_loaded(KcSweep::Kind kind);

/// One row of the position that the rig looks at; it must be of the columns that the sweep has.
void add_row(const SuspensionRig& rig, const Figures& figures, KcSweep& sweep);

/// How one side of a sweep is gone through.
struct SweepWalk {
  std::function<RigSetting(double)> setting;  ///< at a value of what is imposed
  std::function<bool(double)> tell;           ///< adds the row of the value; false: enough
  std::string what;                           ///< "axle 1, travel"
  const char* unit;                           ///< in which messages tell the value
  double scale;                               ///< of that by the SI value
};
/// Goes to values of one side, away from 0; where one cannot be reached, as near to it as it goes.
void follow(SuspensionRig& rig, const RigPoint& design, const std::vector<double>& values,
            const SweepWalk& walk, KcSweep& sweep);
/// Values of one side: each a step further, the last one `last`.
std::vector<double> steps_to(double last, double step);
/// Rows of one side are put before those of the other.
void join(KcSweep& down, KcSweep& up);

}  // namespace eslabon::vehicle
