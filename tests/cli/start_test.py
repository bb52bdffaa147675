"""Where runs start: what of `assembly:` is kept, in every kind of coordinates, and what is said about the rest."""

import json
import math
import sys
import unittest

from program import MODELS, InFolder, call

FOUR_BAR = """
mechanism: four-bar
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [10, 0]}}
bodies:
  crank: {mass: 2, shape: {bar: [A, P1]}, points: {A: [0, 0], P1: [2, 0]}}
  coupler: {mass: 8, shape: {bar: [P1, P2]}, points: {P1: [0, 0], P2: [8, 0]}}
  rocker: {mass: 5, shape: {bar: [B, P2]}, points: {B: [0, 0], P2: [5, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P1: {revolute: [crank.P1, coupler.P1]}
  P2: {revolute: [coupler.P2, rocker.P2]}
  B: {revolute: [ground.B, rocker.B]}
outputs: [A.q, A.v, coupler.angle, rocker.angle]
"""
ROUGH = "coupler.angle: 20 deg, rocker.angle: 105 deg"
COORDINATES = ("natural", "reference-point", "relative")


class Start(InFolder):
    def simulate(self, text, *words):
        return call("simulate", self.write(FOUR_BAR + text), "--until", "0.01", "--every", "0.005",
                    "--out", self.out, *words)

    def expect_start(self, text, *words, rate=0.0):
        for coordinates in COORDINATES:
            done = self.simulate(text, "--coordinates", coordinates, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            _, columns = self.columns()
            self.assertAlmostEqual(columns["A.q"][0], math.pi / 3, delta=1e-11)
            self.assertAlmostEqual(columns["A.v"][0], rate, delta=1e-11)
        return done

    def test_given_crank_is_kept_and_the_rest_is_told(self):
        done = self.expect_start("assembly: {crank.angle: 60 deg, %s}\n" % ROUGH)
        self.assertRegex(done.stderr, r"^eslabon: note: start values moved to fit the joints and drivers: rocker.angle from 105° to "
                                      r"108\.\d+°, coupler.angle from 20° to 2\d\.\d+°\.\n$")

    def test_start_position_and_rate_are_both_exact(self):
        self.expect_start("assembly: {crank.angle: 60 deg, crank.rate: 2 rad/s, %s}\n" % ROUGH, rate=2.0)
        self.expect_start("assembly: {%s, A.q: 60 deg, A.v: 2 rad/s}\n" % ROUGH, rate=2.0)
        self.expect_start("assembly: {crank.angle: 60 deg, crank.rate: -2 rad/s}\n", rate=-2.0)

    def test_rate_of_what_a_driver_moves_counts_when_it_is_let_go(self):
        for rate in ("A.v", "crank.rate"):
            text = "drivers: {m: {joint: A, position: 60 deg}}\nassembly: {%s, %s: 2 rad/s}\n" % (ROUGH, rate)
            self.expect_start(text, "--release", "m", rate=2.0)
            done = self.simulate(text)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"^eslabon: a start rate contradicts the joints \[.*start rate '" + rate + r"'\]: "
                                          r"expected -?0 rad/s, which the joints, the drivers and the start rates before it leave, "
                                          r"got 2 rad/s\. Correct it, remove it, or let the driver go with '--release': a driver "
                                          r"moves at its own speed\.\n$")
            self.expect_start(text.replace("position: 60 deg", "position: = pi/3 + 2*t"), rate=2.0)

    def test_other_commands_say_it_too(self):
        model = self.write(FOUR_BAR + "drivers: {m: {joint: A, speed: 1}}\nassembly: {crank.angle: 60 deg, %s}\n" % ROUGH)
        note = "start values moved to fit the joints and drivers: rocker.angle from 105° to"
        self.assertIn(note, call("kinematics", model, "--until", "1", "--step", "0.5", "--out", self.out).stderr)
        self.assertIn(note, call("inverse", model, "--until", "1", "--step", "0.5", "--out", self.out).stderr)
        page = call("info", model)
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        self.assertIn("rocker.angle from 105° to", page.stdout)
        moved = json.loads(call("info", model, "--json").stdout)["assembly"]["moved"]
        self.assertEqual([shift["start"] for shift in moved], ["rocker.angle", "coupler.angle"])

    def test_models_start_where_their_files_say(self):
        for model in sorted(MODELS.glob("*.yaml")):
            done = call("info", model, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["assembly"].get("moved", []), [], model.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
