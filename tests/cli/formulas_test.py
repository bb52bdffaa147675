"""Outputs that are formulas of variables: the example of docs/mechanism-file.md, run; units; wrong formulas."""

import math
import re
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
