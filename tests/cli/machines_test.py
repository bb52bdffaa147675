"""Machines with known answers: what the program says of each, against closed forms written out here alone."""

import cmath
import json
import math
import re
import sys
import unittest

from program import InFolder, MODELS, call, info

METHODS = ("global", "sparse", "groups", "groups-tensor")
FORMULATIONS = ("groups", "null-space", "multipliers", "semi-recursive", "clusters", "augmented-lagrangian")


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

    def text_of(self, model):
        """The text of a machine, whose parts are found from anywhere."""
        return re.sub(r"(?m)^parts: {(\w+): ", rf"parts: {{\1: {MODELS}/parts/", (MODELS / model).read_text(encoding="utf-8"))

    def expect_structure(self, model, mobility, loops, groups):
        data = info(MODELS / model)
        self.assertEqual(data["mobility"], {"gruebler": mobility, "rank": mobility})
        self.assertEqual(data["loops"], loops)
        self.assertEqual([group["type"] for group in data["groups"]], groups)

    def leaning(self, text):
        """The machine with weights that lean, which leaves nothing symmetric."""
        self.assertIn("gravity: [0, 0, -9.81 m/s^2]", text)
        return self.write(text.replace("gravity: [0, 0, -9.81 m/s^2]", "gravity: [2, 3, -9.81]"))

    def expect_agreement(self, model, watched, drift=1e-9):
        """Let go, it has one motion by five formulations, and loses no energy."""
        reached = {}
        for formulation in FORMULATIONS:
            done = call("simulate", model, "--release", "all", "--until", "0.1", "--every", "0.1", "--formulation", formulation, "--outputs",
                        ",".join(watched), "--rtol", "1e-11", "--atol", "1e-12", "--out", self.out, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(json.loads(done.stdout)["energy"]["drift"], drift, formulation)
            reached[formulation] = self.columns()[1]
        for formulation, columns in reached.items():
            for name in watched:
                self.assertGreater(abs(columns[name][-1] - columns[name][0]), 1e-4, name)  # it moves
                wanted = reached["multipliers"][name][-1]
                self.assertLessEqual(abs(columns[name][-1] - wanted), 1e-9 * max(1.0, abs(wanted)), f"{formulation} {name}")
        return reached["multipliers"]


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
        self.expect_structure(self.MODEL, 3, 4, ["1P3R", "1P3R", "1P3R", "3R"])

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
        held = self.text_of(self.MODEL)
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

    def test_power_of_the_cylinders_is_accounted_for(self):
        columns = self.run_machine("inverse", self.MODEL, "--until", "8", "--step", "0.1")
        size = max(map(abs, columns["power"]))
        self.assertGreater(size, 1e4)
        self.assertLess(max(map(abs, columns["power_balance"])), 1e-9 * size)

    def test_let_go(self):
        self.expect_agreement(MODELS / self.MODEL, ["boom.angle", "stick.angle", "bucket.T.x", "bucket.T.y", "lift.slide.q"])

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


class Hexapod(Machine):
    """The trunk goes up and down and tilts; each leg then closes by the yaw of its plane and two circles in that plane."""

    MODEL = "parts/hexapod.yaml"
    height, coxa, femur, tibia, rise = 0.12, 0.05, 0.08, 0.05, 0.05
    HIPS = {"front": (0.22 + 0.1j, 60), "middle": (0.12j, 90), "rear": (-0.22 + 0.1j, 120)}  # on the left: place, and degrees from ahead

    def led(self):
        """Six drivers on three points of the trunk."""
        text = self.text_of(self.MODEL)
        self.assertIn("C: [0, 0, = height]}", text)
        return text.replace("C: [0, 0, = height]}", "C: [0, 0, = height], ahead: [0.2, 0, = height], left: [0, 0.2, = height]}") + """
drivers:
  x:       {point: trunk.C.x, position: 0}
  y:       {point: trunk.C.y, position: 0}
  heave:   {point: trunk.C.z, position: = height + 10 mm*sin(2 rad/s*t)}
  pitch:   {point: trunk.ahead.z, position: = height + 10 mm*sin(2 rad/s*t) + 200 mm*sin(4 deg*sin(3 rad/s*t))}
  heading: {point: trunk.ahead.y, position: 0}
  roll:    {point: trunk.left.z, position: = height + 10 mm*sin(2 rad/s*t)}
"""

    def leg(self, place, heave, pitch):
        """Yaw, lift and knee. Left and right are mirror images, because the trunk does not roll."""
        hip, degrees = self.HIPS[place]
        turn = cmath.rect(1, math.radians(degrees))
        foot = hip + turn * (self.coxa + self.femur + self.tibia)
        in_trunk = complex(foot.real, -self.height - heave) * cmath.rect(1, -pitch)  # ahead and up, from C
        out = (complex(in_trunk.real, foot.imag) - hip) / turn
        reach = complex(abs(out) - self.coxa, in_trunk.imag)  # out and up, from the knee of the coxa
        femur, tibia = complex(self.femur, self.rise), complex(self.tibia, -self.height - self.rise)
        ankle = circles_meet(0, reach, abs(femur), abs(tibia), femur)
        lift, both = -cmath.phase(ankle / femur), -cmath.phase((reach - ankle) / tibia)  # what turns about the leg's y goes down
        return cmath.phase(out), lift, both - lift

    def test_mobility_and_groups(self):
        self.expect_structure(self.MODEL, 6, 6, ["1E", "1R", "1R", "1R"] + 5 * ["1E3R"])  # up one leg, then the others
        self.expect_structure(self.write(self.led()), 6, 6, ["free"] + 6 * ["1E3R"])

    def test_legs_close(self):
        names = [f"{place}.{side}.{joint}.q" for place in self.HIPS for side in ("left", "right") for joint in ("yaw", "lift", "knee")]
        for method in METHODS:
            columns = self.run_machine("kinematics", self.write(self.led()), "--until", "3", "--step", "0.05", "--outputs", ",".join(names), "--method", method)
            self.assertEqual(len(columns["t"]), 61)
            for k, t in enumerate(columns["t"]):
                angles = [self.leg(place, 0.01 * math.sin(2 * t), math.radians(4) * math.sin(3 * t)) for place in self.HIPS]
                for name, angle in zip(names, [angle for leg in angles for _ in ("left", "right") for angle in leg]):
                    self.assertAlmostEqual(columns[name][k], angle, delta=1e-10, msg=f"{method} {name} at {t}")

    def test_let_go(self):
        self.expect_agreement(self.leaning(self.led()), ["trunk.C.x", "trunk.C.y", "trunk.C.z", "front.left.knee.q", "rear.right.lift.q"])

    def test_ball_as_an_input_is_none_for_groups(self):
        done = call("simulate", MODELS / self.MODEL, "--until", "0.1", "--formulation", "groups", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^eslabon: the formulation 'groups' cannot simulate this mechanism \[.*, input 'front\.left\.foot\.rotation_1'\]: "
                                      r"expected inputs that are variables, got a rotation of a joint without scalar coordinates\. .*\n$")


class Platforms(Machine):
    def test_stewart_platform(self):
        model = "parts/stewart-platform.yaml"
        self.expect_structure(model, 6, 5, ["6C6E6P"])
        self.expect_agreement(self.leaning(self.text_of(model)), ["platform.C.x", "platform.C.y", "platform.C.z", "leg.a.stroke.q", "leg.d.stroke.q"])

    def test_stewart_platform_of_actuators(self):
        """Its legs weigh nothing: a disc that is thrown, with a spin."""
        model = "pairs/stewart-of-actuators.yaml"
        self.expect_structure(model, 6, 0, ["6J"])
        spun = self.text_of(model).replace("platform.rotation: [0, 0, 0]", "platform.rotation: [0, 0, 0], platform.wx: 2, platform.wy: -1, platform.wz: 3")
        columns = self.expect_agreement(self.leaning(spun), ["platform.C.x", "platform.C.y", "platform.C.z", "platform.e1", "platform.e3", "leg_a.q", "leg_d.q"])
        for axis, start, pull in (("x", 0, 2), ("y", 0, 3), ("z", 1.2, -9.81)):
            self.assertAlmostEqual(columns[f"platform.C.{axis}"][-1], start + pull * 0.1**2 / 2, 10)


class FrontAxle(Machine):
    def test_let_go(self):
        model = "parts/front-axle.yaml"
        corner = ["1R", "1D2E1R", "1R"]
        self.expect_structure(model, 6, 4, ["1P", "1P"] + 2 * corner)
        self.expect_agreement(self.leaning(self.text_of(model)), ["front.left.upright.C.z", "front.right.upright.C.z", "rack_slide.q", "front.left.spring.force"],
                              drift=1e-8)  # what dampers take is an integral of its own


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
