"""`eslabon modes`: frequencies against closed forms, the files read by other readers, and what cannot be linearised."""

import csv
import io
import math
import re
import struct
import sys
import unittest
import zipfile

from model_texts import PARALLELOGRAM
from program import MODELS, InFolder, call, machines

MASS = """
mechanism: mass
plane: xy
ground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}
bodies: {mass: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}}
joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}
springs: {s: {joint: J, stiffness: 48, free_length: 0.1, damping: 6}}
forces: {push: {joint: J, force: 7 N}}
assembly: {J.q: 0.3, J.v: 0.4}
outputs: [J.q, mass.P.vx, J.a, s.force]
"""
A = [[0, 1], [-16, -2]]
B = [[0, 0], [1 / 3, 7 / 3]]
C = [[1, 0], [0, 1], [-16, -2], [48, 6]]
D = [[0, 0], [0, 0], [1 / 3, 7 / 3], [0, 0]]


def read_npz(data):
    """Arrays of an .npz file, by the documents of ZIP (Python's reader checks the sums) and of NumPy's format 1.0."""
    arrays = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            content = archive.read(name)
            assert content[:8] == b"\x93NUMPY\x01\x00"
            (length,) = struct.unpack("<H", content[8:10])
            assert (10 + length) % 64 == 0
            header = content[10:10 + length].decode("ascii")
            assert header.endswith("\n")
            kind, order, shape = re.fullmatch(
                r"\{'descr': '(.*)', 'fortran_order': (True|False), 'shape': \((.*)\), \}\s*\n", header).groups()
            sizes = [int(word) for word in shape.split(",") if word.strip()]
            body = content[10 + length:]
            if kind == "<f8":
                rows, columns = sizes
                numbers = struct.unpack(f"<{rows * columns}d", body)
                assert order == "True"
                arrays[name[:-4]] = [[numbers[c * rows + r] for c in range(columns)] for r in range(rows)]
            else:
                width = 4 * int(kind[2:])
                assert kind.startswith("<U") and len(body) == width * sizes[0]
                arrays[name[:-4]] = [body[k:k + width].decode("utf-32-le").rstrip("\0") for k in range(0, len(body), width)] \
                    if width else []
    return arrays


def read_mat(data):
    """Matrices of a MAT-file of level 4, by its document."""
    arrays, at = {}, 0
    while at < len(data):
        kind, rows, columns, imaginary, length = struct.unpack_from("<5i", data, at)
        at += 20
        name = data[at:at + length]
        assert name[-1] == 0 and imaginary == 0
        at += length
        if kind == 0:
            numbers = struct.unpack_from(f"<{rows * columns}d", data, at)
            at += 8 * rows * columns
            arrays[name[:-1].decode()] = [[numbers[c * rows + r] for c in range(columns)] for r in range(rows)]
        else:
            assert kind == 51
            text = data[at:at + rows * columns]
            at += rows * columns
            arrays[name[:-1].decode()] = [bytes(text[c * rows + r] for c in range(columns)).decode().rstrip() for r in range(rows)]
    return arrays


class Modes(InFolder):
    def assert_matrix(self, found, expected, delta=1e-9):
        self.assertEqual([len(row) for row in found], [len(row) for row in expected])
        for row, other in zip(found, expected):
            for value, wanted in zip(row, other):
                self.assertAlmostEqual(value, wanted, delta=delta)

    def linear(self, name, *words, model=None):
        path = self.folder / name
        done = call("modes", model or self.write(MASS), "--inputs", "J.q,push", "--out", path, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done, path

    def assert_mass(self, arrays):
        self.assert_matrix(arrays["A"], A)
        self.assert_matrix(arrays["B"], B)
        self.assert_matrix(arrays["C"], C)
        self.assert_matrix(arrays["D"], D)
        self.assertEqual(arrays["state_names"], ["J.q", "J.v"])
        self.assertEqual(arrays["input_names"], ["J.q", "push"])
        self.assertEqual(arrays["output_names"], ["J.q", "mass.P.vx", "J.a", "s.force"])
        self.assertEqual(arrays["shape_names"], ["J.q", "mass.x", "mass.y", "mass.turn_z"])
        self.assert_matrix(arrays["frequency"], [[4 / (2 * math.pi)]])
        self.assert_matrix(arrays["damping"], [[0.25]])
        self.assert_matrix(arrays["eigenvalues"], [[-1, math.sqrt(15)]])
        self.assert_matrix(arrays["shapes_real"], [[1], [1], [0], [0]])
        self.assert_matrix(arrays["shapes_imaginary"], [[0], [0], [0], [0]])

    def test_npz(self):
        _, path = self.linear("linear.npz")
        self.assert_mass(read_npz(path.read_bytes()))

    def test_mat(self):
        _, path = self.linear("linear.mat")
        self.assert_mass(read_mat(path.read_bytes()))

    def test_the_same_bytes_every_time(self):
        for name in ("linear.npz", "linear.mat"):
            once = self.linear(name)[1].read_bytes()
            self.assertEqual(self.linear(name)[1].read_bytes(), once)

    def test_csv(self):
        done, path = self.linear("linear.csv")
        names = [f"linear.{part}.csv" for part in ("A", "B", "C", "D", "modes", "shapes")]
        self.assertEqual(sorted(file.name for file in self.folder.glob("linear*")), sorted(names))
        for name, rows, columns, expected in (("A", ["J.q", "J.v"], ["J.q", "J.v"], A), ("B", ["J.q", "J.v"], ["J.q", "push"], B),
                                              ("C", ["J.q", "mass.P.vx", "J.a", "s.force"], ["J.q", "J.v"], C)):
            with open(self.folder / f"linear.{name}.csv", newline="", encoding="utf-8") as file:
                head, *lines = csv.reader(file)
            self.assertEqual(head, ["", *columns])
            self.assertEqual([line[0] for line in lines], rows)
            self.assert_matrix([[float(cell) for cell in line[1:]] for line in lines], expected)
        self.assertIn("linear.A.csv", done.stdout)

    def test_page(self):
        done = call("modes", self.write(MASS))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"1   swings +0.63662 +4 +0.25   J.q 1 m")
        self.assertIn("the equilibrium found from the start, stable", done.stdout)

    def test_start_is_a_frozen_state(self):
        done, path = self.linear("linear.npz", "--at", "start")
        self.assertIn("not an equilibrium: frequencies are those of the frozen state", done.stdout)
        self.assert_matrix(read_npz(path.read_bytes())["A"], A)

    def test_after_a_run(self):
        done = call("modes", MODELS / "fourbar-testbed.yaml", "--release", "all", "--at", "0.5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("the state after 0.5 s of motion; not an equilibrium", done.stdout)

    def test_quarter_vehicle_has_one_mode_and_a_free_wheel(self):
        done = call("modes", MODELS / "quarter-vehicle.yaml")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"1   rigid .*hub.q 1 rad")
        self.assertRegex(done.stdout, r"2   swings")
        self.assertNotRegex(done.stdout, r"(?m)^ +3 ")

    def test_every_model_has_modes(self):
        for model in machines():
            if model.parent.name == "rolling":  # refused by name: rolling_test
                continue
            path = self.folder / "all.npz"
            done = call("modes", model, "--release", "all", "--at", "start", "--out", path)
            self.assertEqual(done.returncode, 0, (model.name, done.stderr))
            for name, rows in read_npz(path.read_bytes()).items():
                for row in rows if not name.endswith("names") and name != "provenance" else []:
                    self.assertTrue(all(math.isfinite(value) for value in row), (model.name, name))
            self.assertNotIn("nan", done.stdout.lower())

    def test_no_equilibrium_no_modes(self):
        done = call("modes", self.write(MASS.replace("springs: {s: {joint: J, stiffness: 48, free_length: 0.1, damping: 6}}\n", "")
                                        .replace(", s.force", "")))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no equilibrium was found", done.stderr)

    def test_what_cannot_be_linearised(self):
        flat = PARALLELOGRAM.replace("60 deg", "0 deg")
        done = call("modes", self.write(flat), "--release", "all", "--at", "start")
        self.assertEqual(done.returncode, 1)
        self.assertIn("singular position", done.stderr)
        done = call("modes", self.write(PARALLELOGRAM), "--release", "all", "--at", "start")
        self.assertEqual(done.returncode, 1)
        self.assertIn("something moves without mass [", done.stderr)
        done = call("modes", MODELS / "fourbar-testbed.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing can move", done.stderr)

    def test_touching_a_rigid_stop_is_not_linearised(self):
        done = call("modes", self.write(
            "mechanism: p\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\n"
            "bodies: {a: {mass: 1, inertia: 0.1, center_of_mass: [1, 0], points: {O: [0, 0]}}}\n"
            "joints: {A: {revolute: [ground.O, a.O]}}\nstops: {s: {joint: A, lower: -90 deg, restitution: 0.5}}\n"
            "assembly: {A.q: -60 deg}\n"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("something that touches a rigid stop", done.stderr)

    def test_wrong_words(self):
        model, out = self.write(MASS), self.folder / "linear.npz"
        for words, status, message in ((["--inputs", "pusch", "--out", out], 2, "Did you mean 'push'?"),
                                       (["--inputs", "J.v", "--out", out], 2, "no such input"),
                                       (["--outputs", "J.qq", "--out", out], 2, "J"),
                                       (["--outputs", "J.fx", "--out", out], 2, "not linearised"),
                                       (["--inputs", "push"], 2, "no destination"),
                                       (["--out", self.folder / "linear.txt"], 2, "unknown kind of file"),
                                       (["--at", "equilibrum"], 2, "Did you mean 'equilibrium'?"),
                                       (["--at", "start", "--time", "1"], 2, "goes with an equilibrium only"),
                                       (["--at", "-1"], 2, "--at")):
            done = call("modes", model, *words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            self.assertIn(message, done.stderr)
            self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
