#include <algorithm>
#include <cmath>

#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/formulations/all_integrated.hpp"
#include "eslabon/dynamics/formulations/augmented_matrix.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"

// The augmented Lagrangian: constraints are stiff springs that are loaded anew until they give nothing, so that no choice of rows
// is needed and rows may repeat others, or become dependent on the way [GarciaDeJalonBayo1994, ch. 5]:
//   (M + Phi_qᵀ ϱ Phi_q) a = Q − h + Phi_qᵀ (ϱ gamma − λ),   λ ← λ + ϱ (Phi_q a − gamma)                        (1)
// It is solved with λ beside a, which says the same and loses no digits however stiff the springs are, ε = 1/ϱ:
//   [ M      Phi_qᵀ ] [ a     ]   [ Q − h         ]
//   [ Phi_q  −ε     ] [ λ_new ] = [ gamma − ε λ   ]                                                           (2)
// Implicit integrators solve it at index 3, for the positions at the end of a step [GarciaDeJalonBayo1994, ch. 8]:
//   M a + h − Q + Phi_qᵀ λ = 0,   Phi = 0   with   Phi_q dx − ε dλ = −Phi/β h²   in each of Newton's iterations          (3)
// Positions, velocities and accelerations are projected by (2), orthogonal in the mass, after each step.
//
// Rows that repeat others where the joints are closed do not where they are open by δ, as at the stages of a step: a row then
// contradicts the others by about δ and resists by about δ², and stiff springs would follow it instead of the motion: with
// ε < δ² the mechanism is stuck. The rows that are dependent at the start are therefore soft, ε = kSoftnessOfDependent: (2) feels them
// by δ²/ε, and they still hold, with a few iterations more, where the others become dependent on the way.
namespace eslabon::dynamics {

namespace {

using core::index;

constexpr int kMostPasses = 30;
constexpr double kSoftness = 1e-9;             // of what a row holds
constexpr double kSoftnessOfDependent = 1e-2;  // the same, of rows that follow from the others at the start
constexpr double kSatisfied = 1e-14;           // of what the rows were when it began
constexpr double kLeastMass = 1e-6;            // of the largest, for coordinates without any

class AugmentedLagrangian final : public AllIntegrated, private DescriptorForm {
 public:
  AugmentedLagrangian(const DynamicModel& model, const FormulationOptions& options)
      : motion_(options.kind, model),
        n_(index(motion_.n())),
        m_(index(motion_.system().num_rows())),
        right_(n_),
        x_(n_),
        lambda_(m_),
        target_(m_),
        gap_(m_) {
    motion_.evaluate_or_throw(motion_.state_of(model.start(), 0.0));
    softness_ = find_softness();
    matrix_ = std::make_unique<AugmentedMatrix>(motion_, softness_);
  }

  std::string_view name() const override { return "augmented-lagrangian"; }
  std::string description() const override { return motion_.description() + ", projected after each step"; }
  int num_coordinates() const override { return motion_.n(); }

  void read_scales(std::span<double> out) const override { std::ranges::copy(motion_.scales(), out.begin()); }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    State state = motion_.state_of(bodies, t);
    static_cast<void>(project(state));
    return state;
  }
  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    if (!motion_.evaluate(state)) return DynamicsStatus::kNoValue;
    if (!matrix_->factor(motion_)) return DynamicsStatus::kSingular;
    for (std::size_t r = 0; r < m_; ++r) target_[r] = motion_.gamma()[static_cast<Eigen::Index>(r)];
    for (std::size_t k = 0; k < n_; ++k)
      right_[k] =
          motion_.masses().Q[static_cast<Eigen::Index>(k)] - motion_.masses().h[static_cast<Eigen::Index>(k)];
    if (!solve(a)) return DynamicsStatus::kSingular;  // (2)
    std::copy(a.begin(), a.end(), z_ddot.begin());
    return DynamicsStatus::kSolved;
  }

  std::span<const double> state_rates() const override { return motion_.state_rates(); }

  core::ErrorText why_not(const State& state) override { return motion_.why_not(state); }

  DynamicsStatus project(State& state) override {
    for (int i = 0;; ++i) {
      if (i == kMostPasses) return DynamicsStatus::kNotClosed;
      if (!motion_.evaluate_rows(state.t, state.q)) return DynamicsStatus::kNoValue;
      motion_.evaluate_mass(state.q, state.v);
      if (!matrix_->factor(motion_)) return DynamicsStatus::kSingular;
      for (std::size_t r = 0; r < m_; ++r) target_[r] = -motion_.level().Phi[static_cast<Eigen::Index>(r)];
      std::ranges::fill(right_, 0.0);
      if (!solve(x_)) return DynamicsStatus::kNotClosed;
      for (std::size_t k = 0; k < n_; ++k) state.q[k] += x_[k];
      const double size = motion_.scaled_norm(x_);
      if (!std::isfinite(size)) return DynamicsStatus::kNotClosed;
      if (size <= 1e-9) break;
    }
    if (!motion_.evaluate_rows(state.t, state.q)) return DynamicsStatus::kNoValue;
    motion_.evaluate_mass(state.q, state.v);
    if (!matrix_->factor(motion_)) return DynamicsStatus::kSingular;
    for (std::size_t r = 0; r < m_; ++r) target_[r] = -motion_.level().Phi_t[static_cast<Eigen::Index>(r)];
    motion_.mass().multiply(motion_.masses(), state.v, right_);
    if (!solve(state.v)) return DynamicsStatus::kSingular;
    motion_.follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    motion_.evaluate_bodies(state, a, out);
  }
  double constraint_error(const State& state) override { return motion_.constraint_error(state); }
  DescriptorForm* descriptor_form() override { return this; }

 private:
  // (3)
  std::size_t num_rows() const override { return m_; }
  // Seed003 eq. 12
  DynamicsStatus evaluate(const State& state, std::span<const double> a, std::span<const double> lambda,
                          Eigen::Ref<Eigen::VectorXd> r, Eigen::Ref<Eigen::VectorXd> Phi) override {
    if (!motion_.evaluate(state)) return DynamicsStatus::kNoValue;
    motion_.mass().multiply(motion_.masses(), a, right_);
    const coordinates::SparsePattern& pattern = motion_.system().pattern();
    for (std::size_t c = 0; c < n_; ++c) {
      double force = right_[c];
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e)
        force += motion_.level().Phi_q[index(e)] * lambda[index(pattern.row_of_entry[index(e)])];
      r[static_cast<Eigen::Index>(c)] = force;
    }
    r += motion_.masses().h - motion_.masses().Q;
    Phi = motion_.level().Phi;
    return DynamicsStatus::kSolved;
  }
  void write_Phi_q(Eigen::Ref<Eigen::MatrixXd> out) const override {
    const coordinates::SparsePattern& pattern = motion_.system().pattern();
    out.setZero();
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e)
        out(pattern.row_of_entry[index(e)], static_cast<Eigen::Index>(c)) = motion_.level().Phi_q[index(e)];
  }
  std::span<const double> softness() const override { return softness_; }

  const DynamicModel& model() const override { return motion_.model(); }
  void follow_angles(State& state) override { motion_.follow_angles(state); }

  /// ε of each row: kSoftness Σ_c Phi_rc² / M_cc, and so many times as much where the row follows from others.
  std::vector<double> find_softness() const {
    const coordinates::SparsePattern &M = motion_.mass().pattern(), &Phi_q = motion_.system().pattern();
    std::vector<double> diagonal(n_, 0.0), soft(m_, 0.0);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = M.column_start[c]; e < M.column_start[c + 1]; ++e)
        if (index(M.row_of_entry[index(e)]) == c) diagonal[c] = motion_.masses().M[index(e)];
    const double largest = n_ == 0 ? 1.0 : std::max(*std::ranges::max_element(diagonal), 1e-300);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = Phi_q.column_start[c]; e < Phi_q.column_start[c + 1]; ++e)
        soft[index(Phi_q.row_of_entry[index(e)])] += kSoftness *
                                                     std::pow(motion_.level().Phi_q[index(e)], 2) /
                                                     std::max(diagonal[c], kLeastMass * largest);
    // A row that holds nothing here needs some too.
    const double most = m_ == 0 ? 0.0 : *std::ranges::max_element(soft);
    for (double& epsilon : soft) epsilon = most > 0.0 ? std::max(epsilon, 1e-3 * most) : 1.0;
    std::vector<bool> is_independent(m_, false);
    for (const int row : motion_.rows()) is_independent[index(row)] = true;
    for (std::size_t r = 0; r < m_; ++r)
      if (!is_independent[r]) soft[r] *= kSoftnessOfDependent / kSoftness;
    return soft;
  }

  /// x with  M x = right  as far as the rows allow and  Phi_q x = target.
  bool solve(std::span<double> x) {
    std::ranges::fill(lambda_, 0.0);
    double first = 0.0, last = HUGE_VAL;
    for (int i = 0; i < kMostPasses; ++i) {
      for (std::size_t r = 0; r < m_; ++r) gap_[r] = target_[r] - softness_[r] * lambda_[r];
      matrix_->solve(right_, gap_, x, lambda_);  // (2)
      for (std::size_t r = 0; r < m_; ++r) gap_[r] = -target_[r];
      add_product(x, gap_);
      double size = 0.0;
      for (const double gap : gap_) size = std::max(size, std::abs(gap));
      if (!std::isfinite(size)) return false;
      if (i == 0)
        for (const double target : target_) first = std::max({first, size, std::abs(target)});
      // Roundoff ends it: it does not get better any more.
      if (size <= kSatisfied * first || (i > 1 && size >= 0.5 * last)) return true;
      last = size;
    }
    return true;
  }

  void add_product(std::span<const double> x, std::span<double> out) const {
    const coordinates::SparsePattern& pattern = motion_.system().pattern();
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e)
        out[index(pattern.row_of_entry[index(e)])] += motion_.level().Phi_q[index(e)] * x[c];
  }
  ConstrainedMotion motion_;
  std::size_t n_, m_;
  std::vector<double> softness_;  ///< (m) ε
  std::unique_ptr<AugmentedMatrix> matrix_;
  std::vector<double> right_, x_, lambda_, target_, gap_;
};

}  // namespace

std::unique_ptr<Formulation> make_augmented_lagrangian(const DynamicModel& model,
                                                       const FormulationOptions& options) {
  return std::make_unique<AugmentedLagrangian>(model, options);
}

}  // namespace eslabon::dynamics
