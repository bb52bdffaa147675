"""Compliances of the suspension rig, the rig under loads, and standing on its tyres: against bisection, closed forms, and where the vehicle stands on the road."""

import json
import math
import unittest

from kc_rig import EXACT, PARTS, corner, kc, sweep_of
from program import MODELS, InFolder, call


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


if __name__ == "__main__":
    unittest.main(argv=["kc_loads_test"])
