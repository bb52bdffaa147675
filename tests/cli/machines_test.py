"""Machines with known answers: what the program says of each, against closed forms written out here alone."""

import math
import sys
import unittest

from program import InFolder, MODELS, call, info


def circles_meet(a, b, from_a, from_b, near):
    """The point at these distances of a and b, on the side of `near`."""
    d = b - a
    along = (abs(d)**2 + from_a**2 - from_b**2) / (2 * abs(d))
    across = math.sqrt(from_a**2 - along**2)
    points = [a + d / abs(d) * complex(along, side * across) for side in (1, -1)]
    return min(points, key=lambda p: abs(p - near))


class Machine(InFolder):
    def run_machine(self, command, model, *words):
        done = call(command, MODELS / model, *words, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.columns()[1]


class Excavator(Machine):
    """Triangles with two fixed sides and a cylinder; then a four-bar to the bucket. Points are complex numbers."""

    MODEL = "parts/excavator.yaml"
    O, A, E, F, S = 0.3 + 1.6j, 0.9 + 1.3j, 2.6 + 3.6j, 2.9 + 4.3j, 5 + 4.4j
    H, J, L, W = 4.8 + 5.1j, 5.4 + 4.2j, 6 + 2.6j, 6.3 + 1.9j
    V, T, N = 6.8 + 1.9j, 5.6 + 0.8j, 6.7 + 2.6j

    def pose(self, lift, crowd, curl):
        """Turns of boom, stick and bucket, and where the tip is, for these strokes."""
        def turned(point, about, now, turn):
            return now + turn * (point - about)
        E = circles_meet(self.O, self.A, abs(self.E - self.O), abs(self.E - self.A) + lift, self.E)
        boom = (E - self.O) / (self.E - self.O)
        S, F = (turned(p, self.O, self.O, boom) for p in (self.S, self.F))
        H = circles_meet(S, F, abs(self.H - self.S), abs(self.H - self.F) + crowd, turned(self.H, self.O, self.O, boom))
        stick = (H - S) / (self.H - self.S)
        J, L, W, near = (turned(p, self.S, S, stick) for p in (self.J, self.L, self.W, self.N))
        N = circles_meet(L, J, abs(self.N - self.L), abs(self.N - self.J) + curl, near)
        V = circles_meet(N, W, abs(self.V - self.N), abs(self.V - self.W), turned(self.V, self.S, S, stick))
        bucket = (V - W) / (self.V - self.W)
        return [math.atan2(turn.imag, turn.real) for turn in (boom, stick, bucket)], turned(self.T, self.W, W, bucket)

    def test_mobility_loops_and_groups(self):
        data = info(MODELS / self.MODEL)
        self.assertEqual(data["mobility"], {"gruebler": 3, "rank": 3})
        self.assertEqual(data["loops"], 4)
        self.assertEqual([group["type"] for group in data["groups"]], ["1P3R", "1P3R", "1P3R", "3R"])

    def test_bucket_is_where_triangles_put_it(self):
        columns = self.run_machine("kinematics", self.MODEL, "--until", "8", "--step", "0.1")
        self.assertEqual(len(columns["t"]), 81)
        for k, t in enumerate(columns["t"]):
            angles, tip = self.pose(0.25 * math.sin(0.8 * t), 0.2 * math.sin(0.5 * t), -0.15 * (1 - math.cos(0.9 * t)))
            for body, angle in zip(("boom", "stick", "bucket"), angles):
                self.assertAlmostEqual(columns[f"{body}.angle"][k], angle, 11)
            self.assertAlmostEqual(columns["bucket.T.x"][k], tip.real, 11)
            self.assertAlmostEqual(columns["bucket.T.y"][k], tip.imag, 11)

    def test_cylinders_carry_the_weight(self):
        """Held still, each force is the derivative of the potential energy by its stroke, here by differences of a pose that this file closes."""
        held = (MODELS / self.MODEL).read_text(encoding="utf-8").replace("parts: {cylinder: cylinder.yaml}", f"parts: {{cylinder: {MODELS}/parts/cylinder.yaml}}")
        for stroke in ("0.25 m*sin(0.8 rad/s*t)", "0.2 m*sin(0.5 rad/s*t)", "-0.15 m*(1 - cos(0.9 rad/s*t))"):
            self.assertIn(stroke, held)
            held = held.replace("= " + stroke, "0 m")
        done = call("inverse", self.write(held), "--until", "0.01", "--step", "0.01", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        step = 1e-5
        for k, name in enumerate(("lifting", "crowding", "curling")):
            sides = [self.potential([sign * step if j == k else 0.0 for j in range(3)]) for sign in (1, -1)]
            self.assertAlmostEqual(columns[f"{name}.effort"][0] / ((sides[0] - sides[1]) / (2 * step)), 1.0, 7)

    def potential(self, strokes):
        """[J] of bars whose mass is halfway between their ends."""
        (boom, stick, bucket), tip = self.pose(*strokes)
        turn = [complex(math.cos(a), math.sin(a)) for a in (boom, stick, bucket)]
        S, F, E = (self.O + turn[0] * (p - self.O) for p in (self.S, self.F, self.E))
        H, J, L, W = (S + turn[1] * (p - self.S) for p in (self.H, self.J, self.L, self.W))
        V = W + turn[2] * (self.V - self.W)
        N = circles_meet(L, J, abs(self.N - self.L), abs(self.N - self.J) + strokes[2], S + turn[1] * (self.N - self.S))
        def cylinder(base, head, drawn):
            u = (head - base) / abs(head - base)
            tube = base + 0.3 * drawn * u  # the middle of its 0.6
            rod = head - 0.25 * drawn * u  # the middle of its 0.5
            return 90 * tube.imag + 60 * rod.imag
        heights = (1500 * (self.O + S).imag / 2 + 800 * (H + W).imag / 2 + 700 * (W + tip).imag / 2 + 60 * (L + N).imag / 2 + 50 * (N + V).imag / 2 +
                   cylinder(self.A, E, abs(self.E - self.A)) + cylinder(F, H, abs(self.H - self.F)) + cylinder(J, N, abs(self.N - self.J)))
        return 9.81 * heights


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
