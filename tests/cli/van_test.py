"""The complete van dropped and over a bump, against histories that a program of other coordinates computed (van_oracle.py)."""

import csv
import os
import re
import sys
import unittest

try:
    import numpy as np
except ImportError:  # Debian's own, whose NumPy packages.txt installs; another python3 may come first in the path
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

import van_oracle
from program import MODELS, SOURCE, InFolder, call, info

VAN = MODELS / "vehicles/van-plain.yaml"
DATA = SOURCE / "tests/data/vehicles"
CLOSE = {"m": 2e-8, "rad": 2e-8, "N": 5e-3}  # ten times what both programs differ by: 2e-9 m, 2e-10 rad, 1e-4 N


def history(case):
    with open(DATA / f"van-plain-{case}.csv", newline="", encoding="utf-8") as file:
        names, units, *rows = csv.reader(file)
    return dict(zip(names, units)), dict(zip(names, np.array(rows, dtype=float).T))


class Van(InFolder):
    def agrees(self, case):
        units, expected = history(case)
        names = [name for name in units if name != "t"]
        done = call("simulate", VAN, "--variant", case, "--until", expected["t"][-1], "--every", expected["t"][1], "--rtol", "1e-11", "--atol", "1e-12",
                    "--outputs", ",".join(names), "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        measured, columns = self.columns()
        self.assertEqual({name: measured[name] for name in units}, units)
        for name in units:
            difference = np.abs(np.array(columns[name]) - expected[name]).max()
            self.assertLess(difference, CLOSE.get(units[name], 1e-9), f"{case}, {name}")
        return expected

    def test_dropped(self):
        """50 mm above the road in front: the tyres touch down one axle after the other, the van sinks in and comes up again."""
        expected = self.agrees("drop")
        self.assertEqual(expected["front.left.tyre.fz"][0], 0.0)
        self.assertGreater(max(expected["front.left.tyre.fz"]), 8000)
        self.assertGreater(expected["chassis.O.z"][0] - min(expected["chassis.O.z"]), 0.15)

    def test_over_a_bump_under_the_left_wheels(self):
        expected = self.agrees("bump")
        self.assertGreater(max(expected["front.left.tyre.fz"] - expected["front.right.tyre.fz"]), 1000)
        self.assertGreater(np.ptp(expected["chassis.euler_zyx_3"]), 0.01)
        self.assertGreater(expected["chassis.O.x"][-1], 14)

    def test_histories_are_those_of_the_other_program(self):
        """Their first tenth of a second, computed again; all of it takes a minute."""
        for case in van_oracle.CASES:
            _, expected = history(case)
            for k, row in enumerate(van_oracle.table(case, 0.1, expected["t"][1])):
                for name, value in row.items():
                    self.assertAlmostEqual(value, expected[name][k], delta=1e-3 if name.endswith("fz") else 1e-8, msg=f"{case}, {name}")

    def test_both_programs_count_the_same_degrees_of_freedom(self):
        """There the rack is part of the chassis; here a driver holds it."""
        van = van_oracle.Van(van_oracle.CASES["drop"])
        self.assertEqual(info(VAN)["mobility"], {"gruebler": 15, "rank": 15})
        self.assertEqual(6 * van.n - sum(van.number), 15 - 1)

    def changed(self, pattern):
        """The file without what the pattern finds, beside the parts of the van."""
        text = VAN.read_text(encoding="utf-8").replace("parts/van-", str(VAN.parent / "parts/van-"))
        return self.write(re.sub(pattern, "", text, flags=re.MULTILINE))

    def test_inputs_need_not_be_named(self):
        """The axle hangs on two balls: one of the inputs that are picked must say how it turns between them."""
        for words in [(), ("--release", "all")]:
            done = call("simulate", self.changed(r"^inputs: .*\n"), "--until", "0.02", "--states", "--out", self.out, *words)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_bodies_of_which_nothing_is_said_are_where_they_are_drawn_beside_the_chassis(self):
        """The rack is off its middle, so joints at zero close nothing; and the chassis is not where it is drawn."""
        model = self.changed(r"^  (front\.(left|right)\.lower_hinge: 0|rear\.axle\.rotation: ).*\n")
        done = call("simulate", model, "--set", "rack=10 mm", "--until", "0.01", "--every", "0.01", "--outputs", "rear.axle.C.z,chassis.O.z", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        self.assertAlmostEqual(columns["rear.axle.C.z"][0], columns["chassis.O.z"][0], delta=1e-9)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
