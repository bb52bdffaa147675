"""What tests of the suspension rig share: its figures as maps, and corners written out."""

import json

from program import MODELS, call

PARTS = MODELS / "vehicles/parts"
TYRE = "{linear: {radius: 0.3 m, stiffness: 200 N/mm, damping: 1 kN*s/m, slip_coefficient: 20, cornering_coefficient: 10, relaxation: [0.4 m, 0.5 m]}}"
EXACT = 1e-9


def kc(model, *words):
    done = call("kc", model, "--json", *words)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def sweep_of(axle, kind):
    """Rows of a sweep as maps."""
    sweep = next(one for one in axle["sweeps"] if one["kind"] == kind)
    names = [column["name"] for column in sweep["columns"]]
    return [dict(zip(names, row)) for row in sweep["rows"]]


def corner(name, joints, bodies, points, springs="spring: {between: [chassis.spring, knuckle.spring], stiffness: 30 N/mm, free_length: 0.4 m}"):
    return f"""part: {name}
gravity: [0, 0, -10]
mounts:
  chassis: {{points: {{spring: [0, 0.6, 0.6], {points}}}}}
bodies:
{bodies}
  wheel: {{mass: 20 kg, shape: {{cylinder: {{radius: 0.3, length: 0.2, axis: [0, 1, 0]}}}}, points: {{C: [0, 0, 0]}}, drawn: {{at: [0, 0.75, 0.3]}}}}
joints:
{joints}
  spin: {{revolute: [knuckle.C, wheel.C], axis: y}}
springs:
  {springs}
tyres: {{tyre: {{wheel: wheel.C, model: {TYRE}}}}}
exports: [tyre]
"""


def wishbones(lower, upper):
    """Two arms in a plane across the vehicle: (y, z) of their ends at the chassis; balls at (0.7, 0.2) and (0.7, 0.45)."""
    bodies = """  low: {mass: 5 kg, shape: {bar: [A, B]}, points: {A: [0, %g, %g], B: [0, 0.7, 0.2]}}
  top: {mass: 4 kg, shape: {bar: [A, B]}, points: {A: [0, %g, %g], B: [0, 0.7, 0.45]}}
  knuckle: {mass: 10 kg, shape: {bar: [low, top]}, points: {low: [0, 0.7, 0.2], top: [0, 0.7, 0.45], spring: [0, 0.65, 0.25], C: [0, 0.75, 0.3]}}""" % (*lower, *upper)
    joints = """  low_in:  {revolute: [chassis.low, low.A], axis: x}
  low_out: {revolute: [low.B, knuckle.low], axis: x}
  top_in:  {revolute: [chassis.top, top.A], axis: x}
  top_out: {spherical: [top.B, knuckle.top]}"""
    return corner("two arms", joints, bodies, "low: [0, %g, %g], top: [0, %g, %g]" % (*lower, *upper))
