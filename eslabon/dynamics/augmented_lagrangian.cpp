#include <algorithm>
#include <cmath>
#include <numeric>

#include "eslabon/dynamics/constrained_motion.hpp"
#include "eslabon/dynamics/formulation_makers.hpp"
#include "eslabon/kinematics/jacobian_solver.hpp"

// The augmented Lagrangian: constraints are stiff springs that are loaded anew until they give nothing, so that no choice of rows
// is needed and rows may repeat others, or become dependent on the way [GarciaDeJalonBayo1994, ch. 5]:
//   (M + Phi_qᵀ ϱ Phi_q) a_{i+1} = M a_i + Phi_qᵀ ϱ gamma,   M a_0 = Q − h                                      (1)
// written with the load λ instead of a_0, which a singular M does not have:
//   (M + Phi_qᵀ ϱ Phi_q) a = Q − h + Phi_qᵀ (ϱ gamma − λ),   λ ← λ + ϱ (Phi_q a − gamma)                        (2)
// Positions and velocities are projected in the same way, orthogonal in the mass, after each step:
//   (M + Phi_qᵀ ϱ Phi_q) v = M v* − Phi_qᵀ (ϱ Phi_t + λ),    (M + Phi_qᵀ ϱ Phi_q) Δq = −Phi_qᵀ (ϱ Phi + λ) …    (3)
namespace eslabon::dynamics {

namespace {

constexpr int kMostIterations = 50;
constexpr double kPenalty = 1e4;      // of what a row holds: more costs digits, less costs iterations
constexpr double kSatisfied = 1e-13;  // of what the rows were when it began
constexpr double kLeastMass = 1e-6;   // of the largest, for coordinates without any
constexpr std::size_t kMostDense = 16;
std::size_t index(int i) { return static_cast<std::size_t>(i); }

class AugmentedLagrangian final : public Formulation {
 public:
  AugmentedLagrangian(const DynamicModel& model, const FormulationOptions& options)
      : motion_(options.kind, model),
        n_(index(motion_.n())),
        m_(index(motion_.system().num_rows())),
        right_(n_),
        x_(n_),
        lambda_(m_),
        target_(m_),
        change_(m_) {
    make_pattern();
    motion_.evaluate(motion_.state_of(model.start(), 0.0));
    find_penalties();
  }

  std::string_view name() const override { return "augmented-lagrangian"; }
  std::string description() const override { return motion_.description() + ", projected after each step"; }
  int num_coordinates() const override { return motion_.n(); }
  int num_integrated() const override { return motion_.n(); }

  State start() override { return state_of(motion_.model().start(), 0.0); }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    State state = motion_.state_of(bodies, t);
    static_cast<void>(project(state));
    return state;
  }
  void read(const State& state, std::span<double> z, std::span<double> z_dot) const override {
    std::copy(state.q.begin(), state.q.end(), z.begin());
    std::copy(state.v.begin(), state.v.end(), z_dot.begin());
  }
  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) override {
    state.t = t;
    std::copy(z.begin(), z.end(), state.q.begin());
    std::copy(z_dot.begin(), z_dot.end(), state.v.begin());
    motion_.follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    motion_.evaluate(state);
    if (!factor()) return DynamicsStatus::kSingular;
    for (std::size_t r = 0; r < m_; ++r) target_[r] = motion_.gamma()[static_cast<Eigen::Index>(r)];
    for (std::size_t k = 0; k < n_; ++k)
      right_[k] =
          motion_.masses().Q[static_cast<Eigen::Index>(k)] - motion_.masses().h[static_cast<Eigen::Index>(k)];
    if (!solve(a)) return DynamicsStatus::kSingular;  // (2)
    std::copy(a.begin(), a.end(), z_ddot.begin());
    return DynamicsStatus::kSolved;
  }

  DynamicsStatus project(State& state) override {
    for (int i = 0;; ++i) {
      if (i == kMostIterations) return DynamicsStatus::kNotClosed;
      motion_.evaluate_rows(state.t, state.q);
      motion_.evaluate_mass(state.q, state.v);
      if (!factor()) return DynamicsStatus::kSingular;
      for (std::size_t r = 0; r < m_; ++r) target_[r] = -motion_.level().Phi[static_cast<Eigen::Index>(r)];
      std::ranges::fill(right_, 0.0);
      if (!solve(x_)) return DynamicsStatus::kNotClosed;
      for (std::size_t k = 0; k < n_; ++k) state.q[k] += x_[k];
      const double size = motion_.scaled_norm(x_);
      if (!std::isfinite(size)) return DynamicsStatus::kNotClosed;
      if (size <= 1e-9) break;
    }
    motion_.evaluate_rows(state.t, state.q);
    motion_.evaluate_mass(state.q, state.v);
    if (!factor()) return DynamicsStatus::kSingular;
    for (std::size_t r = 0; r < m_; ++r) target_[r] = -motion_.level().Phi_t[static_cast<Eigen::Index>(r)];
    motion_.mass().multiply(motion_.masses(), state.v, right_);
    if (!solve(state.v)) return DynamicsStatus::kSingular;  // (3)
    motion_.follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    motion_.evaluate_bodies(state, a, out);
  }
  double constraint_error(const State& state) override { return motion_.constraint_error(state); }

 private:
  /// One product of Phi_qᵀ Phi_q.
  struct Product {
    int entry, a, b, row;
  };

  /// Of each row as much stiffer than what it holds: ϱ = kPenalty / Σ_c Phi_rc² / M_cc.
  void find_penalties() {
    const coordinates::SparsePattern &M = motion_.mass().pattern(), &Phi_q = motion_.system().pattern();
    std::vector<double> diagonal(n_, 0.0);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = M.column_start[c]; e < M.column_start[c + 1]; ++e)
        if (index(M.row_of_entry[index(e)]) == c) diagonal[c] = motion_.masses().M[index(e)];
    const double largest = std::max(*std::ranges::max_element(diagonal), 1e-300);
    std::vector<double> compliance(m_, 0.0);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = Phi_q.column_start[c]; e < Phi_q.column_start[c + 1]; ++e)
        compliance[index(Phi_q.row_of_entry[index(e)])] +=
            std::pow(motion_.level().Phi_q[index(e)], 2) / std::max(diagonal[c], kLeastMass * largest);
    for (const double c : compliance) penalty_.push_back(kPenalty / std::max(c, 1e-300));
  }

  void make_pattern() {
    const coordinates::SparsePattern &M = motion_.mass().pattern(), &Phi_q = motion_.system().pattern();
    struct Item {
      int column, entry;
    };
    std::vector<std::vector<Item>> rows(m_);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = Phi_q.column_start[c]; e < Phi_q.column_start[c + 1]; ++e)
        rows[index(Phi_q.row_of_entry[index(e)])].push_back({static_cast<int>(c), e});
    struct Entry {
      int column, row;
      auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    for (std::size_t c = 0; c < n_; ++c) {
      for (int e = M.column_start[c]; e < M.column_start[c + 1]; ++e)
        entries.push_back({static_cast<int>(c), M.row_of_entry[index(e)]});
      entries.push_back({static_cast<int>(c), static_cast<int>(c)});
    }
    for (const std::vector<Item>& row : rows)
      for (const Item& a : row)
        for (const Item& b : row) entries.push_back({a.column, b.column});
    std::ranges::sort(entries);
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    pattern_.rows = pattern_.columns = static_cast<int>(n_);
    pattern_.column_start.assign(n_ + 1, 0);
    for (const Entry& entry : entries) {
      ++pattern_.column_start[index(entry.column) + 1];
      pattern_.row_of_entry.push_back(entry.row);
    }
    for (std::size_t c = 0; c < n_; ++c) pattern_.column_start[c + 1] += pattern_.column_start[c];
    const auto place = [&](int column, int row) {
      return static_cast<int>(std::ranges::lower_bound(entries, Entry{column, row}) - entries.begin());
    };
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = M.column_start[c]; e < M.column_start[c + 1]; ++e)
        mass_place_.push_back(place(static_cast<int>(c), M.row_of_entry[index(e)]));
    for (std::size_t r = 0; r < m_; ++r)
      for (const Item& a : rows[r])
        for (const Item& b : rows[r])
          products_.push_back({place(a.column, b.column), a.entry, b.entry, static_cast<int>(r)});
    entries_.resize(entries.size());
    std::vector<int> all(n_);
    std::iota(all.begin(), all.end(), 0);
    solver_ = n_ <= kMostDense ? kinematics::make_dense_solver(pattern_, all)
                               : kinematics::make_sparse_solver(pattern_, all);
  }

  bool factor() {
    std::ranges::fill(entries_, 0.0);
    for (std::size_t e = 0; e < mass_place_.size(); ++e)
      entries_[index(mass_place_[e])] += motion_.masses().M[e];
    const std::vector<double>& Phi_q = motion_.level().Phi_q;
    for (const Product& p : products_)
      entries_[index(p.entry)] += penalty_[index(p.row)] * Phi_q[index(p.a)] * Phi_q[index(p.b)];
    return solver_->factor(entries_);
  }

  /// x with  M x = right  as far as the rows allow and  Phi_q x = target.
  bool solve(std::span<double> x) {
    std::ranges::fill(lambda_, 0.0);
    const std::vector<double> b(right_);
    double first = 0.0, last = HUGE_VAL;
    for (int i = 0; i < kMostIterations; ++i) {
      for (std::size_t r = 0; r < m_; ++r) change_[r] = penalty_[r] * target_[r] - lambda_[r];
      right_ = b;
      add_transposed(change_, right_);
      solver_->solve(right_, x);
      for (std::size_t r = 0; r < m_; ++r) change_[r] = -target_[r];
      add_product(x, change_);
      double size = 0.0;
      for (std::size_t r = 0; r < m_; ++r) {
        lambda_[r] += penalty_[r] * change_[r];
        size = std::max(size, std::abs(change_[r]));
      }
      if (!std::isfinite(size)) return false;
      if (i == 0) first = std::max(size, 1.0);
      // Roundoff ends it: it does not get better any more.
      if (size <= kSatisfied * first || (i > 2 && size >= 0.5 * last)) return true;
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
  void add_transposed(std::span<const double> y, std::span<double> out) const {
    const coordinates::SparsePattern& pattern = motion_.system().pattern();
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e)
        out[c] += motion_.level().Phi_q[index(e)] * y[index(pattern.row_of_entry[index(e)])];
  }

  ConstrainedMotion motion_;
  std::size_t n_, m_;
  std::vector<double> penalty_;  ///< (m) ϱ
  coordinates::SparsePattern pattern_;
  std::vector<int> mass_place_;
  std::vector<Product> products_;
  std::unique_ptr<kinematics::JacobianSolver> solver_;
  std::vector<double> entries_;
  std::vector<double> right_, x_, lambda_, target_, change_;
};

}  // namespace

std::unique_ptr<Formulation> make_augmented_lagrangian(const DynamicModel& model,
                                                       const FormulationOptions& options) {
  return std::make_unique<AugmentedLagrangian>(model, options);
}

}  // namespace eslabon::dynamics
