"""Linear actuators, which are one element between two points, and point masses, which do not turn: against triangles, twins of several bodies and
closed forms written out here alone."""

import json
import math
import sys
import unittest

from program import InFolder, MODELS, call, info

METHODS = ("global", "sparse", "groups", "groups-tensor")
COORDINATES = ("natural", "reference-point", "relative")
FORMULATIONS = ("groups", "null-space", "multipliers", "semi-recursive", "clusters", "augmented-lagrangian")
PAIRS = MODELS / "pairs"


class Runs(InFolder):
    def run_machine(self, command, model, *words):
        done = call(command, model, *words, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.columns()[1]


class Tipper(Runs):
    """The triangle hinge - foot - eye: l^2 = A^2 + b^2 - 2 A b cos(q - f)."""

    MODEL = PAIRS / "tipper.yaml"
    A, f, b = math.hypot(1.8, 0.4), math.atan2(-0.4, 1.8), 1.1

    def expected(self, l, v, a):
        cosine = (self.A**2 + self.b**2 - l**2) / (2 * self.A * self.b)
        x = math.acos(cosine)
        rate = l * v / (self.A * self.b * math.sin(x))
        second = (v**2 + l * a - self.A * self.b * cosine * rate**2) / (self.A * self.b * math.sin(x))
        return self.f + x, rate, second

    def test_mobility(self):
        data = info(self.MODEL)
        self.assertEqual(data["mobility"], {"gruebler": 1, "rank": 1})
        self.assertEqual(data["loops"], 0)  # what holds nothing closes no loop
        self.assertEqual([(group["type"], group["inputs"]) for group in data["groups"]], [("1J1R", ["lift.q"])])

    def test_hinge_follows_the_law_of_cosines(self):
        for words in [("--method", m) for m in METHODS] + [("--coordinates", c) for c in COORDINATES]:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "8", "--step", "0.1", *words)
            for k, t in enumerate(columns["t"]):
                q, v, a = self.expected(0.85 + 0.1 * t, 0.1, 0.0)
                self.assertAlmostEqual(columns["lift.q"][k], 0.85 + 0.1 * t, 12, words)
                self.assertAlmostEqual(columns["lift.v"][k], 0.1, 12)
                self.assertAlmostEqual(columns["lift.a"][k], 0.0, 11)
                self.assertAlmostEqual(columns["hinge.q"][k], q, 11, words)
                self.assertAlmostEqual(columns["hinge.v"][k], v, 11)
                self.assertAlmostEqual(columns["hinge.a"][k], a, 11)

    def test_pump_and_hinge_carry_the_load(self):
        columns = self.run_machine("inverse", self.MODEL, "--until", "8", "--step", "0.5")
        m, g, (cx, cy) = 900, 9.81, (1.5, 0.6)
        inertia = m * ((3.2**2 + 0.9**2) / 12 + cx**2 + cy**2)
        for k, t in enumerate(columns["t"]):
            l = 0.85 + 0.1 * t
            q, v, a = self.expected(l, 0.1, 0.0)
            x, y = cx * math.cos(q) - cy * math.sin(q), cx * math.sin(q) + cy * math.cos(q)
            push = (inertia * a + m * g * x) * v / 0.1
            self.assertAlmostEqual(columns["pump.effort"][k] / push, 1, 10)
            way = (self.b * math.cos(q) - 1.8, self.b * math.sin(q) + 0.4)
            ax, ay = -a * y - v**2 * x, a * x - v**2 * y
            self.assertAlmostEqual(columns["hinge.fx"][k], m * ax - push * way[0] / l, 6)
            self.assertAlmostEqual(columns["hinge.fy"][k], m * (ay + g) - push * way[1] / l, 6)

    def test_formulations_agree_with_a_force_along_it(self):
        """A constant force: hinge rate by the work of the force and of the weight, whatever the way."""
        text = self.MODEL.read_text(encoding="utf-8")
        text = text[:text.index("drivers:")] + "forces: {oil: {joint: lift, force: 30 kN}}\nassembly: {body.angle: 5 deg}\noutputs: [lift.q, hinge.q, hinge.v]\n"
        path = self.write(text)
        m, g, (cx, cy) = 900, 9.81, (1.5, 0.6)
        inertia = m * ((3.2**2 + 0.9**2) / 12 + cx**2 + cy**2)
        height = lambda q: cx * math.sin(q) + cy * math.cos(q)
        for formulation in FORMULATIONS:
            columns = self.run_machine("simulate", path, "--until", "0.5", "--every", "0.1", "--formulation", formulation, "--rtol", "1e-11", "--atol", "1e-12")
            start, l0 = columns["hinge.q"][0], columns["lift.q"][0]
            self.assertGreater(columns["hinge.v"][-1], 0.3)
            for q, v, l in zip(columns["hinge.q"], columns["hinge.v"], columns["lift.q"]):
                self.assertAlmostEqual(l, math.sqrt(self.A**2 + self.b**2 - 2 * self.A * self.b * math.cos(q - self.f)), 11)
                work = 30e3 * (l - l0) - m * g * (height(q) - height(start))
                self.assertAlmostEqual(0.5 * inertia * v**2, work, 6, formulation)

    def test_stroke_is_a_stop(self):
        """Let go, the body falls until the cylinder is drawn in, and stays there."""
        columns = self.run_machine("simulate", self.MODEL, "--release", "pump", "--until", "2", "--every", "0.05", "--outputs", "lift.q,hinge.q,lift_stroke.force")
        self.assertGreaterEqual(min(columns["lift.q"]), 0.8 - 1e-9)
        self.assertAlmostEqual(columns["lift.q"][-1], 0.8, 9)
        q, _, _ = self.expected(0.8, 0, 0)
        self.assertAlmostEqual(columns["hinge.q"][-1], q, 9)
        cx, cy = 1.5, 0.6
        x = cx * math.cos(q) - cy * math.sin(q)
        arm = self.A * self.b * math.sin(q - self.f) / 0.8
        self.assertAlmostEqual(columns["lift_stroke.force"][-1], 900 * 9.81 * x / arm, 5)

    def test_equilibrium_of_a_spring_along_it(self):
        text = self.MODEL.read_text(encoding="utf-8")
        text = text[:text.index("drivers:")] + "springs: {air: {joint: lift, stiffness: 60 kN/m, free_length: 1.3 m}}\nassembly: {body.angle: 20 deg}\noutputs: [lift.q, air.force]\n"
        done = call("equilibrium", self.write(text), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        l = next(output["value"] for output in json.loads(done.stdout)["solutions"][0]["outputs"] if output["name"] == "lift.q")
        q, _, _ = self.expected(l, 0, 0)
        x = 1.5 * math.cos(q) - 0.6 * math.sin(q)
        arm = self.A * self.b * math.sin(q - self.f) / l
        self.assertAlmostEqual(60e3 * (1.3 - l) * arm, 900 * 9.81 * x, 4)


class Stewart(Runs):
    MODEL = PAIRS / "stewart-of-actuators.yaml"

    def test_mobility(self):
        data = info(self.MODEL)
        self.assertEqual(data["mobility"], {"gruebler": 6, "rank": 6})
        self.assertEqual(data["loops"], 0)

    def test_places_of_the_platform_are_as_far_as_the_legs_are_long(self):
        outputs = ",".join([f"platform.{p}.{c}" for p in "abcdef" for c in "xyz"] + [f"leg_{p}.q" for p in "abcdef"])
        feet = {p: (math.cos(math.radians(f)), math.sin(math.radians(f)), 0) for p, f in zip("abcdef", (10, -10, 130, 110, 250, 230))}
        eye = math.hypot(0.6 * math.cos(math.radians(50)) - math.cos(math.radians(10)), 0.6 * math.sin(math.radians(50)) - math.sin(math.radians(10)))
        factors = dict(zip("abcdef", (1, 1, 0.8, 1, 1, -0.5)))
        for words in [("--method", "global"), ("--method", "groups")] + [("--coordinates", c) for c in COORDINATES]:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "3", "--step", "0.1", "--outputs", outputs, *words)
            for k, t in enumerate(columns["t"]):
                for p, foot in feet.items():
                    wanted = math.hypot(eye, 1.2) + 0.05 * factors[p] * math.sin(2 * t)
                    place = [columns[f"platform.{p}.{c}"][k] for c in "xyz"]
                    self.assertAlmostEqual(math.dist(place, foot), wanted, 10, words)
                    self.assertAlmostEqual(columns[f"leg_{p}.q"][k], wanted, 10, words)

    def test_twin_with_bodies_in_its_legs_moves_alike(self):
        same = self.MODEL.read_text(encoding="utf-8").replace("0.8*heave", "heave").replace("- 0.5*heave", "+ heave")
        words = ("--until", "3", "--step", "0.1", "--outputs", "platform.C.x,platform.C.z,platform.e0")
        lean = self.run_machine("kinematics", self.write(same), *words)
        full = self.run_machine("kinematics", MODELS / "parts" / "stewart-platform.yaml", *words)
        for name in ("platform.C.x", "platform.C.z", "platform.e0"):
            for a, b in zip(lean[name], full[name]):
                self.assertAlmostEqual(a, b, 10, name)

    def test_work_of_the_legs_is_the_energy_of_the_platform(self):
        outputs = ",".join([f"{p}.effort,leg_{p}.v" for p in "abcdef"] + ["platform.C.vx,platform.C.vy,platform.C.vz,platform.C.ax,platform.C.ay,platform.C.az", "platform.wx,platform.wy,platform.wz,platform.alphax,platform.alphay,platform.alphaz,platform.e0,platform.e1,platform.e2,platform.e3"])
        columns = self.run_machine("inverse", self.MODEL, "--until", "3", "--step", "0.3", "--outputs", outputs)
        m, transverse, axial = 80, 80 * 0.36 / 4, 80 * 0.36 / 2
        for k in range(1, len(columns["t"])):
            at = lambda name: columns[name][k]
            e = [at(f"platform.e{i}") for i in range(4)]
            n = (2 * (e[1] * e[3] + e[0] * e[2]), 2 * (e[2] * e[3] - e[0] * e[1]), 1 - 2 * (e[1]**2 + e[2]**2))  # the axis of the disc
            w, alpha = [[at(f"platform.{a}{c}") for c in "xyz"] for a in ("w", "alpha")]
            wn, an = sum(x * y for x, y in zip(w, n)), sum(x * y for x, y in zip(alpha, n))
            power = sum(transverse * x * y for x, y in zip(w, alpha)) + (axial - transverse) * wn * an
            power += m * (sum(at(f"platform.C.v{c}") * at(f"platform.C.a{c}") for c in "xyz") + 9.81 * at("platform.C.vz"))
            given = sum(at(f"{p}.effort") * at(f"leg_{p}.v") for p in "abcdef")
            self.assertAlmostEqual(given, power, 8)


class PointMasses(Runs):
    PLANE = """mechanism: a mass between two springs
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [-1, 0], B: [1, 0]}}
bodies:
  m: {mass: 2 kg, point_mass: P, points: {P: [0, 0]}}
joints: {f: {translation: [ground.A, m.P]}}
springs:
  a: {between: [ground.A, m.P], stiffness: 100 N/m, free_length: 0.5 m}
  b: {between: [ground.B, m.P], stiffness: 100 N/m, free_length: 0.5 m}
assembly: {m.P.x: 0.3, m.P.y: -0.4, m.P.vx: 0.5}
outputs: [m.P.x, m.P.y, m.angle]
"""
    PLANET = """mechanism: a planet
ground: {points: {O: [0, 0, 0]}}
bodies:
  planet: {mass: 3 kg, point_mass: P, points: {P: [0, 0, 0]}}
joints: {f: {translation: [ground.O, planet.P]}}
springs: {sun: {between: [ground.O, planet.P], force: = 3*4/sun.length^2}}
assembly: {planet.P.x: 1, planet.P.vy: 2, planet.P.vz: 1}
outputs: [planet.P.x, planet.P.y, planet.P.z]
"""

    def test_mobility(self):
        self.assertEqual(info(self.write(self.PLANE))["mobility"], {"gruebler": 2, "rank": 2})
        self.assertEqual(info(self.write(self.PLANET))["mobility"], {"gruebler": 3, "rank": 3})

    def test_mass_between_springs(self):
        """An integration of its own: Runge-Kutta, small steps."""
        def rates(s):
            x, y, u, v = s
            fx, fy = 0.0, -2 * 9.81
            for ax in (-1.0, 1.0):
                l = math.hypot(x - ax, y)
                fx -= 100 * (l - 0.5) * (x - ax) / l
                fy -= 100 * (l - 0.5) * y / l
            return (u, v, fx / 2, fy / 2)
        def step(s, h):
            add = lambda a, k, f: tuple(p + f * q for p, q in zip(a, k))
            k1 = rates(s); k2 = rates(add(s, k1, h / 2)); k3 = rates(add(s, k2, h / 2)); k4 = rates(add(s, k3, h))
            return tuple(p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(s, k1, k2, k3, k4))
        s = (0.3, -0.4, 0.5, 0.0)
        for _ in range(20000):
            s = step(s, 1e-4)
        for formulation in FORMULATIONS:
            columns = self.run_machine("simulate", self.write(self.PLANE), "--until", "2", "--every", "2", "--formulation", formulation, "--rtol", "1e-11", "--atol", "1e-12")
            self.assertAlmostEqual(columns["m.P.x"][-1], s[0], 8, formulation)
            self.assertAlmostEqual(columns["m.P.y"][-1], s[1], 8)
            self.assertAlmostEqual(columns["m.angle"][-1], 0.0, 12)

    def test_orbit_closes(self):
        """Kepler: v^2/2 - mu/r = -mu/(2 a), the period 2 pi sqrt(a^3/mu). Here v^2 = 5, mu = 4, r = 1: a = 4/3."""
        period = 2 * math.pi * math.sqrt((4 / 3)**3 / 4)
        for formulation in FORMULATIONS:
            columns = self.run_machine("simulate", self.write(self.PLANET), "--until", repr(period), "--every", repr(period), "--formulation", formulation, "--rtol", "1e-12",
                                       "--atol", "1e-13")
            for name, wanted in (("planet.P.x", 1), ("planet.P.y", 0), ("planet.P.z", 0)):
                self.assertAlmostEqual(columns[name][-1], wanted, 8, formulation)

    def test_pendulum_on_a_rod(self):
        """The same pendulum as one body on a hinge."""
        on_rod = self.write("""mechanism: bob on a rod
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bob: {mass: 1 kg, point_mass: [0, 0], points: {P: [0, 0]}}}
joints:
  still: {translation: [ground.O, bob.P]}
  rod: {rod: [ground.O, bob.P], length: 1 m}
assembly: {bob.P.x: -1 m, bob.P.y: 0}
outputs: [bob.P.x, bob.P.y]
""")
        columns = self.run_machine("simulate", on_rod, "--until", "5", "--every", "1", "--rtol", "1e-11", "--atol", "1e-12")
        for k, x, y in ((1, 0.98629175113187532, -0.16501085312554117), (5, -0.94230543504375734, -0.33475433841400058)):  # benchmark A01
            self.assertAlmostEqual(columns["bob.P.x"][k], x, 7)
            self.assertAlmostEqual(columns["bob.P.y"][k], y, 7)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
