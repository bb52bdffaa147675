#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/all_integrated.hpp"
#include "eslabon/integration/integrators/error_measure.hpp"
#include "eslabon/integration/integrators/integrator_makers.hpp"

// Backward differentiation formulas of varying order 1 … 5 and step for  y = (z, ż): CVODE of SUNDIALS [HindmarshEtAl2005], for stiff
// mechanisms. Newton's matrix comes from differences of the equations, made and kept by CVODE. Formulations that integrate
// dependent coordinates are projected inside its steps, before the error is judged, so that the orders stay [Eich1993].
// Errors of its steps have one sign where a motion swings, because BDF damps it: they add up from step to step, and thousands of steps
// would leave thousands of times the tolerance. CVODE is therefore given, of the tolerances r = rtol, atol,
//   min(r, max(r/1000, r_least))                                                                                    (1)
// which leaves an error at the end of the size that dopri5 leaves with the same rtol. Below r_least is roundoff: where dependent
// coordinates are projected, 1e-10 near positions in which rows become dependent, which would stop it there.
// Where it starts anew at t_s, its first steps, of first order, may be off by what roundoff of time makes of the motion there,
//   z: |ż| δ + ½ |z̈| δ²,   ż: |z̈| δ,   δ = 1e-11 t_s, up to t_s + 1000 δ:                                            (2)
// otherwise a mechanism at rest, of which (1) allows next to nothing, would need steps that time cannot tell.
namespace eslabon::integration {

namespace {

constexpr int kMostTinySteps = 20;
constexpr double kLeastRtol = 1e-13, kLeastAtol = 1e-15;  // of (1)
constexpr double kLeastRtolProjected = 1e-10,
                 kLeastAtolProjected = 1e-11;  // the same of dependent coordinates

constexpr double kTimeRoundoff = 1e-11, kStartsIn = 1e3;  // of (2)

void silent(int, const char*, const char*, char*, void*) {}  // the library never prints

class Bdf final : public Integrator {
 public:
  explicit Bdf(const IntegratorOptions& options)
      : options_(options),
        largest_(options.largest_step > 0.0 ? options.largest_step
                                            : std::numeric_limits<double>::infinity()) {}
  ~Bdf() override { release(); }
  Bdf(const Bdf&) = delete;
  Bdf& operator=(const Bdf&) = delete;

  std::string_view name() const override { return "bdf"; }
  IntegratorFacts facts() const override { return {.order = 0, .is_adaptive = true}; }
  void restart() override {
    is_started_ = false;
    if (measure_) measure_->restart();
  }

  bool step(MotionEquations& equations, const MotionPoint& from, double t_limit, MotionPoint& to) override {
    equations_ = &equations;
    from_ = &from;
    if (!measure_) measure_.emplace(measure_of_steps(equations.formulation()));
    measure_->see(equations.formulation(), from, t_limit - from.state.t);
    double retry = 0.0;  // the step of a start anew after one that could not be kept
    while (true) {
      if (!is_started_ || retry > 0.0) start(from, retry);
      check(CVodeSetStopTime(memory_, t_limit));
      const double longest =
          std::min({largest_, equations.longest_turn(from), retry > 0.0 ? retry : HUGE_VAL});
      check(CVodeSetMaxStep(memory_, std::isfinite(longest) ? longest : 0.0));
      double t1 = 0.0;
      const int flag = CVode(memory_, t_limit, y_, &t1, CV_ONE_STEP);
      equations.statistics().rejected += newly_refused();
      const double smallest = smallest_step(from.state.t, t_limit);
      // CVODE begins with tiny steps, but not many of them.
      tiny_steps_ = t1 - from.state.t < smallest ? tiny_steps_ + 1 : 0;
      if (flag >= 0 && t1 > from.state.t && tiny_steps_ < kMostTinySteps) {
        read(y_, to.z, to.z_dot);
        if (equations.evaluate(from, t1, to) && equations.settle(from, to, StepKind::kImplicit)) return true;
        ++equations.statistics().rejected;
        retry = 0.25 * (t1 - from.state.t);
        if (retry >= smallest) continue;
      }
      double h = 0.0;
      check(CVodeGetCurrentStep(memory_, &h));
      return equations.give_up(from.state.t, h);
    }
  }

  void interpolate(const MotionPoint&, const MotionPoint&, double t, std::span<double> z,
                   std::span<double> z_dot) override {
    check(CVodeGetDky(memory_, t, 0, dense_));
    read(dense_, z, z_dot);
  }

 private:
  static void check(int flag) {
    if (flag >= 0) return;
    throw core::ContractError({.what = "CVODE refuses a call",
                               .where = "integrator 'bdf'",
                               .expected = "a flag of 0",
                               .actual = std::to_string(flag),
                               .next = "Please report this: it is not a fault of your model."});
  }

  void release() {
    if (memory_ != nullptr) CVodeFree(&memory_);
    if (solver_ != nullptr) SUNLinSolFree(solver_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
    if (y_ != nullptr) N_VDestroy(y_);
    if (dense_ != nullptr) N_VDestroy(dense_);
    if (context_ != nullptr) SUNContext_Free(&context_);
    memory_ = nullptr, solver_ = nullptr, matrix_ = nullptr, y_ = nullptr, dense_ = nullptr,
    context_ = nullptr;
  }

  /// Attempts that CVODE has repeated with a smaller step since this was asked last: errors too large, equations not solved.
  long newly_refused() {
    long errors = 0, failures = 0;
    check(CVodeGetNumErrTestFails(memory_, &errors));
    check(CVodeGetNumStepSolveFails(memory_, &failures));
    return errors + failures - std::exchange(refused_, errors + failures);
  }

  /// Begins at a point; `first`: its first step, 0 when CVODE is to find it.
  void start(const MotionPoint& from, double first) {
    stage_ = from;
    if (n_ != from.z.size() || memory_ == nullptr) {
      release();
      n_ = from.z.size();
      create();
    } else {
      fill(from);
      check(CVodeReInit(memory_, from.state.t, y_));
    }
    started_at_ = from.state.t;
    const double delta = kTimeRoundoff * std::abs(started_at_);  // (2)
    floors_.resize(2 * n_);
    for (std::size_t k = 0; k < n_; ++k) {
      floors_[k] = delta * (std::abs(from.z_dot[k]) + 0.5 * std::abs(from.z_ddot[k]) * delta);
      floors_[n_ + k] = delta * std::abs(from.z_ddot[k]);
    }
    check(CVodeSetInitStep(memory_, first > 0.0 ? first : options_.first_step));
    refused_ = 0;  // CVODE counts anew
    is_started_ = true;
  }

  void create() {
    check(SUNContext_Create(nullptr, &context_));
    const auto size =
        static_cast<sunindextype>(std::max<std::size_t>(1, 2 * n_));  // CVODE needs one at least
    y_ = N_VNew_Serial(size, context_);
    dense_ = N_VNew_Serial(size, context_);
    matrix_ = SUNDenseMatrix(size, size, context_);
    memory_ = CVodeCreate(CV_BDF, context_);
    if (y_ == nullptr || dense_ == nullptr || matrix_ == nullptr || memory_ == nullptr)
      throw std::bad_alloc();
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    if (solver_ == nullptr) throw std::bad_alloc();
    fill(*from_);
    check(CVodeInit(memory_, &Bdf::evaluate, from_->state.t, y_));
    check(CVodeSetErrHandlerFn(memory_, &silent, nullptr));
    check(CVodeSetUserData(memory_, this));
    check(CVodeWFtolerances(memory_, &Bdf::weigh));
    check(CVodeSetLinearSolver(memory_, solver_, matrix_));
    check(CVodeSetProjFn(memory_, &Bdf::project));
    check(CVodeSetProjErrEst(memory_, SUNFALSE));
    check(CVodeSetMaxNumSteps(memory_, -1));
  }

  ErrorMeasure measure_of_steps(const dynamics::Formulation& formulation) const {
    const auto* const all = dynamic_cast<const dynamics::AllIntegrated*>(&formulation);
    const bool is_projected = all != nullptr && all->drifts(),
               is_independent = all != nullptr && !all->drifts();
    const auto of_step = [](double asked, double least) {
      return std::min(asked, std::max(kPartOfBdfStep * asked, least));  // (1)
    };
    const double least = is_projected ? kLeastAtolProjected : kLeastAtol;
    IntegratorOptions options = options_;
    options.rtol = of_step(options.rtol, is_projected ? kLeastRtolProjected : kLeastRtol);
    options.atol = of_step(options.atol, least);
    return ErrorMeasure(options, is_independent ? 0.0 : least);
  }

  /// One over what errors are allowed.
  static int weigh(N_Vector y, N_Vector weights, void* data) {
    const Bdf& bdf = *static_cast<const Bdf*>(data);
    const double* const values = N_VGetArrayPointer(y);
    double* const w = N_VGetArrayPointer(weights);
    w[0] = 1.0;
    const bool is_new =
        bdf.floors_.size() == 2 * bdf.n_ &&
        bdf.from_->state.t - bdf.started_at_ <= kStartsIn * kTimeRoundoff * std::abs(bdf.started_at_);
    const auto least = [&](std::size_t k) { return is_new ? bdf.floors_[k] : 0.0; };  // (2)
    for (std::size_t k = 0; k < bdf.n_; ++k) {
      w[k] = 1.0 / std::max(bdf.measure_->of_position(k, values[k]), least(k));
      w[bdf.n_ + k] =
          1.0 / std::max(bdf.measure_->of_rate(k, values[k], values[bdf.n_ + k]), least(bdf.n_ + k));
    }
    return 0;
  }

  void fill(const MotionPoint& from) {
    double* const y = N_VGetArrayPointer(y_);
    y[0] = 0.0;
    std::ranges::copy(from.z, y);
    std::ranges::copy(from.z_dot, y + n_);
  }
  void read(N_Vector from, std::span<double> z, std::span<double> z_dot) const {
    const double* const y = N_VGetArrayPointer(from);
    std::copy(y, y + n_, z.begin());
    std::copy(y + n_, y + 2 * n_, z_dot.begin());
  }

  /// No exception may pass through CVODE: the reason stays in the trouble of the equations.
  // Seed002 eq. 30
  static int evaluate(double t, N_Vector y, N_Vector slope, void* data) {
    Bdf& self = *static_cast<Bdf*>(data);
    self.read(y, self.stage_.z, self.stage_.z_dot);
    if (!self.equations_->evaluate(*self.from_, t, self.stage_)) return 1;  // try a smaller step
    double* const out = N_VGetArrayPointer(slope);
    out[0] = 0.0;
    std::ranges::copy(self.stage_.z_dot, out);
    std::ranges::copy(self.stage_.z_ddot, out + self.n_);
    return 0;
  }

  static int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
    Bdf& self = *static_cast<Bdf*>(data);
    MotionPoint& stage = self.stage_;
    self.read(y, stage.z, stage.z_dot);
    N_VConst(0.0, correction);
    if (!self.equations_->project(*self.from_, t, stage)) return 1;
    const double* const before = N_VGetArrayPointer(y);
    double* const out = N_VGetArrayPointer(correction);
    for (std::size_t k = 0; k < self.n_; ++k) {
      out[k] = stage.z[k] - before[k];
      out[self.n_ + k] = stage.z_dot[k] - before[self.n_ + k];
    }
    return 0;
  }

  IntegratorOptions options_;
  std::optional<ErrorMeasure> measure_;
  double largest_;
  bool is_started_ = false;
  int tiny_steps_ = 0;          ///< in succession
  double started_at_ = 0.0;     ///< [s]
  std::vector<double> floors_;  ///< (2 n) of (2)
  long refused_ = 0;            ///< attempts, as CVODE has counted them
  std::size_t n_ = 0;
  MotionEquations* equations_ = nullptr;  ///< of the present step
  const MotionPoint* from_ = nullptr;     ///< of the present step
  MotionPoint stage_;                     // Scratch.
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr, dense_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

}  // namespace

std::unique_ptr<Integrator> make_bdf(const IntegratorOptions& options) {
  return std::make_unique<Bdf>(options);
}

}  // namespace eslabon::integration
