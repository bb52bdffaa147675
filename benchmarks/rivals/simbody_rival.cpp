// Question: how long does Simbody 3.7 take for the accelerations of the mechanisms that ours are measured with?
//
// Mobilized bodies along our spanning tree, constraints for the joints outside it (tests/oracles/simbody_oracle.hpp). An evaluation
// realizes a state from stage Position to stage Acceleration.

#include "benchmarks/rivals/rival.hpp"
#include "tests/oracles/simbody_oracle.hpp"

namespace {

using namespace eslabon;

class SimbodyRival final : public rivals::Rival {
 public:
  explicit SimbodyRival(const benchmarks::BenchCase& at) : at_(at), oracle_(at.mechanism, at.structure) {}

  void evaluate() override { oracle_.accelerate_again(); }
  coordinates::MechanismMotion accelerated() override { return oracle_.accelerated(at_.moving); }

 private:
  const benchmarks::BenchCase& at_;
  test::SimbodyOracle oracle_;
};

std::unique_ptr<rivals::Rival> make(const benchmarks::BenchCase& at) {
  return std::make_unique<SimbodyRival>(at);
}

}  // namespace

int main(int argc, char** argv) { return rivals::run(argc, argv, &make); }
