"""Where runs start: what of `assembly:` is kept, in every kind of coordinates, what is said about the rest, and that `start:` is met."""

import json
import math
import sys
import unittest

from program import MODELS, InFolder, call, machines

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
PRESS = """
mechanism: press
plane: xy
ground: {points: {O: [0, 0], G: [0, 0.02]}}
bodies:
  crank: {mass: 2, shape: {bar: [O, A]}, points: {O: [0, 0], A: [0.08, 0]}}
  rod: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.3, 0]}}
  ram: {mass: 3, shape: {box: [0.1, 0.05]}, points: {B: [0, 0]}}
joints:
  O: {revolute: [ground.O, crank.O]}
  A: {revolute: [crank.A, rod.A]}
  B: {revolute: [rod.B, ram.B]}
  G: {prismatic: [ground.G, ram.B], axis: [1, 0]}
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
        self.assertRegex(done.stderr, r"^eslabon: note: start values adjusted to fit the joints and drivers: rocker.angle from 105° to "
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
                                          r"got 2 rad/s\. Correct it, remove it, or release the driver with '--release': a driver "
                                          r"moves at its own speed\.\n$")
            self.expect_start(text.replace("position: 60 deg", "position: = pi/3 + 2*t"), rate=2.0)

    def test_values_under_start_are_met_whatever_is_guessed(self):
        # As guesses the joint coordinate of the file's first input would be kept, and the rocker would move.
        text = "inputs: [A.q]\nassembly: {crank.angle: 50 deg, coupler.angle: 20 deg}\nstart: {rocker.angle: 105 deg, rocker.rate: 0.5 rad/s}\n"
        for coordinates in COORDINATES:
            done = self.simulate(text, "--coordinates", coordinates, "--outputs", "rocker.angle,rocker.rate,crank.angle")
            self.assertEqual(done.returncode, 0, done.stderr)
            _, columns = self.columns()
            self.assertAlmostEqual(columns["rocker.angle"][0], math.radians(105), delta=1e-11)
            self.assertAlmostEqual(columns["rocker.rate"][0], 0.5, delta=1e-11)
            # Law of cosines: the crank's tip is 8 from the rocker's, on the branch of the guess.
            x, y = 10 + 5 * math.cos(math.radians(105)), 5 * math.sin(math.radians(105))
            far = math.hypot(x, y)
            crank = math.atan2(y, x) + math.acos((far * far + 4 - 64) / (4 * far))
            self.assertAlmostEqual(columns["crank.angle"][0], crank, delta=1e-11)
        self.expect_start("start: {A.q: 60 deg, A.v: 2 rad/s}\nassembly: {%s}\n" % ROUGH, rate=2.0)

    def test_a_value_under_start_that_cannot_be_met_is_an_error(self):
        for text, value, move in (
            ("start: {crank.angle: 60 deg, rocker.angle: 105 deg}\n", "rocker.angle", "from 105° to 108"),  # one freedom, two values
            ("start: {rocker.angle: 30 deg}\nassembly: {crank.angle: 60 deg}\n", "rocker.angle", "from 30° to "),  # out of reach
            ("drivers: {m: {joint: A, position: 60 deg}}\nstart: {rocker.angle: 105 deg}\n", "rocker.angle", "from 105° to 108"),
        ):
            done = self.simulate(text)
            self.assertEqual(done.returncode, 1, text)
            self.assertRegex(done.stderr, r"^eslabon: the mechanism cannot start there \[.*start value '" + value + r"'\]: expected a value "
                                          r"that goes with the drivers and the other values under 'start:', got the nearest closed "
                                          r"position moves it " + move + r"[^.]*.*Under 'start:' give at most one value")
            start = json.loads(call("info", self.write(FOUR_BAR + text), "--json").stdout)["assembly"]
            self.assertTrue(start["closed"])
            self.assertRegex(start["start"], "^the mechanism cannot start there .*" + value)

    def test_what_moves_by_little_is_told_with_enough_digits(self):
        done = self.simulate("drivers: {m: {joint: A, position: 60 deg}}\nstart: {crank.angle: 60.0000001 deg}\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("moves it from 60.0000001° to 60°", done.stderr)

    def test_a_branch_does_not_lead_away_from_start(self):
        text = "drivers: {m: {joint: A, speed: 1}}\nstart: {rocker.angle: 105 deg}\n"
        names = json.loads(call("info", self.write(FOUR_BAR + text), "--json", "--branches").stdout)["branches"]
        self.assertEqual(len(names), 2)
        moved = []
        for name in names:
            done = call("kinematics", self.write(FOUR_BAR + text), "--until", "0.1", "--step", "0.1", "--out", self.out, "--branch=" + name,
                        "--outputs", "rocker.angle")
            if done.returncode == 0:
                self.assertAlmostEqual(self.columns()[1]["rocker.angle"][0], math.radians(105), delta=1e-11)
            else:
                self.assertIn("the mechanism cannot start there", done.stderr)
                moved.append(name)
        self.assertEqual(moved, names[1:])

    def test_a_driver_that_only_guesses_put_somewhere_goes_where_start_wants_it(self):
        text = "drivers: {m: {joint: A, speed: 1}}\nassembly: {crank.angle: 50 deg, coupler.angle: 20 deg}\nstart: {rocker.angle: 105 deg}\n"
        done = call("kinematics", self.write(FOUR_BAR + text), "--until", "0", "--out", self.out, "--outputs", "rocker.angle")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(self.columns()[1]["rocker.angle"][0], math.radians(105), delta=1e-11)

    def test_poses_in_space_are_met_or_an_error(self):
        boom = """
mechanism: boom
ground: {points: {O: [0, 0, 0]}}
bodies:
  boom: {mass: 1, inertia: [1, 1, 1], center_of_mass: [1, 0, 0], points: {O: [0, 0, 0]}}
joints:
  O: {spherical: [ground.O, boom.O]}
"""
        turn = [0.3, -0.2, 0.9]
        done = call("simulate", self.write(boom + "start: {boom.rotation: [0.3, -0.2, 0.9]}\n"), "--until", "0.01", "--out", self.out,
                    "--outputs", "boom.e0,boom.e1,boom.e2,boom.e3")
        self.assertEqual(done.returncode, 0, done.stderr)
        angle = math.hypot(*turn)
        expected = [math.cos(angle / 2)] + [math.sin(angle / 2) * x / angle for x in turn]
        found = [self.columns()[1]["boom.e%d" % k][0] for k in range(4)]
        sign = math.copysign(1, found[0])
        for a, b in zip(found, expected):
            self.assertAlmostEqual(sign * a, b, delta=1e-11)
        done = call("simulate", self.write(boom + "start: {boom.position: [0, 0.1, 0]}\n"), "--until", "0.01", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("moves it from [0, 0.1, 0] m to [0, 0, 0] m", done.stderr)

    def test_a_rate_at_a_dead_centre_is_refused_though_roundoff_is_left(self):
        # Out of reach: the ram moves to where crank and rod are in line, at which it stands still.
        done = call("simulate", self.write(PRESS + "assembly: {G: 0.5 m, G.v: 1 m/s}\n"), "--until", "0.01", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"a start rate contradicts the joints \[.*start rate 'G.v'\]: expected \S+ m/s, which")

    def test_other_commands_say_it_too(self):
        model = self.write(FOUR_BAR + "drivers: {m: {joint: A, speed: 1}}\nassembly: {crank.angle: 60 deg, %s}\n" % ROUGH)
        note = "start values adjusted to fit the joints and drivers: rocker.angle from 105° to"
        self.assertIn(note, call("kinematics", model, "--until", "1", "--step", "0.5", "--out", self.out).stderr)
        sensed = self.write(model.read_text(encoding="utf-8") + "sensors: {g: {gyroscope: crank, noise: 0.01, rate: 100 Hz}}\n")
        self.assertIn(note, call("sense", sensed, "--until", "0.1", "--out", self.out).stderr)
        found = call("estimate", sensed, "--release", "m", "--measurements", self.out, "--filter", "dekf,ukf", "--out",
                     self.folder / "found.csv")
        self.assertEqual(found.stderr.count(note), 1, found.stderr)
        self.assertIn(note, call("inverse", model, "--until", "1", "--step", "0.5", "--out", self.out).stderr)
        page = call("info", model)
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        self.assertIn("rocker.angle from 105° to", page.stdout)
        moved = json.loads(call("info", model, "--json").stdout)["assembly"]["moved"]
        self.assertEqual([shift["start"] for shift in moved], ["rocker.angle", "coupler.angle"])

    def test_models_start_where_their_files_say(self):
        for model in machines():
            if model.name == "three-simulations.yaml":  # as its source says, to whole degrees
                continue
            done = call("info", model, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["assembly"].get("moved", []), [], model.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
