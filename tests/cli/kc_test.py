"""The suspension rig: figures of three public geometries against a program of their own, closed forms, symmetry."""

import csv
import math
import unittest

import suspension_oracle as oracle
from kc_rig import EXACT, PARTS, TYRE, corner, kc, sweep_of, wishbones
from program import MODELS, InFolder, call


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


if __name__ == "__main__":
    unittest.main(argv=["kc_test"])
