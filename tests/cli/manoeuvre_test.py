"""Manoeuvres of vehicles: against the single-track model written here, closed forms, mirror images, and the geometry of the standards."""

import cmath
import json
import math
import sys
import unittest

from program import MODELS, InFolder, call

G = 9.81
CART = MODELS / "vehicles/ackermann-cart.yaml"
KMH = 1 / 3.6


class Manoeuvre(InFolder):
    def drive(self, *words, model=CART, energy=1e-9):
        done = call("manoeuvre", model, *words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertTrue(told["complete"])
        self.assertLess(told["constraint_error"], 1e-9)
        if told["energy"]["drift"] is not None:
            self.assertLess(told["energy"]["drift"], energy)
        told["figure"] = {figure["name"]: figure["value"] for figure in told["figures"]}
        return told


class SingleTrack:
    """A cart without suspension as one track: its numbers from the file, none from the program."""

    wheelbase, to_front, track, radius, height = 2.6, 1.2, 1.5, 0.3, 0.55

    def __init__(self, front=15.0, rear=15.0, trail=0.03, sigma=0.5):
        front_mass, rear_mass, chassis = 2 * (20.0 + 5.0), 2 * 20.0, 1200.0
        self.mass = chassis + front_mass + rear_mass
        x = (front_mass * self.to_front + rear_mass * (self.to_front - self.wheelbase)) / self.mass  # of the middle of mass, from the chassis
        self.front, self.rear = self.to_front - x, self.wheelbase - self.to_front + x
        self.at_chassis = -x
        wheel = 20.0 * (0.25 * 0.3**2 + 0.2**2 / 12)  # about z
        self.inertia = chassis * (3.6**2 + 1.6**2) / 12 + chassis * x**2
        for mass, own, at in ((20.0, wheel, self.front), (5.0, 0.05, self.front), (20.0, wheel, -self.rear)):
            self.inertia += 2 * (own + mass * (at**2 + (self.track / 2)**2))
        load_front = self.mass * G * self.rear / self.wheelbase
        self.stiffness = front * load_front, rear * (self.mass * G - load_front)
        self.trail, self.sigma = trail, sigma

    def understeer(self):
        """Side forces act behind the contact points by the trail: moments about the middle of mass vanish, delta - L/R = alpha_f - alpha_r."""
        force_front = self.mass * (self.rear + self.trail) / self.wheelbase  # for 1 m/s^2
        return force_front / self.stiffness[0] - (self.mass - force_front) / self.stiffness[1]

    def response(self, speed, frequency):
        """Yaw rate and lateral acceleration at the chassis' point, for 1 rad of the front wheels. Slips lag by their relaxation lengths."""
        s = 2j * math.pi * frequency
        lag = 1 / (1 + s * self.sigma / speed)
        (c_f, c_r), a, b, t = self.stiffness, self.front, self.rear, self.trail
        c_f, c_r = c_f * lag, c_r * lag
        # m (s v + V r) = F_f + F_r,  J s r = (a - t) F_f - (b + t) F_r,  F_f = c_f (delta - (v + a r)/V),  F_r = -c_r (v - b r)/V
        m11, m12 = self.mass * s + (c_f + c_r) / speed, self.mass * speed + (a * c_f - b * c_r) / speed
        m21 = ((a - t) * c_f - (b + t) * c_r) / speed
        m22 = self.inertia * s + ((a - t) * a * c_f + (b + t) * b * c_r) / speed
        det = m11 * m22 - m12 * m21
        v, r = (c_f * m22 - m12 * (a - t) * c_f) / det, (m11 * (a - t) * c_f - m21 * c_f) / det
        return r, s * v + speed * r + self.at_chassis * s * r


class SteadyCornering(Manoeuvre):
    def test_understeer_gradient_is_that_of_the_single_track(self):
        for front, rear in ((15.0, 18.0), (14.0, 14.0), (18.0, 16.0)):
            told = self.drive("steady-cornering", "--speed", "20", "--lateral-acceleration", "2", "--set", f"cornering={front}",
                              "--set", f"rear_cornering={rear}", "--set", "rolling=0")
            expected = SingleTrack(front, rear).understeer()
            self.assertAlmostEqual(told["figure"]["understeer_gradient"], expected, delta=0.01 * abs(expected), msg=(front, rear))

    def test_slow_cornering_has_ackermanns_radius(self):
        told = self.drive("steady-cornering", "--speed", "1", "--steering", "320 deg")
        self.assertAlmostEqual(told["figure"]["wheelbase"], 2.6, delta=1e-3)
        self.assertAlmostEqual(told["figure"]["steering_ratio"], 16.0, delta=1e-3)
        for angle, speed, _, yaw, *_ in told["tables"][0]["rows"]:
            # The middle of the rear axle goes round on L/tan(delta); the chassis' point is 1.4 m before it.
            radius = 2.6 / math.tan(angle / 16)
            self.assertAlmostEqual(speed / yaw, math.hypot(radius, 1.4), delta=2e-3 * radius)

    def test_load_transfer_is_the_moment_of_the_side_force(self):
        told = self.drive("steady-cornering", "--set", "rolling=0")
        *_, last = told["tables"][0]["rows"]
        cart = SingleTrack()
        # All that is above the road, by the track; wheels and chassis at their heights, less what the tyres give.
        height = (1200 * 0.55 + 90 * 0.3) / cart.mass - cart.mass * G / 800e3
        # Beside it the weight, that leans over with the roll, and the wheels, whose spin turns with the cart.
        spin = 4 * 0.5 * 20 * 0.3**2 * last[1] / (0.3 - cart.mass * G / 800e3 / 3)
        moment = cart.mass * height * (last[2] + G * last[6]) + spin * last[3]
        expected = moment / (0.5 * cart.track * cart.mass * G)
        both = 0.5 * sum(last[8:10])
        self.assertAlmostEqual(both, expected, delta=0.01 * expected)


class Responses(Manoeuvre):
    # The cart rolls on its tyres: stiff ones keep it as upright as the single track is.
    STIFF = "--set", "stiffness=2000 N/mm", "--set", "rolling=0", "--set", "rear_cornering=17"

    def test_swept_sine_is_the_transfer_function_of_the_single_track(self):
        speed = 80 * KMH
        told = self.drive("swept-sine", "--steering", "8 deg", *self.STIFF)
        cart = SingleTrack(15.0, 17.0)
        for frequency, gain, phase, gain_y, phase_y in told["tables"][0]["rows"]:
            if frequency > 2.5:
                continue
            yaw, lateral = cart.response(speed, frequency)
            for told_one, expected in ((cmath.rect(gain, phase), yaw / 16), (cmath.rect(gain_y, phase_y), lateral / 16)):
                self.assertLess(abs(told_one - expected), 0.03 * abs(expected), frequency)

    def test_step_is_answered_as_the_single_track_does(self):
        speed = 80 * KMH
        told = self.drive("step-steer", "--steering", "10 deg", *self.STIFF)
        cart = SingleTrack(15.0, 17.0)
        yaw, lateral = cart.response(speed, 1e-9)
        self.assertAlmostEqual(told["figure"]["yaw_rate_gain"], yaw.real / 16, delta=0.01 * yaw.real / 16)
        self.assertAlmostEqual(told["figure"]["lateral_acceleration_gain"], lateral.real / 16, delta=0.01 * lateral.real / 16)
        # The same step through the transfer function, as a sum over frequencies of a long period that ends in the opposite step.
        period, n = 40.0, 4001
        half = 0.1  # the step rises by u^3 (10 - 15 u + 6 u^2) within 0.2 s
        answer = {}
        times = [0.005 * k for k in range(0, 1000)]
        terms = []
        for k in range(1, n, 2):
            f = k / period
            ramp = quintic_spectrum(2 * math.pi * f * 2 * half)
            terms.append((2 * math.pi * f, 4 / (math.pi * k) * ramp * cart.response(speed, f)[0] / 16))
            if f > 15:
                break
        for t in times:
            answer[t] = 0.5 * yaw.real / 16 + 0.5 * sum((one * cmath.exp(1j * w * t)).imag for w, one in terms)
        steady = yaw.real / 16
        ninety = next(t for t in times if answer[t] >= 0.9 * steady)
        peak = max(times, key=lambda t: answer[t])
        self.assertAlmostEqual(told["figure"]["yaw_rate_response_time"], ninety, delta=0.012)
        self.assertAlmostEqual(told["figure"]["yaw_rate_overshoot"], answer[peak] / steady - 1, delta=0.01)
        self.assertAlmostEqual(told["figure"]["yaw_rate_peak_time"], peak, delta=0.03)


def quintic_spectrum(x):
    """What a rise by u^3 (10 - 15 u + 6 u^2), centred, does to a jump at x = omega times its length: the Fourier integral of its slope."""
    n = 200
    total = 0.0
    for k in range(n):
        u = (k + 0.5) / n
        total += 30 * u**2 * (1 - u)**2 * math.cos(x * (u - 0.5)) / n
    return total


class Mirror(Manoeuvre):
    def test_right_is_the_mirror_image_of_left(self):
        odd = ("O.y", "euler_zyx_1", "euler_zyx_3", "wz", "sideslip", "lateral_acceleration", "steering_wheel", "effort", ".fy", "slip_angle")
        for name in ("step-steer", "double-lane-change"):
            told, rows = {}, {}
            for side in ("left", "right"):
                # The arms of the driver are stiff: what steps leave of their own motion is as large as the tolerance.
                words = ["--steering", "40 deg", "--until", "3"] if name == "step-steer" else ["--until", "4", "--rtol", "1e-10", "--atol", "1e-12"]
                told[side] = self.drive(name, "--direction", side, "--out", self.out, *words)
                rows[side] = self.columns()[1]
            swapped = lambda column: column.translate({}).replace("_fl", "_F").replace("_fr", "_fl").replace("_F", "_fr").replace("_rl", "_R").replace(
                "_rr", "_rl").replace("_R", "_rr")
            for column, values in rows["left"].items():
                if column in ("energy", "constraint_error"):
                    continue
                sign = -1 if column.endswith(odd) or (column.startswith("tyre") and column.endswith(".y")) else 1
                other = rows["right"][swapped(column)]
                size = max(1.0, max(map(abs, values)))
                if column.endswith((".fx", ".fy")):  # forces of a tyre are as exact as its load
                    size = max(rows["left"][column[:-1] + "z"])
                if column == "manoeuvre.arms.effort":  # the small difference of two angles, times 200 kN m/rad
                    size = 2e5 * max(map(abs, rows["left"]["vehicle.steering_wheel"])) / 16
                worst = max(abs(a - sign * b) for a, b in zip(values, other))
                self.assertLess(worst, 1e-9 * size, (name, column))
            for one, value in told["left"]["figure"].items():
                self.assertAlmostEqual(value, told["right"]["figure"][one], delta=1e-8 * max(1.0, abs(value)), msg=(name, one))


class Braking(Manoeuvre):
    def test_stopping_distance_of_wheels_that_roll(self):
        """All torque goes into the road, but for what wheels need that slow down: a = T/R/(m + sum I/R^2)."""
        told = self.drive("braking", "--set", "rolling=0")
        cart, v = SingleTrack(), 100 * KMH
        radius = 0.3 - cart.mass * G / 800e3
        asked = cart.mass * 0.284 * 5.0 / radius  # of the wheels' centres where the file puts them, 16 mm below the free radius
        spin = 4 * 0.5 * 20 * 0.3**2 / 0.3**2
        a = asked / (cart.mass + spin)
        rise = 0.1  # half of the time in which brakes come
        expected = v * v / (2 * a) + v * rise
        self.assertAlmostEqual(told["figure"]["stopping_distance"], expected, delta=0.01 * expected)
        self.assertAlmostEqual(told["figure"]["mean_fully_developed_deceleration"], a, delta=0.01 * a)
        self.assertTrue(all(verdict["passed"] for verdict in told["verdicts"]))

    def friction_cart(self):
        text = CART.read_text(encoding="utf-8")
        begin = "      linear:\n        {radius: = radius, stiffness: = stiffness, damping: 2000 N*s/m, slip_coefficient: 25, "
        self.assertEqual(text.count(begin), 4)
        for kind in ("cornering", "rear_cornering"):
            text = text.replace(f"{begin}cornering_coefficient: = {kind}, trail: = trail,\n         rolling_coefficient: = rolling, relaxation: [0.4 m, 0.5 m]}}",
                                "      fiala: {radius: = radius, stiffness: = stiffness, damping: 2000 N*s/m, slip_stiffness: 80 kN, cornering_stiffness: 50 kN, "
                                "friction: 1, half_contact: 50 mm, rolling_coefficient: 0, relaxation: [0.4 m, 0.5 m]}")
        self.assertNotIn("linear:", text)
        return self.write(text)

    def test_locked_wheels_stop_within_friction(self):
        told = self.drive("braking", "--deceleration", "14", "--friction", "0.5", "--speed", "20", model=self.friction_cart())
        expected = 400 / (2 * 0.5 * G)
        self.assertAlmostEqual(told["figure"]["mean_fully_developed_deceleration"], 0.5 * G, delta=0.02 * 0.5 * G)
        self.assertAlmostEqual(told["figure"]["stopping_distance"], expected, delta=0.06 * expected)
        self.assertGreater(told["figure"]["largest_braking_slip"], 0.95)

    def test_split_friction_turns_the_vehicle_to_the_side_that_holds(self):
        model = self.friction_cart()
        told = self.drive("braking-on-split-friction", "--friction", "0.8", "--friction-right", "0.2", "--speed", "15", model=model)
        self.assertGreater(told["figure"]["heading_deviation"], 0.05)
        self.assertGreater(told["figure"]["yaw_rate_after_1_s"], 0.0)

    def test_a_turn_while_braking_is_that_of_four_wheels_in_the_plane(self):
        """The yaw rate that a second of braking leaves of the turn, by equations of motion written and integrated here."""
        for deceleration, rear in ((2.0, 15.0), (3.5, 18.0)):
            told = self.drive("braking-in-turn", "--steering", "25 deg", "--deceleration", str(deceleration), "--set", "rolling=0", "--set",
                              f"rear_cornering={rear}")["figure"]
            turn = braked_turn(SingleTrack(15.0, rear), 80 * KMH, math.radians(25) / 16, deceleration)
            self.assertAlmostEqual(told["lateral_acceleration"], turn["lateral_acceleration"], delta=0.01 * turn["lateral_acceleration"])
            self.assertAlmostEqual(told["yaw_rate_ratio_1_s"], turn["ratio"], delta=0.01 * turn["ratio"])
            self.assertAlmostEqual(told["yaw_rate_after_1_s"], turn["yaw_rate"], delta=0.01 * turn["yaw_rate"])
            self.assertAlmostEqual(told["largest_sideslip_while_braking"], turn["sideslip"], delta=0.02 * abs(turn["sideslip"]))

    def test_linear_tyres_in_a_turn_turn_in(self):
        told = self.drive("braking-in-turn", "--deceleration", "2", "--set", "rolling=0")
        self.assertAlmostEqual(told["figure"]["lateral_acceleration"], 4.0, delta=0.1)
        # The load moves to the front, and side forces with it: the cart turns in, and goes on turning.
        self.assertGreater(told["figure"]["yaw_rate_ratio_1_s"], 1.0)
        self.assertGreater(told["figure"]["yaw_rate_after_1_s"], 0.0)


def braked_turn(cart, speed, steer, deceleration, brakes=(0.65, 0.35)):
    """A cart in the plane on four wheels whose loads follow its accelerations at once: v_x, v_y, yaw rate and the tangents of the slip angles that
    the tyres follow, by the classical rule of Runge and Kutta. A second in the turn and five more, then brakes within 0.2 s."""
    radius = 0.3 - cart.mass * G / 800e3
    spin = 0.5 * 20 * 0.3**2 / 0.3**2  # of a wheel, as a mass
    height = (1200 * (cart.height - cart.mass * G / 800e3) + 90 * radius) / cart.mass
    wheels = [(x, y, c, front) for x, c, front in ((cart.front, cart.stiffness[0], True), (-cart.rear, cart.stiffness[1], False))
              for y in (cart.track / 2, -cart.track / 2)]
    coefficients = [cart.stiffness[0] / (cart.mass * G * cart.rear / cart.wheelbase), cart.stiffness[1] / (cart.mass * G * cart.front / cart.wheelbase)]
    rise = lambda u: (lambda w: w**3 * (10 - 15 * w + 6 * w * w))(min(1.0, max(0.0, u)))
    begin, dt = 6.5, 1e-3
    felt = [0.0, 0.0]  # accelerations, ahead and to the left

    def rates(t, state):
        vx, vy, r = state[:3]
        tangent = math.tan(steer * rise(t - 0.5))
        brake = rise((t - begin) / 0.2) * cart.mass * 0.284 * deceleration
        fx = fy = moment = 0.0
        slips = []
        for k, (x, y, _, front) in enumerate(wheels):
            arm = (cart.rear if front else cart.front) / cart.wheelbase
            load = cart.mass * (G * arm + (-1 if front else 1) * height * felt[0] / cart.wheelbase) / 2
            load -= math.copysign(1, y) * cart.mass * height * felt[1] / cart.track / 2
            delta = math.atan(cart.wheelbase * tangent / (cart.wheelbase - y * tangent)) if front else 0.0
            u, v = vx - y * r, vy + x * r
            along, across = u * math.cos(delta) + v * math.sin(delta), v * math.cos(delta) - u * math.sin(delta)
            slips.append((across - along * state[3 + k]) / cart.sigma)
            side = -coefficients[0 if front else 1] * load * math.atan(state[3 + k])
            pull = -brake * brakes[0 if front else 1] / 2 / radius - (spin * felt[0] if t > begin else 0.0)
            if t < begin and not front:
                pull = drive[0] / 2
            one, other = pull * math.cos(delta) - side * math.sin(delta), pull * math.sin(delta) + side * math.cos(delta)
            fx, fy = fx + one, fy + other
            moment += x * other - y * one - cart.trail * side
        return [fx / cart.mass + r * vy, fy / cart.mass - r * vx, moment / cart.inertia] + slips, (fx / cart.mass, fy / cart.mass)

    state, t, drive = [speed] + [0.0] * 6, 0.0, [0.0]
    out = {}
    for i in range(7500):
        if i == 6500:
            out.update(v0=state[0], r0=state[2], lateral_acceleration=state[0] * state[2])
        drive[0] = 20000 * (speed - state[0])
        k1, felt[:] = rates(t, state)
        k2 = rates(t + dt / 2, [a + dt / 2 * b for a, b in zip(state, k1)])[0]
        k3 = rates(t + dt / 2, [a + dt / 2 * b for a, b in zip(state, k2)])[0]
        k4 = rates(t + dt, [a + dt * b for a, b in zip(state, k3)])[0]
        state = [a + dt / 6 * (p + 2 * q + 2 * u + w) for a, p, q, u, w in zip(state, k1, k2, k3, k4)]
        t += dt
    sideslip = math.atan2(state[1] + cart.at_chassis * state[2], state[0])
    return {**out, "yaw_rate": state[2], "ratio": state[2] / (out["r0"] * state[0] / out["v0"]), "sideslip": sideslip}


class Courses(Manoeuvre):
    def cones(self, name):
        told = self.drive(name)
        return {cone["name"]: (cone["x"], cone["y"]) for cone in told["cones"]}, told

    def check_lanes(self, cones, sections, at):
        """Sections as (length, width, right edge); cones stand outside of the edges by the radius of their base."""
        for k, (length, width, edge) in enumerate(sections, 1):
            if width is not None:
                for part, name in ((0.0, 1), (0.5, 2), (1.0, 3)):
                    for side, y in (("left", edge + width + 0.15), ("right", edge - 0.15)):
                        place = cones.get(f"section {k}, {side}, {name}")
                        if place is None:  # the last of the section before it
                            self.assertEqual((k, name), (6, 1))
                            continue
                        self.assertAlmostEqual(place[0], at + part * length, delta=1e-9)
                        self.assertAlmostEqual(place[1], y, delta=1e-9)
            at += length

    def test_double_lane_change_has_the_lanes_of_iso_3888_1(self):
        cones, told = self.cones("double-lane-change")
        b = 1.7  # track 1.5 m and tyres of 0.2 m; the chassis has 1.6 m
        edge = -0.5 * (1.1 * b + 0.25)
        self.check_lanes(cones, [(15, 1.1 * b + 0.25, edge), (30, None, None), (25, 1.2 * b + 0.25, edge + 3.5), (25, None, None),
                                 (15, 1.3 * b + 0.25, edge), (15, 1.3 * b + 0.25, edge)], 20.0)
        self.assertEqual(told["figure"]["cones_hit"], sum(cone["hit"] for cone in told["cones"]))
        self.assertTrue(told["verdicts"][0]["passed"], told["verdicts"])

    def test_obstacle_avoidance_has_the_lanes_of_iso_3888_2(self):
        cones, _ = self.cones("obstacle-avoidance")
        b = 1.7
        first = 1.1 * b + 0.25
        self.check_lanes(cones, [(12, first, -0.5 * first), (13.5, None, None), (11, b + 1, 0.5 * first + 1), (12.5, None, None),
                                 (12, max(1.3 * b + 0.25, 3), -0.5 * first)], 20.0)

    def test_who_drives_too_fast_hits_cones(self):
        told = self.drive("double-lane-change", "--speed", "150 km/h")
        self.assertFalse(told["verdicts"][0]["passed"])
        self.assertIn("hit: section", told["verdicts"][0]["text"])
        self.assertGreater(sum(cone["hit"] for cone in told["cones"]), 0)

    def test_slalom_passes_cones_on_alternate_sides(self):
        told = self.drive("slalom", "--out", self.out)
        self.assertTrue(told["verdicts"][0]["passed"], told["verdicts"])
        rows = self.columns()[1]
        sides = []
        for cone in told["cones"]:
            near = min(range(len(rows["t"])), key=lambda k: abs(rows["chassis.O.x"][k] - cone["x"]))
            sides.append(math.copysign(1, rows["chassis.O.y"][near]))
        self.assertEqual(sides, [1, -1, 1, -1, 1, -1, 1])


def articulated(text, width=1.8):
    """The cart with a trailer of 500 kg on a ball 0.9 m behind its rear axle, the trailer's axle 3 m behind the ball."""
    tyre = text[text.index("  tyre_rr:\n") + len("  tyre_rr:\n"):text.index("vehicle:\n")]
    bodies = f"  caravan: {{mass: 500 kg, shape: {{box: {{size: [3 m, {width} m, 1 m], center: C}}}}, center_of_mass: C, points: {{ball: [0, 0, 0], C: [-2.8, 0, 0.3], l: [-3, 0.75, 0], r: [-3, -0.75, 0]}}, " \
             "drawn: {at: [= to_front - wheelbase - 0.9, 0, = radius - height]}}\n"
    joints, tyres = "  hitch: {spherical: [chassis.ball, caravan.ball]}\n", ""
    for side, y in (("l", 0.75), ("r", -0.75)):
        bodies += f"  wheel_t{side}: {{mass: 20 kg, shape: {{cylinder: {{radius: = radius, length: 0.2 m, axis: [0, 1, 0]}}}}, points: {{C: [0, 0, 0]}}, " \
                  f"drawn: {{at: [= to_front - wheelbase - 3.9, {y}, = radius - height]}}}}\n"
        joints += f"  t{side}: {{revolute: [caravan.{side}, wheel_t{side}.C], axis: y}}\n"
        tyres += f"  tyre_t{side}:\n" + tyre.replace("wheel_rr", f"wheel_t{side}")
    for old, new in (("\njoints:\n", "\n" + bodies + "joints:\n"), ("couplings:\n", joints + "couplings:\n"), ("vehicle:\n", tyres + "vehicle:\n"),
                     ("drive: 1, brake: 0.35}\n", "drive: 1, brake: 0.35}\n    - {left: tyre_tl, right: tyre_tr}\n"),
                     ("      rr: [= to_front - wheelbase", "      ball: [= to_front - wheelbase - 0.9, 0, = radius - height]\n      rr: [= to_front - wheelbase")):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def clearance(cones, rows, boxes):
    """The nearest that boxes come to cones: corners and edges of each row's rectangles, as (x, y, heading, rear, front, width) of columns."""
    nearest = 1e9
    for x, y, heading, rear, front, width in boxes:
        for px, py, angle in zip(rows[x], rows[y], rows[heading]):
            corners = [(px + a * math.cos(angle) - b * math.sin(angle), py + a * math.sin(angle) + b * math.cos(angle))
                       for a, b in ((rear, -width / 2), (front, -width / 2), (front, width / 2), (rear, width / 2))]
            for cx, cy in cones:
                if math.hypot(cx - px, cy - py) > 6:
                    continue
                inside = True
                for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
                    ux, uy = bx - ax, by - ay
                    inside = inside and ux * (cy - ay) - uy * (cx - ax) > 0
                    part = min(1, max(0, ((cx - ax) * ux + (cy - ay) * uy) / (ux * ux + uy * uy)))
                    nearest = min(nearest, math.hypot(ax + part * ux - cx, ay + part * uy - cy) - 0.15)
                if inside:
                    nearest = -0.15
    return nearest


class Trailers(Manoeuvre):
    def model(self, width=1.8):
        return self.write(articulated(CART.read_text(encoding="utf-8"), width))

    def test_slow_cornering_folds_the_vehicle_as_its_circles_say(self):
        told = self.drive("steady-cornering", "--speed", "0.5", "--steering", "320 deg", model=self.model())
        self.assertAlmostEqual(told["figure"]["wheelbase"], 2.6, delta=1e-3)  # of the cart alone
        radius = 2.6 / math.tan(math.radians(20))  # of the middle of the cart's rear axle; the trailer's axle looks at the same centre
        fold = math.atan(0.9 / radius) + math.asin(3 / math.hypot(radius, 0.9))
        self.assertAlmostEqual(told["figure"]["peak_articulation_1"], fold, delta=0.01 * fold)
        self.assertAlmostEqual(told["figure"]["rearward_amplification_1"], 1.0, delta=0.01)

    def test_cones_are_those_that_cart_and_trailer_come_near(self):
        cart = ("chassis.O.x", "chassis.O.y", "chassis.euler_zyx_1", -1.8, 1.8, 1.7)
        for model, boxes in ((CART, [cart]), (self.model(2.2), [cart, ("caravan.ball.x", "caravan.ball.y", "caravan.euler_zyx_1", -4.3, -1.3, 2.2)])):
            told = self.drive("slalom", "--out", self.out, "--every", "2 ms", "--speed", "80 km/h", model=model)
            _, rows = self.columns()
            expected = clearance([(cone["x"], cone["y"]) for cone in told["cones"]], rows, boxes)
            self.assertAlmostEqual(told["figure"]["least_clearance"], expected, delta=2e-3)
            if len(boxes) > 1:
                self.assertLess(expected, clearance([(cone["x"], cone["y"]) for cone in told["cones"]], rows, boxes[:1]) - 0.01)
                most = max(map(abs, rows["caravan.wz"])) / max(map(abs, rows["chassis.wz"]))
                self.assertAlmostEqual(told["figure"]["rearward_amplification_1"], most, delta=1e-9)

    def test_who_pulls_a_trailer_parks_ahead(self):
        told = self.drive("parking", model=self.model())
        self.assertGreater(told["speed"], 0)
        self.assertAlmostEqual(told["figure"]["aside"], 2.2, delta=0.25)


class EveryManoeuvre(Manoeuvre):
    def test_all_go_without_an_option_and_show_a_page(self):
        for name in ("bumps", "sine-with-dwell", "parking"):
            page = self.folder / f"{name}.html"
            done = call("manoeuvre", CART, name, "--report", page)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Manoeuvre", done.stdout)
            self.assertGreater(page.stat().st_size, 100000)
        told = self.drive("parking")
        self.assertAlmostEqual(told["figure"]["aside"], 2.2, delta=0.25)
        self.assertLess(abs(told["figure"]["heading_at_the_end"]), 0.05)

    def test_a_vehicle_that_rolls_over_is_told(self):
        told = self.drive("sine-with-dwell", "--steering", "110 deg", "--set", "stiffness=60 N/mm", "--set", "height=0.95 m")
        verdicts = {verdict["name"]: verdict for verdict in told["verdicts"]}
        self.assertFalse(verdicts["upright"]["passed"])
        self.assertIn("rolls over at", verdicts["upright"]["text"])
        self.assertFalse(verdicts["yaw_rate_1_75"]["passed"])
        self.assertEqual(told["ended_by"], "manoeuvre.rollover")

    def test_linear_tyres_are_told_to_feel_no_friction(self):
        done = call("manoeuvre", CART, "braking-on-split-friction")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("linear tyres do not feel the friction of the road [", done.stderr)
        self.assertIn("expected tyres with friction for 'braking-on-split-friction': 'fiala', or a 'file', got 'linear' of tyre_fl", done.stderr)
        done = call("manoeuvre", CART, "bumps", "--friction", "0.5", "--until", "0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: linear tyres do not feel the friction of the road: tyre_fl", done.stderr)

    def test_straight_manoeuvres_need_no_steering(self):
        told = self.drive("braking", model=MODELS / "vehicles/cart.yaml")
        self.assertLess(told["figure"]["peak_yaw_rate"], 1e-9)

    def test_wrong_command_lines_are_told(self):
        for words, status, sentence in (
                ((CART, "step-stear"), 2, "unknown manoeuvre [NAME]: expected"),
                ((CART, "braking", "--steering", "1"), 2, "the manoeuvre 'braking' takes no angle of the steering wheel [--steering]:"),
                ((CART, "bumps", "--direction", "right"), 2, "the manoeuvre 'bumps' has neither left nor right [--direction]:"),
                ((CART, "slalom", "--direction", "up"), 2, "unknown direction [--direction]: expected 'left' or 'right', got 'up'."),
                ((CART, "slalom", "--speed", "0"), 2, "a number of the manoeuvre is not positive [--speed]: expected a number above 0, in m/s, got '0'."),
                ((CART, "slalom", "--speed", "80 kg"), 2,
                 "value has a unit of the wrong kind [--speed]: expected a velocity such as '1.5 m/s', got '80 kg', a mass."),
                ((CART, "slalom", "--deceleration", "5"), 2, "the manoeuvre 'slalom' does not brake [--deceleration]:"),
                ((CART, "braking", "--friction-right", "0.2"), 2, "the manoeuvre 'braking' has no split road [--friction-right]:"),
                ((CART, "step-steer", "--steering", "1", "--lateral-acceleration", "4"), 2,
                 "two fields tell the angle of the steering wheel [--lateral-acceleration]: expected --steering or --lateral-acceleration, got both."),
                ((MODELS / "fourbar-testbed.yaml", "braking"), 1, "the mechanism is no vehicle ["),
                ((MODELS / "vehicles/cart.yaml", "slalom"), 1, "nothing steers the vehicle [")):
            done = call("manoeuvre", *words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_vehicles_whose_section_is_wrong_are_told(self):
        text = CART.read_text(encoding="utf-8")
        for old, new, sentence in (
                ("drive: 1, ", "", "nothing drives the vehicle ["),
                ("{left: tyre_fl, right: tyre_fr, brake: 0.65}", "{left: tyre_fr, right: tyre_fl, brake: 0.65}", "a tyre stands on the other side ["),
                ("ratio: = steering_ratio", "ratio: = -steering_ratio", "the ratio of the steering has the wrong sign ["),
                ("chassis.rotation: [0, 0, 0]", "chassis.rotation: [0, 0, 0.5]", "the vehicle does not look along x at the start [")):
            self.assertIn(old, text)
            done = call("manoeuvre", self.write(text.replace(old, new)), "step-steer")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
