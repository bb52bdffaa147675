"""The suspension rig: figures of three public geometries against a program of their own, closed forms, symmetry, compliance, messages."""

import csv
import json
import math
import unittest

import suspension_oracle as oracle
from program import MODELS, InFolder, call

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


class Geometries(unittest.TestCase):
    """Every row against points, distances and Taylor series (suspension_oracle.py)."""

    FIGURES = ["toe", "camber", "toe_rate", "camber_rate", "front_arm", "side_arm", "brake_angle", "drive_angle"]

    def near(self, got, expected, where, scale=1.0):
        self.assertLess(abs(got - expected), EXACT * max(scale, abs(expected)), where)

    def travels(self, part, other, names, *words):
        axle = kc(PARTS / part, "--travel", "60 mm", "--travel-step", "15 mm", *words)["axles"][0]
        rows = sweep_of(axle, "travel")
        self.assertEqual(len(rows), 9)
        for row in rows:
            expected = other.figures(row["travel"])
            where = f"{part}, {row['travel']}"
            for name in names:
                self.near(row["left." + name], expected[name], f"{where}, {name}")
                if name not in ("x", "y"):
                    self.near(row["right." + name], expected[name], f"{where}, right {name}")
            start = other.figures(0.0)
            self.near(row["left.x"], expected["contact"][0] - start["contact"][0], where)
            self.near(row["left.y"], expected["contact"][1] - start["contact"][1], where)
            self.near(row["track"], 2 * expected["contact"][1], where)
            self.near(row["roll_center"], expected["roll_center"], where)
        return axle, rows

    def rolls(self, axle, other):
        for row in sweep_of(axle, "roll"):
            left, right = other.figures(row["travel"]), other.figures(-row["travel"])
            for name in ("toe", "camber"):
                self.near(row["left." + name], left[name], name)
                self.near(row["right." + name], right[name], name)
            # both contact points carry half of a side force: the mean of the heights in which the normals pass the middle
            (_, y_l, z_l), (_, y_r, z_r) = left["contact"], right["contact"]
            slopes = [one["roll_center"] / one["contact"][1] for one in (left, right)]
            self.near(row["roll_center"], 0.5 * (y_l + y_r) * 0.5 * (slopes[0] + slopes[1]), "roll centre")
            self.near(math.tan(row["roll"]), (z_l - z_r) / (y_l + y_r), "roll angle")

    def steers(self, axle, other, names, wheelbase):
        rows = sweep_of(axle, "steer")
        self.assertGreater(len(rows), 15)
        self.assertGreater(max(abs(row["left.steer"]) for row in rows), math.radians(25))
        for row in rows[:: max(1, len(rows) // 8)]:
            rack = row["steering"]
            self.near(abs(row["steering_wheel"]), abs(rack), "1 rad/m")
            self.assertGreaterEqual(row["steering_wheel"] * row["left.steer"], 0)
            left, right = other.figures(0.0, rack), other.figures(0.0, -rack)
            self.near(row["left.steer"], left["steer"], "steer")
            self.near(row["right.steer"], -right["steer"], "steer")
            for name in names:
                self.near(row["left." + name], left[name], f"steer {rack}, {name}")
                self.near(row["right." + name], right[name], f"steer {rack}, right {name}")
            # both normals by their lines: y = S_y + (S_x - x_0)/tan(steer)
            x_0 = axle_x(other) - wheelbase
            turn = 1 if left["steer"] > 0 else -1
            inner, outer = (left, right) if turn > 0 else (right, left)
            if abs(left["steer"]) < math.radians(2):
                continue
            to_x = lambda one: one["contact"][0] - x_0
            # seen from the side of the turn
            inner_angle, outer_angle = abs(inner["steer"]), abs(outer["steer"])
            center = inner["contact"][1] + to_x(inner) / math.tan(inner_angle)
            wanted = math.atan2(to_x(outer), center + outer["contact"][1])
            self.near(row["ackermann_error"], outer_angle - wanted, "Ackermann")
            self.near(row["curvature"], turn * math.sin(outer_angle) / to_x(outer), "curvature")

    def test_double_wishbone(self):
        """HMMWV: caster, kingpin, scrub and trail by the line of the balls; loads and rates by its energy."""
        steering = ["caster", "kingpin", "scrub", "trail"]
        other = oracle.HmmwvFront()
        axle, rows = self.travels("hmmwv-front-corner.yaml", other, self.FIGURES + steering + ["load"], "--wheelbase", "3.3 m")
        self.rolls(axle, other)
        self.steers(axle, other, steering + ["camber"], 3.3)
        for row in rows:  # the table of the spring has kinks: differences of a rate cross some
            expected = other.figures(row["travel"])["wheel_rate"]
            self.assertLess(abs(row["left.wheel_rate"] - expected), 1e-6 * expected)

    def test_macpherson_strut(self):
        steering = ["caster", "kingpin", "scrub", "trail"]
        other = oracle.MacPherson()
        axle, _ = self.travels("macpherson-corner.yaml", other, self.FIGURES + steering + ["load", "wheel_rate"], "--wheelbase", "2.7 m")
        self.rolls(axle, other)
        self.steers(axle, other, steering + ["camber"], 2.7)

    def test_multi_link(self):
        other = oracle.MultiLink()
        axle, _ = self.travels("multi-link-corner.yaml", other, self.FIGURES)
        self.rolls(axle, other)
        self.assertFalse(axle["steered"])
        self.assertEqual([sweep["kind"] for sweep in axle["sweeps"]], ["travel", "roll"])

    def test_the_other_program_against_differences(self):
        """Its series, by central differences of its values."""
        for other in (oracle.HmmwvFront(), oracle.MacPherson()):
            h = 1e-4
            low, high, middle = (other.figures(z) for z in (0.02 - h, 0.02 + h, 0.02))
            for value, rate in (("toe", "toe_rate"), ("camber", "camber_rate"), ("load", "wheel_rate")):
                difference = (high[value] - low[value]) / (2 * h)
                self.assertLess(abs(difference - middle[rate]), 1e-5 * abs(middle[rate]), value)


def axle_x(other):
    return other.figures(0.0)["contact"][0]


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


class ClosedForms(InFolder):
    def axle(self, text, *words):
        return kc(self.write(text), *words)["axles"][0]

    def test_parallel_arms_of_one_length(self):
        """The wheel moves on a circle without turning: no camber, poles at infinity; at level arms the roll centre lies on the road."""
        axle = self.axle(wishbones((0.3, 0.2), (0.3, 0.45)))
        for row in sweep_of(axle, "travel"):
            z = row["travel"]
            slope = z / math.sqrt(0.4**2 - z**2)  # of the arms
            self.assertLess(abs(row["left.camber"]), 1e-12)
            self.assertLess(abs(row["left.y"] - (math.sqrt(0.4**2 - z**2) - 0.4)), 1e-12)
            self.assertEqual(abs(row["left.front_arm"]), 1000.0)
            self.assertEqual(abs(row["left.side_arm"]), 1000.0)
            self.assertLess(abs(row["roll_center"] + 0.5 * row["track"] * slope), 1e-9)
        self.assertLess(abs(axle["figures"]["roll_center"]), 1e-12)

    def test_arms_that_meet(self):
        """The pole of the front view is where the lines of both arms meet; spring and camber by it."""
        lower, upper = (0.25, 0.17), (0.4, 0.40)
        figures = self.axle(wishbones(lower, upper))["figures"]
        slopes = [(0.2 - lower[1]) / (0.7 - lower[0]), (0.45 - upper[1]) / (0.7 - upper[0])]
        y = 0.7 + (0.2 - 0.45) / (slopes[1] - slopes[0])
        z = 0.2 + slopes[0] * (y - 0.7)
        self.assertLess(abs(figures["left.front_arm"] - (0.75 - y)), EXACT * abs(0.75 - y))
        self.assertLess(abs(figures["left.camber_rate"] + 1 / (0.75 - y)), EXACT)
        self.assertLess(abs(figures["roll_center"] - z * 0.75 / (0.75 - y)), EXACT)
        # the load: moments about the pole of spring, weights of knuckle and wheel, and half of each arm by the way of its middle
        spring = (0.65 - 0.6, 0.25 - 0.6)
        length = math.hypot(*spring)
        force = 30e3 * (0.4 - length)
        turned = [-(0.25 - z), 0.65 - y]  # way of the spring's end for a unit turn
        work = force * (spring[0] * turned[0] + spring[1] * turned[1]) / length
        weights = 10 * (20 * (0.75 - y) + 10 * (0.7 - y) + 0.5 * (5 + 4) * (0.7 - y))
        self.assertLess(abs(figures["left.load"] - (weights - work) / (0.75 - y)), EXACT * figures["left.load"])

    def test_strut(self):
        """MacPherson in a plane: the pole lies where the arm's line meets the line across the strut through its mount."""
        bodies = """  arm: {mass: 5 kg, shape: {bar: [A, B]}, points: {A: [0, 0.3, 0.18], B: [0, 0.7, 0.2]}}
  knuckle: {mass: 10 kg, shape: {bar: [low, C]}, points: {low: [0, 0.7, 0.2], spring: [0, 0.65, 0.45], C: [0, 0.75, 0.3]}}
  tube: {mass: 3 kg, shape: {bar: [foot, top]}, points: {foot: [0, 0.65, 0.45], top: [0, 0.6, 0.85]}}"""
        joints = """  in:    {revolute: [chassis.arm, arm.A], axis: x}
  out:   {revolute: [arm.B, knuckle.low], axis: x}
  slide: {prismatic: [tube.foot, knuckle.spring], axis: [0, -0.05, 0.4]}
  top:   {spherical: [chassis.top, tube.top]}"""
        figures = self.axle(corner("strut", joints, bodies, "arm: [0, 0.3, 0.18], top: [0, 0.6, 0.85]"))["figures"]
        # y = 0.6 + 0.4 s, z = 0.85 + 0.05 s across the strut; the arm rises by 0.05
        s = (0.18 + 0.05 * (0.6 - 0.3) - 0.85) / (0.05 - 0.05 * 0.4)
        y, z = 0.6 + 0.4 * s, 0.85 + 0.05 * s
        self.assertLess(abs(figures["left.front_arm"] - (0.75 - y)), EXACT * abs(0.75 - y))
        self.assertLess(abs(figures["roll_center"] - z * 0.75 / (0.75 - y)), EXACT)

    def test_trailing_arms(self):
        """An arm that swings about a line across the vehicle: its pole is the pivot, anti-lift and rates follow."""
        bodies = """  knuckle: {mass: 10 kg, shape: {bar: [P, C]}, points: {P: [0.5, 0.6, 0.4], spring: [0, 0.6, 0.3], C: [0, 0.75, 0.3]}}"""
        joints = "  pivot: {revolute: [chassis.pivot, knuckle.P], axis: y}"
        text = corner("trailing arm", joints, bodies, "pivot: [0.5, 0.6, 0.4]")
        axle = self.axle(text, "--wheelbase", "2.5 m", "--mass-center-height", "0.5 m")
        figures = axle["figures"]
        self.assertLess(abs(figures["left.side_arm"] - 0.5), EXACT)
        self.assertLess(abs(math.tan(figures["left.brake_angle"]) + 0.4 / 0.5), EXACT)
        self.assertLess(abs(math.tan(figures["left.drive_angle"]) + 0.1 / 0.5), EXACT)
        self.assertEqual(abs(figures["left.front_arm"]), 1000.0)
        self.assertLess(abs(figures["roll_center"]), EXACT)
        # the axle of a part is the first of its vehicle: signs are those of a front axle
        self.assertLess(abs(figures["anti_dive"] + 0.8 * 2.5 / 0.5), EXACT)
        self.assertLess(abs(figures["anti_lift_driving"] + 0.2 * 2.5 / 0.5), EXACT)
        # load by moments about the pivot, which is 0.1 above the centre
        force = 30e3 * (0.4 - 0.3)
        lever = 0.5
        weight = 10 * (20 * 0.5 + 10 * 0.25)
        self.assertLess(abs(figures["left.load"] - (weight + force * lever) / 0.5), EXACT * figures["left.load"])
        tyre = 200e3
        rate = figures["left.wheel_rate"]
        self.assertLess(abs(figures["left.ride_rate"] - rate * tyre / (rate + tyre)), 1e-3)
        self.assertLess(abs(figures["roll_rate"] - 0.5 * 1.5**2 * rate), 1e-6 * figures["roll_rate"])

    def test_panhard_rod(self):
        """The rigid axle of the van: its roll centre lies where the Panhard rod crosses the middle, on the height of the ball in front of it."""
        figures = kc(MODELS / "vehicles/van-plain.yaml")["axles"][1]["figures"]
        self.assertLess(abs(figures["roll_center"] - 0.376), EXACT)
        self.assertLess(abs(figures["left.camber_rate"]), EXACT)

    CART = f"""mechanism: cart
parts: {{corner: {PARTS}/steered-corner.yaml}}
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  chassis: {{mass: 1200 kg, shape: {{box: [3.6 m, 1.6 m, 0.5 m]}}, points: {{O: [0, 0, 0.25], rack: [1.17, 0, 0], left: [-1.3, 0.75, 0], right: [-1.3, -0.75, 0]}}}}
  rack: {{mass: 3 kg, shape: {{sphere: 20 mm}}, points: {{C: [0, 0, 0]}}, drawn: {{at: [1.17, 0, 0]}}}}
  rl: {{mass: 20 kg, shape: {{sphere: 0.3}}, points: {{C: [0, 0, 0]}}, drawn: {{at: [-1.3, 0.75, 0]}}}}
  rr: {{mass: 20 kg, shape: {{sphere: 0.3}}, points: {{C: [0, 0, 0]}}, drawn: {{at: [-1.3, -0.75, 0]}}}}
joints:
  floats: {{free: [ground.O, chassis.O]}}
  rack_slide: {{prismatic: [chassis.rack, rack.C], axis: y}}
  rl: {{revolute: [chassis.left, rl.C], axis: y}}
  rr: {{revolute: [chassis.right, rr.C], axis: y}}
instances:
  front: {{part: corner, at: [1.3, 0, 0], mounts: {{chassis: chassis, rack: rack}}, copies: {{left: {{}}, right: {{mirror: y}}}}}}
tyres:
  t_rl: {{wheel: rl.C, model: {TYRE}}}
  t_rr: {{wheel: rr.C, model: {TYRE}}}
drivers: {{steer: {{joint: rack_slide, position: 0}}}}
vehicle:
  chassis: chassis.O
  steering: {{driver: steer, ratio: -125 rad/m}}
  axles: [{{left: front.left.tyre, right: front.right.tyre}}, {{left: t_rl, right: t_rr, drive: 1, brake: 1}}]
outputs: [rack_slide.q]
""".replace("  rl: {revolute", "  spin_rl: {revolute").replace("  rr: {revolute", "  spin_rr: {revolute")

    def test_steered_cart_without_travel(self):
        """Kingpins upright, arms to the middle of the rear axle: scrub radius and wheelbase are those of the file."""
        result = kc(self.write(self.CART))
        front, rear = result["axles"]
        self.assertLess(abs(result["wheelbase"] - 2.6), EXACT)
        self.assertEqual([sweep["kind"] for sweep in front["sweeps"]], ["steer"])
        self.assertEqual(rear["sweeps"], [])
        self.assertTrue(any("axle 2 is mounted rigidly" in note for note in result["notes"]))
        figures = front["figures"]
        for name, value in (("caster", 0.0), ("kingpin", 0.0), ("scrub", 0.05), ("trail", 0.0)):
            self.assertLess(abs(figures["left." + name] - value), EXACT, name)
        # the arm is 0.13 behind the kingpin: wheels turn by rack/0.13
        self.assertLess(abs(figures["steering_ratio"] - 125 * 0.13), 1e-7)
        for lock in front["locks"]:  # arms that meet in the middle of the rear axle, tie rods across: Ackermann but for some percent
            self.assertLess(abs(lock["ackermann"] - 1.0), 0.35)

    def test_axles_of_a_trailer_do_not_count_for_ackermann(self):
        """Behind a cart with a trailer normals are to meet on the line of the cart's rear axle, not between it and that of the trailer."""
        alone = kc(self.write(self.CART))
        with_trailer = (self.CART.replace("right: [-1.3, -0.75, 0]", "right: [-1.3, -0.75, 0], hitch: [-1.8, 0, 0]")
                        .replace("joints:\n", """  trailer: {mass: 700 kg, shape: {box: [2 m, 1.6 m, 0.5 m]}, points: {O: [0, 0, 0], hitch: [2.2, 0, 0], left: [0, 0.75, 0], right: [0, -0.75, 0]}, drawn: {at: [-4, 0, 0]}}
  tl: {mass: 20 kg, shape: {sphere: 0.3}, points: {C: [0, 0, 0]}, drawn: {at: [-4, 0.75, 0]}}
  tr: {mass: 20 kg, shape: {sphere: 0.3}, points: {C: [0, 0, 0]}, drawn: {at: [-4, -0.75, 0]}}
joints:
  hitch: {revolute: [chassis.hitch, trailer.hitch], axis: z}
  spin_tl: {revolute: [trailer.left, tl.C], axis: y}
  spin_tr: {revolute: [trailer.right, tr.C], axis: y}
""").replace("drivers:", f"  t_tl: {{wheel: tl.C, model: {TYRE}}}\n  t_tr: {{wheel: tr.C, model: {TYRE}}}\ndrivers:")
                        .replace("drive: 1, brake: 1}]", "drive: 1, brake: 1}, {left: t_tl, right: t_tr}]"))
        both = kc(self.write(with_trailer))
        self.assertTrue(any(note.startswith("'trailer' is held as the chassis is") for note in both["notes"]), both["notes"])
        self.assertEqual(len(both["axles"]), 3)
        for got, expected in zip(sweep_of(both["axles"][0], "steer"), sweep_of(alone["axles"][0], "steer")):
            for name in ("ackermann_error", "curvature"):
                self.assertLess(abs(got[name] - expected[name]), EXACT)
        # by hand: the outer wheel's way about the point where its normal meets x = -1.3
        last = sweep_of(both["axles"][0], "steer")[-1]
        outer = last["right.steer"]  # to the left: the right wheel
        ahead = 1.3 + 0.05 * math.sin(outer)  # of its contact point, 50 mm outside of the kingpin
        self.assertLess(abs(last["curvature"] - math.sin(outer) / (ahead + 1.3)), EXACT)


class Compliance(InFolder):
    # A carrier that slides up and down; on it the knuckle, held by a bushing 0.1 above the wheel's centre and 0.15 inside of it.
    BUSHED = corner(
        "bushed",
        """  guide: {prismatic: [chassis.guide, slide.O], axis: z}
  rest:  {free: [slide.O, knuckle.B]}""",
        """  slide: {mass: 5 kg, shape: {sphere: 50 mm}, points: {O: [0, 0, 0], spring: [0, 0, 0]}, drawn: {at: [0, 0.6, 0.4]}}
  knuckle: {mass: 10 kg, shape: {bar: [B, C]}, points: {B: [0, 0, 0], C: [0, 0.15, -0.1]}, drawn: {at: [0, 0.6, 0.4]}}""",
        "guide: [0, 0.6, 0.4]",
        "spring: {between: [chassis.spring, slide.spring], stiffness: 30 N/mm, free_length: 0.25 m}\nbushings:\n"
        "  bush: {between: [slide.O, knuckle.B], stiffness: [2 kN/mm, 1 kN/mm, 4 kN/mm, 50 kN*m/rad, 80 kN*m/rad, 20 kN*m/rad]}")

    def test_ideal_joints_give_nothing(self):
        result = kc(PARTS / "hmmwv-front-corner.yaml")
        self.assertFalse(result["compliant"])
        self.assertEqual(result["axles"][0]["compliances"], [])

    def test_bushing(self):
        """Small motions of a body in one bushing, the height of its centre held: by its stiffness matrix with pencil and paper."""
        result = kc(self.write(self.BUSHED.replace("gravity: [0, 0, -10]", "gravity: [0, 0, 0]").replace("free_length: 0.25 m", "free_length: 0.2 m")), "--radius", "0.3 m")
        self.assertTrue(result["compliant"])
        by = {(one["load"], one["opposite"]): one for one in result["axles"][0]["compliances"]}
        k_x, k_y, k_rx, k_ry, k_rz = 2e6, 1e6, 50e3, 80e3, 20e3
        # without a wheel load at the start; contact point 0.15 outside, 0.4 below the bushing, centre 0.1 below
        lateral = by["lateral", False]
        # a side force F_y at S turns by M_x = 0.4 F_y; what holds the centre's height adds F_z at S, which the slide takes as the spring gives way:
        # the slide goes up and down freely, so that F_z is 0 but for the spring of 30 N/mm
        k = 30e3
        # unknown: phi_x, slide z, F_z;  k_rx phi = 0.4 F + 0.15 F_z;  k_z (z_b - z) = F_z;  k z = F_z;  z_b + 0.15 phi = 0
        flexibility = 1 / 4e6 + 1 / k
        turn = 0.4 / (k_rx + 0.15**2 / flexibility)
        # phi is positive about x: the top to the right, which is inwards on the left
        self.assertLess(abs(lateral["camber"][0] + turn), EXACT * turn)
        self.assertLess(abs(lateral["camber"][1] - turn), EXACT * turn)
        self.assertLess(abs(lateral["y"][0] - (1 / k_y + 0.1 * turn)), EXACT * turn)
        aligning = by["aligning", False]
        self.assertLess(abs(aligning["toe"][0] + 1 / k_rz), EXACT / k_rz)
        self.assertLess(abs(aligning["toe"][1] - 1 / k_rz), EXACT / k_rz)
        self.assertLess(abs(by["aligning", True]["toe"][1] + 1 / k_rz), EXACT / k_rz)
        braking, driving = by["braking", False], by["driving", False]
        self.assertLess(abs(braking["x"][0] - (1 / k_x + 0.1 * 0.4 / k_ry + 0.15**2 / k_rz)), EXACT / k_x)
        self.assertLess(abs(driving["x"][0] - (1 / k_x + 0.1 * 0.1 / k_ry + 0.15**2 / k_rz)), EXACT / k_x)
        self.assertLess(abs(driving["toe"][0] - 0.15 / k_rz), EXACT / k_rz)

    def test_loads_of_the_bench(self):
        """A load moves the wheel as its compliance says, and as far as it is small."""
        file = self.write(self.BUSHED)
        free, loaded = kc(file)["axles"][0], kc(file, "--lateral", "1 N")["axles"][0]
        slope = next(one for one in free["compliances"] if one["load"] == "lateral" and not one["opposite"])
        change = loaded["figures"]["left.camber"] - free["figures"]["left.camber"]
        self.assertLess(abs(change - slope["camber"][0]), 1e-4 * abs(slope["camber"][0]))


class Loads(InFolder):
    """Sweeps of loads, by the loaded equilibrium."""

    ANGLES = ("toe", "camber")
    # A carrier that slides up and down; on it the knuckle turns about an upright pivot against a spring ahead of it.
    PIVOT = corner(
        "pivot",
        """  guide: {prismatic: [chassis.guide, slide.O], axis: z}
  pivot: {revolute: [slide.O, knuckle.B], axis: z}""",
        """  slide: {mass: 5 kg, shape: {sphere: 50 mm}, points: {O: [0, 0, 0], spring: [0, 0, 0], toe: [0.12, -0.2, 0]}, drawn: {at: [0.03, 0.6, 0.4]}}
  knuckle: {mass: 10 kg, shape: {bar: [B, C]}, points: {B: [0, 0, 0], T: [0.12, 0, 0], C: [-0.03, 0.15, -0.1]}, drawn: {at: [0.03, 0.6, 0.4]}}""",
        "guide: [0.03, 0.6, 0.4]",
        "spring: {between: [chassis.spring, slide.spring], stiffness: 30 N/mm, free_length: 0.25 m}\n"
        "  toe: {between: [slide.toe, knuckle.T], stiffness: 200 N/mm, free_length: 0.2 m}")

    @staticmethod
    def turned(angle, x, y):
        return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)

    def pivot_angle(self, along, across, aligning):
        """Of the left wheel about its pivot: all moments balance."""
        def moment(angle):
            x, y = self.turned(angle, -0.03, 0.15)  # of the contact point from the pivot
            end = self.turned(angle, 0.12, 0.0)
            to = (0.12 - end[0], -0.2 - end[1])
            pull = 200e3 * (1 - 0.2 / math.hypot(*to))
            return x * across - y * along + aligning + pull * (end[0] * to[1] - end[1] * to[0])
        low, high = -0.6, 0.6
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if moment(middle) > 0 else (low, middle)
        return 0.5 * (low + high)

    def test_a_wheel_on_a_pivot(self):
        axle = kc(self.write(self.PIVOT))["axles"][0]
        kinds = [sweep["kind"] for sweep in axle["sweeps"]]
        loads = ["lateral", "longitudinal", "aligning"]
        self.assertEqual(kinds, ["travel", "roll"] + [kind + end for kind in loads for end in ("", "_opposite")])
        largest = 0.0
        for which, kind in enumerate(loads):
            for opposite in (False, True):
                rows = sweep_of(axle, kind + ("_opposite" if opposite else ""))
                self.assertEqual(len(rows), 11)
                imposed = "torque" if kind == "aligning" else "force"
                self.assertEqual([rows[0][imposed], rows[5][imposed], rows[-1][imposed]], [-150, 0, 150] if kind == "aligning" else [-3000, 0, 3000])
                for row in rows:
                    on_left = [0.0, 0.0, 0.0]
                    on_left[(1, 0, 2)[which]] = row[imposed]
                    on_right = [-x if opposite else x for x in on_left]
                    left = self.pivot_angle(*on_left)
                    right = -self.pivot_angle(on_right[0], -on_right[1], -on_right[2])  # in a mirror
                    self.assertLess(abs(row["left.toe"] + left), EXACT)
                    self.assertLess(abs(row["right.toe"] - right), EXACT)
                    x, y = self.turned(left, -0.03, 0.15)
                    for name, way in (("x", x + 0.03), ("y", y - 0.15)):
                        self.assertLess(abs(row["left.center_" + name] - way), EXACT)
                        self.assertLess(abs(row["left." + name] - way), EXACT)  # the disc stays upright
                    self.assertLess(abs(row["left.load"] - rows[5]["left.load"]), 1e-6)
                    largest = max(largest, abs(left))
        self.assertGreater(largest, 0.13)  # where it is far from linear

    def slopes_agree(self, axle, tolerance):
        """By five points of a sweep about no load, beside the compliances of the linear equilibrium."""
        names = {"lateral": "lateral", "braking": "longitudinal", "aligning": "aligning"}
        compared = 0
        for one in axle["compliances"]:
            if one["load"] not in names:
                continue
            rows = sweep_of(axle, names[one["load"]] + ("_opposite" if one["opposite"] else ""))
            middle, imposed = len(rows) // 2, "torque" if one["load"] == "aligning" else "force"
            step = rows[middle + 1][imposed]
            slope = lambda name: (8 * (rows[middle + 1][name] - rows[middle - 1][name]) - (rows[middle + 2][name] - rows[middle - 2][name])) / (12 * step)
            scale = max(abs(value) for key in ("toe", "camber", "x", "y") for value in one[key])
            self.assertGreater(scale, 0)
            for end, side in enumerate(("left.", "right.")):
                for key, name in (("toe", "toe"), ("camber", "camber"), ("x", "center_x"), ("y", "center_y")):
                    self.assertLess(abs(slope(side + name) - one[key][end]), tolerance * scale, (one["load"], one["opposite"], side + name))
                    compared += 1
        self.assertEqual(compared, 6 * 8)

    def test_slopes_at_no_load_are_the_compliances(self):
        for text in (self.PIVOT, Compliance.BUSHED):
            self.slopes_agree(kc(self.write(text), "--force", "400 N", "--torque", "40 N*m")["axles"][0], 1e-6)

    def test_what_joints_alone_lead_does_not_give_way(self):
        part = PARTS / "hmmwv-front-corner.yaml"
        self.assertEqual([sweep["kind"] for sweep in kc(part)["axles"][0]["sweeps"]], ["travel", "roll", "steer"])
        axle = kc(part, "--force", "3 kN")["axles"][0]
        self.assertEqual(len(axle["sweeps"]), 9)
        for kind in ("lateral", "lateral_opposite", "longitudinal", "longitudinal_opposite", "aligning", "aligning_opposite"):
            rows = sweep_of(axle, kind)
            for row in rows:
                for name in ("toe", "camber", "center_x", "center_y", "x", "y"):
                    for side in ("left.", "right."):
                        self.assertLess(abs(row[side + name] - rows[5][side + name]), 1e-12)


class Standing(InFolder):
    """On the tyres."""

    CORNER = corner(
        "guide",
        "  guide: {prismatic: [chassis.guide, knuckle.O], axis: z}",
        "  knuckle: {mass: 10 kg, shape: {sphere: 50 mm}, points: {O: [0, 0, 0], spring: [0, -0.15, -0.3], C: [0, 0, -0.3]}, drawn: {at: [0, 0.75, 0.6]}}",
        "guide: [0, 0.75, 0.6]",
        "spring: {between: [chassis.spring, knuckle.spring], stiffness: 30 N/mm, free_length: 0.42 m}")

    def vehicle(self):
        self.write(self.CORNER, "corner.yaml")
        return self.write("""mechanism: guided wheels
gravity: [0, 0, -10]
parts: {corner: corner.yaml}
ground: {points: {O: [0, 0, 0]}}
bodies:
  chassis: {mass: 1200 kg, center_of_mass: C, inertia: [300, 1200, 1300], points: {O: [0, 0, 0], C: [0.2, 0, 0.6]}}
joints: {floats: {free: [ground.O, chassis.O]}}
instances:
  front: {part: corner, at: [1.2, 0, 0], mounts: {chassis: chassis}, copies: {left: {}, right: {mirror: y}}}
  rear: {part: corner, at: [-1.3, 0, 0], mounts: {chassis: chassis}, copies: {left: {}, right: {mirror: y}}}
vehicle:
  chassis: chassis.O
  axles: [{left: front.left.tyre, right: front.right.tyre}, {left: rear.left.tyre, right: rear.right.tyre, drive: 1, brake: 1}]
outputs: [chassis.O.z, chassis.ry]
""".replace("outputs: [chassis.O.z, chassis.ry]", "outputs: [chassis.O.z]"))

    def test_weight_on_springs_and_tyres(self):
        axles = kc(self.vehicle())["axles"]
        unsprung, length = 10 * 30.0, 2.5
        for axle, sprung in zip(axles, (12000 * 1.5 / length, 12000 * 1.0 / length)):
            standing = axle["standing"]
            load = 0.5 * sprung + unsprung
            travel = (0.5 * sprung - 30e3 * 0.12) / 30e3  # the spring is drawn 0.3 m long
            for name, value in (("load", load), ("travel", travel), ("tyre_deflection", load / 200e3), ("ride_height", -travel - load / 200e3),
                                ("ride_rate", 1 / (1 / 30e3 + 1 / 200e3))):
                self.assertLess(abs(standing[name] - value), EXACT * max(1, abs(value)), name)

    def test_it_is_where_the_vehicle_stands_on_the_road(self):
        """By 'equilibrium' of the whole vehicle, tyres on: the height of its origin, between both axles."""
        file = self.vehicle()
        front, rear = (axle["standing"]["ride_height"] for axle in kc(file)["axles"])
        done = call("equilibrium", file, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        height = next(output["value"] for output in json.loads(done.stdout)["solutions"][0]["outputs"] if output["name"] == "chassis.O.z")
        self.assertLess(abs(height - (front * 1.3 + rear * 1.2) / 2.5), 1e-4)  # it leans a little, by which the masses move

    def test_sweeps_about_where_it_stands(self):
        """'--standing' moves the start of all sweeps there: the same figures as at that travel from where it is drawn."""
        van = MODELS / "vehicles/van-plain.yaml"
        standing = kc(van, "--standing", "--travel", "10 mm", "--travel-step", "10 mm")["axles"]
        for a, axle in enumerate(standing):
            travel = abs(axle["standing"]["travel"])
            self.assertLess(abs(axle["figures"]["left.load"] + axle["figures"]["right.load"] - 2 * axle["standing"]["load"]), 1e-4)
            drawn = kc(van, "--travel", f"{travel!r} m", "--travel-step", f"{travel!r} m")["axles"][a]
            row = sweep_of(drawn, "travel")[-1 if axle["standing"]["travel"] > 0 else 0]
            self.assertAlmostEqual(row["travel"], axle["standing"]["travel"], delta=1e-9)
            for name, value in axle["figures"].items():
                if name in row and name.split(".")[-1] not in ("x", "y"):  # these count from the start
                    self.assertLess(abs(row[name] - value), 1e-6 * max(1.0, abs(value)), (axle["name"], name))
        steer = sweep_of(standing[0], "steer")
        self.assertLess(abs(steer[len(steer) // 2]["left.camber"] - standing[0]["figures"]["left.camber"]), EXACT)
        self.assertTrue(all(sum(len(sweep["rows"]) for sweep in axle["sweeps"]) > 5 for axle in standing))

    def test_where_it_stands_is_not_known_of_a_part(self):
        part = PARTS / "macpherson-corner.yaml"
        done = call("kc", part, "--standing")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "eslabon: it is not known where the axle stands [--standing]: expected a vehicle with two axles whose wheels have travel, "
                         "without a trailer, got axle 1 of 'MacPherson front corner'. Leave it out: the rig then starts where the vehicle is drawn.\n")

    def test_order_of_wheels_and_axles(self):
        text = self.vehicle().read_text(encoding="utf-8")
        front, rear = "{left: front.left.tyre, right: front.right.tyre}", "{left: rear.left.tyre, right: rear.right.tyre, drive: 1, brake: 1}"
        next_step = "Write them in order; x of the chassis is forward, y to the left."
        for other, sentence in (
                (text.replace(front, "{left: front.right.tyre, right: front.left.tyre}"),
                 "left and right of an axle are swapped [%s, mechanism 'guided wheels', vehicle, axle 1]: expected y of its left wheel above that of its right one, "
                 f"got -0.75 m and 0.75 m. {next_step}"),
                (text.replace(f"[{front}, {rear}]", f"[{rear}, {front}]"),
                 "axles are not listed from front to rear [%s, mechanism 'guided wheels', vehicle, axle 2]: expected x below that of the axle before, "
                 f"got 1.2 m and -1.3 m. {next_step}")):
            file = self.write(other)
            done = call("kc", file)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr, f"eslabon: {sentence % file}\n")

    def test_ride_rate_is_that_of_load_by_travel_and_deflection(self):
        for part in ("macpherson-corner.yaml", "hmmwv-front-corner.yaml"):
            rows = sweep_of(kc(PARTS / part, "--travel", "10 mm", "--travel-step", "1 mm")["axles"][0], "travel")
            middle = len(rows) // 2
            slope = lambda of: (8 * (of(rows[middle + 1]) - of(rows[middle - 1])) - (of(rows[middle + 2]) - of(rows[middle - 2]))) / 12e-3
            rate = slope(lambda row: row["left.load"]) / slope(lambda row: row["travel"] + row["left.tyre_deflection"])
            self.assertLess(abs(rate / rows[middle]["left.ride_rate"] - 1), 1e-6, part)


class Whole(InFolder):
    def test_left_is_the_mirror_image_of_right(self):
        for axle in kc(MODELS / "vehicles/van-plain.yaml")["axles"]:
            for row in sweep_of(axle, "travel") if axle["sweeps"] else []:
                for name in ("toe", "camber"):
                    if "panhard" not in axle["left"] and axle["steered"]:
                        self.assertLess(abs(row["left." + name] - row["right." + name]), 1e-13, name)
            if axle["steered"]:
                rows = sweep_of(axle, "steer")
                for row, other in zip(rows, reversed(rows)):
                    self.assertLess(abs(row["steering_wheel"] + other["steering_wheel"]), 1e-13)
                    self.assertLess(abs(row["left.steer"] + other["right.steer"]), 1e-12)
                    self.assertLess(abs(row["left.camber"] - other["right.camber"]), 1e-12)

    def test_files(self):
        done = call("kc", MODELS / "vehicles/van-plain.yaml", "--out", self.folder / "kc.csv", "--report", self.folder / "kc.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["kc.axle1.roll.csv", "kc.axle1.steer.csv", "kc.axle1.travel.csv", "kc.axle2.roll.csv", "kc.axle2.travel.csv", "kc.html"])
        with open(self.folder / "kc.axle1.travel.csv", newline="", encoding="utf-8") as file:
            names, units, *rows = csv.reader(file)
        self.assertEqual((names[0], units[0]), ("travel", "m"))
        self.assertEqual(len(rows), 25)
        self.assertTrue(all(math.isfinite(float(cell)) for row in rows for cell in row))
        page = (self.folder / "kc.html").read_text(encoding="utf-8")
        self.assertIn("on the suspension rig", page)
        self.assertIn("roll centre", done.stdout)

    def test_as_far_as_joints_close(self):
        """60 mm are too much for short arms: the sweep ends with a sentence, and what is there is kept."""
        file = self.write(wishbones((0.65, 0.2), (0.65, 0.45)))
        result = kc(file)
        rows = sweep_of(result["axles"][0], "travel")
        self.assertLess(rows[-1]["travel"], 0.0501)
        self.assertGreater(rows[-1]["travel"], 0.0499)
        self.assertTrue(any(note.startswith("axle 1, travel ends at 50 mm") or note.startswith("axle 1, travel ends at 49.9") for note in result["notes"]), result["notes"])


class Refusals(InFolder):
    """One sentence, nothing on stdout; 2 for words and files, 1 for what the mechanism does not allow."""

    CORNER = wishbones((0.3, 0.2), (0.3, 0.45))

    def refused(self, message, *words, status=2):
        done = call("kc", *words)
        self.assertEqual((done.stdout, done.stderr.replace(str(self.folder) + "/", "").replace(str(MODELS) + "/", "")), ("", f"eslabon: {message}\n"))
        self.assertEqual(done.returncode, status)

    def test_no_model(self):
        self.refused("MODEL is required. 'eslabon kc --help' shows what there is.")

    def test_no_vehicle(self):
        self.refused("the mechanism is not a vehicle [double-wishbone.yaml, mechanism 'double wishbone']: expected a section 'vehicle:' that names chassis "
                     "and axles, got none. Add it, see docs/mechanism-file.md, Vehicle; or give the file of a part with tyres.",
                     MODELS / "double-wishbone.yaml", status=1)

    def test_part_without_tyres(self):
        self.refused("the part does not stand on a rig [vehicles/parts/leaf-spring.yaml]: expected one tyre, a corner, or two, an axle, got none. "
                     "Give the file of a vehicle, or of one corner.", PARTS / "leaf-spring.yaml")

    def test_tyre_that_is_not_exported(self):
        file = self.write(self.CORNER.replace("exports: [tyre]", "exports: [wheel]"), "corner.yaml")
        self.refused("the part does not export its tyre [corner.yaml, exports]: expected 'tyre' in the list, got no such name. "
                     "Add it: the rig takes hold of the wheel there.", file)

    def test_travel(self):
        advice = "Write, for example, --travel '80 mm'."
        for text, value in (("0", "0"), ("-60 mm", "-0.06")):
            self.refused(f"the travel of the wheels is out of range [--travel]: expected a number above 0, got '{value}'. {advice}",
                         PARTS / "macpherson-corner.yaml", f"--travel={text}")

    def test_units(self):
        self.refused("travel of the wheels has a unit of the wrong kind [--travel]: expected a length such as '120 mm', got '60 N', a force. "
                     "Write a length, or a bare number in m.", PARTS / "macpherson-corner.yaml", "--travel", "60 N")
        self.refused("lateral load has a unit of the wrong kind [--lateral]: expected a force such as '20 N', got '2 kg', a mass. "
                     "Write a force, or a bare number in N.", PARTS / "macpherson-corner.yaml", "--lateral", "2 kg")

    def test_steps(self):
        self.refused("a sweep has too many rows [--travel-step]: expected at most 2000 steps up and as many down, got 6e+03. Take a longer step.",
                     PARTS / "macpherson-corner.yaml", "--travel-step", "0.01 mm")

    def test_steer(self):
        self.refused("the turn of the steering wheel is out of range [--steer]: expected a number above 0, got '0'. Write, for example, --steer '360 deg'.",
                     PARTS / "macpherson-corner.yaml", "--steer", "0 deg")

    def test_loads(self):
        part = PARTS / "macpherson-corner.yaml"
        self.refused("the range of forces is out of range [--force]: expected a number above 0, got '-3000'. Write, for example, --force '3 kN'.", part, "--force=-3 kN")
        self.refused("the range of torques is out of range [--torque]: expected a number above 0, got '0'. Write, for example, --torque '150 N*m'.", part, "--torque", "0")
        self.refused("range of forces has a unit of the wrong kind [--force]: expected a force such as '20 N', got '3 N*m', a torque or an energy. "
                     "Write a force, or a bare number in N.", part, "--force", "3 N*m")

    def test_radius(self):
        self.refused("the radius of the tyres is out of range [--radius]: expected a number above 0, got '0'. Write, for example, --radius '310 mm'.",
                     PARTS / "macpherson-corner.yaml", "--radius", "0")

    def test_out(self):
        self.refused("the sweeps have the wrong kind of file [--out]: expected a name that ends in .csv, got 'kc.txt'. "
                     "Write, for example, --out kc.csv; each sweep becomes a file of its own.", PARTS / "macpherson-corner.yaml", "--out", "kc.txt")

    def test_springs_of_no_length(self):
        """A spring whose ends coincide has no direction."""
        file = self.write(self.CORNER.replace("chassis: {points: {spring: [0, 0.6, 0.6]", "chassis: {points: {spring: [0, 0.65, 0.25]"), "corner.yaml")
        done = call("kc", file)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("spring", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["kc_test"])
