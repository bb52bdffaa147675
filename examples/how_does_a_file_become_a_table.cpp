// Question: how does a mechanism of a file move under its weight?
// Shows:    from a file to a table in ten lines.
// Output:   checked by the test `example.how_does_a_file_become_a_table`.

#include <cstdio>

#include "eslabon/eslabon.hpp"

using namespace eslabon;

int main() {
  const auto mechanism =
      kinematics::AssembledMechanism::assemble(io::load_model("models/fourbar-crank-rocker.yaml"));
  const dynamics::DynamicModel model(mechanism);
  integration::Simulation run(model, dynamics::make_formulation("null-space", model),
                              integration::make_integrator("dopri5"), 0.5);
  integration::Recorder recorder(mechanism);
  coordinates::MechanismMotion bodies = model.start();
  for (const double t : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}) {
    if (!run.advance_to(t)) return 1;
    run.evaluate_bodies(bodies);
    const auto row = recorder.record(t, bodies, run.constraint_error());
    std::printf("%.1f s  %.4f rad  %.4f rad/s  %.4f rad\n", t, row[0], row[1], row[2]);
  }
}
