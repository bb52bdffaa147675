#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/reactions/joint_reaction.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::recording {

/// Forces of a run as arrows of its report, all that act on a body: weights at centres of mass, springs and dampers between points at
/// both, loads, stops, friction; and what needs a solution for reactions: what each joint does to its second body, force and moment
/// apart, and efforts of drivers or actuators. What acts in a joint is drawn on its second body; the first gets the opposite.
class ForceArrows {
 public:
  /// Rows of joints up to which reactions are computed for a report: beyond, the dense solution at each frame takes too long.
  static constexpr int kMostRows = 300;
  /// Solutions for reactions in a run of any length: what lies between is interpolated.
  static constexpr std::int64_t kMostSolutions = 300;

  /// Who pushes along a position variable.
  struct Actuator {
    std::string name;  ///< "motor"
    model::Variable along;
  };
  /// Reactions at an instant, and efforts.
  struct Solution {
    const std::vector<dynamics::JointReaction>& joints;  ///< (joints)
    const std::vector<double>& efforts;                  ///< (actuators) or more
    const std::vector<bool>& are_efforts_unique;         ///< (actuators) or more
  };

  /// Rows from solution to solution in a run of so many rows, a power of two: those are rows of frames.
  static std::int64_t rows_per_solution(std::int64_t rows);
  /// The drivers as actuators.
  static std::vector<Actuator> drivers_of(const model::Mechanism& mechanism);

  ForceArrows(const dynamics::DynamicModel& model, std::vector<Actuator> actuators);
  ForceArrows(const ForceArrows&) = delete;
  ForceArrows& operator=(const ForceArrows&) = delete;

  /// Whether reactions and efforts are among them: the mechanism is small enough.
  bool has_reactions() const { return has_reactions_; }
  /// What they are; without vectors.
  const std::vector<report::Arrow>& arrows() const { return arrows_; }
  /// How many of them, the last, need a solution.
  std::size_t num_of_reactions() const { return arrows_.size() - num_others_; }
  /// (arrows) at an instant, world axes [N] or [N m]. `solution`: unused without has_reactions(); nullptr: not known, and all but
  /// num_of_reactions() are told.
  std::span<const Eigen::Vector3d> evaluate(double t, const coordinates::MechanismMotion& bodies,
                                            const dynamics::ForceMemory& memory, const Solution* solution);
  /// (tyres) Where they meet the road at that instant, and what it does to them. Of a wheel that lies flat: nothing, at its centre.
  std::span<const report::Contact::Instant> evaluate_contacts(const coordinates::MechanismMotion& bodies,
                                                              const dynamics::ForceMemory& memory);
  /// Joints and actuators of which something that was told is not unique.
  std::vector<std::string> not_unique() const;

 private:
  struct Instant {
    double t;
    const coordinates::MechanismMotion& bodies;
    const dynamics::ForceMemory& memory;
    const Solution* solution;
  };
  using Vector = std::function<Eigen::Vector3d(const Instant&)>;
  using Effort = std::function<double(const Instant&)>;

  void add(const std::string& name, report::Arrow::Kind kind, model::BodyIndex body,
           const Eigen::Vector3d& p_BP_B, Vector vector);
  void add_weights();
  /// A pull between points at both, or what turns a joint back.
  void add_pull(const std::string& name, const model::Connection& connection, const Effort& pull);
  void add_load(std::size_t load);
  void add_stop(std::size_t stop);
  void add_effort(const std::string& name, const model::Variable& along, const Effort& effort);
  void add_friction(model::JointIndex index);
  void add_reactions();
  /// What a unit of effort is, a force or a torque on the body that it moves.
  Eigen::Vector3d unit_force(const model::Variable& along, const coordinates::MechanismMotion& bodies);
  Eigen::Vector3d unit_torque(const model::Variable& along, const coordinates::MechanismMotion& bodies);
  const dynamics::Wrench& unit_wrench(const model::Variable& along,
                                      const coordinates::MechanismMotion& bodies);
  bool is_force(const model::Variable& along);

  dynamics::DynamicModel model_;
  std::vector<Actuator> actuators_;
  bool has_reactions_;
  std::size_t num_others_ = 0;  ///< arrows that need no solution
  std::vector<bool> was_joint_unique_, was_effort_unique_;
  std::vector<report::Arrow> arrows_;
  std::vector<Vector> tellers_;                     ///< (arrows)
  std::vector<Eigen::Vector3d> vectors_;            ///< (arrows)
  std::vector<report::Contact::Instant> contacts_;  ///< (tyres)
  std::vector<dynamics::Wrench> wrenches_;          ///< (bodies) scratch
};

/// Leaves out arrows that are nothing at all frames: smaller than roundoff of the largest of their kind of unit.
void remove_idle_arrows(std::vector<report::Arrow>& arrows);

}  // namespace eslabon::recording
