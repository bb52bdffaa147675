"""Sideslip and tyre forces of a sedan from wheel speeds, one IMU and a steering encoder, by the commands of docs/estimation-on-vehicles.md."""

import csv
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
        sensors = re.findall(r"^  (\w+) +(\d+) +– +– +([\d.]+) +(\d)$", done.stdout, re.M)  # nothing is refused
        self.assertEqual(len(sensors), 6, done.stdout)
        self.nis = {name: (float(nis), int(expected), int(count)) for name, count, nis, expected in sensors}
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
        # Innovations are what the filter expects: their sum of squares is within 0.05 % and 99.95 % of chi square, by Wilson and Hilferty.
        for name, (nis, expected, count) in self.nis.items():
            number = expected * count
            for sign, compare in ((-1, self.assertGreater), (1, self.assertLess)):
                compare(nis, expected * (1 - 2 / (9 * number) + sign * 3.29 * (2 / (9 * number)) ** 0.5) ** 3, name)
        # Deviations are true: no output's mean square is far from 1, though errors of one run are no independent draws.
        for name, (_, square) in result.items():
            self.assertLess(square, 3.0, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
