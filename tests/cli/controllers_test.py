"""Actuators: PD laws on references, with limits and lags, against an integration written out here alone, a linear oscillator in closed form, and mirror images."""

import math
import sys
import unittest

from program import InFolder, MODELS, call, info

FORMULATIONS = ("groups", "null-space", "multipliers", "semi-recursive", "clusters", "augmented-lagrangian")

SLIDE = """mechanism: a controlled slide
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {table: {mass: 5 kg, shape: {box: [0.2, 0.1]}, points: {P: [0, 0]}}}
joints: {A: {prismatic: [ground.O, table.P], axis: x}}
actuators: {drive: {joint: A, %s}}
outputs: [A.q, A.v]
"""


class Controllers(InFolder):
    def rows(self, path, *words):
        done = call("simulate", path, "--out", self.out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.columns()[1]

    def test_slide_is_an_oscillator(self):
        """m q" = P (r - q) - D q' with a constant r: q = r (1 - e^(-at) (cos wt + a/w sin wt))."""
        path = self.write(SLIDE % "reference: 0.2 m, proportional: 500 N/m, derivative: 20 N*s/m")
        a, w = 20 / 10, math.sqrt(100 - 4)
        columns = self.rows(path, "--until", "2", "--every", "0.1", "--rtol", "1e-11", "--atol", "1e-12")
        for t, q in zip(columns["t"], columns["A.q"]):
            self.assertAlmostEqual(q, 0.2 * (1 - math.exp(-a * t) * (math.cos(w * t) + a / w * math.sin(w * t))), 9)

    def test_derivative_of_the_reference_counts(self):
        """What starts on its reference with its speed and has only inertia to carry stays behind by m r"/P at most: of r = v t not at all."""
        path = self.write((SLIDE % "reference: = 0.3 m/s*t, proportional: 500 N/m, derivative: 20 N*s/m").replace("outputs:", "assembly: {A: 0, A.v: 0.3}\noutputs:"))
        columns = self.rows(path, "--until", "2", "--every", "0.5")
        for t, q in zip(columns["t"], columns["A.q"]):
            self.assertAlmostEqual(q, 0.3 * t, 9)

    def test_limit_is_a_constant_force(self):
        path = self.write(SLIDE % "reference: 10 m, proportional: 500 N/m, limit: 8 N")
        columns = self.rows(path, "--until", "2", "--every", "0.5")
        for t, q in zip(columns["t"], columns["A.q"]):
            self.assertAlmostEqual(q, 0.5 * 8 / 5 * t**2, 9)

    def test_actuator_tells_its_effort(self):
        """P (r - q) - D v between -limit and limit, and with a lag the state: outputs, of forces and torques too."""
        drive = "reference: 0.2 m, proportional: 500 N/m, derivative: 20 N*s/m, limit: 60 N"
        forces = "forces: {wind: {point: table.P, force: [= -3*table.P.vx, 2]}, twist: {body: table, torque: = 0.5*t}}\noutputs: [A.q, A.v, drive.effort, wind.fx, wind.fy, twist.mz]"
        columns = self.rows(self.write((SLIDE % drive).replace("outputs: [A.q, A.v]", forces)), "--until", "1", "--every", "0.05")
        for k, t in enumerate(columns["t"]):
            q, v = columns["A.q"][k], columns["A.v"][k]
            self.assertAlmostEqual(columns["drive.effort"][k], max(-60, min(60, 500 * (0.2 - q) - 20 * v)), 9)
            self.assertAlmostEqual(columns["wind.fx"][k], -3 * v, 9)
            self.assertEqual(columns["wind.fy"][k], 2)
            self.assertAlmostEqual(columns["twist.mz"][k], 0.5 * t, 12)
        self.assertGreater(max(columns["drive.effort"]), 59.9)
        lagged = self.write((SLIDE % (drive + ", lag: 20 ms")).replace("outputs: [A.q, A.v]", "outputs: [drive.effort, drive_lag.value]"))
        columns = self.rows(lagged, "--until", "1", "--every", "0.05")
        self.assertEqual(columns["drive.effort"], columns["drive_lag.value"])

    def test_robot_against_its_own_equations(self):
        l1, m1, m2, l2, g = 0.5, 3.0, 2.0, 0.4, 9.81
        I1, I2 = m1 * l1**2 / 12, m2 * l2**2 / 12
        d = math.radians

        def rates(t, s):
            q1, q2, v1, v2, e2 = s
            c, n = math.cos(q2), math.sin(q2)
            A = I1 + m1 * l1**2 / 4 + m2 * l1**2 + I2 + m2 * l2**2 / 4 + m2 * l1 * l2 * c
            B = I2 + m2 * l2**2 / 4 + m2 * l1 * l2 * c / 2
            C = I2 + m2 * l2**2 / 4
            h = m2 * l1 * l2 * n / 2
            g2 = m2 * g * l2 / 2 * math.cos(q1 + q2)
            g1 = (m1 / 2 + m2) * g * l1 * math.cos(q1) + g2
            u1 = 400 * (d(30) + d(20) * math.sin(2 * t) - q1) + 40 * (d(40) * math.cos(2 * t) - v1)
            u2 = 150 * (d(-40) + d(30) * math.sin(3 * t) - q2) + 12 * (d(90) * math.cos(3 * t) - v2)
            u1, u2 = max(-60, min(60, u1)), max(-25, min(25, u2))
            r1 = u1 - g1 + h * (2 * v1 * v2 + v2**2)
            r2 = e2 - g2 - h * v1**2
            # (A  B) (a1)   (r1)     of the angles q1 and q2, the second against the first
            # (B  C) (a2) = (r2)
            det = A * C - B * B
            return (v1, v2, (C * r1 - B * r2) / det, (A * r2 - B * r1) / det, (u2 - e2) / 0.01)

        h, s, expected = 2e-4, (0.0,) * 5, {}
        add = lambda a, k, f: tuple(p + f * q for p, q in zip(a, k))
        for step in range(7500):
            if step % 2500 == 0:
                expected[step // 2500] = s
            t = step * h
            k1 = rates(t, s)
            k2 = rates(t + h / 2, add(s, k1, h / 2))
            k3 = rates(t + h / 2, add(s, k2, h / 2))
            k4 = rates(t + h, add(s, k3, h))
            s = tuple(p + h / 6 * (a + 2 * b + 2 * c + e) for p, a, b, c, e in zip(s, k1, k2, k3, k4))
        expected[3] = s
        for formulation in FORMULATIONS:
            columns = self.rows(MODELS / "two-link-robot.yaml", "--until", "1.5", "--every", "0.5", "--rtol", "1e-10", "--atol", "1e-11", "--formulation", formulation)
            for k, state in expected.items():
                for name, value, places in zip(("shoulder.q", "elbow.q", "shoulder.v", "elbow.v", "elbow_drive_lag.value"), state, (6, 6, 5, 5, 4)):
                    self.assertAlmostEqual(columns[name][k], value, places, (formulation, name, k))  # kinks of the limits: fourth order is lost there

    def test_mirrored_part_does_the_same(self):
        part = """part: arm
plane: xy
mounts: {base: {points: {O: [0, 1]}}}
bodies: {arm: {mass: 2 kg, shape: {bar: [O, P]}, points: {O: [0, 1], P: [1, 1]}}}
joints: {A: {revolute: [base.O, arm.O]}}
actuators: {drive: {joint: A, reference: = 0.4*sin(2*t), proportional: 30, derivative: 2, limit: 5, lag: 0.02}}
exports: [arm, A]
"""
        (self.folder / "arm.yaml").write_text(part, encoding="utf-8")
        path = self.write("mechanism: two arms\nplane: xy\nground: {points: {O: [0, 0]}}\nparts: {arm: arm.yaml}\n"
                          "instances: {two: {part: arm, mounts: {base: ground}, copies: {left: {}, right: {mirror: y}}}}\noutputs: [two.left.A.q, two.right.A.q]\n")
        columns = self.rows(path, "--until", "2", "--every", "0.2")
        self.assertGreater(max(map(abs, columns["two.left.A.q"])), 0.1)
        for left, right in zip(columns["two.left.A.q"], columns["two.right.A.q"]):
            self.assertAlmostEqual(left, right, 12)

    def test_flattened_robot_moves_alike(self):
        done = call("flatten", MODELS / "two-link-robot.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = ("--until", "0.5", "--every", "0.1")
        first, second = self.rows(MODELS / "two-link-robot.yaml", *words), self.rows(self.write(done.stdout), *words)
        self.assertEqual(first["elbow.q"], second["elbow.q"])

    def test_mobility(self):
        self.assertEqual(info(MODELS / "two-link-robot.yaml")["mobility"], {"gruebler": 2, "rank": 2})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
