"""Outputs that are formulas of variables: examples of the documents, run; units; wrong formulas; and where else a formula is asked for."""

import csv
import math
import re
import subprocess
import sys
import unittest

from program import SOURCE, InFolder, call


def example():
    text = (SOURCE / "docs" / "mechanism-file.md").read_text(encoding="utf-8")
    return re.search(r"^```yaml\n(mechanism: four-bar with formulas\n.*?)^```", text, re.M | re.S)[1]


def with_outputs(outputs):
    return re.sub(r"(?s)^outputs:.*", "outputs: " + outputs + "\n", example(), flags=re.M)


class Formulas(InFolder):
    def run_example(self, command, *words, until="3", model=None):
        done = call(command, self.write(model or example()), "--until", until, *words, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.columns()

    def test_formulas_are_columns_with_units(self):
        units, columns = self.run_example("simulate", "--every", "0.5", "--outputs",
                                          "A.q,twist,transmission,ratio,height,power,B.q,B.v,A.v,motor.effort,coupler.K.y,rocker.Q.y,"
                                          "coupler.angle,rocker.angle")
        self.assertEqual([units[name] for name in ("twist", "transmission", "ratio", "height", "power")],
                         ["rad", "rad", "1", "m", "W"])
        for k in range(len(columns["t"])):
            at = {name: column[k] for name, column in columns.items()}
            self.assertAlmostEqual(at["twist"], at["A.q"] - at["B.q"], delta=1e-14)
            self.assertAlmostEqual(at["ratio"], at["B.v"] / at["A.v"], delta=1e-14)
            self.assertAlmostEqual(at["height"], at["coupler.K.y"] - at["rocker.Q.y"] + 0.01, delta=1e-14)
            self.assertAlmostEqual(at["power"], at["motor.effort"] * at["A.v"], delta=1e-12)
            turn = at["rocker.angle"] - at["coupler.angle"]
            self.assertAlmostEqual(math.remainder(at["transmission"] - turn, 2 * math.pi), 0.0, delta=1e-12)
        self.assertGreater(max(columns["A.q"]), math.pi + 1)  # beyond half a turn, in the formula too

    def test_kinematics_leaves_out_formulas_of_forces(self):
        done = call("kinematics", self.write(example()), "--until", "1", "--step", "0.1", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out: power: kinematics computes no forces", done.stderr)
        self.assertEqual(list(self.columns()[1])[:6], ["t", "A.q", "twist", "transmission", "ratio", "height"])

    def test_a_formula_of_a_released_driver_goes(self):
        _, columns = self.run_example("simulate", "--release", "all", until="0.01",
                                      model=with_outputs("{twist: = A.q - B.q, power: = motor.effort*A.v}"))
        self.assertNotIn("power", columns)
        self.assertIn("twist", columns)

    def test_wrong_formulas_say_what_is_wrong(self):
        for formula, message in (
                ("= A.q + coupler.K.x", "'+' mixes different kinds"),
                ("= A.p", "no such variable"),
                ("= twist2", "no such variable"),
                ("= A.q + t", "the time 't' is not known here"),
                ("= angle(coupler.along)", "the function 'angle' has the wrong number of arguments"),
                ("= angle(coupler.K, rocker.along)", "an axis is missing"),
                ("A.q", "a formula is missing"),
                ("= sqrt(coupler.K.x)", "a square root of a length")):
            done = call("info", self.write(with_outputs("{wrong: '" + formula + "'}")))
            self.assertEqual(done.returncode, 2, formula)
            self.assertIn(message, done.stderr, formula)
        done = call("info", self.write(with_outputs("{crank: = A.q}")))
        self.assertIn("an element has the name of a formula", done.stderr)

    def test_a_formula_without_a_value_ends_the_run_with_its_name(self):
        done = call("kinematics", self.write(with_outputs("{bad: = 1/(coupler.K.x - coupler.K.x)}")), "--until", "1", "--step",
                    "0.1", "--out", self.out)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bad", done.stderr)

    def test_directions_and_euler_angles_in_space(self):
        model = """mechanism: arm
ground: {points: {O: [0, 0, 0]}, axes: {up: [0, 0, 1]}}
bodies: {arm: {points: {O: [0, 0, 0]}, axes: {spin: [0, 2, 0]}}}
joints: {A: {revolute: [ground.O, arm.O], axis: [0, 0, 1]}}
drivers: {motor: {joint: A, position: '= 0.3 + t'}}
outputs: [arm.spin.x, arm.spin.y, arm.euler_zyx_1, arm.euler_xyz_3, {tilt: '= angle(arm.spin, ground.up)'}]
"""
        _, columns = self.run_example("kinematics", "--step", "0.5", until="4", model=model)
        for t, x, y, yaw, third, tilt in zip(columns["t"], columns["arm.spin.x"], columns["arm.spin.y"], columns["arm.euler_zyx_1"],
                                             columns["arm.euler_xyz_3"], columns["tilt"]):
            self.assertAlmostEqual(x, -math.sin(0.3 + t), delta=1e-12)
            self.assertAlmostEqual(y, math.cos(0.3 + t), delta=1e-12)
            self.assertAlmostEqual(yaw, 0.3 + t, delta=1e-12)
            self.assertAlmostEqual(third, 0.3 + t, delta=1e-12)
            self.assertAlmostEqual(tilt, math.pi / 2, delta=1e-12)


class Elsewhere(InFolder):
    """A mass on a spring, whose formulas are asked for by other commands than those that move it."""

    TEXT = """mechanism: mass
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {mass: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}}
joints: {slide: {prismatic: [ground.O, mass.P], axis: x}}
springs: {s: {joint: slide, stiffness: 48, free_length: 0.1, damping: 6}}
parameters: {q: 0.3}
assembly: {slide.q: = q, slide.v: 0.4}
sensors: {e: {reads: slide.q, rate: 100 Hz, noise: 1 mm}}
outputs: {area: = slide.q^2, momentum: = 3 kg*slide.v, twice: = 2*slide.a, pull: = s.force*slide.v}
"""

    def done(self, *words):
        done = call(*words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            names, _, *rows = csv.reader(file)
        return [dict(zip(names, map(float, row))) for row in rows]

    def test_modes_are_told_by_formulas(self):
        """dv/dt = -16 (q - 0.1) - 2 v, at q = 0.3 and v = 0.4; pull = (48 (q - 0.1) + 6 v) v."""
        self.done("modes", self.write(self.TEXT), "--at", "start", "--inputs", "slide.q", "--outputs", "area,momentum,twice,pull", "--out", self.folder / "m.csv")
        for matrix, expected in (("C", [[0.6, 0], [0, 3], [-32, -4], [48 * 0.4, 48 * 0.2 + 12 * 0.4]]), ("D", [[0], [0], [2 / 3], [0]])):
            with open(self.folder / f"m.{matrix}.csv", newline="", encoding="utf-8") as file:
                _, *rows = csv.reader(file)
            self.assertEqual([row[0] for row in rows], ["area", "momentum", "twice", "pull"])
            for row, wanted in zip(rows, expected):
                for value, number in zip(row[1:], wanted, strict=True):
                    self.assertAlmostEqual(float(value), number, delta=1e-9)

    def test_exported_code_has_formulas(self):
        folder = self.folder / "code"
        self.done("export", self.write(self.TEXT), "--outputs", "momentum,area,pull", "--language", "c", "--name", "m", "--out", folder)
        (folder / "run.c").write_text("""#include "m.h"
#include <stdio.h>
int main(void)
{
  double x[M_X] = {0.7, -0.2}, y[M_OUTPUTS], w[M_WORK];
  if (m_outputs(x, m_start_u, m_default_p, y, w) == 0) printf("%.17g %.17g %.17g\\n", y[0], y[1], y[2]);
  return 0;
}
""", encoding="ascii")
        for words in (["gcc", "m.c", "run.c", "-o", "run", "-lm"], ["./run"]):
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=100, check=True)
        momentum, area, pull = map(float, done.stdout.split())
        self.assertAlmostEqual(momentum, -0.6, delta=1e-15)
        self.assertAlmostEqual(area, 0.49, delta=1e-15)
        self.assertAlmostEqual(pull, (48 * 0.6 - 6 * 0.2) * -0.2, delta=1e-13)

    def test_estimates_have_formulas_with_their_deviations(self):
        model, readings = self.write(self.TEXT), self.folder / "readings.csv"
        self.done("sense", model, "--until", "0.3", "--out", readings)
        self.done("estimate", model, "--measurements", readings, "--outputs", "slide.q,slide.v,area,momentum,pull", "--out", self.out)
        rows = self.rows("out.csv")
        self.assertEqual(len(rows), 301)
        for row in rows[1:]:
            self.assertAlmostEqual(row["area"], row["slide.q"]**2, delta=1e-15)
            self.assertAlmostEqual(row["area.sigma"], 2 * row["slide.q"] * row["slide.q.sigma"], delta=1e-9)
            self.assertAlmostEqual(row["momentum"], 3 * row["slide.v"], delta=1e-15)
            self.assertAlmostEqual(row["pull"], (48 * (row["slide.q"] - 0.1) + 6 * row["slide.v"]) * row["slide.v"], delta=1e-12)
            self.assertAlmostEqual(row["momentum.sigma"], 3 * row["slide.v.sigma"], delta=1e-9)

    def test_sensors_read_formulas(self):
        model = self.write(self.TEXT.replace("sensors: {", "sensors: {far: {reads: area, rate: 10 Hz, noise: 1e-9 m^2}, jerky: {reads: twice, rate: 10 Hz}, "))
        readings, truth = self.folder / "readings.csv", self.folder / "truth.csv"
        words = ("--outputs", "slide.q,slide.v,slide.a,area,twice")
        self.done("simulate", model, "--until", "0.3", "--every", "1 ms", *words, "--out", truth)
        self.done("sense", model, "--truth", truth, "--sensors", "jerky", "--out", readings)
        for row in self.rows("readings.csv"):
            expected = next(r for r in self.rows("truth.csv") if abs(r["t"] - 1e-9 * row["t_ns"]) < 1e-7)
            self.assertAlmostEqual(row["jerky"], expected["twice"], delta=1e-8)
        # With the area alone, and a model that starts elsewhere, the position is found: its deviation falls by the derivative 2 q.
        self.done("sense", model, "--until", "0.3", "--sensors", "far", "--out", readings)
        self.done("estimate", model, "--measurements", readings, "--sensors", "far", "--outputs", "slide.q,area", "--set", "q=0.31", "--out", self.out)
        wrong, last = self.rows("out.csv")[0], self.rows("out.csv")[-1]
        true = self.rows("truth.csv")[-1]["slide.q"]
        self.assertGreater(abs(wrong["slide.q"] - 0.3), 9e-3)
        self.assertLess(abs(last["slide.q"] - true), 1e-6)
        self.assertLess(last["slide.q.sigma"], 1e-6)

    def test_a_sensor_of_a_formula_is_written_and_goes_with_the_effort_of_a_driver(self):
        text = re.sub("(?m)^outputs:", "sensors: {one: {reads: power, noise: 1 W}, two: {reads: twist, noise: 1 deg}}\noutputs:", example())
        model = self.write(text)
        flat = call("flatten", model).stdout
        self.assertIn("two: {reads: twist, noise: 0.01745", flat)
        self.assertEqual(call("flatten", self.write(flat, "flat.yaml")).stdout, flat)
        self.done("sense", model, "--until", "0.1", "--release", "all", "--sensors", "two", "--out", self.folder / "readings.csv")
        self.assertEqual(set(self.rows("readings.csv")[0]), {"t_ns", "two"})

    def study(self, goals):
        self.write(self.TEXT)
        return self.write(f"study: goals\nmodel: model.yaml\ntruth: {{until: 0.3 s}}\noptions: {{step: 10 ms}}\ntries: 2\nconverged: {goals}\n", "study.yaml")

    def test_goals_of_a_study_are_formulas(self):
        self.done("study", self.study("{slide.q: 1, slide.v: 1, area: 1e-5 m^2, momentum: 1 kg*m/s, pull: 1 W}"), "--out", self.folder)
        rows = self.rows("results.csv")
        self.assertEqual(len(rows), 2)
        for row in rows:
            for place in ("start", "end", "estimate"):
                self.assertAlmostEqual(row[f"area.{place}"], row[f"slide.q.{place}"]**2, delta=1e-15)
                self.assertAlmostEqual(row[f"momentum.{place}"], 3 * row[f"slide.v.{place}"], delta=1e-15)
            self.assertAlmostEqual(row["area.error"], row["area.estimate"] - row["area.end"], delta=1e-15)
            self.assertEqual(row["converged"], 0)  # by the area, which is known to some mm

    def test_what_is_not_taken_is_refused_by_name(self):
        model, sensor = self.write(self.TEXT), self.TEXT.replace("reads: slide.q", "reads: volume").replace("1 mm", "1e-4 m^2")
        reaction = self.write(self.TEXT.replace("outputs: {", "outputs: {load: = 2*slide.fy, "), "reaction.yaml")
        readings = self.folder / "readings.csv"
        self.done("sense", model, "--until", "0.1", "--out", readings)
        load = "expected .*force.* of .*spring.*, got 'load'"
        for words, what in (
                (["modes", reaction, "--outputs", "load", "--out", self.folder / "m.csv"], rf"are not linearised \[--outputs\]: {load}"),
                (["estimate", reaction, "--measurements", readings, "--outputs", "load", "--out", self.out], rf"a filter does not estimate this \[--outputs\]: {load}"),
                (["export", reaction, "--outputs", "load", "--out", self.folder], rf"equations do not tell this \[--outputs\]: {load}"),
                (["export", model, "--outputs", "nosuch", "--out", self.folder], r"no such variable \[.*\]: .*"),
                (["info", self.write(sensor, "sensor.yaml")], r"no such variable \[.*, sensor 'e', reads\]: .*, got 'volume'")):
            done = call(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, rf"^eslabon: .*{what}\. [^\n]*\.\n$")

    def test_output_without_a_value_is_named(self):
        """A ratio of speeds at rest: no check of exported code looks there, modes say which output it is."""
        text = self.TEXT.replace("slide.v: 0.4", "slide.v: 0").replace("outputs: {", "outputs: {ratio: = slide.q/slide.v, ")
        model, folder = self.write(text), self.folder / "code"
        self.done("export", model, "--language", "c", "--name", "m", "--out", folder)
        subprocess.run(["make", "check"], cwd=folder, capture_output=True, text=True, timeout=100, check=True)
        done = call("modes", model, "--at", "start", "--outputs", "ratio", "--out", self.folder / "m.csv")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"^eslabon: an output has no value here \[.*\]: expected a finite number, got 'ratio', which is none\. [^\n]*\n$")

    def test_formula_of_a_released_effort_is_told(self):
        driven = self.TEXT.replace("outputs: {", "drivers: {motor: {joint: slide, speed: 1}}\noutputs: {power: = motor.effort*slide.v, ").replace("assembly: {slide.q: 0.3, slide.v: 0.4}", "assembly: {slide.q: 0.3}")
        model = self.write(driven, "driven.yaml")
        done = call("simulate", model, "--release", "motor", "--until", "0.1", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out: power: a released driver exerts no effort", done.stderr)
        done = call("simulate", model, "--release", "motor", "--until", "0.1", "--outputs", "power", "--out", self.out)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("a released driver exerts no effort [--outputs]", done.stderr)


class FrontAxle(InFolder):
    """Camber and toe of docs/from-drawing-to-file.md: the corner is closed here by circles and spheres, and its upright turned by three points."""

    LOWER, UPPER, ROD = (0.223, 0.0945, 0), (-0.048, 0.2335, 0.245), (-0.25, 0.2, 0.054)  # on the car
    BALLS = (-0.036, 0.5745, -0.118), (-0.053, 0.5035, 0.215), (-0.176, 0.599, -0.016)  # lower, upper and of the tie rod, on the upright
    HUB = (-0.04, 0.6975, -0.026)

    def spin(self, height):
        """The direction of the wheel's axis, drawn as y, where the hub has this height."""
        low, high = -0.3, 0.3
        for _ in range(60):
            turn = (low + high) / 2
            hub, spin = self.upright(turn)
            low, high = (turn, high) if hub[2] < height else (low, turn)
        return spin

    def upright(self, turn):
        """Where the hub is and where the wheel's axis points, for this turn of the lower arm."""
        drawn_lower, drawn_upper, drawn_rod = self.BALLS
        lower = add(self.LOWER, turned(less(drawn_lower, self.LOWER), (1, 0, 0), turn))
        # The upper ball is on a circle about its hinge, and as far from the lower one as drawn: a + b cos x + c sin x = 0.
        axis, arm = unit((1, 0.1, -0.2)), less(drawn_upper, self.UPPER)
        along = times(dot(arm, axis), axis)
        first, second = less(arm, along), cross(axis, arm)
        centre = less(add(self.UPPER, along), lower)
        a = dot(centre, centre) + dot(first, first) - square(less(drawn_upper, drawn_lower))
        b, c = 2 * dot(centre, first), 2 * dot(centre, second)
        around, half = math.atan2(c, b), math.acos(-a / math.hypot(b, c))
        upper = add(self.UPPER, turned(arm, axis, min((around + half, around - half), key=abs)))
        # The end of the tie rod is as far from both balls and from the rack as drawn: three spheres.
        drawn = frame(*self.BALLS)
        x, y, z = frame(lower, upper, self.ROD)
        far, at = math.sqrt(square(less(upper, lower))), [dot(less(self.ROD, lower), e) for e in (x, y)]
        squares = [square(less(drawn_rod, p)) for p in (drawn_lower, drawn_upper, self.ROD)]
        p = (squares[0] - squares[1] + far**2) / (2 * far)
        q = (squares[0] - squares[2] + at[0]**2 + at[1]**2 - 2 * at[0] * p) / (2 * at[1])
        r = math.sqrt(squares[0] - p**2 - q**2)
        sides = [add(lower, add(times(p, x), add(times(q, y), times(side * r, z)))) for side in (1, -1)]
        rod = min(sides, key=lambda end: square(less(end, drawn_rod)))
        now = frame(lower, upper, rod)
        def moved(v):
            return tuple(sum(dot(v, old) * new[k] for old, new in zip(drawn, now)) for k in range(3))
        return add(lower, moved(less(self.HUB, drawn_lower))), moved((0, 1, 0))

    def test_camber_and_toe_are_those_of_the_wheels_axis(self):
        page = (SOURCE / "docs" / "from-drawing-to-file.md").read_text(encoding="utf-8")
        part, axle = (re.search(rf"^```yaml\n({first}: front .*?)^```", page, re.M | re.S)[1] for first in ("part", "mechanism"))
        self.write(part, "front-corner.yaml")
        done = call("kinematics", self.write(axle), "--until", "2", "--step", "0.02", "--outputs", "front.left.upright.hub.z,camber,toe", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        self.assertGreater(max(columns["camber"]), 0.02)
        for t, height, camber, toe in zip(*(columns[name] for name in ("t", "front.left.upright.hub.z", "camber", "toe"))):
            self.assertAlmostEqual(height, -0.026 + 0.06 * math.sin(math.pi * t), delta=1e-12)
            x, y, z = self.spin(height)
            self.assertAlmostEqual(camber, math.asin(z), delta=1e-10)
            self.assertAlmostEqual(toe, math.atan2(-x, y), delta=1e-10)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def less(a, b):
    return tuple(x - y for x, y in zip(a, b))


def times(factor, a):
    return tuple(factor * x for x in a)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def square(a):
    return dot(a, a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return times(1 / math.sqrt(square(a)), a)


def turned(a, axis, angle):
    """O. Rodrigues."""
    along = times(dot(a, axis), axis)
    return add(along, add(times(math.cos(angle), less(a, along)), times(math.sin(angle), cross(axis, a))))


def frame(origin, ahead, beside):
    """Axes with x through the second point and the third one in the plane of x and y."""
    x = unit(less(ahead, origin))
    z = unit(cross(x, less(beside, origin)))
    return x, cross(z, x), z


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
