"""Higher pairs: mobility, groups, motions, forces and energy of pins in slots, circles that roll, and points on lines and planes, against closed
forms written out here alone."""

import cmath
import json
import math
import sys
import unittest

from program import InFolder, MODELS, call, info

FORMULATIONS = ("groups", "null-space", "multipliers", "semi-recursive", "clusters", "augmented-lagrangian")
METHODS = ("global", "sparse", "groups", "groups-tensor")


class Machine(InFolder):
    def run_machine(self, command, model, *words):
        done = call(command, MODELS / "pairs" / model, *words, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.columns()[1]

    def expect_mobility(self, model, count, groups):
        data = info(MODELS / "pairs" / model)
        self.assertEqual(data["mobility"], {"gruebler": count, "rank": count})
        self.assertEqual([group["type"] for group in data["groups"]], groups)

    def expect_close(self, columns, name, expected, tolerance):
        for t, value, wanted in zip(columns["t"], columns[name], expected):
            self.assertLessEqual(abs(value - wanted), tolerance, f"{name} at {t}")


class ScotchYoke(Machine):
    MODEL = "scotch-yoke.yaml"

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1P1S"])

    def test_yoke_follows_the_cosine(self):
        r, w = 0.06, 4 * math.pi
        for method in METHODS:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "1", "--step", "0.02", "--method", method)
            q = columns["O.q"]
            self.assertAlmostEqual(q[-1], math.radians(40) + w, 9)
            self.expect_close(columns, "guide.q", [r * math.cos(x) for x in q], 1e-12)
            self.expect_close(columns, "guide.v", [-r * w * math.sin(x) for x in q], 1e-11)
            self.expect_close(columns, "guide.a", [-r * w**2 * math.cos(x) for x in q], 1e-10)
            self.expect_close(columns, "slot.q1", [r * math.sin(x) for x in q], 1e-12)
            # The pin turns with the crank, its frame against that of the slot; both have x along the slot at q = 0.
            self.expect_close(columns, "slot.q2", [x - q[0] + columns["slot.q2"][0] for x in q], 1e-11)

    def test_forces_of_the_slot_and_of_the_motor(self):
        """The slot pushes along the guide alone: m_yoke a. The motor gives the derivative of the energy."""
        columns = self.run_machine("inverse", self.MODEL, "--until", "1", "--step", "0.02")
        r, w = 0.06, 4 * math.pi
        for k, x in enumerate(columns["O.q"]):
            self.assertAlmostEqual(columns["slot.fx"][k], 1.5 * r * w**2 * math.cos(x), 9)  # on the pin, by the yoke
            self.assertAlmostEqual(columns["slot.fy"][k], 0.0, 9)
            effort = 1.5 * r**2 * w**2 * math.sin(x) * math.cos(x) + 0.8 * 9.81 * r / 2 * math.cos(x)
            self.assertAlmostEqual(columns["motor.effort"][k], effort, 9)


class Whitworth(Machine):
    MODEL = "whitworth.yaml"

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1R1S", "1P1S"])

    def test_lever_and_ram_follow_the_tangent(self):
        r, d, l, w, h = 0.1, 0.04, 0.15, 2 * math.pi, 1e-4
        def lever(x):
            return cmath.phase(complex(r * math.cos(x), d + r * math.sin(x)))
        for method in METHODS:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "1", "--step", "0.02", "--method", method)
            for k, x in enumerate(columns["C.q"]):
                z = complex(r * math.cos(x), d + r * math.sin(x))
                z1 = w * complex(-r * math.sin(x), r * math.cos(x))
                z2 = -w**2 * complex(r * math.cos(x), r * math.sin(x))
                rate, second = (z1 / z).imag, (z2 / z - (z1 / z)**2).imag  # of the logarithm
                self.assertAlmostEqual(math.remainder(columns["O.q"][k] - lever(x), 2 * math.pi), 0.0, 11)
                self.assertAlmostEqual(columns["O.v"][k], rate, 10)
                self.assertAlmostEqual(columns["O.a"][k], second, 9)
                self.assertAlmostEqual(columns["slot.q1"][k], abs(z), 12)
                self.assertAlmostEqual(columns["guide.q"][k], l * math.cos(lever(x)), 11)
                self.assertAlmostEqual(columns["guide.v"][k], -l * rate * math.sin(lever(x)), 10)
                self.assertAlmostEqual(columns["guide.a"][k], -l * (second * math.sin(lever(x)) + rate**2 * math.cos(lever(x))), 9)

    def test_ram_goes_back_faster_than_it_comes(self):
        """The crank's angle between the ends of the stroke is pi - 2 asin(d/r): the lever is at 0 and pi there."""
        columns = self.run_machine("kinematics", self.MODEL, "--until", "1", "--step", "0.001")
        slow = sum(1 for v in columns["guide.v"] if v < 0) / len(columns["guide.v"])
        self.assertAlmostEqual(slow, 0.5 + math.asin(0.4) / math.pi, 2)


class Geneva(Machine):
    def test_engaged_wheel(self):
        self.expect_mobility("geneva.yaml", 1, ["1R", "1R1S"])
        a, w = 0.05, 2 * math.pi
        c = a * math.sqrt(2)
        columns = self.run_machine("kinematics", "geneva.yaml", "--until", "0.25", "--step", "0.005")
        self.assertAlmostEqual(columns["O.q"][-1], math.pi / 4, 12)
        for k, x in enumerate(columns["O.q"]):
            z = complex(c - a * math.cos(x), -a * math.sin(x))  # from the pin to the wheel's axis
            z1, z2 = w * complex(a * math.sin(x), -a * math.cos(x)), w**2 * complex(a * math.cos(x), a * math.sin(x))
            self.assertAlmostEqual(columns["W.q"][k], cmath.phase(z), 11)
            self.assertAlmostEqual(columns["W.v"][k], (z1 / z).imag, 10)
            self.assertAlmostEqual(columns["W.a"][k], (z2 / z - (z1 / z)**2).imag, 9)
            self.assertAlmostEqual(columns["slot.q1"][k], abs(z), 12)
        self.assertAlmostEqual(columns["W.v"][0], 0.0, 10)
        self.assertAlmostEqual(columns["W.v"][-1], 0.0, 10)
        self.assertAlmostEqual(columns["slot.q1"][0], a, 12)


class ArcFourBar(Machine):
    MODEL = "arc-four-bar.yaml"

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1A1R"])

    def test_pin_is_where_a_rocker_would_hold_it(self):
        columns = self.run_machine("kinematics", self.MODEL, "--until", "1", "--step", "0.02")
        for k, x in enumerate(columns["A.q"]):
            P = 0.12 * cmath.exp(1j * x)
            way = 0.8 - P
            along = (0.54**2 - 0.455**2 + abs(way)**2) / (2 * abs(way))
            pin = P + way / abs(way) * complex(along, math.sqrt(0.54**2 - along**2))
            self.assertAlmostEqual(columns["arc.q1"][k], cmath.phase(pin - 0.8), 11)
            self.assertAlmostEqual(columns["coupler.angle"][k], cmath.phase(pin - P), 11)
            self.assertAlmostEqual(columns["arc.q2"][k], columns["coupler.angle"][k], 12)

    def test_rates_are_those_of_the_rocker(self):
        """The same machine with a rocker instead, in the same coordinates."""
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        rocker = (text.replace("bodies:\n", "bodies:\n  rocker: {points: {B: [0, 0], P2: [= radius, 0]}}\n")
                  .replace("  arc: {circular_slot: [ground.B, coupler.P2], axis: x, radius: = radius}",
                           "  B: {revolute: [ground.B, rocker.B]}\n  P2: {revolute: [rocker.P2, coupler.P2]}")
                  .replace("coupler.angle: 24 deg", "coupler.angle: 24 deg, rocker.angle: 132 deg")
                  .replace("arc.q1, arc.v1, arc.a1, arc.q2, arc.fx, arc.fy", "B.q, B.v, B.a, P2.fx, P2.fy"))
        self.assertIn("P2.fx", rocker)
        with_slot = self.run_machine("inverse", self.MODEL, "--until", "1", "--step", "0.05")
        with_rocker = self.run_machine("inverse", self.write(rocker), "--until", "1", "--step", "0.05")
        for one, other, tolerance in (("arc.q1", "B.q", 1e-11), ("arc.v1", "B.v", 1e-10), ("arc.a1", "B.a", 1e-9), ("arc.fx", "P2.fx", 1e-9),
                                      ("arc.fy", "P2.fy", 1e-9), ("motor.effort", "motor.effort", 1e-9)):
            self.expect_close(with_slot, one, with_rocker[other], tolerance)

    def test_pin_can_be_driven_along_the_arc(self):
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        driven = text.replace("{joint: A, speed: 60 rpm, start: 90 deg}", '{joint: arc.q1, position: "= 2.2 + 0.2*sin(3*t)"}')
        columns = self.run_machine("inverse", self.write(driven), "--until", "1", "--step", "0.02")
        self.expect_close(columns, "arc.q1", [2.2 + 0.2 * math.sin(3 * t) for t in columns["t"]], 1e-10)
        self.expect_close(columns, "arc.a1", [-1.8 * math.sin(3 * t) for t in columns["t"]], 1e-8)


class Rolling(Machine):
    def test_cycloid(self):
        self.expect_mobility("cycloid.yaml", 1, ["1O"])
        r, v = 0.25, 2.0
        for method in METHODS:
            columns = self.run_machine("kinematics", "cycloid.yaml", "--until", "5", "--step", "0.05", "--method", method)
            u = [v * t / r for t in columns["t"]]
            self.assertGreater(u[-1], 6 * 2 * math.pi)  # turns are counted
            self.expect_close(columns, "roll.q2", [-x for x in u], 1e-10)
            self.expect_close(columns, "wheel.P.x", [r * (x - math.sin(x)) for x in u], 1e-10)
            self.expect_close(columns, "wheel.P.y", [r * (1 - math.cos(x)) for x in u], 1e-10)
            self.expect_close(columns, "wheel.P.vx", [v * (1 - math.cos(x)) for x in u], 1e-9)
            self.expect_close(columns, "wheel.P.ay", [v**2 / r * math.cos(x) for x in u], 1e-8)

    def test_disc_rolls_down_a_slope(self):
        """Two thirds of the acceleration without friction; a third of the weight along the slope is friction."""
        self.expect_mobility("disc-on-incline.yaml", 1, ["1O"])
        slope, g, m, r = math.radians(25), 9.81, 4.0, 0.2
        a = 2 / 3 * g * math.sin(slope)
        normal, friction = m * g * math.cos(slope), m * g * math.sin(slope) / 3
        for formulation in FORMULATIONS:
            columns = self.run_machine("simulate", "disc-on-incline.yaml", "--until", "1", "--every", "0.1", "--formulation", formulation,
                                       "--rtol", "1e-11", "--atol", "1e-12")
            self.expect_close(columns, "roll.q1", [a * t**2 / 2 for t in columns["t"]], 1e-6)
            self.expect_close(columns, "roll.q2", [-a * t**2 / 2 / r for t in columns["t"]], 1e-5)
            self.expect_close(columns, "roll.a1", [a for _ in columns["t"]], 1e-8)
            fx = -friction * math.cos(slope) + normal * math.sin(slope)
            fy = friction * math.sin(slope) + normal * math.cos(slope)
            self.expect_close(columns, "roll.fx", [fx for _ in columns["t"]], 1e-7)
            self.expect_close(columns, "roll.fy", [fy for _ in columns["t"]], 1e-7)
            self.expect_close(columns, "roll.mz", [-friction * r for _ in columns["t"]], 1e-7)


class InSpace(Machine):
    def test_swash_plate(self):
        self.expect_mobility("swash-plate.yaml", 1, ["1R", "1P1T"])
        r, b, w = 0.04, math.radians(15), 10 * math.pi
        for method in METHODS:
            columns = self.run_machine("kinematics", "swash-plate.yaml", "--until", "0.2", "--step", "0.005", "--method", method)
            stroke = r * math.tan(b)
            self.expect_close(columns, "guide.q", [-stroke * math.cos(x) for x in columns["O.q"]], 1e-12)
            self.expect_close(columns, "guide.v", [stroke * w * math.sin(x) for x in columns["O.q"]], 1e-10)
            self.expect_close(columns, "guide.a", [stroke * w**2 * math.cos(x) for x in columns["O.q"]], 1e-8)

    def test_force_of_the_plate_is_along_its_normal(self):
        """On the plunger, m (g + a) along z; the motor's torque does the work of the plunger's."""
        columns = self.run_machine("inverse", "swash-plate.yaml", "--until", "0.2", "--step", "0.005")
        r, b, w = 0.04, math.radians(15), 10 * math.pi
        for k, x in enumerate(columns["O.q"]):
            fz = 0.2 * (9.81 + r * math.tan(b) * w**2 * math.cos(x))
            self.assertAlmostEqual(columns["tip.fz"][k], fz, 8)
            self.assertAlmostEqual(columns["tip.fx"][k], fz * math.tan(b) * math.cos(x), 8)
            self.assertAlmostEqual(columns["motor.effort"][k], fz * r * math.tan(b) * math.sin(x), 8)

    def test_ball_in_a_groove(self):
        self.expect_mobility("ball-in-groove.yaml", 1, ["1R", "1L1Y"])
        r, b, w, h = 0.05, math.radians(35), 2 * math.pi, 1e-3
        def turn(x):
            return math.atan2(-math.cos(x) * math.sin(b), math.sin(x))
        for method in METHODS:
            columns = self.run_machine("kinematics", "ball-in-groove.yaml", "--until", "1", "--step", "0.02", "--method", method)
            for k, x in enumerate(columns["O.q"]):
                self.assertAlmostEqual(columns["sleeve.q2"][k], r * math.cos(b) * math.cos(x), 11)
                self.assertAlmostEqual(columns["sleeve.a2"][k], -r * w**2 * math.cos(b) * math.cos(x), 9)
                self.assertAlmostEqual(math.remainder(columns["sleeve.q1"][k] - turn(x), 2 * math.pi), 0.0, 10)
                self.assertAlmostEqual(columns["groove.q"][k], r * math.hypot(math.sin(x), math.cos(x) * math.sin(b)), 11)


class Released(Machine):
    def test_formulations_agree_and_keep_energy(self):
        """Whole machines that are let go: one motion by five formulations, and no energy lost."""
        for model, watched in (("scotch-yoke.yaml", "O.q"), ("whitworth.yaml", "C.q"), ("arc-four-bar.yaml", "A.q"), ("swash-plate.yaml", "O.q"),
                               ("ball-in-groove.yaml", "O.q")):
            reached = {}
            for formulation in FORMULATIONS:
                done = call("simulate", MODELS / "pairs" / model, "--release", "all", "--until", "0.1", "--every", "0.1", "--formulation", formulation,
                            "--outputs", watched, "--rtol", "1e-11", "--atol", "1e-12", "--out", self.out, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertLess(json.loads(done.stdout)["energy"]["drift"], 1e-9, f"{model} {formulation}")
                reached[formulation] = self.columns()[1][watched][-1]
            for formulation, value in reached.items():
                self.assertLessEqual(abs(value - reached["multipliers"]), 1e-9 * max(1.0, abs(value)), f"{model} {formulation}")


class Pushed(Machine):
    """Springs, stops and friction along the coordinates of higher pairs."""

    def pushed(self, model, cut, elements, replaced=("", "")):
        text = (MODELS / "pairs" / model).read_text(encoding="utf-8").replace(*replaced)
        return self.write(text[:text.index(cut)] + elements)

    def expect_agreement(self, path, watched, until="0.75", drift=1e-9):
        reached, took = {}, 0.0
        for formulation in FORMULATIONS:
            done = call("simulate", path, "--until", until, "--every", until, "--formulation", formulation, "--outputs", watched, "--rtol", "1e-11",
                        "--atol", "1e-12", "--out", self.out, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            energy = json.loads(done.stdout)["energy"]
            self.assertLess(energy["drift"], drift, formulation)
            took = energy.get("friction", 0.0)
            reached[formulation] = self.columns()[1][watched][-1]
        for formulation, value in reached.items():
            self.assertLessEqual(abs(value - reached["multipliers"]), 1e-9, formulation)
        return reached["multipliers"], took

    def test_along_an_arc(self):
        path = self.pushed("arc-four-bar.yaml", "drivers:", """
springs: {twist: {joint: arc.q1, stiffness: 30 N*m/rad, free_angle: 120 deg}, turn: {joint: arc.q2, stiffness: 4 N*m/rad}}
stops: {end: {joint: arc.q1, upper: 140 deg, stiffness: 500 N*m/rad}}
assembly: {crank.angle: 90 deg, coupler.angle: 24 deg}
""")
        self.expect_agreement(path, "arc.q1")

    def test_in_a_groove(self):
        path = self.pushed("ball-in-groove.yaml", "drivers:", """
springs: {s: {joint: groove, stiffness: 300 N/m, free_length: 30 mm}}
assembly: {O.q: 50 deg, sleeve.q1: -25 deg, sleeve.q2: 26 mm}
""", ("axis: {first: y, second: x}}", "axis: {first: y, second: x}, friction: {viscous: 2}}"))
        _, took = self.expect_agreement(path, "O.q", drift=1e-7)  # what friction takes is an integral of its own
        self.assertLess(took, -0.02)

    def test_wheel_that_hits_the_end_of_its_rail(self):
        """It rebounds with half its speed: at rest until the stop, v^2 = 2 a s; then v(t) = -v1/2 + a (t - t1)."""
        path = self.pushed("disc-on-incline.yaml", "outputs:", "stops: {end: {joint: roll.q1, upper: 0.5, restitution: 0.5}}\n")
        reached, _ = self.expect_agreement(path, "roll.q1")
        a = 2 / 3 * 9.81 * math.sin(math.radians(25))
        t1, v1 = math.sqrt(2 * 0.5 / a), math.sqrt(2 * 0.5 * a)
        after = 0.75 - t1
        self.assertGreater(after, 0.1)
        self.assertAlmostEqual(reached, 0.5 - v1 / 2 * after + a * after**2 / 2, 8)

    def test_pin_that_hits_the_end_of_its_slot(self):
        """The crank turns up until its pin is 50 mm up the slot, at asin(5/6), and no farther."""
        path = self.pushed("scotch-yoke.yaml", "drivers:", "stops: {end: {joint: slot.q1, upper: 50 mm, restitution: 0}}\nassembly: {crank.angle: 40 deg, O.v: 8}\n")
        done = call("simulate", path, "--until", "0.1", "--every", "0.001", "--outputs", "slot.q1,O.q", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        self.assertLessEqual(max(columns["slot.q1"]), 0.05 + 1e-9)
        self.assertAlmostEqual(max(columns["slot.q1"]), 0.05, 5)  # between two rows it touches and falls back
        self.assertAlmostEqual(max(columns["O.q"]), math.asin(5 / 6), 4)



if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
