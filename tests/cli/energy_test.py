"""The energy account of `simulate`: who gave, who took, and what nobody did; against closed forms and against `inverse`."""

import json
import math
import sys
import unittest

from program import MODELS, InFolder, call

BLOCK = """
mechanism: block
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], E: [1, 0]}}
bodies: {block: {mass: 2, center_of_mass: [0, 0], inertia: 1, points: {P: [0, 0]}}}
"""
LEVEL = "joints: {guide: {prismatic: [ground.O, block.P], axis: [1, 0]}}\n"
UPRIGHT = "joints: {guide: {prismatic: [ground.O, block.P], axis: [0, 1]}}\n"
SPRING = "springs: {s: {joint: guide, stiffness: 80 N/m}}\n"
DAMPED = "springs: {s: {joint: guide, stiffness: 80 N/m, damping: 0.8 N*s/m}}\n"


class Energy(InFolder):
    def run_of(self, text, *words, until="5"):
        done = call("simulate", self.write(BLOCK + text), "--until", until, "--out", self.out, *words, "--json")
        return done, json.loads(done.stdout)["energy"]

    def flows(self, text, *words, until="5"):
        done, energy = self.run_of(text, *words, until=until)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(energy["drift"], 1e-6)
        return energy

    def test_dampers_take_what_is_missing(self):
        for words in ((), ("--every", "1"), ("--integrator", "bdf"), ("--integrator", "rk4", "--step", "5 ms")):
            energy = self.flows(LEVEL + DAMPED + "assembly: {guide: 0.5}\n", *words)
            # x'' + 2 d x' + w0² x = 0 from rest at 0.5 m: what is left follows from x and x' at the end.
            d, w0, t = 0.2, math.sqrt(40.0), 5.0
            w = math.sqrt(w0**2 - d**2)
            x = 0.5 * math.exp(-d * t) * (math.cos(w * t) + d / w * math.sin(w * t))
            v = -0.5 * math.exp(-d * t) * w0**2 / w * math.sin(w * t)
            self.assertAlmostEqual(energy["dampers"], 40.0 * x**2 + v**2 - 10.0, delta=1e-5)
            self.assertLess(abs(energy["loads"]) + abs(energy["friction"]) + abs(energy["drivers"]) + abs(energy["impacts"]), 1e-9)

    def test_a_run_that_an_event_ends_is_accounted_up_to_it(self):
        """The damper's and the load's work up to the passage, which lies within a step, in closed form."""
        damped = "dampers: {d: {joint: guide, damping: 2 N*s/m}}\nforces: {push: {point: block.P, force: [4, 0]}}\nassembly: {guide: 0}\n"
        text = LEVEL + damped + "events: {there: {when: = block.P.x - 1 m, ends_run: true}}\n"
        energy = self.flows(text, "--largest-step", "0.2", "--every", "0.5")
        t = 1.0
        for _ in range(50):  # v = 2 (1 - exp(-t)), x = 2 (t - 1 + exp(-t)) = 1
            t -= (2 * (t - 1 + math.exp(-t)) - 1) / (2 * (1 - math.exp(-t)))
        v = 2 * (1 - math.exp(-t))
        self.assertAlmostEqual(energy["loads"], 4.0, delta=1e-8)
        self.assertAlmostEqual(energy["dampers"], v**2 - 4.0, delta=1e-8)
        self.assertLess(energy["drift"], 1e-9)

    def test_loads_give(self):
        energy = self.flows(LEVEL + "forces: {push: {point: block.P, force: [3, 0]}}\nassembly: {guide: 0}\n", until="2")
        self.assertAlmostEqual(energy["loads"], 3.0 * 3.0, delta=1e-8)  # 3 N along 0.5 · 1.5 m/s² · (2 s)²

    def test_friction_takes(self):
        text = LEVEL.replace("axis: [1, 0]", "axis: [1, 0], friction: {coulomb: 1 N}") + "assembly: {guide: 0, guide.v: 2}\n"
        energy = self.flows(text, until="3")
        self.assertAlmostEqual(energy["friction"], -(4.0 - (2.0 - 0.5 * 3.0) ** 2), delta=1e-5)

    def test_impacts_take(self):
        energy = self.flows(UPRIGHT + "stops: {floor: {joint: guide, lower: 0, restitution: 0.5}}\nassembly: {guide: 1}\n", until="0.6")
        self.assertAlmostEqual(energy["impacts"], -0.75 * 2 * 9.81, delta=1e-8)

    def test_drivers_give_what_inverse_dynamics_says(self):
        model = MODELS / "fourbar-testbed.yaml"
        done = call("simulate", model, "--until", "2", "--out", self.out, "--json")
        put_in = json.loads(call("inverse", model, "--until", "2", "--step", "0.01", "--out", self.out, "--json").stdout)["energy"]["put_in"]
        energy = json.loads(done.stdout)["energy"]
        self.assertIsNone(energy["drift"])  # nothing is integrated
        self.assertAlmostEqual(energy["drivers"], put_in, delta=1e-8 * abs(put_in))

    def test_what_nobody_took_is_an_error(self):
        for springs, status, accepted in ((SPRING, 1, 0), (DAMPED, 1, 0)):
            coarse = (LEVEL + springs + "assembly: {guide: 0.5}\n", "--integrator", "rk4", "--step", "0.2")
            done, energy = self.run_of(*coarse, until="50")
            self.assertEqual(done.returncode, status)
            self.assertIn("the run has lost energy that no element absorbed [", done.stderr)
            self.assertIn("--accept-drift takes it as it is.", done.stderr)
            self.assertGreater(energy["drift"], 0.1)
            done, energy = self.run_of(*coarse, "--accept-drift", until="50")
            self.assertEqual(done.returncode, accepted)
            self.assertRegex(done.stderr, "note: (energy is not conserved: it drifts by up to|part of the energy is not accounted for: )")

    def test_what_is_worth_a_note(self):
        done, energy = self.run_of(LEVEL + DAMPED + "assembly: {guide: 0.5}\n", "--integrator", "rk4", "--step", "0.05", until="20")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(1e-4 < energy["drift"] < 1e-2, energy)
        self.assertIn("disappeared without a sink. Smaller steps or tolerances reduce it.", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
