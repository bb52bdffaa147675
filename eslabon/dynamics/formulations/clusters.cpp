#include "eslabon/dynamics/formulations/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "eslabon/coordinates/row_list.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/cluster_links.hpp"
#include "eslabon/dynamics/formulations/cluster_rows.hpp"
#include "eslabon/dynamics/formulations/cluster_solver.hpp"
#include "eslabon/dynamics/formulations/cluster_tree.hpp"
#include "eslabon/dynamics/formulations/constrained_motion.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"
#include "eslabon/dynamics/formulations/left_columns.hpp"

// Articulated inertias over clusters of links that share loops. A cluster c hangs on its base with coordinates q_c = (z_c, q_d) and rows
// of its own, which see nothing of what the base does:
//   q̇_d = R_d ż + s_d,   q̈_d = R_d z̈ + c_d,   R_d = −Phi_d⁻¹ Phi_z,  s_d = −Phi_d⁻¹ Phi_t,  c_d = Phi_d⁻¹ gamma    (1)
// so that it is one joint with f_c degrees of freedom. With b_k the motion for a unit rate of coordinate k, R = [1; R_d] and ζ_i the
// acceleration of link i when neither the base nor z accelerate,
//   A_i = A_base + ζ_i + Σ_k b_k R_k z̈,   ζ_i = Σ_k (V × b_k q̇_k + b_k c_k)     over k between base and link      (2)
// From the leaves to the root, with I_i, p_i of a link and of all clusters that hang on it, and Σ over what coordinate k carries in c,
//   h_i = I_i ζ_i + p_i,   F_k = Σ I_i b_k,   M_jk = b_j · F_k,   U = F R,   D = Rᵀ M R,   u = −Rᵀ [b_k · Σ h_i]      (3)
//   base:   I ← I + Σ_c I_i − U D⁻¹ Uᵀ,    p ← p + Σ_c h_i + U D⁻¹ u                                             (4)
// and back:   z̈ = D⁻¹ (u − Uᵀ A_base),   then (1), (2).                                                          (5)
// With one joint for each cluster these are the articulated inertias of open_chain.cpp [Featherstone2008, ch. 7]; a single cluster on the
// frame is null_space.cpp. Euler parameters have one that follows from the other three, e_k = ±√(1 − Σ e_j²), before all else.
// A rod with mass between the points A, B of links adds (m/3 at each in I, and)
//   F_k ← F_k + m/6 P_Bᵀ P_A b_k + m/6 P_Aᵀ P_B b_k,   P = [−r× 1]   for links that k carries                      (6)
namespace eslabon::dynamics {

namespace {

using core::index;
using Eigen::Vector3d;

constexpr int kMostClosingSteps = 15;
constexpr double kLastClosingStep = 1e-9;  // what Newton leaves after it is its square
constexpr double kNoClosingStep = 1e-13;   // roundoff: not taken
constexpr double kPoorChoice = 0.5;        // of the best pivot ratio that the choice has had

/// Links at the ends of rods with mass.
std::vector<std::pair<int, int>> rod_ends(const model::Mechanism& mechanism,
                                          const coordinates::KinematicTree& tree) {
  std::vector<std::pair<int, int>> ends;
  for (const model::Joint& joint : mechanism.joints())
    if (joint.rod_mass != 0.0) ends.emplace_back(tree.link_of(joint.first()), tree.link_of(joint.second()));
  return ends;
}

class Clusters final : public Formulation {
 public:
  explicit Clusters(const DynamicModel& model)
      : motion_("relative", model),
        n_(index(motion_.n())),
        tree_(model.mechanism(), model.structure()),
        described_(
            coordinates::list_rows(motion_.system().layout(), model.mechanism(), model.prescribed()).rows),
        clusters_(find_clusters(tree_, motion_.system(), described_, motion_.rows(),
                                rod_ends(model.mechanism(), tree_))),
        links_(model.mechanism(), tree_, clusters_, motion_.n()),
        choices_(clusters_.size()),
        is_independent_(n_, 0),
        values_(model.prescribed().size()),
        y_(n_, 0.0),
        bodies_(model.mechanism().bodies().size()),
        wrenches_(bodies_.size()),
        state_rates_(model.mechanism().states().size()),
        shown_(bodies_.size()) {
    for (const Cluster& cluster : clusters_) {
      rows_.emplace_back(cluster, tree_, links_, described_);
      solvers_.emplace_back(cluster, static_cast<int>(solvers_.size()), tree_);
      if (cluster.parent >= 0) solvers_[index(cluster.parent)].set_carrier();
    }
    for (const model::Joint& joint : model.mechanism().joints())
      if (joint.rod_mass != 0.0) add_rod(joint);
    std::size_t num_rows = links_.balls().size();
    for (const ClusterRows& rows : rows_) num_rows += rows.size();
    keeps_all_rows_ = num_rows == index(motion_.system().num_rows());
    const State start = motion_.state_of(model.start(), 0.0);
    const Eigen::MatrixXd Phi_q = dense_rows(start);
    for (std::size_t c = 0; c < clusters_.size(); ++c) choose(c, Phi_q, start.q);
    number();
    forget();
    if (place(start) == DynamicsStatus::kSolved)
      for (std::size_t c = 0; c < clusters_.size(); ++c) {
        choices_[c].best_ratio = choice_of(c, start.q);
        choices_[c].start_regularity = std::max(regularity_of(c), 1e-300);
      }
  }

  std::string_view name() const override { return "clusters"; }
  std::string description() const override {
    std::size_t largest = 0;
    for (const ClusterSolver& solver : solvers_) largest = std::max(largest, solver.columns().size());
    return motion_.description() + ", " + std::to_string(clusters_.size()) +
           (clusters_.size() == 1 ? " cluster" : " clusters") + " of at most " + std::to_string(largest) +
           (largest == 1 ? " coordinate" : " coordinates");
  }
  int num_coordinates() const override { return motion_.n(); }
  int num_integrated() const override { return static_cast<int>(independent_.size()); }

  State start() override { return state_of(motion_.model().start(), 0.0); }
  State state_of(const coordinates::MechanismMotion& bodies, double t) override {
    State state = motion_.state_of(bodies, t);
    std::vector<double> z(independent_.size()), z_dot(z.size());
    read(state, z, z_dot);
    static_cast<void>(complete(t, z, z_dot, state));
    return state;
  }
  void read_scales(std::span<double> out) const override {
    for (std::size_t k = 0; k < independent_.size(); ++k) out[k] = motion_.scales()[index(independent_[k])];
  }
  void read(const State& state, std::span<double> z, std::span<double> z_dot) const override {
    for (std::size_t k = 0; k < independent_.size(); ++k) {
      z[k] = state.q[index(independent_[k])];
      z_dot[k] = state.v[index(independent_[k])];
    }
  }

  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) override {
    state.t = t;
    forget();
    if (!motion_.model().evaluate_drivers(t, values_)) return DynamicsStatus::kNoValue;
    for (std::size_t k = 0; k < independent_.size(); ++k) state.q[index(independent_[k])] = z[k];
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      if (const DynamicsStatus status = close(c, state.q); status != DynamicsStatus::kSolved) return status;
    for (std::size_t k = 0; k < independent_.size(); ++k) state.v[index(independent_[k])] = z_dot[k];
    for (std::size_t c = 0; c < clusters_.size(); ++c) find_rates(c, state);
    key_q_ = links_q_ = state.q;
    key_t_ = t;
    follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    if (const DynamicsStatus status = place(state); status != DynamicsStatus::kSolved) return status;
    const Vector3d& g = motion_.model().mechanism().gravity_W();
    move(state);
    for (std::size_t c = 0; c < clusters_.size(); ++c) links_.weigh(c, g);
    if (!motion_.model().forces().has_weights_only()) {
      if (!motion_.model().forces().evaluate_without_weights(state.t, bodies_, state.memory, wrenches_,
                                                             state_rates_))
        return DynamicsStatus::kNoValue;
      links_.take(wrenches_);
    }
    is_moved_ = false;  // biases are added to what velocities make
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      if (solvers_[c].m() == 0) continue;
      rows_[c].evaluate_gamma(links_, state.q, state.v, values_);
      solvers_[c].add_biases(rows_[c], links_, y_);
    }
    weigh_rods_of_links();
    for (std::size_t c = clusters_.size(); c-- > 0;)
      if (!solvers_[c].gather(links_, g)) return DynamicsStatus::kSingular;
    for (ClusterSolver& solver : solvers_) solver.spread(links_, z_ddot, y_);
    if (!a.empty()) write_accelerations(state, a);
    return DynamicsStatus::kSolved;
  }

  std::span<const double> state_rates() const override { return state_rates_; }
  core::ErrorText why_not(const State& state) override { return motion_.why_not(state); }

  double regularity() const override {
    double least = 1.0;
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      if (solvers_[c].m() > 0) least = std::min(least, regularity_of(c) / choices_[c].start_regularity);
    return least;
  }

  std::optional<std::string> choose_integrated(State& state) override {
    if (place(state) == DynamicsStatus::kNoValue) throw core::ModelError(why_not(state));
    std::optional<Eigen::MatrixXd> Phi_q;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const double ratio = choice_of(c, state.q);
      double& best = choices_[c].best_ratio;
      best = std::max(best, ratio);  // a choice near a singular position becomes better behind it
      if (ratio > kPoorChoice * best) continue;
      if (!Phi_q) Phi_q = dense_rows(state);
      choose(c, *Phi_q, state.q);
      forget();
    }
    if (!Phi_q) return std::nullopt;
    const std::vector<int> before = independent_;
    number();
    if (place(state) == DynamicsStatus::kSolved)
      for (std::size_t c = 0; c < clusters_.size(); ++c)
        if (choices_[c].best_ratio == 0.0) choices_[c].best_ratio = choice_of(c, state.q);
    if (independent_ == before) return std::nullopt;
    std::string names;
    for (const int column : independent_)
      names += (names.empty() ? "" : ", ") + motion_.system().coordinates()[index(column)].name;
    return "independent coordinates are now " + names;
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    const auto is_shown = [](std::span<const double> values, const std::vector<double>& shown) {
      return std::ranges::equal(values, shown);
    };
    if (!is_shown(state.q, shown_q_) || !is_shown(state.v, shown_v_) || !is_shown(a, shown_a_)) {
      place_links(state.q);
      links_.show(state.q, state.v, a, shown_);
      shown_q_ = state.q;
      shown_v_ = state.v;
      shown_a_.assign(a.begin(), a.end());
    }
    out = shown_;
  }
  double constraint_error(const State& state) override {
    if (!keeps_all_rows_ || state.t != key_t_ || state.q != key_q_) return motion_.constraint_error(state);
    double largest = 0.0;
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      for (std::size_t r = 0; r < rows_[c].size(); ++r) {
        const double scale = motion_.system().row_is_length(clusters_[c].rows[r]) ? 1.0 : motion_.length();
        largest = std::max(largest, scale * std::abs(rows_[c].Phi()[r]));
      }
    for (const ClusterLinks::Ball& ball : links_.balls())
      largest = std::max(largest, motion_.length() * std::abs(links_.unit_error(ball, state.q)));
    return largest;
  }

 private:
  /// How good the choice of independent coordinates of a cluster has been, and how far it was from a singular position at the start.
  struct Choice {
    double best_ratio = 0.0, start_regularity = 1.0;
  };

  void add_rod(const model::Joint& joint) {
    RodCoupling rod{.mass = joint.rod_mass / 6.0};
    for (std::size_t e = 0; e < 2; ++e) {
      rod.link[e] = tree_.link_of(joint.ends[e].body);
      rod.local[e] = links_.in_link(joint.ends[e].body, joint.ends[e].X_BF).p_AB_A;
      if (rod.link[e] != 0) add_point_mass(joint.rod_mass / 3.0, rod.local[e], links_.mass(rod.link[e]));
    }
    if (rod.link[0] == rod.link[1] || rod.link[0] == 0 || rod.link[1] == 0)
      rods_of_links_.push_back(rod);
    else  // the deeper end is in the cluster, the other one too or its base
      solvers_[index(std::max(links_.cluster_of(rod.link[0]), links_.cluster_of(rod.link[1])))].add_rod(rod);
  }

  /// All rows at a state, as a dense matrix.
  Eigen::MatrixXd dense_rows(const State& state) {
    motion_.evaluate_rows_or_throw(state);
    return motion_.system().dense(motion_.level().Phi_q);
  }

  /// Which coordinates of a cluster are independent where Phi_q is that of all rows, as Partition chooses them: its rows, and those that keep
  /// Euler parameters units, are eliminated, each by its largest entry, columns in their scales. Of each ball the largest dependent parameter
  /// follows from the others.
  void choose(std::size_t c, const Eigen::MatrixXd& Phi_q, std::span<const double> q) {
    const Cluster& cluster = clusters_[c];
    const auto balls = static_cast<Eigen::Index>(links_.balls_of(c).size());
    const auto n = static_cast<Eigen::Index>(cluster.columns.size()),
               m = static_cast<Eigen::Index>(cluster.rows.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m + balls, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const int column = cluster.columns[static_cast<std::size_t>(k)];
      for (Eigen::Index r = 0; r < m; ++r)
        A(r, k) = motion_.scales()[index(column)] * Phi_q(cluster.rows[static_cast<std::size_t>(r)], column);
      for (Eigen::Index b = 0; b < balls; ++b) {
        const int first = links_.balls()[index(links_.balls_of(c)[static_cast<std::size_t>(b)])].column;
        if (column >= first && column < first + 4) A(m + b, k) = q[index(column)];
      }
    }
    for (Eigen::Index r = 0; r < A.rows(); ++r) A.row(r) /= std::max(A.row(r).cwiseAbs().maxCoeff(), 1e-300);
    const std::vector<int> left = left_columns(std::move(A));
    for (const int column : cluster.columns) is_independent_[index(column)] = 0;
    for (const int k : left) is_independent_[index(cluster.columns[index(k)])] = 1;

    std::vector<char> is_dropped(n_, 0);
    for (const int b : links_.balls_of(c)) {
      ClusterLinks::Ball& ball = links_.balls()[index(b)];
      ball.dropped = -1;
      for (int k = 0; k < 4; ++k)
        if (is_independent_[index(ball.column + k)] == 0 &&
            (ball.dropped < 0 ||
             std::abs(q[index(ball.column + k)]) > std::abs(q[index(ball.column + ball.dropped)])))
          ball.dropped = k;
      is_dropped[index(ball.column + ball.dropped)] = 1;
    }
    std::vector<int> columns;
    for (const char independent : {char{0}, char{1}})
      for (const int column : cluster.columns)
        if (is_dropped[index(column)] == 0 && is_independent_[index(column)] == independent)
          columns.push_back(column);
    for (const int column : cluster.columns) y_[index(column)] = 0.0;
    rows_[c].set_columns(columns, links_);
    solvers_[c].set_columns(std::move(columns), left.size(), links_);
    step_.resize(std::max(step_.size(), solvers_[c].m()));
    choices_[c].best_ratio = 0.0;
  }

  /// Independent coordinates in the order of q.
  void number() {
    independent_.clear();
    std::vector<std::size_t> place(n_, 0);
    for (std::size_t k = 0; k < n_; ++k)
      if (is_independent_[k] != 0) {
        place[k] = independent_.size();
        independent_.push_back(static_cast<int>(k));
      }
    for (ClusterSolver& solver : solvers_)
      for (std::size_t i = 0; i < solver.f(); ++i)
        solver.of_z()[i] = place[index(solver.columns()[solver.m() + i])];
  }

  void evaluate_rows(std::size_t c, std::span<const double> q) {
    links_.place(c, q);
    if (rows_[c].size() > 0) rows_[c].evaluate(links_, q, values_);
  }

  /// Dependent coordinates of a cluster by Newton, from where they are.
  DynamicsStatus close(std::size_t c, std::span<double> q) {
    ClusterSolver& solver = solvers_[c];
    double last = 0.0;
    for (int i = 0;; ++i) {
      for (const int b : links_.balls_of(c))
        if (!links_.close(links_.balls()[index(b)], q)) return DynamicsStatus::kNotClosed;
      evaluate_rows(c, q);
      if (solver.m() == 0) return DynamicsStatus::kSolved;
      if (!solver.factor(rows_[c])) return DynamicsStatus::kSingular;
      if (i > 0 && last <= kLastClosingStep) break;
      if (i == kMostClosingSteps) return DynamicsStatus::kNotClosed;
      solver.solve(rows_[c].Phi(), step_);
      double size = 0.0;
      bool is_finite = true;
      for (std::size_t k = 0; k < solver.m(); ++k) {
        const std::size_t column = index(solver.columns()[k]);
        size = std::max(size, std::abs(step_[k]) / motion_.scales()[column]);
        is_finite = is_finite && std::isfinite(step_[k]);
      }
      if (!is_finite || (i > 2 && size > last && size > kLastClosingStep)) return DynamicsStatus::kNotClosed;
      if (size <= kNoClosingStep) break;
      for (std::size_t k = 0; k < solver.m(); ++k) q[index(solver.columns()[k])] -= step_[k];
      last = size;
    }
    solver.find_directions(rows_[c]);
    return DynamicsStatus::kSolved;
  }

  /// q̇ of (1).
  void find_rates(std::size_t c, State& state) {
    const ClusterSolver& solver = solvers_[c];
    const std::size_t m = solver.m();
    if (m > 0) {
      solver.solve(rows_[c].Phi_t(), step_);
      for (std::size_t k = 0; k < m; ++k) {
        double rate = -step_[k];
        for (std::size_t i = 0; i < solver.f(); ++i)
          rate += solver.directions(k)[i] * state.v[index(solver.columns()[m + i])];
        state.v[index(solver.columns()[k])] = rate;
      }
    }
    for (const int b : links_.balls_of(c)) links_.close_rate(links_.balls()[index(b)], state.q, state.v);
  }

  /// What is known of the last state is no longer so.
  void forget() {
    key_q_.clear();
    links_q_.clear();
    is_moved_ = false;
  }

  /// Links alone; nothing where they are there already.
  void place_links(const std::vector<double>& q) {
    if (links_q_ == q) return;
    forget();
    for (std::size_t c = 0; c < clusters_.size(); ++c) links_.place(c, q);
    links_q_ = q;
  }

  /// Links, and bodies where forces look at them, move as in this state, at which links are placed; nothing where they do already.
  void move(const State& state) {
    if (is_moved_ && moved_v_ == state.v) return;
    for (std::size_t c = 0; c < clusters_.size(); ++c) links_.move(c, state.q, state.v);
    if (!motion_.model().forces().has_weights_only() || !state.memory.angles.empty())
      links_.write_bodies(bodies_);
    moved_v_ = state.v;
    is_moved_ = true;
  }

  /// Links, rows and their factors at this state; nothing where they are there already.
  DynamicsStatus place(const State& state) {
    if (state.t == key_t_ && state.q == key_q_) return DynamicsStatus::kSolved;
    forget();
    if (!motion_.model().evaluate_drivers(state.t, values_)) return DynamicsStatus::kNoValue;
    bool is_regular = true;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      evaluate_rows(c, state.q);
      if (solvers_[c].m() == 0) continue;
      if (solvers_[c].factor(rows_[c]))
        solvers_[c].find_directions(rows_[c]);
      else
        is_regular = false;
    }
    links_q_ = state.q;
    if (!is_regular) return DynamicsStatus::kSingular;
    key_q_ = state.q;
    key_t_ = state.t;
    return DynamicsStatus::kSolved;
  }

  /// How good a choice is, 1 at best; of balls the dropped parameter counts, which is ½ at least where it is the largest.
  double choice_of(std::size_t c, std::span<const double> q) {
    double ratio = solvers_[c].pivot_ratio();
    for (const int b : links_.balls_of(c)) {
      const ClusterLinks::Ball& ball = links_.balls()[index(b)];
      ratio = std::min(ratio, 2.0 * std::abs(q[index(ball.column + ball.dropped)]));
    }
    return ratio;
  }
  /// Partition::regularity of a cluster.
  double regularity_of(std::size_t c) const {
    const std::vector<int>& columns = solvers_[c].columns();
    double least = 1.0;
    for (std::size_t r = 0; r < solvers_[c].m(); ++r) {
      double largest = 0.0;
      for (std::size_t k = 0; k < columns.size(); ++k)
        largest = std::max(largest, motion_.scales()[index(columns[k])] *
                                        std::abs(rows_[c].Phi_q()[r * columns.size() + k]));
      least = r == 0 ? largest : std::min(least, largest);
    }
    return solvers_[c].pivot_ratio() * least;
  }

  void follow_angles(State& state) {
    if (state.memory.angles.empty()) return;
    move(state);
    motion_.model().forces().follow_angles(bodies_, state.memory.angles);
  }

  /// A rod between a link and the frame, or between two points of a link, is a mass of that link.
  void weigh_rods_of_links() {
    const Vector3d& g = motion_.model().mechanism().gravity_W();
    for (const RodCoupling& rod : rods_of_links_)
      for (std::size_t e = 0; e < 2; ++e) {
        if (rod.link[e] == 0) continue;
        ClusterLinks::Values& link = links_[rod.link[e]];
        const Vector3d& point = links_.point(links_.cluster_of(rod.link[e]));
        const Vector3d r = rod.end(e, links_) - point;
        Vector3d force = -rod.mass * g;
        if (rod.link[0] == rod.link[1]) {
          const Vector3d other = rod.end(1 - e, links_) - point;
          force += rod.mass * link.w.cross(link.v + link.w.cross(other));
          add_coupling(rod.mass, r, other, link.inertia);
        }
        link.force.head<3>() += r.cross(force);
        link.force.tail<3>() += force;
      }
  }

  /// All q̈: R z̈, which stands in y_, and c.
  void write_accelerations(const State& state, std::span<double> a) const {
    std::ranges::copy(y_, a.begin());
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const ClusterSolver& solver = solvers_[c];
      for (std::size_t k = 0; k < solver.m(); ++k) a[index(solver.columns()[k])] += solver.bias()[k];
      for (const int b : links_.balls_of(c)) {
        const ClusterLinks::Ball& ball = links_.balls()[index(b)];
        double sum = 0.0;
        for (int k = 0; k < 4; ++k) {
          const std::size_t column = index(ball.column + k);
          sum += state.v[column] * state.v[column];
          if (k != ball.dropped) sum += state.q[column] * a[column];
        }
        a[index(ball.column + ball.dropped)] = -sum / state.q[index(ball.column + ball.dropped)];
      }
    }
  }

  ConstrainedMotion motion_;
  std::size_t n_;
  coordinates::KinematicTree tree_;
  std::vector<coordinates::Row> described_;
  std::vector<Cluster> clusters_;
  ClusterLinks links_;
  std::vector<ClusterRows> rows_;       ///< (clusters)
  std::vector<ClusterSolver> solvers_;  ///< (clusters)
  std::vector<Choice> choices_;         ///< (clusters)
  std::vector<RodCoupling> rods_of_links_;
  bool keeps_all_rows_ = false;       ///< none repeats others
  std::vector<char> is_independent_;  ///< (n)
  std::vector<int> independent_;      ///< z, ascending
  // Scratch.
  double key_t_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> key_q_;    ///< links and rows are there
  std::vector<double> links_q_;  ///< links are there
  std::vector<double> moved_v_;  ///< and move so, where is_moved_
  bool is_moved_ = false;
  std::vector<coordinates::CoordinateValue> values_;
  std::vector<double> y_;     ///< (n)
  std::vector<double> step_;  ///< (m) of Newton, of any cluster
  coordinates::MechanismMotion bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<double> state_rates_;
  coordinates::MechanismMotion shown_;
  std::vector<double> shown_q_, shown_v_, shown_a_;
};

}  // namespace

std::size_t largest_cluster(const DynamicModel& model) {
  const coordinates::ConstraintSystem system("relative", model.mechanism(), model.structure(),
                                             model.prescribed());
  const coordinates::KinematicTree tree(model.mechanism(), model.structure());
  std::vector<int> rows(index(system.num_rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::size_t largest = 0;
  for (const Cluster& cluster : find_clusters(
           tree, system, coordinates::list_rows(system.layout(), model.mechanism(), model.prescribed()).rows,
           rows, rod_ends(model.mechanism(), tree)))
    largest = std::max(largest, cluster.columns.size());
  return largest;
}

std::unique_ptr<Formulation> make_clusters(const DynamicModel& model, const FormulationOptions&) {
  return std::make_unique<Clusters>(model);
}

}  // namespace eslabon::dynamics
