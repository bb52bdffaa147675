#include <algorithm>

#include <Eigen/Geometry>

#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/mass/link_mass.hpp"
#include "eslabon/dynamics/mass/mass_model.hpp"

// Masses in relative coordinates, from the leaves of the spanning tree to its root [Seed004, §2]. With b_i the motion that a unit rate
// of coordinate i gives to all that it carries (velocity of the point at the world's origin, as there), M̄ the inertia of a link about
// that origin and M̄^Σ the sum over what the link carries,
//   M_ij = b_iᵀ M̄^Σ_j b_j      i before j on the way from the root, or the same          [Seed004, eq. (18)]              (1)
//   h_i = b_iᵀ P̄^Σ_i,   Q_i = b_iᵀ Q̄^Σ_i                                                 [Seed004, eq. (19)]              (2)
// P̄: what the masses need when no joint accelerates. A rod with mass between two points is two masses m/3 there and a coupling m/6.
namespace eslabon::dynamics {

namespace {

using coordinates::KinematicTree;
using core::index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

class TreeMass final : public MassModel {
 public:
  explicit TreeMass(const coordinates::ConstraintSystem& system)
      : system_(system),
        tree_(system.mechanism(), system.structure()),
        links_(link_masses(system.mechanism(), tree_)) {
    for (const model::Joint& joint : system.mechanism().joints())
      if (joint.rod_mass != 0.0) add_rod(joint);
    make_pattern();
  }

  // Seed004 eq. 9, eq. 16
  void evaluate(std::span<const double> q, std::span<const double> v, const Vector3d& g,
                MassValues& out) const override {
    coordinates::TreeValues<double>& tree = out.features.tree;
    tree_.evaluate<double>(q, tree);
    out.timer.lap(SemiRecursiveStep::kInertias);
    out.motions.resize(4 * links_.size());
    tree_.evaluate_motions(q, v, {}, tree, out.motions);
    out.timer.lap(SemiRecursiveStep::kVelocities);
    out.composites.resize(links_.size());
    out.carried.resize(links_.size());
    for (std::size_t l = 0; l < links_.size(); ++l) weigh(l, tree, g, out);
    add_couplings_to_h(tree, g, out);
    gather_inertias(out);
    out.timer.lap(SemiRecursiveStep::kInertias);
    gather_wrenches(out);
    out.h.setZero(system_.num_coordinates());
    spread(tree, out.carried, out.h);  // (2)
    out.timer.lap(SemiRecursiveStep::kSums);
    fill_matrix(tree, out);
    out.timer.lap(SemiRecursiveStep::kEquations);
  }

  // Seed000 eq. 98
  // Seed004 eq. 10
  void project(std::span<const Wrench> wrenches, MassValues& out) const override {
    for (Wrench& wrench : out.carried) wrench = {};
    const coordinates::TreeValues<double>& tree = out.features.tree;
    for (std::size_t b = 1; b < wrenches.size(); ++b) {
      const model::BodyIndex body(static_cast<int>(b));
      const std::size_t l = index(tree_.link_of(body));
      const Vector3d p = tree.p_WL[l] + tree.R_WL[l] * tree_.X_LB(body).p_AB_A;
      out.carried[l].torque += wrenches[b].torque;
      out.carried[l].add_force(wrenches[b].force, p);
    }
    gather_wrenches(out);
    out.Q.setZero(system_.num_coordinates());
    spread(tree, out.carried, out.Q);  // (2)
    out.timer.lap(SemiRecursiveStep::kSums);
  }

 private:
  struct Rod {
    std::size_t link[2];
    Vector3d local[2];
    double coupling;  ///< m / 6 [kg]
  };

  void add_rod(const model::Joint& joint) {
    Rod rod{{0, 0}, {Vector3d::Zero(), Vector3d::Zero()}, joint.rod_mass / 6.0};
    for (std::size_t e = 0; e < 2; ++e) {
      const model::JointEnd& end = joint.ends[e];
      rod.link[e] = index(tree_.link_of(end.body));
      rod.local[e] = tree_.X_LB(end.body).apply_to_point(end.X_BF.p_AB_A);
      if (rod.link[e] == 0) continue;
      add_point_mass(joint.rod_mass / 3.0, rod.local[e], links_[rod.link[e]]);
    }
    rods_.push_back(rod);
  }

  void make_pattern() {
    const std::size_t n = index(system_.num_coordinates());
    std::vector<std::vector<int>> columns(n);
    const auto couple = [&](std::span<const int> rows, std::span<const int> path) {
      for (const int c : path) columns[index(c)].insert(columns[index(c)].end(), rows.begin(), rows.end());
    };
    for (int l = 1; l < tree_.num_links(); ++l) couple(tree_.link(l).path, tree_.link(l).path);
    for (const Rod& rod : rods_)
      for (std::size_t e = 0; e < 2; ++e)
        couple(tree_.link(static_cast<int>(rod.link[e])).path,
               tree_.link(static_cast<int>(rod.link[1 - e])).path);
    pattern_.rows = pattern_.columns = static_cast<int>(n);
    pattern_.column_start.push_back(0);
    for (std::vector<int>& column : columns) {
      std::ranges::sort(column);
      column.erase(std::unique(column.begin(), column.end()), column.end());
      pattern_.row_of_entry.insert(pattern_.row_of_entry.end(), column.begin(), column.end());
      pattern_.column_start.push_back(pattern_.num_entries());
    }
    // Entries of M in the order in which fill_matrix finds them.
    for (int l = 1; l < tree_.num_links(); ++l) {
      const coordinates::TreeLink& link = tree_.link(l);
      const std::size_t own = link.path.size() - tree_.link(link.parent).path.size();
      for (std::size_t j = link.path.size() - own; j < link.path.size(); ++j)
        for (std::size_t i = 0; i <= j; ++i) {
          places_.push_back(entry(link.path[i], link.path[j]));
          places_.push_back(entry(link.path[j], link.path[i]));
        }
    }
  }
  int entry(int row, int column) const {
    const auto begin = pattern_.row_of_entry.begin() + pattern_.column_start[index(column)],
               end = pattern_.row_of_entry.begin() + pattern_.column_start[index(column) + 1];
    return static_cast<int>(std::lower_bound(begin, end, row) - pattern_.row_of_entry.begin());
  }

  /// Inertia of link l about the origin, and what it needs.
  // Seed000 eq. 34, eq. 49, eq. 51
  // Seed004 eq. 6, eq. 8
  void weigh(std::size_t l, const coordinates::TreeValues<double>& tree, const Vector3d& g,
             MassValues& out) const {
    const LinkMass& link = links_[l];
    CompositeInertia& composite = out.composites[l];
    Wrench& needed = out.carried[l];
    if (link.mass == 0.0) {
      composite = {};
      needed = {};
      return;
    }
    const Matrix3d& R = tree.R_WL[l];
    const Vector3d c = tree.p_WL[l] + R * link.p_LC_L;
    const Matrix3d I = R * link.I_LC_L * R.transpose();
    composite.mass = link.mass;
    composite.moment = link.mass * c;
    composite.inertia = I + link.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    const Vector3d &w = out.motions[4 * l], &v = out.motions[4 * l + 1], &alpha = out.motions[4 * l + 2],
                   &a = out.motions[4 * l + 3];
    needed.force = link.mass * (a - g + alpha.cross(c) + w.cross(v + w.cross(c)));
    needed.torque = I * alpha + w.cross(I * w) + c.cross(needed.force);
  }

  /// Position, and acceleration when no joint accelerates, of an end of a rod.
  struct EndMotion {
    Vector3d p, a;
  };
  EndMotion end_of(const Rod& rod, std::size_t e, const coordinates::TreeValues<double>& tree,
                   const MassValues& out) const {
    const std::size_t l = rod.link[e];
    const Vector3d p = tree.p_WL[l] + tree.R_WL[l] * rod.local[e];
    const Vector3d &w = out.motions[4 * l], &v = out.motions[4 * l + 1];
    return {p, out.motions[4 * l + 3] + out.motions[4 * l + 2].cross(p) + w.cross(v + w.cross(p))};
  }
  void add_couplings_to_h(const coordinates::TreeValues<double>& tree, const Vector3d& g,
                          MassValues& out) const {
    for (const Rod& rod : rods_) {
      const EndMotion ends[2]{end_of(rod, 0, tree, out), end_of(rod, 1, tree, out)};
      for (std::size_t e = 0; e < 2; ++e)
        out.carried[rod.link[e]].add_force(rod.coupling * (ends[1 - e].a - g), ends[e].p);
    }
  }

  void gather_inertias(MassValues& out) const {
    for (auto l = tree_.order().rbegin(); l != tree_.order().rend(); ++l) {
      if (*l == 0) continue;
      const std::size_t child = index(*l), parent = index(tree_.link(*l).parent);
      CompositeInertia& sum = out.composites[parent];
      sum.mass += out.composites[child].mass;
      sum.moment += out.composites[child].moment;
      sum.inertia += out.composites[child].inertia;
    }
  }
  void gather_wrenches(MassValues& out) const {
    for (auto l = tree_.order().rbegin(); l != tree_.order().rend(); ++l) {
      if (*l == 0) continue;
      Wrench& sum = out.carried[index(tree_.link(*l).parent)];
      sum.force += out.carried[index(*l)].force;
      sum.torque += out.carried[index(*l)].torque;
    }
  }

  /// out_i = b_iᵀ of what the coordinate carries.
  // Seed004 eq. 19
  void spread(const coordinates::TreeValues<double>& tree, const std::vector<Wrench>& carried,
              Eigen::VectorXd& out) const {
    for (int l = 1; l < tree_.num_links(); ++l) {
      const coordinates::TreeLink& link = tree_.link(l);
      for (std::size_t j = tree_.link(link.parent).path.size(); j < link.path.size(); ++j) {
        const std::size_t c = index(link.path[j]);
        out[link.path[j]] =
            tree.axis_w[c].dot(carried[index(l)].torque) + tree.axis_v[c].dot(carried[index(l)].force);
      }
    }
  }

  // Seed000 eq. 36
  // Seed004 eq. 18
  void fill_matrix(const coordinates::TreeValues<double>& tree, MassValues& out) const {
    out.M.assign(pattern_.row_of_entry.size(), 0.0);
    std::size_t place = 0;
    for (int l = 1; l < tree_.num_links(); ++l) {
      const coordinates::TreeLink& link = tree_.link(l);
      const CompositeInertia& composite = out.composites[index(l)];
      for (std::size_t j = tree_.link(link.parent).path.size(); j < link.path.size(); ++j) {
        const Vector3d &w = tree.axis_w[index(link.path[j])], &v = tree.axis_v[index(link.path[j])];
        const Vector3d force = composite.mass * v + w.cross(composite.moment);
        const Vector3d torque = composite.inertia * w + composite.moment.cross(v);
        for (std::size_t i = 0; i <= j; ++i) {
          const std::size_t c = index(link.path[i]);
          const double m = tree.axis_w[c].dot(torque) + tree.axis_v[c].dot(force);  // (1)
          out.M[index(places_[place++])] = m;
          out.M[index(places_[place++])] = m;
        }
      }
    }
    for (const Rod& rod : rods_)
      for (std::size_t e = 0; e < 2; ++e) {
        const std::size_t first = rod.link[e], second = rod.link[1 - e];
        const Vector3d p1 = tree.p_WL[first] + tree.R_WL[first] * rod.local[e];
        const Vector3d p2 = tree.p_WL[second] + tree.R_WL[second] * rod.local[1 - e];
        for (const int i : tree_.link(static_cast<int>(first)).path)
          for (const int j : tree_.link(static_cast<int>(second)).path)
            out.M[index(entry(i, j))] +=
                rod.coupling * (tree.axis_v[index(i)] + tree.axis_w[index(i)].cross(p1))
                                   .dot(tree.axis_v[index(j)] + tree.axis_w[index(j)].cross(p2));
      }
  }

  const coordinates::ConstraintSystem& system_;
  KinematicTree tree_;
  std::vector<LinkMass> links_;
  std::vector<Rod> rods_;
  std::vector<int> places_;  ///< entries of M, row by column and column by row
};

}  // namespace

std::unique_ptr<MassModel> make_tree_masses(const coordinates::ConstraintSystem& system) {
  return std::make_unique<TreeMass>(system);
}

}  // namespace eslabon::dynamics
