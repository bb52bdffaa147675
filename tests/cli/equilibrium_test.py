"""`eslabon equilibrium`: positions against closed forms, the file, searches, and what has no answer."""

import math
import resource
import sys
import unittest

from model_texts import PARALLELOGRAM
from program import MODELS, InFolder, call, machines

PENDULUM = """
mechanism: pendulum
plane: xy
gravity: [0, -9.81]
parameters: {push: 5 N*m}
ground: {points: {O: [0, 0]}}
bodies: {bob: {mass: 2, inertia: 0.3, center_of_mass: P, points: {O: [0, 0], P: [0.7, 0]}}}
joints: {O: {revolute: [ground.O, bob.O]}}
forces: {push: {body: bob, torque: = push}}
assembly: {bob.angle: -60 deg}
outputs: [bob.P.y, O.fy]
"""
WEIGHT = 2 * 9.81 * 0.7
VAN = """
mechanism: half a vehicle on its tyres, free to roll
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  patch_f: {points: {O: [0, 0]}}
  patch_r: {points: {O: [0, 0]}}
  post_f: {points: {O: [0, 0]}}
  post_r: {points: {O: [0, 0]}}
  wheel_f: {mass: 40, center_of_mass: [0, 0], inertia: 1, points: {O: [0, 0]}}
  wheel_r: {mass: 40, center_of_mass: [0, 0], inertia: 1, points: {O: [0, 0]}}
  chassis: {mass: 1200, center_of_mass: [0.3, 0.2], inertia: 1500, points: {F: [1.3, 0], R: [-1.3, 0]}}
joints:
  road_f: {prismatic: [ground.O, patch_f.O], axis: [1, 0]}
  road_r: {prismatic: [ground.O, patch_r.O], axis: [1, 0]}
  tyre_f: {prismatic: [patch_f.O, post_f.O], axis: [0, 1]}
  tyre_r: {prismatic: [patch_r.O, post_r.O], axis: [0, 1]}
  hub_f: {revolute: [post_f.O, wheel_f.O]}
  hub_r: {revolute: [post_r.O, wheel_r.O]}
  strut_f: {prismatic: [chassis.F, wheel_f.O], axis: [0.2, 1]}
  strut_r: {prismatic: [chassis.R, wheel_r.O], axis: [0.2, 1]}
springs:
  tyre_spring_f: {joint: tyre_f, stiffness: 200000, free_length: 0.35}
  tyre_spring_r: {joint: tyre_r, stiffness: 200000, free_length: 0.35}
  coil_f: {joint: strut_f, stiffness: 25000, free_length: -0.5}
  coil_r: {joint: strut_r, stiffness: 25000, free_length: -0.5}
assembly: {tyre_f.q: 0.35, tyre_r.q: 0.35, strut_f.q: -0.5, strut_r.q: -0.5, road_f.q: 11.3, road_r.q: 8.7}
outputs: [chassis.F.x, chassis.F.y, chassis.angle]
"""


class Equilibrium(InFolder):
    def rest(self, model, *words):
        return call("equilibrium", model, "--out", self.out, *words)

    def test_pendulum_held_by_a_torque(self):
        done = self.rest(self.write(PENDULUM), "--solutions", "all")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        units, columns = self.columns()
        self.assertEqual(list(columns), ["t", "solution", "stability", "softest_square", "O.q", "bob.P.y", "O.fy", "energy",
                                         "constraint_error"])
        self.assertEqual(units["softest_square"], "1/s^2")
        angle = math.acos(5 / WEIGHT)
        self.assertEqual(columns["stability"], [1, -1])
        for found, expected in zip(columns["O.q"], (-angle, angle)):
            self.assertAlmostEqual(found, expected, delta=1e-12)
        for force in columns["O.fy"]:
            self.assertAlmostEqual(force, 2 * 9.81, delta=1e-9)
        square = WEIGHT * math.sin(angle) / (0.3 + 2 * 0.49)
        self.assertAlmostEqual(columns["softest_square"][0], square, delta=1e-8)
        for fact in ("all on this branch of motion, followed until it closes", "stable", "unstable", "Hz: O.q 1 rad",
                     "DOF          1: O.q"):
            self.assertIn(fact, done.stdout)

    def test_one_solution_is_enough_unless_more_are_asked_for(self):
        for words, count in (([], 1), (["--solutions", "1"], 1), (["--solutions", "2"], 2), (["--solutions", "9"], 2)):
            self.assertEqual(self.rest(self.write(PENDULUM), *words).returncode, 0)
            self.assertEqual(len(self.columns()[1]["t"]), count)

    def test_no_equilibrium_is_one_sentence(self):
        for words in ([], ["--solutions", "all"]):
            done = self.rest(self.write(PENDULUM), "--set", "push=15 N*m", *words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, "^eslabon: no equilibrium was found .*mechanism 'pendulum'.*O.q = .* rad, where the unbalanced effort is still 1.266 N m, after [0-9]+ iterations.*\n$")
            self.assertFalse(self.out.exists())

    def test_slider_under_a_constant_force_has_none(self):
        done = self.rest(self.write(
            "mechanism: slider\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
            "bodies: {mass: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}}\n"
            "joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\nforces: {push: {joint: J, force: 7 N}}\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the unbalanced effort is still 7 N", done.stderr)

    def test_all_of_the_testbed(self):
        done = self.rest(MODELS / "fourbar-testbed.yaml", "--release", "motor", "--solutions", "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, columns = self.columns()
        self.assertEqual(sorted(columns["stability"]), [-1, -1, 1, 1])
        self.assertLess(max(columns["constraint_error"]), 1e-15)
        self.assertIn("all on 2 branches of motion", done.stdout)
        # Gravity turned round turns stability round: mirror images in the line of the two pivots.
        self.assertAlmostEqual(sum(columns["energy"]), 0, delta=1e-12)
        # A branch that is asked for is not left.
        for name, count in (("+", 2), ("-", 2)):
            self.assertEqual(self.rest(MODELS / "fourbar-testbed.yaml", "--release", "motor", "--solutions", "all",
                                       f"--branch={name}").returncode, 0)
            self.assertEqual(len(self.columns()[1]["t"]), count)

    def test_what_nothing_brings_back_stays_where_it_is(self):
        done = self.rest(self.write(VAN))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        columns = self.columns()[1]
        self.assertEqual(columns["stability"], [0])
        self.assertAlmostEqual(columns["road_f.q"][0], 11.3, delta=1e-12)
        # The tyres carry all of it, wherever it stands: the sum of their forces, and that about the front axle.
        weights = {"f": 200000 * (0.35 - columns["tyre_f.q"][0]), "r": 200000 * (0.35 - columns["tyre_r.q"][0])}
        self.assertAlmostEqual(weights["f"] + weights["r"], 1280 * 9.81, delta=1e-6)
        c, s = math.cos(columns["chassis.angle"][0]), math.sin(columns["chassis.angle"][0])
        centre = columns["chassis.F.x"][0] + (0.3 - 1.3) * c - 0.2 * s
        front, rear = columns["road_f.q"][0], columns["road_r.q"][0]
        self.assertAlmostEqual((weights["f"] - 40 * 9.81) * (front - centre), (weights["r"] - 40 * 9.81) * (centre - rear),
                               delta=1e-6)

    def test_idle_spins_make_no_new_solutions(self):
        done = self.rest(MODELS / "rssr.yaml", "--release", "all", "--solutions", "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(self.columns()[1]["stability"]), [-1, -1, -1, 0, 0, 0])
        self.assertIn("starts; there may be others", done.stdout)

    def test_kinks_and_rigid_stops_are_told(self):
        upright = PENDULUM.replace("push: 5", "push: 0").replace("-60 deg", "90 deg")
        done = self.rest(self.write(upright + "stops: {s: {joint: O, upper: 90 deg, stiffness: 100}}\n"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.columns()[1]["stability"], [-1])
        self.assertIn("differs from one side to the other", done.stderr)
        hanging = PENDULUM.replace("push: 5", "push: 0")
        done = self.rest(self.write(hanging + "stops: {s: {joint: O, lower: -90 deg, restitution: 0.5}}\n"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("solution 1 touches stop 's'", done.stderr)

    def test_time_moves_drivers_and_loads(self):
        model = self.write(
            "mechanism: hanging\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
            "bodies:\n  cart: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}\n"
            "  bar: {mass: 2, inertia: 0.1, center_of_mass: G, points: {P: [0, 0], G: [0.5, 0]}}\n"
            "joints:\n  J: {prismatic: [ground.O, cart.P], axis: [ground.u, cart.u]}\n  H: {revolute: [cart.P, bar.P]}\n"
            "drivers: {motor: {joint: J, speed: 2 m/s}}\nforces: {wind: {point: bar.G, force: [= 4 N*t/1 s, 0]}}\n"
            "assembly: {bar.angle: -80 deg}\noutputs: [bar.angle, motor.effort]\n")
        for t in ("0", "0.5", "3 s"):
            done = self.rest(model, "--time", t)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            _, columns = self.columns()
            seconds = float(t.split()[0])
            self.assertEqual(columns["t"], [seconds])
            self.assertAlmostEqual(columns["J.q"][0], 2 * seconds, delta=1e-12)
            self.assertAlmostEqual(columns["bar.angle"][0], -math.atan2(20, 4 * seconds), delta=1e-12)
            self.assertAlmostEqual(columns["motor.effort"][0], -4 * seconds, delta=1e-9)  # it holds against the wind
            self.assertIn("Held         motor at", done.stdout)

    def test_every_model_comes_to_rest_or_says_why_not(self):
        for model in machines():
            if model.parent.name == "rolling":  # refused by name: rolling_test
                continue
            done = self.rest(model, "--release", "all")
            if done.returncode == 0:
                _, columns = self.columns()
                self.assertLess(columns["constraint_error"][0], 1e-10, model.name)
                self.assertNotIn("nan", done.stdout.lower())
            else:
                self.assertRegex(done.stderr, "(?m)^eslabon: (no equilibrium was found|the position lies beyond a rigid stop)", model.name)

    def test_singular_start_is_an_error(self):
        flat = PARALLELOGRAM.replace("60 deg", "0 deg")
        done = self.rest(self.write(flat), "--release", "all")
        self.assertEqual(done.returncode, 1)
        self.assertIn("singular position", done.stderr)

    def test_nothing_can_move(self):
        truss = ("mechanism: truss\nplane: xy\nground: {points: {A: [0, 0], B: [1, 0]}}\n"
                 "bodies: {one: {mass: 1, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.8, 0]}}, "
                 "two: {mass: 1, shape: {bar: [P, B]}, points: {P: [0, 0], B: [0.8, 0]}}}\n"
                 "joints: {A: {revolute: [ground.A, one.A]}, P: {revolute: [one.P, two.P]}, B: {revolute: [two.B, ground.B]}}\n"
                 "assembly: {one.angle: 50 deg, two.angle: -50 deg}\n")
        done = self.rest(self.write(truss))
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing can move", done.stderr)

    def test_drivers_hold_everything(self):
        bar = self.write("mechanism: bar\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}}\n"
                         "bodies: {bar: {mass: 3, shape: {bar: [A, B]}, points: {A: [0, 0], B: [2, 0]}}}\n"
                         "joints: {O: {revolute: [ground.O, bar.A]}}\nforces: {pull: {point: bar.B, force: [= 7 N*t/1 s, 0]}}\n"
                         "drivers: {motor: {joint: O, speed: 0.5 rad/s, start: 30 deg}}\noutputs: [bar.B.y, O.fy]\n")
        for t in (0.0, 0.4, 2.0):
            done = self.rest(bar, "--time", str(t))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            _, columns = self.columns()
            self.assertEqual(list(columns), ["t", "solution", "stability", "O.q", "bar.B.y", "O.fy", "motor.effort", "energy",
                                             "constraint_error"])
            angle = math.radians(30) + 0.5 * t
            self.assertEqual((columns["t"], columns["stability"]), ([t], [1]))
            self.assertAlmostEqual(columns["O.q"][0], angle, delta=1e-12)
            self.assertAlmostEqual(columns["motor.effort"][0], 30 * math.cos(angle) + 14 * t * math.sin(angle), delta=1e-9)
            self.assertAlmostEqual(columns["O.fy"][0], 30, delta=1e-9)  # at rest: no centripetal force
            for fact in ("DOF          0: the drivers hold everything", "Held         motor at", "Holding      motor.effort = "):
                self.assertIn(fact, done.stdout)
        done = self.rest(bar, "--outputs", "motor.effort")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(list(self.columns()[1])[3:-2], ["motor.effort"])

    def test_holding_efforts_are_slopes_of_the_energy(self):
        # Virtual work: what holds a coordinate is dV/dq, with weights and springs alone.
        for name, drivers in (("fourbar-testbed", {"motor": "A.q"}), ("watt-sixbar", {"motor": "A.q"}),
                              ("slider-crank", {"motor": "O.q"})):
            rows = []
            for t in ("0.0499", "0.05", "0.0501"):
                done = self.rest(MODELS / f"{name}.yaml", "--time", t)
                self.assertEqual(done.returncode, 0, done.stderr)
                rows.append({key: values[0] for key, values in self.columns()[1].items()})
            for driver, q in drivers.items():
                slope = (rows[2]["energy"] - rows[0]["energy"]) / (rows[2][q] - rows[0][q])
                self.assertAlmostEqual(rows[1][f"{driver}.effort"], slope, delta=1e-5 * max(1, abs(slope)), msg=name)

    def test_drivers_that_hold_a_part_have_their_efforts_beside_the_solution(self):
        done = self.rest(MODELS / "five-bar.yaml", "--release", "knee")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("motor.effort", self.columns()[1])
        self.assertIn("left out: knee.effort: a released driver exerts no effort", done.stderr)
        self.assertIn("Holding      motor.effort = ", done.stdout)

    def test_wrong_words(self):
        model = self.write(PENDULUM)
        for words, status, message in ((["--solutions", "0"], 2, "not a number of solutions"),
                                       (["--solutions", "many"], 2, "'all'"),
                                       (["--time", "soon"], 2, "not a number"),
                                       (["--time", "-1"], 2, "too short"),
                                       (["--release", "motor"], 2, "no such driver"),
                                       (["--outputs", "bob.P.yy"], 2, "output"),
                                       (["--branch=++"], 2, "no such branch"),
                                       (["--solution", "all"], 2, "unknown option '--solution', did you mean '--solutions'?")):
            done = self.rest(model, *words)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertFalse(self.out.exists())
        done = call("equilibrium", model, "--out", model)
        self.assertEqual(done.returncode, 2)
        self.assertIn("another file than that of MODEL", done.stderr)

    def test_rows_can_go_to_stdout(self):
        done = call("equilibrium", self.write(PENDULUM), "--out", "-")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("t,solution,stability"))
        self.assertIn("Found", done.stderr)

    def test_a_chain_of_a_hundred_links_hangs_in_seconds(self):
        links = 100
        bodies = "".join(f"  l{k}: {{mass: 1, shape: {{bar: [A, B]}}, points: {{A: [0, 0], B: [0.1, 0]}}}}\n" for k in range(links))
        joints = "  j0: {revolute: [ground.O, l0.A]}\n" + "".join(
            f"  j{k}: {{revolute: [l{k - 1}.B, l{k}.A]}}\n" for k in range(1, links))
        model = self.write("mechanism: chain\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n" + bodies +
                           "joints:\n" + joints)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = self.rest(model)
        # Processor time; the walk of before, three steps for each link with f³ each, takes some minutes.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 30.0)  # measured: 0.3; before, minutes
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        self.assertEqual(columns["stability"], [1])
        self.assertAlmostEqual(columns["j0.q"][0], -math.pi / 2, delta=1e-10)
        self.assertLess(max(abs(columns[f"j{k}.q"][0]) for k in range(1, links)), 1e-10)
        self.assertAlmostEqual(columns["energy"][0], -9.81 * 0.1 * links**2 / 2, delta=1e-8)
        # A heavy rope swings with ω = 2.4048/2 √(g/L), to 1/n².
        self.assertAlmostEqual(columns["softest_square"][0] / (2.404826 ** 2 / 4 * 9.81 / 10.0), 1.0, delta=1e-3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
