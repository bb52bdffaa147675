"""Tables as a user meets them: columns of CSV files as drivers and loads, followers that leave their tables, inertias as published."""

import json
import math
import sys
import unittest

from program import MODELS, InFolder, call, info

ARM = """mechanism: arm
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {arm: {mass: 2 kg, center_of_mass: O, inertia: 0.5 kg*m^2, points: {O: [0, 0]}}}
joints: {A: {revolute: [ground.O, arm.O]}}
"""


class Tables(InFolder):
    def write_csv(self, rows, unit="deg", name="angle"):
        text = f"t,{name}\ns,{unit}\n" + "".join(f"{t!r},{x!r}\n" for t, x in rows)
        (self.folder / "run.csv").write_text(text, encoding="utf-8")

    def test_a_column_of_a_file_drives(self):
        """Rows on a cubic give that cubic, its speed and its acceleration."""
        self.write_csv([(t, 10.0 + 20.0 * t - 3.0 * t**3) for t in (0.0, 0.3, 0.7, 1.1, 1.6, 2.0)])
        model = self.write(ARM + "drivers: {d: {joint: A, position: {file: run.csv, column: angle}}}\noutputs: [A.q, A.v, A.a]\n")
        done = self.move(model, until="2", step="0.25")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, columns = self.columns()
        for t, q, v, a in zip(columns["t"], columns["A.q"], columns["A.v"], columns["A.a"]):
            self.assertAlmostEqual(math.degrees(q), 10.0 + 20.0 * t - 3.0 * t**3, 9)
            self.assertAlmostEqual(math.degrees(v), 20.0 - 9.0 * t**2, 8)
            self.assertAlmostEqual(math.degrees(a), -18.0 * t, 7)

    def test_the_file_is_part_of_the_provenance(self):
        self.write_csv([(0.0, 0.0), (1.0, 90.0)])
        model = self.write(ARM + "drivers: {d: {joint: A, position: {file: run.csv, column: angle}}}\noutputs: [A.q]\n")
        side = self.folder / "provenance.json"
        done = self.move(model, "--provenance", side)
        self.assertEqual(done.returncode, 0, done.stderr)
        inputs = json.loads(side.read_text(encoding="utf-8"))["inputs"]
        self.assertEqual([(one["word"], one["path"]) for one in inputs],
                         [("MODEL", str(model)), ("data", str(self.folder / "run.csv"))])

    def test_a_run_beyond_its_rows_names_the_driver(self):
        self.write_csv([(0.0, 0.0), (0.5, 10.0), (1.0, 90.0)])
        model = self.write(ARM + "drivers: {d: {joint: A, position: {file: run.csv, column: angle}}}\noutputs: [A.q]\n")
        self.assertEqual(self.move(model, until="1").returncode, 0)
        done = self.move(model, until="1.5")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("driver 'd'", done.stderr)

    def test_a_column_of_a_file_loads(self):
        """½ q̈ = M: a torque of 6 t N m gives 2 t³ rad."""
        self.write_csv([(t / 10.0, 0.6 * t) for t in range(21)], unit="N*m", name="M")
        model = self.write(ARM + "forces: {f: {joint: A, torque: {file: run.csv, column: M}}}\noutputs: [A.q]\n")
        done = call("simulate", model, "--until", "2", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(self.columns()[1]["A.q"][-1], 16.0, 6)
        done = call("simulate", model, "--until", "3", "--out", self.out)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("'f'", done.stderr)

    def test_wrong_columns_are_said(self):
        for rows, unit, column, sentence in (([(0.0, 1.0), (1.0, 2.0)], "deg", "angel", "Did you mean 'angle'?"),
                                             ([(0.0, 1.0), (1.0, 2.0)], "mm", "angle", "a unit of the wrong kind"),
                                             ([(0.0, 1.0)], "deg", "angle", "too short"),
                                             ([(0.0, 1.0), (0.0, 2.0)], "deg", "angle", "a file of data cannot be used")):
            self.write_csv(rows, unit)
            model = self.write(ARM + f"drivers: {{d: {{joint: A, position: {{file: run.csv, column: {column}}}}}}}\n")
            done = call("info", model)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(sentence, done.stderr)

    def test_flattened_it_is_the_same_without_the_file(self):
        self.write_csv([(0.0, 0.0), (0.5, 1000.0), (1.0, 90.0)])
        model = self.write(ARM + "drivers: {d: {joint: A, position: {file: run.csv, column: angle}}}\noutputs: [A.q]\n")
        self.assertEqual(self.move(model, until="0.4").returncode, 0)
        before = self.columns()
        flat = self.folder / "flat.yaml"
        done = call("flatten", model, "--out", flat)
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.folder / "run.csv").unlink()
        done = self.move(flat, until="0.4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.columns(), before)


class Followers(InFolder):
    CAM = """mechanism: cam
plane: xy
ground: {points: {C: [0, 0], F: [0, 0.1]}}
bodies: {cam: {mass: 1, shape: {disc: 0.1}, points: {C: [0, 0]}}, follower: {mass: 1, shape: {disc: 0.01}, points: {F: [0, 0]}}}
joints: {shaft: {revolute: [ground.C, cam.C]}, guide: {prismatic: [ground.F, follower.F], axis: y}}
couplings: {profile: {follows: {joint: guide, of: shaft, table: [[0, 0], [60 deg, 5 mm], [120 deg, 9 mm], [200 deg, 10 mm]]}}}
outputs: [guide.q]
"""

    def test_that_leave_their_table_end_the_run(self):
        for word, rest in (("kinematics", "drivers: {m: {joint: shaft, speed: 90 deg/s, start: 10 deg}}\n"),
                           ("simulate", "assembly: {shaft.q: 10 deg, shaft.v: 90 deg/s}\n")):
            words = ["--step", "0.1"] if word == "kinematics" else []
            model = self.write(self.CAM + rest)
            self.assertEqual(call(word, model, "--until", "1", *words, "--out", self.out).returncode, 0)
            done = call(word, model, "--until", "4", *words, "--out", self.out)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("coupling 'profile', t = ", done.stderr)

    def test_info_counts_one_row(self):
        facts = info(MODELS / "disc-cam.yaml")
        self.assertEqual(facts["mobility"]["rank"], 1)
        self.assertEqual([group["type"] for group in facts["groups"]], ["1R", "1G1P"])


class PublishedInertias(InFolder):
    BODY = """mechanism: top
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {top: {mass: 1, center_of_mass: [0, 0, 0.1], inertia: [1e-3, 1.2e-3, 3e-3], ACCEPT points: {O: [0, 0, 0]}}}
joints: {O: {spherical: [ground.O, top.O]}}
assembly: {top.rotation: [0.2, 0, 0], top.wz: 30 rad/s}
outputs: [top.wx, top.wy, top.wz]
"""

    def test_are_computed_with_and_noted(self):
        refused = call("info", self.write(self.BODY.replace("ACCEPT", "")))
        self.assertNotEqual(refused.returncode, 0)
        model = self.write(self.BODY.replace("ACCEPT", "accept_inertia: as_published,"))
        ends = []
        for words in (["--formulation", "null-space"], ["--formulation", "semi-recursive"],
                      ["--formulation", "multipliers", "--coordinates", "reference-point"]):
            done = call("simulate", model, "--until", "0.5", *words, "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("body 'top' has an inertia that no rigid body has", done.stderr)
            ends.append([values[-1] for values in self.columns()[1].values()][1:4])
        for end in ends[1:]:
            for one, other in zip(end, ends[0]):
                self.assertAlmostEqual(one, other, 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
