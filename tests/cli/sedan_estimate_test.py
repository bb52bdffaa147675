"""Sideslip and tyre forces of a sedan from wheel speeds, one IMU and a steering encoder, by the commands of docs/estimation-on-vehicles.md."""

import csv
import random
import re
import shlex
import sys
import unittest

import program
from program import MODELS, SOURCE, InFolder, call

program.PATIENCE *= 5  # some 40 states
SEDAN = MODELS / "vehicles/sedan-sensors.yaml"
PAGE = SOURCE / "docs/estimation-on-vehicles.md"


def commands():
    """The three lines of the page: truth, readings, estimate."""
    text = PAGE.read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in re.findall(r"^eslabon \w+ models/vehicles/sedan-sensors.yaml.*$", text, re.M)]


class Sedan(InFolder):
    def follow(self, seconds, *of_truth):
        """Errors of each output from 0.2 s on, in multiples of its deviation and as they are."""
        for words in commands():
            words = [str(SEDAN) if word.endswith("sedan-sensors.yaml") else str(self.folder / word) if word.endswith(".csv") else word for word in words]
            words[words.index("--until") + 1] = seconds
            if words[0] == "estimate":
                words[words.index("--out") + 1] = str(self.out)
            else:
                words += of_truth
            done = call(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            if words[0] == "simulate":
                truth = words[words.index("--out") + 1]
        self.assertNotIn("restart", done.stdout.lower())
        self.assertRegex(done.stdout, r"wheel_rear_right +\d+ +– ")  # nothing is refused
        with open(truth, encoding="utf-8") as file:
            head, _, *rows = csv.reader(file)
        true = {round(float(row[0]), 6): dict(zip(head, map(float, row))) for row in rows}
        with open(self.out, encoding="utf-8") as file:
            head, _, *rows = csv.reader(file)
        result = {}
        for name in (name for name in head if name + ".sigma" in head and not name.endswith(".value")):  # the truth pushes by `rack`, not by `hand`
            used = [dict(zip(head, map(float, row))) for row in rows if float(row[0]) >= 0.2]
            errors = [row[name] - true[round(row["t"], 6)][name] for row in used]
            result[name] = ((sum(e * e for e in errors) / len(errors)) ** 0.5,
                            sum((e / row[name + ".sigma"]) ** 2 for e, row in zip(errors, used)) / len(errors))
        return result

    def test_a_filter_that_knows_the_car(self):
        result = self.follow("0.8 s")
        self.assertLess(result["sideslip"][0], 0.05 * 3.1416 / 180)
        for corner in ("front.left", "front.right", "rear.left", "rear.right"):
            self.assertLess(result[f"{corner}.tyre.fy"][0], 60.0)  # of up to 3.8 kN
            self.assertLess(result[f"{corner}.tyre.fz"][0], 90.0)  # of some 3.5 kN
        # Deviations are true: no output's mean square is far from 1, though errors of one run are no independent draws.
        for name, (_, square) in result.items():
            self.assertLess(square, 3.0, name)


    def test_of_a_matched_car_innovations_and_deviations_are_true(self):
        """The hand jumps at the start by what the filter expects, 1 mm times a normal number, and rests; nothing else is unknown. Four tries: squares of
        innovations of all sensors, and of errors after 0.4 s beside their deviations, lie in the middle 99.9 % of chi square."""
        draw, squares, number, errors = random.Random(3), 0.0, 0, {}
        for seed in range(1, 5):
            of_truth = ["--until", "0.4", "--set", f"rack={draw.gauss(0.0, 1e-3)!r} m", "--set", "turn_at=0", "--set", "turn_in=1e-4"]
            truth, readings = self.folder / "truth.csv", self.folder / "readings.csv"
            for words in (["simulate", SEDAN, *of_truth, "--every", "0.4", "--out", truth], ["sense", SEDAN, *of_truth, "--seed", seed, "--out", readings],
                          ["estimate", SEDAN, "--measurements", readings, "--until", "0.4", "--out", self.out, "--start-deviation", "1e-7", "--start-rate-deviation",
                           "1e-7", "--velocity-noise", "1e-6", "--unknown", "state:hand,sigma=1 mm", "--unknown", "state:drive,sigma=1e-3 N*m"]):
                done = call(*words)
                self.assertEqual(done.returncode, 0, done.stderr)
            sensors = re.findall(r"^  \w+ +(\d+) +\S+(?: outlier)? +– +([\d.]+) +(\d)$", done.stdout, re.M)
            self.assertEqual(len(sensors), 6, done.stdout)
            squares += sum(float(nis) * int(count) for count, nis, _ in sensors)
            number += sum(int(expected) * int(count) for count, _, expected in sensors)
            with open(truth, encoding="utf-8") as file:
                head, _, *rows = csv.reader(file)
            true = dict(zip(head, map(float, rows[-1])))
            with open(self.out, encoding="utf-8") as file:
                head, _, *rows = csv.reader(file)
            last = dict(zip(head, map(float, rows[-1])))
            for name in ("sideslip", "chassis.wz", "front.left.tyre.fy", "rear.right.tyre.fz"):
                errors[name] = errors.get(name, 0.0) + ((last[name] - true[name]) / last[name + ".sigma"]) ** 2
        self.assertEqual(number, 4 * 41 * 11)
        for sign, compare in ((-1, self.assertGreater), (1, self.assertLess)):  # by Wilson and Hilferty
            compare(squares, number * (1 - 2 / (9 * number) + sign * 3.29 * (2 / (9 * number)) ** 0.5) ** 3)
        for name, total in errors.items():
            self.assertGreater(total, 0.064, name)
            self.assertLess(total, 20.0, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
