"""Starts at a speed: everything steady, whatever asks for a drive, a steering angle or a sideslip; against balances written out here."""

import math
import re
import sys
import unittest

from program import MODELS, InFolder, call

G = 9.81
CART = (MODELS / "vehicles/cart.yaml").read_text(encoding="utf-8")
ACCELERATIONS = ["chassis.O.ax", "chassis.O.ay", "chassis.O.az", "chassis.alphax", "chassis.alphay", "chassis.alphaz"]


def started(text, speed="20 m/s", more=""):
    return text.replace("\nassembly:", f"\n{more}start: {{speed: {speed}}}\nassembly:")


class Start(InFolder):
    def go(self, text, outputs, until="0.5", step="0.05", words=()):
        """Columns of the motion, and what the program said beside them."""
        self.said = call("simulate", self.write(text), "--until", until, "--every", step, "--out", self.out, "--outputs", ",".join(outputs),
                         "--rtol", "1e-10", *words)
        self.assertEqual(self.said.returncode, 0, self.said.stderr)
        return self.columns()[1]

    def refused(self, text):
        result = call("simulate", self.write(text), "--until", "0.1", "--out", self.out)
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stderr


class Cart(Start):
    def test_without_rolling_resistance_it_goes_on_as_it_starts(self):
        text = started(CART.replace("rolling_coefficient: 0.01, ", ""))
        columns = self.go(text, [*ACCELERATIONS, "chassis.O.z", "chassis.O.vx", "fl.v", "rl.v", "tyre_fl.fz", "tyre_fl.deflection"])
        self.assertNotIn("note", self.said.stderr)
        for name in ACCELERATIONS:
            self.assertLess(max(map(abs, columns[name])), 1e-6, name)
        load = 1280 * G / 4  # the middle of mass is in the middle
        self.assertAlmostEqual(columns["tyre_fl.fz"][0], load, delta=1e-6)
        deflection = load / 200e3
        self.assertAlmostEqual(columns["chassis.O.z"][0], 0.55 - deflection, delta=1e-9)  # no sag
        self.assertAlmostEqual(columns["chassis.O.z"][-1], 0.55 - deflection, delta=1e-9)
        self.assertAlmostEqual(columns["fl.v"][0], 20 / (0.3 - deflection / 3), delta=1e-8)  # by the effective radius

    def test_with_rolling_resistance_it_coasts_and_says_so(self):
        wheels = ["fl", "fr", "rl", "rr"]
        names = [name for wheel in wheels for name in (f"{wheel}.v", f"tyre_{wheel}.fx", f"tyre_{wheel}.fz", f"tyre_{wheel}.deflection")]
        columns = self.go(started(CART), ["chassis.O.ax", "chassis.O.az", "chassis.O.vx", "fl.a", *names])
        self.assertRegex(self.said.stderr, r"note: nothing keeps the speed of the start: it becomes slower by 0\.1 m/s² there")
        # Slower by the power of the resistance 0.01 F_z R_0, and of F_x, which acts at the loaded radius r while the wheel rolls on R_e.
        R_0, a, spin = 0.3, -columns["chassis.O.ax"][0], columns["fl.v"][0]
        power = moving = 0
        for wheel in wheels:
            turn, force, load, deflection = (columns[name][0] for name in (f"{wheel}.v", f"tyre_{wheel}.fx", f"tyre_{wheel}.fz", f"tyre_{wheel}.deflection"))
            power += 0.01 * load * R_0 * turn - force * (20 - (R_0 - deflection) * turn)
            moving += 0.5 * 20 * R_0**2 * turn * turn / 20
        self.assertAlmostEqual(a * (1280 * 20 + moving) / power, 1, delta=1e-6)
        self.assertAlmostEqual(columns["fl.a"][0] / spin, columns["chassis.O.ax"][0] / 20, delta=1e-9)
        self.assertLess(abs(columns["chassis.O.az"][0]), 1e-6)
        self.assertAlmostEqual(columns["chassis.O.vx"][-1], 20 - a * 0.5, delta=1e-3)

    def test_a_controller_with_an_integral_holds_it_on_a_slope(self):
        drive = ("states: {drive: {start: 0 N*m, size: 100 N*m, rate: = gain*(20/sqrt(1.01) - chassis.O.vx)}}\n"
                 "forces: {left: {joint: rl, torque: = drive.value}, right: {joint: rr, torque: = drive.value}}\n")
        text = started(CART.replace("slope: 0,", "slope: 0.1, gain: 200 N,"), more=drive)
        columns = self.go(text, [*ACCELERATIONS, "rl.a", "fl.a", "drive.value", "chassis.O.vx", "chassis.O.vz", "tyre_rl.fx"])
        for name in [*ACCELERATIONS, "rl.a", "fl.a"]:
            self.assertLess(max(map(abs, columns[name])), 1e-6, name)
        self.assertAlmostEqual(columns["chassis.O.vz"][0] / columns["chassis.O.vx"][0], 0.1, delta=1e-12)
        self.assertAlmostEqual(math.hypot(columns["chassis.O.vx"][0], columns["chassis.O.vz"][0]), 20, delta=1e-9)
        # Power of the drives = power against the weight and the rolling resistance, and what slides in the contact: a few parts in 1000.
        climb = 1280 * G * 20 * 0.1 / math.sqrt(1.01)
        torque = columns["drive.value"][0]
        self.assertGreater(2 * torque * 20 / 0.29, climb)
        self.assertLess(2 * torque * 20 / 0.29, 1.15 * climb + 0.012 * 1280 * G * 20)

    def test_backwards_and_with_another_heading(self):
        text = started(CART.replace("rolling_coefficient: 0.01, ", "").replace("chassis.rotation: [0, 0, 0]", "chassis.rotation: [0, 0, 30 deg]"),
                       speed="{of: chassis, value: -8 m/s}")
        columns = self.go(text, ["chassis.O.vx", "chassis.O.vy", "fl.v", *ACCELERATIONS])
        self.assertAlmostEqual(columns["chassis.O.vx"][0], -8 * math.cos(math.pi / 6), delta=1e-9)
        self.assertAlmostEqual(columns["chassis.O.vy"][0], -8 * math.sin(math.pi / 6), delta=1e-9)
        self.assertLess(columns["fl.v"][0], -26)
        for name in ACCELERATIONS:
            self.assertLess(max(map(abs, columns[name])), 1e-6, name)

    def test_from_high_above_the_road_and_from_deep_inside(self):
        for height in ("height + 0.4 m", "height - 0.25 m"):
            text = started(CART.replace("height - 0.016", height))
            self.assertAlmostEqual(self.go(text, ["chassis.O.z"], until="0.1")["chassis.O.z"][0], 0.5343, delta=1e-4)

    def test_a_speed_of_zero_is_the_equilibrium(self):
        columns = self.go(started(CART, speed="0 m/s"), ["chassis.O.z", *ACCELERATIONS])
        self.assertAlmostEqual(columns["chassis.O.z"][0], 0.55 - 1280 * G / 4 / 200e3, delta=1e-9)

    def test_on_a_random_road_it_starts_where_that_is_smooth(self):
        text = started(CART.replace("road: {", "road: {iso_8608: {class: C, at: 5 m}, ").replace("rolling_coefficient: 0.01, ", ""))
        columns = self.go(text, ["chassis.O.az"], until="1", step="0.01")
        self.assertLess(abs(columns["chassis.O.az"][0]), 1e-6)
        self.assertGreater(max(map(abs, columns["chassis.O.az"])), 0.1)

    def test_what_goes_wrong_is_told(self):
        held = started(CART).replace("floats: {free: [ground.O, chassis.O]}", "floats: {revolute: [ground.O, chassis.O], axis: z}")
        held = held.replace("assembly: {chassis.position: [0, 0, = height - 0.016], chassis.rotation: [0, 0, 0]}", "assembly: {floats: 0}")
        self.assertIn("the mechanism cannot go straight on [", self.refused(held))
        runaway = started(CART, more="states: {clock: {start: 0, rate: 1 1/s}}\n")
        self.assertRegex(self.refused(runaway), r"no steady motion was found .*clock\.value, which still changes by 1 1/s")

    def test_flatten_says_it_again(self):
        flat = call("flatten", self.write(started(CART))).stdout
        self.assertRegex(flat, r"speed: \{of: chassis, value: 20\}")


class Van(Start):
    """The whole van of public data, with a steering that is held and a drive that keeps the speed."""

    def setUp(self):
        super().setUp()
        text = (MODELS / "vehicles/van-plain.yaml").read_text(encoding="utf-8").replace("parts/van-", str(MODELS / "vehicles/parts/van-"))
        text = re.sub(r"\n  [\w.]+\.(vx|vy|vz|wx|wy|wz|v): [^\n]*", "", text)  # the speed tells the rates
        text = text.replace("speed: 0 m/s", "speed: 20 m/s\n  gain: 500 N")
        self.held = text.replace("\nassembly:", "\nstart: {speed: = speed}\nassembly:")
        undriven = re.sub(r"\nvehicle:\n(  [^\n]*\n)+", "\n", self.held)
        self.driven = re.sub(r"\ndrivers: [^\n]*", """
states:
  steer: {start: 0 m, size: 10 mm, rate: 0 m/s}
  drive: {start: 0 N*m, size: 100 N*m, rate: = gain*(speed - chassis.O.vx)}
forces:
  steering: {joint: rack_slide, force: = -200000*(rack_slide.q - steer.value) - 2000*rack_slide.v}
  left_drive: {joint: rear.left.spin, torque: = drive.value}
  right_drive: {joint: rear.right.spin, torque: = drive.value}""", undriven)

    def test_drive_steering_and_sideslip_are_what_forces_ask_for(self):
        names = ["chassis.O.vx", "chassis.O.vy", "steer.value", "drive.value", "chassis.euler_zyx_1", "front.left.tyre.fz", "front.right.tyre.fz",
                 "rear.left.tyre.fz", "rear.right.tyre.fz", "front.left.spin.a", "rear.left.spin.a"]
        columns = self.go(self.driven, [*ACCELERATIONS, *names], until="0.1")  # before the bump
        for name in [*ACCELERATIONS, "front.left.spin.a", "rear.left.spin.a"]:
            self.assertLess(max(map(abs, columns[name])), 1e-6, name)
        self.assertAlmostEqual(columns["chassis.O.vy"][0], 0, delta=1e-12)
        self.assertNotEqual(columns["steer.value"][0], 0)  # the Panhard rod pulls the axle aside, which steers
        self.assertLess(abs(columns["steer.value"][0]), 1e-3)
        self.assertNotEqual(columns["chassis.euler_zyx_1"][0], 0)
        loads = sum(columns[f"{end}.{side}.tyre.fz"][0] for end in ("front", "rear") for side in ("left", "right"))
        mass = 2321 + 9.072 + 2 * (23.965 + 5.813 + 19.45) + 124 + 15 + 4 * (14.705 + 12 + 19.8)
        self.assertAlmostEqual(loads, mass * G, delta=1e-3 * loads)
        rolling = 0.015 * loads
        self.assertAlmostEqual(2 * columns["drive.value"][0] / 0.36 / rolling, 1, delta=0.25)  # and what camber and toe scrub off

    def test_a_rack_that_is_held_in_the_middle_cannot_go_straight(self):
        self.assertIn("no steady motion was found at this speed [", self.refused(self.held))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
