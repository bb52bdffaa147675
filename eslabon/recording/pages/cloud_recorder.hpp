#pragma once

#include <optional>
#include <string>

#include "eslabon/estimation/estimator.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::recording {

/// Keeps the hypotheses of a filter at some instants for the report: twenty in a second while there is room for them on the page, then
/// ten, five, …
class CloudRecorder {
 public:
  static constexpr double kSpacing = 0.05;  ///< [s] at first

  /// `most` ≥ 1: hypotheses of an instant. `bytes`: what all may take of the page.
  CloudRecorder(std::string name, std::size_t most, bool is_planar, double bytes);

  /// The hypotheses at t [s], if that is an instant to keep; times increase.
  void add(double t, estimation::ManyStates& states);

  std::size_t num_all() const { return num_all_; }    ///< the most that the filter had at a kept instant
  std::size_t num_kept() const { return num_kept_; }  ///< the most that were kept of an instant
  double spacing() const { return spacing_; }         ///< from instant to instant [s]
  /// What was kept, if anything; the recorder is empty afterwards.
  std::optional<report::Cloud> take();

 private:
  void keep_every_second();
  double bytes_of(const report::Cloud::Instant& instant) const;

  report::Cloud cloud_;
  std::size_t most_;
  bool is_planar_;
  double limit_;
  double bytes_ = 0.0;  ///< of what is kept
  double spacing_ = kSpacing;
  double begin_ = 0.0, next_ = 0.0;  ///< [s]
  std::size_t num_all_ = 0, num_kept_ = 0;
  estimation::Hypotheses hypotheses_;
};

}  // namespace eslabon::recording
