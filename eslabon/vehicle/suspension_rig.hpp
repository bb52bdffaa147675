#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/linalg/least_norm.hpp"
#include "eslabon/dynamics/statics/freedom_chart.hpp"
#include "eslabon/vehicle/suspension_rig_vehicle.hpp"

namespace eslabon::vehicle {

/// What pads of the bench do to a wheel in its contact point beside carrying it, in axes of the chassis.
struct PatchLoad {
  double longitudinal = 0.0;  ///< F_x at the wheel as it is braked: locked to its carrier [N]
  double lateral = 0.0;       ///< F_y [N]
  double aligning = 0.0;      ///< M_z about the vertical [N m]
};

/// What the rig imposes, (wheels) counted left, right of each axle.
struct RigSetting {
  std::vector<double> travel;    ///< of the wheel centres, up, from where the vehicle is drawn [m]
  double steer = 0.0;            ///< of the steering coordinate, from there [rad or m]
  std::vector<PatchLoad> loads;  ///< (wheels)
};

/// A position on the rig.
struct RigPoint {
  dynamics::State state;
  Eigen::VectorXd efforts;  ///< (rows) what each imposed row takes, along it: of heights the wheel loads [N]
};

/// A wheel in axes of the chassis, which stands still, from its point `chassis`.
struct WheelPlace {
  Eigen::Vector3d center, axis;  ///< (3) axis: unit, to the left
  Eigen::Vector3d contact;       ///< (3) S, straight below the centre in the disc
};

/// How a wheel locked to its carrier moves for a unit of something imposed, axes of the chassis.
struct WheelRate {
  Eigen::Vector3d v = Eigen::Vector3d::Zero();  ///< (3) of the centre
  Eigen::Vector3d w = Eigen::Vector3d::Zero();  ///< (3) turn
  double load = 0.0;                            ///< of the wheel load
  Eigen::Vector3d contact_rate(const WheelPlace& place) const {
    return v + w.cross(place.contact - place.center);
  }
};

/// (wheels)
using WheelRates = std::vector<WheelRate>;

/// Loads whose small displacements are asked for, each of 1 N or 1 N m on one wheel.
enum class UnitLoad { kLateral, kBraking, kDriving, kAligning };

/// A vehicle whose chassis is held, and with it the frame of a trailer, wheels locked to their carriers, tyres taken off: heights of the wheel centres and the steering are
/// imposed, pads carry the wheels in their contact points and slide freely. With y the degrees of freedom of FreedomChart, H(y) = h what is imposed,
/// G = ∂H/∂y, and B the rows along which the rig pushes (those of G, but of heights the contact points instead of the centres):
///   H(y) = h,   f(y) + loads(y) + Bᵀ λ = 0                                                                     (1)
/// Where G has as many independent rows as there are degrees of freedom, its first part alone says where everything is. What is left, of bushings and of
/// springs in the steering, is found together with it by Newton's method,
///   G dy = h − H,   Z_Bᵀ (g + g_y dy) = 0,   g = f + loads + Bᵀ λ,   B Z_B = 0                                  (2)
/// Small motions about a position follow from the same matrices, exactly but for g_y, which is extrapolated from differences:
///   G y' = h',   g_y y' + Bᵀ λ' + loads' = 0                                                                   (3)
/// Auxiliary states stay at their starts. Not safe to share between threads.
class SuspensionRig {
 public:
  /// Throws core::ModelError when the vehicle cannot be assembled, and when it does not stand still with all that the rig holds.
  explicit SuspensionRig(RigVehicle vehicle);

  const RigVehicle& vehicle() const { return vehicle_; }
  /// Names of bodies that are held beside the chassis: those at least a quarter as heavy, which are frames of trailers.
  std::vector<std::string> held_frames() const;
  const dynamics::DynamicModel& model() const { return chart_.model(); }
  std::size_t num_wheels() const { return 2 * vehicle_.axles.size(); }
  const RigWheel& wheel(std::size_t k) const { return vehicle_.axles[k / 2].wheels[k % 2]; }
  RigSetting no_setting() const;
  /// Whether the height of a wheel can be imposed beside those before it; not where it is mounted rigidly to the chassis.
  bool has_travel(std::size_t wheel) const;
  /// Whether an axle hangs on the frame of a trailer.
  bool is_on_trailer(std::size_t axle) const;
  /// Whether it has degrees of freedom that springs and bushings decide about.
  bool is_compliant() const { return num_left_ > 0; }

  /// Where the vehicle is drawn. Throws core::ModelError where no balance is found there.
  RigPoint design(const RigSetting& setting);
  /// From a position near by. Nothing where it cannot get there: why_not says why.
  std::optional<RigPoint> move(const RigPoint& from, const RigSetting& setting);
  const std::string& why_not() const { return why_not_; }

  /// The functions below are about this position from now on. Throws core::ModelError where it is singular or forces have no value.
  void look_at(const RigPoint& point, const RigSetting& setting);
  /// Where bodies are, the chassis where it is drawn.
  std::vector<core::Pose<double>> poses() const;
  WheelPlace place(std::size_t wheel) const;
  double wheel_load(std::size_t wheel) const { return efforts_[height_row(wheel)]; }
  /// For a unit of the heights in `travel` (wheels), and of the steering. `with_loads`: finds rates of wheel loads too.
  WheelRates rates(const std::vector<double>& travel, double steer, bool with_loads);
  /// For a unit load on one wheel.
  WheelRates compliance(std::size_t wheel, UnitLoad load);
  /// As the steering turns while springs keep their lengths; (13) of suspension_rig_figures. Nothing without steering.
  std::optional<WheelRates> steer_with_locked_springs();

  /// In axes of the chassis, from its point [m].
  Eigen::Vector3d place_of(const Eigen::Vector3d& p_W) const { return axes_.transpose() * (p_W - origin_W_); }
  Eigen::Vector3d mass_center() const;
  /// Of all bodies, along z of the chassis [N].
  double weight() const;

 private:
  /// All that belongs to one state, in the coordinates of the chart's centre.
  struct Look {
    coordinates::MechanismMotion bodies;
    Eigen::MatrixXd G, B;            ///< (rows × f)
    Eigen::VectorXd missing;         ///< (rows) h − H
    Eigen::VectorXd force;           ///< (f) f + loads, tyres taken off
    std::vector<Eigen::MatrixXd> J;  ///< (wheels) (6 × f) v of the centre, w, world axes
    Eigen::MatrixXd stretch;         ///< (springs × f) rates of their lengths
  };
  /// y' and λ' of (3) for columns of h' (rows × k) and of loads' (f × k).
  struct Response {
    Eigen::MatrixXd y, efforts;
  };

  Eigen::Index height_row(std::size_t wheel) const {
    return first_height_ + static_cast<Eigen::Index>(wheel);
  }
  void choose_rows();
  [[nodiscard]] bool look(const dynamics::State& state, const RigSetting& setting, bool with_forces,
                          Look& out);
  void add_bench(const dynamics::State& state, const RigSetting& setting, Look& out);
  Eigen::VectorXd contact_row(const Look& at, std::size_t wheel, const Eigen::Vector3d& u_W) const;
  WheelPlace place_in(const coordinates::MechanismMotion& bodies, std::size_t wheel) const;
  Eigen::MatrixXd kept(const Eigen::MatrixXd& rows) const;
  Eigen::VectorXd efforts_of(const Look& at) const;
  /// g at y from the centre, efforts as they are.
  std::optional<Eigen::VectorXd> balance_at(const Eigen::VectorXd& y, const RigSetting& setting);
  /// g_y d, by one central difference, or extrapolated.
  std::optional<Eigen::VectorXd> push_along(const Eigen::VectorXd& d, const RigSetting& setting,
                                            bool is_exact);
  /// What (3) needs beside what is imposed, once for each position.
  struct Remainder {
    core::LeastNorm rows, pushes;   ///< of G and of B
    Eigen::MatrixXd Z, Z_B, along;  ///< along: g_y Z
  };
  Remainder& remainder();
  /// g_y of columns, extrapolated. Throws core::ModelError where a force has no value.
  Eigen::MatrixXd pushes_along(const Eigen::MatrixXd& directions);
  Response respond(const Eigen::MatrixXd& h_rates, const Eigen::MatrixXd& loads, bool with_efforts);
  WheelRates wheel_rates(const Eigen::VectorXd& y, const Eigen::VectorXd& efforts) const;
  std::optional<RigPoint> fail(std::string why);

  RigVehicle vehicle_;
  dynamics::FreedomChart chart_;
  dynamics::State start_;
  /// A body that stands still.
  struct HeldBody {
    model::BodyIndex body;
    core::Pose<double> X_WB;
  };
  std::vector<HeldBody> held_;            ///< the chassis first
  Eigen::Matrix3d axes_;                  ///< of the chassis, in the world
  Eigen::Vector3d origin_W_;              ///< its point
  std::vector<Eigen::Vector3d> centers_;  ///< (wheels) axes of the wheel body; of twins the middle
  std::vector<double> spin_starts_;       ///< (spins)
  double steer_start_ = 0.0;
  double lift_ = 0.0;                  ///< of the whole vehicle off the road [m]
  std::vector<double> height_starts_;  ///< (wheels)
  Eigen::Index first_height_ = 0;
  std::vector<Eigen::Index> rows_;  ///< independent ones, ascending
  Eigen::Index num_left_ = 0;       ///< degrees of freedom that nothing imposed decides about
  std::string why_not_;
  // The position that is looked at.
  dynamics::State state_;
  RigSetting setting_;
  Look look_;
  Eigen::VectorXd efforts_;
  std::optional<Remainder> remainder_;
};

}  // namespace eslabon::vehicle
