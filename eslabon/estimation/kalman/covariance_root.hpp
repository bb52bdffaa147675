#pragma once

#include <Eigen/Core>

#include "eslabon/estimation/system.hpp"

namespace eslabon::estimation {

/// The lower triangular L with L Lᵀ = S for a symmetric S without negative directions; S may be singular. L (n × n); its upper
/// triangle becomes zero. False when S is not finite, not symmetric or has a negative direction, each beyond
/// roundoff: L is then meaningless.
[[nodiscard]] bool find_root(const Eigen::Ref<const Eigen::MatrixXd>& S, MatrixRef L);

/// By Householder's reflections: the first n rows of A (k × n, k ≥ n) become upper triangular U with Uᵀ U = Aᵀ A, diagonal ≥ 0. The rows
/// below become meaningless. The error of column i is of the order ε |column i|: scales of the columns do not matter
/// [GolubVanLoan2013, ch. 5].
void triangularise(MatrixRef A);

/// The covariance P of n states, kept as its root so that it cannot lose its sign to roundoff:
///
///   P = L Lᵀ,   L lower triangular, diagonal ≥ 0                                                                         (1)
///   P⁻ = F P Fᵀ + Q_w:       [F L,  Q_w^½] Θ = [L⁻, 0]                          [Seed003, eq. (16b)]                      (2)
///   S = H P Hᵀ + R_n, K = P Hᵀ S⁻¹, P⁺ = (I − K H) P:                           [Seed003, eqs. (20b), (20c), (20e)]       (3)
///       [R_n^½  H L]     [S^½     0 ]
///       [0      L  ] Θ = [K S^½   L⁺]                                                                                    (4)
///
/// with orthogonal Θ. Multiplied by their transposes, both sides of (2) and (4) give (2) and (3) of P. (4) is
/// Carlson's triangular form [Carlson1973] for several channels at once: Θ is made of rotations, one for each entry of H L, from
/// its last column to its first, so that L stays triangular. Rotations keep small rows small: readings of deviation 1e-6 on states of deviation 1e6
/// leave deviations that are right to roundoff, where (I − K H) P itself leaves nothing.
///
/// propose(), predict(), weigh() … make a candidate; the covariance changes with commit() only. Cost O(n³), O(m n (m + n)). Nothing allocates after
/// construction.
class CovarianceRoot {
 public:
  /// `most_channels`: largest m.
  CovarianceRoot(Eigen::Index num_states, Eigen::Index most_channels);

  /// P = diag(deviations²).
  void set_deviations(const Eigen::VectorXd& deviations);

  Eigen::Index num_states() const { return L_.rows(); }
  const Eigen::MatrixXd& root() const { return L_; }  ///< (n × n) L
  void read(MatrixRef P) const;                       ///< (n × n), symmetric to the bit
  double deviation(Eigen::Index state) const { return L_.row(state).norm(); }

  // Candidates. False when they would not be finite, or when P, Q_w or R_n are no covariances.
  [[nodiscard]] bool propose(const Eigen::Ref<const Eigen::MatrixXd>& P);
  [[nodiscard]] bool predict(const Eigen::Ref<const Eigen::MatrixXd>& F,
                             const Eigen::Ref<const Eigen::MatrixXd>& Q_w);  ///< (2)
  /// (2) for Q_w^½ as find_root gives it: several covariances share it.
  [[nodiscard]] bool predict_by_root(const Eigen::Ref<const Eigen::MatrixXd>& F,
                                     const Eigen::Ref<const Eigen::MatrixXd>& Q_w_root);
  /// P of the candidate = Aᵀ A for A (k × n, k ≥ n), which becomes meaningless.
  [[nodiscard]] bool predict_from_rows(MatrixRef A);
  /// P of the candidate = T P Tᵀ.
  [[nodiscard]] bool transform(const Eigen::Ref<const Eigen::MatrixXd>& T);
  /// (4). False also when S is singular.
  [[nodiscard]] bool weigh(const Eigen::Ref<const Eigen::MatrixXd>& H,
                           const Eigen::Ref<const Eigen::MatrixXd>& R_n);
  /// (4) for R_n^½ as find_root gives it.
  [[nodiscard]] bool weigh_by_root(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                   const Eigen::Ref<const Eigen::MatrixXd>& R_n_root);
  /// (4) for given B in the place of H L (m × n) and C lower triangular in that of R_n^½ (m × m).
  [[nodiscard]] bool weigh_roots(const Eigen::Ref<const Eigen::MatrixXd>& B,
                                 const Eigen::Ref<const Eigen::MatrixXd>& C);

  /// After weigh(): νᵀ S⁻¹ ν; the largest double where that is beyond it, never NaN for finite ν (m).
  double normalised_square(ConstStateRef innovation);
  /// After normalised_square(): dx (n) = K ν of that ν.
  void correction(StateRef dx) const;

  /// The candidate becomes the covariance.
  void commit() { L_.swap(candidate_); }

  /// Deviations grow by `factor` ≥ 1, those of state k not beyond most(k): correlations stay.
  void inflate(double factor, const Eigen::VectorXd& most);
  /// Deviations of state k beyond most(k) become most(k): correlations stay.
  void limit(const Eigen::VectorXd& most);

 private:
  bool weigh_rows(const Eigen::Ref<const Eigen::MatrixXd>& H);  ///< (4) with R_n^½ in S_root_
  bool rotate_reading();

  Eigen::MatrixXd L_;          // (n × n)
  Eigen::MatrixXd candidate_;  // (n × n) L⁻ or L⁺, set by predict …, weigh …
  Eigen::Index m_ = 0;         // channels of the last weigh
  Eigen::MatrixXd S_root_;     // (most_channels²) S^½, set by weigh …
  Eigen::MatrixXd K_root_;     // (n × most_channels) K S^½, set by weigh …
  Eigen::VectorXd white_;      // (most_channels) S^-½ ν, set by normalised_square
  // Scratch.
  Eigen::MatrixXd rows_;        // (2n × n)
  Eigen::MatrixXd noise_root_;  // (n × n)
  Eigen::MatrixXd B_;           // (most_channels × n) H L
};

}  // namespace eslabon::estimation
