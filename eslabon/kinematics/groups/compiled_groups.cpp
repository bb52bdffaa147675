#include "eslabon/kinematics/groups/compiled_groups.hpp"

#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::kinematics {

namespace {

constexpr double kSafeMargin = 0.02;  // from where branches meet

}  // namespace

template <class Link>
std::unique_ptr<CompiledGroups<Link>> CompiledGroups<Link>::make(const GroupKinematics<Link>& groups,
                                                                 core::ProgramCompiler& compiler) {
  using core::Traced;
  if (!groups.has_closed_forms()) return nullptr;
  std::unique_ptr<CompiledGroups> made(new CompiledGroups);
  made->signs_ = groups.signs();
  made->num_inputs_ = groups.problem().num_inputs();
  made->num_links_ = groups.start().links.size();
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  std::vector<coordinates::CoordinateValueOf<Traced>> inputs(made->num_inputs_);
  for (auto& input : inputs)
    for (Traced* number : {&input.position, &input.velocity, &input.acceleration}) *number = trace.input();
  std::vector<Traced> signs;
  for (std::size_t k = 0; k < made->signs_.size(); ++k) signs.push_back(trace.input());
  std::vector<typename GroupKinematics<Link>::TracedLink> links(made->num_links_);
  const TracedClosure closure = groups.write(inputs, signs, links);
  std::vector<Traced> outputs(3 * Link::kNumbers * (made->num_links_ - 1));
  for (std::size_t l = 1; l < made->num_links_; ++l) {
    Traced* const first = &outputs[3 * Link::kNumbers * (l - 1)];
    links[l].write_position(first);
    links[l].write_velocity(first + Link::kNumbers);
    links[l].write_acceleration(first + 2 * Link::kNumbers);
  }
  outputs.push_back(closure.margin);
  const core::Program program(trace, outputs);
  const core::NamedProgram named{"links", &program};
  std::vector<core::CompiledFunction> code = compiler.compile_functions({&named, 1});
  if (code.empty()) return nullptr;
  made->code_ = std::move(code[0]);
  made->in_.resize(3 * made->num_inputs_ + made->signs_.size());
  made->out_.resize(outputs.size());
  made->work_.resize(made->code_.num_work);
  return made;
}

template <class Link>
bool CompiledGroups<Link>::solve(std::span<const coordinates::CoordinateValue> inputs,
                                 std::span<const GroupBranch> branches, std::span<Link> links) {
  double* in = in_.data();
  for (const coordinates::CoordinateValue& input : inputs.first(num_inputs_)) {
    *in++ = input.position;
    *in++ = input.velocity;
    *in++ = input.acceleration;
  }
  for (const auto& [group, number] : signs_) *in++ = signs_of(branches[group])[number];
  code_.call(in_.data(), nullptr, out_.data(), work_.data());
  if (!(out_.back() > kSafeMargin)) return false;
  for (std::size_t l = 1; l < num_links_; ++l) {
    const double* const first = &out_[3 * Link::kNumbers * (l - 1)];
    links[l].read(first, first + Link::kNumbers, first + 2 * Link::kNumbers);
  }
  return true;
}

template class CompiledGroups<PlanarLink>;
template class CompiledGroups<SpatialLink>;

}  // namespace eslabon::kinematics
