"""`eslabon bench`: the table on the page and in the file."""

import sys
import unittest

from program import InFolder, call


class Bench(InFolder):
    def test_table_of_kinematics_is_printed_and_written(self):
        done = call("bench", "kinematics", "--dyads", "1,20", "--axles", "1", "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("I global", "II groups", "III groups-tensor", "IV sparse", "136.268", "Where the time goes"):
            self.assertIn(word, done.stdout)
        names, units, *rows = [line.split(",") for line in self.out.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len(names), len(units))
        self.assertEqual(len(rows), 2 * 4 + 4)
        for row in rows:
            values = dict(zip(names, row, strict=True))
            self.assertGreater(float(values["solution"]), 0)
            if values["mechanism"] == "truck-suspension":
                self.assertAlmostEqual(float(values["run"]), 400 * float(values["solution"]), delta=1e-3)
                continue
            shares = [float(values[part]) for part in ("jacobian", "residual", "solve", "K_and_L", "other")]
            self.assertAlmostEqual(sum(shares), 1, delta=1e-3)
            self.assertTrue(all(share >= 0 for share in shares))
            is_global = values["method"] in ("global", "sparse")
            self.assertEqual(shares[0] > 0, is_global)
            self.assertEqual(shares[3] > 0, values["method"] == "groups-tensor")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
