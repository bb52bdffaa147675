#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "eslabon/model/elements/element_place.hpp"
#include "eslabon/model/mechanism.hpp"

/// What the names in descriptions refer to. Private to layer model. Every function that does not find what it
/// looks for throws core::ModelError at the given place, with the nearest name or the names there are.
namespace eslabon::model::detail {

/// A point or a frame of a body.
struct Marker {
  BodyIndex body;
  bool is_frame;
  int position;  ///< in Body::points or Body::frames
};

/// Finds bodies, points and frames in constant time. Keeps a reference to the mechanism, whose bodies must be
/// complete and must not change; joints are looked up in it as they are when asked for.
class NameLookup {
 public:
  explicit NameLookup(const Mechanism& mechanism);

  /// "crank"
  BodyIndex body(std::string_view text, const Place& place, const Field& field) const;
  /// "crank", but not "ground"
  BodyIndex moving_body(std::string_view text, const Place& place, const Field& field) const;
  /// "crank.P1", a point or a frame
  Marker marker(const std::string& text, const Place& place, const Field& field) const;
  /// "cam.profile", a curve: its body, and its place in Body::curves
  std::pair<BodyIndex, std::size_t> curve(const std::string& text, const Place& place,
                                          const Field& field) const;
  /// "crank.P1", a point
  PointRef point(const std::string& text, const Place& place, const Field& field) const;
  /// "crank.P1", a point, but not of the ground
  PointRef moving_point(const std::string& text, const Place& place, const Field& field) const;
  /// Points of two different bodies
  PointPair point_pair(const std::string& first, const std::string& second, const Place& place,
                       const Field& field) const;
  /// "A" of a joint with one coordinate, "A.q", "A.q2"
  JointCoordinate coordinate(std::string_view text, const Place& place, const Field& field) const;
  /// Any variable, see find_variable
  Variable variable(std::string_view text, const Place& place, const Field& field) const;
  /// Any variable, but not of the ground
  Variable moving_variable(std::string_view text, const Place& place, const Field& field) const;
  /// A variable that says where the mechanism is, and not of the ground
  Variable position_variable(std::string_view text, const Place& place, const Field& field) const;
  /// A variable that says how fast the mechanism moves, and not of the ground
  Variable rate_variable(std::string_view text, const Place& place, const Field& field) const;

 private:
  void check_moves(const Variable& variable, std::string_view text, const Place& place,
                   const Field& field) const;
  enum class Wanted { kPoint, kPointOrFrame, kCurve };
  [[noreturn]] void fail_marker(const std::string& text, Wanted what, const Place& place,
                                const Field& field) const;

  const Mechanism& mechanism_;
  std::unordered_map<std::string, Marker> markers_;                            ///< by "body.marker"
  std::unordered_map<std::string, std::pair<BodyIndex, std::size_t>> curves_;  ///< by "body.curve"
};

}  // namespace eslabon::model::detail
