#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "eslabon/coordinates/row_list.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/clusters.hpp"
#include "eslabon/dynamics/formulations/cluster_links.hpp"
#include "eslabon/dynamics/formulations/cluster_rows.hpp"
#include "eslabon/dynamics/formulations/cluster_tree.hpp"
#include "eslabon/dynamics/formulations/constrained_motion.hpp"
#include "eslabon/dynamics/formulations/formulation_makers.hpp"
#include "eslabon/dynamics/formulations/left_columns.hpp"
#include "eslabon/dynamics/formulations/small_factors.hpp"

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
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kMostClosingSteps = 15;
constexpr double kLastClosingStep = 1e-9;
constexpr double kPoorChoice = 0.5;       // of the best pivot ratio that the choice has had
constexpr double kNoClusterMass = 1e-15;  // of what roundoff leaves of a mass

/// Links at the ends of rods with mass.
std::vector<std::pair<int, int>> rod_ends(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree) {
  std::vector<std::pair<int, int>> ends;
  for (const model::Joint& joint : mechanism.joints())
    if (joint.rod_mass != 0.0) ends.emplace_back(tree.link_of(joint.first()), tree.link_of(joint.second()));
  return ends;
}

/// What the equations (1) to (5) need of one cluster.
struct ClusterSolver {
  std::vector<int> columns;       ///< dependent ones, as many as rows, then independent ones; no dropped parameters
  std::vector<std::size_t> of_z;  ///< (independent) places in z
  std::vector<int> carrier;       ///< (columns) link; −1: mixed
  std::vector<std::vector<int>> before;  ///< (columns) places of those on the way to it from the base, itself included
  bool carries_clusters = false;
  bool is_joint = false;  ///< a single one with one coordinate
  double best_ratio = 0.0, start_regularity = 1.0;
  // Scratch.
  SmallLu lu;
  SmallCholesky cholesky;
  std::vector<double> R_d;             ///< (m × f) by rows
  std::vector<double> c;               ///< (m)
  std::vector<double> step;            ///< (m) of Newton
  std::vector<double> right;           ///< (m)
  std::vector<double> M, MR, D, u, t;  ///< (n × n), (n × f), (f × f), (f), (n)
  std::vector<double> moved;           ///< (n) what D is compared with: without a mass it is roundoff of this
  std::vector<Vector6d> F, U, W;       ///< (n), (f), (f)

  std::size_t m() const { return step.size(); }
  std::size_t f() const { return of_z.size(); }
};

class Clusters final : public Formulation {
 public:
  explicit Clusters(const DynamicModel& model)
      : motion_("relative", model),
        n_(index(motion_.n())),
        tree_(model.mechanism(), model.structure()),
        described_(coordinates::list_rows(motion_.system().layout(), model.mechanism(), model.prescribed()).rows),
        clusters_(find_clusters(tree_, motion_.system(), described_, motion_.rows(), rod_ends(model.mechanism(), tree_))),
        links_(model.mechanism(), tree_, clusters_, motion_.n()),
        solvers_(clusters_.size()),
        is_independent_(n_, 0),
        values_(model.prescribed().size()),
        y_(n_, 0.0),
        bodies_(model.mechanism().bodies().size()),
        wrenches_(bodies_.size()) {
    for (const Cluster& cluster : clusters_) rows_.emplace_back(cluster, tree_, links_, described_);
    for (const Cluster& cluster : clusters_)
      if (cluster.parent >= 0) solvers_[index(cluster.parent)].carries_clusters = true;
    for (const model::Joint& joint : model.mechanism().joints())
      if (joint.rod_mass != 0.0) add_rod(joint);
    const State start = motion_.state_of(model.start(), 0.0);
    const Eigen::MatrixXd Phi_q = dense_rows(start);
    for (std::size_t c = 0; c < clusters_.size(); ++c) choose(c, Phi_q, start.q);
    number();
    key_q_.clear();
    if (place(start) == DynamicsStatus::kSolved)
      for (std::size_t c = 0; c < clusters_.size(); ++c) {
        solvers_[c].best_ratio = choice_of(c, start.q);
        solvers_[c].start_regularity = std::max(regularity_of(c), 1e-300);
      }
  }

  std::string_view name() const override { return "clusters"; }
  std::string description() const override {
    std::size_t largest = 0;
    for (const ClusterSolver& solver : solvers_) largest = std::max(largest, solver.columns.size());
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
    key_q_.clear();
    if (!motion_.model().evaluate_drivers(t, values_)) return DynamicsStatus::kNoValue;
    for (std::size_t k = 0; k < independent_.size(); ++k) state.q[index(independent_[k])] = z[k];
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      if (const DynamicsStatus status = close(c, state.q); status != DynamicsStatus::kSolved) return status;
    for (std::size_t k = 0; k < independent_.size(); ++k) state.v[index(independent_[k])] = z_dot[k];
    for (std::size_t c = 0; c < clusters_.size(); ++c) find_rates(c, state);
    key_q_ = state.q;
    key_t_ = t;
    follow_angles(state);
    return DynamicsStatus::kSolved;
  }

  DynamicsStatus accelerate(const State& state, std::span<double> a, std::span<double> z_ddot) override {
    if (const DynamicsStatus status = place(state); status != DynamicsStatus::kSolved) return status;
    const Vector3d& g = motion_.model().mechanism().gravity_W();
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      links_.move(c, state.q, state.v);
      links_.weigh(c, g);
    }
    if (!motion_.model().forces().has_weights_only()) {
      links_.write_bodies(bodies_);
      if (!motion_.model().forces().evaluate_without_weights(state.t, bodies_, state.memory, wrenches_))
        return DynamicsStatus::kNoValue;
      links_.take(wrenches_);
    }
    for (std::size_t c = 0; c < clusters_.size(); ++c) add_biases(c, state);
    weigh_grounded_rods();
    for (std::size_t c = clusters_.size(); c-- > 0;)
      if (!gather(c)) return DynamicsStatus::kSingular;
    for (std::size_t c = 0; c < clusters_.size(); ++c) spread(c, z_ddot);
    if (!a.empty()) write_accelerations(state, a);
    return DynamicsStatus::kSolved;
  }

  core::ErrorText why_not(const State& state) override { return motion_.why_not(state); }

  double regularity() const override {
    double least = 1.0;
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      if (solvers_[c].m() > 0) least = std::min(least, regularity_of(c) / solvers_[c].start_regularity);
    return least;
  }

  std::optional<std::string> choose_integrated(State& state) override {
    if (place(state) == DynamicsStatus::kNoValue) throw core::ModelError(why_not(state));
    std::optional<Eigen::MatrixXd> Phi_q;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      ClusterSolver& solver = solvers_[c];
      const double ratio = choice_of(c, state.q);
      solver.best_ratio = std::max(solver.best_ratio, ratio);  // near a singular position it becomes better behind it
      if (ratio > kPoorChoice * solver.best_ratio) continue;
      if (!Phi_q) Phi_q = dense_rows(state);
      choose(c, *Phi_q, state.q);
      key_q_.clear();
    }
    if (!Phi_q) return std::nullopt;
    const std::vector<int> before = independent_;
    number();
    if (place(state) == DynamicsStatus::kSolved)
      for (std::size_t c = 0; c < clusters_.size(); ++c)
        if (solvers_[c].best_ratio == 0.0) solvers_[c].best_ratio = choice_of(c, state.q);
    if (independent_ == before) return std::nullopt;
    std::string names;
    for (const int column : independent_)
      names += (names.empty() ? "" : ", ") + motion_.system().coordinates()[index(column)].name;
    return "independent coordinates are now " + names;
  }

  void evaluate_bodies(const State& state, std::span<const double> a,
                       coordinates::MechanismMotion& out) override {
    motion_.evaluate_bodies(state, a, out);
  }
  double constraint_error(const State& state) override { return motion_.constraint_error(state); }

 private:
  struct Rod {
    std::array<int, 2> link;
    std::array<Vector3d, 2> local;  ///< in the frames of the links
    double coupling;                ///< m / 6 [kg]
    int cluster = -1;               ///< of the links between its ends; −1: both on one link, or one on the frame
    std::array<Vector3d, 2> r;      // Scratch: from the cluster's point.
  };

  void add_rod(const model::Joint& joint) {
    Rod rod{.link = {}, .local = {}, .coupling = joint.rod_mass / 6.0, .r = {}};
    for (std::size_t e = 0; e < 2; ++e) {
      rod.link[e] = tree_.link_of(joint.ends[e].body);
      rod.local[e] = links_.in_link(joint.ends[e].body, joint.ends[e].X_BF).p_AB_A;
      if (rod.link[e] != 0) add_point_mass(joint.rod_mass / 3.0, rod.local[e], links_.mass(rod.link[e]));
    }
    if (rod.link[0] != rod.link[1] && rod.link[0] != 0 && rod.link[1] != 0) {
      // The deeper end is in the cluster, the other one too or its base.
      const int a = links_.cluster_of(rod.link[0]), b = links_.cluster_of(rod.link[1]);
      rod.cluster = std::max(a, b);
      rods_of_.resize(clusters_.size());
      rods_of_[index(rod.cluster)].push_back(static_cast<int>(rods_.size()));
    }
    rods_.push_back(rod);
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
            (ball.dropped < 0 || std::abs(q[index(ball.column + k)]) > std::abs(q[index(ball.column + ball.dropped)])))
          ball.dropped = k;
      is_dropped[index(ball.column + ball.dropped)] = 1;
    }
    ClusterSolver& solver = solvers_[c];
    solver.columns.clear();
    for (const char independent : {char{0}, char{1}})
      for (const int column : cluster.columns)
        if (is_dropped[index(column)] == 0 && is_independent_[index(column)] == independent)
          solver.columns.push_back(column);
    rows_[c].set_columns(solver.columns, links_);
    make_room(c, left.size());
    solver.best_ratio = 0.0;
  }

  void make_room(std::size_t c, std::size_t f) {
    ClusterSolver& solver = solvers_[c];
    const std::size_t all = solver.columns.size(), m = all - f;
    solver.of_z.assign(f, 0);
    solver.lu = SmallLu(m);
    solver.cholesky = SmallCholesky(f);
    solver.R_d.assign(m * f, 0.0);
    for (std::vector<double>* const list : {&solver.c, &solver.step, &solver.right}) list->assign(m, 0.0);
    solver.M.assign(all * all, 0.0);
    solver.MR.assign(all * f, 0.0);
    solver.D.assign(f * f, 0.0);
    solver.u.assign(f, 0.0);
    solver.t.assign(all, 0.0);
    solver.moved.assign(all, 0.0);
    solver.is_joint = all == 1 && m == 0 && clusters_[c].links.size() == 1 && links_.balls_of(c).empty();
    solver.F.assign(all, Vector6d::Zero());
    solver.U.assign(f, Vector6d::Zero());
    solver.W.assign(f, Vector6d::Zero());
    solver.carrier.assign(all, -1);
    solver.before.assign(all, {});
    for (const int l : clusters_[c].links) {
      std::vector<int> places;
      for (const int column : links_.path(l)) {
        const auto at = std::ranges::find(solver.columns, column);
        if (at == solver.columns.end()) continue;
        const auto place = static_cast<int>(at - solver.columns.begin());
        places.push_back(place);
        if (solver.carrier[index(place)] >= 0) continue;
        solver.carrier[index(place)] = l;
        solver.before[index(place)] = places;
      }
    }
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
      for (std::size_t i = 0; i < solver.f(); ++i) solver.of_z[i] = place[index(solver.columns[solver.m() + i])];
  }

  /// Phi_d where rows were evaluated last.
  [[nodiscard]] bool factor(std::size_t c) {
    return solvers_[c].lu.factor(rows_[c].Phi_q().data(), solvers_[c].columns.size(), rows_[c].largest().data());
  }
  /// R_d of (1).
  void find_directions(std::size_t c) {
    ClusterSolver& solver = solvers_[c];
    const std::size_t m = solver.m(), f = solver.f(), all = solver.columns.size();
    solver.lu.solve_rows(rows_[c].Phi_q().data() + m, all, f, solver.R_d.data());
    for (double& entry : solver.R_d) entry = -entry;
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
      if (!factor(c)) return DynamicsStatus::kSingular;
      if (i > 0 && last <= kLastClosingStep) break;
      if (i == kMostClosingSteps) return DynamicsStatus::kNotClosed;
      solver.lu.solve(rows_[c].Phi().data(), 1, solver.step.data(), 1);
      double size = 0.0;
      for (std::size_t k = 0; k < solver.m(); ++k) {
        const std::size_t column = index(solver.columns[k]);
        q[column] -= solver.step[k];
        size = std::max(size, std::abs(solver.step[k]) / motion_.scales()[column]);
      }
      if (!std::isfinite(size) || (i > 2 && size > last && size > kLastClosingStep))
        return DynamicsStatus::kNotClosed;
      last = size;
    }
    find_directions(c);
    return DynamicsStatus::kSolved;
  }

  /// q̇ of (1).
  void find_rates(std::size_t c, State& state) {
    ClusterSolver& solver = solvers_[c];
    const std::size_t m = solver.m();
    if (m > 0) {
      solver.lu.solve(rows_[c].Phi_t().data(), 1, solver.step.data(), 1);
      for (std::size_t k = 0; k < m; ++k) {
        double rate = -solver.step[k];
        for (std::size_t i = 0; i < solver.f(); ++i)
          rate += solver.R_d[k * solver.f() + i] * state.v[index(solver.columns[m + i])];
        state.v[index(solver.columns[k])] = rate;
      }
    }
    for (const int b : links_.balls_of(c)) links_.close_rate(links_.balls()[index(b)], state.q, state.v);
  }

  /// Links, rows and their factors at this state; nothing where they are there already.
  DynamicsStatus place(const State& state) {
    if (state.t == key_t_ && state.q == key_q_) return DynamicsStatus::kSolved;
    key_q_.clear();
    if (!motion_.model().evaluate_drivers(state.t, values_)) return DynamicsStatus::kNoValue;
    bool is_regular = true;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      evaluate_rows(c, state.q);
      if (solvers_[c].m() == 0) continue;
      if (factor(c))
        find_directions(c);
      else
        is_regular = false;
    }
    if (!is_regular) return DynamicsStatus::kSingular;
    key_q_ = state.q;
    key_t_ = state.t;
    return DynamicsStatus::kSolved;
  }

  /// How good a choice is, 1 at best; of balls the dropped parameter counts, which is ½ at least where it is the largest.
  double choice_of(std::size_t c, std::span<const double> q) {
    double ratio = solvers_[c].lu.pivot_ratio();
    for (const int b : links_.balls_of(c)) {
      const ClusterLinks::Ball& ball = links_.balls()[index(b)];
      ratio = std::min(ratio, 2.0 * std::abs(q[index(ball.column + ball.dropped)]));
    }
    return ratio;
  }
  /// Partition::regularity of a cluster.
  double regularity_of(std::size_t c) const {
    const ClusterSolver& solver = solvers_[c];
    double least = 1.0;
    for (std::size_t r = 0; r < solver.m(); ++r) {
      double largest = 0.0;
      for (std::size_t k = 0; k < solver.columns.size(); ++k)
        largest = std::max(largest, motion_.scales()[index(solver.columns[k])] *
                                        std::abs(rows_[c].Phi_q()[r * solver.columns.size() + k]));
      least = r == 0 ? largest : std::min(least, largest);
    }
    return solver.lu.pivot_ratio() * least;
  }

  void follow_angles(State& state) {
    if (state.memory.angles.empty()) return;
    for (std::size_t c = 0; c < clusters_.size(); ++c) links_.move(c, state.q, state.v);
    links_.write_bodies(bodies_);
    motion_.model().forces().follow_angles(bodies_, state.memory.angles);
  }

  /// c of (1), and α, a of the links become ζ of (2).
  void add_biases(std::size_t c, const State& state) {
    ClusterSolver& solver = solvers_[c];
    if (solver.m() == 0) return;
    rows_[c].evaluate_gamma(links_, state.q, state.v, values_);
    solver.lu.solve(rows_[c].gamma().data(), 1, solver.c.data(), 1);
    for (std::size_t k = 0; k < solver.m(); ++k) y_[index(solver.columns[k])] = solver.c[k];
    for (std::size_t i = solver.m(); i < solver.columns.size(); ++i) y_[index(solver.columns[i])] = 0.0;
    for (const int b : links_.balls_of(c)) {
      const ClusterLinks::Ball& ball = links_.balls()[index(b)];
      y_[index(ball.column + ball.dropped)] = 0.0;
    }
    for (const int l : clusters_[c].links) {
      ClusterLinks::Values& link = links_[l];
      for (const int column : links_.path(l)) {
        link.alpha += y_[index(column)] * links_.axis(column).head<3>();
        link.a += y_[index(column)] * links_.axis(column).tail<3>();
      }
    }
  }

  /// A rod between a link and the frame, or between two points of a link, is a mass of that link.
  void weigh_grounded_rods() {
    const Vector3d& g = motion_.model().mechanism().gravity_W();
    for (const Rod& rod : rods_) {
      if (rod.cluster >= 0) continue;
      for (std::size_t e = 0; e < 2; ++e) {
        if (rod.link[e] == 0) continue;
        ClusterLinks::Values& link = links_[rod.link[e]];
        const Vector3d& point = links_.point(links_.cluster_of(rod.link[e]));
        const Vector3d r = link.p + link.R * rod.local[e] - point;
        Vector3d force = -rod.coupling * g;
        if (rod.link[0] == rod.link[1]) {
          const Vector3d other = link.p + link.R * rod.local[1 - e] - point;
          force += rod.coupling * link.w.cross(link.v + link.w.cross(other));
          add_coupling(rod.coupling, r, other, link.inertia);
        }
        link.force.head<3>() += r.cross(force);
        link.force.tail<3>() += force;
      }
    }
  }
  /// I ← I + m P_rᵀ P_s: force at r for the acceleration of s, both on one body.
  static void add_coupling(double m, const Vector3d& r, const Vector3d& s, Matrix6d& inertia) {
    const auto crossed = [](const Vector3d& d) {
      Matrix3d out;
      out << 0.0, -d.z(), d.y(), d.z(), 0.0, -d.x(), -d.y(), d.x(), 0.0;
      return out;
    };
    const Matrix3d R = crossed(r), S = crossed(s);
    inertia.topLeftCorner<3, 3>() -= m * R * S;
    inertia.topRightCorner<3, 3>() += m * R;
    inertia.bottomLeftCorner<3, 3>() -= m * S;
    inertia.bottomRightCorner<3, 3>().diagonal().array() += m;
  }

  /// (3), (4) of a single joint with one coordinate.
  [[nodiscard]] bool gather_joint(std::size_t c) {
    const Cluster& cluster = clusters_[c];
    ClusterSolver& solver = solvers_[c];
    ClusterLinks::Values& link = links_[cluster.links.front()];
    Vector6d zeta;
    zeta << link.alpha, link.a;
    link.force.noalias() += link.inertia * zeta;
    const Vector6d& b = links_.axis(solver.columns.front());
    Vector6d& U = solver.U[0];
    U.noalias() = link.inertia * b;
    const double D = b.dot(U), moved = b.head<3>().squaredNorm() * link.inertia.topLeftCorner<3, 3>().trace() +
                                       b.tail<3>().squaredNorm() * link.inertia.bottomRightCorner<3, 3>().trace();
    if (!(D > kNoClusterMass * moved)) return false;
    solver.D[0] = 1.0 / D;
    solver.u[0] = -b.dot(link.force);
    if (cluster.base == 0) return true;
    const Vector6d scaled = solver.D[0] * U;
    link.inertia.noalias() -= scaled * U.transpose();
    link.force += solver.u[0] * scaled;
    add_to_base(c, link.inertia, link.force);
    return true;
  }
  void add_to_base(std::size_t c, const Matrix6d& inertia, const Vector6d& force) {
    ClusterLinks::Values& base = links_[clusters_[c].base];
    if (links_.has_own_point(c)) {
      add_shifted(inertia, force, links_.point(static_cast<int>(c)) - links_.point(clusters_[c].parent),
                  base.inertia, base.force);
    } else {
      base.inertia += inertia;
      base.force += force;
    }
  }
  /// (3), (4).
  [[nodiscard]] bool gather(std::size_t c) {
    const Cluster& cluster = clusters_[c];
    ClusterSolver& solver = solvers_[c];
    if (solver.is_joint) return gather_joint(c);
    const std::size_t all = solver.columns.size(), m = solver.m(), f = solver.f();
    for (const int l : cluster.links) {
      ClusterLinks::Values& link = links_[l];
      Vector6d zeta;
      zeta << link.alpha, link.a;
      link.force.noalias() += link.inertia * zeta;  // h
    }
    Matrix6d inertia = Matrix6d::Zero();
    Vector6d force = Vector6d::Zero();
    for (auto l = cluster.links.rbegin(); l != cluster.links.rend(); ++l) {
      const ClusterLinks::Values& link = links_[*l];
      const int parent = tree_.link(*l).parent;
      (parent == cluster.base ? inertia : links_[parent].inertia) += link.inertia;
      (parent == cluster.base ? force : links_[parent].force) += link.force;
    }
    std::ranges::fill(solver.M, 0.0);
    for (std::size_t k = 0; k < all; ++k) {
      if (solver.carrier[k] < 0) continue;
      const ClusterLinks::Values& link = links_[solver.carrier[k]];
      const Vector6d& b = links_.axis(solver.columns[k]);
      solver.F[k].noalias() = link.inertia * b;
      solver.t[k] = b.dot(link.force);
      solver.moved[k] = b.head<3>().squaredNorm() * link.inertia.topLeftCorner<3, 3>().trace() +
                        b.tail<3>().squaredNorm() * link.inertia.bottomRightCorner<3, 3>().trace();
      for (const int j : solver.before[k])
        solver.M[k * all + index(j)] = solver.M[index(j) * all + k] =
            links_.axis(solver.columns[index(j)]).dot(solver.F[k]);
    }
    if (!rods_of_.empty())
      for (const int rod : rods_of_[c]) add_rod_terms(c, rods_[index(rod)], inertia, force);

    for (std::size_t k = 0; k < all; ++k) {
      double* const row = solver.MR.data() + k * f;
      for (std::size_t i = 0; i < f; ++i) row[i] = solver.M[k * all + m + i];
      for (std::size_t d = 0; d < m; ++d)
        if (const double mass = solver.M[k * all + d]; mass != 0.0)  // on other branches
          for (std::size_t i = 0; i < f; ++i) row[i] += mass * solver.R_d[d * f + i];
    }
    for (std::size_t i = 0; i < f; ++i) {
      double* const row = solver.D.data() + i * f;
      for (std::size_t j = 0; j <= i; ++j) row[j] = solver.MR[(m + i) * f + j];
      solver.U[i] = solver.F[m + i];
      solver.u[i] = -solver.t[m + i];
      double moved = solver.moved[m + i];
      for (std::size_t d = 0; d < m; ++d) {
        const double rate = solver.R_d[d * f + i];
        if (rate == 0.0) continue;
        for (std::size_t j = 0; j <= i; ++j) row[j] += rate * solver.MR[d * f + j];
        solver.U[i] += rate * solver.F[d];
        solver.u[i] -= rate * solver.t[d];
        moved += rate * rate * solver.moved[d];
      }
      if (!(row[i] > kNoClusterMass * moved)) return false;
    }
    if (!solver.cholesky.factor(solver.D.data())) return false;
    solver.cholesky.solve_lower(solver.u.data(), 1);
    if (cluster.base == 0) return true;
    for (std::size_t i = 0; i < f; ++i) solver.W[i] = solver.U[i];
    for (std::size_t k = 0; f > 0 && k < 6; ++k) solver.cholesky.solve_lower(solver.W[0].data() + k, 6);
    for (std::size_t i = 0; i < f; ++i) {
      inertia.noalias() -= solver.W[i] * solver.W[i].transpose();
      force += solver.u[i] * solver.W[i];
    }
    add_to_base(c, inertia, force);
    return true;
  }

  /// (6), and what the motion needs of the coupling.
  void add_rod_terms(std::size_t c, Rod& rod, Matrix6d& inertia, Vector6d& force) {
    ClusterSolver& solver = solvers_[c];
    const std::size_t all = solver.columns.size();
    const Vector3d& g = motion_.model().mechanism().gravity_W();
    std::array<Vector3d, 2> a;
    std::array<std::span<const int>, 2> path;
    for (std::size_t e = 0; e < 2; ++e) {
      const ClusterLinks::Values& link = links_[rod.link[e]];
      const bool is_base = rod.link[e] == clusters_[c].base;
      rod.r[e] = link.p + link.R * rod.local[e] - links_.point(static_cast<int>(c));
      if (!is_base) path[e] = links_.path(rod.link[e]);
      const Vector6d& base = links_.base_motion(c);
      const Vector3d w = is_base ? Vector3d(base.head<3>()) : link.w, v = is_base ? Vector3d(base.tail<3>()) : link.v;
      a[e] = w.cross(v + w.cross(rod.r[e]));
      if (!is_base) a[e] += link.a + link.alpha.cross(rod.r[e]);
    }
    const auto point_motion = [&](std::size_t k, std::size_t e) {
      const Vector6d& b = links_.axis(solver.columns[k]);
      return Vector3d(b.tail<3>() + b.head<3>().cross(rod.r[e]));
    };
    const auto carries = [&](std::size_t k, std::size_t e) {
      return std::ranges::find(path[e], solver.columns[k]) != path[e].end();
    };
    for (std::size_t e = 0; e < 2; ++e) {
      add_coupling(rod.coupling, rod.r[e], rod.r[1 - e], inertia);
      const Vector3d pull = rod.coupling * (a[1 - e] - g);
      force.head<3>() += rod.r[e].cross(pull);
      force.tail<3>() += pull;
      for (std::size_t k = 0; k < all; ++k) {
        if (!carries(k, e)) continue;
        const Vector3d own = point_motion(k, e), f = rod.coupling * own;
        solver.t[k] += own.dot(pull);
        solver.F[k].head<3>() += rod.r[1 - e].cross(f);
        solver.F[k].tail<3>() += f;
        for (std::size_t j = 0; j < all; ++j)
          if (carries(j, 1 - e)) solver.M[k * all + j] += f.dot(point_motion(j, 1 - e));
      }
    }
  }

  /// (5).
  void spread(std::size_t c, std::span<double> z_ddot) {
    const Cluster& cluster = clusters_[c];
    ClusterSolver& solver = solvers_[c];
    const std::size_t m = solver.m(), f = solver.f();
    Vector6d base = Vector6d::Zero();
    if (cluster.base != 0) {
      base = links_[cluster.base].acceleration;
      if (links_.has_own_point(c))
        base.tail<3>() += base.head<3>().cross(links_.point(static_cast<int>(c)) - links_.point(cluster.parent));
    }
    if (solver.is_joint) {
      solver.u[0] = (solver.u[0] - solver.U[0].dot(base)) * solver.D[0];
    } else {
      if (cluster.base != 0)
        for (std::size_t i = 0; i < f; ++i) solver.u[i] -= solver.W[i].dot(base);
      solver.cholesky.solve_upper(solver.u.data(), 1);
    }
    for (std::size_t i = 0; i < f; ++i) {
      z_ddot[solver.of_z[i]] = solver.u[i];
      y_[index(solver.columns[m + i])] = solver.u[i];
    }
    for (std::size_t k = 0; k < m; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < f; ++i) sum += solver.R_d[k * f + i] * solver.u[i];
      y_[index(solver.columns[k])] = sum;
    }
    if (!solver.carries_clusters) return;
    for (const int l : cluster.links) {
      ClusterLinks::Values& link = links_[l];
      link.acceleration = base;
      link.acceleration.head<3>() += link.alpha;
      link.acceleration.tail<3>() += link.a;
      for (const int column : links_.path(l)) link.acceleration += y_[index(column)] * links_.axis(column);
    }
  }

  /// All q̈: R z̈, which stands in y_, and c.
  void write_accelerations(const State& state, std::span<double> a) const {
    std::ranges::copy(y_, a.begin());
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const ClusterSolver& solver = solvers_[c];
      for (std::size_t k = 0; k < solver.m(); ++k) a[index(solver.columns[k])] += solver.c[k];
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
  std::vector<Rod> rods_;
  std::vector<std::vector<int>> rods_of_;  ///< (clusters), or empty
  std::vector<char> is_independent_;       ///< (n)
  std::vector<int> independent_;           ///< z, ascending
  // Scratch.
  double key_t_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> key_q_;  ///< links and rows are there
  std::vector<coordinates::CoordinateValue> values_;
  std::vector<double> y_;  ///< (n)
  coordinates::MechanismMotion bodies_;
  std::vector<Wrench> wrenches_;
};

}  // namespace

std::size_t largest_cluster(const DynamicModel& model) {
  const coordinates::ConstraintSystem system("relative", model.mechanism(), model.structure(), model.prescribed());
  const coordinates::KinematicTree tree(model.mechanism(), model.structure());
  std::vector<int> rows(index(system.num_rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::size_t largest = 0;
  for (const Cluster& cluster : find_clusters(
           tree, system, coordinates::list_rows(system.layout(), model.mechanism(), model.prescribed()).rows, rows,
           rod_ends(model.mechanism(), tree)))
    largest = std::max(largest, cluster.columns.size());
  return largest;
}

std::unique_ptr<Formulation> make_clusters(const DynamicModel& model, const FormulationOptions&) {
  return std::make_unique<Clusters>(model);
}

}  // namespace eslabon::dynamics
