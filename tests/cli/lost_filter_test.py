"""`eslabon estimate` with filters that lose the motion: estimates stay such as mechanism and sensors can have, and the program says so."""

import csv
import json
import math
import sys
import unittest

from program import InFolder, call

# Two arms that swing wildly, with an encoder on the first: from a start at rest extended Kalman filters lose the second.
ARMS = """
mechanism: two arms
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0]}}
bodies:
  arm1: {mass: 0.1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.17, 0]}}
  arm2: {mass: 0.14, shape: {bar: [B, C]}, points: {B: [0, 0], C: [0.23, 0]}}
joints:
  A: {revolute: [ground.A, arm1.A]}
  B: {revolute: [arm1.B, arm2.B]}
dampers: {rubbing: {joint: A, damping: 1e-4}}
sensors:
  encoder: {encoder: A, noise: 0.02 deg, rate: 100 Hz}
start: {A.q: -30 deg, B.q: 50 deg%s}
outputs: [A.q, A.v, B.q, B.v]
"""
MOVING = ", A.v: 8 rad/s, B.v: -9 rad/s"
HALF_A_TURN_PER_READING = math.pi * 100.0  # [rad/s]


class LostFilters(InFolder):
    def sensed(self):
        """Readings of the moving arms for 20 s, and the model of a filter that takes them to be at rest."""
        truth = self.write(ARMS % MOVING)
        done = call("sense", truth, "--until", "20", "--out", self.folder / "readings.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.write(ARMS % "")

    def estimate(self, model, *words, readings="readings.csv"):
        done = call("estimate", model, "--measurements", self.folder / readings, "--out", self.out, "--json", *words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done, json.loads(done.stdout)["filters"][0], self.columns()[1]

    def test_no_rate_is_faster_than_readings_can_tell(self):
        model = self.sensed()
        for words in ((), ("--filter", "ukf"), ("--filter", "cekf"), ("--forces",), ("--unknown", "mass:arm2")):
            with self.subTest(words=words):
                done, told, found = self.estimate(model, *words)
                for name in ("A.v", "B.v"):
                    self.assertLessEqual(max(map(abs, found[name])), 1.001 * HALF_A_TURN_PER_READING)
                self.assertGreater(told["lost_seconds"], 0.0)
                # In lost times the rows say so, and a run that was mostly lost is a failure in one sentence.
                lost = sum(1 for observed in found["observed"] if observed == 0.0) * told["step"]
                self.assertGreaterEqual(lost, 0.99 * told["lost_seconds"])
                self.assertEqual(done.returncode, 1 if told["is_lost"] else 0, done.stderr)
                self.assertEqual("the filter has lost the motion" in done.stderr, told["is_lost"])

    def test_a_filter_that_begins_anew_finds_the_motion_again(self):
        done, told, found = self.estimate(self.sensed())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(told["reopenings"] + told["restarts"], 1)
        with open(self.folder / "readings.csv", encoding="utf-8") as file:
            read = [float(row[1]) for row in list(csv.reader(file))[2:]]
        rows = [k for k, t in enumerate(found["t"]) if round(1000 * t) % 10 == 0]
        late = [abs(math.remainder(found["A.q"][k] - read[round(100 * found["t"][k])], 2 * math.pi))
                for k in rows if 15.0 <= found["t"][k] <= 19.9]
        self.assertLess(max(late), math.radians(0.2))

    def test_a_good_filter_is_not_lost(self):
        self.sensed()
        done, told, _ = self.estimate(self.write(ARMS % MOVING))
        self.assertEqual((done.returncode, told["lost_seconds"], told["is_lost"]), (0, 0.0, False), done.stderr)

    def test_factors_stay_positive(self):
        model = self.sensed()
        for words in (("--unknown", "damping:rubbing,sigma=2"), ("--unknown", "mass:arm2,sigma=3"),
                      ("--unknown", "damping:rubbing,sigma=2", "--filter", "ukf")):
            with self.subTest(words=words):
                found = self.estimate(model, *words)[2]
                self.assertGreater(min(found[words[1].split(",")[0]]), 0.0)
        done = call("estimate", model, "--measurements", self.folder / "readings.csv", "--out", self.out,
                    "--unknown", "damping:rubbing,start=0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a factor is estimated by its logarithm [--unknown]: expected start > 0, got '0'", done.stderr)

    def test_readings_that_all_are_refused_are_no_estimate(self):
        model = self.sensed()
        for name, value, why in (("far", lambda k: 3.0 + 0.001 * (k % 7), "outlier"), ("none", lambda k: math.nan, "not finite")):
            with self.subTest(name):
                rows = [f"{10_000_000 * k},{value(k)}" for k in range(25)]
                (self.folder / "bad.csv").write_text("t_ns,encoder\nns,rad\n" + "\n".join(rows) + "\n", encoding="utf-8")
                done = call("estimate", model, "--measurements", self.folder / "bad.csv", "--out", self.out,
                            "--start-deviation", "0.1 deg", "--start-rate-deviation", "0.1 deg/s")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn("no reading was accepted", done.stderr)
                self.assertIn(why, done.stderr)

    def test_steps_that_all_fail_are_no_estimate(self):
        model = self.write("""
mechanism: pushed slider
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  slider: {mass: 1, shape: {box: [0.1, 0.1]}, points: {O: [0, 0]}}
joints:
  G: {prismatic: [ground.O, slider.O], axis: [1, 0]}
forces: {push: {point: slider.O, force: [= sqrt(1e-4 - t), 0]}}
sensors: {x: {encoder: G, rate: 100 Hz, noise: 1 mm}}
outputs: [G.q, G.v]
""")
        rows = [f"{10_000_000 * k},{0.0005 * (k % 3)}" for k in range(25)]
        (self.folder / "readings.csv").write_text("t_ns,x\nns,m\n" + "\n".join(rows) + "\n", encoding="utf-8")
        done, told, _ = self.estimate(model)
        self.assertEqual((done.returncode, told["restarts"], told["is_lost"]), (1, 240, True))
        self.assertIn("the filter has lost the motion [filter dekf]", done.stderr)

    def test_no_filter_passes_over_a_stop_without_a_limit(self):
        plain = self.write(ARMS % "")
        self.assertEqual(call("sense", plain, "--until", "1", "--out", self.folder / "readings.csv").returncode, 0)
        stopped = self.write((ARMS % "").replace("sensors:", 'stops: {s: {joint: A, lower: "= -2 - sqrt(0.3 - t)", stiffness: 5}}\nsensors:'))
        for name in ("dekf", "ukf", "particle"):
            done = call("estimate", stopped, "--measurements", self.folder / "readings.csv", "--filter", name, "--seed", "1", "--step", "0.01",
                        "--out", self.out)
            self.assertEqual(done.returncode, 1, (name, done.stderr))
            self.assertIn("lost", done.stderr, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
