"""Van, truck and sedan of models/vehicles: what they consist of, how they stand, twins, mirror images, formulations, energy."""

import csv
import json
import shutil
import subprocess
import sys
import unittest

from program import MODELS, PATIENCE, PROGRAM, InFolder, call, info

VEHICLES = MODELS / "vehicles"
VAN, TRUCK, SEDAN = (VEHICLES / f"{name}.yaml" for name in ("van", "truck", "sedan"))
CLOSE = {"m": 1e-9, "rad": 1e-9, "m/s": 1e-7, "rad/s": 1e-7, "N": 1e-4}  # 1e-9 of sizes of metres, of stiff modes of 100 rad/s, of loads of 10 t
# Some hundredths of a second over a bump while it steers. The bump is under the front wheels after 0.03 s.
OVER_A_BUMP = ("--set", "speed=10 m/s", "--set", "bump=50 mm", "--set", "bump_at=0.3 m", "--every", "5 ms", "--rtol", "1e-12", "--atol", "1e-12")
STEER = {VAN: ("rack", "-10 mm", "10 mm", ("--set", "turn_at=5 ms", "--set", "turn_in=100 ms")),
         TRUCK: ("steer", "4 deg", "-4 deg", ("--set", "steer_at=5 ms", "--set", "ramp=100 ms", "--set", "period=1 s"))}


class Counts(unittest.TestCase):
    """Hidalgo and García de Jalón (2012), section 5.1."""

    def massless(self, model):
        flat = call("flatten", model)
        self.assertEqual(flat.returncode, 0, flat.stderr)
        bodies = flat.stdout.split("\nbodies:\n")[1].split("\njoints:\n")[0].splitlines()
        return sum("{mass:" not in body for body in bodies)

    def test_van(self):
        found = info(VAN)
        self.assertEqual((found["bodies_with_ground"], found["joints"], found["loops"]), (43, 47 + 4, 5 + 4))
        self.assertEqual(found["mobility"]["rank"], 17)
        self.assertEqual(len(found["driver_list"]), 1)
        self.assertEqual(found["redundant"], [])
        self.assertEqual(self.massless(VAN), 17)

    def test_truck(self):
        found = info(TRUCK)
        self.assertEqual((found["bodies_with_ground"], found["joints"], found["loops"]), (81, 89, 9))
        self.assertEqual(found["mobility"]["rank"], 40)
        self.assertEqual(len(found["driver_list"]), 1)
        self.assertEqual(len(found["redundant"]), 3)  # the steering trapezoid is plane
        self.assertEqual(self.massless(TRUCK), 34)

    def test_cut_are_balls_hinges_and_rods(self):
        """The tree is of revolute and prismatic pairs: what they do not reach closes loops."""
        closing = [loop["closed_by"] for loop in info(VAN)["loop_list"]]
        self.assertEqual(sum(name.endswith("upper_ball") for name in closing), 2)
        self.assertEqual(sum(name.endswith(("tie_rod", "drop_link")) for name in closing), 4)
        self.assertEqual(sum(name.startswith(("limb", "damper")) for name in closing), 3)
        closing = [loop["closed_by"] for loop in info(TRUCK)["loop_list"]]
        self.assertEqual(sum(name == "fifth_wheel" for name in closing), 1)
        self.assertEqual(sum(name.startswith(("limb", "damper", "arm", "rod_")) for name in closing), 8)

    def test_lean_twins_have_as_many_degrees_of_freedom(self):
        for model, freedoms, bodies in ((VAN, 17, 26), (TRUCK, 40, 47)):
            found = info(model, "--variant", "lean")
            self.assertEqual((found["mobility"]["rank"], found["bodies_with_ground"]), (freedoms, bodies))
        self.assertEqual(info(SEDAN)["mobility"]["rank"], 15)


class Bench(InFolder):
    def test_counts_are_those_published_and_every_step_takes_its_time(self):
        # Alone in a folder: the models are in the program.
        alone = shutil.copy(PROGRAM, self.folder / "eslabon")
        done = subprocess.run([alone, "bench", "vehicles", "--seconds", "0.005", "--out", self.out], cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("What they consist of", "van: 20 evaluations", "truck: 20 evaluations", "Lean twin"):
            self.assertIn(words, done.stdout)
        names, _, *rows = csv.reader(self.out.read_text(encoding="utf-8").splitlines())
        self.assertEqual(names, ["vehicle", "quantity", "way", "value", "published"])
        found = {(vehicle, quantity, way): (float(value), published) for vehicle, quantity, way, value, published in rows}
        for vehicle, numbers in (("van", (43, 17, 47, 4, 17, 1, 28, 25)), ("truck", (81, 34, 89, 0, 40, 1, 51, 40))):
            quantities = ("bodies", "bodies without mass", "joints", "rods", "freedoms", "guided coordinates", "rows", "rank")
            for quantity, number in zip(quantities, numbers):
                self.assertEqual(found[vehicle, quantity, ""], (number, str(number)), f"{vehicle}, {quantity}")
            density, published = found[vehicle, "density", ""]
            self.assertTrue(0.5 < density / float(published) < 2, f"{vehicle}: {density}")
            for way in ("dense", "sparse", "dense without tyres", "sparse without tyres"):
                times = [found[vehicle, f"step {k} [s]", way][0] for k in range(1, 10)]
                self.assertGreater(min(times), 0)
                self.assertAlmostEqual(sum(times), found[vehicle, "nine steps [s]", way][0], delta=1e-5 * sum(times))
            for twin in ("pairs", "lean"):
                self.assertGreater(found[vehicle, "real-time factor", twin][0], 0)

    def test_wrong_lengths(self):
        for seconds in ("0", "-1", "1e9", "short", "nan"):
            done = call("bench", "vehicles", "--seconds", seconds)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"eslabon: the length of the manoeuvres is wrong [--seconds]: expected a number of seconds from 0.001 to 60, "
                                          f"got '{seconds}'. Write, for example, --seconds 0.5.\n")


class Vehicles(InFolder):
    def run_of(self, model, *words, until="0.06"):
        done = call("simulate", model, "--until", until, "--out", self.out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (*self.columns(), done)

    def compare(self, units, ours, theirs):
        for name, unit in units.items():
            if unit not in CLOSE or name.endswith("spin.q"):  # how far a wheel has turned before the start says nothing
                continue
            worst = max(abs(a - b) for a, b in zip(ours[name], theirs[name]))
            self.assertLess(worst, CLOSE[unit], name)

    def test_they_stand_level_and_go_on_as_they_start(self):
        for model, body in ((VAN, "chassis"), (TRUCK, "tractor"), (SEDAN, "chassis")):
            outputs = [f"{body}.O.ax", f"{body}.O.ay", f"{body}.O.az", f"{body}.alphax", f"{body}.alphay", f"{body}.alphaz"]
            _, standing, _ = self.run_of(model, "--set", "speed=0 m/s", "--outputs", ",".join([*outputs, f"{body}.euler_zyx_2"]), "--every", "1 ms",
                                         until="0.001")
            self.assertLess(abs(standing[f"{body}.euler_zyx_2"][0]), 1e-4, model)
            for name in outputs:
                self.assertLess(abs(standing[name][0]), 1e-6, f"{model}, {name}")
            _, going, _ = self.run_of(model, "--set", "cruise=1", "--outputs", ",".join(outputs), "--every", "1 ms", until="0.001")
            for name in outputs:
                self.assertLess(abs(going[name][-1]), 1e-6, f"{model}, {name}")

    def test_twins_mirror_images_and_energy(self):
        """A lean twin moves alike, a turn to the right is the image of one to the left, and energy is accounted for."""
        mirrored = {"euler_zyx_1": -1, "euler_zyx_3": -1, "O.y": -1}
        pairs = {VAN: ("chassis", "wheel.front_left.tyre.fz", "wheel.front_right.tyre.fz"),
                 TRUCK: ("tractor", "front.left.hub.tyre.fz", "front.right.hub.tyre.fz")}
        for model, (name, left, right, when) in STEER.items():
            body, on_the_left, on_the_right = pairs[model]
            until = {VAN: "0.06", TRUCK: "0.045"}[model]
            units, ours, done = self.run_of(model, *OVER_A_BUMP, "--set", f"{name}={left}", *when, "--json", until=until)
            energy = json.loads(done.stdout)["energy"]
            self.assertGreater(-energy["dampers"], 10)  # J
            self.assertLess(abs(energy["drift"]), 1e-9, model)
            self.assertGreater(max(ours[on_the_left]) - min(ours[on_the_left]), 1000)  # something happens
            self.assertGreater(abs(ours[f"{body}.O.y"][-1]), 1e-6)

            _, theirs, _ = self.run_of(model, "--variant", "lean", *OVER_A_BUMP, "--set", f"{name}={left}", *when, until=until)
            common = {name: unit for name, unit in units.items() if name in theirs}
            self.assertGreater(len(common), 30)
            self.compare(common, ours, theirs)

            _, image, _ = self.run_of(model, *OVER_A_BUMP, "--set", f"{name}={right}", *when, until=until)
            outputs = [f"{body}.O.{axis}" for axis in "xyz"] + [f"{body}.euler_zyx_{k}" for k in (1, 2, 3)] + [on_the_left, on_the_right]
            for output in outputs:
                sign = next((s for end, s in mirrored.items() if output.endswith(end)), 1)
                other = {on_the_left: on_the_right, on_the_right: on_the_left}.get(output, output)
                worst = max(abs(a - sign * b) for a, b in zip(ours[output], image[other]))
                self.assertLess(worst, CLOSE[units[output]], f"{model}, {output}")

    def test_formulations_agree(self):
        """Accelerations of a state in which everything moves, none of it steady: to 1e-9 of the largest."""
        van = VAN.read_text(encoding="utf-8").replace("start: {speed: = speed}\n", "").replace(
            "chassis.rotation: [0, 0, 0]}", "chassis.rotation: [0, 0.01, 0.02], chassis.O.vx: 10, chassis.O.vy: 0.4, chassis.O.vz: -0.3, "
            "chassis.wx: 0.5, chassis.wy: -0.4, chassis.wz: 0.6, front.left.lower_hinge.v: 0.7, front.right.lower_hinge.v: -0.3, "
            "limb.left.eye.v: 0.5, wheel.front_left.spin.v: 27, wheel.rear_left.spin.v: 26}")
        truck = TRUCK.read_text(encoding="utf-8").replace("start: {speed: {of: tractor, value: = speed}}\n", "").replace(
            "  trailer.rotation: [0, 0, 0]\n", "  trailer.rotation: [0, 0, 0]\n  tractor.O.vx: 10\n  tractor.O.vy: 0.4\n  tractor.wx: 0.5\n"
            "  tractor.wz: 0.3\n  trailer.wz: -0.4\n  limb.left.eye.v: 0.5\n  front.left.hub.spin.v: 20\n  wheel.left_3.spin.v: 18\n")
        ways = [("semi-recursive", "--matrices", "dense"), ("null-space", "--coordinates", "natural"), ("null-space", "--coordinates", "reference-point"),
                ("multipliers", "--coordinates", "natural"), ("multipliers", "--coordinates", "reference-point"), ("multipliers", "--coordinates", "relative"),
                ("augmented-lagrangian",), ("clusters",)]
        for name, text, more in (("van", van, [("groups",)]), ("truck", truck, [])):  # groups have no solver for the ball of the trailer
            text = text.replace("parts/", f"{VEHICLES}/parts/")
            self.assertIn(".vx: 10", text)
            model = self.write(text, f"{name}.yaml")
            step = ("--every", "1e-6", "--integrator", "rk4", "--step", "1e-6")
            units, expected, _ = self.run_of(model, *step, "--formulation", "semi-recursive", until="1e-6")
            accelerations = [output for output, unit in units.items() if unit in ("m/s^2", "rad/s^2")]
            size = max(abs(expected[output][0]) for output in accelerations)
            self.assertGreater(len(accelerations), 20)
            self.assertGreater(size, 100)
            for way in ways + more:
                _, found, _ = self.run_of(model, *step, "--formulation", *way, until="1e-6")
                for output in accelerations:
                    self.assertLess(abs(found[output][0] - expected[output][0]), 1e-9 * size, f"{name}, {way}, {output}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
