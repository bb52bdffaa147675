#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "motion_output.hpp"
#include "run_limit.hpp"

#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace CLI {
class App;
}

/// What the sub-commands that move a mechanism by its drivers have in common.
namespace eslabon::cli {

/// Their command line, as it was typed.
struct MotionOptions {
  std::string model;
  std::vector<std::string> set;
  std::string until;
  std::string step;
  std::optional<std::string> every;
  std::optional<std::string> header;
  std::string method = "auto";
  std::optional<std::string> coordinates;
  std::optional<std::string> outputs;
  std::optional<std::string> branch;
  std::string out;
  std::optional<std::string> report;
  LimitOptions limits;
};

void add_motion_options(CLI::App& command, MotionOptions& options);

/// Throws CommandLineError for words that are unknown or do not go together.
void check_method(const MotionOptions& options);
TimeGrid read_grid(const MotionOptions& options);

/// A mechanism on its way, assembled and driven.
class PrescribedMotion {
 public:
  /// All arguments must outlive it. Throws core::ModelError for what cannot be assembled or driven.
  PrescribedMotion(const MotionOptions& options, const model::Mechanism& mechanism, const TimeGrid& grid);

  const structure::Structure& structure() const { return structure_; }
  const kinematics::AssemblyReport& assembly() const { return assembly_; }
  const kinematics::DrivenMechanism& driven() const { return driven_; }
  const kinematics::MethodChoice& choice() const { return choice_; }
  const kinematics::Motion& motion() const { return motion_; }

  double t() const { return motion_.state().t; }
  void evaluate_bodies(coordinates::MechanismMotion& out) { motion_.evaluate_bodies(out); }
  /// Motion::observe.
  void observe(std::function<void()> on_step) { motion_.observe(std::move(on_step)); }
  double constraint_error() { return motion_.constraint_error(); }
  /// Where to go next on the way to t: `h` seconds farther at most, and not more than --step where rows have a time of their own.
  double next_instant(double t, double h) const;
  /// As Motion::advance_to. When a driver has no value there, or the numbers cannot be solved, `keep_rows` is called before
  /// core::ModelError is thrown.
  [[nodiscard]] bool advance_to(double t, const std::function<void()>& keep_rows);

 private:
  const MotionOptions& options_;
  double largest_step_;  ///< [s]; infinite without --every
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  kinematics::DrivenMechanism driven_;
  kinematics::MethodChoice choice_;
  kinematics::Motion motion_;
};

/// The error of a run with rows that stay: with the name of the model, and a word about the rows.
core::ErrorText keeping_rows(const std::string& model, core::ErrorText text);

/// Lines on stderr about singular positions that were passed.
void print_passed(const model::Mechanism& mechanism, const std::vector<kinematics::MotionEvent>& events);

}  // namespace eslabon::cli
