#include <algorithm>

#include "eslabon/codegen/compile/motion_code.hpp"
#include "eslabon/codegen/regular_multipliers.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"

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
  static constexpr double kSafePivot = 1e-6;  // digits that are left

  /// Arguments where the model starts.
  static std::vector<double> start_inputs(const dynamics::DynamicModel& model,
                                          const coordinates::ConstraintSystem& system) {
    const dynamics::State state = state_of_bodies(model, system, model.start(), 0.0);
    std::vector<double> list = state.q;
    list.insert(list.end(), state.v.begin(), state.v.end());
    std::vector<coordinates::CoordinateValue> drivers(model.prescribed().size());
    model.evaluate_drivers_or_throw(0.0, drivers);
    for (const coordinates::CoordinateValue& driver : drivers)
      list.insert(list.end(), {driver.position, driver.velocity, driver.acceleration});
    list.push_back(0.0);  // time
    return list;
  }

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
    const std::vector<double> start = start_inputs(model, equations->system());
    const RegularMultipliers multipliers =
        regular_multipliers(*equations, parts, [&](const dynamics::TracedMatrix& matrix) {
          Eigen::MatrixXd numbers(matrix.rows(), matrix.cols());
          const TracedVector entries(matrix.reshaped().begin(), matrix.reshaped().end());
          core::Program(trace, entries).evaluate(start, {numbers.data(), entries.size()});
          return numbers;
        });
    TracedVector out = multipliers.factors.solve(parts.gamma, parts.f).a;  // (1)
    out.push_back(multipliers.margin);
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
