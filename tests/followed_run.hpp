#pragma once

#include <string>
#include <vector>

#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/runs/row_sink.hpp"
#include "eslabon/runs/run_observer.hpp"

/// Runs of models that a test follows.
namespace eslabon::test {

/// One of models/. Tests that use it have ESLABON_SOURCE_DIR.
inline model::Mechanism model_named(const std::string& name) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml");
}

/// Ends a run after so many steps, and keeps what it hears.
class Impatient final : public runs::RunObserver {
 public:
  explicit Impatient(std::int64_t patience) : patience_(patience) {}
  bool must_stop(std::int64_t steps) override { return steps >= patience_; }
  void progress(double part) override { last_part = part; }
  void note(const std::string& sentence) override { notes.push_back(sentence); }
  void left_out(const std::vector<std::string>& outputs, const std::string& /*why*/) override {
    left_out_outputs = outputs;
  }

  double last_part = 0.0;
  std::vector<std::string> notes, left_out_outputs;

 private:
  std::int64_t patience_;
};

/// Solves for the forces at every row, as a file of reactions does.
class SolvedForces final : public runs::RowSink {
 public:
  void add(const runs::Row& row) override {
    const runs::ReactionSolution solution = row.forces->solve();
    num_joints = solution.joints.size();
    first_efforts.push_back(solution.efforts.empty() ? 0.0 : solution.efforts.front());
    residuals.push_back(solution.residual);
  }
  void finish() override { ++finished; }

  std::size_t num_joints = 0;
  int finished = 0;
  std::vector<double> first_efforts, residuals;  ///< (rows)
};

}  // namespace eslabon::test
