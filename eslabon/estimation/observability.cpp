#include "eslabon/estimation/observability.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/estimation/kalman/gaussian_filter.hpp"

namespace eslabon::estimation {

namespace {

void require_positive(double value, const char* what) {
  if (std::isfinite(value) && value > 0.0) return;
  throw core::ModelError({.what = what,
                          .where = "observability",
                          .expected = "a positive number",
                          .actual = core::number_text(value),
                          .next = "Give another one."});
}

void require_size(const Eigen::Ref<const Eigen::MatrixXd>& A, Eigen::Index rows, Eigen::Index columns) {
  if (A.rows() == rows && A.cols() == columns) return;
  const auto text = [](Eigen::Index m, Eigen::Index n) {
    return std::to_string(m) + " × " + std::to_string(n);
  };
  throw core::ContractError({.what = "a matrix of the wrong size",
                             .where = "observability",
                             .expected = text(rows, columns),
                             .actual = text(A.rows(), A.cols()),
                             .next = "Give matrices of the system that is watched."});
}

}  // namespace

ObservabilityMonitor::ObservabilityMonitor(const System& system, const ObservabilityOptions& options)
    : system_(system),
      options_(options),
      unknown_(system.num_states()),
      overflow_(system.num_states()),
      most_channels_(most_channels(system)),
      copies_{CovarianceRoot(system.num_states(), most_channels_),
              CovarianceRoot(system.num_states(), most_channels_)},
      noise_root_(system.num_states(), system.num_states()),
      reading_root_(most_channels_, most_channels_) {
  require_positive(options.window, "a window of no time");
  require_positive(options.limit, "a limit of observability that nothing is below");
  restart();
}

void ObservabilityMonitor::restart() {
  read_unknown_scales(system_, unknown_);
  overflow_ = kOverflow * unknown_;
  for (CovarianceRoot& copy : copies_) copy.set_deviations(unknown_);
  age_ = 0.0;
  is_ready_ = false;
}

void ObservabilityMonitor::predict(double h, const Eigen::Ref<const Eigen::MatrixXd>& F,
                                   const Eigen::Ref<const Eigen::MatrixXd>& Q_w) {
  require_size(F, unknown_.size(), unknown_.size());
  require_size(Q_w, unknown_.size(), unknown_.size());
  read_unknown_scales(system_, unknown_);  // Coordinates may have become others.
  overflow_ = kOverflow * unknown_;
  age_ += h;
  if (age_ >= (0.5 - 1e-9) * options_.window) {
    copies_[static_cast<std::size_t>(elder_)].set_deviations(unknown_);
    elder_ = 1 - elder_;
    age_ = 0.0;
    is_ready_ = true;
  }
  const bool has_root = find_root(Q_w, noise_root_);
  for (CovarianceRoot& copy : copies_) {
    if (has_root && copy.predict_by_root(F, noise_root_))  // (1)
      copy.commit();
    else
      copy.set_deviations(unknown_);  // What cannot be computed is not known.
    copy.limit(overflow_);
  }
}

void ObservabilityMonitor::update(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                  const Eigen::Ref<const Eigen::MatrixXd>& R_n) {
  require_size(H, std::min(H.rows(), most_channels_), unknown_.size());
  require_size(R_n, H.rows(), H.rows());
  auto reading_root = reading_root_.topLeftCorner(H.rows(), H.rows());
  if (!find_root(R_n, reading_root)) return;
  for (CovarianceRoot& copy : copies_)
    if (copy.weigh_by_root(H, reading_root)) copy.commit();  // (1)
}

void ObservabilityMonitor::follow_predict(double h, const Estimator& filter) {
  if (const Linearisation* linear = filter.linearisation()) predict(h, linear->F, linear->Q_w);
}

void ObservabilityMonitor::follow_update(int sensor, const Estimator& filter) {
  const auto s = static_cast<std::size_t>(sensor);
  if (const Linearisation* linear = filter.linearisation()) update(linear->H[s], linear->R_n[s]);
}

double ObservabilityMonitor::ratio_of(const Eigen::Ref<const Eigen::VectorXd>& c) const {
  double known = 0.0, unknown = 0.0;
  const Eigen::MatrixXd& L = elder().root();
  for (Eigen::Index k = 0; k < c.size(); ++k) {
    const double part = L.col(k).dot(c), whole = unknown_(k) * c(k);
    known += part * part;
    unknown += whole * whole;
  }
  return unknown > 0.0 ? std::sqrt(known / unknown) : 0.0;
}

bool ObservabilityMonitor::all_observed() const {
  for (Eigen::Index k = 0; k < unknown_.size(); ++k)
    if (!is_observed(k)) return false;
  return true;
}

std::vector<std::string> ObservabilityMonitor::unobserved() const {
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < unknown_.size(); ++k)
    if (!is_observed(k)) names.push_back(system_.states()[static_cast<std::size_t>(k)].name);
  return names;
}

}  // namespace eslabon::estimation
