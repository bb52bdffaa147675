#include "eslabon/codegen/compile/compiled_formulation.hpp"

#include <utility>

#include "eslabon/codegen/closed_groups.hpp"
#include "eslabon/codegen/compile/motion_code.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/time/evaluation_time.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"

namespace eslabon::codegen {

namespace {

using dynamics::DynamicsStatus;
using dynamics::Formulation;
using dynamics::State;

/// Empty: nothing is in the way of code.
std::string why_interpreted(const dynamics::DynamicModel& model) {
  if (!model.mechanism().states().empty()) return "auxiliary states go on beside it";
  return model.start_memory().angles.empty() ? "" : "a spring or stop counts the turns of a joint";
}

/// Code for a formulation as it is now: nothing, with a sentence about it, where there is none.
std::unique_ptr<MotionCode> make_code(const Formulation& formulation, const dynamics::DynamicModel& model,
                                      const coordinates::MechanismMotion& bodies,
                                      core::ProgramCompiler& compiler, std::string& why_none) {
  try {
    why_none = why_interpreted(model);
    if (why_none.empty() && model.forces().num_switches() > 0)
      why_none = "choices in formulas of forces change between steps";
    if (!why_none.empty()) return nullptr;
    if (formulation.name() == "groups") {
      auto code = make_group_code(model, formulation.integrated_variables(), bodies, compiler);
      if (!code && !make_closed_groups(model))
        why_none = "a structural group has no closed form; 'semi-recursive' can be compiled";
      return code;
    }
    if (formulation.name() == "semi-recursive") return make_tree_code(model, compiler);
    why_none = "only the formulations 'groups' and 'semi-recursive' can be compiled";
  } catch (const core::ModelError& error) {
    why_none = why_no_code(error);
  }
  return nullptr;
}

/// A formulation with code for its completions and accelerations. It is asked itself where the code cannot tell, and for everything else.
class CompiledFormulation final : public Formulation {
 public:
  CompiledFormulation(std::unique_ptr<Formulation> formulation, std::unique_ptr<MotionCode> code,
                      const dynamics::DynamicModel& model, core::ProgramCompiler& compiler)
      : formulation_(std::move(formulation)),
        code_(std::move(code)),
        model_(model),
        compiler_(compiler),
        drivers_(model.mechanism().drivers().size()),
        all_(static_cast<std::size_t>(formulation_->num_coordinates())) {}

  std::string_view name() const override { return formulation_->name(); }
  std::string description() const override { return formulation_->description(); }
  int num_coordinates() const override { return formulation_->num_coordinates(); }
  int num_integrated() const override { return formulation_->num_integrated(); }
  State start() override { return formulation_->start(); }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    return formulation_->state_of(bodies, t);
  }
  void read_scales(std::span<double> out) const override { formulation_->read_scales(out); }
  void read(const State& state, std::span<double> z, std::span<double> z_dot) const override {
    formulation_->read(state, z, z_dot);
  }
  std::vector<model::Variable> integrated_variables() const override {
    return formulation_->integrated_variables();
  }

  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) override {
    if (code_ && model_.evaluate_drivers(t, drivers_) && code_->complete(t, z, z_dot, drivers_, state))
      return DynamicsStatus::kSolved;
    return formulation_->complete(t, z, z_dot, state);
  }

  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    is_from_code_ =
        code_ && model_.evaluate_drivers(state.t, drivers_) && accelerate_by_code(state, a, z_ddot);
    return is_from_code_ ? DynamicsStatus::kSolved : formulation_->accelerate(state, a, z_ddot);
  }

  core::ErrorText why_not(const State& state) override { return formulation_->why_not(state); }
  double regularity() const override {
    const std::optional<double> by_code = is_from_code_ ? code_->regularity() : std::nullopt;
    return by_code ? *by_code : formulation_->regularity();
  }
  DynamicsStatus project(State& state) override { return formulation_->project(state); }
  std::optional<std::string> choose_integrated(State& state) override {
    std::optional<std::string> sentence = formulation_->choose_integrated(state);
    if (!sentence || name() != "groups") return sentence;
    coordinates::MechanismMotion bodies(model_.mechanism().bodies().size());
    formulation_->evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies);
    std::string why_none;
    code_ = make_code(*formulation_, model_, bodies, compiler_, why_none);
    is_from_code_ = false;
    if (!code_) *sentence += ", interpreted from here on: " + why_none;
    return sentence;
  }
  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    formulation_->evaluate_bodies(state, a, out);
  }
  double constraint_error(const State& state) override { return formulation_->constraint_error(state); }
  dynamics::DescriptorForm* descriptor_form() override { return formulation_->descriptor_form(); }
  const dynamics::StepTimer* timer() const override { return formulation_->timer(); }

 private:
  /// Code in coordinates that are integrated in part tells all accelerations; z̈ are read from them as ż from rates.
  bool accelerate_by_code(const State& state, std::span<double> a, std::span<double> z_ddot) {
    if (name() == "groups") return code_->accelerate(state, drivers_, a, z_ddot);
    if (!code_->accelerate(state, drivers_, all_, {})) return false;
    if (!a.empty()) std::ranges::copy(all_, a.begin());
    rates_.q = state.q;
    rates_.v = all_;
    unread_.resize(z_ddot.size());
    formulation_->read(rates_, unread_, z_ddot);
    return true;
  }

  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<MotionCode> code_;
  dynamics::DynamicModel model_;
  core::ProgramCompiler& compiler_;
  std::vector<coordinates::CoordinateValue> drivers_;
  std::vector<double> all_, unread_;  ///< scratch
  State rates_;                       ///< scratch: accelerations in the place of rates
  bool is_from_code_ = false;         ///< the last accelerations are
};

}  // namespace

namespace {

/// Of accelerations at the start.
double evaluation_time_of(Formulation& formulation) {
  const State start = formulation.start();
  // Groups tell what is integrated without all the others.
  std::vector<double> a(formulation.name() == "groups" ? 0 : start.q.size()),
      z_ddot(static_cast<std::size_t>(formulation.num_integrated()));
  return core::evaluation_time([&] { static_cast<void>(formulation.accelerate(start, a, z_ddot)); });
}

/// Of a point at the start.
core::EvaluationTimes evaluation_times_of(const dynamics::ReducedMotion& motion,
                                          dynamics::ReducedCode& code) {
  dynamics::ReducedMotion interpreted(motion.model(), motion.unknowns());
  const dynamics::ReducedPoint start = interpreted.start();
  dynamics::ReducedPoint point = start;
  std::vector<coordinates::CoordinateValue> drivers(motion.model().prescribed().size());
  motion.model().evaluate_drivers_or_throw(start.t, drivers);
  return {.compiled = core::evaluation_time([&] { static_cast<void>(code.solve(drivers, start, point)); }),
          .interpreted =
              core::evaluation_time([&] { static_cast<void>(interpreted.solve(start.t, start, point)); })};
}

}  // namespace

std::string why_no_code(const core::ModelError& error) {
  return error.text().where + ": expected " + error.text().expected + ", got " + error.text().actual;
}

std::unique_ptr<dynamics::ReducedCode> MotionCompiler::compile(
    const dynamics::ReducedMotion& motion, std::span<const dynamics::WrittenReading> readings) {
  if (programs_->version().empty()) return nullptr;  // its note says so
  std::string why_none = why_interpreted(motion.model());
  try {
    if (why_none.empty()) {
      std::vector<std::string> notes;
      std::unique_ptr<dynamics::ReducedCode> code = make_reduced_code(motion, readings, *programs_, notes);
      for (const std::string& note : notes) programs_->add_note(note);
      if (code && !programs_->report().evaluation) programs_->tell(evaluation_times_of(motion, *code));
      return code;
    }
  } catch (const core::ModelError& error) {
    why_none = why_no_code(error);
  }
  programs_->add_note("The motion of the filter is interpreted: " + why_none + ".");
  return nullptr;
}

dynamics::FormulationChoice MotionCompiler::choose(const dynamics::DynamicModel& model) {
  const dynamics::FormulationChoice choice = dynamics::choose_formulation(model);
  const bool has_clusters = choice.formulation == "clusters";
  if (!has_clusters && (choice.formulation != "groups" || make_closed_groups(model))) return choice;
  std::string why_none;
  const auto tree = dynamics::make_formulation("semi-recursive", model);
  if (!make_code(*tree, model, model.start(), *programs_, why_none)) return choice;  // interpreted either way
  return {"semi-recursive", has_clusters
                                ? choice.reason + ", and clusters cannot be compiled"
                                : "its structural groups have no closed form that could be compiled"};
}

std::string MotionCompiler::summary() const { return codegen::summary(programs_->report()); }

std::vector<std::string> MotionCompiler::notes() const { return programs_->report().notes; }

std::unique_ptr<Formulation> MotionCompiler::compile(std::unique_ptr<Formulation> formulation,
                                                     const dynamics::DynamicModel& model) {
  if (programs_->version().empty()) return formulation;  // its note says so
  std::string why_none;
  std::unique_ptr<MotionCode> code = make_code(*formulation, model, model.start(), *programs_, why_none);
  if (!why_none.empty()) programs_->add_note("The motion is interpreted: " + why_none + ".");
  if (!code) return formulation;
  core::EvaluationTimes times{.interpreted = evaluation_time_of(*formulation)};
  auto compiled =
      std::make_unique<CompiledFormulation>(std::move(formulation), std::move(code), model, *programs_);
  times.compiled = evaluation_time_of(*compiled);
  programs_->tell(times);
  return compiled;
}

}  // namespace eslabon::codegen
