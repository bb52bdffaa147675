"""Wheels on roads: against a wheel that is written out here, closed forms, and laws: what stands stays, reverse is ahead, energy is accounted."""

import csv
import math
import re
import subprocess
import sys
import unittest

from program import MODELS, SOURCE, InFolder, call

G = 9.81
CART = (MODELS / "vehicles/cart.yaml").read_text(encoding="utf-8")


def wheel_text(road="", start="hub.C.vx: 3, hub.wy: 0, wheel.wy: 10 rad/s", outputs=""):
    return f"""mechanism: wheel
gravity: [0, 0, -9.81]
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  hub:   {{mass: 300 kg, shape: {{box: [0.5, 0.2, 0.2]}}, points: {{C: [0, 0, 0]}}}}
  wheel: {{mass: 20 kg, shape: {{cylinder: {{radius: 0.3, length: 0.2, axis: [0, 1, 0]}}}}, points: {{C: [0, 0, 0]}}}}
joints:
  guide: {{planar: [ground.O, hub.C], axis: y}}
  spin:  {{revolute: [hub.C, wheel.C], axis: y}}
tyres:
  tyre:
    wheel: wheel.C
    model:
      linear: {{radius: 0.3 m, stiffness: 200 N/mm, damping: 300 N*s/m, slip_coefficient: 25, cornering_coefficient: 15,
               rolling_coefficient: 0.01, relaxation: [0.4 m, 0.5 m]}}
{road}
assembly: {{hub.position: [0, 0, 0.285], {start}}}
outputs: [hub.C.x, hub.C.z, hub.C.vx, spin.v, tyre.fx, tyre.fz, tyre.slip, tyre.deflection, tyre.x, tyre.z{outputs}]
"""


PART = """part: wheel
mounts: {chassis: {points: {hub: [0, 0.75, 0.33]}}}
bodies:
  wheel: {mass: 20 kg, shape: {cylinder: {radius: 0.3, length: 0.2, center: [0, 0.75, 0.33], axis: [0, 1, 0]}}, points: {C: [0, 0.75, 0.33]}}
joints: {spin: {revolute: [chassis.hub, wheel.C], axis: y}}
tyres: {tyre: {wheel: wheel.C, side: left, file: SOURCE/tests/data/tyres/mfeval/MagicFormula61_Parameters.tir}}
exports: [tyre, spin, wheel]
"""
CAR_OF_PARTS = """mechanism: car
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
parts: {wheel: wheel.yaml}
bodies: {chassis: {mass: 1200, shape: {box: {size: [3.6, 1.6, 0.5], center: [0, 0, 0.55]}}, points: {O: [0, 0, 0.55]}}}
joints: {floats: {free: [ground.O, chassis.O]}}
instances:
  front: {part: wheel, at: [1.3, 0, 0], mounts: {chassis: chassis}, copies: {left: {}, right: {mirror: y}}}
  rear: {part: wheel, at: [-1.3, 0, 0], mounts: {chassis: chassis}, copies: {left: {}, right: {mirror: y}}}
assembly: {chassis.position: [0, 0, -0.012], chassis.wx: 0, chassis.wy: 0, chassis.wz: 0, chassis.O.vx: 15, chassis.O.vy: 0}
outputs: [chassis.O.y, chassis.O.x, chassis.O.z, front.left.tyre.fy, front.right.tyre.fy, front.left.tyre.fx, front.right.tyre.fx, front.left.tyre.mz, front.right.tyre.mz, front.left.spin.v, front.right.spin.v]
"""


class Wheel:
    """A wheel of 20 kg under 300 kg that do not turn, in the plane of its disc, by the classical Runge-Kutta method."""
    R, k, d, c, f, sigma = 0.3, 200e3, 300.0, 25.0, 0.01, 0.4
    mass, inertia = 320.0, 0.5 * 20 * 0.3**2
    slow, lag, fades = 1.5 * math.sqrt(G * R), math.sqrt(R / G) / 36, 0.6 * math.sqrt(G * R)  # near standstill

    def __init__(self, height, slope):
        self.height, self.slope = height, slope

    def foot(self, x, z):
        """The place of the road below the centre, along the road's normal: by bisection."""
        low, high = x - 0.3, x + 0.3
        for _ in range(60):
            s = 0.5 * (low + high)
            if (s - x) + (self.height(s) - z) * self.slope(s) > 0:
                high = s
            else:
                low = s
        return 0.5 * (low + high)

    def forces(self, state):
        x, z, vx, vz, spin, kappa = state
        s = self.foot(x, z)
        tangent = math.atan(self.slope(s))
        ex, n = (math.cos(tangent), math.sin(tangent)), (-math.sin(tangent), math.cos(tangent))
        r = (x - s) * n[0] + (z - self.height(s)) * n[1]
        rho, rate, v_x = self.R - r, vx * n[0] + vz * n[1], vx * ex[0] + vz * ex[1]
        load = max(0.0, self.k * rho - self.d * min(1.0, rho / (0.01 * self.R)) * rate) if rho > 0 else 0.0
        rolling = spin * (self.R - rho / 3)
        v_s = v_x - rolling
        standing = 0.5 + 0.5 * math.cos(math.pi * v_x / self.slow) if abs(v_x) < self.slow else 0.0
        touch = max(0.0, min(1.0, rho / (1e-3 * self.R)))
        lost = (1 - touch) / self.lag - touch * rate / (max(rho, 0.0) + 1e-3 * self.R)
        felt = kappa - self.lag * standing * v_s / self.sigma
        f_x = self.c * load * felt
        m_y = -self.f * self.R * load * math.sin(0.5 * math.pi * max(-1.0, min(1.0, rolling / self.fades)))
        return f_x, load, ex, n, m_y - r * f_x, touch * (-v_s - max(abs(v_x), abs(v_s) / 10) * kappa) / self.sigma - lost * kappa

    def rates(self, state):
        f_x, load, ex, n, torque, kappa_rate = self.forces(state)
        return (state[2], state[3], (f_x * ex[0] + load * n[0]) / self.mass, (f_x * ex[1] + load * n[1]) / self.mass - G,
                torque / self.inertia, kappa_rate)

    def run(self, state, until, steps):
        h = until / steps
        for _ in range(steps):
            k1 = self.rates(state)
            k2 = self.rates([y + 0.5 * h * k for y, k in zip(state, k1)])
            k3 = self.rates([y + 0.5 * h * k for y, k in zip(state, k2)])
            k4 = self.rates([y + h * k for y, k in zip(state, k3)])
            state = [y + h / 6 * (a + 2 * b + 2 * c + d) for y, a, b, c, d in zip(state, k1, k2, k3, k4)]
        return state


class Tyres(InFolder):
    def simulate(self, text, *words):
        done = call("simulate", self.write(text), "--out", self.out, *words)
        self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if "note" not in line]), (0, []), done.stderr)
        return done.stdout, self.columns()[1]

    def test_a_toy_does_what_its_great_image_does(self):
        """Lengths a twentieth, masses a thousandth, the same gravity: nothing in the tyre has a size of its own. It comes down on a slope, slides, rolls and goes slowly."""
        road = "road: {slope: 0.05}"
        _, great = self.simulate(wheel_text(road, "hub.C.vx: 0.8, hub.wy: 0, wheel.wy: 0 rad/s"), "--until", "2", "--every", "0.5", "--rtol", "1e-11", "--atol", "1e-12")
        length, mass = 0.05, 1e-3
        speed = math.sqrt(length)
        toy = wheel_text(road, f"hub.C.vx: {0.8 * speed}, hub.wy: 0, wheel.wy: 0 rad/s")
        for old, new in [("mass: 300 kg", f"mass: {300 * mass} kg"), ("mass: 20 kg", f"mass: {20 * mass} kg"), ("radius: 0.3, length: 0.2", f"radius: {0.3 * length}, length: {0.2 * length}"),
                         ("[0.5, 0.2, 0.2]", f"[{0.5 * length}, {0.2 * length}, {0.2 * length}]"), ("radius: 0.3 m", f"radius: {0.3 * length} m"),
                         ("stiffness: 200 N/mm", f"stiffness: {200 * mass / length} N/mm"), ("damping: 300 N*s/m", f"damping: {300 * mass / speed} N*s/m"),
                         ("[0.4 m, 0.5 m]", f"[{0.4 * length} m, {0.5 * length} m]"), ("[0, 0, 0.285]", f"[0, 0, {0.285 * length}]")]:
            self.assertIn(old, toy)
            toy = toy.replace(old, new)
        _, small = self.simulate(toy, "--until", 2 * speed, "--every", 0.5 * speed, "--rtol", "1e-11", "--atol", "1e-12")
        for name, unit in [("hub.C.x", length), ("hub.C.z", length), ("hub.C.vx", speed), ("spin.v", 1 / speed), ("tyre.fx", mass), ("tyre.fz", mass), ("tyre.slip", 1.0)]:
            size = max(map(abs, great[name]))
            for k in range(1, 5):
                self.assertAlmostEqual(small[name][k] / unit, great[name][k], delta=1e-6 * size, msg=f"{name}, row {k}")

    def test_wheel_over_a_bump_is_the_one_written_out_here(self):
        def height(x):
            return 0.05 * x + (0.015 * (1 - math.cos(2 * math.pi * (x - 1))) if 1 < x < 2 else 0.0)

        def slope(x):
            return 0.05 + (0.015 * 2 * math.pi * math.sin(2 * math.pi * (x - 1)) if 1 < x < 2 else 0.0)

        _, columns = self.simulate(wheel_text("road: {slope: 0.05, bumps: {first: {sine: {at: 1 m, length: 1 m, height: 30 mm}}}}"), "--until", "1",
                                   "--every", "0.25", "--rtol", "1e-11", "--atol", "1e-12")
        wheel, state = Wheel(height, slope), [0.0, 0.285, 3.0, 0.0, 10.0, 0.0]
        for k in range(1, 5):
            state = wheel.run(state, 0.25, 2500)
            self.assertAlmostEqual(columns["hub.C.x"][k], state[0], delta=1e-6)
            self.assertAlmostEqual(columns["hub.C.z"][k], state[1], delta=1e-6)
            self.assertAlmostEqual(columns["spin.v"][k], state[4], delta=1e-5)
            f_x, load = wheel.forces(state)[:2]
            self.assertAlmostEqual(columns["tyre.fx"][k], f_x, delta=1e-2)
            self.assertAlmostEqual(columns["tyre.fz"][k], load, delta=1e-1)
        self.assertGreater(state[0], 2.0)

    @staticmethod
    def cart(tyre, start, radius=0.3, held=False, **changes):
        """The cart on other tyres, `tyre` in the place of their model, set down on them."""
        text = re.sub(r"    model:\n      linear:\n.*?\}\n", lambda _: f"    {tyre}\n", CART, flags=re.S)
        text = text.replace("radius: 0.3 m", f"radius: {radius} m")
        for name, value in changes.items():
            text = re.sub(rf"\b{name}: [\d.]+", f"{name}: {value}", text)
        text = text.replace("chassis.rotation: [0, 0, 0]", f"chassis.rotation: [0, 0, 0], chassis.wy: 0, {start}")
        if held:
            text = text.replace("tyres:\n", "drivers:\n" + "".join(f"  hold_{n}: {{joint: {n}, position: 0}}\n" for n in ("fl", "fr", "rl", "rr")) + "tyres:\n", 1)
        return text

    FIALA = ("model: {fiala: {radius: 0.3 m, stiffness: 200 N/mm, damping: 2000 N*s/m, slip_stiffness: 90 kN, cornering_stiffness: 50 kN, "
             "friction: 0.9, half_contact: 60 mm, relaxation: [0.4 m, 0.5 m]}}")

    def test_locked_wheels_brake_by_friction_and_then_stay(self):
        """20 m/s: v²/(2 μ g) but for what the slip needs to build up; it springs back by the deflection of its carcasses, and stands."""
        page, columns = self.simulate(self.cart(self.FIALA, "chassis.O.vx: 20", held=True), "--until", "5", "--every", "0.02")
        way = 20**2 / (2 * 0.9 * G)
        x = columns["chassis.O.x"]
        self.assertAlmostEqual(max(x), way, delta=0.01 * way)
        self.assertLess(max(x) - x[-1], 0.06)
        self.assertLess(abs(columns["chassis.O.vx"][-1]), 1e-3)
        steps = int(re.search(r"Steps\s+(\d+) taken", page).group(1))
        self.assertLess(steps / 5, 2000)  # per second of motion: no chatter

    def test_no_friction_no_force(self):
        _, columns = self.simulate(self.cart(self.FIALA, "chassis.O.vx: 60", friction=0), "--until", "2", "--every", "0.1")
        self.assertAlmostEqual(columns["chassis.O.vx"][-1], 60, delta=1e-3)
        self.assertLess(max(map(abs, columns["tyre_fl.fx"])), 1e-3)

    def test_tyres_of_files_roll_slide_and_stop(self):
        """Every file of ours under the cart: driven off at 60 m/s with wheels at rest, and standing."""
        for file in sorted((SOURCE / "tests/data/tyres").rglob("*.tir")):
            coefficients = file.read_text(encoding="latin-1")
            radius = float(re.search(r"UNLOADED_RADIUS\s*=\s*([\d.]+)", coefficients).group(1))
            radius = radius / 1000 if radius > 10 else radius
            if "RBX1" not in coefficients:
                done = call("info", self.write(self.cart(f"file: {file}", "chassis.O.vx: 0", radius=radius)))
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("the tyre has no combined slip", done.stderr)
                file = f"{file}\n    slip: pure"
            for start, until in (("chassis.O.vx: 60", "2"), ("chassis.O.vx: -10, chassis.O.vy: 3", "2"), ("chassis.O.vx: 0", "3")):
                _, columns = self.simulate(self.cart(f"file: {file}", start, radius=radius, height=radius + 0.25), "--until", until, "--every", "0.05")
                self.assertGreater(min(columns["tyre_fl.fz"]), -1e-9, file)
                self.assertLess(abs(columns["chassis.O.vx"][-1]), 61, file)
                self.assertGreater(columns["chassis.O.z"][-1], radius, file)

    def test_cart_stands_on_a_slope(self):
        """20 %, wheels locked, 60 s: it creeps less than 1 mm, by either integrator at its own tolerances."""
        text = CART.replace("slope: 0,", "slope: 0.2,").replace("chassis.rotation: [0, 0, 0]", "chassis.rotation: [0, -0.19739556, 0]")
        text = text.replace("tyres:\n", "drivers:\n" + "".join(f"  hold_{n}: {{joint: {n}, position: 0}}\n" for n in ("fl", "fr", "rl", "rr")) + "tyres:\n", 1)
        for integrator in ("dopri5", "bdf"):
            _, columns = self.simulate(text, "--until", "62", "--every", "1", "--integrator", integrator)
            x = columns["chassis.O.x"]
            self.assertLess(max(x[2:]) - min(x[2:]), 1e-3, integrator)
            self.assertLess(abs(columns["chassis.O.vx"][-1]), 1e-5, integrator)

    def test_cart_rolls_backwards_as_it_rolls_forwards(self):
        ways = []
        for speed in (5, -5):
            text = CART.replace("chassis.rotation: [0, 0, 0]",
                                f"chassis.rotation: [0, 0, 0], chassis.wy: 0, chassis.O.vx: {speed}" + "".join(f", {n}.v: {speed / 0.295} rad/s" for n in ("fl", "fr", "rl", "rr")))
            ways.append(self.simulate(text, "--until", "4", "--every", "0.5", "--rtol", "1e-10", "--atol", "1e-11")[1])
        ahead, back = ways
        for k in range(len(ahead["t"])):
            self.assertAlmostEqual(ahead["chassis.O.x"][k], -back["chassis.O.x"][k], delta=1e-7)
            self.assertAlmostEqual(ahead["tyre_fl.fz"][k], back["tyre_rl.fz"][k], delta=1e-2)
        self.assertGreater(ahead["chassis.O.x"][-1], 15)

    def test_cart_falls_and_lands(self):
        text = CART.replace("= height - 0.016", "= height + 0.4")
        page, columns = self.simulate(text, "--until", "6", "--every", "0.05")
        self.assertEqual(columns["tyre_fl.fz"][0], 0.0)
        self.assertGreater(max(columns["tyre_fl.fz"]), 6000)
        weight = (1200 + 4 * 20) * G
        self.assertAlmostEqual(2 * (columns["tyre_fl.fz"][-1] + columns["tyre_rl.fz"][-1]), weight, delta=0.02 * weight)
        self.assertLess(abs(columns["chassis.O.x"][-1]), 1e-3)
        self.assertRegex(page, r"balanced\s+to")

    def test_a_cart_that_bounces_draws_no_energy(self):
        """Pressed deep into its tyres, sliding aside and turning: it comes down again and again, and never has more than at the start."""
        tyre = f"file: {SOURCE}/tests/data/tyres/mfeval/MagicFormula61_Parameters.tir"
        text = self.cart(tyre, "chassis.O.vx: 0, chassis.O.vy: 1.5, chassis.wz: 0.5").replace("= height - 0.016", "= height + 0.1")
        _, columns = self.simulate(text, "--until", "5", "--every", "0.02")
        self.assertGreater(sum(load == 0 for load in columns["tyre_fl.fz"]), 5)
        self.assertLess(max(columns["energy"]), columns["energy"][0] + 1)

    def test_formulations_agree_on_a_cart_that_slides(self):
        """Sideways, turning, one side on ice, over a bump with one wheel."""
        text = self.cart(self.FIALA, "chassis.O.vx: 12, chassis.O.vy: 2, chassis.wz: 1.5")
        text = re.sub(r"road: .*", "road: {friction: [1, 0.3], bumps: {one: {sine: {at: 3 m, length: 2 m, height: 60 mm}, track: left}}}", text)
        first = None
        for formulation in ("semi-recursive", "multipliers", "null-space", "augmented-lagrangian", "groups"):
            _, columns = self.simulate(text, "--until", "0.6", "--every", "0.2", "--formulation", formulation, "--rtol", "1e-10", "--atol", "1e-11")
            first = first or columns
            for name in ("chassis.O.x", "chassis.O.y", "chassis.O.z", "fl.v"):
                self.assertAlmostEqual(columns[name][-1], first[name][-1], delta=1e-6, msg=f"{formulation} {name}")
        self.assertGreater(first["chassis.O.y"][-1], 1.0)

    def test_cart_is_exported(self):
        """Forces, slips and all derivatives, as C that is checked against the program's own."""
        done = call("export", MODELS / "vehicles/cart.yaml", "--out", self.folder / "code", "--language", "c", "--name", "m")
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run(["make", "check"], cwd=self.folder / "code", capture_output=True, text=True, timeout=400, check=True)

    def test_tyres_of_mirrored_parts_are_mirror_images(self):
        """A tyre of the left side with conicity and ply steer: two of them and their mirror images hold a car on its way to roundoff."""
        self.write(PART.replace("SOURCE", str(SOURCE)), "wheel.yaml")
        _, columns = self.simulate(CAR_OF_PARTS, "--until", "1", "--every", "0.1")
        self.assertLess(max(map(abs, columns["chassis.O.y"])), 1e-10)
        self.assertGreater(max(map(abs, columns["front.left.tyre.fy"])), 10)
        for name, sign in (("fx", 1), ("fy", -1), ("mz", -1)):
            for left, right in zip(columns[f"front.left.tyre.{name}"], columns[f"front.right.tyre.{name}"]):
                self.assertAlmostEqual(left, sign * right, delta=1e-6)
        runs = []
        for side in (1, -1):  # to the left, turning; and the image of that
            text = CAR_OF_PARTS.replace("chassis.O.vy: 0", f"chassis.O.vy: {side}").replace("chassis.wz: 0", f"chassis.wz: {0.3 * side}")
            runs.append(self.simulate(text, "--until", "0.5", "--every", "0.1", "--rtol", "1e-11", "--atol", "1e-12")[1])
        self.assertGreater(max(map(abs, runs[0]["front.left.tyre.fy"])), 500)
        for left, right in zip(runs[0]["front.left.tyre.fy"], runs[1]["front.right.tyre.fy"]):
            self.assertAlmostEqual(left, -right, delta=1e-4)

    def test_cart_has_the_equilibrium_that_it_stands_in(self):
        """Nothing says where on the road it stands, nor how far its wheels have turned: they stay. On one of its tyres lies a quarter of it."""
        done = call("equilibrium", MODELS / "vehicles/cart.yaml", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("neutral", done.stdout)
        columns = self.columns()[1]
        weight = (1200 + 4 * 20) * G
        self.assertAlmostEqual(columns["tyre_fl.fz"][0], weight / 4, delta=1e-6)
        self.assertAlmostEqual(columns["chassis.O.z"][0], 0.55 - weight / 4 / 200e3, delta=1e-9)
        for name in ("chassis.O.x", "chassis.O.y", "chassis.euler_zyx_2"):
            self.assertAlmostEqual(columns[name][0], 0.0, delta=1e-9)

    def test_energy_is_accounted(self):
        page, _ = self.simulate(wheel_text("road: {slope: 0.05}"), "--until", "2", "--every", "0.1", "--rtol", "1e-11", "--atol", "1e-12")
        balance = re.search(r"balanced\s+to\s+([\d.e+-]+)", page)
        self.assertIsNotNone(balance, page)
        self.assertLess(float(balance.group(1)), 1e-8)

    def rolling_cart(self, *sensors):
        """A cart that rolls in a curve, what happens to it for 0.4 s, and what these sensors read."""
        start = "chassis.wx: 0, chassis.wy: 0, chassis.wz: 0.2, chassis.O.vx: 8, chassis.O.vy: 0.3, chassis.O.vz: 0" + "".join(f", {n}.v: 27 rad/s" for n in ("fl", "fr", "rl", "rr"))
        lines = {"imu": "imu: {imu: chassis.O, rate: 100 Hz, gyroscope: {noise: 0.1 deg/s}, accelerometer: {noise: 0.05 m/s^2}}",
                 "gps": "gps: {tracker: chassis.O, rate: 10 Hz, noise: 0.02 m}",
                 "spin": "spin: {tachometer: fl, rate: 100 Hz, noise: 0.02 rad/s}"}
        text = "sensors:\n" + "".join(f"  {lines[one]}\n" for one in sensors)
        model = self.write(CART.replace("chassis.rotation: [0, 0, 0]", f"chassis.rotation: [0, 0, 0], {start}").replace("outputs:", text + "outputs:"))
        truth, readings = self.folder / "truth.csv", self.folder / "readings.csv"
        self.assertEqual(call("simulate", model, "--until", "0.4", "--every", "0.01", "--out", truth).returncode, 0)
        self.assertEqual(call("sense", model, "--until", "0.4", "--seed", "1", "--out", readings).returncode, 0)
        return model, truth, readings

    def estimated(self, model, truth, readings, *words):
        return call("estimate", model, "--measurements", readings, "--truth", truth, "--every", "0.01", "--out", self.out, "--filter", *words)

    def worst(self, truth, name):
        """The greatest error of an estimate, by its deviation there."""
        told = self.columns()[1]
        with open(truth, newline="", encoding="utf-8") as file:
            names, _, *rows = csv.reader(file)
        true = dict(zip(names, ([float(cell) for cell in column] for column in zip(*rows))))
        return max(abs(told[name][k] - true[name][round(100 * t)]) / max(told[f"{name}.sigma"][k], 1e-9) for k, t in enumerate(told["t"]))

    def test_filters_follow_a_cart_on_its_tyres(self):
        """The slips of its tyres are states that filters estimate too."""
        case = self.rolling_cart("imu", "gps", "spin")
        for words in (("dekf",), ("ukf",), ("particle", "--particles", "100", "--seed", "1", "--start-deviation", "0.05deg", "--start-rate-deviation", "0.5deg/s")):
            done = self.estimated(*case, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("Restarts", done.stdout)
            for name, most in (("chassis.O.vx", 0.1), ("tyre_fl.fx", 300), ("tyre_fl.fz", 600)):
                error = float(re.search(rf"{re.escape(name)}\s+([\d.e+-]+)", done.stdout.split("Against the truth")[1]).group(1))
                few = 2.5 if words[0] == "particle" else 1.0  # a hundred particles for 28 numbers
                self.assertLess(error, few * most, f"{words[0]} {name}")

    def test_filters_know_how_well_they_know_loads(self):
        """A position that is read to 20 mm throws no cart into the air: errors of loads and heights stay within five of their deviations."""
        case = self.rolling_cart("gps")
        for words in (("dekf",), ("error-ekf",), ("cekf",)):
            done = self.estimated(*case, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("chassis.O.z", "tyre_fl.fz", "tyre_rl.fz", "tyre_fl.fx"):
                self.assertLess(self.worst(case[1], name), 5, f"{words[0]} {name}")

    def test_filters_say_that_they_do_not_know_whether_tyres_touch(self):
        """A start to 5 deg is one to 13 cm, of a cart that sinks in by 16 mm: what is told of its loads is nothing, and no run that ends well."""
        case = self.rolling_cart("gps")
        for words in (("dekf",), ("error-ekf",), ("cekf",)):
            done = self.estimated(*case, *words, "--start-deviation", "5deg")
            self.assertEqual(done.returncode, 1, words[0])
            self.assertRegex(done.stderr, rf"the filter does not know whether the tyres touch the road \[filter {words[0]}, tyre 'tyre_..'\]: expected deflections that are larger "
                                          r"than half of their deviations, in most rows, got \d+ of 41 rows in which one of a tyre is not\. ")
            self.assertNotIn("nan", self.out.read_text(encoding="utf-8"))
            columns = self.columns()[1]
            self.assertGreater(sum(1 for seen in columns["observed"] if seen == 0), 20)
            self.assertGreater(min(columns["tyre_fl.fz.sigma"][5:]), 100)  # not "0 N to 0 N" in the air

    def test_a_flat_file_reads_back(self):
        flat = self.folder / "flat.yaml"
        self.assertEqual(call("flatten", MODELS / "vehicles/cart.yaml", "--out", flat).returncode, 0)
        again = self.folder / "again.yaml"
        self.assertEqual(call("flatten", flat, "--out", again).returncode, 0)
        self.assertEqual(flat.read_text(encoding="utf-8"), again.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
