#include <algorithm>

#include "eslabon/codegen/closed_groups.hpp"
#include "eslabon/codegen/compile/motion_code.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/structure/believed_inputs.hpp"

// Code for the states of the formulation 'groups': q are the numbers of all links but the ground, then the inputs. States are completed from
// the inputs, on the branches that positions of links tell; accelerations follow from positions as they are.
namespace eslabon::codegen {

namespace {

using core::Traced;
using dynamics::TracedVector;
using kinematics::PlanarLink;
using kinematics::SpatialLink;
using std::size_t;

template <class Link>
class GroupCode final : public MotionCode {
 public:
  using Groups = ClosedGroups<Link>;
  using TracedLink = typename Groups::TracedLink;
  static constexpr size_t kNumbers = Link::kNumbers;

  GroupCode(const dynamics::DynamicModel& model, const Groups& groups, core::ProgramCompiler& compiler)
      : num_drivers_(model.mechanism().drivers().size()),
        num_inputs_(groups.groups().problem().num_inputs()),
        num_links_(groups.groups().start().links.size()) {
    trace(model, groups);
    const std::vector<core::NamedProgram> programs{
        {"complete", &*complete_program_}, {"accelerate", &*accelerate_program_}, {"all", &*all_program_}};
    std::vector<core::CompiledFunction> functions = compiler.compile_functions(programs);
    if (functions.empty()) return;
    const auto call = [&](size_t k) {
      return CodeCall(std::move(functions[k]), num_arguments(), programs[k].program->outputs().size());
    };
    complete_ = call(0);
    accelerate_ = call(1);
    all_ = call(2);
    is_compiled_ = true;
  }
  bool is_compiled() const { return is_compiled_; }

  bool complete(double t, std::span<const double> z, std::span<const double> z_dot, Drivers drivers,
                dynamics::State& state) override {
    fill(complete_, state.q, z, z_dot, drivers, t);
    const std::span<const double> out = complete_.call();
    const size_t n = num_link_numbers();
    if (!(out[2 * n] > kSafeForCode)) return false;
    state.t = t;
    std::ranges::copy(out.first(n), state.q.begin());
    std::ranges::copy(out.subspan(n, n), state.v.begin());
    for (size_t i = 0; i < num_inputs_; ++i) {
      state.q[n + i] = i < num_drivers_ ? drivers[i].position : z[i - num_drivers_];
      state.v[n + i] = i < num_drivers_ ? drivers[i].velocity : z_dot[i - num_drivers_];
    }
    return true;
  }

  bool accelerate(const dynamics::State& state, Drivers drivers, std::span<double> a,
                  std::span<double> z_ddot) override {
    CodeCall& code = a.empty() ? accelerate_ : all_;
    const size_t first = num_link_numbers() + num_drivers_, f = num_inputs_ - num_drivers_;
    fill(code, state.q, std::span(state.q).subspan(first), std::span(state.v).subspan(first), drivers,
         state.t);
    const std::span<const double> out = code.call();
    regularity_ = out[f];
    if (!(regularity_ > kSafeForCode) || !(out[f + 1] > 0.0)) return false;
    std::ranges::copy(out.first(f), z_ddot.begin());
    if (a.empty()) return true;
    std::ranges::copy(out.subspan(f + 2), a.begin());
    for (size_t i = 0; i < num_drivers_; ++i) a[num_link_numbers() + i] = drivers[i].acceleration;
    std::ranges::copy(out.first(f), a.begin() + static_cast<std::ptrdiff_t>(first));
    return true;
  }
  std::optional<double> regularity() const override { return regularity_; }

 private:
  size_t num_link_numbers() const { return kNumbers * (num_links_ - 1); }
  size_t num_arguments() const {
    return num_link_numbers() + 2 * (num_inputs_ - num_drivers_) + 3 * num_drivers_ + 1;
  }

  static void fill(CodeCall& code, std::span<const double> q, std::span<const double> z,
                   std::span<const double> z_dot, Drivers drivers, double t) {
    double* in = code.inputs().data();
    const size_t num_links = code.inputs().size() - 2 * z.size() - 3 * drivers.size() - 1;
    in = std::ranges::copy(q.first(num_links), in).out;
    in = std::ranges::copy(z, in).out;
    in = std::ranges::copy(z_dot, in).out;
    for (const coordinates::CoordinateValue& driver : drivers) {
      *in++ = driver.position;
      *in++ = driver.velocity;
      *in++ = driver.acceleration;
    }
    *in = t;
  }

  void trace(const dynamics::DynamicModel& model, const Groups& groups) {
    core::Trace trace;
    const core::Trace::Listening listening(trace);
    const auto inputs = [&](size_t count) {
      TracedVector list;
      for (size_t k = 0; k < count; ++k) list.push_back(trace.input());
      return list;
    };
    const TracedVector q = inputs(num_link_numbers());
    TracedFreedoms freedoms;
    freedoms.z = inputs(num_inputs_ - num_drivers_);
    freedoms.z_dot = inputs(num_inputs_ - num_drivers_);
    for (size_t i = 0; i < num_drivers_; ++i) {
      freedoms.drivers.position.push_back(trace.input());
      freedoms.drivers.velocity.push_back(trace.input());
      freedoms.drivers.acceleration.push_back(trace.input());
    }
    trace.set_time(trace.input());
    std::vector<TracedLink> here(num_links_);
    for (size_t l = 1; l < num_links_; ++l) here[l].read_position(&q[kNumbers * (l - 1)]);
    freedoms.branches = groups.groups().write_signs(here);

    const typename Groups::Links found = groups.write_links(freedoms);
    TracedVector out = numbers(found.links, &TracedLink::write_position);
    append(numbers(found.links, &TracedLink::write_velocity), out);
    out.push_back(found.closure.margin);
    complete_program_.emplace(trace, out);

    const typename Groups::Links links = groups.write_links(freedoms, here);

    const ReducedEquations equations(MotionForces(model, {}), groups.bodies_of(links), {});
    out = equations.z_ddot();
    out.push_back(links.closure.margin);
    out.push_back(equations.margin());
    accelerate_program_.emplace(trace, out);

    std::vector<TracedLink> accelerated = links.links;
    for (size_t k = 0; k < links.units.size(); ++k)
      for (size_t l = 1; l < num_links_; ++l) {
        accelerated[l].a = accelerated[l].a + equations.z_ddot()[k] * links.units[k][l].v;
        accelerated[l].alpha = accelerated[l].alpha + equations.z_ddot()[k] * links.units[k][l].w;
      }
    append(numbers(accelerated, &TracedLink::write_acceleration), out);
    all_program_.emplace(trace, out);
  }
  static void append(const TracedVector& list, TracedVector& out) {
    out.insert(out.end(), list.begin(), list.end());
  }
  TracedVector numbers(const std::vector<TracedLink>& links, void (TracedLink::*write)(Traced*) const) const {
    TracedVector list(num_link_numbers());
    for (size_t l = 1; l < num_links_; ++l) (links[l].*write)(&list[kNumbers * (l - 1)]);
    return list;
  }

  size_t num_drivers_, num_inputs_, num_links_;
  double regularity_ = 1.0;
  bool is_compiled_ = false;
  std::optional<core::Program> complete_program_, accelerate_program_, all_program_;
  CodeCall complete_, accelerate_, all_;
};

template <class Link>
std::unique_ptr<MotionCode> group_code(const dynamics::DynamicModel& model,
                                       const std::vector<model::Variable>& inputs,
                                       const coordinates::MechanismMotion& bodies,
                                       core::ProgramCompiler& compiler) {
  const model::Mechanism variant = model::with_inputs(model.mechanism(), inputs);
  auto arrangement = std::make_unique<dynamics::GroupArrangement<Link>>(
      variant, structure::analyse_with_believed_inputs(variant), bodies);
  if (!arrangement->groups.has_closed_forms()) return nullptr;
  const ClosedGroups<Link> groups(std::move(arrangement), model.mechanism().drivers().size());
  auto code = std::make_unique<GroupCode<Link>>(model, groups, compiler);
  return code->is_compiled() ? std::move(code) : nullptr;
}

}  // namespace

std::unique_ptr<MotionCode> make_group_code(const dynamics::DynamicModel& model,
                                            const std::vector<model::Variable>& inputs,
                                            const coordinates::MechanismMotion& bodies,
                                            core::ProgramCompiler& compiler) {
  return model.mechanism().is_planar() ? group_code<PlanarLink>(model, inputs, bodies, compiler)
                                       : group_code<SpatialLink>(model, inputs, bodies, compiler);
}

}  // namespace eslabon::codegen
