#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/estimation/particle/particle_options.hpp"

namespace eslabon::runs {

/// A number that a filter estimates beside the motion. Values are in SI units.
struct UnknownRequest {
  enum class Kind {
    kForce,      ///< along a coordinate of a point or a joint, "wheel.W.z" or "A.q"
    kMass,       ///< factor of the mass of a body
    kStiffness,  ///< factor of that of a spring
    kDamping,    ///< factor of that of a damper
    kFriction,   ///< factor of that of a joint
    kBias,       ///< of a sensor, all of its channels, or of one channel
    kState,      ///< an auxiliary state, of which that is said which is not usual
  };
  Kind kind = Kind::kForce;
  std::string name = {};  ///< of what it belongs to
  std::optional<double> deviation =
      {};  ///< of the start; none: 10 N, 0.3 of a factor, 10 times the noise of a channel, a tenth of a state's size
  std::optional<double> walk =
      {};  ///< deviation of the change in 1 s; none: it is constant; of a state beside its rate
  std::optional<double> start =
      {};  ///< none: 0, or 1 of a factor, that of the file of a state; a bias has none
};
/// "force", "mass", "stiffness", "damping", "friction", "bias", "state".
std::string_view name(UnknownRequest::Kind kind);
std::optional<UnknownRequest::Kind> find_unknown_kind(std::string_view name);

/// What is asked of filters of many particles; what is not given is that of estimation::ParticleOptions.
struct ParticleRequest {
  std::optional<int> particles = {}, fewest = {};
  std::optional<estimation::Resampling> resampling = {};
  std::optional<double> threshold = {};
  std::optional<estimation::ParticleVariant> sampling = {};
  std::optional<double> motion = {}, roughening = {}, sensor_factor = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<int> threads = {};

  /// Throws RequestError for what is out of range.
  estimation::ParticleOptions options() const;
};

/// A filter that estimates the motion of a mechanism from readings of its sensors.
struct EstimateRequest {
  std::string filter = "dekf";   ///< one of estimation::estimator_names()
  bool simple_jacobian = false;  ///< of the state transition, where the filter can work by it
  std::optional<estimation::StepRule> integrator = {};  ///< of the filter's steps; none: heun

  core::Duration step = core::Duration::from_nanoseconds(1'000'000);  ///< of the filter
  std::optional<core::Duration> every = {};                           ///< from row to row; none: the step
  std::optional<core::Duration> until = {};                           ///< none: to the last reading
  /// For so long readings that come out of order are waited for; none: 20 ms, live 5 ms, and the longest latency of a sensor.
  std::optional<core::Duration> window = {};
  bool is_live =
      false;  ///< readings come while they are taken: a jump of all their times is one of the clock

  bool has_unknown_start = false;                   ///< anywhere, on any branch, for filters that can
  std::optional<double> start_deviation = {};       ///< [rad], or sizes of the mechanism; none: 5°
  std::optional<double> start_rate_deviation = {};  ///< [rad/s]; none: 5 °/s, of an unknown start 0

  double position_noise = 0.0;      ///< estimation::PlantNoise
  double velocity_noise = 0.5;      ///< the same
  double acceleration_noise = 0.0;  ///< the same
  std::vector<UnknownRequest> unknown = {};
  bool forces = false;  ///< a force along each degree of freedom is estimated too, as a random walk
  double force_deviation = 1.0, force_walk = 1.0;  ///< of these [rad/s², sizes/s²]
  double gate = 1e-6;  ///< probability of rejecting a good reading; 0: every reading is accepted
  ParticleRequest particle = {};

  std::optional<std::vector<std::string>> sensors = {};  ///< in use; none: all
  std::optional<std::vector<std::string>> outputs = {};  ///< none: those of the mechanism
  std::vector<std::string> release = {};                 ///< drivers; "all": all of them
  std::optional<std::string> branch = {};                ///< of the start; none: that of the start values
  std::shared_ptr<core::ProgramCompiler> compiler = {};  ///< for filters that run programs; none: interpreted
  std::shared_ptr<dynamics::ReducedCompiler> motion_compiler =
      {};  ///< the same for filters that follow one state
};

/// Throws RequestError for numbers and times out of range, and for fields that do not go together or that none of these filters reads.
void check_request(const EstimateRequest& request, const std::vector<std::string>& filters);

/// Deviations of the start.
struct StartDeviations {
  double position, rate;  ///< [rad], [rad/s]; lengths in sizes of the mechanism
};
StartDeviations start_deviations(const EstimateRequest& request);

/// How long readings are waited for; `latency`: the longest of the sensors [s].
core::Duration window_of(const EstimateRequest& request, double latency);

}  // namespace eslabon::runs
