#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/dynamics/forces/applied_forces.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::sensing {

/// What instruments see: where everything is and how it moves, accelerations included, and what forces know.
template <core::Scalar T>
struct Scene {
  double t;  ///< [s]
  const coordinates::MechanismMotionOf<T>& bodies;
  dynamics::ForceMemoryView<T> memory;
};

/// What a sensor would read without errors, positions from the mechanism's own origin (Channel::origin tells the rest), for plain numbers, for dual ones, so that its derivatives are exact, and traced. const, safe to share
/// between threads.
class Instrument {
 public:
  using Dual = core::Dual<double>;

  explicit Instrument(std::vector<Channel> channels) : channels_(std::move(channels)) {}
  virtual ~Instrument() = default;

  const std::vector<Channel>& channels() const { return channels_; }
  /// out: (channels), NaN where there is nothing to read. Does not allocate. Throws core::ModelError when it reads a stop whose limit has
  /// no value: where accelerations are known, and so in filters, every limit has one. What a user's instrument throws passes through.
  virtual void read(const Scene<double>& scene, std::span<double> out) const = 0;
  virtual void read(const Scene<Dual>& scene, std::span<Dual> out) const = 0;
  virtual void read(const Scene<core::Traced>& scene, std::span<core::Traced> out) const = 0;

  /// Keeps what it reads from.
  void keep(const dynamics::DynamicModel& model) { model_ = model; }

 private:
  std::vector<Channel> channels_;
  std::optional<dynamics::DynamicModel> model_;  ///< where nobody else keeps it
};

/// An instrument of the user from a function of any scalar:
///   make_instrument({{"tilt", core::kAngle}}, [](const auto& scene, auto out) { out[0] = …; })
template <class Function>
std::unique_ptr<Instrument> make_instrument(std::vector<Channel> channels, Function function) {
  class OfFunction final : public Instrument {
   public:
    OfFunction(std::vector<Channel> list, Function f)
        : Instrument(std::move(list)), function_(std::move(f)) {}
    void read(const Scene<double>& scene, std::span<double> out) const override { function_(scene, out); }
    void read(const Scene<Dual>& scene, std::span<Dual> out) const override { function_(scene, out); }
    void read(const Scene<core::Traced>& scene, std::span<core::Traced> out) const override {
      function_(scene, out);
    }

   private:
    Function function_;
  };
  return std::make_unique<OfFunction>(std::move(channels), std::move(function));
}

/// The instrument of a sensor, which keeps the model. Axes are those of the sensor's frame S, R_WS = R_WB R_BS;
/// at the point P:
///   gyroscope       R_WSᵀ ω;                      planar: ω_z                                              (1)
///   accelerometer   R_WSᵀ (a_P − g)               proper acceleration [Seed003, eq. (10)]                  (2)
///   imu             (1), then (2)
///   inclinometer    roll atan2(u_y, u_z), pitch atan2(−u_x, √(u_y² + u_z²)),  u = −R_WSᵀ g;   planar: angle of x_S    (3)
///   magnetometer    R_WSᵀ n,  n: unit direction of the field;    planar: angle of x_S                      (4)
///   encoder, tachometer: joint coordinate, its rate; tracker: p_P; distance: |p_P2 − p_P1|; reads: the variable
/// Throws core::ModelError for what a motion and its applied forces do not determine: reactions and efforts of drivers; and for an
/// inclinometer in space without gravity.
std::unique_ptr<Instrument> make_instrument(const dynamics::DynamicModel& model, const model::Sensor& sensor);
/// The same of a mechanism and forces that the caller keeps.
std::unique_ptr<Instrument> make_instrument(const model::Mechanism& mechanism, const model::Sensor& sensor,
                                            const dynamics::AppliedForces& forces);

/// The instrument that reads a variable, as `reads:` does; the channel has the variable's name.
std::unique_ptr<Instrument> make_instrument(const dynamics::DynamicModel& model,
                                            const model::Variable& variable);
std::unique_ptr<Instrument> make_instrument(const model::Mechanism& mechanism,
                                            const model::Variable& variable,
                                            const dynamics::AppliedForces& forces);

/// Names, units, timing and errors of a sensor.
SensorFacts sensor_facts(const model::Sensor& sensor, const Instrument& instrument);

/// Derivatives of an instrument's readings (m) at a point: by x = (z, ż, θ) with all that follows, H (m × (2 f + p)), and by z̈ alone,
/// H_a (m × f).
void evaluate_jacobian(const Instrument& instrument, const dynamics::ReducedPoint& point,
                       const dynamics::ReducedTangent& tangent, Eigen::Ref<Eigen::MatrixXd> H);
void evaluate_acceleration_jacobian(const Instrument& instrument, dynamics::ReducedMotion& motion,
                                    const dynamics::ReducedPoint& point, Eigen::Ref<Eigen::MatrixXd> H_a);

}  // namespace eslabon::sensing
