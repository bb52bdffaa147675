#include <algorithm>
#include <cmath>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/constrained_motion.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"
#include "eslabon/dynamics/formulations/open_chain.hpp"
#include "eslabon/dynamics/formulations/partition.hpp"
#include "eslabon/dynamics/mass/mass_factors.hpp"

// The equations of motion in independent coordinates, with the basis R of the motions that the constraints allow:
//   q̇ = R ż + s,   q̈ = R z̈ + c,   c = S⁻¹ [gamma; 0]                       [Seed003, §3.3.1, eq. (13)]        (1)
//   (Rᵀ M R) z̈ = Rᵀ (Q − h − M c)                                          [Seed003, eq. (14)]               (2)
// z are some of q, chosen by pivoting; when they have become bad, others are chosen between two steps. Dependent positions follow
// from z by Newton, so that the constraints hold to roundoff at every evaluation.
// Where discs roll, ż obey rows too, with A of VelocityRows:  B ż = −A s,  B = A R,  and
//   [ RᵀMR  Bᵀ ] [ z̈ ]   [ Rᵀ (Q − h − M c) ]
//   [ B     0  ] [ μ ] = [ gamma_A − A c    ]                                                            (3)
// z stay as many as there are degrees of freedom in position. After each step ż ← ż + δ with the δ of minimum kinetic energy that leaves
// nothing of A v: (3) with 0 and −A v on the right.
// With relative coordinates and masses by composite inertias (tree_mass.cpp) it is the semi-recursive formulation: (1) is the second
// velocity transformation [Seed004, eqs. (26)–(28)], (2) its equations of motion [Seed004, eq. (29)].
namespace eslabon::dynamics {

namespace {

constexpr int kMostNewtonSteps = 15;
constexpr double kLastNewtonStep = 1e-9;
constexpr double kBadChoice = 0.5;  // of the best pivot ratio that the choice has had

Matrices matrices_of(const std::string& variant) {
  return variant.empty() ? Matrices::kBySize : variant == "dense" ? Matrices::kDense : Matrices::kSparse;
}

class NullSpace final : public Formulation {
 public:
  NullSpace(std::string_view name, std::string_view kind, const DynamicModel& model,
            const FormulationOptions& options)
      : name_(name),
        matrices_(matrices_of(options.variant)),
        motion_(kind, model),
        n_(static_cast<std::size_t>(motion_.n())),
        c_(static_cast<std::size_t>(motion_.system().num_rows())),
        x_(n_) {
    choose(motion_.state_of(model.start(), 0.0));
    start_regularity_ = good_ratio_ > 0.0 ? partition_->regularity() : 1.0;
    if (options.times_steps) motion_.timer().switch_on();
  }

  std::string_view name() const override { return name_; }
  std::string description() const override { return motion_.description(); }
  int num_coordinates() const override { return motion_.n(); }
  int num_integrated() const override { return static_cast<int>(partition_->independent().size()); }

  State start() override { return state_of(motion_.model().start(), 0.0); }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    State state = motion_.state_of(bodies, t);
    std::vector<double> z(freedoms()), z_dot(freedoms());
    read(state, z, z_dot);
    if (complete(t, z, z_dot, state) == DynamicsStatus::kSolved) static_cast<void>(project(state));
    return state;
  }

  void read_scales(std::span<double> out) const override {
    for (std::size_t k = 0; k < freedoms(); ++k) out[k] = motion_.scales()[column(k)];
  }
  void read(const State& state, std::span<double> z, std::span<double> z_dot) const override {
    for (std::size_t k = 0; k < freedoms(); ++k) {
      z[k] = state.q[column(k)];
      z_dot[k] = state.v[column(k)];
    }
  }

  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) override {
    motion_.timer().begin();
    state.t = t;
    // A first guess for the others: along the motion that they are in.
    if (!motion_.evaluate_rows(t, state.q)) return DynamicsStatus::kNoValue;
    double last = 0.0;
    for (int i = 0;; ++i) {
      if (i == kMostNewtonSteps) return DynamicsStatus::kNotClosed;
      if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
      for (std::size_t k = 0; k < freedoms(); ++k) y_[k] = z[k] - state.q[column(k)];
      for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = -motion_.level().Phi[static_cast<Eigen::Index>(r)];
      partition_->solve(c_, y_, x_);
      for (std::size_t k = 0; k < n_; ++k) state.q[k] += x_[k];
      for (std::size_t k = 0; k < freedoms(); ++k) state.q[column(k)] = z[k];
      const double size = motion_.scaled_norm(x_);
      if (!std::isfinite(size) || (i > 2 && size > last && size > kLastNewtonStep))
        return DynamicsStatus::kNotClosed;
      last = size;
      if (!motion_.evaluate_rows(t, state.q)) return DynamicsStatus::kNoValue;
      if (size <= kLastNewtonStep) break;
    }
    motion_.timer().lap(SemiRecursiveStep::kClose);
    if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
    motion_.timer().lap(SemiRecursiveStep::kConstraints);
    for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = -motion_.level().Phi_t[static_cast<Eigen::Index>(r)];
    partition_->solve(c_, z_dot, state.v);
    motion_.timer().lap(SemiRecursiveStep::kVelocities);
    motion_.follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  // Seed003 eq. 14
  // Seed004 eq. 27, eq. 29
  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    StepTimer& timer = motion_.timer();
    if (!motion_.evaluate(state)) return DynamicsStatus::kNoValue;
    if (n_ == freedoms() && !rolls()) {  // no loop: R = 1
      take_all_masses();
      timer.lap(SemiRecursiveStep::kEquations);
      return solve(a, z_ddot);
    }
    if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
    timer.lap(SemiRecursiveStep::kConstraints);
    find_directions();
    timer.lap(SemiRecursiveStep::kTransformation);
    std::ranges::fill(y_, 0.0);
    for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = motion_.gamma()[static_cast<Eigen::Index>(r)];
    partition_->solve(c_, y_, x_);  // c of (1)
    timer.lap(SemiRecursiveStep::kBias);
    const Eigen::Map<const Eigen::VectorXd> c(x_.data(), static_cast<Eigen::Index>(n_));
    // Coefficient by coefficient: a product of blocks would take its scratch from the heap.
    rest_ = motion_.masses().Q - motion_.masses().h;
    find_reduced_mass();
    force_ = R_.transpose().lazyProduct(rest_);
    force_ -= MR_.transpose().lazyProduct(c);  // (2)
    if (rolls()) {
      find_rolling_directions();
      for (Eigen::Index k = 0; k < slip_.size(); ++k) {
        const int row = motion_.rolling_rows()[static_cast<std::size_t>(k)];
        slip_[k] = motion_.rolling_level().gamma[row] - motion_.rolling_level().A.row(row).dot(c);
      }
    }
    timer.lap(SemiRecursiveStep::kEquations);
    return solve(a, z_ddot);
  }

  // (3)
  DynamicsStatus project(State& state) override {
    if (!rolls()) return DynamicsStatus::kSolved;
    if (!motion_.evaluate_rows(state.t, state.q)) return DynamicsStatus::kNoValue;
    if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
    motion_.evaluate_mass(state.q, state.v);
    find_directions();
    find_reduced_mass();
    find_rolling_directions();
    const auto n = static_cast<Eigen::Index>(n_);
    Eigen::Map<Eigen::VectorXd> v(state.v.data(), n);
    for (Eigen::Index k = 0; k < slip_.size(); ++k)
      slip_[k] = -motion_.rolling_level().A.row(motion_.rolling_rows()[static_cast<std::size_t>(k)]).dot(v);
    force_.setZero();
    if (!solve_rolling()) return DynamicsStatus::kSingular;
    v += R_.lazyProduct(force_);
    return motion_.all_roll(state) ? DynamicsStatus::kSolved : DynamicsStatus::kNoValue;
  }

  std::span<const double> state_rates() const override { return motion_.state_rates(); }

  core::ErrorText why_not(const State& state) override { return motion_.why_not(state); }

  double regularity() const override { return std::min(1.0, partition_->regularity() / start_regularity_); }

  std::optional<std::string> choose_integrated(State& state) override {
    motion_.evaluate_rows_or_throw(state);
    const double ratio = partition_->factor(motion_.level().Phi_q) ? partition_->pivot_ratio() : 0.0;
    good_ratio_ = std::max(good_ratio_, ratio);  // a choice near a singular position becomes better behind it
    if (ratio > kBadChoice * good_ratio_) return std::nullopt;
    const std::vector<int> before = partition_->independent();
    choose(state);
    if (partition_->independent() == before) return std::nullopt;
    std::string names;
    for (const int column : partition_->independent())
      names +=
          (names.empty() ? "" : ", ") + motion_.system().coordinates()[static_cast<std::size_t>(column)].name;
    return "independent coordinates are now " + names;
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    motion_.evaluate_bodies(state, a, out);
  }
  double constraint_error(const State& state) override { return motion_.constraint_error(state); }
  const StepTimer* timer() const override { return motion_.timer().is_on() ? &motion_.timer() : nullptr; }

 private:
  std::size_t freedoms() const { return partition_->independent().size(); }
  std::size_t column(std::size_t k) const { return static_cast<std::size_t>(partition_->independent()[k]); }

  void choose(const State& state) {
    motion_.evaluate_rows_or_throw(state);
    partition_ = std::make_unique<Partition>(motion_.system(), motion_.rows(), motion_.level().Phi_q,
                                             motion_.scales(), matrices_);
    good_ratio_ = partition_->factor(motion_.level().Phi_q) ? partition_->pivot_ratio() : 0.0;
    const auto f = static_cast<Eigen::Index>(freedoms()), n = static_cast<Eigen::Index>(n_);
    y_.assign(freedoms(), 0.0);
    R_.resize(n, f);
    MR_.resize(n, f);
    mass_.resize(f, f);
    force_.resize(f);
    const auto k = static_cast<Eigen::Index>(motion_.rolling_rows().size());
    B_.resize(k, f);
    slip_.resize(k);
    units_.resize(f + k);
    if (k == 0) return;
    K_.resize(f + k, f + k);
    right_.resize(f + k);
    answer_.resize(f + k);
    lu_ = core::Lu(f + k);
  }

  bool rolls() const { return !motion_.rolling_rows().empty(); }

  /// R of (1) where S was factored last.
  void find_directions() {
    std::ranges::fill(c_, 0.0);
    for (std::size_t k = 0; k < freedoms(); ++k) {
      std::ranges::fill(y_, 0.0);
      y_[k] = 1.0;
      partition_->solve(c_, y_, {R_.col(static_cast<Eigen::Index>(k)).data(), n_});
    }
  }
  /// M R and RᵀMR.
  void find_reduced_mass() {
    for (Eigen::Index k = 0; k < R_.cols(); ++k)
      motion_.mass().multiply(motion_.masses(), {R_.col(k).data(), n_}, {MR_.col(k).data(), n_});
    mass_ = R_.transpose().lazyProduct(MR_);
  }
  /// B of (3).
  void find_rolling_directions() {
    for (Eigen::Index k = 0; k < B_.rows(); ++k)
      B_.row(k) =
          motion_.rolling_level().A.row(motion_.rolling_rows()[static_cast<std::size_t>(k)]).lazyProduct(R_);
  }

  /// (3) with force_ and slip_ on the right, in units in which the diagonal of RᵀMR and the rows of B have length 1; force_ becomes the
  /// first part of the answer. A degree of freedom without mass has the unit of the heaviest.
  [[nodiscard]] bool solve_rolling() {
    constexpr double kRoundoff = 1e-14;
    const Eigen::Index f = mass_.rows(), k = B_.rows();
    const double largest = mass_.diagonal().maxCoeff();
    if (!(largest > 0.0)) return false;
    for (Eigen::Index i = 0; i < f; ++i)
      units_[i] = 1.0 / std::sqrt(mass_(i, i) > kRoundoff * largest ? mass_(i, i) : largest);
    for (Eigen::Index r = 0; r < k; ++r) {
      double square = 0.0;
      for (Eigen::Index i = 0; i < f; ++i) square += B_(r, i) * B_(r, i) * units_[i] * units_[i];
      if (!(square > 0.0)) return false;
      units_[f + r] = 1.0 / std::sqrt(square);
    }
    K_.setZero();
    for (Eigen::Index i = 0; i < f; ++i) {
      for (Eigen::Index j = 0; j < f; ++j) K_(i, j) = units_[i] * mass_(i, j) * units_[j];
      for (Eigen::Index r = 0; r < k; ++r) K_(i, f + r) = K_(f + r, i) = units_[i] * B_(r, i) * units_[f + r];
      right_[i] = units_[i] * force_[i];
    }
    for (Eigen::Index r = 0; r < k; ++r) right_[f + r] = units_[f + r] * slip_[r];
    lu_.compute(K_);
    if (!(lu_.smallest_pivot() > kRoundoff * lu_.largest_pivot())) return false;
    lu_.solve(right_, answer_);
    for (Eigen::Index i = 0; i < f; ++i) force_[i] = units_[i] * answer_[i];
    return true;
  }

  /// M and Q − h as they are.
  // Seed000 eq. 96
  // Seed004 eq. 17
  void take_all_masses() {
    const coordinates::SparsePattern& pattern = motion_.mass().pattern();
    mass_.setZero();
    for (std::size_t column = 0; column < n_; ++column)
      for (int e = pattern.column_start[column]; e < pattern.column_start[column + 1]; ++e)
        mass_(pattern.row_of_entry[static_cast<std::size_t>(e)], static_cast<Eigen::Index>(column)) =
            motion_.masses().M[static_cast<std::size_t>(e)];
    force_ = motion_.masses().Q - motion_.masses().h;
  }

  /// z̈ of (2), and all accelerations with the c that stands in x_.
  // Seed003 eq. 13
  // Seed004 eq. 28
  DynamicsStatus solve(std::span<double> a, std::span<double> z_ddot) {
    if (rolls()) {
      if (!solve_rolling()) return DynamicsStatus::kSingular;
    } else if (freedoms() > 0) {  // otherwise drivers say everything
      if (!factors_.factor(mass_)) return DynamicsStatus::kSingular;
      factors_.solve(force_);
    }
    Eigen::Map<Eigen::VectorXd> all(a.data(), static_cast<Eigen::Index>(n_));
    if (n_ == freedoms() && !rolls()) {
      all = force_;
    } else {
      all = Eigen::Map<const Eigen::VectorXd>(x_.data(), static_cast<Eigen::Index>(n_));
      all += R_.lazyProduct(force_);  // (1)
    }
    for (std::size_t k = 0; k < freedoms(); ++k) z_ddot[k] = force_[static_cast<Eigen::Index>(k)];
    motion_.timer().lap(SemiRecursiveStep::kSolve);
    return DynamicsStatus::kSolved;
  }

  std::string name_;
  Matrices matrices_;
  ConstrainedMotion motion_;
  std::size_t n_;
  std::unique_ptr<Partition> partition_;
  double good_ratio_ = 0.0;  ///< of pivots, the best since z were chosen
  double start_regularity_ = 1.0;
  // Scratch.
  std::vector<double> c_, x_, y_;
  Eigen::MatrixXd R_, MR_, mass_;
  Eigen::VectorXd force_, rest_;
  MassFactors factors_;
  // Of (3): its unknowns are measured in units_.
  Eigen::MatrixXd B_, K_;
  Eigen::VectorXd slip_, units_, right_, answer_;
  core::Lu lu_;
};

}  // namespace

std::unique_ptr<Formulation> make_null_space(const DynamicModel& model, const FormulationOptions& options) {
  return std::make_unique<NullSpace>("null-space", options.kind, model, options);
}

std::unique_ptr<Formulation> make_semi_recursive(const DynamicModel& model,
                                                 const FormulationOptions& options) {
  if (is_open_chain(model) && options.variant != "dense") {
    if (options.times_steps)
      throw core::ModelError({.what = "this mechanism is simulated without the steps that could be timed",
                              .where = "mechanism '" + model.mechanism().name() + "'",
                              .expected = "loops, or the variant 'dense'",
                              .actual = "an open chain, by articulated inertias",
                              .next = "Do not time steps, or take the variant 'dense'."});
    return make_open_chain(model);
  }
  return std::make_unique<NullSpace>("semi-recursive", "relative", model, options);
}

}  // namespace eslabon::dynamics
