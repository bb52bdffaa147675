#include <cmath>

#include "eslabon/dynamics/formulations/all_integrated.hpp"
#include "eslabon/dynamics/formulations/augmented_matrix.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"

// Lagrange's multipliers in any kind of coordinates, all of which are integrated:
//   [ M      Phi_qᵀ ] [ a ]   [ Q − h ]
//   [ Phi_q  0      ] [ λ ] = [ gamma − 2 α Φ̇ − β² Φ ]            [Seed002, eqs. (27), (32), (33)]             (1)
// Rows on velocities, A v = 0 of discs that roll, stand below Phi_q with  A a = gamma_A − 2 α A v  and multipliers of their own.
// Three ways to keep the constraints:
//   projection (no Baumgarte)   α = β = 0 in (1); after each step, positions by Newton and velocities in one step, both orthogonal
//                               in the mass, so that nothing is moved that need not be
//   Baumgarte, α or β not 0     (1) alone; Φ stays small
//   Baumgarte, α = β = 0        (1) alone with Φ̈ = 0; whatever a step leaves in Φ̇ and Φ stays, and Φ grows  [Seed002, figure 25]
namespace eslabon::dynamics {

namespace {

constexpr int kMostIterations = 20;
constexpr double kLastCorrection = 1e-9;

class Multipliers final : public AllIntegrated {
 public:
  Multipliers(const DynamicModel& model, const FormulationOptions& options)
      : motion_(options.kind, model),
        matrix_(motion_),
        baumgarte_(options.baumgarte),
        b_(static_cast<std::size_t>(motion_.n())),
        c_(static_cast<std::size_t>(motion_.system().num_rows())),
        x_(b_.size()),
        lambda_(motion_.rows().size()) {}

  std::string_view name() const override { return "multipliers"; }
  std::string description() const override {
    return motion_.description() + (!baumgarte_                ? ", projected after each step"
                                    : baumgarte_->stabilises() ? ", stabilised"
                                                               : ", neither stabilised nor projected");
  }
  int num_coordinates() const override { return motion_.n(); }

  void read_scales(std::span<double> out) const override { std::ranges::copy(motion_.scales(), out.begin()); }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    State state = motion_.state_of(bodies, t);
    static_cast<void>(close(state));
    return state;
  }

  // Seed000 eq. 103, eq. 104
  // Seed003 eq. 12
  // Seed002 eq. 31
  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    if (!motion_.evaluate(state)) return DynamicsStatus::kNoValue;
    if (!matrix_.factor(motion_)) return DynamicsStatus::kSingular;
    const Eigen::VectorXd& Q = motion_.masses().Q;
    for (std::size_t i = 0; i < b_.size(); ++i)
      b_[i] = Q[static_cast<Eigen::Index>(i)] - motion_.masses().h[static_cast<Eigen::Index>(i)];
    for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = motion_.gamma()[static_cast<Eigen::Index>(r)];
    c_A_ = motion_.rolling_level().gamma;
    if (baumgarte_ && baumgarte_->stabilises()) stabilise(state, *baumgarte_);
    matrix_.solve(b_, c_, {c_A_.data(), static_cast<std::size_t>(c_A_.size())}, a, lambda_);  // (1)
    std::copy(a.begin(), a.end(), z_ddot.begin());
    return DynamicsStatus::kSolved;
  }

  std::span<const double> state_rates() const override { return motion_.state_rates(); }

  core::ErrorText why_not(const State& state) override { return motion_.why_not(state); }

  DynamicsStatus project(State& state) override {
    return baumgarte_ ? DynamicsStatus::kSolved : close(state);
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    motion_.evaluate_bodies(state, a, out);
  }
  double constraint_error(const State& state) override { return motion_.constraint_error(state); }

 private:
  const DynamicModel& model() const override { return motion_.model(); }
  void follow_angles(State& state) override { motion_.follow_angles(state); }

  // Seed002 eq. 32, eq. 33
  void stabilise(const State& state, const Baumgarte& by) {
    // Φ̇ = Phi_q v + Phi_t
    const coordinates::SparsePattern& pattern = motion_.system().pattern();
    const coordinates::PositionLevel& level = motion_.level();
    for (std::size_t r = 0; r < c_.size(); ++r)
      c_[r] -= 2.0 * by.alpha * level.Phi_t[static_cast<Eigen::Index>(r)] +
               by.beta * by.beta * level.Phi[static_cast<Eigen::Index>(r)];
    for (std::size_t k = 0; k < state.v.size(); ++k)
      for (int e = pattern.column_start[k]; e < pattern.column_start[k + 1]; ++e)
        c_[static_cast<std::size_t>(pattern.row_of_entry[static_cast<std::size_t>(e)])] -=
            2.0 * by.alpha * level.Phi_q[static_cast<std::size_t>(e)] * state.v[k];
    for (Eigen::Index r = 0; r < c_A_.size(); ++r)
      for (std::size_t k = 0; k < state.v.size(); ++k)
        c_A_[r] -= 2.0 * by.alpha * motion_.rolling_level().A(r, static_cast<Eigen::Index>(k)) * state.v[k];
  }

  DynamicsStatus close(State& state) {
    for (int i = 0;; ++i) {
      if (i == kMostIterations) return DynamicsStatus::kNotClosed;
      if (!motion_.evaluate_rows(state.t, state.q)) return DynamicsStatus::kNoValue;
      motion_.evaluate_mass(state.q, state.v);
      if (!matrix_.factor(motion_)) return DynamicsStatus::kSingular;
      std::fill(b_.begin(), b_.end(), 0.0);
      for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = -motion_.level().Phi[static_cast<Eigen::Index>(r)];
      matrix_.solve(b_, c_, x_, lambda_);
      for (std::size_t k = 0; k < x_.size(); ++k) state.q[k] += x_[k];
      const double size = motion_.scaled_norm(x_);
      if (!std::isfinite(size)) return DynamicsStatus::kNotClosed;
      if (size <= kLastCorrection) break;
    }
    if (!motion_.evaluate_rows(state.t, state.q)) return DynamicsStatus::kNoValue;
    motion_.evaluate_mass(state.q, state.v);
    if (!matrix_.factor(motion_)) return DynamicsStatus::kSingular;
    motion_.mass().multiply(motion_.masses(), state.v, b_);
    for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = -motion_.level().Phi_t[static_cast<Eigen::Index>(r)];
    matrix_.solve(b_, c_, state.v, lambda_);
    if (!motion_.all_roll(state)) return DynamicsStatus::kNoValue;
    motion_.follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  ConstrainedMotion motion_;
  AugmentedMatrix matrix_;
  std::optional<Baumgarte> baumgarte_;
  std::vector<double> b_, c_, x_, lambda_;
  Eigen::VectorXd c_A_;  ///< (rows on velocities)
};

}  // namespace

std::unique_ptr<Formulation> make_multipliers(const DynamicModel& model, const FormulationOptions& options) {
  return std::make_unique<Multipliers>(model, options);
}

}  // namespace eslabon::dynamics
