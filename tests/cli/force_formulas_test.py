"""Forces as formulas, auxiliary states and couplings as a user meets them, against closed forms written out here."""

import json
import math
import sys
import unittest

from program import InFolder, MODELS, call

CART = """mechanism: cart
plane: xy
bodies: {cart: {mass: 2 kg, center_of_mass: [0, 0], inertia: 1 kg*m^2, points: {P: [0, 0]}}}
ground: {points: {O: [0, 0]}}
joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}
"""
STEPPED = {"rk4": ["--step", "13 ms"], "trapezoidal": ["--step", "13 ms"], "generalized-alpha": ["--step", "13 ms"]}


class Simulated(InFolder):
    def simulate(self, text, *words):
        done = call("simulate", self.write(text), *words, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {name: values[-1] for name, values in self.columns()[1].items()}


class ForcesThatJump(Simulated):
    def test_a_force_begins_while_everything_stands_still(self):
        """q = a (t − 1)²/2 with a = 2.5 m/s²."""
        model = CART + 'forces: {hit: {joint: slide, force: "= if(t > 1 s, 5 N, 0 N)"}}\noutputs: [slide.q, slide.v]\n'
        for words in (["--integrator", "dopri5"], *(["--integrator", name, *step] for name, step in STEPPED.items())):
            end = self.simulate(model, "--until", "2", *words)
            self.assertAlmostEqual(end["slide.q"], 1.25, 8, words)
            self.assertAlmostEqual(end["slide.v"], 2.5, 8, words)

    def test_a_force_begins_while_everything_stands_still_beside_a_stop(self):
        """It arrives at 1 m, 1 s + √0.8 s, with v² = 5 m²/s², and leaves with half of that speed."""
        model = CART + ('forces: {hit: {joint: slide, force: "= if(t > 1 s, 5 N, 0 N)"}}\n'
                        "stops: {end: {joint: slide, upper: 1 m, restitution: 0.5}}\noutputs: [slide.q, slide.v]\n")
        end = self.simulate(model, "--until", "2")
        after = 1.0 - math.sqrt(0.8)
        self.assertAlmostEqual(end["slide.v"], -math.sqrt(5.0) / 2.0 + 2.5 * after, 8)
        self.assertAlmostEqual(end["slide.q"], 1.0 - math.sqrt(5.0) / 2.0 * after + 1.25 * after**2, 8)

    def test_every_integrator_passes_a_jump_at_a_place(self):
        """v = 1 m/s up to 0.5 m, then −0.05 m/s² for 0.2 s."""
        model = CART + ('forces: {b: {joint: slide, force: "= if(slide.q > 0.5 m, -0.1 N, 0 N)"}}\n'
                        "assembly: {slide.v: 1 m/s}\noutputs: [slide.q, slide.v]\n")
        for words in (["--integrator", "dopri5"], ["--integrator", "bdf"],
                      *(["--integrator", name, *step] for name, step in STEPPED.items())):
            end = self.simulate(model, "--until", "0.7", *words)
            self.assertAlmostEqual(end["slide.v"], 0.99, 7, words)
            self.assertAlmostEqual(end["slide.q"], 0.699, 7, words)


class AnglesInFormulas(Simulated):
    def test_of_a_body_in_parts_that_are_turned(self):
        """½ q̈ = −2 q, whatever way the part is turned."""
        (self.folder / "arm.yaml").write_text(
            "part: arm\nplane: xy\nmounts: {chassis: {points: {H: [0, 0]}}}\n"
            "bodies: {arm: {mass: 1 kg, inertia: 0.5 kg*m^2, center_of_mass: [0, 0], points: {H: [0, 0]}}}\n"
            "joints: {H: {revolute: [chassis.H, arm.H]}}\nforces: {bt: {body: arm, torque: = -2 N*m*arm.angle}}\nexports: [arm, H]\n",
            encoding="utf-8")
        names = ["w.a", "w.b", "w.c", "w.d"]
        end = self.simulate(
            "mechanism: turn\nplane: xy\nparts: {arm: arm.yaml}\nground: {points: {O: [0, 0]}}\ninstances:\n"
            "  w: {part: arm, mounts: {chassis: ground}, copies: {a: {}, b: {angle: 180 deg, at: [1, 0]}, "
            "c: {angle: 90 deg, at: [2, 0]}, d: {mirror: x}}}\n"
            "assembly: {" + ", ".join(f"{name}.H: 5 deg" for name in names) + "}\n"
            "outputs: [" + ", ".join(f"{name}.H.q" for name in names) + "]\n", "--until", "1")
        for name in names:
            self.assertAlmostEqual(end[f"{name}.H.q"], math.radians(5) * math.cos(2), 8, name)

    def test_of_an_anti_roll_bar_that_starts_beyond_half_a_turn(self):
        """Bodies that stand at ±170° by their angles: the bar is twisted by 340°, and its energy is kept."""
        end = self.simulate(
            "mechanism: bar\nplane: xy\nground: {points: {A: [0, 0], B: [1, 0]}}\nbodies:\n"
            "  left: {mass: 1 kg, inertia: 0.5 kg*m^2, center_of_mass: [0, 0], points: {A: [0, 0]}}\n"
            "  right: {mass: 1 kg, inertia: 0.5 kg*m^2, center_of_mass: [0, 0], points: {B: [0, 0]}}\n"
            "joints: {l: {revolute: [ground.A, left.A]}, r: {revolute: [ground.B, right.B]}}\n"
            "springs: {roll: {between: [l, r], stiffness: 4 N*m/rad}}\n"
            "assembly: {left.angle: -170 deg, right.angle: 170 deg}\noutputs: [roll.length, roll.force]\n", "--until", "1")
        self.assertAlmostEqual(end["roll.force"], 4.0 * end["roll.length"], 8)
        self.assertAlmostEqual(end["roll.length"], math.radians(340) * math.cos(4), 6)


class AuxiliaryStates(Simulated):
    LAG = CART + ('states: {push: {start: 3 N, rate: "= -push.value/(0.5 s)"}}\n'
                  "springs: {bus: {joint: slide, force: = push.value}}\noutputs: [slide.q, push.value, bus.force]\n")

    def test_a_state_is_an_output(self):
        end = self.simulate(self.LAG, "--until", "1")
        self.assertAlmostEqual(end["push.value"], 3.0 * math.exp(-2.0), 7)
        self.assertAlmostEqual(end["bus.force"], 3.0 * math.exp(-2.0), 7)

    def test_sensors_read_states_and_forces_that_look_at_them(self):
        self.simulate(self.LAG + "sensors: {f: {reads: bus.force}, p: {reads: push.value}}\n", "--until", "1")
        readings = self.folder / "readings.csv"
        done = call("sense", self.folder / "model.yaml", "--truth", self.out, "--seed", "1", "--out", readings)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(",") for line in readings.read_text().splitlines()[2:]]
        self.assertEqual(len(rows), 1001)
        for t, force, push in rows:
            self.assertAlmostEqual(float(push), 3.0 * math.exp(-2e-9 * float(t)), 6)
            self.assertEqual(force, push)

    def test_a_filter_estimates_them(self):
        """A lag of 0.5 s that starts 1 N off, read with 0.1 N: Kalman's filter of one state, dP/dt = −P²/r − 4 P."""
        text = self.LAG + "sensors: {p: {reads: push.value, noise: 0.1 N, rate: 100 Hz}, e: {encoder: slide, noise: 1 mm, rate: 100 Hz}}\n"
        self.simulate(text, "--until", "1")
        readings, estimate = self.folder / "readings.csv", self.folder / "estimate.csv"
        done = call("sense", self.folder / "model.yaml", "--truth", self.out, "--seed", "1", "--out", readings)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("dekf", "ukf", "particle"):
            done = call("estimate", self.folder / "model.yaml", "--measurements", readings, "--truth", self.out, "--filter", name,
                        "--unknown", "state:push,sigma=1 N,start=4 N", "--out", estimate)
            self.assertEqual(done.returncode, 0, done.stderr)
            names, *rows = [line.split(",") for line in estimate.read_text().splitlines()]
            column = names.index("push.value")
            self.assertEqual(names[column + 1], "push.value.sigma")
            last = rows[-1]
            error, sigma = float(last[column]) - 3.0 * math.exp(-2.0 * float(last[0])), float(last[column + 1])
            self.assertLess(sigma, 0.05, name)
            self.assertLess(abs(error), 5.0 * sigma + 0.01, name)

    def test_where_they_rest_and_how_they_move_there(self):
        model = self.write(self.LAG + "dampers: {d: {joint: slide, damping: 1 N*s/m}}\n")
        done = call("modes", model, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        modes = json.loads(done.stdout)["modes"]
        self.assertTrue(any(abs(mode["eigenvalue"][0] + 2.0) < 1e-9 and abs(mode["eigenvalue"][1]) < 1e-12 for mode in modes), modes)
        self.assertIn("push.value", json.loads(done.stdout)["states"])
        done = call("info", model, "--json")
        self.assertEqual(json.loads(done.stdout)["states"],
                         [{"name": "push", "unit": "N", "start": 3.0, "size": 3.0, "rate": json.loads(done.stdout)["states"][0]["rate"]}])

    def test_printed_functions_take_states_and_tell_their_rates(self):
        model = self.write(self.LAG)
        done = call("export", model, "--language", "python", "--out", self.folder / "code")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = "".join(path.read_text() for path in sorted((self.folder / "code").rglob("*.py")))
        self.assertIn("def state_rates(", text)
        self.assertIn("push.value", text)

    def test_what_does_not_take_them_says_so(self):
        model = self.write(self.LAG + "drivers: {d: {joint: slide, position: = 0.1 m*t/(1 s)}}\n")
        done = call("inverse", model, "--until", "1", "--step", "0.1", "--out", self.out)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("inverse dynamics is not done with auxiliary states", done.stderr)
        self.assertIn("Take 'simulate' with the drivers", done.stderr)


class Couplings(InFolder):
    def test_efforts_are_outputs_of_inverse_and_left_out_of_exports(self):
        model = MODELS / "planetary-gearbox.yaml"
        done = call("inverse", model, "--until", "0.1", "--step", "0.01", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("inner.effort", self.columns()[1])
        done = call("export", model, "--language", "c", "--out", self.folder / "code")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_gear_on_a_coordinate_that_leaves_the_carrier_pushes_as_the_sum_does(self):
        """A wheel that rolls turns a wheel on a beam: no tooth has a place, the efforts are those of the row."""
        efforts = []
        for coupling in ("gear: {joints: [R.q2, B], teeth: [20, 60]}", "sum: {R.q2: 1, B.q: 3}"):
            model = self.write(
                "mechanism: rolled\nplane: xy\ngravity: [0, -9.81]\n"
                "ground: {points: {O: [0, 0], Q: [0, 1]}}\n"
                "bodies:\n  w: {mass: 2, shape: {disc: 0.1}, points: {C: [0, 0]}}\n  b: {mass: 1, shape: {disc: 0.3}, points: {Q: [0, 0]}}\n"
                "joints: {R: {rolling: [ground.O, w.C], axis: x, radius: 0.1}, B: {revolute: [ground.Q, b.Q]}}\n"
                "couplings: {m: {" + coupling + "}}\nforces: {pull: {joint: R.q1, force: 3}}\noutputs: [m.effort, R.q1]\n")
            done = call("simulate", model, "--until", "0.3", "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            columns = self.columns()[1]
            efforts.append(columns["m.effort"])
            # (m + ½ m + J_b/(3 r)²) a = F
            a = 3.0 / (3.0 + 0.5 * 0.09 / 0.09)
            self.assertAlmostEqual(columns["R.q1"][-1], 0.5 * a * 0.09, 8)
        for gear, row in zip(*efforts):
            self.assertAlmostEqual(gear, row, 9)

    def test_a_wheel_starts_anywhere(self):
        for place in (0.2, 0.47, 2.2):
            model = self.write(
                "mechanism: disc\nplane: xy\nground: {points: {O: [0, 0]}}\n"
                "bodies: {w: {mass: 1, shape: {disc: 0.1}, points: {C: [0, 0], E: [0.1, 0]}}}\n"
                "joints: {R: {rolling: [ground.O, w.C], axis: x, radius: 0.1}}\n"
                f"springs: {{s: {{joint: R.q1, stiffness: 5}}}}\nassembly: {{R.q1: {place}}}\noutputs: [R.q1, w.E.x]\n")
            done = call("simulate", model, "--until", "0.1", "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            columns = self.columns()[1]
            self.assertAlmostEqual(columns["R.q1"][0], place, 12)
            self.assertAlmostEqual(columns["w.E.x"][0], place + 0.1 * math.cos(-place / 0.1), 12)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
