#pragma once

#include <array>
#include <span>
#include <vector>

#include "eslabon/coordinates/row_kernel.hpp"
#include "eslabon/dynamics/formulations/cluster_links.hpp"

namespace eslabon::dynamics {

/// The rows of one cluster, Phi(q, t) = 0, with derivatives by its own columns. A row pulls at the links that it connects with its
/// gradients, wrenches (N, F) about the cluster's point; for a column with the motion b on the way to a link,
///   ∂Phi/∂q = b · (N, F)  summed over the links that the column carries.                                     (1)
/// Scratch: one per thread.
class ClusterRows {
 public:
  /// `columns`: those that Phi_q has, in this order.
  ClusterRows(const Cluster& cluster, const coordinates::KinematicTree& tree, const ClusterLinks& links,
              const std::vector<coordinates::Row>& described);

  /// The order of the columns from now on.
  void set_columns(const std::vector<int>& columns, const ClusterLinks& links);

  std::size_t size() const { return rows_.size(); }
  /// (size) and (size × columns) by rows, after evaluate.
  const std::vector<double>& Phi() const { return Phi_; }
  const std::vector<double>& Phi_t() const { return Phi_t_; }
  const std::vector<double>& Phi_q() const { return Phi_q_; }
  /// (size) the largest entry of each row of Phi_q.
  const std::vector<double>& largest() const { return largest_; }
  const std::vector<double>& gamma() const { return gamma_; }

  /// Phi, Phi_q and Phi_t where the links are placed.
  void evaluate(const ClusterLinks& links, std::span<const double> q,
                std::span<const coordinates::CoordinateValue> prescribed);
  /// gamma = Phi_q q̈ where the links move; after evaluate.
  void evaluate_gamma(const ClusterLinks& links, std::span<const double> q, std::span<const double> v,
                      std::span<const coordinates::CoordinateValue> prescribed);

 private:
  struct PlacedFeature {
    int link;
    bool is_point, is_on_base;
    Eigen::Vector3d local;
  };
  /// Columns on the way to a link that a row pulls at, and which of the row's wrenches they feel.
  struct Entry {
    int column, place, side;
  };
  struct PlacedRow {
    coordinates::RowForm form = coordinates::RowForm::kLinear;
    coordinates::RowConstant constant;
    int column = -1, own_place = -1;  ///< −1: none
    int prescribed = -1;
    int num_features = 0;
    std::array<int, coordinates::kMostFeatures> features{};
    std::array<int, coordinates::kMostFeatures> side{};  ///< −1: the base or the frame
    std::array<int, 2> links{-1, -1};
    std::vector<coordinates::LinearTerm> terms;
    std::vector<int> term_places;
    std::vector<Entry> entries;
    std::array<Eigen::Vector3d, coordinates::kMostFeatures> gradient;  // Scratch.
  };

  Cluster cluster_;
  std::size_t number_;  ///< of the cluster
  std::vector<PlacedFeature> features_;
  std::vector<PlacedRow> rows_;
  std::size_t width_ = 0;
  // Scratch.
  std::vector<Eigen::Vector3d> x_, x_dot_, x_bias_;
  std::vector<double> Phi_, Phi_t_, Phi_q_, largest_, gamma_;
};

}  // namespace eslabon::dynamics
