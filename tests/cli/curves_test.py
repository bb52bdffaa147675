"""Curves and cams: mobility, groups, motions, forces and energy of followers, against closed forms written out here alone."""

import cmath
import json
import math
import re
import sys
import unittest

from pairs_test import FORMULATIONS, METHODS, Machine
from program import MODELS, call


def turned(points):
    return ", ".join(f"[{x:.12f}, {y:.12f}]" for x, y in points)


class RollerCam(Machine):
    """3-4-5 law: Rb + r + s(x), with x the angle of the cam."""
    MODEL = "cam-roller.yaml"
    Rb, r, h, rise = 0.030, 0.008, 0.015, math.radians(120)

    def lift(self, x):
        """s, ds/dx, d²s/dx²"""
        def law(u):
            return (10 * u**3 - 15 * u**4 + 6 * u**5, (30 * u**2 - 60 * u**3 + 30 * u**4) / self.rise,
                    (60 * u - 180 * u**2 + 120 * u**3) / self.rise**2)
        x %= 2 * math.pi
        if x < self.rise:
            return [self.h * value for value in law(x / self.rise)]
        x -= self.rise
        if x < math.radians(60):
            return [self.h, 0.0, 0.0]
        x -= math.radians(60)
        if x < self.rise:
            s, v, a = law(x / self.rise)
            return [self.h * (1 - s), -self.h * v, -self.h * a]
        return [0.0, 0.0, 0.0]

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1P1V"])

    def test_follower_does_what_the_law_says(self):
        """The points are every 2 deg, s''' jumps where rise and return begin and end: the lift is right to 2e-7 m."""
        w = 4 * math.pi
        for method in METHODS:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "1", "--step", "0.003", "--method", method)
            laws = [self.lift(x) for x in columns["O.q"]]
            self.expect_close(columns, "guide.q", [self.Rb + self.r + s for s, _, _ in laws], 2e-7)
            self.expect_close(columns, "guide.v", [w * v for _, v, _ in laws], 2e-4)
            self.expect_close(columns, "guide.a", [w**2 * a for _, _, a in laws], 0.2)  # of 14 m/s²

    def test_lift_comes_nearer_to_the_law_with_finer_points(self):
        """By the fourth power where the law is smooth: rows in the middle of the rise."""
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        begin, end = text.index("points: [\n"), text.index("  follower:")
        errors = []
        for count in (45, 90, 180):
            points = []
            for k in range(count):
                a = 2 * math.pi * k / count
                s, v, _ = self.lift(math.pi / 2 - a)
                rho = self.Rb + self.r + s
                centre, along = rho * cmath.exp(1j * a), complex(-v, rho) * cmath.exp(1j * a)
                point = centre + self.r * 1j * along / abs(along)  # inwards, to the left of the way
                points.append((point.real, point.imag))
            path = self.write(text[:begin] + f"points: [{turned(points)}]\n" + text[end:])
            columns = self.run_machine("kinematics", path, "--until", "0.5", "--step", "0.0005")
            errors.append(max(abs(q - self.Rb - self.r - self.lift(x)[0]) for q, x in zip(columns["guide.q"], columns["O.q"])
                              if math.radians(30) < x < math.radians(90)))
        self.assertGreater(errors[0] / errors[1], 12)
        self.assertGreater(errors[1] / errors[2], 12)

    def test_force_is_along_the_normal_and_shows_the_pressure_angle(self):
        """tan(pressure angle) = s'/(Rb + r + s); upwards it carries weight, spring and inertia."""
        columns = self.run_machine("inverse", self.MODEL, "--until", "0.5", "--step", "0.002")
        for k, x in enumerate(columns["O.q"]):
            s, v, a = self.lift(x)
            up = 0.3 * (9.81 + (4 * math.pi)**2 * a) + 2500 * (self.Rb + self.r + s - 0.02)
            self.assertLessEqual(abs(columns["touch.fy"][k] - up), 0.08)
            self.assertLessEqual(abs(columns["touch.fx"][k] / columns["touch.fy"][k] + v / (self.Rb + self.r + s)), 2e-4)
            power = columns["touch.fy"][k] * columns["guide.v"][k]  # of the cam on the follower
            weight = 1.2 * 9.81 * 0.004 * math.sin(x) * 4 * math.pi  # what the cam's own weight gives
            self.assertAlmostEqual(columns["motor.effort"][k] * 4 * math.pi + weight, power, 9)


    def test_velocity_coefficients_are_the_derivatives_of_the_law(self):
        """K = ds/dx, L = d²s/dx² of the follower by the cam."""
        results, self.out = self.out, self.folder / "coefficients.csv"
        done = call("kinematics", MODELS / "pairs" / self.MODEL, "--until", "0.5", "--step", "0.01", "--out", results, "--coefficients", self.out,
                    "--outputs", "O.q")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.columns()[1]
        self.out = results
        for k, x in enumerate(self.columns()[1]["O.q"]):
            _, K, L = self.lift(x)
            self.assertLessEqual(abs(found["follower.vy/O.q"][k] - K), 2e-5)
            self.assertLessEqual(abs(found["follower.ay/O.q/O.q"][k] - L), 2e-3)


class FlatCam(Machine):
    """The height of the cam over its axis, seen along the direction x of it: H = 25 mm + 4 mm (1 − cos 2x)."""
    MODEL = "cam-flat.yaml"

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1P1U"])

    def test_face_follows_the_height(self):
        w = 5 * math.pi
        for method in METHODS:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "0.8", "--step", "0.004", "--method", method)
            across = [math.pi / 2 - q for q in columns["O.q"]]
            self.expect_close(columns, "guide.q", [0.025 + 0.004 * (1 - math.cos(2 * x)) for x in across], 1e-8)
            self.expect_close(columns, "guide.v", [-w * 0.008 * math.sin(2 * x) for x in across], 1e-5)
            self.expect_close(columns, "guide.a", [w**2 * 0.016 * math.cos(2 * x) for x in across], 2e-2)  # of 4 m/s²

    def test_force_acts_at_the_contact(self):
        """It is along the guide, H'(x) beside the axis: the torque of the motor, and the moment of the guide."""
        columns = self.run_machine("inverse", self.MODEL, "--until", "0.4", "--step", "0.004")
        for k, q in enumerate(columns["O.q"]):
            x = math.pi / 2 - q
            force = -columns["touch.fy"][k]  # of the cam on the follower
            up = 0.25 * (9.81 + columns["guide.a"][k]) + 3000 * (columns["guide.q"][k] - 0.01)
            self.assertAlmostEqual(force, up, 9)
            self.assertAlmostEqual(columns["touch.fx"][k], 0.0, 9)
            aside = -0.008 * math.sin(2 * x)  # −H': the contact is on the left where the height grows with x
            self.assertAlmostEqual(columns["motor.effort"][k], force * aside, delta=5e-6)  # 0.2 µm of the place of a spline
            self.assertAlmostEqual(columns["guide.mz"][k], -force * aside, delta=5e-6)


class RockerCam(Machine):
    """Centre of the disc, centre of the roller and both hinges are a four-bar linkage."""
    MODEL = "cam-rocker.yaml"

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1R1V"])

    def test_arm_moves_as_the_rocker_of_a_four_bar(self):
        for method in METHODS:
            columns = self.run_machine("kinematics", self.MODEL, "--until", "4", "--step", "0.05", "--method", method)
            for k, q in enumerate(columns["O.q"]):
                C = 0.012 * cmath.exp(1j * q)
                way = 0.08 - C
                along = (0.036**2 - 0.07**2 + abs(way)**2) / (2 * abs(way))
                roller = C + way / abs(way) * complex(along, math.sqrt(0.036**2 - along**2))
                self.assertAlmostEqual(math.remainder(columns["B.q"][k] - cmath.phase(roller - 0.08), 2 * math.pi), 0.0, 6)
                angle = cmath.phase((roller - C) / cmath.exp(1j * q)) % (2 * math.pi)  # where on the disc
                self.assertAlmostEqual(math.remainder(columns["touch.q1"][k] / (72 * 0.06 * math.sin(math.pi / 72)) * 2 * math.pi - angle,
                                                      2 * math.pi), 0.0, 4)
                self.assertAlmostEqual(math.remainder(columns["touch.q2"][k] - columns["B.q"][k] + q, 2 * math.pi), 0.0, 9)


class Tautochrone(Machine):
    """On a cycloid of circles of radius a the height is H cos²(ω t), ω = √(g/a)/2, from whatever height."""
    MODEL = "tautochrone.yaml"

    def test_mobility(self):
        self.expect_mobility(self.MODEL, 2, ["1V"])

    def test_swings_in_one_time_from_every_height(self):
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        w = math.sqrt(9.81 / 0.1) / 2
        for start in ("140 mm", "300 mm", "590 mm"):
            path = self.write(text.replace("touch.q1: 140 mm", f"touch.q1: {start}"))
            for formulation in FORMULATIONS:
                columns = self.run_machine("simulate", path, "--until", "1.2", "--every", "0.02", "--formulation", formulation, "--rtol", "1e-11",
                                           "--atol", "1e-12")
                H = columns["bead.C.y"][0]
                self.expect_close(columns, "bead.C.y", [H * math.cos(w * t)**2 for t in columns["t"]], 3e-5 * H)
                self.expect_close(columns, "touch.q2", [t for t in columns["t"]], 1e-9)  # it turns as it will


class InvoluteTeeth(Machine):
    """Base circles that roll off each other: the ratio of speeds is that of the numbers of teeth, along one line of action."""
    MODEL = "involute-teeth.yaml"
    z1, z2, module, pressure = 20, 30, 0.004, math.radians(20)

    def with_points(self, count):
        text = (MODELS / "pairs" / self.MODEL).read_text(encoding="utf-8")
        for teeth, first, last in ((self.z1, 0.1, 0.8), (self.z2, 0.08, 0.55)):
            r = self.module * teeth / 2 * math.cos(self.pressure)
            rolled = [first + (last - first) * k / (count - 1) for k in range(count)]
            points = [(r * (math.cos(x) + x * math.sin(x)), r * (math.sin(x) - x * math.cos(x))) for x in rolled]
            begin = text.index("points: [\n")
            end = text.index("]]\n", begin) + 3
            text = text[:begin] + f"points : [{turned(points)}]\n" + text[end:]
        return self.write(text.replace("points :", "points:"))

    def test_mobility_and_groups(self):
        self.expect_mobility(self.MODEL, 1, ["1R", "1B1R"])

    def test_speeds_keep_their_ratio_to_the_accuracy_of_the_spline(self):
        """It falls with the fourth power of the distance of the points, that of speeds with the third."""
        errors, rates = [], []
        inv = math.tan(self.pressure) - self.pressure
        for count in (8, 15, 29):
            columns = self.run_machine("kinematics", self.with_points(count), "--until", "3", "--step", "0.004")
            wanted = [math.pi - inv - (q + inv) * self.z1 / self.z2 for q in columns["A.q"]]
            errors.append(max(abs(math.remainder(q - w, 2 * math.pi)) for q, w in zip(columns["B.q"], wanted)))
            rates.append(max(abs(v - 0.4 * math.sin(2 * t) * self.z1 / self.z2) for v, t in zip(columns["B.v"], columns["t"])))
        for finer, coarser in zip(errors[1:], errors):
            self.assertGreater(coarser / finer, 10)
        for finer, coarser in zip(rates[1:], rates):
            self.assertGreater(coarser / finer, 5)
        self.assertLess(errors[-1], 1e-7)

    def test_all_methods_agree(self):
        runs = [self.run_machine("kinematics", self.MODEL, "--until", "3", "--step", "0.05", "--method", method) for method in METHODS]
        for run in runs[1:]:
            for name in ("B.q", "B.v", "B.a", "mesh.q1", "mesh.q2"):
                self.expect_close(run, name, runs[0][name], 1e-9)

    def test_force_is_on_the_line_of_action(self):
        """20 deg from the tangent at the pitch point, times the base circle the load's torque."""
        columns = self.run_machine("inverse", self.MODEL, "--until", "3", "--step", "0.05")
        r = self.module * self.z2 / 2 * math.cos(self.pressure)
        for k in range(len(columns["t"])):
            torque = 1.1 * 0.06**2 / 2 * columns["B.a"][k] + 2 * columns["B.v"][k]  # on the large wheel
            force = torque / r
            self.assertLessEqual(abs(columns["mesh.fx"][k] - force * math.sin(self.pressure)), 1e-4 * max(1.0, abs(force)))
            self.assertLessEqual(abs(columns["mesh.fy"][k] + force * math.cos(self.pressure)), 1e-4 * max(1.0, abs(force)))


class Released(Machine):
    def test_formulations_agree_and_keep_energy(self):
        """Whole machines that are let go: one motion by five formulations, and no energy lost. k' of a spline jumps from cubic to cubic,
        accelerations do not: where they do a step of order 5 is none, so its tolerance is ten times smaller than elsewhere."""
        for model, watched in (("cam-roller.yaml", "O.q"), ("cam-flat.yaml", "O.q"), ("cam-rocker.yaml", "O.q"), ("tautochrone.yaml", "touch.q1")):
            text = re.sub(r"drivers: .*\n", "", (MODELS / "pairs" / model).read_text(encoding="utf-8"))
            text = re.sub(r", [\w.]*[fm][xyz]\b|, motor.effort", "", text)
            path = self.write(text.replace("assembly: {", "assembly: {O.q: 40 deg, O.v: 6 rad/s, ") if watched == "O.q" else text)
            reached = {}
            for formulation in FORMULATIONS:
                done = call("simulate", path, "--until", "0.3", "--every", "0.3", "--formulation", formulation, "--outputs", watched, "--rtol",
                            "1e-13", "--atol", "1e-13", "--out", self.out, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertLess(json.loads(done.stdout)["energy"]["drift"], 1e-9, f"{model} {formulation}")
                reached[formulation] = self.columns()[1][watched][-1]
            for formulation, value in reached.items():
                self.assertLessEqual(abs(value - reached["multipliers"]), 1e-9 * max(1.0, abs(value)), f"{model} {formulation}")


class AlongTheCurve(Machine):
    """Drivers, springs and stops of the place."""

    def test_bead_can_be_driven(self):
        text = (MODELS / "pairs" / "tautochrone.yaml").read_text(encoding="utf-8")
        path = self.write(text.replace("assembly:", 'drivers: {d: {joint: touch.q1, position: "= 0.3 + 0.2*sin(2*t)"}, e: {joint: touch.q2, position: 0}}\nassembly:')
                          .replace(", bead.rate: 1 rad/s", "").replace("outputs: [", "outputs: [d.effort, bead.C.vx, bead.C.vy, bead.C.ax, bead.C.ay, "))
        for method in METHODS:
            columns = self.run_machine("kinematics", path, "--until", "3", "--step", "0.05", "--method", method, "--outputs", "touch.q1,touch.v1,touch.a1")
            self.expect_close(columns, "touch.q1", [0.3 + 0.2 * math.sin(2 * t) for t in columns["t"]], 1e-10)
            self.expect_close(columns, "touch.v1", [0.4 * math.cos(2 * t) for t in columns["t"]], 1e-9)
            self.expect_close(columns, "touch.a1", [-0.8 * math.sin(2 * t) for t in columns["t"]], 1e-8)
        columns = self.run_machine("inverse", path, "--until", "3", "--step", "0.05")
        for k in range(len(columns["t"])):  # the driver does the work of the motion
            power = 0.05 * (columns["bead.C.vx"][k] * columns["bead.C.ax"][k] + columns["bead.C.vy"][k] * (columns["bead.C.ay"][k] + 9.81))
            self.assertAlmostEqual(columns["d.effort"][k] * columns["touch.v1"][k], power, 10)

    def test_spring_and_stop_along_the_curve(self):
        text = (MODELS / "pairs" / "tautochrone.yaml").read_text(encoding="utf-8")
        path = self.write(text.replace("assembly:", "springs: {s: {joint: touch.q1, stiffness: 8 N/m, free_length: 0.3}}\n"
                                       "stops: {end: {joint: touch.q1, upper: 0.4, stiffness: 200 N/m}}\nassembly:"))
        reached = {}
        for formulation in FORMULATIONS:
            done = call("simulate", path, "--until", "0.7", "--every", "0.7", "--formulation", formulation, "--outputs", "touch.q1", "--rtol", "1e-13",
                        "--atol", "1e-14", "--out", self.out, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(json.loads(done.stdout)["energy"]["drift"], 1e-9, formulation)
            reached[formulation] = self.columns()[1]["touch.q1"][-1]
        for formulation, value in reached.items():
            self.assertLessEqual(abs(value - reached["multipliers"]), 1e-9, formulation)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
