#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/linalg/cholesky.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::estimation {

/// Positions of a mechanism in relative coordinates q (n), of which some are its degrees of freedom z (f) and the others, d, follow:
///   Phi(q, t) = 0,   q_z = z;       q̇ = R ż + s,   S = Phi_d,   R_d = −S⁻¹ Phi_z,   s_d = −S⁻¹ Phi_t         (1)
/// Unlike dynamics::ReducedMotion it may look from anywhere, and knows positions only. Scratch: one per thread. Nothing allocates after
/// construction.
class HeldFreedoms {
 public:
  /// `freedoms`: names of the coordinates that are z; none: those that ReducedMotion takes at the start. Throws
  /// core::ModelError for names that are no coordinates, for too many or too few, and as ReducedMotion does.
  HeldFreedoms(const dynamics::DynamicModel& model, const std::vector<std::string>& freedoms);

  const dynamics::DynamicModel& model() const { return model_; }
  const coordinates::ConstraintSystem& system() const { return system_; }
  Eigen::Index num_coordinates() const { return scales_.size(); }                          ///< n
  Eigen::Index num_freedoms() const { return static_cast<Eigen::Index>(chosen_.size()); }  ///< f
  const std::vector<int>& columns() const { return chosen_; }                              ///< (f) of z, in q
  const std::vector<int>& ball_columns() const { return balls_; }  ///< first of each four Euler parameters
  double length() const { return length_; }                        ///< the mechanism's size [m]
  /// Whether any constraint depends on degree of freedom k.
  bool is_coupled(Eigen::Index k) const { return coupled_[static_cast<std::size_t>(k)]; }
  /// (n) of the model's start.
  const Eigen::VectorXd& start() const { return start_; }

  /// The time that drivers are asked for.
  void at(double t);
  /// q becomes the position with the z that stand in it. False when none is found within `reach` (lengths in the mechanism's size):
  /// q is meaningless then. What is found satisfies all constraints to 1e-12 of the size.
  [[nodiscard]] bool close(Eigen::VectorXd& q, double reach);
  /// Of the position closed last: the sign of det S. It changes where two positions with the same z meet, and nowhere else.
  int side() const;
  /// Of the position closed last; R: (n × f), s: (n).
  void read_directions(Eigen::MatrixXd& R, Eigen::VectorXd& s);
  /// q becomes a position near it, with whatever z. False when none is found.
  [[nodiscard]] bool project(Eigen::VectorXd& q);
  /// Angles that no driver holds come to (−π, π].
  void wrap(Eigen::VectorXd& q) const;
  /// Whether these are the same place: angles by whole turns, Euler parameters by their sign.
  bool are_same(const Eigen::VectorXd& a, const Eigen::VectorXd& b, double tolerance) const;
  /// Largest residual of all constraints at q: lengths in the mechanism's size.
  double residual(const Eigen::VectorXd& q);

 private:
  struct Place {
    int row = -1;     ///< among the independent rows; −1: none
    int column = -1;  ///< among the dependent columns, or the chosen ones
    int coordinate = -1;
    bool is_chosen = false;
  };

  void choose(const std::vector<std::string>& freedoms, Eigen::Index expected);
  void place_entries();
  void evaluate(const Eigen::VectorXd& q) {
    system_.evaluate_positions({q.data(), static_cast<std::size_t>(q.size())}, values_, level_);
  }
  double residual_of_level() const;
  [[nodiscard]] bool factor();
  void solve() {
    if (!rows_.empty()) lu_.solve(rhs_, solved_);
  }

  dynamics::DynamicModel model_;
  coordinates::ConstraintSystem system_;
  double length_;
  Eigen::VectorXd scales_;      ///< (n) lengths: the size
  Eigen::VectorXd start_;       ///< (n)
  std::vector<bool> is_angle_;  ///< (n) and no driver holds it
  std::vector<bool> is_ball_;   ///< (n) an Euler parameter
  std::vector<bool> coupled_;   ///< (f)
  std::vector<int> balls_;
  std::vector<int> rows_;       ///< independent ones
  std::vector<int> chosen_;     ///< (f) columns of z
  std::vector<int> dependent_;  ///< (n − f)
  std::vector<Place> places_;   ///< (entries)
  // Scratch.
  std::vector<coordinates::CoordinateValue> values_;
  coordinates::PositionLevel level_;
  Eigen::MatrixXd S_, of_z_, J_, JJ_;
  Eigen::VectorXd rhs_, solved_;
  core::Lu lu_;
  core::Ldlt ldlt_;
};

}  // namespace eslabon::estimation
