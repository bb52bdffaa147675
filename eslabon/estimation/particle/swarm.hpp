#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/system.hpp"

namespace eslabon::sensing {
class Instrument;
}

namespace eslabon::estimation {

/// Where particles lie, structure of arrays: number k of particle i is array(k)[i].
struct Lanes {
  double* base = nullptr;
  std::size_t stride = 0;  ///< from one array to the next
  std::size_t count = 0;

  double* array(int k) const { return base + static_cast<std::size_t>(k) * stride; }
  Lanes part(std::size_t first, std::size_t number) const { return {base + first, stride, number}; }
};

/// What is known at the start when positions are not: nothing but this.
struct UnknownStart {
  double rate_deviation =
      0.0;  ///< of the rate of each DOF, lengths in the mechanism's size; 0: at rest [1/s]
};

/// A system of which many states go on at once: what filters of many particles see of it. A particle is num_arrays() numbers; some of
/// them are the system's states x, others tell what x alone does not, such as the branch, so that any two particles may be on
/// different ones. The numbers of one particle never depend on the others, nor on how many are in a call: the same bits in any
/// company. at() and prepare_step() are called from one thread; then calls that are const may come from many, each with a workspace and
/// lanes of its own. Nothing allocates after construction but at(), draw(), place() and the first find_poses().
class Swarm {
 public:
  /// At most so many particles in one call; scratch like `normals` has rows of this length.
  static constexpr std::size_t kBlock = 64;
  /// Scratch: one per thread, no meaning between calls.
  class Workspace {
   public:
    virtual ~Workspace() = default;
  };

  virtual ~Swarm() = default;

  virtual std::unique_ptr<Workspace> make_workspace() const = 0;
  virtual int num_arrays() const = 0;
  /// The array that is state k of the system (System::states()).
  virtual int array_of_state(Eigen::Index k) const = 0;
  /// Standard normal numbers that a step of one particle uses up.
  virtual int num_normals() const = 0;

  /// The time that displace, measure, read, place and draw speak of.
  virtual void at(double t) = 0;
  /// All particles take place at the state x, looked for from where the system accepted last. False: x is no state, nothing has changed.
  [[nodiscard]] virtual bool place(ConstStateRef x, Lanes lanes) = 0;
  /// One particle drawn from everything that is possible: positions uniform over the reachable range of the degrees of freedom that are states
  /// and over all branches; what is estimated beside the motion as normal numbers with its own deviation. False: none was found.
  [[nodiscard]] virtual bool draw(const UnknownStart& start, core::Rng& rng, Lanes one) = 0;

  /// Before step(): from t on by h. `motion`: deviation that each step adds to positions beside the system's own noise, lengths in the
  /// mechanism's size (MOTION_STDDEV of [Seed000, §4.1]).
  virtual void prepare_step(double t, double h, double motion) = 0;
  /// Each particle goes on by the system's step and noise from `normals` (num_normals() × kBlock). ok: (count) 1, or 0 where no state
  /// follows: that particle stays as it was.
  virtual void step(Workspace& workspace, Lanes lanes, const double* normals, double* ok) const = 0;
  /// Moves the states of each particle by dx (n × kBlock), within the constraints. ok as in step().
  virtual void displace(Workspace& workspace, Lanes lanes, const double* dx, double* ok) const = 0;
  /// y: (m × kBlock) what the sensor would read without noise; not finite where it cannot be told.
  virtual void measure(Workspace& workspace, Lanes lanes, int sensor, double* y) const = 0;
  /// What read() tells from now on. False: this swarm has no outputs.
  [[nodiscard]] virtual bool set_outputs(
      const std::vector<std::shared_ptr<const sensing::Instrument>>& /*outputs*/) {
    return false;
  }
  /// y: (channels × kBlock) of output k.
  virtual void read(Workspace& /*workspace*/, Lanes /*lanes*/, int /*output*/, double* /*y*/) const {}
  /// X_WB: (count × bodies of the system) where the bodies of each particle are, those of one side by side. The first call allocates.
  /// False: particles of this swarm have no bodies.
  [[nodiscard]] virtual bool find_poses(Lanes /*lanes*/, std::span<core::Pose<double>> /*X_WB*/) {
    return false;
  }
  /// The system is to look for states from this particle on, on its branch.
  virtual void accept(Lanes one) = 0;
  /// Largest residual of the constraints among these particles [m].
  virtual double constraint_error(Lanes /*lanes*/) { return 0.0; }
};

}  // namespace eslabon::estimation
