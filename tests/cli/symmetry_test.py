"""The same machine in other units, at another place, turned: the same motion to 1e-6, by every formulation, with default options."""

import csv
import math
import sys
import unittest

from program import InFolder, call

FORMULATIONS = ("groups", "null-space", "multipliers", "semi-recursive", "clusters", "augmented-lagrangian")
SAME = 1e-6


def four_bar(length=1.0, mass=1.0, time=1.0, turn=0.0, place=(0.0, 0.0)):
    """A four-bar with a spring and a damper that is let go, in units of these sizes."""
    c, s = math.cos(turn), math.sin(turn)

    def point(x, y):
        return f"[{place[0] + length * (c * x - s * y)!r}, {place[1] + length * (s * x + c * y)!r}]"

    g = 9.81 * length / time**2
    return f"""
mechanism: four-bar
plane: xy
gravity: [{g * s!r}, {-g * c!r}]
ground: {{points: {{A: {point(0, 0)}, B: {point(0.8, 0)}, S: {point(0.3, 0.9)}}}}}
bodies:
  crank: {{mass: {11.1 * mass!r}, inertia: {0.1 * mass * length**2!r}, center_of_mass: [0, 0], points: {{A: [0, 0], P1: [{0.12 * length!r}, 0]}}}}
  coupler: {{mass: {0.4 * mass!r}, shape: {{bar: [P1, P2]}}, points: {{P1: [0, 0], P2: [{0.54 * length!r}, 0]}}}}
  rocker: {{mass: {1.23 * mass!r}, shape: {{bar: [B, P2]}}, points: {{B: [0, 0], P2: [{0.455 * length!r}, 0]}}}}
joints:
  A: {{revolute: [ground.A, crank.A]}}
  P1: {{revolute: [crank.P1, coupler.P1]}}
  P2: {{revolute: [coupler.P2, rocker.P2]}}
  B: {{revolute: [ground.B, rocker.B]}}
springs:
  s: {{between: [ground.S, coupler.P2], stiffness: {20 * mass / time**2!r}, free_length: {0.3 * length!r}, damping: {0.05 * mass / time!r}}}
assembly: {{crank.angle: {1.5 + turn!r}, coupler.angle: {0.4 + turn!r}, rocker.angle: {2.3 + turn!r}, A.v: {2.0 / time!r}}}
outputs: [A.q]
"""


def double_pendulum(length=1.0, mass=1.0, time=1.0, turn=0.0, place=(0.0, 0.0)):
    """An open chain that is let go."""
    c, s = math.cos(turn), math.sin(turn)
    g = 9.81 * length / time**2
    return f"""
mechanism: double pendulum
plane: xy
gravity: [{g * s!r}, {-g * c!r}]
ground: {{points: {{A: [{place[0]!r}, {place[1]!r}]}}}}
bodies:
  upper: {{mass: {2 * mass!r}, shape: {{bar: [A, B]}}, points: {{A: [0, 0], B: [{length!r}, 0]}}}}
  lower: {{mass: {mass!r}, shape: {{bar: [B, C]}}, points: {{B: [0, 0], C: [{0.7 * length!r}, 0]}}}}
joints:
  A: {{revolute: [ground.A, upper.A]}}
  B: {{revolute: [upper.B, lower.B]}}
assembly: {{upper.angle: {-0.9 + turn!r}, lower.angle: {-1.9 + turn!r}}}
outputs: [A.q]
"""


class Symmetry(InFolder):
    def swing(self, machine, formulation, **units):
        """How far A has turned at seven instants."""
        time = units.get("time", 1.0)
        model = self.write(machine(**units))
        done = call("simulate", model, "--until", 3 * time, "--every", 0.5 * time, "--formulation", formulation, "--out", self.out)
        self.assertEqual(done.returncode, 0, f"{formulation}, {units}: {done.stderr}")
        with open(self.out, newline="", encoding="utf-8") as file:
            angles = [float(row[1]) for row in list(csv.reader(file))[2:]]
        self.assertEqual(len(angles), 7)
        return [angle - angles[0] for angle in angles]

    def check(self, cases, formulations=FORMULATIONS):
        for machine in (four_bar, double_pendulum):
            for formulation in formulations:
                known = self.swing(machine, formulation)
                self.assertGreater(max(map(abs, known)), 0.5)
                for units in cases:
                    with self.subTest(machine=machine.__name__, formulation=formulation, **units):
                        found = self.swing(machine, formulation, **units)
                        self.assertLess(max(abs(a - b) for a, b in zip(known, found)), SAME)

    def test_lengths(self):
        self.check([{"length": 10.0**k} for k in (-9, -6, -3, -1, 1, 3, 6, 9)])

    def test_masses(self):
        self.check([{"mass": 10.0**k} for k in (-30, -15, -6, 6, 15, 30)])

    def test_times(self):
        self.check([{"time": 10.0**k} for k in (-5, -3, -1, 1, 3, 6)])

    def test_all_at_once(self):
        self.check([{"length": 1e-6, "mass": 1e-12, "time": 1e-3, "turn": 2.0}, {"length": 1e4, "mass": 1e9, "time": 1e2, "turn": -1.0}])

    def test_turned(self):
        self.check([{"turn": angle} for angle in (0.7, 1.5707963267948966, 3.0, -2.2)])

    def test_elsewhere(self):
        self.check([{"place": place} for place in ((100.0, -200.0), (1e5, 1e5), (-4.5e6, 0.0), (1e7, -1e7))])

    def test_small_ones_elsewhere(self):
        self.check([{"length": 1e-3, "place": (1e4, -1e4)}, {"length": 1e3, "place": (1e7, 1e9), "turn": 1.0}])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
