#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/integration/first_passage.hpp"
#include "eslabon/integration/integrators/motion_equations.hpp"

namespace eslabon::integration {

/// What happens at rigid stops: bodies hit them, rebound, come to rest on them and leave them.
///
/// With Δa_j what a unit of effort from side j changes in all accelerations, an impact by impulses P changes velocities at once,
///   v⁺ = v⁻ + Σ P_j Δa_j,   0 ≤ P_j,   ġ_j⁺ ≥ −e_j ġ_j⁻,   the product of both zero                              (1)
/// (Newton's rule; forces that are finite do nothing in no time), which satisfies the constraints, because Δa does. What rebounds
/// slower than kRestSpeed stays: infinitely many rebounds in finite time would follow. It rests as long as it is pressed:
///   p ≥ 0 of CoupledForces.                                                                                 (2)
class StopImpacts {
 public:
  /// Lives inside the Simulation that keeps `equations`.
  StopImpacts(const dynamics::DynamicModel& model, MotionEquations& equations);

  bool is_empty() const { return sides_ == 0; }

  /// Something that happens within a step.
  struct Find {
    std::size_t side = 0;
    bool is_release = false;  ///< something that rested leaves; otherwise something arrives
    double t0 = 0.0;          ///< it happens between these times [s]; both that of the start: at once
    double t1 = 0.0;
  };
  /// The first of each side, in no order; nothing: the step may stand. False when a point of it, or a limit there, cannot be had.
  [[nodiscard]] bool search(const MotionPoint& from, const MotionPoint& to, const PointAt& at,
                            std::vector<Find>& finds);

  /// What passes zero there: the gap of a side, or what it holds with; nothing, and trouble, where a limit has no value.
  std::optional<double> value(const Find& find, const MotionPoint& point);
  bool is_touching(const MotionPoint& point, std::size_t side);
  /// The gap's rate.
  double rate(const Find& find, const MotionPoint& point);

  /// Does what happens at a point: what touches rebounds or comes to rest, what is not pressed leaves, and so does what rested on the
  /// side `released`, whose holding has come to zero. The sentences about it are appended. False when accelerations cannot be had,
  /// or when nothing can give way; equations.trouble() says why.
  [[nodiscard]] bool strike(MotionPoint& point, std::optional<std::size_t> released,
                            std::vector<std::string>& sentences);

  /// Throws core::ModelError when something starts beyond a limit.
  void check_start(const MotionPoint& point) const;

 private:
  /// At ends of steps, where search() has found all gaps.
  dynamics::Gap gap(const MotionPoint& point, std::size_t side);
  /// The gaps of all sides as functions of time, into `here_`: (sides). False, and trouble, where a limit has no value.
  [[nodiscard]] bool find_knots(const MotionPoint& point);
  /// Impulses of (1) on the sides `touching_`; velocities of the point change.
  bool rebound(MotionPoint& point, std::vector<std::string>& sentences);
  /// Which of the sides that do not rebound rest: those that (2) leaves.
  bool settle(MotionPoint& point, std::vector<std::string>& sentences);
  /// Whether an impact is possible: false, and trouble, where a driver moves what is hit, or where both limits of a stop meet.
  bool check_room(double t, const Eigen::MatrixXd& response);
  /// Trouble of a limit that has no value.
  void miss_gap(std::size_t side, double t);
  /// Always false, and trouble.
  bool refuse(double t, const std::string& what, std::size_t side, const std::string& actual,
              const std::string& next);
  std::string words(std::size_t side, const char* what) const;
  double restitution(std::size_t side) const;

  dynamics::DynamicModel model_;
  MotionEquations& equations_;
  std::size_t sides_;
  std::vector<double> scale_;  ///< (sides) a length of the mechanism's size, or 1 rad
  std::vector<std::size_t> touching_;
  std::optional<std::size_t> released_;
  coordinates::MechanismMotion bodies_;   // Scratch.
  std::vector<Knot> here_;                // Scratch (sides).
  std::vector<std::vector<Knot>> knots_;  // Scratch (sides) (instants of a step).
};

}  // namespace eslabon::integration
