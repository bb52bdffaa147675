"""Points on curves in space: mobility, groups, motions, forces and energy, against closed forms and a spline that is written out here."""

import json
import math
import re
import sys
import unittest

from pairs_test import FORMULATIONS, METHODS, Machine
from program import MODELS, call

G = 9.81


def listed(points):
    return ", ".join(f"[{x:.12f}, {y:.12f}, {z:.12f}]" for x, y, z in points)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Spline:
    """The closed cubic spline through points, by the length of its chords: p, p', p'' at any place. Second derivatives M by elimination."""

    def __init__(self, points):
        n = len(points)
        self.points = points
        self.h = [math.dist(points[i], points[(i + 1) % n]) for i in range(n)]
        rows = []
        for i in range(n):
            before, after = self.h[i - 1], self.h[i]
            row = [0.0] * n
            row[i - 1] += before
            row[i] += 2 * (before + after)
            row[(i + 1) % n] += after
            rows.append(row + [6 * ((points[(i + 1) % n][k] - points[i][k]) / after - (points[i][k] - points[i - 1][k]) / before)
                               for k in range(3)])
        for i in range(n):  # the diagonal dominates
            for j in range(n):
                if j != i and rows[j][i] != 0.0:
                    factor = rows[j][i] / rows[i][i]
                    rows[j] = [x - factor * y for x, y in zip(rows[j], rows[i])]
        self.M = [[rows[i][n + k] / rows[i][i] for k in range(3)] for i in range(n)]

    def at(self, u):
        u %= sum(self.h)
        i = 0
        while u > self.h[i]:
            u -= self.h[i]
            i += 1
        n, h = len(self.points), self.h[i]
        a, b = (h - u) / h, u / h
        out = ([], [], [])
        for k in range(3):
            p, q, m, r = self.points[i][k], self.points[(i + 1) % n][k], self.M[i][k], self.M[(i + 1) % n][k]
            out[0].append(a * p + b * q + ((a**3 - a) * m + (b**3 - b) * r) * h * h / 6)
            out[1].append((q - p) / h + ((1 - 3 * a * a) * m + (3 * b * b - 1) * r) * h / 6)
            out[2].append(a * m + b * r)
        return out


class Helix(Machine):
    """As steep everywhere: a constant acceleration down the wire."""
    MODEL = "bead-on-helix.yaml"
    r, b = 0.1, 0.2 / (2 * math.pi)

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1V1X"])

    def test_bead_falls_by_the_square_of_time(self):
        """The points are 15 deg apart: the spline is off the helix by 1e-6 m, its slope by 1e-4 to and fro, its curvature by 0.3 %."""
        square = self.b**2 / (self.r**2 + self.b**2)  # sin² of the slope
        for formulation in FORMULATIONS:
            columns = self.run_machine("simulate", self.MODEL, "--until", "0.7", "--every", "0.02", "--formulation", formulation, "--rtol", "1e-12",
                                       "--atol", "1e-13")
            z0 = columns["bead.C.z"][0]
            self.assertAlmostEqual(z0, 1 / 3, 8)
            self.expect_close(columns, "bead.C.z", [z0 - G * square * t**2 / 2 for t in columns["t"]], 1e-5)
            self.expect_close(columns, "bead.C.x", [self.r * math.cos(z / self.b) for z in columns["bead.C.z"]], 1e-5)
            self.expect_close(columns, "bead.C.y", [self.r * math.sin(z / self.b) for z in columns["bead.C.z"]], 1e-5)
            for k in range(len(columns["t"])):  # energy, whatever the form of the wire
                v = [columns[f"bead.C.{name}"][k] for name in ("vx", "vy", "vz")]
                self.assertAlmostEqual(dot(v, v) / 2 + G * (columns["bead.C.z"][k] - z0), 0.0, 8)
                force = [columns[f"touch.{name}"][k] for name in ("fx", "fy", "fz")]
                self.assertAlmostEqual(dot(force, v), 0.0, 9)  # across the wire
                # weight across the wire, and what bends the way: v² r/(r² + b²)
                across = 0.05 * math.hypot(G * math.sqrt(1 - square), dot(v, v) * self.r / (self.r**2 + self.b**2))
                self.assertAlmostEqual(math.hypot(*force), across, delta=0.01 * across)

    def test_bead_can_be_driven(self):
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        text = text.replace("inputs: [bead.C.z]", 'drivers: {d: {joint: touch, position: "= 0.6 + 0.2*sin(2*t)"}}')
        text = re.sub(r"assembly: .*\n", "assembly: {bead.position: [0.085, -0.052, 0.182]}\n", text)
        path = self.write(text.replace("outputs: [", "outputs: [d.effort, bead.C.ax, bead.C.ay, bead.C.az, "))
        for method in METHODS:
            columns = self.run_machine("kinematics", path, "--until", "3", "--step", "0.05", "--method", method, "--outputs", "touch.q,touch.v,touch.a")
            self.expect_close(columns, "touch.q", [0.6 + 0.2 * math.sin(2 * t) for t in columns["t"]], 1e-10)
            self.expect_close(columns, "touch.v", [0.4 * math.cos(2 * t) for t in columns["t"]], 1e-9)
            self.expect_close(columns, "touch.a", [-0.8 * math.sin(2 * t) for t in columns["t"]], 1e-8)
        columns = self.run_machine("inverse", path, "--until", "3", "--step", "0.05")
        for k in range(len(columns["t"])):  # the driver does the work of the motion
            power = 0.05 * sum(columns[f"bead.C.v{c}"][k] * (columns[f"bead.C.a{c}"][k] + (G if c == "z" else 0.0)) for c in "xyz")
            self.assertAlmostEqual(columns["d.effort"][k] * columns["touch.v"][k], power, 9)

    def test_spring_and_stop_along_the_wire(self):
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        path = self.write(text.replace("inputs:", "springs: {s: {joint: touch, stiffness: 3 N/m, free_length: 0.9}}\n"
                                       "stops: {end: {joint: touch, lower: 0.8, stiffness: 100 N/m}}\ninputs:"))
        reached = {}
        for formulation in FORMULATIONS:
            done = call("simulate", path, "--until", "0.6", "--every", "0.6", "--formulation", formulation, "--outputs", "touch.q", "--rtol", "1e-13",
                        "--atol", "1e-14", "--out", self.out, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(json.loads(done.stdout)["energy"]["drift"], 1e-9, formulation)
            reached[formulation] = self.columns()[1]["touch.q"][-1]
        for formulation, value in reached.items():
            self.assertLessEqual(abs(value - reached["multipliers"]), 1e-9, formulation)


class InclinedCircle(Machine):
    def test_bead_swings_as_a_pendulum(self):
        """On a circle of radius R in a plane of slope b, R x'' = −g sin b sin x: the period is 4 sqrt(R/(g sin b)) K(sin(x0/2))."""
        R, slope, x0, count = 0.3, math.radians(40), math.radians(50), 72
        points = [(R * math.cos(a), R * math.sin(a) * math.cos(slope), R * math.sin(a) * math.sin(slope))
                  for a in (2 * math.pi * k / count for k in range(count))]
        start = [R * math.sin(x0), -R * math.cos(x0) * math.cos(slope), -R * math.cos(x0) * math.sin(slope)]
        path = self.write(f"""mechanism: bead on an inclined circle
gravity: [0, 0, -9.81]
ground: {{points: {{O: [0, 0, 0]}}, curves: {{ring: {{closed: true, points: [{listed(points)}]}}}}}}
bodies: {{bead: {{mass: 0.2 kg, shape: {{sphere: 8 mm}}, points: {{C: [0, 0, 0]}}}}}}
joints:
  hold:  {{translation: [ground.O, bead.C]}}
  touch: {{point_on_curve: [ground.ring, bead.C]}}
inputs: [bead.C.x]
assembly: {{bead.position: [{", ".join(map(str, start))}]}}
outputs: [bead.C.x, bead.C.vx]
""")
        a, b = 1.0, math.cos(x0 / 2)  # K by the arithmetic-geometric mean
        for _ in range(8):
            a, b = (a + b) / 2, math.sqrt(a * b)
        period = 4 * math.sqrt(R / (G * math.sin(slope))) * math.pi / (2 * a)
        for formulation in FORMULATIONS:
            columns = self.run_machine("simulate", path, "--until", repr(period), "--every", repr(period / 4), "--formulation", formulation, "--rtol",
                                       "1e-11", "--atol", "1e-12")
            x = R * math.sin(x0)
            for value, wanted in zip(columns["bead.C.x"], (x, 0.0, -x, 0.0, x)):
                self.assertAlmostEqual(value, wanted, delta=3e-6)  # 72 points: the period to 1e-6
            top = math.sqrt(2 * G * math.sin(slope) * R * (1 - math.cos(x0)))
            self.assertAlmostEqual(columns["bead.C.vx"][1], -top, delta=1e-5)


class Coaster(Machine):
    """A closed line up, down and round; the bead turns as it will. ½ |C'|² u'² + g z is constant:  C'·C' u'' + C'·C'' u'² + g C_z' = 0."""
    POINTS = [(0.5 * math.cos(a), 0.35 * math.sin(a) + 0.05 * math.sin(2 * a), 0.12 * math.cos(2 * a) + 0.05 * math.sin(3 * a))
              for a in (2 * math.pi * k / 24 for k in range(24))]

    def coaster(self):
        return self.write(f"""mechanism: coaster
gravity: [0, 0, -9.81]
ground: {{points: {{O: [0, 0, 0]}}, curves: {{track: {{closed: true, points: [{listed(self.POINTS)}]}}}}}}
bodies: {{bead: {{mass: 0.05 kg, shape: {{sphere: 8 mm}}, points: {{C: [0, 0, 0]}}}}}}
joints:
  touch: {{point_on_curve: [ground.track, bead.C]}}
assembly: {{touch.q: 0.2, touch.v: 2.5 m/s}}
outputs: [touch.q, touch.v, bead.C.x, bead.C.y, bead.C.z, bead.C.vx, bead.C.vy, bead.C.vz]
""")

    def test_mobility(self):
        path = self.coaster()
        done = call("info", path, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["mobility"], {"gruebler": 4, "rank": 4})

    def test_moves_as_the_equation_of_one_coordinate_says(self):
        track = Spline([tuple(float(f"{x:.12f}") for x in point) for point in self.POINTS])

        def acceleration(u, v):
            _, first, second = track.at(u)
            return -(dot(first, second) * v * v + G * first[2]) / dot(first, first)

        # C''' jumps at the points: steps of 1e-4 s are good to 5e-8 m
        step, u, v, path_of_test = 1e-4, 0.2, 2.5, {0: (0.2, 2.5)}
        for k in range(1, 10001):
            k1, l1 = v, acceleration(u, v)
            k2, l2 = v + step / 2 * l1, acceleration(u + step / 2 * k1, v + step / 2 * l1)
            k3, l3 = v + step / 2 * l2, acceleration(u + step / 2 * k2, v + step / 2 * l2)
            k4, l4 = v + step * l3, acceleration(u + step * k3, v + step * l3)
            u, v = u + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + step / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
            if k % 500 == 0:
                path_of_test[k // 500] = (u, v)
        length = sum(track.h)
        self.assertGreater(u, length)  # once round
        for formulation in ("null-space", "multipliers", "semi-recursive", "augmented-lagrangian"):
            columns = self.run_machine("simulate", self.coaster(), "--until", "1", "--every", "0.05", "--formulation", formulation, "--rtol", "1e-12",
                                       "--atol", "1e-12")
            for k, (place, rate) in path_of_test.items():
                self.assertAlmostEqual(math.remainder(columns["touch.q"][k] - place, length), 0.0, delta=1e-6)
                self.assertAlmostEqual(columns["touch.v"][k], rate, delta=5e-6)
                position = [columns[f"bead.C.{c}"][k] for c in "xyz"]
                self.assertLessEqual(math.dist(position, track.at(columns["touch.q"][k])[0]), 1e-10)


class BarrelCam(Machine):
    MODEL = "barrel-cam.yaml"
    A, m = 0.02, 0.25

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1V1Y"])

    def test_sleeve_follows_the_groove(self):
        """36 points: the groove is right to 2e-6 of its size."""
        w = 3 * math.pi
        for method in METHODS:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "1", "--step", "0.01", "--method", method)
            self.expect_close(columns, "O.q", [math.radians(25) + w * t for t in columns["t"]], 1e-9)
            self.expect_close(columns, "shaft.q2", [self.A * math.cos(q) for q in columns["O.q"]], 5e-7)
            self.expect_close(columns, "shaft.v2", [-self.A * w * math.sin(q) for q in columns["O.q"]], 5e-5)
            self.expect_close(columns, "shaft.a2", [-self.A * w**2 * math.cos(q) for q in columns["O.q"]], 2e-2)
            self.expect_close(columns, "shaft.q1", [0.0 for _ in columns["t"]], 1e-5)

    def test_forces_and_work(self):
        """Along the shaft the groove carries m (g + a); the motor does the work of the sleeve, drum and inertia of the sleeve turning hardly at all."""
        columns = self.run_machine("inverse", self.MODEL, "--until", "1", "--step", "0.01")
        for k in range(len(columns["t"])):
            force = self.m * (G + columns["shaft.a2"][k])
            self.assertAlmostEqual(columns["groove.fz"][k], force, 9)
            self.assertAlmostEqual(columns["motor.effort"][k] * 3 * math.pi, force * columns["shaft.v2"][k], delta=1e-4)


class Released(Machine):
    def test_formulations_agree_and_keep_energy(self):
        """As in the plane, with tolerances for accelerations whose rates jump."""
        for model, watched, words in (("bead-on-helix.yaml", "touch.q", []), ("barrel-cam.yaml", "O.q", ["--release", "all"])):
            reached = {}
            for formulation in FORMULATIONS:
                done = call("simulate", MODELS / "pairs" / model, *words, "--until", "0.3", "--every", "0.3", "--formulation", formulation, "--outputs",
                            watched, "--rtol", "1e-13", "--atol", "1e-13", "--out", self.out, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertLess(json.loads(done.stdout)["energy"]["drift"], 1e-9, f"{model} {formulation}")
                reached[formulation] = self.columns()[1][watched][-1]
            for formulation, value in reached.items():
                self.assertLessEqual(abs(value - reached["multipliers"]), 1e-9 * max(1.0, abs(value)), f"{model} {formulation}")


class Written(Machine):
    def test_flattened_file_is_the_same_mechanism(self):
        for model in ("bead-on-helix.yaml", "barrel-cam.yaml"):
            flat = self.folder / "flat.yaml"
            done = call("flatten", MODELS / "pairs" / model, "--out", flat)
            self.assertEqual(done.returncode, 0, done.stderr)
            again = self.folder / "again.yaml"
            done = call("flatten", flat, "--out", again)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(flat.read_text(encoding="utf-8"), again.read_text(encoding="utf-8"))
            self.assertIn("point_on_curve: [", flat.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
