#include <algorithm>
#include <cmath>
#include <optional>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"
#include "eslabon/dynamics/formulations/group_arrangement.hpp"
#include "eslabon/dynamics/mass/link_column.hpp"
#include "eslabon/dynamics/mass/mass_factors.hpp"
#include "eslabon/kinematics/drivers/input_parties.hpp"
#include "eslabon/kinematics/drivers/input_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/structure/believed_inputs.hpp"

// The equations of motion reduced to the inputs of the structural groups, which [Seed001, §5.2] left for the future: the groups are
// solved in order, each passes on its velocity coefficients, and masses and forces are summed over the links. No global matrix.
//   φ̇ = K ż + s,   φ̈ = K z̈ + c                     rates of all links; s, c with the rates of drivers, and z̈ = 0           (1)
//   Σ K_lᵀ M_l K_l  z̈ = Σ K_lᵀ (W_l − M_l c_l − b_l)   l: links; W what acts, b the gyroscopic part                     (2)
// K is found by sending unit rates of the inputs through the groups; inputs that move no common link are sent together. With one
// freedom and no driver one pass gives K and c = L ż² both.
namespace eslabon::dynamics {

namespace {

using coordinates::CoordinateValue;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using kinematics::GroupKinematics;
using kinematics::PlanarLink;
using kinematics::PlanarVector;
using kinematics::SpatialLink;

constexpr double kBadInputs = 4.0;  // movement of a link for a unit of an input

template <class Link>
class GroupDynamics final : public Formulation {
 public:
  using Mass = typename MassOf<Link>::Type;
  using Column = decltype(column_of(std::declval<Link>(), std::declval<Mass>()));
  using Solution = typename GroupKinematics<Link>::Solution;

  explicit GroupDynamics(const DynamicModel& model)
      : model_(model),
        tree_(model.mechanism(), model.structure()),
        arrangement_(arrange_groups<Link>(model)),
        num_links_(groups().start().links.size()),
        num_drivers_(model.mechanism().drivers().size()),
        num_inputs_(groups().problem().num_inputs()),
        length_(coordinates::length_scale(model.mechanism())),
        at_(groups().start()),
        workspace_(groups().make_workspace()),
        inputs_(num_inputs_),
        bodies_(model.mechanism().bodies().size()),
        body_wrenches_(bodies_.size()),
        link_wrenches_(num_links_),
        state_rates_(model.mechanism().states().size()),
        spatial_(num_links_) {
    for (const LinkMass& mass : link_masses(model.mechanism(), tree_)) masses_.push_back(Mass::of(mass));
    const auto f = static_cast<Index>(num_freedoms());
    columns_.resize(num_links_ * num_freedoms());
    find_movers();
    M_.resize(f, f);
    force_.resize(f);
  }

  std::string_view name() const override { return "groups"; }
  std::string description() const override {
    const auto counted = [](std::size_t count, const std::string& word) {
      return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
    };
    std::string text = counted(groups().num_groups(), "structural group") + ", " +
                       counted(num_freedoms(), "DOF") + (num_freedoms() == 0 ? "" : ":");
    for (std::size_t i = num_drivers_; i < num_inputs_; ++i)
      text += (i == num_drivers_ ? " " : ", ") + structure().inputs[i].name;
    return text;
  }
  int num_coordinates() const override {
    return static_cast<int>(coupled_slot(groups().coupled().coordinates().size()));
  }
  int num_integrated() const override { return static_cast<int>(num_freedoms()); }

  std::vector<model::Variable> integrated_variables() const override {
    std::vector<model::Variable> list;
    for (std::size_t i = num_drivers_; i < num_inputs_; ++i) list.push_back(*structure().inputs[i].variable);
    return list;
  }

  State start() override { return state_of(model_.start(), 0.0); }

  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    const auto n = static_cast<std::size_t>(num_coordinates());
    State state{t, std::vector<double>(n), std::vector<double>(n), model_.start_memory()};
    Solution at = groups().start();
    for (std::size_t l = 1; l < num_links_; ++l)
      at.links[l] = Link::from_body_motion(bodies[structure().topology.links[l].front().slot()]);
    write_links(at.links, state);
    for (std::size_t i = 0; i < num_inputs_; ++i) {
      const CoordinateValue value =
          kinematics::input_value(model_.mechanism(), *structure().inputs[i].variable, bodies);
      state.q[input_slot(i)] = value.position;
      state.v[input_slot(i)] = value.velocity;
    }
    at.coupled = groups().coupled().coordinates().read(bodies, turns_of_drivers(t));
    write_coupled(at, state);
    model_.forces().follow_angles(bodies, state.memory.angles);
    std::vector<double> z(num_freedoms()), z_dot(num_freedoms());
    read(state, z, z_dot);
    model_.evaluate_drivers_or_throw(t, inputs_);
    static_cast<void>(complete(t, z, z_dot, state));
    return state;
  }

  void read_scales(std::span<double> out) const override {
    for (std::size_t k = 0; k < num_freedoms(); ++k) out[k] = is_angle_[k] ? 1.0 : length_;
  }
  void read(const State& state, std::span<double> z, std::span<double> z_dot) const override {
    for (std::size_t k = 0; k < num_freedoms(); ++k) {
      z[k] = state.q[input_slot(num_drivers_ + k)];
      z_dot[k] = state.v[input_slot(num_drivers_ + k)];
    }
  }

  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) override {
    if (!model_.evaluate_drivers(t, inputs_)) return DynamicsStatus::kNoValue;
    for (std::size_t k = 0; k < num_freedoms(); ++k) inputs_[num_drivers_ + k] = {z[k], z_dot[k], 0.0};
    read_positions(state);
    if (const auto failure = groups().solve(inputs_, at_, workspace_)) {
      // What was looked from, as a position of rigid bodies: for messages.
      for (Link& link : at_.links) link.normalise();
      write_links(at_.links, state);
      return status_of(*failure);
    }
    state.t = t;
    write_links(at_.links, state);
    write_coupled(at_, state);
    for (std::size_t i = 0; i < num_inputs_; ++i) {
      state.q[input_slot(i)] = inputs_[i].position;
      state.v[input_slot(i)] = inputs_[i].velocity;
    }
    if (!state.memory.angles.empty()) {
      groups().write_bodies(at_.links, bodies_);
      model_.forces().follow_angles(bodies_, state.memory.angles);
    }
    return DynamicsStatus::kSolved;
  }

  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    if (const DynamicsStatus status = evaluate(state); status != DynamicsStatus::kSolved) return status;
    if (num_freedoms() == 1) {
      if (!(M_(0, 0) > 0.0)) return DynamicsStatus::kSingular;
      force_[0] /= M_(0, 0);
    } else if (num_freedoms() > 0) {
      if (!factors_.factor(M_)) return DynamicsStatus::kSingular;
      factors_.solve(force_);
    }
    for (std::size_t k = 0; k < num_freedoms(); ++k) z_ddot[k] = force_[static_cast<Index>(k)];
    if (!a.empty()) write_accelerations(state, a);
    return DynamicsStatus::kSolved;
  }

  std::span<const double> state_rates() const override { return state_rates_; }

  core::ErrorText why_not(const State& state) override {
    if (std::optional<core::ErrorText> text = model_.why_no_drivers(state.t)) return std::move(*text);
    static_cast<void>(evaluate(state));  // leaves the bodies as forces see them
    return model_.forces().why_not(state.t, bodies_, state.memory);
  }

  double regularity() const override {
    double least = 1.0;
    for (const kinematics::GroupScratch& scratch : workspace_) least = std::min(least, scratch.sine_square);
    return std::sqrt(least);
  }

  std::optional<std::string> choose_integrated(State& state) override {
    if (num_freedoms() == 0 || evaluate(state) != DynamicsStatus::kSolved || leverage() < kBadInputs)
      return std::nullopt;
    return exchange_inputs(state);
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    for (std::size_t l = 1; l < num_links_; ++l) {
      const std::size_t first = kNumbers * (l - 1);
      at_.links[l].read(&state.q[first], &state.v[first], &a[first]);
    }
    groups().write_bodies(at_.links, out);
  }

  double constraint_error(const State& state) override {
    read_positions(state);
    for (std::size_t l = 0; l < num_links_; ++l) spatial_[l] = at_.links[l].to_spatial();
    for (std::size_t i = 0; i < num_inputs_; ++i) inputs_[i].position = state.q[input_slot(i)];
    return std::max(arrangement_->residual.largest(spatial_, inputs_, length_),
                    groups().coupled().coordinates().residual(at_.coupled, length_)) *
           length_;
  }

 private:
  static constexpr std::size_t kNumbers = Link::kNumbers;

  std::size_t num_freedoms() const { return num_inputs_ - num_drivers_; }
  std::size_t input_slot(std::size_t i) const { return kNumbers * (num_links_ - 1) + i; }
  /// Joint coordinates that couplings look at stand behind the inputs: poses do not tell their turns.
  std::size_t coupled_slot(std::size_t k) const { return input_slot(num_inputs_ + k); }
  void write_coupled(const Solution& at, State& state) const {
    for (std::size_t k = 0; k < at.coupled.size(); ++k) {
      state.q[coupled_slot(k)] = at.coupled[k].position;
      state.v[coupled_slot(k)] = at.coupled[k].velocity;
    }
  }
  void read_coupled(const State& state, Solution& at) const {
    for (std::size_t k = 0; k < at.coupled.size(); ++k) at.coupled[k] = {state.q[coupled_slot(k)], 0.0, 0.0};
  }
  /// Where drivers turn coupled coordinates to.
  std::vector<std::optional<double>> turns_of_drivers(double t) {
    const coordinates::CoupledCoordinates& coordinates = groups().coupled().coordinates();
    std::vector<std::optional<double>> near(coordinates.size());
    if (near.empty()) return near;
    model_.evaluate_drivers_or_throw(t, inputs_);
    for (std::size_t i = 0; i < num_drivers_; ++i)
      if (const auto place = coordinates.place_of(*structure().inputs[i].variable))
        near[*place] = inputs_[i].position;
    return near;
  }
  Column& column(std::size_t link, std::size_t k) { return columns_[link * num_freedoms() + k]; }

  using Arrangement = GroupArrangement<Link>;
  const GroupKinematics<Link>& groups() const { return arrangement_->groups; }
  const structure::Structure& structure() const { return arrangement_->structure; }

  void find_movers() {
    is_angle_.clear();
    for (std::size_t i = num_drivers_; i < num_inputs_; ++i)
      is_angle_.push_back(model::dimension(model_.mechanism(), *structure().inputs[i].variable) ==
                          core::kAngle);
    kinematics::InputParties found = kinematics::find_input_parties(structure(), num_drivers_);
    movers_ = std::move(found.movers);
    parties_ = std::move(found.parties);
  }

  /// How far a link moves at most for a unit of an input, lengths in units of the size: large near a toggle.
  double leverage() {
    double largest = 0.0;
    for (std::size_t l = 1; l < num_links_; ++l)
      for (const std::size_t k : movers_[l]) {
        const double unit = is_angle_[k] ? 1.0 : length_;
        largest = std::max(largest, unit * speed(column(l, k), length_));
      }
    return largest;
  }
  /// Takes those coordinates of joints as inputs that move most where the mechanism is; when that is possible and better.
  std::optional<std::string> exchange_inputs(State& state) {
    const model::Mechanism& mechanism = model_.mechanism();
    std::vector<model::Variable> candidates;
    for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
      for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
        candidates.push_back(
            {model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c});
    if (candidates.size() < num_freedoms()) return std::nullopt;  // free bodies have none
    // Their rates for unit rates of the present inputs.
    const auto f = static_cast<Index>(num_freedoms());
    MatrixXd rates(static_cast<Index>(candidates.size()), f);
    std::vector<CoordinateValue> sent(num_inputs_);
    Solution at = groups().start();
    for (Index k = 0; k < f; ++k) {
      for (std::size_t i = 0; i < num_inputs_; ++i)
        sent[i] = {state.q[input_slot(i)], i == num_drivers_ + static_cast<std::size_t>(k) ? 1.0 : 0.0, 0.0};
      for (std::size_t l = 1; l < num_links_; ++l) at.links[l].read_position(&state.q[kNumbers * (l - 1)]);
      read_coupled(state, at);
      std::ranges::fill(at.branches, kinematics::kNearestBranch);
      if (groups().solve(sent, at, workspace_)) return std::nullopt;
      groups().write_bodies(at.links, bodies_);
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        const bool is_turn = model::dimension(mechanism, candidates[c]) == core::kAngle;
        rates(static_cast<Index>(c), k) =
            kinematics::input_value(mechanism, candidates[c], bodies_).velocity / (is_turn ? 1.0 : length_);
      }
    }
    // The rows that span most, one after the other.
    std::vector<model::Variable> chosen;
    for (Index k = 0; k < f; ++k) {
      Index row = 0, column = 0;
      rates.rightCols(f - k).cwiseAbs().maxCoeff(&row, &column);
      rates.col(k).swap(rates.col(k + column));
      if (rates(row, k) == 0.0) return std::nullopt;
      chosen.push_back(candidates[static_cast<std::size_t>(row)]);
      for (Index c = k + 1; c < f; ++c) rates.col(c) -= rates(row, c) / rates(row, k) * rates.col(k);
    }
    if (are_inputs(chosen) || chosen == refused_) return std::nullopt;
    const std::vector<double> zero(state.q.size(), 0.0);
    evaluate_bodies(state, zero, bodies_);
    try {
      const model::Mechanism variant = model::with_inputs(mechanism, chosen);
      auto arrangement =
          std::make_unique<Arrangement>(variant, structure::analyse_with_believed_inputs(variant), bodies_);
      arrangement_.swap(arrangement);
    } catch (const core::ModelError&) {
      refused_ =
          std::move(chosen);  // groups with these inputs have no solver: better near a toggle than nowhere
      return std::nullopt;
    }
    at_ = groups().start();
    workspace_ = groups().make_workspace();
    find_movers();
    std::string names;
    for (std::size_t i = 0; i < num_inputs_; ++i) {
      const CoordinateValue value =
          kinematics::input_value(mechanism, *structure().inputs[i].variable, bodies_);
      state.q[input_slot(i)] = value.position;
      state.v[input_slot(i)] = value.velocity;
      if (i >= num_drivers_) names += (names.empty() ? "" : ", ") + structure().inputs[i].name;
    }
    return "inputs are now " + names;
  }

  /// Whether these are the inputs already, in any order.
  bool are_inputs(const std::vector<model::Variable>& variables) const {
    return std::ranges::all_of(variables, [&](const model::Variable& variable) {
      return std::any_of(structure().inputs.begin() + static_cast<std::ptrdiff_t>(num_drivers_),
                         structure().inputs.end(),
                         [&](const structure::Input& input) { return *input.variable == variable; });
    });
  }

  void read_positions(const State& state) {
    for (std::size_t l = 1; l < num_links_; ++l) at_.links[l].read_position(&state.q[kNumbers * (l - 1)]);
    read_coupled(state, at_);
    std::ranges::fill(at_.branches, kinematics::kNearestBranch);
  }
  void write_links(const std::vector<Link>& links, State& state) const {
    for (std::size_t l = 1; l < num_links_; ++l) {
      links[l].write_position(&state.q[kNumbers * (l - 1)]);
      links[l].write_velocity(&state.v[kNumbers * (l - 1)]);
    }
  }

  /// M and the forces of (2).
  DynamicsStatus evaluate(const State& state) {
    read_positions(state);
    const bool has_one_pass = num_freedoms() == 1 && num_drivers_ == 0;
    // Where the inputs are, and, for drivers, how they move.
    if (!model_.evaluate_drivers(state.t, inputs_)) return DynamicsStatus::kNoValue;
    const auto set_rates = [&](double factor) {
      for (std::size_t i = num_drivers_; i < num_inputs_; ++i)
        inputs_[i] = {state.q[input_slot(i)], factor * state.v[input_slot(i)], 0.0};
    };
    set_rates(0.0);
    if (has_one_pass) {
      inputs_[0].velocity = 1.0;
      if (const auto failure = groups().solve(inputs_, at_, workspace_)) return status_of(*failure);
      scale_rates(state.v[input_slot(0)]);
    } else {
      for (std::size_t i = 0; i < num_drivers_; ++i) inputs_[i].velocity = inputs_[i].acceleration = 0.0;
      for (const std::vector<std::size_t>& party : parties_) {
        for (const std::size_t k : party) inputs_[num_drivers_ + k].velocity = 1.0;
        if (const auto failure = groups().solve(inputs_, at_, workspace_)) return status_of(*failure);
        for (const std::size_t k : party) {
          inputs_[num_drivers_ + k].velocity = 0.0;
          for (std::size_t l = 1; l < num_links_; ++l)
            if (std::ranges::binary_search(movers_[l], k)) column(l, k) = column_of(at_.links[l], masses_[l]);
        }
      }
      if (!model_.evaluate_drivers(state.t, inputs_)) return DynamicsStatus::kNoValue;
      set_rates(1.0);
      if (const auto failure = groups().solve(inputs_, at_, workspace_)) return status_of(*failure);
    }
    has_weights_only_ = model_.forces().has_weights_only();
    if (!has_weights_only_ && !evaluate_wrenches(state)) return DynamicsStatus::kNoValue;
    sum_up();
    return DynamicsStatus::kSolved;
  }

  static DynamicsStatus status_of(const typename GroupKinematics<Link>::Failure& failure) {
    return failure.status == kinematics::GroupStatus::kSingular ? DynamicsStatus::kSingular
                                                                : DynamicsStatus::kNotClosed;
  }

  /// With unit rates sent: keeps K, and makes the rates those of ż and the accelerations c = L ż².
  void scale_rates(double z_dot) {
    for (std::size_t l = 1; l < num_links_; ++l) {
      Link& link = at_.links[l];
      column(l, 0) = column_of(link, masses_[l]);
      link.v = z_dot * link.v;
      link.w = z_dot * link.w;
      link.a = (z_dot * z_dot) * link.a;
      link.alpha = (z_dot * z_dot) * link.alpha;
    }
  }

  [[nodiscard]] bool evaluate_wrenches(const State& state) {
    groups().write_bodies(at_.links, bodies_);
    if (!model_.forces().evaluate_without_weights(state.t, bodies_, state.memory, body_wrenches_,
                                                  state_rates_))
      return false;
    for (Wrench& wrench : link_wrenches_) wrench = {};
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      const auto l = static_cast<std::size_t>(tree_.link_of(model::BodyIndex(static_cast<int>(b))));
      link_wrenches_[l].torque += body_wrenches_[b].torque;
      link_wrenches_[l].add_force(body_wrenches_[b].force,
                                  bodies_[b].X_WB.p_AB_A - at_.links[l].to_spatial().p);
    }
    return true;
  }

  void sum_up() {
    M_.setZero();
    force_.setZero();
    const Vector3d& g = model_.mechanism().gravity_W();
    const Wrench none;
    if (num_freedoms() == 1) {
      double M = 0.0, Q = 0.0;
      for (std::size_t l = 1; l < num_links_; ++l) {
        const Column& K = columns_[l];
        M += product(at_.links[l], masses_[l], K, K);
        Q += power(K, rest_of(at_.links[l], masses_[l], g, has_weights_only_ ? none : link_wrenches_[l]));
      }
      M_(0, 0) = M;
      force_[0] = Q;
      return;
    }
    for (std::size_t l = 1; l < num_links_; ++l) {
      if (movers_[l].empty()) continue;
      const Column rest = rest_of(at_.links[l], masses_[l], g, has_weights_only_ ? none : link_wrenches_[l]);
      for (const std::size_t i : movers_[l]) {
        force_[static_cast<Index>(i)] += power(column(l, i), rest);
        for (const std::size_t j : movers_[l])
          if (j <= i) {
            const double m = product(at_.links[l], masses_[l], column(l, i), column(l, j));
            M_(static_cast<Index>(i), static_cast<Index>(j)) += m;
            if (j < i) M_(static_cast<Index>(j), static_cast<Index>(i)) += m;
          }
      }
    }
  }

  /// Accelerations of all links with the z̈ found.
  void write_accelerations(const State& state, std::span<double> a) {
    static_cast<void>(model_.evaluate_drivers(state.t, inputs_));  // evaluate() had them
    for (std::size_t k = 0; k < num_freedoms(); ++k)
      inputs_[num_drivers_ + k] = {state.q[input_slot(num_drivers_ + k)],
                                   state.v[input_slot(num_drivers_ + k)], force_[static_cast<Index>(k)]};
    static_cast<void>(groups().solve(inputs_, at_, workspace_));
    for (std::size_t l = 1; l < num_links_; ++l) at_.links[l].write_acceleration(&a[kNumbers * (l - 1)]);
    for (std::size_t i = 0; i < num_inputs_; ++i) a[input_slot(i)] = inputs_[i].acceleration;
    for (std::size_t k = 0; k < at_.coupled.size(); ++k) a[coupled_slot(k)] = at_.coupled[k].acceleration;
  }

  DynamicModel model_;
  coordinates::KinematicTree tree_;
  std::unique_ptr<Arrangement> arrangement_;
  std::vector<model::Variable> refused_;  ///< inputs with which there are no groups
  std::size_t num_links_, num_drivers_, num_inputs_;
  double length_;
  std::vector<Mass> masses_;                       ///< (links)
  std::vector<std::vector<std::size_t>> movers_;   ///< (links) free inputs that move it
  std::vector<std::vector<std::size_t>> parties_;  ///< free inputs that are sent together
  std::vector<bool> is_angle_;                     ///< (freedoms)
  bool has_weights_only_ = false;
  // Scratch.
  Solution at_;
  typename GroupKinematics<Link>::Workspace workspace_;
  std::vector<CoordinateValue> inputs_;
  std::vector<Column> columns_;  ///< (links × freedoms) K
  coordinates::MechanismMotion bodies_;
  std::vector<Wrench> body_wrenches_, link_wrenches_;
  std::vector<double> state_rates_;
  std::vector<SpatialLink> spatial_;
  MatrixXd M_;
  VectorXd force_;
  MassFactors factors_;
};

}  // namespace

std::unique_ptr<Formulation> make_groups(const DynamicModel& model, const FormulationOptions&) {
  if (model.mechanism().is_planar()) return std::make_unique<GroupDynamics<PlanarLink>>(model);
  return std::make_unique<GroupDynamics<SpatialLink>>(model);
}

}  // namespace eslabon::dynamics
