#include "eslabon/kinematics/groups/group_method.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/time/evaluation_time.hpp"
#include "eslabon/kinematics/groups/compiled_groups.hpp"
#include "eslabon/kinematics/groups/link_row.hpp"
#include "eslabon/kinematics/groups/velocity_coefficients.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;

template <class Link>
class GroupMethod final : public KinematicMethod {
 public:
  GroupMethod(bool has_coefficients, const DrivenMechanism& driven, core::ProgramCompiler* compiler)
      : has_coefficients_(has_coefficients),
        driven_(driven),
        groups_(driven),
        residual_(driven.mechanism(), coordinates::KinematicTree(driven.mechanism(), driven.structure()),
                  driven.prescribed()),
        length_(coordinates::length_scale(driven.mechanism())),
        solution_(groups_.start()),
        workspace_(groups_.make_workspace()),
        spatial_(solution_.links.size()) {
    if (compiler == nullptr || has_coefficients) return;
    code_ = CompiledGroups<Link>::make(groups_, *compiler);
    if (code_) tell_times(*compiler);
  }

  std::string_view name() const override { return has_coefficients_ ? "groups-tensor" : "groups"; }
  bool iterates() const override { return false; }

  std::string description() const override {
    std::map<std::string, int> closed, general;
    for (std::size_t g = 0; g < groups_.num_groups(); ++g) {
      const structure::StructuralGroup& group = groups_.group(g);
      ++(groups_.is_closed_form(g) ? closed : general)[group.assur.empty() ? group.type : group.assur];
    }
    const auto listed = [](const std::map<std::string, int>& counts) {
      std::string text;
      for (const auto& [type, count] : counts)
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " × " + type;
      return text;
    };
    std::string text =
        std::to_string(groups_.num_groups()) + (groups_.num_groups() == 1 ? " group" : " groups");
    if (!closed.empty()) text += ", in closed form " + listed(closed);
    if (!general.empty()) text += ", by iteration " + listed(general);
    return text;
  }

  State start() const override {
    const std::size_t n = num_of_links() + solution_.coupled.size();
    State state{0.0, std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
    for (std::size_t l = 1; l < solution_.links.size(); ++l) {
      groups_.start().links[l].write_position(&state.q[kNumbers * (l - 1)]);
      groups_.start().links[l].write_velocity(&state.v[kNumbers * (l - 1)]);
      groups_.start().links[l].write_acceleration(&state.a[kNumbers * (l - 1)]);
    }
    for (std::size_t k = 0; k < solution_.coupled.size(); ++k)
      state.q[num_of_links() + k] = groups_.start().coupled[k].position;
    return state;
  }

  PositionSolution solve_positions(std::span<const CoordinateValue> values, int most,
                                   std::span<double> q) override {
    read_positions(q);
    NewtonReport report;
    if (most == 0) {
      read_branches(values);
      return solution(report);
    }
    const auto failure = solve_groups(values);
    report.is_converged = !failure;
    report.is_singular = failure && failure->status == GroupStatus::kSingular;
    if (failure) return solution(report);
    for (std::size_t l = 1; l < solution_.links.size(); ++l)
      solution_.links[l].write_position(&q[kNumbers * (l - 1)]);
    for (std::size_t k = 0; k < solution_.coupled.size(); ++k)
      q[num_of_links() + k] = solution_.coupled[k].position;
    return solution(report);
  }

  SolvedVelocity solve_velocities(const SolvedPosition&, std::span<double> v) override {
    for (std::size_t l = 1; l < solution_.links.size(); ++l)
      solution_.links[l].write_velocity(&v[kNumbers * (l - 1)]);
    for (std::size_t k = 0; k < solution_.coupled.size(); ++k)
      v[num_of_links() + k] = solution_.coupled[k].velocity;
    return solved_velocity();
  }

  void solve_accelerations(const SolvedVelocity&, std::span<const CoordinateValue>, std::span<const double>,
                           std::span<const double>, std::span<double> a) override {
    for (std::size_t l = 1; l < solution_.links.size(); ++l)
      solution_.links[l].write_acceleration(&a[kNumbers * (l - 1)]);
    for (std::size_t k = 0; k < solution_.coupled.size(); ++k)
      a[num_of_links() + k] = solution_.coupled[k].acceleration;
  }

  double evaluate_residual(std::span<const CoordinateValue> values, std::span<const double> q) override {
    read_positions(q);
    for (std::size_t l = 0; l < spatial_.size(); ++l) spatial_[l] = solution_.links[l].to_spatial();
    return std::max(residual_.largest(spatial_, values, length_),
                    groups_.coupled().coordinates().residual(solution_.coupled, length_));
  }

  void branch_signs(std::vector<signed char>& signs) override {
    signs = solution_.branches;
    // A closed form without branches is on the only one there is; of another group nothing is known.
    for (std::size_t g = 0; g < signs.size(); ++g)
      if (groups_.is_closed_form(g) && signs[g] == 0) signs[g] = 1;
  }

  void evaluate_bodies(const State& state, coordinates::MechanismMotion& out) override {
    for (std::size_t l = 1; l < solution_.links.size(); ++l) {
      const std::size_t first = kNumbers * (l - 1);
      solution_.links[l].read(&state.q[first], &state.v[first], &state.a[first]);
      solution_.links[l].normalise();  // between two solutions the state is interpolated
    }
    groups_.write_bodies(solution_.links, out);
  }

  double scaled_norm(std::span<const double> dq) const override {
    double length = 0.0, pure = 0.0;
    for (std::size_t first = 0; first < num_of_links(); first += kNumbers) {
      for (std::size_t c = first; c < first + Link::kLengths; ++c) length = std::max(length, std::abs(dq[c]));
      for (std::size_t c = first + Link::kLengths; c < first + kNumbers; ++c)
        pure = std::max(pure, std::abs(dq[c]));
    }
    for (std::size_t k = 0; num_of_links() + k < dq.size(); ++k) {
      double& largest = groups_.coupled().coordinates().is_angle(k) ? pure : length;
      largest = std::max(largest, std::abs(dq[num_of_links() + k]));
    }
    return std::max(length / length_, pure);
  }

 private:
  static constexpr std::size_t kNumbers = Link::kNumbers;
  std::size_t num_of_links() const { return kNumbers * (solution_.links.size() - 1); }

  /// What the code gives at the start.
  void tell_times(core::ProgramCompiler& compiler) {
    std::vector<CoordinateValue> values(driven_.prescribed().size());
    if (!driven_.evaluate(0.0, values)) return;
    const auto time = [&] { return core::evaluation_time([&] { static_cast<void>(solve_groups(values)); }); };
    const double compiled = time();
    std::unique_ptr<CompiledGroups<Link>> code = std::move(code_);
    compiler.tell({.compiled = compiled, .interpreted = time()});
    code_ = std::move(code);
    solution_ = groups_.start();
  }

  /// Those on which links are now.
  void read_branches(std::span<const CoordinateValue> values) {
    groups_.hand_over(solution_, workspace_);
    for (std::size_t g = 0; g < groups_.num_groups(); ++g)
      solution_.branches[g] = groups_.solver(g).branch_at(values, solution_.links, workspace_[g]);
  }

  /// From links as they were read.
  std::optional<typename GroupKinematics<Link>::Failure> solve_groups(
      std::span<const CoordinateValue> values) {
    if (code_) {
      read_branches(values);
      if (code_->solve(values, solution_.branches, solution_.links)) {
        read_branches(values);  // of groups without signs only now
        return std::nullopt;
      }
    }
    std::ranges::fill(solution_.branches, kNearestBranch);
    return has_coefficients_ ? solve_by_coefficients(values) : groups_.solve(values, solution_, workspace_);
  }

  void read_positions(std::span<const double> q) {
    for (std::size_t l = 1; l < solution_.links.size(); ++l)
      solution_.links[l].read_position(&q[kNumbers * (l - 1)]);
    for (std::size_t k = 0; k < solution_.coupled.size(); ++k)
      solution_.coupled[k].position = q[num_of_links() + k];
  }

  /// Positions, and the rates of all links from K and L, eqs. (2.12), (2.13) of the source.
  std::optional<typename GroupKinematics<Link>::Failure> solve_by_coefficients(
      std::span<const CoordinateValue> values) {
    if (!finder_) finder_.emplace(groups_);
    if (const auto failure = finder_->find(values, solution_, workspace_)) return failure;
    const VelocityCoefficients& coefficients = finder_->coefficients();
    const auto n = static_cast<Eigen::Index>(driven_.mechanism().drivers().size());
    z_dot_.resize(n);
    z_ddot_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      z_dot_[i] = values[static_cast<std::size_t>(i)].velocity;
      z_ddot_[i] = values[static_cast<std::size_t>(i)].acceleration;
    }
    velocities_.noalias() = coefficients.K * z_dot_;
    accelerations_.noalias() = coefficients.K * z_ddot_;
    for (Eigen::Index i = 0; i < n; ++i)
      accelerations_.noalias() += coefficients.L[static_cast<std::size_t>(i)] * (z_dot_[i] * z_dot_);
    for (std::size_t l = 1; l < solution_.links.size(); ++l) {
      const Eigen::Index first = Link::kFreedoms * static_cast<Eigen::Index>(l - 1);
      solution_.links[l].set_rates(velocities_.template segment<Link::kFreedoms>(first),
                                   accelerations_.template segment<Link::kFreedoms>(first));
    }
    groups_.coupled().follow(std::span<const Link>(solution_.links), std::span(solution_.coupled));
    return std::nullopt;
  }

  bool has_coefficients_;  ///< rates by K and L
  DrivenMechanism driven_;
  GroupKinematics<Link> groups_;
  LinkResidual residual_;
  double length_;
  std::unique_ptr<CompiledGroups<Link>> code_;  ///< where somebody compiled it
  // Scratch.
  typename GroupKinematics<Link>::Solution solution_;
  typename GroupKinematics<Link>::Workspace workspace_;
  std::optional<VelocityCoefficientFinder<Link>> finder_;
  Eigen::VectorXd z_dot_, z_ddot_, velocities_, accelerations_;
  std::vector<SpatialLink> spatial_;
};

std::unique_ptr<KinematicMethod> make(bool has_coefficients, const DrivenMechanism& driven,
                                      core::ProgramCompiler* compiler) {
  if (driven.mechanism().is_planar())
    return std::make_unique<GroupMethod<PlanarLink>>(has_coefficients, driven, compiler);
  return std::make_unique<GroupMethod<SpatialLink>>(has_coefficients, driven, compiler);
}

}  // namespace

std::unique_ptr<KinematicMethod> make_groups(const DrivenMechanism& driven, core::ProgramCompiler* compiler) {
  return make(false, driven, compiler);
}
std::unique_ptr<KinematicMethod> make_groups_tensor(const DrivenMechanism& driven) {
  return make(true, driven, nullptr);
}

}  // namespace eslabon::kinematics
