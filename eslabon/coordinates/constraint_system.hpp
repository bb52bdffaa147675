#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/coupling_turns.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/coordinates/sparse_pattern.hpp"

namespace eslabon::coordinates {

/// A direction of a body that is kept at an angle to a fixed one: what holds a degree of freedom that has no variable, such as
/// the spin of a bar between two balls. Its prescribed value is  u_W·d_W.
struct HeldDirection {
  model::BodyIndex body = model::kGround;
  Eigen::Vector3d u_B = Eigen::Vector3d::UnitX();  ///< (3) unit
  Eigen::Vector3d d_W = Eigen::Vector3d::UnitX();  ///< (3) unit
};

/// What is prescribed from outside: a position variable of the model, or a held direction.
struct Prescribed {
  std::variant<model::Variable, HeldDirection> what;
  std::string name;  ///< for messages: "driver 'motor'", "spin of 'coupler'"
};

/// What depends on q and t alone.
struct PositionLevel {
  Eigen::VectorXd Phi;             ///< (m) residual [m] or [1]
  Eigen::VectorXd Phi_t;           ///< (m) ∂Phi/∂t
  std::vector<double> Phi_q;       ///< (entries) ∂Phi/∂q in the order of ConstraintSystem::pattern()
  FeatureValues<double> features;  ///< what the rows are made of, for evaluate_gamma
};

/// Scratch of evaluate_gamma, one per thread.
struct GammaWorkspace {
  std::vector<Eigen::Vector3d> x_dot, x_bias;
};

/// A mechanism in one kind of coordinates: q (n), rows Phi(q, t) = 0 (m), and their derivatives
///   Phi_q v + Phi_t = 0                                                                   (1)
///   Phi_q a = gamma,   gamma = −(d/dt Phi_q) v − d/dt Phi_t                               (2)
/// The rows are those of the kind of coordinates, then those of couplings, then one for each prescribed value. An angle or distance of
/// a joint that is coupled or prescribed but is none of the kind's own coordinates is a mixed coordinate, appended to q with a row that
/// ties it to the bodies [Seed001, §3.1.1]; the row stands before the first that needs it. Immutable, safe to share between threads; after their first use results do not allocate.
class ConstraintSystem {
 public:
  /// Looks at mechanism and structure, and lives inside what keeps them. `kind`: see layout_names().
  ConstraintSystem(std::string_view kind, const model::Mechanism& mechanism,
                   const structure::Structure& structure, std::vector<Prescribed> prescribed);

  const model::Mechanism& mechanism() const { return mechanism_; }
  const structure::Structure& structure() const { return structure_; }
  const Layout& layout() const { return *layout_; }
  int num_coordinates() const { return static_cast<int>(coordinates_.size()); }
  int num_rows() const { return static_cast<int>(rows_.size()); }
  /// The first rows are those of bodies, joints and couplings; the rest belongs to prescribed values.
  int num_mechanism_rows() const { return num_mechanism_rows_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const RowLabel& label(int row) const { return labels_[static_cast<std::size_t>(row)]; }
  bool row_is_length(int row) const {
    const PlacedRow& placed = rows_[static_cast<std::size_t>(row)];
    return is_length(placed.form) || placed.measures_length;
  }
  const std::vector<Prescribed>& prescribed() const { return prescribed_; }
  const SparsePattern& pattern() const { return pattern_; }

  /// Phi, Phi_t and Phi_q. `values` are position and velocity of what is prescribed, in its order.
  void evaluate_positions(std::span<const double> q, std::span<const CoordinateValue> values,
                          PositionLevel& out) const;

  /// gamma of (2); `positions` are those at q, v satisfies (1).
  void evaluate_gamma(const PositionLevel& positions, std::span<const double> q, std::span<const double> v,
                      std::span<const CoordinateValue> values, GammaWorkspace& workspace,
                      Eigen::VectorXd& gamma) const;

  /// Phi alone, for any scalar of the project: derivatives of every order for tests, filters and generated code.
  template <core::Scalar T>
  void evaluate_residual(std::span<const T> q, std::span<const T> values, FeatureValues<T>& features,
                         std::span<T> Phi) const;

  /// Phi_q alone, in the order of pattern(), for any scalar of the project; `features` are those at q then.
  template <core::Scalar T>
  void evaluate_jacobian(std::span<const T> q, FeatureValues<T>& features, std::span<T> Phi_q) const;

  /// Motion of all bodies.
  void evaluate_bodies(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                       BodiesWorkspace& workspace, MechanismMotion& out) const {
    layout_->evaluate_bodies(q, v, a, workspace, out);
  }

  /// q, v, a of a motion of the bodies; the way from one kind of coordinates to another. Prescribed angles are the
  /// ones nearest to `near` (one number per prescribed value), when it is given; coupled ones have the turns with which couplings hold.
  void read_bodies(const MechanismMotion& bodies, CoordinateSpans out,
                   std::span<const double> near = {}) const;

  /// Phi_q as a dense matrix (m × n).
  Eigen::MatrixXd dense(std::span<const double> Phi_q) const;

 private:
  /// A row whose features have places in the map.
  struct PlacedRow {
    RowForm form;
    RowConstant constant;
    int column;
    int prescribed;
    std::array<int, kMostFeatures> features;          ///< places in the map; −1: none
    std::array<int, kMostFeatures + 1> first_target;  ///< ranges of targets_ of the features
    std::array<int, 4> own_entries;  ///< entries of Phi_q for its own coordinate(s); −1: none
    int first_term, end_term;        ///< range of terms_
    bool measures_length;
  };
  /// One product of the chain rule: entry of Phi_q += gradient · J.
  struct Target {
    int entry;
    int J;
  };
  struct PlacedTerm {
    int column;
    double factor;
    const model::CouplingLaw* law;
    int entry;
  };
  /// c_i q_i or c_i f(q_i).
  template <core::Scalar T>
  static T value_of(const PlacedTerm& term, std::span<const T> q);
  struct MixedCoordinate {
    model::Variable variable;
    int column;
  };

  /// Adds the derivatives of a row to Phi_q.
  template <core::Scalar T>
  void add_gradient(const PlacedRow& row, std::span<const T> q, const FeatureValues<T>& features,
                    std::span<T> Phi_q) const;
  void append_couplings(std::vector<Row>& rows);
  void append_prescribed(std::vector<Row>& rows);
  /// The column of a variable; of one that no coordinate is yet a new one, with the row that ties it to the bodies.
  int column_with_tie(const model::Variable& variable, std::vector<Row>& rows);
  std::optional<int> column_of(const model::Variable& variable) const;
  CoordinateValue read_mixed(const MixedCoordinate& mixed, const MechanismMotion& bodies) const;
  void place_rows(const std::vector<Row>& rows);
  template <core::Scalar T>
  std::array<const core::Vector3<T>*, kMostFeatures> features_of(
      const PlacedRow& row, const std::vector<core::Vector3<T>>& x) const;

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  std::unique_ptr<Layout> layout_;
  std::vector<Prescribed> prescribed_;
  std::vector<Coordinate> coordinates_;
  std::vector<RowLabel> labels_;  ///< (m)
  std::vector<PlacedRow> rows_;   ///< (m)
  std::vector<Target> targets_;
  std::vector<PlacedTerm> terms_;  ///< of linear rows
  std::vector<MixedCoordinate> mixed_;
  CouplingTurns turns_;
  int num_mechanism_rows_ = 0;
  std::unique_ptr<FeatureMap> map_;
  SparsePattern pattern_;
};

/// "joint 'P2', rotation about x", "body 'crank', length from A to B", "driver 'motor'".
std::string describe_row(const ConstraintSystem& system, int row);

}  // namespace eslabon::coordinates
