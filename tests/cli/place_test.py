"""A machine far from the origin of its file moves as it does there: every command tells its positions, energies and readings from the
user's origin, and everything else as if it stood at home."""

import csv
import json
import sys
import unittest

from program import InFolder, call

FORMULATIONS = ("groups", "null-space", "multipliers", "semi-recursive", "clusters", "augmented-lagrangian")
INTEGRATORS = ("dopri5", "bdf", "rk4", "abm4", "trapezoidal", "generalized-alpha")
FAR = ((1e7, -1e7, 3e6), (-4.5e6, 0.0, 0.0), (3e4, 1e5, -2e5))  # [m]
HOME = (0.0, 0.0, 0.0)
MASS, G = 3.5, 9.81


def planar(place, more=""):
    """A four-bar with a spring. Its coupler may not sink below a stop."""
    x, y, _ = place
    return f"""
mechanism: four-bar
plane: xy
gravity: [0, -{G}]
ground: {{points: {{A: [{x!r}, {y!r}], B: [{x + 0.75!r}, {y!r}], S: [{x + 0.25!r}, {y + 1!r}]}}}}
bodies:
  crank: {{mass: 2, shape: {{bar: [A, P]}}, points: {{A: [0, 0], P: [0.25, 0]}}}}
  coupler: {{mass: 0.5, shape: {{bar: [P, Q]}}, points: {{P: [0, 0], Q: [0.75, 0], T: [0.5, 0.25]}}}}
  rocker: {{mass: 1, shape: {{bar: [B, Q]}}, points: {{B: [0, 0], Q: [0.5, 0]}}}}
joints:
  A: {{revolute: [ground.A, crank.A]}}
  P: {{revolute: [crank.P, coupler.P]}}
  Q: {{revolute: [coupler.Q, rocker.Q]}}
  B: {{revolute: [ground.B, rocker.B]}}
springs: {{s: {{between: [ground.S, coupler.T], stiffness: 30, free_length: 0.25}}}}
sensors:
  camera: {{tracker: coupler.T, noise: 1 mm, rate: 50 Hz}}
  height: {{reads: coupler.T.y, noise: 1 mm, rate: 50 Hz}}
outputs: [A.q, coupler.T.x, coupler.T.y, coupler.T.vx, ground.B.x, s.length]
{more}
"""


def free(place):
    """The four-bar let go, from where a point is."""
    return planar(place, f"assembly: {{coupler.angle: 0.4, rocker.angle: 2, coupler.P.x: {place[0] + 0.125!r}, coupler.P.y: {place[1] + 0.21875!r}, A.v: 2}}")


def stopped(place):
    """The four-bar whose coupler hits a limit."""
    return free(place) + f"stops: {{lid: {{point: coupler.T.y, lower: {place[1] + 0.375!r}, restitution: 0.5}}}}\n"


def driven(place):
    """The four-bar moved by one of its points."""
    return planar(place, f"""
drivers: {{lift: {{point: coupler.P.y, position: = {place[1]!r} + 0.15*sin(1.5*t)}}}}
assembly: {{A.q: 0, coupler.angle: 0.7, rocker.angle: 2}}""")


def spatial(place):
    """A bar on a ball that a rod holds, and a box that flies."""
    x, y, z = place
    return f"""
mechanism: bar and box
gravity: [0, 0, -{G}]
ground: {{points: {{O: [0, 0, 0], A: [{x!r}, {y!r}, {z!r}], C: [{x + 0.5!r}, {y + 0.5!r}, {z + 0.5!r}]}}}}
bodies:
  bar: {{mass: 1.5, inertia: [0.01, 0.2, 0.2], center_of_mass: [0.5, 0, 0], points: {{A: [0, 0, 0], E: [1, 0, 0]}}}}
  box: {{mass: 2, shape: {{box: [0.25, 0.5, 0.125]}}, points: {{M: [0, 0, 0], K: [0.125, 0.25, 0]}}}}
joints:
  A: {{spherical: [ground.A, bar.A]}}
  rod: {{rod: [ground.C, bar.E], length: 0.875}}
  flight: {{free: [ground.O, box.M]}}
assembly: {{bar.rotation: [0, 0, 0.25], box.position: [{x + 1!r}, {y!r}, {z + 2!r}], box.rotation: [0.1, 0.2, 0.3], box.wx: 3, box.M.vx: 1}}
outputs: [bar.E.x, bar.E.y, bar.E.z, box.K.x, box.K.y, box.K.z, bar.e0, box.wz]
"""


def drawn(place):
    """A four-bar whose bodies are drawn where they belong, with joints that are not at 0 there."""
    x, y, _ = place

    def at(a, b):
        return f"[{x + a!r}, {y + b!r}]"

    return f"""
mechanism: drawn in place
plane: xy
gravity: [0, -{G}]
ground: {{frames: {{A: {{origin: {at(0, 0)}, angle: 30 deg}}, B: {{origin: {at(0.75, 0)}, angle: -70 deg}}}}}}
bodies:
  crank: {{mass: 2, shape: {{bar: [M, P]}}, points: {{M: {at(0, 0)}, P: {at(0.125, 0.25)}}}, frames: {{A: {{origin: {at(0, 0)}}}, PP: {{origin: {at(0.125, 0.25)}, angle: 20 deg}}}}}}
  coupler: {{mass: 0.5, shape: {{bar: [P, Q]}}, points: {{P: {at(0.125, 0.25)}, Q: {at(0.75, 0.5)}}}, frames: {{PP: {{origin: {at(0.125, 0.25)}, angle: -50 deg}}}}}}
  rocker: {{mass: 1, shape: {{bar: [M, Q]}}, points: {{M: {at(0.75, 0)}, Q: {at(0.75, 0.5)}}}, frames: {{B: {{origin: {at(0.75, 0)}}}}}}}
joints:
  A: {{revolute: [ground.A, crank.A]}}
  P: {{revolute: [crank.PP, coupler.PP]}}
  Q: {{revolute: [coupler.Q, rocker.Q]}}
  B: {{revolute: [ground.B, rocker.B]}}
outputs: [A.q, B.q, crank.angle, rocker.angle, coupler.Q.x, coupler.Q.y]
"""


def flying(place, start=""):
    """A box of which nothing, or not all, is said about where it starts: the rest is where its joint begins."""
    x, y, z = place
    return f"""
mechanism: box
gravity: [0, 0, -{G}]
ground: {{points: {{F: [{x + 1.25!r}, {y + 2!r}, {z + 0.75!r}]}}}}
bodies: {{box: {{mass: {MASS}, shape: {{box: [0.25, 0.5, 0.125]}}, points: {{M: [0, 0, 0], K: [0.125, 0.25, 0]}}}}}}
joints: {{flight: {{free: [ground.F, box.M]}}}}
outputs: [box.K.x, box.K.y, box.K.z]
assembly: {{box.M.vx: 1{start}}}
"""


def flying_from(place):
    return flying(place, f", box.M.x: {place[0] + 1!r}")


def tied(place):
    """The four-bar on a damper from the user's origin, which is not where it is held."""
    return free(place).replace("S: [", "O: [0, 0], S: [", 1) + "dampers: {d: {between: [ground.O, coupler.T], damping: 1}}\n"


class Place(InFolder):
    def run_at(self, machine, place, command, *words):
        """The columns of the results, positions and energies as from the machine's place."""
        model = self.write(machine(place))
        done = call(command, model, *words, "--out", self.out)
        self.assertEqual(done.returncode, 0, f"{place}: {done.stderr}")
        self.told = done.stdout + done.stderr
        _, columns = self.columns()
        for name in columns:
            if name.endswith((".x", ".y", ".z")) and not name.startswith("s."):
                at = place["xyz".index(name[-1])]
                columns[name] = [value - at for value in columns[name]]
        if "energy" in columns:
            up = place[1] if "plane" in model.read_text(encoding="utf-8") else place[2]
            columns["energy"] = [value - MASS * G * up for value in columns["energy"]]
        return columns

    def assert_alike(self, home, there, what):
        self.assertEqual(list(home), list(there))
        for name, values in home.items():
            # A position 10 000 km away has a digit for every 2 nm, an energy there one for every 0.06 µJ.
            near = (2e-6 if name == "energy" else 1e-6) * max(1.0, *map(abs, values))
            if name != "constraint_error":
                self.assertEqual(len(values), len(there[name]), what)
                self.assertLess(max(abs(a - b) for a, b in zip(values, there[name])), near, f"{what}: {name}")
            else:
                self.assertLess(max(there[name]), 1e-9)

    def check(self, machine, command, *words, places=FAR):
        home = self.run_at(machine, HOME, command, *words)
        for place in places:
            self.assert_alike(home, self.run_at(machine, place, command, *words), f"{machine.__name__}, {words}, {place}")

    def test_formulations(self):
        for machine in (free, drawn, spatial):
            for formulation in FORMULATIONS[1 if machine is spatial else 0 :]:
                self.check(machine, "simulate", "--until", "1", "--every", "0.1", "--formulation", formulation)

    def test_integrators(self):
        for integrator in INTEGRATORS:
            words = () if integrator in ("dopri5", "bdf") else ("--step", "0.5 ms")
            for formulation in ("multipliers", "semi-recursive"):
                self.check(free, "simulate", "--until", "0.5", "--every", "0.1", "--integrator", integrator, "--formulation", formulation, *words, places=FAR[:1])

    def test_free_bodies_begin_where_their_joint_does(self):
        for machine in (flying, flying_from):
            self.check(machine, "simulate", "--until", "1", "--every", "0.1")

    def test_something_far_from_it_is_no_hindrance(self):
        model = self.write(tied(FAR[0]))
        for formulation in FORMULATIONS:
            done = call("simulate", model, "--until", "0.5", "--formulation", formulation, "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(max(self.columns()[1]["constraint_error"]), 1e-12)

    def test_laws_lose_no_digits_however_they_are_written(self):
        def reordered(place):
            return driven(place).replace(f"= {place[1]!r} + 0.15*sin(1.5*t)", f"= -(-0.15*sin(1.5*t) - 0.05) + {place[1] - 0.05!r}")

        self.check(reordered, "inverse", "--until", "2", "--step", "0.1")
        self.assertNotIn("not accounted for", self.told)
        self.assertIn("-(-0.15*sin(1.5*t) - 0.05) + 99999.95", call("info", self.folder / "model.yaml", "--json").stdout)

    def test_stops(self):
        self.check(stopped, "simulate", "--until", "1", "--every", "0.1")
        self.assertIn("lid", self.told)

    def test_drivers(self):
        self.check(driven, "kinematics", "--until", "2", "--step", "0.1")
        for words in (("groups-tensor",), *((name, "--coordinates", of) for name in ("sparse", "global") for of in ("natural", "reference-point", "relative"))):
            self.check(driven, "kinematics", "--until", "2", "--step", "0.1", "--method", *words, places=FAR[:1])
        self.check(driven, "simulate", "--until", "2", "--every", "0.1")
        self.check(driven, "inverse", "--until", "2", "--step", "0.1")

    def test_equilibrium(self):
        self.check(free, "equilibrium")

    def test_sensors_and_filters(self):
        self.sense_and_estimate("10 um", ("dekf", "ukf", "error-ekf"), 0.01)
        self.sense_and_estimate("1 mm", ("cekf", "particle"), 0.2)  # particles are drawn by weights, which roundoff changes

    def sense_and_estimate(self, noise, filters, near):
        known = {}
        for place in (HOME, *FAR[:2]):
            model = self.write(free(place).replace("1 mm", noise))
            truth, readings, estimate = (self.folder / f"{name}.csv" for name in ("truth", "readings", "estimate"))
            self.assertEqual(call("simulate", model, "--until", "1", "--every", "10 ms", "--out", truth).returncode, 0)
            for words in (("--until", "1"), ("--truth", truth)):
                done = call("sense", model, *words, "--seed", "3", "--out", readings)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(readings, newline="", encoding="utf-8") as file:
                    names, _, *rows = csv.reader(file)
                at = names.index("height")
                heights = [float(row[at]) - place[1] for row in rows if row[at]]
                self.assertLess(max(abs(a - b) for a, b in zip(known.setdefault("heights", heights), heights)), 1e-6)
            for filter_name in filters:
                done = call("estimate", model, "--measurements", readings, "--truth", truth, "--filter", filter_name, "--out", estimate, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                rmse = {line["name"]: line["rmse"] for line in json.loads(done.stdout)["filters"][0]["truth"]["errors"]}["A.q"]
                # Readings have 2 nm of roundoff there.
                self.assertAlmostEqual(rmse / known.setdefault(filter_name, rmse), 1.0, delta=near, msg=f"{filter_name}, {place}")

    def test_messages_tell_the_users_positions(self):
        far = FAR[0]
        model = self.write(driven(far).replace("0.15", "2").replace("sin(", "cos("))
        done = call("kinematics", model, "--until", "1", "--step", "0.1", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("= -9999998 m; it closes at -9999999.97581 m", done.stderr)
        wish = free(far).replace(f"coupler.P.y: {far[1] + 0.21875!r}", f"coupler.P.y: {far[1] + 50!r}")
        done = call("info", self.write(wish))
        self.assertIn("-9999950", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
