#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "eslabon/dynamics/constrained_motion.hpp"
#include "eslabon/dynamics/formulation_makers.hpp"
#include "eslabon/dynamics/open_chain.hpp"
#include "eslabon/dynamics/partition.hpp"

// The equations of motion in independent coordinates, with the basis R of the motions that the constraints allow:
//   q̇ = R ż + s,   q̈ = R z̈ + c,   c = S⁻¹ [gamma; 0]                       [Seed003, §3.3.1, eq. (13)]        (1)
//   (Rᵀ M R) z̈ = Rᵀ (Q − h − M c)                                          [Seed003, eq. (14)]               (2)
// z are some of q, chosen by pivoting; when they have become bad, others are chosen between two steps. Dependent positions follow
// from z by Newton, so that the constraints hold to roundoff at every evaluation.
// With relative coordinates and masses by composite inertias (tree_mass.cpp) it is the semi-recursive formulation: (2) is the second
// velocity transformation [Seed004, eqs. (26)–(29)].
namespace eslabon::dynamics {

namespace {

constexpr int kMostIterations = 15;
constexpr double kLastCorrection = 1e-9;
constexpr double kBadChoice = 0.5;  // of the pivot ratio that the choice began with

class NullSpace final : public Formulation {
 public:
  NullSpace(std::string_view name, std::string_view kind, const DynamicModel& model)
      : name_(name),
        motion_(kind, model),
        n_(static_cast<std::size_t>(motion_.n())),
        c_(static_cast<std::size_t>(motion_.system().num_rows())),
        x_(n_) {
    for (const coordinates::Coordinate& coordinate : motion_.system().coordinates())
      scales_.push_back(coordinate.unit == coordinates::CoordinateUnit::kLength ? motion_.length() : 1.0);
    choose(motion_.state_of(model.start(), 0.0));
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
    static_cast<void>(complete(t, z, z_dot, state));
    return state;
  }

  void read(const State& state, std::span<double> z, std::span<double> z_dot) const override {
    for (std::size_t k = 0; k < freedoms(); ++k) {
      z[k] = state.q[column(k)];
      z_dot[k] = state.v[column(k)];
    }
  }

  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) override {
    state.t = t;
    // A first guess for the others: along the motion that they are in.
    motion_.evaluate_rows(t, state.q);
    double last = 0.0;
    for (int i = 0;; ++i) {
      if (i == kMostIterations) return DynamicsStatus::kNotClosed;
      if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
      for (std::size_t k = 0; k < freedoms(); ++k) y_[k] = z[k] - state.q[column(k)];
      for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = -motion_.level().Phi[static_cast<Eigen::Index>(r)];
      partition_->solve(c_, y_, x_);
      for (std::size_t k = 0; k < n_; ++k) state.q[k] += x_[k];
      for (std::size_t k = 0; k < freedoms(); ++k) state.q[column(k)] = z[k];
      const double size = motion_.scaled_norm(x_);
      if (!std::isfinite(size) || (i > 2 && size > last && size > kLastCorrection))
        return DynamicsStatus::kNotClosed;
      last = size;
      motion_.evaluate_rows(t, state.q);
      if (size <= kLastCorrection) break;
    }
    if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
    for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = -motion_.level().Phi_t[static_cast<Eigen::Index>(r)];
    partition_->solve(c_, z_dot, state.v);
    motion_.follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    motion_.evaluate(state);
    if (!partition_->factor(motion_.level().Phi_q)) return DynamicsStatus::kSingular;
    std::ranges::fill(c_, 0.0);
    for (std::size_t k = 0; k < freedoms(); ++k) {
      std::ranges::fill(y_, 0.0);
      y_[k] = 1.0;
      partition_->solve(c_, y_, {R_.col(static_cast<Eigen::Index>(k)).data(), n_});
    }
    std::ranges::fill(y_, 0.0);
    for (std::size_t r = 0; r < c_.size(); ++r) c_[r] = motion_.gamma()[static_cast<Eigen::Index>(r)];
    partition_->solve(c_, y_, x_);  // c of (1)
    for (Eigen::Index k = 0; k < R_.cols(); ++k)
      motion_.mass().multiply(motion_.masses(), {R_.col(k).data(), n_}, {MR_.col(k).data(), n_});
    const Eigen::Map<const Eigen::VectorXd> c(x_.data(), static_cast<Eigen::Index>(n_));
    // Coefficient by coefficient: a product of blocks would take its scratch from the heap.
    rest_ = motion_.masses().Q - motion_.masses().h;
    mass_ = R_.transpose().lazyProduct(MR_);
    force_ = R_.transpose().lazyProduct(rest_);
    force_ -= MR_.transpose().lazyProduct(c);         // (2)
    if (R_.cols() == 0) return finish(a, z_ddot, c);  // drivers say everything
    factors_.compute(mass_);
    if (factors_.info() != Eigen::Success || !factors_.isPositive() ||
        !(factors_.vectorD().minCoeff() > 1e-14 * factors_.vectorD().maxCoeff()))
      return DynamicsStatus::kSingular;
    force_ = factors_.solve(force_);
    return finish(a, z_ddot, c);
  }

  std::optional<std::string> choose_integrated(State& state) override {
    motion_.evaluate_rows(state.t, state.q);
    if (partition_->factor(motion_.level().Phi_q) && partition_->pivot_ratio() > kBadChoice * good_ratio_)
      return std::nullopt;
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

 private:
  std::size_t freedoms() const { return partition_->independent().size(); }
  std::size_t column(std::size_t k) const { return static_cast<std::size_t>(partition_->independent()[k]); }

  void choose(const State& state) {
    motion_.evaluate_rows(state.t, state.q);
    partition_ =
        std::make_unique<Partition>(motion_.system(), motion_.rows(), motion_.level().Phi_q, scales_);
    good_ratio_ = partition_->factor(motion_.level().Phi_q) ? partition_->pivot_ratio() : 0.0;
    const auto f = static_cast<Eigen::Index>(freedoms()), n = static_cast<Eigen::Index>(n_);
    y_.assign(freedoms(), 0.0);
    R_.resize(n, f);
    MR_.resize(n, f);
    mass_.resize(f, f);
    force_.resize(f);
  }

  DynamicsStatus finish(std::span<double> a, std::span<double> z_ddot,
                        const Eigen::Map<const Eigen::VectorXd>& c) {
    Eigen::Map<Eigen::VectorXd> all(a.data(), static_cast<Eigen::Index>(n_));
    all = c;
    all += R_.lazyProduct(force_);  // (1)
    for (std::size_t k = 0; k < freedoms(); ++k) z_ddot[k] = force_[static_cast<Eigen::Index>(k)];
    return DynamicsStatus::kSolved;
  }

  std::string name_;
  ConstrainedMotion motion_;
  std::size_t n_;
  std::vector<double> scales_;
  std::unique_ptr<Partition> partition_;
  double good_ratio_ = 0.0;
  // Scratch.
  std::vector<double> c_, x_, y_;
  Eigen::MatrixXd R_, MR_, mass_;
  Eigen::VectorXd force_, rest_;
  Eigen::LDLT<Eigen::MatrixXd> factors_;
};

}  // namespace

std::unique_ptr<Formulation> make_null_space(const DynamicModel& model, const FormulationOptions& options) {
  return std::make_unique<NullSpace>("null-space", options.kind, model);
}

std::unique_ptr<Formulation> make_semi_recursive(const DynamicModel& model, const FormulationOptions&) {
  if (is_open_chain(model)) return make_open_chain(model);
  return std::make_unique<NullSpace>("semi-recursive", "relative", model);
}

}  // namespace eslabon::dynamics
