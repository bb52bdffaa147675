"""`--truth` of `sense` and `estimate` with rows that are far apart, and with impacts between them."""

import csv
import json
import math
import os
import subprocess
import sys
import unittest

from program import MODELS, InFolder, call

TESTBED = MODELS / "fourbar-testbed.yaml"
STATES = "A.q,A.v,A.a,crank.angle,crank.rate,crank.angular_acceleration"

BOUNCING = """
mechanism: bouncing slider
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  block: {mass: 2 kg, shape: {box: [100 mm, 100 mm]}, points: {P: [0, 0]}}
joints:
  guide: {prismatic: [ground.O, block.P], axis: [0, 1]}
stops:
  floor: {joint: guide, lower: 0 m, restitution: 0.5}
sensors:
  height: {encoder: guide, noise: 1 mm, rate: 300 Hz}
  speed: {tachometer: guide, noise: 0.02, rate: 300 Hz}
  acceleration: {accelerometer: block.P, noise: 0.02, rate: 300 Hz}
assembly: {guide.q: 1 m}
outputs: [guide.q, guide.v]
"""


def numbers(path):
    with open(path, encoding="utf-8") as file:
        return [[float(cell) if cell else math.nan for cell in row] for row in list(csv.reader(file))[2:]]


class CoarseTruth(InFolder):
    def truth(self, every, outputs=STATES, until="4"):
        path = self.folder / f"truth {every}.csv"
        done = call("simulate", TESTBED, "--release", "motor", "--until", until, "--every", every, "--outputs", outputs,
                    "--out", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def sense(self, truth, *words, out="readings.csv", model=TESTBED):
        return call("sense", model, "--truth", truth, "--out", self.folder / out, *words)

    def errors(self, truth, *words):
        """Status, stderr, and RMSE of the crank's angle [deg] and NEES."""
        done = call("estimate", TESTBED, "--release", "motor", "--measurements", self.folder / "readings.csv", "--truth", truth,
                    "--outputs", "crank.angle", "--out", self.out, "--json", *words)
        told = json.loads(done.stdout)["filters"][0]["truth"]
        rmse = told["errors"][0]["rmse"]
        return done, None if rmse is None else math.degrees(rmse), told["nees"]

    def test_rows_with_rates_and_accelerations_are_as_good_as_many(self):
        fine = self.truth("1 ms")
        self.assertEqual(self.sense(fine).returncode, 0)
        done, right, nees = self.errors(fine)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # With derivatives of the column itself, or of the freedoms, which tell the whole motion.
        for every, outputs in (("10 ms", STATES), ("50 ms", STATES), ("100 ms", STATES), ("100 ms", "A.q,A.v,A.a,crank.angle")):
            done, rmse, coarse_nees = self.errors(self.truth(every, outputs))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertAlmostEqual(rmse, right, delta=0.01 * right)
            self.assertAlmostEqual(coarse_nees, nees, delta=0.01 * nees)

    def test_what_is_too_coarse_is_refused_with_what_would_do(self):
        self.assertEqual(self.sense(self.truth("1 ms")).returncode, 0)
        done, rmse, nees = self.errors(self.truth("0.5 s", "A.q,A.v,crank.angle,crank.rate"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIsNone(rmse)
        self.assertIsNone(nees)
        self.assertRegex(done.stderr, r"the rows of the truth are too far apart to compare with \[.*, column 'crank.angle'\]: "
                         r"expected rows every [0-9.]+ ms or less, got every 0.5 s, between which it is known to .*° only")
        # What the sentence says would do does.
        advice = done.stderr.split("--every '")[1].split("'")[0]
        done, rmse, _ = self.errors(self.truth(advice, "A.q,A.v,crank.angle,crank.rate"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(rmse, 0.03)

    def test_a_truth_whose_error_matters_is_noted(self):
        self.assertEqual(self.sense(self.truth("1 ms")).returncode, 0)
        done, _, _ = self.errors(self.truth("120 ms", "A.q,A.v,crank.angle,crank.rate"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"note: .*between rows of the truth, 120 ms apart, crank.angle is known to .*° only")

    def test_rows_at_every_instant_that_is_compared_need_nothing_between_them(self):
        self.assertEqual(self.sense(self.truth("1 ms")).returncode, 0)
        right = self.errors(self.truth("1 ms"), "--every", "0.5 s")[1]
        done, rmse, _ = self.errors(self.truth("0.5 s", "A.q,A.v,crank.angle"), "--every", "0.5 s")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertAlmostEqual(rmse, right, delta=1e-6)

    def test_a_truth_that_comes_through_a_pipe_is_read_once(self):
        self.assertEqual(self.sense(self.truth("1 ms")).returncode, 0)
        truth = self.truth("100 ms", "A.q,A.v,A.a,crank.angle")
        right = self.errors(truth)[1]
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["sh", "-c", 'cat "$0" > "$1"', truth, pipe]):
            self.assertEqual(self.errors(pipe)[1], right)

    def test_sense_refuses_rows_that_are_too_far_apart_for_its_sensors(self):
        done = self.sense(self.truth("0.5 s"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"the rows are too far apart for what is read between them \[.*\]: expected rows every "
                         r"[0-9.]+ ms or less for 'imu1_.*', got every 0.5 s")
        self.assertFalse((self.folder / "readings.csv").exists())
        advice = done.stderr.split("--every '")[1].split("'")[0]
        done = self.sense(self.truth(advice))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_speed_that_is_constant_but_for_roundoff_does_not_jump(self):
        truth, model = self.folder / "truth.csv", MODELS / "slider-crank.yaml"
        self.assertEqual(call("simulate", model, "--until", "0.3", "--out", truth).returncode, 0)
        done = self.sense(truth, model=model)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_rows_between_most_of_which_rates_jump_are_no_motion(self):
        truth = self.folder / "truth.csv"
        self.assertEqual(call("simulate", TESTBED, "--release", "motor", "--until", "20", "--every", "4", "--out", truth).returncode, 0)
        done = call("sense", TESTBED, "--truth", truth, "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("rows 4 s apart, with rates that jump between 4 of 5 of them", done.stderr)
        self.assertFalse(self.out.exists())

    def test_sense_between_rows_is_right_to_a_part_of_the_noise(self):
        self.assertEqual(self.sense(self.truth("1 ms"), out="fine.csv").returncode, 0)
        self.assertEqual(self.sense(self.truth("50 ms"), out="coarse.csv").returncode, 0)
        for one, other in zip(numbers(self.folder / "fine.csv"), numbers(self.folder / "coarse.csv")):
            self.assertAlmostEqual(one[2], other[2], delta=1e-3)  # of 0.02 m/s²

    def test_impacts_between_rows_are_told_and_kept(self):
        model = self.write(BOUNCING)
        readings = {}
        for every in ("0.1 ms", "10 ms"):
            truth = self.folder / "truth.csv"
            self.assertEqual(call("simulate", model, "--until", "0.9", "--every", every, "--out", truth).returncode, 0)
            done = self.sense(truth, out="r.csv", model=model)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, r"note: .*: rates jump between rows 1 time, first between 0.45\d* s and 0.4\d* s")
            readings[every] = numbers(self.folder / "r.csv")
        for one, other in zip(readings["0.1 ms"], readings["10 ms"]):
            for a, b in zip(one[1:], other[1:]):
                self.assertAlmostEqual(a, b, delta=1e-6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
