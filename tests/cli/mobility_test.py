"""Mechanisms whose mobility counting alone does not see: overconstrained ones with two degrees of freedom, idle spins of
coaxial parts, and the limit position of a ring with redundant constraints."""

import math
import re
import sys
import unittest

from program import InFolder, call, info

METHODS = [("global", "natural"), ("global", "reference-point"), ("global", "relative"),
           ("sparse", "natural"), ("sparse", "reference-point"), ("sparse", "relative"), ("groups", None)]
FORMULATIONS = [("multipliers", "natural"), ("multipliers", "relative"), ("null-space", "reference-point"),
                ("augmented-lagrangian", "natural"), ("semi-recursive", None)]

XY_STAGE = """
mechanism: crossed guides
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  a: {mass: 1, shape: {box: [0.1, 1]}, points: {O: [0, 0]}}
  b: {mass: 2, shape: {box: [1, 0.1]}, points: {O: [0, 0]}}
  p: {mass: 3, shape: {box: [0.1, 0.1]}, points: {O: [0, 0]}}
joints:
  ga: {prismatic: [ground.O, a.O], axis: [1, 0]}
  gb: {prismatic: [ground.O, b.O], axis: [0, 1]}
  ap: {prismatic: [a.O, p.O], axis: [0, 1]}
  bp: {prismatic: [b.O, p.O], axis: [1, 0]}
drivers:
  mx: {joint: ga, position: = 0.1*sin(t)}
  my: {joint: gb, position: = 0.1*cos(t)}
outputs: [p.O.x, p.O.y]
"""
DRIVERS = XY_STAGE[XY_STAGE.index("drivers:"):XY_STAGE.index("outputs:")]


def translator():
    """A platform on two legs of two parallelograms each: 1 by Grübler, 2 in truth."""
    bodies, joints = "", ""
    for side, pivot, place in (("l", "A", "L"), ("r", "B", "R")):
        for bar, length in (("a1", 0.8), ("a2", 0.8), ("b1", 1.6), ("b2", 1.6)):
            bodies += f"  {side}{bar}: {{mass: 1, shape: {{bar: [S, T]}}, points: {{S: [0, 0], T: [{length}, 0]}}}}\n"
        bodies += f"  {side}m: {{mass: 1, center_of_mass: [0, 0], inertia: 0.1, points: {{U: [0, 0], V: [0, 0.2], W: [0.2, 0]}}}}\n"
        for name, one, two in (("A1", f"ground.{pivot}1", "a1.S"), ("A2", f"ground.{pivot}2", "a2.S"),
                               ("U", f"{side}a1.T", "m.U"), ("V", f"{side}a2.T", "m.V"),
                               ("B1", f"{side}m.U", "b1.S"), ("B2", f"{side}m.W", "b2.S")):
            joints += f"  {side}{name}: {{revolute: [{one}, {side}{two}]}}\n"
        joints += f"  {side}P1: {{revolute: [{side}b1.T, p.{place}]}}\n  {side}P2: {{revolute: [{side}b2.T, p.{place}W]}}\n"
    return f"""
mechanism: planar translator
plane: xy
ground: {{points: {{A1: [-1, 0], A2: [-1, 0.2], B1: [1, 0], B2: [1, 0.2]}}}}
bodies:
{bodies}  p: {{mass: 1, center_of_mass: [0, 0], inertia: 0.1, points: {{L: [0, 0], LW: [0.2, 0], R: [0.1, 0], RW: [0.3, 0]}}}}
joints:
{joints}drivers:
  left: {{joint: lA1, position: = 2 + 0.1*sin(t)}}
  right: {{joint: rA1, position: = 1.1416 - 0.1*sin(2*t)}}
assembly: {{la1.angle: 2 rad, la2.angle: 2 rad, lm.angle: 0, lb1.angle: 0.5 rad, lb2.angle: 0.5 rad, p.angle: 0,
  ra1.angle: 1.1416 rad, ra2.angle: 1.1416 rad, rm.angle: 0, rb1.angle: 2.6 rad, rb2.angle: 2.6 rad}}
outputs: [p.L.x, p.L.y, p.angle]
"""


class Overconstrained(InFolder):
    """Drivers are as many as the rank allows, not as Grübler counts."""

    def test_crossed_guides_are_driven_by_every_method(self):
        model = self.write(XY_STAGE)
        for method, kind in METHODS:
            words = ["--method", method] + (["--coordinates", kind] if kind else [])
            done = self.move(model, *words, until="3")
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            values = self.columns()[1]
            for t, x, y in zip(values["t"], values["p.O.x"], values["p.O.y"]):
                self.assertAlmostEqual(x, 0.1 * math.sin(t), delta=1e-12)
                self.assertAlmostEqual(y, 0.1 * math.cos(t), delta=1e-12)

    def test_a_freedom_that_counting_does_not_see_is_told(self):
        unseen = "1 more by rank, which Grübler's count misses"
        undriven = XY_STAGE.replace(DRIVERS, "")
        self.assertIn(unseen, call("info", self.write(undriven)).stdout)
        for words in ("inputs: [ga, gb]\n", DRIVERS):
            self.assertNotIn(unseen, call("info", self.write(undriven + words)).stdout)

    def test_crossed_guides_have_two_inputs_and_one_redundant_row(self):
        data = info(self.write(XY_STAGE))
        self.assertEqual(data["mobility"], {"gruebler": 1, "rank": 2})
        self.assertEqual([i["name"] for i in data["inputs"]], ["ga.q", "gb.q"])
        self.assertEqual(len(data["redundant"]), 1)
        self.assertIsNone(data["drivers"]["message"])
        chosen = info(self.write(XY_STAGE.replace(DRIVERS, "inputs: [ga, gb]\n")))
        self.assertEqual([i["name"] for i in chosen["inputs"]], ["ga.q", "gb.q"])

    def test_crossed_guides_are_simulated_by_every_formulation_as_masses_say(self):
        # All move along x but b, all along y but a: the platform is thrown by constant forces.
        loads = "forces: {fx: {point: p.O, force: [8, 0]}, fy: {point: p.O, force: [0, 15]}}\n"
        model = self.write(XY_STAGE.replace(DRIVERS, loads))
        for formulation, kind in FORMULATIONS:
            words = ["--formulation", formulation] + (["--coordinates", kind] if kind else [])
            done = call("simulate", model, "--until", "1", "--every", "0.5", "--out", self.out, *words)
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            values = self.columns()[1]
            self.assertAlmostEqual(values["p.O.x"][-1], 0.5 * 8 / 4, delta=1e-7)
            self.assertAlmostEqual(values["p.O.y"][-1], 0.5 * 15 / 5, delta=1e-7)

    def test_crossed_guides_need_the_forces_of_their_masses(self):
        model = self.write(XY_STAGE)
        done = call("inverse", model, "--until", "3", "--step", "0.1", "--outputs", "mx.effort,my.effort", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        values = self.columns()[1]
        for t, fx, fy in zip(values["t"], values["mx.effort"], values["my.effort"]):
            self.assertAlmostEqual(fx, -4 * 0.1 * math.sin(t), delta=1e-9)
            self.assertAlmostEqual(fy, -5 * 0.1 * math.cos(t), delta=1e-9)

    def test_one_driver_released_the_other_goes_on(self):
        done = call("simulate", self.write(XY_STAGE), "--until", "1", "--every", "0.1", "--release", "my", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        values = self.columns()[1]
        for t, x, y in zip(values["t"], values["p.O.x"], values["p.O.y"]):
            self.assertAlmostEqual(x, 0.1 * math.sin(t), delta=1e-7)
            self.assertAlmostEqual(y, 0.1, delta=1e-9)

    def test_legs_of_parallelograms_keep_the_platform_upright(self):
        model = self.write(translator())
        for method, kind in METHODS:
            words = ["--method", method] + (["--coordinates", kind] if kind else [])
            done = self.move(model, *words, until="3")
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            values = self.columns()[1]
            for t, x, y, angle in zip(values["t"], values["p.L.x"], values["p.L.y"], values["p.angle"]):
                self.assertAlmostEqual(angle, 0, delta=1e-9)
                left, right = 2 + 0.1 * math.sin(t), 1.1416 - 0.1 * math.sin(2 * t)
                self.assertAlmostEqual(math.dist((x, y), (-1 + 0.8 * math.cos(left), 0.8 * math.sin(left))), 1.6, delta=1e-9)
                self.assertAlmostEqual(math.dist((x + 0.1, y), (1 + 0.8 * math.cos(right), 0.8 * math.sin(right))), 1.6,
                                       delta=1e-9)

    def test_a_third_driver_is_one_too_many(self):
        done = self.move(self.write(XY_STAGE.replace("outputs", "  mp: {joint: ap, position: 0}\noutputs")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("driver 'my' and driver 'mp']: expected at most 1 of these 2 here, got 2. ", done.stderr)

    def test_one_driver_is_one_too_few(self):
        done = self.move(self.write(XY_STAGE.replace("  my: {joint: gb, position: = 0.1*cos(t)}\n", "")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected 2 drivers, got 1", done.stderr)


CYLINDER = """
mechanism: hydraulic cylinder between two balls
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], A: [1, 0, 0]}}
bodies:
  arm:  {mass: 5, shape: {bar: [O, P]}, points: {O: [0, 0, 0], P: [0, 0, 1]}}
  tube: {mass: 1, shape: {cylinder: {radius: 0.05, length: 0.6, axis: [1, 0, 0], center: [0.3, 0, 0]}}, points: {A: [0, 0, 0]}}
  rod:  {mass: 1, shape: {cylinder: {radius: 0.02, length: 0.6, axis: [1, 0, 0], center: [-0.3, 0, 0]}}, points: {P: [0, 0, 0]}}
joints:
  O: {revolute: [ground.O, arm.O], axis: y}
  A: {spherical: [ground.A, tube.A]}
  C: {cylindrical: [tube.A, rod.P], axis: x}
  P: {spherical: [rod.P, arm.P]}
drivers: {cyl: {joint: C.q2, position: = sqrt(2) - 0.1*t}}
assembly: {O: 0, tube.position: [1, 0, 0], tube.rotation: [0, -135 deg, 0], rod.rotation: [0, -135 deg, 0], rod.position: [0, 0, 1]}
outputs: [O.q]
"""
UNIVERSAL_BASE = CYLINDER.replace("A: {spherical: [ground.A, tube.A]}",
                                  "A: {universal: [ground.A, tube.A], axis: {first: [0, 1, 0], second: [0, 0, 1]}}")
THREE_PARTS = (CYLINDER.replace("  rod:", "  mid:  {mass: 1, center_of_mass: [0, 0, 0], inertia: [0.01, 0.1, 0.1], points: {M: [0, 0, 0]}}\n  rod:")
               .replace("[tube.A, rod.P], axis: x}", "[tube.A, mid.M], axis: x}\n  D: {TYPE: [mid.M, rod.P], axis: x}")
               .replace("assembly: {", "assembly: {mid.position: [0.5, 0, 0.5], mid.rotation: [0, -135 deg, 0], "))


def axis_of(joint):
    return f"rotation about the axis of joint {joint}"


class IdleSpins(InFolder):
    """Spins of coaxial parts need no driver, are named and held."""

    def check(self, text, idle, length=lambda t: math.sqrt(2) - 0.1 * t):
        """The idle freedoms of a model; then its motion by every method against the law of cosines."""
        model = self.write(text)
        data = info(model)
        self.assertEqual([(i["body"], i["direction"]) for i in data["idle"]], idle)
        self.assertIsNone(data["drivers"]["message"])
        self.assertNotIn("picked", [i["origin"] for i in data["inputs"]])
        for method, kind in METHODS:
            words = ["--method", method] + (["--coordinates", kind] if kind else [])
            done = self.move(model, *words, until="3")
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            self.assertIn("Held         spin of ", done.stdout)
            values = self.columns()[1]
            for t, q in zip(values["t"], values["O.q"]):
                # |AP|² = 2 + 2 sin(−q): the arm leans towards A for positive q
                self.assertAlmostEqual(q, math.asin(1 - length(t) ** 2 / 2), delta=1e-9)
        return model

    def test_cylinder_between_balls_spins_at_both_ends(self):
        model = self.check(CYLINDER, [("tube", axis_of("C")), ("rod", axis_of("C"))])
        self.assertEqual(info(model)["mobility"], {"gruebler": 3, "rank": 3})

    def test_pushing_takes_the_force_of_the_virtual_work(self):
        model = self.write(CYLINDER)
        done = call("inverse", model, "--until", "0.1", "--step", "0.1", "--outputs", "cyl.effort", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = call("equilibrium", model)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = call("simulate", model, "--until", "0.2", "--every", "0.1", "--release", "all", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_units_do_not_matter(self):
        small = re.sub(r"\[(-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\](?=[,}])", r"[\1 mm, \2 mm, \3 mm]", CYLINDER)
        small = small.replace("axis: [1 mm, 0 mm, 0 mm]", "axis: [1, 0, 0]").replace("gravity: [0 mm, 0 mm, -9.81 mm]", "gravity: [0, 0, -9.81]")
        small = small.replace("length: 0.6", "length: 0.6 mm").replace("radius: 0.05", "radius: 0.05 mm").replace("radius: 0.02", "radius: 0.02 mm")
        small = small.replace("= sqrt(2) - 0.1*t", "= (sqrt(2) - 0.1*t)/1000")
        self.check(small, [("tube", axis_of("C")), ("rod", axis_of("C"))])

    def test_slide_between_balls_spins_as_a_whole(self):
        text = CYLINDER.replace("C: {cylindrical", "C: {prismatic").replace("C.q2", "C.q")
        self.check(text, [("tube", "rotation about the line from tube.A to rod.P")])

    def test_rod_on_a_universal_base_spins_alone(self):
        model = self.check(UNIVERSAL_BASE, [("rod", axis_of("C"))])
        for formulation in ("groups", "semi-recursive", "multipliers"):
            done = call("simulate", model, "--until", "0.2", "--every", "0.1", "--release", "all", "--formulation", formulation,
                        "--out", self.out)
            self.assertEqual(done.returncode, 0, (formulation, done.stderr))

    def test_universal_joint_with_an_axis_along_the_rod_lets_it_spin(self):
        text = CYLINDER.replace("P: {spherical: [rod.P, arm.P]}", "P: {universal: [arm.P, rod.P], axis: {first: [0, 1, 0], second: [1, 0, 0]}}")
        self.check(text, [("tube", axis_of("C")), ("rod", axis_of("C"))])

    def test_three_coaxial_parts_spin_one_by_one(self):
        drivers = "drivers: {cyl: {joint: C.q2, position: = sqrt(2)/2 - 0.05*t}, more: {joint: D.q2, position: = sqrt(2)/2 - 0.05*t}}"
        text = THREE_PARTS.replace("TYPE", "cylindrical").replace("drivers: {cyl: {joint: C.q2, position: = sqrt(2) - 0.1*t}}", drivers)
        self.check(text, [("tube", axis_of("C")), ("mid", axis_of("C")), ("rod", axis_of("D"))])
        self.check(text.replace("D: {cylindrical", "D: {prismatic").replace("D.q2", "D.q"),
                   [("tube", axis_of("C")), ("mid", axis_of("C"))])

    def test_swivel_in_a_strut_spins_at_both_sides(self):
        text = (THREE_PARTS.replace("TYPE", "revolute").replace("[mid.M, rod.P]", "[mid.N, rod.P]")
                .replace("points: {M: [0, 0, 0]}", "points: {M: [0, 0, 0], N: [0.5, 0, 0]}").replace("= sqrt(2) - 0.1*t", "= sqrt(2) - 0.5 - 0.1*t"))
        self.check(text, [("tube", axis_of("C")), ("mid", axis_of("C")), ("rod", axis_of("D"))])

    def test_ball_beside_the_axis_spins_with_its_part(self):
        text = (CYLINDER.replace("points: {P: [0, 0, 0]}}", "points: {P: [0, 0.1, 0], Q: [0, 0, 0]}}")
                .replace("[tube.A, rod.P], axis", "[tube.A, rod.Q], axis"))
        self.check(text, [("tube", axis_of("C")), ("rod", "rotation about the line from tube.A to rod.P")],
                   length=lambda t: math.hypot(math.sqrt(2) - 0.1 * t, 0.1))

    def test_axis_beside_both_balls_leaves_a_useful_rotation(self):
        text = (CYLINDER.replace("points: {P: [0, 0, 0]}}", "points: {P: [0, 0.1, 0], Q: [0, 0, 0]}}")
                .replace("points: {A: [0, 0, 0]}}", "points: {A: [0, 0.2, 0], B: [0, 0, 0]}}")
                .replace("[tube.A, rod.P], axis", "[tube.B, rod.Q], axis"))
        data = info(self.write(text))
        self.assertEqual([i["direction"] for i in data["idle"]], ["rotation about the line from tube.A to rod.P"])
        self.assertIsNone(data["drivers"]["message"])  # inertia moves the rest

    def test_driven_rotation_of_the_rod_is_none(self):
        text = CYLINDER.replace("drivers: {cyl", "drivers: {turn: {joint: C.q1, position: = 0.3*t}, cyl")
        self.check(text, [("tube", "rotation about the line from tube.A to rod.P")])

    def test_hinge_and_wheel_are_none(self):
        wheel = CYLINDER.replace("joints:", "joints:\n  W: {revolute: [arm.P, wheel.H], axis: y}").replace(
            "  rod:", "  wheel: {mass: 1, center_of_mass: [0, 0, 0], inertia: [0.1, 0.2, 0.1], points: {H: [0, 0, 0]}}\n  rod:")
        data = info(self.write(wheel))
        self.assertEqual([i["body"] for i in data["idle"]], ["tube", "rod"])
        self.assertIsNone(data["drivers"]["message"])  # inertia moves the rest


def ring(n=6, fold=math.radians(20), drive="= R0 - 0.3*sin(t)"):
    """A ring of 2n angulated bars on n scissors [Hoberman]: C_i lies at the radius 2 cos(fold), 2 at most."""
    turn = 2 * math.pi / n
    inner = [math.cos(math.pi - turn), -math.sin(math.pi - turn)]
    radius = 2 * math.cos(fold)
    bodies, joints, start = "", "", []
    for i in range(n):
        j = (i + 1) % n
        for name, sign in (("A", 1), ("B", -1)):
            bodies += (f"  {name}{i}: {{mass: 1, center_of_mass: C, inertia: 0.1, "
                       f"points: {{C: [0, 0], E: [1, 0], I: [{inner[0]!r}, {sign * inner[1]!r}]}}}}\n")
            start.append(f"{name}{i}.angle: {i * turn - sign * (math.pi / 2 + math.radians(10))!r}")
        joints += f"  C{i}: {{revolute: [A{i}.C, B{i}.C]}}\n"
        joints += f"  E{j}: {{revolute: [A{j}.E, B{i}.E]}}\n  I{j}: {{revolute: [B{j}.I, A{i}.I]}}\n"
    for i in range(0, n, 2):
        ray = f"[{math.cos(i * turn)!r}, {math.sin(i * turn)!r}]"
        bodies += f"  S{i}: {{mass: 0.1, shape: {{box: [0.1, 0.1]}}, points: {{O: [0, 0]}}}}\n"
        joints += f"  G{i}: {{prismatic: [ground.O, S{i}.O], axis: {{first: {ray}, second: [1, 0]}}}}\n"
        joints += f"  H{i}: {{revolute: [S{i}.O, A{i}.C]}}\n"
        start += [f"S{i}.angle: {i * turn!r}", f"G{i}: {radius!r}"]
    return (f"mechanism: ring of scissors\nplane: xy\nparameters: {{R0: {radius!r}}}\nground: {{points: {{O: [0, 0]}}}}\n"
            f"bodies:\n{bodies}joints:\n{joints}drivers: {{m: {{joint: G0, position: {drive}}}}}\n"
            f"assembly: {{{', '.join(start)}}}\noutputs: [G0.q]\n")


class LimitOfARing(InFolder):
    """Wide open the ring loses several ranks at once: a limit position all the same."""

    def test_wide_open_is_a_limit_for_every_method(self):
        model = self.write(ring())
        for method, kind in METHODS:
            words = ["--method", method] + (["--coordinates", kind] if kind else [])
            done = self.move(model, *words, until="6", step="0.01")
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("driver 'm', joint '", done.stderr, words)
            self.assertIn("the motion ends early at a singular position", done.stderr)
            self.assertIn("driver 'm' cannot go beyond t = ", done.stderr)
            self.assertNotIn("smaller step", done.stderr)
            self.assertAlmostEqual(float(re.search(r"G0\.q = ([\d.]+) m", done.stderr)[1]), 2, delta=1e-7)

    def test_other_speeds_and_steps_find_the_same_limit(self):
        for drive, step in (("= R0 + 0.01*t", "0.5"), ("= R0 + 5*t", "0.001"), ("= R0 + 0.2*t^2", "0.05")):
            done = self.move(self.write(ring(drive=drive)), until="20", step=step)
            self.assertEqual(done.returncode, 1, drive)
            self.assertAlmostEqual(float(re.search(r"driver 'm' cannot go beyond .*G0\.q = ([\d.]+) m", done.stderr)[1]), 2, delta=1e-7)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
