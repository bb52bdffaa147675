#include <algorithm>

#include "eslabon/codegen/compile/motion_code.hpp"
#include "eslabon/codegen/traced_equations.hpp"

// Code for the states of formulations in relative coordinates: accelerations by multipliers, as an export writes them,
//   M a + Jᵀ λ = f,   J a = γ                                                                                            (1)
// which are the same whichever coordinates are integrated.
namespace eslabon::codegen {

namespace {

using core::Traced;
using dynamics::TracedVector;
using std::size_t;

class TreeCode final : public MotionCode {
 public:
  TreeCode(const dynamics::DynamicModel& model, core::ProgramCompiler& compiler) {
    const core::Program program = trace(model);
    const std::vector<core::NamedProgram> programs{{"accelerate", &program}};
    std::vector<core::CompiledFunction> functions = compiler.compile_functions(programs);
    if (functions.empty()) return;
    code_ = CodeCall(std::move(functions[0]), 2 * n_ + 3 * num_drivers_ + 1, n_ + 1);
    is_compiled_ = true;
  }
  bool is_compiled() const { return is_compiled_; }

  bool accelerate(const dynamics::State& state, Drivers drivers, std::span<double> a,
                  std::span<double>) override {
    double* in = code_.inputs().data();
    in = std::ranges::copy(state.q, in).out;
    in = std::ranges::copy(state.v, in).out;
    for (const coordinates::CoordinateValue& driver : drivers) {
      *in++ = driver.position;
      *in++ = driver.velocity;
      *in++ = driver.acceleration;
    }
    *in = state.t;
    const std::span<const double> out = code_.call();
    if (!(out[n_] > kSafePivot)) return false;
    std::ranges::copy(out.first(n_), a.begin());
    return true;
  }

 private:
  static constexpr double kSafePivot = 1e-6;  // by its diagonal: digits that are left

  core::Program trace(const dynamics::DynamicModel& model) {
    core::Trace trace;
    const core::Trace::Listening listening(trace);
    const dynamics::ReducedMotion motion(model, {}, dynamics::ReducedMotion::Use::kEquations);
    const auto equations = make_tree_equations(motion, motion.length());
    n_ = equations->system().coordinates().size();
    num_drivers_ = model.mechanism().drivers().size();
    TracedState state;
    for (size_t k = 0; k < n_; ++k) state.q.push_back(trace.input());
    for (size_t k = 0; k < n_; ++k) state.v.push_back(trace.input());
    for (size_t i = 0; i < num_drivers_; ++i) {
      state.drivers.position.push_back(trace.input());
      state.drivers.velocity.push_back(trace.input());
      state.drivers.acceleration.push_back(trace.input());
    }
    trace.set_time(trace.input());
    const TracedParts parts = equations->write(state);
    const dynamics::TracedMultipliers multipliers(parts.M, parts.J, equations->augmentation(),
                                                  dynamics::Elimination::kFewestFirst);
    TracedVector out = multipliers.solve(parts.gamma, parts.f).a;  // (1)
    Traced margin = 1.0;
    for (const dynamics::TracedFactors* factors : {&multipliers.M, &multipliers.S})
      for (const Traced& pivot : factors->margins()) margin = core::minimum(margin, pivot);
    out.push_back(margin);
    return core::Program(trace, out);
  }

  size_t n_ = 0, num_drivers_ = 0;
  bool is_compiled_ = false;
  CodeCall code_;
};

}  // namespace

std::unique_ptr<MotionCode> make_tree_code(const dynamics::DynamicModel& model,
                                           core::ProgramCompiler& compiler) {
  auto code = std::make_unique<TreeCode>(model, compiler);
  return code->is_compiled() ? std::move(code) : nullptr;
}

}  // namespace eslabon::codegen
