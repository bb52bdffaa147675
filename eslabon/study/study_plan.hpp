#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "eslabon/study/study_file.hpp"

namespace eslabon::study {

/// One try of one point, both counted from 0.
struct TryIndex {
  std::size_t point = 0, attempt = 0;
  friend auto operator<=>(const TryIndex&, const TryIndex&) = default;
};

/// What a try draws from; no two of them are the same generator.
struct TrySeeds {
  std::uint64_t truth = 0;    ///< of the true start
  std::uint64_t sensors = 0;  ///< of the errors of readings
  std::uint64_t filter = 0;   ///< of the filter
};
TrySeeds try_seeds(std::uint64_t seed);

/// Points and tries of a study. Points are all values of the sweeps times each other, the last sweep fastest.
class StudyPlan {
 public:
  /// `study` must outlive it.
  explicit StudyPlan(const StudyFile& study);

  const StudyFile& study() const { return study_; }
  std::size_t num_points() const { return num_points_; }
  std::size_t num_tries() const { return static_cast<std::size_t>(study_.tries); }
  std::size_t size() const { return num_points() * num_tries(); }

  /// Which value of each axis a point has.
  std::vector<std::size_t> values_of(std::size_t point) const;
  /// What the point is made of: the settings of the study, and those of its axes in the place of the ones of the same subject.
  std::vector<StudySetting> settings_of(std::size_t point) const;
  /// "particles = 200, step = 6 ms"; empty without axes.
  std::string name_of(std::size_t point) const;

  /// The first point, and those that differ from it in one value: with these every value of the study is seen.
  std::vector<std::size_t> points_with_each_value() const;

  /// Of a try; the same for all points, so that they are compared on the same motions and readings. Below 2⁵², which every program that
  /// reads tables keeps.
  std::uint64_t seed_of(std::size_t attempt) const;
  /// Where the results of a try stand: by points, then by tries.
  std::size_t place_of(const TryIndex& index) const { return index.point * num_tries() + index.attempt; }
  /// What is done in turn number k: the first try of every point, then the second …, so that what is left takes about as long per try as
  /// what is done.
  TryIndex turn(std::size_t k) const { return {k % num_points(), k / num_points()}; }

 private:
  const StudyFile& study_;
  std::size_t num_points_ = 1;
};

/// The values of an axis as a column of a table: numbers in SI units where all of them are numbers, otherwise the texts.
struct AxisColumn {
  std::string unit;                ///< "s"; "1" for numbers without a unit, "" for texts
  std::vector<std::string> cells;  ///< (values)
};
AxisColumn axis_column(const StudyAxis& axis);

}  // namespace eslabon::study
