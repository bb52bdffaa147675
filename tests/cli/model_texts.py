"""Mechanism files that the tests of several commands write."""

from program import MODELS


def testbed(old="", new=""):
    """The text of the testbed's file with something replaced."""
    text = (MODELS / "fourbar-testbed.yaml").read_text(encoding="utf-8")
    if old not in text:
        raise AssertionError(f"the testbed has no '{old}'")
    return text.replace(old, new)


MOTOR = "motor: {joint: A, speed: 1.8190 rad/s}"
SPATIAL_FOUR_BAR = """
mechanism: planar four-bar in space
ground: {points: {A: [0, 0, 0], B: [0.8, 0, 0]}}
bodies:
  crank:   {mass: 1, shape: {bar: [A, P1]},  points: {A: [0, 0, 0], P1: [0.12, 0, 0]}}
  coupler: {mass: 1, shape: {bar: [P1, P2]}, points: {P1: [0, 0, 0], P2: [0.54, 0, 0]}}
  rocker:  {mass: 1, shape: {bar: [B, P2]},  points: {B: [0, 0, 0], P2: [0.455, 0, 0]}}
joints:
  A:  {revolute: [ground.A, crank.A], axis: [0, 0, 1]}
  P1: {revolute: [crank.P1, coupler.P1], axis: [0, 0, 1]}
  P2: {revolute: [coupler.P2, rocker.P2], axis: [0, 0, 1]}
  B:  {revolute: [ground.B, rocker.B], axis: [0, 0, 1]}
drivers: {motor: {joint: A, speed: 1.8190 rad/s}}
assembly: {crank.rotation: [0, 0, 90 deg], coupler.rotation: [0, 0, 23.75 deg], rocker.rotation: [0, 0, 132 deg]}
outputs: [A.q, B.q]
"""
PARALLELOGRAM = """
mechanism: parallelogram
plane: xy
ground: {points: {A: [0, 0], B: [0.4, 0]}}
bodies:
  crank:   {points: {A: [0, 0], P: [0.1, 0]}}
  coupler: {points: {P: [0, 0], Q: [0.4, 0]}}
  rocker:  {points: {B: [0, 0], Q: [0.1, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P: {revolute: [crank.P, coupler.P]}
  Q: {revolute: [coupler.Q, rocker.Q]}
  B: {revolute: [ground.B, rocker.B]}
drivers: {motor: {joint: A, speed: 1 rad/s}}
assembly: {crank.angle: 60 deg, coupler.angle: 0 deg, rocker.angle: 60 deg}
"""

# Two motors that pull the distal bars into one line.
FIVE_BAR = """
mechanism: five-bar
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], E: [1, 0]}}
bodies:
  a: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.5, 0]}}
  b: {mass: 1, shape: {bar: [B, C]}, points: {B: [0, 0], C: [0.8, 0]}}
  c: {mass: 1, shape: {bar: [C, D]}, points: {C: [0, 0], D: [0.8, 0]}}
  d: {mass: 1, shape: {bar: [E, D]}, points: {E: [0, 0], D: [0.5, 0]}}
joints:
  A: {revolute: [ground.A, a.A]}
  B: {revolute: [a.B, b.B]}
  C: {revolute: [b.C, c.C]}
  D: {revolute: [c.D, d.D]}
  E: {revolute: [ground.E, d.E]}
drivers:
  left: {joint: A, position: = 1.57 + t}
  right: {joint: E, position: = 1.57 - 2*t}
assembly: {b.angle: 51 deg, c.angle: -51 deg}
sensors: {g: {gyroscope: b, rate: 100 Hz}}
"""
