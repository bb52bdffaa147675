"""Roads under a cart: what wheels stand on is what the file says, measured where they touch it."""

import math
import sys
import unittest

from program import MODELS, SOURCE, InFolder, call

CART = (MODELS / "vehicles/cart.yaml").read_text(encoding="utf-8")
ROADS = SOURCE / "tests/data/roads"


class Roads(InFolder):
    def on(self, road, speed="10 m/s"):
        return CART.replace("road: {", f"road: {{{road}, ").replace("\nassembly:", f"\nstart: {{speed: {speed}}}\nassembly:")

    def touched(self, road, until="2", every="0.05"):
        """Places where the front wheels touch the road: (x, y, z) of the left one, of the right one."""
        names = [f"tyre_{wheel}.{axis}" for wheel in ("fl", "fr") for axis in "xyz"]
        done = call("simulate", self.write(self.on(road)), "--until", until, "--every", every, "--out", self.out, "--outputs", ",".join([*names, "tyre_fl.fz"]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.loads = self.columns()[1]["tyre_fl.fz"]
        columns = self.columns()[1]
        return [list(zip(*(columns[name] for name in names[3 * k:3 * k + 3]))) for k in range(2)]

    def refused(self, road):
        done = call("info", self.write(CART.replace("road: {", f"road: {{{road}, ")))
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_a_table_of_a_file_has_two_tracks(self):
        """At its rows its heights, in mm; behind the last row that one."""
        for k, side in enumerate(("left", "right")):
            given = {2.0: (7e-3, 4e-3)[k], 4.0: 0.0}
            points = self.touched(f"table: {{file: {ROADS}/two-tracks.csv, left: left, right: right}}", until="1", every="0.005")[k]
            for x, z in given.items():
                near = min(points, key=lambda point, x=x: abs(point[0] - x))
                self.assertAlmostEqual(near[2], z, delta=2.5e-3, msg=f"{side} {x}")
            self.assertEqual(points[-1][2], 0.0)

    def test_a_grid_of_a_file_is_under_the_wheels(self):
        """Rows 1 m apart, columns at -1.5, 0 and 1.5 m: linear between them, felt a third of the radius ahead and behind, written out here."""
        rows = [[0.02 * math.sin(0.7 * i + j) for j in range(3)] for i in range(40)]
        lines = ["$ROAD_CRG", "REFERENCE_LINE_INCREMENT = 1.0", "$", "$KD_DEFINITION", "#:LDFI",
                 *(f"D:long section at v = {v},m" for v in (-1.5, 0, 1.5)), "$", "$$$$"]
        lines += ["".join(f"{z:20.12f}" for z in row) for row in rows]
        self.write("\n".join(lines) + "\n", "road.crg")

        def height(x, y):
            i, j = int(x), int((y + 1.5) // 1.5)
            t, s = x - i, (y + 1.5) / 1.5 - j
            a, b = rows[i], rows[i + 1]
            return (1 - t) * ((1 - s) * a[j] + s * a[j + 1]) + t * ((1 - s) * b[j] + s * b[j + 1]) - rows[0][1]  # begins at z = 0

        for points in self.touched("opencrg: road.crg"):
            self.assertGreater(len(points), 30)
            for x, y, z in points:
                if x < 0.1:
                    continue
                expected = (height(x - 0.1, y) + 2 * height(x, y) + height(x + 0.1, y)) / 4
                self.assertAlmostEqual(z, expected, delta=1e-7, msg=f"{x} {y}")

    def test_a_random_road_is_the_same_again_and_rougher_by_class(self):
        heights = {}
        for letter in "AC":
            first, again = (self.touched(f"iso_8608: {{class: {letter}, seed: 3}}", until="3") for _ in range(2))
            self.assertEqual(first, again)
            heights[letter] = max(abs(z) for x, _, z in first[0] if x > 12)
            self.assertNotEqual([z for _, _, z in first[0]], [z for _, _, z in first[1]])
        self.assertAlmostEqual(heights["C"] / heights["A"], 4, delta=0.5)  # the same waves, 16 times the power

    def test_a_plank_lifts_and_is_left(self):
        points, _ = self.touched("bumps: {p: {plank: {at: 3 m, length: 0.5 m, height: 40 mm}}}", until="1", every="0.002")
        self.assertLess(max(z for x, _, z in points if x < 2.6), 1e-12)
        self.assertGreater(max(self.loads), 6000)
        on_it = [z for x, _, z in points if 3.12 < x < 3.38]
        self.assertTrue(on_it)
        for z in on_it:
            self.assertAlmostEqual(z, 0.04, delta=1e-9)

    def test_flat_files_read_back(self):
        for road in ("iso_8608: {class: B, seed: 9, at: 3 m, length: 200 m, waves: [0.5 m, 50 m]}", "bumps: {p: {plank: {at: 3 m, length: 0.5 m, height: 40 mm}}}",
                     f"table: {{file: {ROADS}/two-tracks.csv, left: left, right: right}}", f"opencrg: {ROADS}/curved-banked-sloped.crg"):
            flat = call("flatten", self.write(self.on(road)))
            self.assertEqual(flat.returncode, 0, flat.stderr)
            again = call("flatten", self.write(flat.stdout, "flat.yaml"))
            self.assertEqual(again.stdout, flat.stdout)

    def test_heights_have_no_equations(self):
        done = call("export", self.write(CART.replace("road: {", "road: {iso_8608: {class: B}, ")), "--out", self.folder / "code", "--language", "c")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a road by its heights is not exported [", done.stderr)

    def test_tables_that_are_no_tables_are_refused(self):
        table = f"table: {{file: {ROADS}/two-tracks.csv"
        self.assertRegex(self.refused(f"{table}, column: middle}}"), r"no such column in '.*two-tracks\.csv' .* one of 'left' or 'right', got 'middle'")
        self.assertRegex(self.refused(f"{table}, left: left}}"), r"key 'right' is missing .* the column of the right track")
        self.write("t [s],z [m]\n0,0\n1,0\n", "times.csv")
        self.assertRegex(self.refused("table: {file: times.csv, column: z}"), r"a file of data cannot be used .* a first column 'x' or 'x \[m\]' is needed")
        self.write("x [m],z [kg]\n0,0\n1,0\n", "masses.csv")
        self.assertIn("a column with a unit of the wrong kind", self.refused("table: {file: masses.csv, column: z}"))
        self.write("x [m],z [m]\n0,0\n2,0\n1,0\n", "back.csv")
        self.assertIn("places that increase", self.refused("table: {file: back.csv, column: z}"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
