"""Elements of vehicles that are parts made of formulas and states: against closed forms, and laws: what is held stays, loops lose what they should."""

import math
import re
import sys
import unittest

from program import MODELS, InFolder, call

G = 9.81
PARTS = MODELS / "vehicles/parts"
CART = MODELS / "vehicles/steered-cart.yaml"


class Elements(InFolder):
    def simulate(self, model, *words):
        done = call("simulate", model, "--out", self.out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.said = done.stderr
        return done.stdout, self.columns()[1]

    def rig(self, part, motion, settings="", more=""):
        """An axle that moves up below a chassis that is held, and an element between the two."""
        return self.write(f"""mechanism: rig
parts: {{element: {PARTS / part}}}
bodies: {{axle: {{mass: 50 kg, shape: {{box: [0.1, 1, 0.1]}}, points: {{O: [0, 0, 0]}}}}}}
ground: {{points: {{O: [0, 0, 0]}}}}
joints: {{guide: {{prismatic: [ground.O, axle.O], axis: z}}}}
instances: {{element: {{part: element, mounts: {{chassis: ground, axle: axle}}, set: {{{settings}}}}}}}
drivers: {{shaker: {{joint: guide, position: "= {motion}"}}}}
{more}
outputs: [guide.q, element.spring.length, element.spring.force]
""")


class Springs(Elements):
    def test_leaf_spring_loses_what_its_friction_takes(self):
        """One cycle of amplitude A, after some that bring it into its loop: 4 (F_0 + mu F_m)(A - d tanh(A/d)) lies in the loop."""
        for amplitude in (0.5e-3, 2e-3, 15e-3):
            _, columns = self.simulate(self.rig("leaf-spring.yaml", f"{amplitude} m*sin(2*pi*t/1 s)"), "--until", "6", "--every", "0.0005")
            length, force = columns["element.spring.length"][-2001:], columns["element.spring.force"][-2001:]
            area = sum(0.5 * (f + g) * (m - l) for l, m, f, g in zip(length, length[1:], force, force[1:]))
            mean = 60e3 * 0.12 + 40e3 * 0.02
            expected = 4 * (200 + 0.06 * mean) * (amplitude - 2e-3 * math.tanh(amplitude / 2e-3))
            self.assertAlmostEqual(area, expected, delta=2e-3 * expected + 1e-6, msg=amplitude)
            self.assertAlmostEqual(sum(force) / len(force), -mean, delta=0.01 * mean)

    def test_leaf_spring_without_friction_is_two_springs(self):
        _, columns = self.simulate(self.rig("leaf-spring.yaml", "0.06 m*sin(2*pi*t/1 s)", "friction: 0 N, friction_by_load: 0"), "--until", "1", "--every", "0.05")
        for length, force in zip(columns["element.spring.length"], columns["element.spring.force"]):
            self.assertAlmostEqual(force, -(60e3 * (0.32 - length) + 40e3 * max(0.0, 0.22 - length)), delta=1e-6)

    def test_air_spring_is_polytropic(self):
        _, columns = self.simulate(self.rig("air-spring.yaml", "0.1 m*sin(2*pi*t/1 s)"), "--until", "1", "--every", "0.01")
        area, volume, ambient, n = 0.01, 3e-3, 101325.0, 1.3
        p_0 = ambient + 6000 / area
        for length, force in zip(columns["element.spring.length"], columns["element.spring.force"]):
            push = area * (p_0 * (volume / (volume + area * (length - 0.2)))**n - ambient) + 200e3 / 0.03**2 * max(0.0, 0.12 - length)**3
            self.assertAlmostEqual(force, -push, delta=1e-5)
        self.assertLess(min(columns["element.spring.length"]), 0.11)
        _, columns = self.simulate(self.rig("air-spring.yaml", "0.1 mm*sin(2*pi*t/1 s)"), "--until", "1", "--every", "0.25")
        self.assertAlmostEqual(columns["element.spring.force"][0], -6000, delta=1e-9)
        rate = (columns["element.spring.force"][1] - columns["element.spring.force"][3]) / -0.2e-3
        self.assertAlmostEqual(rate / (n * p_0 * area**2 / volume), 1, delta=1e-5)

    def test_height_control_comes_back_under_a_load(self):
        """6 kN and, from 1 s on, 2 kN more: without control the gas law tells where it ends, with control the edge of the dead band."""
        text = f"""mechanism: load on air
gravity: [0, 0, -10 m/s^2]
parameters: {{control: 0}}
parts: {{spring: {PARTS / "air-spring.yaml"}}}
ground: {{points: {{O: [0, 0, 0]}}}}
bodies: {{load: {{mass: 600 kg, drawn: {{at: [0, 0, 0.2]}}, shape: {{box: [1, 1, 0.3]}}, points: {{O: [0, 0, 0]}}}}}}
joints: {{guide: {{prismatic: [ground.O, load.O], axis: z}}}}
instances: {{air: {{part: spring, mounts: {{chassis: load, axle: ground}}, set: {{control: = control, damping: 5 kN*s/m, bump_stiffness: 0 N/m}}}}}}
forces: {{more: {{point: load.O, force: [0, 0, = -2 kN*smooth_step((t - 1 s)/1 s)]}}}}
assembly: {{guide: 0.2 m}}
outputs: [guide.q, guide.v, air.air.value]
"""
        lengths = {}
        for control in (0, 1):
            _, columns = self.simulate(self.write(text), "--until", "60", "--every", "1", "--set", f"control={control}")
            self.assertAlmostEqual(columns["guide.q"][0], 0.2, delta=1e-9)
            self.assertAlmostEqual(columns["guide.q"][1], 0.2, delta=1e-9)  # nothing moves before
            lengths[control] = columns["guide.q"]
        pressure = 101325 + 6000 / 0.01
        volume = 3e-3 * (pressure / (pressure + 2000 / 0.01))**(1 / 1.3)
        self.assertAlmostEqual(lengths[0][-1], 0.2 + (volume - 3e-3) / 0.01, delta=1e-6)
        self.assertLess(min(lengths[1]), 0.185)
        self.assertAlmostEqual(lengths[1][-1], 0.195, delta=2e-4)

    def test_dampers_by_table_are_degressive(self):
        table = "dampers: {shock: {between: [ground.seat, axle.O], table: [[-1, -1800 N], [-0.1, -600 N], [0, 0], [0.1, 900 N], [1, 2700 N]]}}"
        model = self.rig("leaf-spring.yaml", "0.5 m/s*t", "", table)
        text = model.read_text(encoding="utf-8").replace("points: {O: [0, 0, 0]}}\njoints", "points: {O: [0, 0, 0], seat: [0, 0, 5]}}\njoints")
        for speed, force in ((0.5, -(600 + 1200 * 0.4 / 0.9)), (0.05, -300), (-0.05, 450), (-0.5, 900 + 1800 * 0.4 / 0.9), (-2.0, 2700 + 2000)):
            # Towards each other is a negative rate, and such a damper pushes.
            _, columns = self.simulate(self.write(text.replace("= 0.5 m/s*t", f"= {speed} m/s*t").replace("element.spring.force]", "shock.force, shock.rate]")),
                                       "--until", "0.01", "--every", "0.01")
            self.assertAlmostEqual(columns["shock.rate"][0], -speed, delta=1e-12)
            self.assertAlmostEqual(columns["shock.force"][0], force, delta=1e-9)


class Drive(Elements):
    def test_differential_gives_equal_torques_at_any_speeds(self):
        """Wheels of 0.8 and 1.3 kg m², 30 N m against the left one: their accelerations from Newton's law written out here."""
        model = self.write(f"""mechanism: drive line on a bench
parts: {{drive_line: {PARTS / "open-differential.yaml"}}}
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  left: {{mass: 20 kg, drawn: {{at: [0, 0.75, 0]}}, center_of_mass: C, inertia: [0.8, 0.8, 0.8], points: {{C: [0, 0, 0]}}}}
  right: {{mass: 20 kg, drawn: {{at: [0, -0.75, 0]}}, center_of_mass: C, inertia: [1.3, 1.3, 1.3], points: {{C: [0, 0, 0]}}}}
instances: {{rear: {{part: drive_line, mounts: {{carrier: ground, left: left, right: right}}, set: {{torque: 20 N*m}}}}}}
forces: {{load: {{joint: rear.left_spin, torque: -30 N*m}}}}
outputs: [rear.engine.v, rear.left_spin.v, rear.right_spin.v, rear.left_spin.a, rear.right_spin.a, rear.differential.effort]
""")
        page, columns = self.simulate(model, "--until", "2", "--every", "0.5", "--rtol", "1e-11")
        # Both: J a + load = T with T = 4 (20 - 0.15 . 4 (a_l + a_r)).
        a_right = (80 + 4 * 4 * 0.15 * 30 / 0.8) / (1.3 + 2.4 * (1 + 1.3 / 0.8))
        a_left = (1.3 * a_right - 30) / 0.8
        for k, t in enumerate(columns["t"]):
            left, right = 0.8 * columns["rear.left_spin.a"][k] + 30, 1.3 * columns["rear.right_spin.a"][k]
            self.assertAlmostEqual(left, right, delta=1e-9)
            self.assertAlmostEqual(columns["rear.right_spin.a"][k], a_right, delta=1e-9)
            self.assertAlmostEqual(columns["rear.left_spin.v"][k], a_left * t, delta=1e-7)
            self.assertAlmostEqual(columns["rear.engine.v"][k], 4 * (columns["rear.left_spin.v"][k] + columns["rear.right_spin.v"][k]), delta=1e-9)
            self.assertAlmostEqual(-4 * columns["rear.differential.effort"][k], right, delta=1e-9)
        self.assertNotAlmostEqual(a_left, a_right, delta=1)
        self.assertRegex(page, r"balanced\s+to")

    def test_speed_is_held_and_found_again(self):
        """Up a slope of 5 % from a steady start; and from 15 m/s, with the torque at its limit on the way, without overshoot by windup."""
        _, columns = self.simulate(CART, "--set", "driver=0", "--set", "slope=0.05", "--until", "5", "--every", "0.5", "--outputs", "chassis.O.vx,chassis.O.vz")
        for vx, vz in zip(columns["chassis.O.vx"], columns["chassis.O.vz"]):
            self.assertAlmostEqual(math.hypot(vx, vz), 20, delta=1e-4)
        text = CART.read_text(encoding="utf-8").replace(": parts/", f": {PARTS}/").replace("start: {speed: = speed}\n", "")
        spins = "".join(f", {n}.v: = 15 m/s/0.295 m" for n in ("front.left.spin", "front.right.spin", "rear.left_spin", "rear.right_spin"))
        text = text.replace("= -atan(slope), 0]", "= -atan(slope), 0], chassis.O.vx: 15, chassis.O.vy: 0, chassis.O.vz: 0, chassis.wx: 0, chassis.wy: 0, chassis.wz: 0"
                            ", driver.steering.column.v: 0" + spins)
        text = text.replace("until: = brake_at", "until: = brake_at, limit: 150 N*m")
        _, columns = self.simulate(self.write(text), "--set", "driver=0", "--until", "30", "--every", "0.1", "--outputs", "chassis.O.vx")
        speeds = columns["chassis.O.vx"]
        self.assertLess(max(speeds), 20.4)
        self.assertAlmostEqual(speeds[5], 15 + 0.5 * 150 * 8 / 0.295 / (1280 + 30 + 20 + 0.15 * 64 / 0.295**2 + 4 * 0.9 / 0.295**2), delta=0.15)  # at the limit
        for speed in speeds[-50:]:
            self.assertAlmostEqual(speed, 20, delta=0.02)

    def test_speed_control_off_coasts(self):
        _, columns = self.simulate(CART, "--set", "driver=0", "--set", "control=0", "--until", "2", "--every", "0.5", "--outputs", "chassis.O.vx")
        self.assertIn("nothing keeps the speed of the start", self.said)
        self.assertLess(columns["chassis.O.vx"][-1], 19.9)


class Brakes(Elements):
    def test_on_a_bench_it_slows_by_its_torque_and_holds_without_creep(self):
        """Wheels of 1 kg m² under 10 N m, placed as drawn, mirrored and turned; then 6 N m on each for half a minute."""
        names = "abc"
        wheels = "\n".join(f"  {n}: {{mass: 1, inertia: [1, 1, 1], center_of_mass: O, points: {{O: [0, 0, 0]}}}}" for n in ("hub", *names))
        model = self.write(f"""mechanism: brakes on a bench
parts: {{brake: {PARTS / "brake.yaml"}}}
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
{wheels}
joints:
  held: {{fixed: [ground.O, hub.O]}}
  spin_a: {{revolute: [hub.O, a.O], axis: y}}
  spin_b: {{revolute: [hub.O, b.O], axis: y}}
  spin_c: {{revolute: [hub.O, c.O], axis: x}}
instances:
  brake:
    part: brake
    set: {{torque: 10 N*m, start: -1 s}}
    copies:
      a: {{mounts: {{carrier: hub, wheel: a}}}}
      b: {{mounts: {{carrier: hub, wheel: b}}, mirror: y}}
      c: {{mounts: {{carrier: hub, wheel: c}}, rotation: [0, 0, 90 deg]}}
forces:
  push_a: {{joint: spin_a, torque: = 6 N*m*smooth_step((t - 10 s)/1 s)}}
  push_b: {{joint: spin_b, torque: = 6 N*m*smooth_step((t - 10 s)/1 s)}}
  push_c: {{joint: spin_c, torque: = 6 N*m*smooth_step((t - 10 s)/1 s)}}
assembly: {{spin_a.v: 20, spin_b.v: 20, spin_c.v: 20}}
""")
        page, columns = self.simulate(model, "--until", "45", "--every", "0.5", "--outputs", "spin_a.v,spin_b.v,spin_c.v,spin_a.q,spin_b.q,spin_c.q,spin_a.mx")
        for n in names:
            v, q = columns[f"spin_{n}.v"], columns[f"spin_{n}.q"]
            self.assertAlmostEqual(v[1] - v[3], 10, delta=1e-3, msg=n)
            self.assertLess(abs(v[5]), 0.5, n)
            self.assertLess(max(q[40:]) - min(q[40:]), 1e-6, n)
        for v, w, u in zip(*(columns[f"spin_{n}.v"] for n in names)):
            self.assertAlmostEqual(v, w, delta=1e-7)
            self.assertAlmostEqual(v, u, delta=1e-7)
        self.assertRegex(page, r"balanced\s+to")

    def test_it_stands_on_a_slope(self):
        """20 %, a minute: less than 1 mm."""
        _, columns = self.simulate(CART, "--variant", "parked", "--until", "60", "--every", "0.5", "--rtol", "1e-7", "--atol", "1e-7", "--outputs",
                                   "chassis.O.x,chassis.O.vx,front.left.tyre.fx,front.right.tyre.fx,tyre_rl.fx,tyre_rr.fx")
        x = columns["chassis.O.x"]
        self.assertLess(max(x) - min(x), 1e-3)
        self.assertLess(max(map(abs, columns["chassis.O.vx"])), 1e-5)
        slope_force = sum(columns[name][-1] for name in columns if name.endswith(".fx"))
        self.assertAlmostEqual(slope_force, (1200 + 30 + 5 + 20 + 80) * G * math.sin(math.atan(0.2)), delta=1)

    def test_it_stops_and_stays_without_chatter(self):
        for slope in (0, 0.1):
            page, columns = self.simulate(CART, "--variant", "brake_to_stop", "--set", f"slope={slope}", "--until", "12", "--every", "0.005",
                                          "--outputs", "chassis.O.vx,chassis.O.x,tyre_rl.fx,front.left.tyre.fx,chassis.euler_zyx_1")
            x, vx = columns["chassis.O.x"], columns["chassis.O.vx"]
            along = math.sqrt(1 + slope**2)
            self.assertAlmostEqual(vx[200], 20 / along, delta=1e-3)  # 1 s, where the brakes begin
            # Full torque 3000 N m on four wheels and rolling resistance: the slowing of all that moves.
            mass = 1200 + 30 + 5 + 20 + 80 + (4 * 0.9 + 64 * 0.15) / 0.2946**2
            self.assertAlmostEqual((vx[300] - vx[500]) * along, 3000 / 0.2946 / mass + G * slope / along + 0.01 * G, delta=0.4)
            moving = [v for v in vx if abs(v) > 1e-2]
            self.assertLess(sum(1 for v, w in zip(moving, moving[1:]) if v * w < 0), 12, slope)  # it rocks on its tyres, some 3 Hz
            self.assertLess(max(x[-400:]) - min(x[-400:]), 1e-3, slope)
            self.assertLess(max(map(abs, vx[-200:])), 1e-2, slope)
            steps = int(re.search(r"Steps\s+(\d+) taken", page).group(1))
            print(f"brake to stop, slope {slope}: {steps / 12:.0f} steps per second of motion")
            self.assertLess(steps / 12, 1500)
            self.assertLess(max(map(abs, columns["chassis.euler_zyx_1"])), 1e-6)

    def test_distribution_tells_the_axles_apart(self):
        names = [f"{n}.{v}" for n in ("front.left.tyre", "tyre_rl") for v in ("fx", "fz", "deflection")]
        _, columns = self.simulate(CART, "--variant", "brake_to_stop", "--set", "front=0.8", "--until", "2.5", "--every", "0.5",
                                   "--outputs", ",".join([*names, "front.left.spin.a", "rear.left_spin.a"]))
        # A wheel: its share of 3000 N m, rolling resistance 0.01 R F_z, its inertia and, behind, that of the engine by ratio²/2 for each wheel.
        for tyre, spin, share, inertia in (("front.left.tyre", "front.left.spin", 0.4, 0.9), ("tyre_rl", "rear.left_spin", 0.1, 0.9 + 32 * 0.15)):
            force, load, deflection = (columns[f"{tyre}.{v}"][-1] for v in ("fx", "fz", "deflection"))
            torque = share * 3000 + 0.01 * 0.3 * load + inertia * columns[f"{spin}.a"][-1]
            self.assertAlmostEqual(-force * (0.3 - deflection) / torque, 1, delta=1e-2, msg=tyre)


class Steering(Elements):
    def test_rack_and_tie_rod_turn_the_knuckle(self):
        """The steering wheel turned by 1.5 turns either way: the knuckle where the tie rod's length has it, by bisection; the inner wheel more."""
        model = self.write(f"""mechanism: steering on a bench
parts: {{gear: {PARTS / "rack-steering.yaml"}, corner: {PARTS / "steered-corner.yaml"}}}
ground: {{points: {{O: [0, 0, 0]}}}}
instances:
  gear: {{part: gear, at: [-0.13, 0, 0], mounts: {{chassis: ground}}}}
  front: {{part: corner, mounts: {{chassis: ground, rack: gear.rack}}, copies: {{left: {{}}, right: {{mirror: y}}}}}}
drivers:
  hands: {{joint: gear.column, position: = 540 deg*sin(pi/2*t/1 s)}}
  left: {{joint: front.left.spin, position: 0}}
  right: {{joint: front.right.spin, position: 0}}
assembly: {{front.left.kingpin: 0, front.right.kingpin: 0, front.left.spin: 0, front.right.spin: 0, gear.column: 0}}
outputs: [gear.column.q, gear.slide.q, front.left.knuckle.C.x, front.right.knuckle.C.x]
""")
        self.assertEqual(self.move(model, until="4", step="0.25").returncode, 0)
        columns = self.columns()[1]
        kingpin, arm = 0.7, 0.13
        side = kingpin * (1 - arm / 2.6)
        rod = side - 0.3

        def knuckle(shift):
            """Turn to the left of the left knuckle, for a rack that is `shift` to the left."""
            def gap(angle):
                x, y = -arm, side - kingpin
                return math.hypot(x * math.cos(angle) - y * math.sin(angle) + arm, kingpin + x * math.sin(angle) + y * math.cos(angle) - 0.3 - shift) - rod
            low, high = -0.8, 0.8
            for _ in range(60):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if gap(middle) > 0 else (low, middle)
            return low
        for k, turn in enumerate(columns["gear.column.q"]):
            shift = -8e-3 * turn
            self.assertAlmostEqual(columns["gear.slide.q"][k], shift, delta=1e-12)
            self.assertAlmostEqual(columns["front.left.knuckle.C.x"][k], -0.05 * math.sin(knuckle(shift)), delta=1e-9)
            self.assertAlmostEqual(columns["front.right.knuckle.C.x"][k], -0.05 * math.sin(knuckle(-shift)), delta=1e-9)
        self.assertGreater(knuckle(-8e-3 * 3 * math.pi), -knuckle(8e-3 * 3 * math.pi))  # to the left: the left wheel is the inner one

    def test_a_steady_start_has_no_accelerations(self):
        names = ["chassis.O.ax", "chassis.O.ay", "chassis.O.az", "chassis.alphax", "chassis.alphay", "chassis.alphaz", "front.left.spin.a", "rear.engine.a",
                 "driver.steering.column.a"]
        _, columns = self.simulate(CART, "--until", "0.5", "--every", "0.1", "--outputs", ",".join(names))
        self.assertNotIn("note", self.said)
        for name in names:
            self.assertLess(max(map(abs, columns[name])), 1e-6, name)

    def lane(self, *words):
        page, columns = self.simulate(CART, "--variant", "lane_change", "--until", "10", "--every", "0.05", *words)
        off = []
        for x, y in zip(columns["chassis.O.x"], columns["chassis.O.y"]):
            u = max(0.0, min(1.0, (x - 40) / 70))
            off.append(y - 3.5 * u * u * (3 - 2 * u))
        return page, columns, off

    def test_the_lane_change_is_followed(self):
        page, columns, off = self.lane()
        print(f"lane change: {max(map(abs, off)):.3f} m off the path at most")
        self.assertLess(max(map(abs, off)), 0.3)
        self.assertAlmostEqual(columns["chassis.O.y"][-1], 3.5, delta=0.05)
        self.assertGreater(columns["chassis.O.x"][-1], 198)
        balance = re.search(r"balanced\s+to\s+([\d.e+-]+)", page)
        self.assertLess(float(balance.group(1)), 1e-8)

    def test_with_the_driver_off_it_goes_straight_on(self):
        _, columns, _ = self.lane("--set", "driver=0")
        self.assertLess(max(map(abs, columns["chassis.O.y"])), 1e-6)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
