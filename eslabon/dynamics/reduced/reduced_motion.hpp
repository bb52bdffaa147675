#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/core/geometry/spatial_vector.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/mass/mass_factors.hpp"
#include "eslabon/dynamics/reduced/reduced_code.hpp"

namespace eslabon::dynamics {

/// A number that the motion depends on and that nobody knows.
struct Unknown {
  enum class Kind {
    kFreedomForce,  ///< a force along degree of freedom `index` [N or N m]
    kForce,         ///< a force on a point along a world axis, or an effort in a joint: `along` [N or N m]
    kMass,          ///< mass and inertia of body `index`, as a factor of what the file says
    kSpring,        ///< force of spring `index`, as a factor
    kDamper,        ///< force of damper `index`, as a factor
    kFriction,      ///< friction of joint `index`, as a factor
    kState,         ///< auxiliary state `index`, which has a rate of its own
  };
  Kind kind = Kind::kForce;
  int index = 0;
  std::optional<model::Variable> along = std::nullopt;  ///< of kForce: kPointPosition or kJointPosition

  bool is_factor() const {
    return kind == Kind::kMass || kind == Kind::kSpring || kind == Kind::kDamper || kind == Kind::kFriction;
  }
  /// The value with which the motion is that of the file: 0 for forces, 1 for factors; of an auxiliary state nobody knows it, 0.
  double neutral() const { return is_factor() ? 1.0 : 0.0; }
};

/// Puts the unknowns that are factors in their places.
template <class T>
void set_factors(const std::vector<Unknown>& unknowns, std::span<const T> theta, ElementFactors<T>& elements,
                 std::span<T> bodies);

/// The auxiliary states of a mechanism as unknowns, in their order.
std::vector<Unknown> state_unknowns(const model::Mechanism& mechanism);

/// Throws core::ModelError for what filters cannot step over, or, written down, equations of motion do not say: rigid stops, friction by a
/// load, rods with mass.
void check_smooth(const model::Mechanism& mechanism, bool is_written_down);

enum class ReducedStatus {
  kSolved,
  kNotClosed,  ///< no position with these z near where it was looked for
  kSingular,  ///< z does not determine the position there, or a degree of freedom has no mass, or a factor is negative
  kNoValue,  ///< a force or a driver has no value there
};

/// The motion of a mechanism at one instant, with all that follows from z, ż and the unknowns θ.
struct ReducedPoint {
  double t = 0.0;                    ///< [s]
  Eigen::VectorXd z, z_dot, z_ddot;  ///< (f)
  Eigen::VectorXd theta;             ///< (p) unknowns
  Eigen::VectorXd theta_dot;         ///< (p) rates of auxiliary states, 0 of other unknowns
  std::vector<double> q, v, a;       ///< (n)
  Eigen::MatrixXd R;                 ///< (n × f) ∂q/∂z
  Eigen::MatrixXd mass;              ///< (f × f) Rᵀ M R
  coordinates::MechanismMotion bodies;
  ForceMemory memory;
};

/// Derivatives of a ReducedPoint along x = (z, ż, θ).
struct ReducedTangent {
  Eigen::MatrixXd q_x, v_x;     ///< (n × (2 f + p))
  Eigen::MatrixXd z_ddot_x;     ///< (f × (2 f + p))
  Eigen::MatrixXd theta_dot_x;  ///< (p × (2 f + p))
  /// (2 f + p) the bodies of the point with their derivatives along each of x
  std::vector<coordinates::MechanismMotionOf<core::Dual<double>>> bodies;
  /// (2 f + p)(states) the same of auxiliary states
  std::vector<std::vector<core::Dual<double>>> states;
};

/// A mechanism as filters see it: as many numbers z as it has degrees of freedom, some of its relative coordinates q, tell everything,
///   Phi(q, t) = 0,   q_c = z                     c: the chosen columns                                       (1)
///   q̇ = R ż + s,   q̈ = R z̈ + b,   R = ∂q/∂z                                                               (2)
///   (Rᵀ M R) z̈ = Σ K_bᵀ (W_b − M_b b_b − …)      summed over the bodies b; K_b: their motions for unit ż     (3)
/// [Seed003, eqs. (13)–(15)] with exact derivatives: an equation g(y, x) = 0 that holds, evaluated with dual numbers x + ε and with
/// y as a constant, tells  y_x = −g_y⁻¹ g_x  from factors of g_y that stand already. Rates of rates need dual numbers of dual numbers,
/// one for time and one for x. Dense, for mechanisms of tens of bodies. Results depend on the arguments and on which coordinates are z
/// alone. One per thread.
class ReducedMotion {
 public:
  enum class Use {
    kForces,             ///< z̈ follow from forces
    kKinematics,         ///< z̈ are given: follow() alone is called
    kEquations,          ///< nothing is computed: they are written down, also of what drivers alone move
    kKinematicEquations  ///< the same without forces
  };
  /// `preferred`: names of coordinates that are to be z if they can. Throws core::ModelError for mechanisms
  /// without degree of freedom, of which equations may be written, and, where there are forces, for what filters cannot step over: rigid stops, friction by a load, rods with mass.
  ReducedMotion(const DynamicModel& model, std::vector<Unknown> unknowns, Use use = Use::kForces,
                const std::vector<std::string>& preferred = {});

  const DynamicModel& model() const { return model_; }
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  Eigen::Index num_freedoms() const { return static_cast<Eigen::Index>(chosen_.size()); }    ///< f
  Eigen::Index num_unknowns() const { return static_cast<Eigen::Index>(unknowns_.size()); }  ///< p
  Eigen::Index num_directions() const { return 2 * num_freedoms() + num_unknowns(); }
  /// The coordinates that are z now: (f).
  const coordinates::Coordinate& coordinate(Eigen::Index k) const {
    return system_.coordinates()[static_cast<std::size_t>(chosen_[static_cast<std::size_t>(k)])];
  }
  /// Size of the mechanism [m].
  double length() const { return length_; }
  const coordinates::ConstraintSystem& system() const { return system_; }
  const coordinates::KinematicTree& tree() const { return tree_; }
  const std::vector<int>& independent_rows() const { return rows_; }
  const std::vector<int>& chosen() const { return chosen_; }  ///< (f) columns of z
  /// See below.
  template <class T>
  void set_factors(std::span<const T> theta, ElementFactors<T>& elements, std::span<T> bodies) const {
    dynamics::set_factors<T>(unknowns_, theta, elements, bodies);
  }

  /// The start of the model, solved, with neutral unknowns. Throws core::ModelError when it is singular.
  ReducedPoint start() { return point_of(model_.start(), 0.0); }
  /// The same for this motion of the bodies, which satisfies the constraints; accelerations are not read.
  ReducedPoint point_of(const coordinates::MechanismMotion& bodies, double t);
  /// The point with the z, ż and θ that stand in `point`, at time t; dependent coordinates are looked for from where `near` is, which may
  /// be the same. When it is not solved the point is meaningless.
  [[nodiscard]] ReducedStatus solve(double t, const ReducedPoint& near, ReducedPoint& point);
  /// The same with the z̈ that stand in `point`, whatever the forces.
  [[nodiscard]] ReducedStatus follow(double t, const ReducedPoint& near, ReducedPoint& point);
  /// What is said of a point at which solve() or follow() found no value of a force or a driver: names it. Slow.
  core::ErrorText why_not(const ReducedPoint& point) const;
  /// At a point that is solved. False where factors are singular, and for forces that have no derivatives.
  [[nodiscard]] bool differentiate(const ReducedPoint& point, ReducedTangent& out);
  /// The bodies of a point that is solved with their derivatives by z̈_k, positions and rates unchanged.
  void lift_acceleration(const ReducedPoint& point, Eigen::Index k,
                         coordinates::MechanismMotionOf<core::Dual<double>>& out);
  /// Scratch of the right sizes.
  ReducedTangent make_tangent() const;

  /// From here on solve() and differentiate() ask code that this compiler makes, if it does, and makes anew when other coordinates become z.
  void set_compiler(std::shared_ptr<ReducedCompiler> compiler, std::vector<WrittenReading> readings = {}) {
    compiler_ = std::move(compiler);
    readings_ = std::move(readings);
    if (compiler_) code_ = compiler_->compile(*this, readings_);
  }
  /// What code alone can tell without all the rest, at a point that is solved; false where there is none, or where it cannot tell:
  /// z̈_x of differentiate(), and a reading with its derivatives (m × (2 f + p)).
  [[nodiscard]] bool differentiate_accelerations_by_code(const ReducedPoint& point,
                                                         Eigen::Ref<Eigen::MatrixXd> z_ddot_x) {
    return code_ && model_.evaluate_drivers(point.t, values_) &&
           code_->differentiate_accelerations(values_, point, z_ddot_x);
  }
  [[nodiscard]] bool read_by_code(std::size_t reading, const ReducedPoint& point, std::span<double> y,
                                  Eigen::Ref<Eigen::MatrixXd> H) {
    return code_ && model_.evaluate_drivers(point.t, values_) && code_->read(reading, values_, point, y, H);
  }

  /// How much a coordinate moves at most for a unit of z, lengths in units of the size: large where z are badly chosen.
  double leverage(const ReducedPoint& point) const;
  /// Takes those coordinates as z that move most at the point; false, and nothing has changed, when they are not much better than the
  /// present ones. The point is renewed. T = ∂x_new/∂x, with the tangent of the point before.
  bool choose(ReducedPoint& point, const ReducedTangent& tangent, Eigen::Ref<Eigen::MatrixXd> T);
  /// The same with coordinates of these names alone, which are enough of them.
  bool choose_among(ReducedPoint& point, const std::vector<std::string>& names);
  /// z of a point whose q are known.
  void read_freedoms(ReducedPoint& point) const {
    for (Eigen::Index k = 0; k < num_freedoms(); ++k) {
      const auto c = static_cast<std::size_t>(chosen_[static_cast<std::size_t>(k)]);
      point.z[k] = point.q[c];
      point.z_dot[k] = point.v[c];
    }
  }

  double constraint_error(const ReducedPoint& point);

 private:
  using Dual = core::Dual<double>;
  using Jet = core::Dual<Dual>;  ///< in time; its parts are dual numbers along x

  /// Where an entry of Phi_q goes.
  struct Place {
    int row = -1;         ///< among the independent rows; −1: none
    int coordinate = -1;  ///< its column in q
    int column = -1;      ///< the same among the dependent columns, or the chosen ones
    bool is_chosen = false;
  };
  using DualTwist = core::SpatialMotion<Dual>;

  void check_model() const;
  /// Auxiliary states of the memory from the unknowns.
  void take_states(ReducedPoint& point) const;
  [[nodiscard]] bool solve_by_code(double t, const ReducedPoint& near, ReducedPoint& point);
  void place_entries();
  /// Takes these columns as z when that is much better at the point.
  bool exchange(ReducedPoint& point, const std::vector<int>& better);
  [[nodiscard]] bool factor();
  [[nodiscard]] ReducedStatus close(const ReducedPoint& near, ReducedPoint& point);
  /// Positions and rates of z and ż; a: what accelerations are when z̈ = 0.
  [[nodiscard]] ReducedStatus place(double t, const ReducedPoint& near, ReducedPoint& point);
  /// Factors of S_d and the bodies for unit ż of a solved point, unless they stand already.
  [[nodiscard]] bool prepare(const ReducedPoint& point);
  /// Those of the dependent columns from right-hand sides of the independent rows: S_d x = rhs_; into solved_.
  void solve_dependent() {
    if (!rows_.empty()) lu_.solve(rhs_, solved_);
  }
  void evaluate_rates(ReducedPoint& point);
  void evaluate_twists(const ReducedPoint& point);
  void evaluate_motion(ReducedPoint& point);
  [[nodiscard]] ReducedStatus evaluate_accelerations(ReducedPoint& point);
  // Dual numbers along one direction of x.
  void lift_rates(const ReducedPoint& point, Eigen::Index direction, ReducedTangent& out);
  void lift_accelerations(const ReducedPoint& point, Eigen::Index direction, const ReducedTangent& tangent);
  void lift_bodies(coordinates::MechanismMotionOf<Dual>& bodies) const;
  /// Bodies along ż_k, after those along z_k.
  void lift_rate(const ReducedPoint& point, Eigen::Index k, coordinates::MechanismMotionOf<Dual>& bodies);
  void lift_twists(const ReducedPoint& point, const coordinates::MechanismMotionOf<Dual>& bodies);
  void lift_unknowns(const ReducedPoint& point, Eigen::Index direction);
  static void lift_constants(const ReducedPoint& point, coordinates::MechanismMotionOf<Dual>& out);
  /// What z̈_k adds to derivatives; moving_ are those of the point.
  void add_acceleration(Eigen::Index k, double z_ddot, coordinates::MechanismMotionOf<Dual>& bodies) const;
  [[nodiscard]] bool differentiate_along(const ReducedPoint& point, Eigen::Index direction,
                                         ReducedTangent& out);

  DynamicModel model_;
  Use use_;
  std::vector<Unknown> unknowns_;
  bool has_states_ = false;  ///< auxiliary states among them
  coordinates::ConstraintSystem system_;
  coordinates::KinematicTree tree_;
  double length_;
  Eigen::VectorXd scales_;      ///< (n) lengths: the size
  std::vector<int> rows_;       ///< independent ones
  std::vector<int> chosen_;     ///< (f) columns of z
  std::vector<int> dependent_;  ///< (n − f)
  std::vector<Place> places_;   ///< (entries)
  std::shared_ptr<ReducedCompiler> compiler_;
  std::vector<WrittenReading> readings_;  ///< that code tells
  std::shared_ptr<ReducedCode> code_;     ///< none: everything is interpreted
  // Scratch.
  std::vector<coordinates::CoordinateValue> values_;
  coordinates::PositionLevel level_;
  coordinates::GammaWorkspace gamma_workspace_;
  coordinates::BodiesWorkspace bodies_workspace_;
  Eigen::VectorXd gamma_, rhs_, solved_, force_;
  Eigen::MatrixXd S_, of_z_;  ///< (rows × dependent), (rows × chosen)
  core::Lu lu_;
  Eigen::MatrixXd M_;
  MassFactors mass_factors_;
  std::vector<double> zero_;
  std::vector<coordinates::MechanismMotion> moving_;  ///< (f) bodies for unit ż
  /// Where lu_ and moving_ were found last; NaN: nowhere. They are the same bits whenever they are found again.
  std::vector<double> prepared_q_;
  std::vector<Wrench> wrenches_;
  ElementFactors<double> factors_;
  std::vector<double> body_factors_, state_rates_;
  // Scratch of derivatives.
  std::vector<Jet> jet_q_, jet_Phi_q_;
  coordinates::FeatureValues<Jet> jets_;
  std::vector<Dual> dual_q_, dual_Phi_q_, dual_v_, dual_a_;
  coordinates::FeatureValues<Dual> duals_;
  std::vector<WrenchOf<Dual>> dual_wrenches_;
  std::vector<DualTwist> dual_twists_;  ///< (bodies · f)
  ElementFactors<Dual> dual_factors_;
  std::vector<Dual> dual_body_factors_, dual_theta_, dual_state_rates_;
  Eigen::MatrixXd R_x_;  ///< (n × f) δR
};

}  // namespace eslabon::dynamics
