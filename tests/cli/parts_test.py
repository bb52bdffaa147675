"""Machines from parts on the command line: variants, flatten, and the files of parts as files that a run reads."""

import json
import re
import sys
import unittest

from program import InFolder, MODELS, call, info
from provenance_test import fnv1a

CORNER = """part: corner
plane: xy
mounts: {frame: {points: {A: [0, 0]}}}
parameters: {arm: needed, load: 2 kg}
bodies:
  link: {mass: = load, shape: {bar: [A, B]}, points: {A: [0, 0], B: [= arm, 0]}}
joints: {pivot: {revolute: [frame.A, link.A]}}
exports: [link, pivot]
"""
HEAVY = CORNER.replace("load: 2 kg", "load: 7 kg")
MACHINE = """mechanism: two corners
plane: xy
gravity: [0, -9.81]
parts: {corner: parts/corner.yaml}
parameters: {reach: 300 mm}
instances:
  front: {part: corner, mounts: {frame: ground}, set: {arm: = reach}}
  rear: {part: corner, at: [1, 0], mounts: {frame: ground}, set: {arm: 0.2}}
variants:
  long: {set: {reach: 450 mm}}
  heavy: {replace: {rear: parts/heavy.yaml}}
outputs: [front.link.B.x, rear.link.B.y]
"""

ARM = """part: arm with instruments
mounts: {base: {points: {O: [0, 0, 0]}}}
bodies:
  upper: {mass: 1, shape: {bar: [O, E]}, points: {O: [0, 0, 0], E: [0.3, 0.1, 0]}}
  fore:
    mass: 1
    shape: {bar: [E, T]}
    points: {E: [0.3, 0.1, 0], T: [0.5, 0.4, 0.2]}
    frames: {box: {origin: [0.4, 0.2, 0.1], x: [1, 0.3, 0.2], z: [0.1, 0.2, 1]}}
joints:
  O: {revolute: [base.O, upper.O], axis: [0.3, 0.2, 1]}
  E: {cylindrical: [upper.E, fore.E], axis: [1, 0.2, 0.5]}
drivers:
  first:  {joint: O, position: = 0.8*sin(2*t)}
  second: {joint: E.q1, position: = 0.5*sin(3*t + 0.4)}
  third:  {joint: E.q2, position: = 0.1*sin(t)}
sensors:
  plain: {imu: fore.T}
  boxed: {imu: fore.T, frame: box}
  tilt:  {inclinometer: fore}
  turn:  {tachometer: E.q1}
  slide: {tachometer: E.q2}
  where: {tracker: fore.T}
  far:   {distance: [base.O, fore.T]}
exports: [fore, O, E]
"""
ARMS = """mechanism: left and right
gravity: [0, 0, -9.81]
parts: {arm: parts/arm.yaml}
instances:
  arm: {part: arm, at: [0, 0.3, 0.1], rotation: [0.1, 0.2, 0.4], mounts: {base: ground}, copies: {left: {}, right: {mirror: y}}}
"""


class Parts(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "parts").mkdir()
        self.corner, self.heavy = self.folder / "parts" / "corner.yaml", self.folder / "parts" / "heavy.yaml"
        self.corner.write_text(CORNER, encoding="utf-8")
        self.heavy.write_text(HEAVY, encoding="utf-8")
        self.model = self.write(MACHINE)

    def simulate(self, model, *words):
        done = call("simulate", model, "--until", "0.5", "--every", "0.01", "--out", self.out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.out.read_text(encoding="utf-8")

    def test_a_flat_file_moves_as_the_machine_of_parts(self):
        for words in ([], ["--variant", "long"], ["--variant", "heavy"], ["--variant", "long", "--set", "reach=0.5"]):
            flat = self.folder / "flat.yaml"
            done = call("flatten", self.model, *words, "--out", flat)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("instances", flat.read_text(encoding="utf-8"))
            self.assertEqual(self.simulate(self.model, *words), self.simulate(flat))

    def test_sensors_of_a_mirrored_part_have_right_handed_axes(self):
        """Angular velocities go to -S w and accelerations to S a, bodies to axes S R S and frames to (S x, S y, -S z): in body axes by y the rates have signs - + -."""
        (self.folder / "parts" / "arm.yaml").write_text(ARM, encoding="utf-8")
        done = call("sense", self.write(ARMS), "--until", "1", "--every", "0.1", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        signs = {"turn": 1, "slide": -1, "far": 1, "tilt.roll": -1, "tilt.pitch": 1, "where.x": 1, "where.y": -1, "where.z": 1}
        for sensor, axes in (("plain", (-1, 1, -1, 1, -1, 1)), ("boxed", (-1, -1, 1, 1, 1, -1))):
            signs |= {f"{sensor}.{word}": sign for word, sign in zip(("wx", "wy", "wz", "ax", "ay", "az"), axes)}
        self.assertEqual({name for name in columns if name.startswith("arm.left.")}, {f"arm.left.{name}" for name in signs})
        for name, sign in signs.items():
            left, right = columns[f"arm.left.{name}"], columns[f"arm.right.{name}"]
            self.assertEqual(len(left), 11)
            self.assertGreater(max(map(abs, left)), 1e-2, name)
            for a, b in zip(left, right):
                self.assertAlmostEqual(b, sign * a, delta=1e-12, msg=name)

    def test_variants_set_parameters_and_replace_parts(self):
        plain = self.simulate(self.model)
        self.assertNotEqual(plain, self.simulate(self.model, "--variant", "long"))
        self.assertEqual(self.simulate(self.model, "--variant", "long"), self.simulate(self.model, "--set", "reach=450 mm"))
        done = call("simulate", self.model, "--until", "1", "--out", self.out, "--variant", "lang")
        self.assertEqual(done.returncode, 2)
        self.assertIn("Did you mean 'long'?", done.stderr)

    def test_files_of_parts_belong_to_the_provenance(self):
        side = self.folder / "provenance.json"
        self.simulate(self.model, "--variant", "heavy", "--provenance", side)
        found = {(file["word"], file["path"]): file for file in json.loads(side.read_text(encoding="utf-8"))["inputs"]}
        self.assertEqual(set(found), {("MODEL", str(self.model)), ("part", str(self.corner)), ("part", str(self.heavy))})
        for (_, path), file in found.items():
            with open(path, "rb") as data:
                self.assertEqual(file["fnv1a"], fnv1a(data.read()))

    def test_the_file_of_a_part_is_not_overwritten(self):
        for words in (["simulate", self.model, "--until", "0.1", "--out", self.corner], ["flatten", self.model, "--out", self.corner]):
            done = call(*words)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, f"eslabon: one file is both read and written [--out]: expected another file than that of part, got '{self.corner}'. "
                                          "Give each a file of its own.\n")
            self.assertEqual(self.corner.read_text(encoding="utf-8"), CORNER)

    def test_families_become_files_with_their_keys(self):
        flat = self.folder / "flat.yaml"
        family = "family:truck-suspension,axles=1,spring=90000,damping=5000,upper_arm=0.9,rise_right_1=0.02"
        self.assertEqual(call("flatten", family, "--out", flat).returncode, 0)
        words = ["--until", "1", "--step", "0.1", "--outputs", "axle_1.wheel_right.z,spring_left_1.force"]
        texts = []
        for model in (family, flat):
            done = call("inverse", model, *words, "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts.append(self.out.read_text(encoding="utf-8"))
        self.assertEqual(texts[0], texts[1])
        self.assertAlmostEqual(self.columns()[1]["axle_1.wheel_right.z"][-1], 0.02, 12)

    def test_every_family_reads_back_from_its_file(self):
        keys = {"scalable-fourbar": "dyads=4,speed=2,crank=1.5",
                "truck-suspension": "axles=2,spring=90000,free_length=0.5",
                "n-fourbars": "n=3,speed=-2,length=0.5,mass=3"}
        flat, again = self.folder / "flat.yaml", self.folder / "again.yaml"
        self.assertEqual(set(re.findall(r"'([\w-]+)'", call("info", "family:?").stderr.partition("expected ")[2].partition(", got")[0])), set(keys))
        for name, values in keys.items():
            family = f"family:{name},{values}"
            for model, out in ((family, flat), (flat, again)):
                self.assertEqual(call("flatten", model, "--out", out).returncode, 0, family)
            self.assertEqual(flat.read_text(encoding="utf-8"), again.read_text(encoding="utf-8"))
            self.assertEqual(self.simulate(family, "--release", "all"), self.simulate(flat, "--release", "all"))
            one, other = info(family), info(flat)
            for key in set(one) - {"parameters", "provenance"}:
                self.assertEqual(one[key], other[key], f"{family} {key}")

    def test_models_of_parts_are_found_from_anywhere(self):
        self.assertEqual(info(MODELS / "parts" / "stewart-platform.yaml")["mobility"]["rank"], 6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
