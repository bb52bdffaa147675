"""Every row that is written is a motion of the mechanism: joints closed, rigid stops not passed, drivers followed, turns counted."""

import math
import sys
import unittest

from program import MODELS, InFolder, call

MOTOR = "{joint: A, speed: 1.8 rad/s}"
BAR = """
mechanism: bar under a ceiling
plane: xy
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies: {a: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {O: [0, 0], P: [1, 0]}}}
joints: {A: {revolute: [ground.O, a.O]}}
stops: {s: {point: a.P.y, upper: 0.95, restitution: 0.5}}
outputs: [A.q, A.v, a.P.y]
"""
PARALLELOGRAM = """
mechanism: parallelogram
plane: xy
ground: {points: {A: [0, 0], B: [0.4, 0]}}
bodies:
  crank: {points: {A: [0, 0], P: [0.2, 0]}}
  coupler: {points: {P: [0, 0], Q: [0.4, 0]}}
  rocker: {points: {B: [0, 0], Q: [0.2, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P: {revolute: [crank.P, coupler.P]}
  Q: {revolute: [coupler.Q, rocker.Q]}
  B: {revolute: [ground.B, rocker.B]}
drivers: {motor: {joint: A, position: = pi/2 + t}}
assembly: {crank.angle: 90 deg, coupler.angle: 0 deg, rocker.angle: 90 deg}
outputs: [A.q, B.q]
"""


class Rows(InFolder):
    def four_bar(self, law, more=""):
        text = (MODELS / "fourbar-testbed.yaml").read_text(encoding="utf-8")
        lines = [f"  motor: {{joint: A, position: = {law}}}" if line.startswith("  motor:") else line for line in text.splitlines()]
        return self.write("\n".join(lines) + "\n" + more)

    def test_a_pulse_of_a_driver_is_followed(self):
        model = self.four_bar("1.5 + exp(-((t-0.5)/1e-4)^2)")
        done = self.move(model, "--outputs", "A.q", step="0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        values = self.columns()[1]
        for t, q, error in zip(values["t"], values["A.q"], values["constraint_error"]):
            self.assertAlmostEqual(q, 1.5 + math.exp(-((t - 0.5) / 1e-4) ** 2), delta=1e-12)
            self.assertLess(error, 1e-12)

    def test_a_step_of_a_driver_makes_no_turns(self):
        coil = "springs:\n  coil: {joint: A, stiffness: 3 N*m/rad}\n"
        model = self.four_bar("1.5 + atan(1e4*(t-0.5))", coil)
        for command in ("kinematics", "inverse", "simulate"):
            for step in ("0.01", "0.1"):
                rows = "--every" if command == "simulate" else "--step"
                done = call(command, model, "--until", "1", rows, step, "--outputs", "A.q", "--out", self.out)
                self.assertEqual(done.returncode, 0, done.stderr)
                values = self.columns()[1]
                for t, q in zip(values["t"], values["A.q"]):
                    self.assertAlmostEqual(q, 1.5 + math.atan(1e4 * (t - 0.5)), delta=1e-9)
                self.assertAlmostEqual(values["energy"][-1], 15.7011569, delta=1e-6)

    def test_a_run_may_end_where_branches_meet(self):
        model = self.write(PARALLELOGRAM)
        for method in ("groups", "sparse"):
            done = self.move(model, "--method", method, until=str(math.pi / 2), step="0.1")
            self.assertEqual(done.returncode, 0, done.stderr)
            values = self.columns()[1]
            self.assertAlmostEqual(values["A.q"][-1], math.pi, delta=1e-9)
            self.assertAlmostEqual(values["B.q"][-1], math.pi, delta=1e-8)

    def test_drivers_do_not_go_through_rigid_stops(self):
        model = self.write(BAR + "drivers: {motor: {joint: A, position: = t}}\n")
        done = self.move(model, until="2", step="0.125")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a rigid stop is passed [", done.stderr)
        self.assertIn("row t = 1.375 s, stop 's']: expected a.P.y within its limits, got 0.980893", done.stderr)
        self.assertIn("Results up to there are kept.", done.stderr)
        values = self.columns()[1]
        self.assertEqual(values["t"][-1], 1.25)
        self.assertLess(max(values["a.P.y"]), 0.95)

    def test_a_stop_inside_a_long_step_is_hit(self):
        done = call("simulate", self.write(BAR + "assembly: {A: 0, A.v: 1}\n"), "--until", "20", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a.P.y hits stop 's' at 0.312 m/s at 1.2532359 s", done.stdout)
        self.assertLess(max(self.columns()[1]["a.P.y"]), 0.95 + 1e-6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
