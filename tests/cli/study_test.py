"""`eslabon study`: sweeps, results that are the same bits whenever and however the tries run, kills, one try, and wrong words."""

import csv
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from program import MODELS, PATIENCE, PROGRAM, SOURCE, InFolder, call

# Two filters at two steps on the double crank of seed 000, which is let go from where the file says.
SMALL = f"""
study: a small one
model: {MODELS}/fourbar-double-crank.yaml
truth: {{until: 0.3 s}}
sensors: [gyroscope]
options: {{start-deviation: 20 deg, velocity-noise: 0.05}}
sweep: {{filter: [dekf, ukf], step: [3 ms, 6 ms]}}
tries: 5
converged: {{input.angle: 5 deg}}
"""

# The double crank from anywhere on either branch, long enough for its gyroscope to tell where it is.
PARTICLES = f"""
study: particles
model: {MODELS}/fourbar-double-crank.yaml
truth: {{start: unknown, until: 8 s}}
sensors: [gyroscope]
filter: particle
start: unknown
options: {{step: 6 ms, particles: 300, motion: 0.02, roughening: 0.02, sensor-factor: 10, velocity-noise: 0}}
tries: 6
converged: {{input.angle: 15 deg}}
"""


def rows_of(path):
    """Names, units and rows of a table."""
    with open(path, encoding="utf-8", newline="") as file:
        names, units, *rows = list(csv.reader(file))
    return dict(zip(names, units)), [dict(zip(names, row)) for row in rows]


class WithStudy(InFolder):
    def study(self, text=SMALL):
        path = self.folder / "study.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def run_study(self, *words, text=SMALL, out="out", status=0):
        done = call("study", self.study(text), "--out", self.folder / out, *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def bytes_of(self, out="out", name="results.csv"):
        return (self.folder / out / name).read_bytes()


class Study(WithStudy):
    def test_every_try_of_every_point_has_its_row_in_the_order_of_the_plan(self):
        done = self.run_study()
        units, rows = rows_of(self.folder / "out" / "results.csv")
        self.assertEqual(list(units)[:7], ["point", "filter", "step", "try", "seed", "converged", "failed"])
        self.assertEqual((units["step"], units["input.angle.error"]), ("s", "rad"))
        expected = [(str(1 + 2 * f + s), name, step, str(k))
                    for f, name in enumerate(("dekf", "ukf")) for s, step in enumerate(("0.003", "0.006"))
                    for k in range(1, 6)]
        self.assertEqual([(row["point"], row["filter"], row["step"], row["try"]) for row in rows], expected)
        for row in rows:
            error = float(row["input.angle.estimate"]) - float(row["input.angle.end"])
            error = math.remainder(error, 2 * math.pi)
            self.assertAlmostEqual(float(row["input.angle.error"]), error, delta=1e-15)
            self.assertEqual(row["converged"], "1" if abs(error) <= math.radians(5) else "0")
            self.assertAlmostEqual(float(row["input.angle.start"]), math.radians(90), delta=1e-6)  # what the file rounds
        # The same try is the same truth and the same readings everywhere, and another one is not.
        self.assertEqual(len({(row["try"], row["seed"]) for row in rows}), 5)
        self.assertEqual(len({row["input.angle.estimate"] for row in rows}), 20)
        _, summary = rows_of(self.folder / "out" / "summary.csv")
        self.assertEqual(len(summary), 4)
        for point in summary:
            mine = [row for row in rows if row["point"] == point["point"]]
            good = [row for row in mine if row["converged"] == "1"]
            self.assertEqual(float(point["rate"]), len(good) / 5)
            if good:
                mean = sum(float(row["input.angle.rmse"]) for row in good) / len(good)
                self.assertAlmostEqual(float(point["input.angle.rmse"]), mean, delta=1e-15)
            self.assertLess(float(point["rate_low"]), float(point["rate_high"]))
            self.assertAlmostEqual(float(point["real_time_factor"]) * float(point["wall_per_simulated_second"]), 1.0)
        _, timing = rows_of(self.folder / "out" / "timing.csv")
        self.assertEqual({(row["step"], row["steps"]) for row in timing}, {("0.003", "100"), ("0.006", "50")})
        self.assertIn("95 % interval", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_the_truth_and_the_estimate_are_those_of_simulate_sense_and_estimate(self):
        """One try against the commands, which have tests of their own; noise as good as none makes readings the same for any seed."""
        text = SMALL.replace("sensors: [gyroscope]", "sensors: {gyroscope: {noise: 1e-12 rad/s}}") + "rmse: {from: 0 s}\n"
        self.run_study("--only", "2:3", text=text)
        _, rows = rows_of(self.folder / "out" / "point-2-try-3.csv")
        model = self.write((MODELS / "fourbar-double-crank.yaml").read_text(encoding="utf-8").replace(
            "noise: 0.01 rad/s", "noise: 1e-12 rad/s"))
        done = call("simulate", model, "--until", "0.3", "--every", "6 ms", "--outputs", "input.angle", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, truth = rows_of(self.out)
        done = call("sense", model, "--until", "0.3", "--out", self.folder / "readings.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = call("estimate", model, "--measurements", self.folder / "readings.csv", "--filter", "dekf", "--step", "6 ms",
                    "--start-deviation", "20 deg", "--velocity-noise", "0.05", "--outputs", "input.angle", "--until", "0.3",
                    "--out", self.folder / "estimate.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, estimate = rows_of(self.folder / "estimate.csv")
        self.assertEqual(len(rows), 51)
        for mine, true, found in zip(rows, truth, estimate):
            self.assertAlmostEqual(float(mine["t"]), float(true["t"]), delta=1e-12)
            self.assertAlmostEqual(float(mine["input.angle.true"]), float(true["input.angle"]), delta=1e-9)
            self.assertAlmostEqual(float(mine["input.angle"]), float(found["input.angle"]), delta=1e-9)

    def test_one_try_alone_is_the_one_of_the_study(self):
        self.run_study()
        before = self.bytes_of()
        done = self.run_study("--only", "3:4")
        self.assertIn("Try          4, seed", done.stdout)
        _, steps = rows_of(self.folder / "out" / "point-3-try-4.csv")
        row = next(row for row in rows_of(self.folder / "out" / "results.csv")[1]
                   if (row["point"], row["try"]) == ("3", "4"))
        self.assertEqual(len(steps), 101)
        self.assertEqual(steps[-1]["input.angle.sigma"], row["input.angle.sigma"])
        self.assertEqual(steps[-1]["input.angle.true"], row["input.angle.end"])
        self.assertEqual(self.bytes_of(), before)

    def test_any_number_of_threads_gives_the_same_bits(self):
        for threads in ("1", "2", "4"):
            self.run_study("--threads", threads, out=threads)
        self.assertEqual(self.bytes_of("1"), self.bytes_of("2"))
        self.assertEqual(self.bytes_of("1"), self.bytes_of("4"))

    def test_particles_from_an_unknown_start_find_it_with_the_same_bits_in_any_threads(self):
        for study, filter_threads in (("1", "1"), ("2", "2"), ("4", "4")):
            text = PARTICLES.replace("step: 6 ms", f"step: 6 ms, threads: {filter_threads}")
            self.run_study("--threads", study, text=text, out=study)
        _, rows = rows_of(self.folder / "1" / "results.csv")
        self.assertGreaterEqual(sum(row["converged"] == "1" for row in rows), 5)
        self.assertEqual(len({row["input.angle.start"] for row in rows}), 6)
        for other in ("2", "4"):  # the number of threads is part of the file, and so of seeds of nothing
            self.assertEqual(self.bytes_of("1"), self.bytes_of(other))

    def test_seeds_change_results_and_more_tries_keep_those_there_are(self):
        self.run_study()
        done = self.run_study(text=SMALL.replace("tries: 5", "tries: 6"))
        self.assertIn("20 of 24 were done before", done.stdout)
        self.run_study(text=SMALL.replace("tries: 5", "tries: 6"), out="again")
        self.assertEqual(self.bytes_of(), self.bytes_of("again"))
        done = self.run_study(text=SMALL + "seed: 2\n", status=2)
        self.assertIn("this folder has the results of another study", done.stderr)
        self.run_study("--fresh", text=SMALL + "seed: 2\n")
        self.assertNotEqual(self.bytes_of(), self.bytes_of("again"))

    def test_a_model_that_has_changed_is_refused_by_name(self):
        model = self.write((MODELS / "fourbar-double-crank.yaml").read_text(encoding="utf-8"))
        text = SMALL.replace(f"{MODELS}/fourbar-double-crank.yaml", str(model)).replace("tries: 5", "tries: 1")
        self.run_study(text=text)
        model.write_text(model.read_text(encoding="utf-8").replace("bar_mass: 1 kg", "bar_mass: 2 kg"), encoding="utf-8")
        self.assertIn("the results of another model", self.run_study(text=text, status=2).stderr)

    def test_parameters_noises_and_rates_are_swept_for_truth_and_filter(self):
        text = SMALL.replace("sweep: {filter: [dekf, ukf], step: [3 ms, 6 ms]}", """options_: none
sweep:
  parameters.bar_mass: [1 kg, 2 kg]
  sensors.gyroscope.noise: [0.001 rad/s, 1 rad/s]
  sensors.gyroscope.rate: [100 Hz, step]""").replace("options_: none\n", "")
        self.run_study(text=text)
        units, rows = rows_of(self.folder / "out" / "results.csv")
        self.assertEqual(units["parameters.bar_mass"], "kg")
        self.assertEqual(units["sensors.gyroscope.rate"], "")
        ends = {}
        for row in rows:
            ends.setdefault(row["point"], set()).add(row["input.angle.end"])
        self.assertTrue(all(len(values) == 1 for values in ends.values()))  # one truth: nothing of it is drawn
        # Gravity alone moves the bars: their mass does not change the motion.
        self.assertAlmostEqual(float(min(ends["1"])), float(min(ends["5"])), delta=1e-6)
        sigma = {row["point"]: float(row["input.angle.sigma"]) for row in rows}
        self.assertGreater(sigma["3"], 3 * sigma["1"])  # noise
        self.assertGreater(sigma["3"], 1.5 * sigma["4"])  # rate: ten times as many readings

    def test_a_truth_of_its_own_differs_from_the_filters_model(self):
        text = SMALL.replace("truth: {until: 0.3 s}", "truth: {until: 1 s, parameters: {input_length: 3.2 m}}").replace(
            "sweep: {filter: [dekf, ukf], step: [3 ms, 6 ms]}", "sweep: {truth.input_length: [3.2 m, 4 m]}")
        self.run_study(text=text)
        _, rows = rows_of(self.folder / "out" / "results.csv")
        self.assertNotEqual(rows[0]["input.angle.end"], rows[5]["input.angle.end"])
        errors = [sum(float(row["input.angle.rmse"]) for row in rows[5 * k:5 * k + 5]) for k in range(2)]
        self.assertGreater(errors[0], 2 * errors[1])

    def test_an_unknown_truth_starts_anywhere_on_both_branches(self):
        text = SMALL.replace("truth: {until: 0.3 s}", "truth: {start: unknown, until: 0.006 s}").replace(
            "sweep: {filter: [dekf, ukf], step: [3 ms, 6 ms]}", "").replace("tries: 5", "tries: 64").replace(
            "converged: {input.angle: 5 deg}", "converged: {input.angle: 5 deg, output.angle: 5 deg, floating.angle: 5 deg}")
        self.run_study(text=text)
        _, rows = rows_of(self.folder / "out" / "results.csv")
        angles = [float(row["input.angle.start"]) for row in rows]
        self.assertEqual(len(set(angles)), 64)
        self.assertLessEqual(max(abs(float(row["input.angle.error"])) for row in rows), math.pi)
        quarters = {math.floor(2 * (angle % (2 * math.pi)) / math.pi) for angle in angles}
        self.assertEqual(quarters, {0, 1, 2, 3})
        sides = [math.sin(float(row["output.angle.start"]) - float(row["floating.angle.start"])) > 0 for row in rows]
        self.assertGreater(sum(sides), 12)  # binomial with 64 and 1/2: 5 sigma
        self.assertLess(sum(sides), 52)

    def test_wrong_words_are_said_with_their_place(self):
        for wrong, right, sentence in (
                ("step: [3 ms, 6 ms]", "step: [3 ms, 6 m]", r"study.yaml:7:43, sweep, step\]: expected a time"),
                ("filter: [dekf, ukf]", "filter: [dekf, ukff]", r"unknown filter \[.*:7:24.*Did you mean 'ukf'\?"),
                ("sensors: [gyroscope]", "sensors: [gyroscop]", r"study.yaml:5:10, sensors\].*Did you mean 'gyroscope'\?"),
                ("input.angle: 5 deg", "input.angl: 5 deg", r"study.yaml:9:25.*Did you mean 'input.angle'\?"),
                ("input.angle: 5 deg", "input.angle: 5 mm", r"study.yaml:9:26.*unit of the wrong kind|wrong kind.*9:26"),
                ("start-deviation", "start-devation", r"unknown option 'start-devation' \[.*:6:11.*Did you mean 'start-deviation'\?"),
                ("tries: 5", "parameters: {bar_mas: 1 kg}", r"no parameter is called 'bar_mas' \[.*study.yaml:8:23"),
                ("tries: 5", "sensors.x: 3", r"unknown key"),
                ("step: [3 ms, 6 ms]", "step: [3 ms, 1 s]", r"no step before the end \[.*:7:43"),
                ("fourbar-double-crank", "fourbar-duoble-crank", r"fourbar-duoble-crank")):
            with self.subTest(right):
                self.assertIn(wrong, SMALL)
                done = self.run_study(text=SMALL.replace(wrong, right), status=2)
                self.assertRegex(done.stderr, sentence)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        for words, sentence in ((("--threads", "0"), "not a number of threads"), (("--only", "9:1"), "from 1:1 to 4:5"),
                                (("--only", "1"), "POINT:TRY"), (("--plan", "--only", "1:1"), "two things"),
                                (("--only", "1:1", "--most-steps", "1"), "a single try has no such limit")):
            done = self.run_study(*words, status=2)
            self.assertIn(sentence, done.stderr)
        done = call("study", self.study())
        self.assertEqual(done.returncode, 2)
        self.assertIn("no destination [--out]", done.stderr)

    def test_the_files_of_studies_can_be_read(self):
        files = sorted((SOURCE / "studies").glob("*.yaml"))
        self.assertGreaterEqual(len(files), 3)
        for file in files:
            done = call("study", file, "--plan")
            self.assertEqual(done.returncode, 0, done.stderr)


class Killed(WithStudy):
    """Long enough to be cut off: some hundreds of tries of some milliseconds."""

    LONG = SMALL.replace("tries: 5", "tries: 60").replace("until: 0.3 s", "until: 1.2 s")

    def start(self, *words):
        return subprocess.Popen([PROGRAM, "study", str(self.study(self.LONG)), "--out", str(self.folder / "out"), *words],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def lines(self):
        path = self.folder / "out" / "journal"
        return path.read_bytes().count(b"\n") - 1 if path.exists() else -1

    def wait_for_lines(self, count, process):
        end = time.monotonic() + PATIENCE
        while self.lines() < count and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)

    def test_kills_lose_nothing_that_was_over_and_the_bits_are_those_of_a_run_without(self):
        self.run_study("--threads", "2", text=self.LONG, out="whole")
        rng = random.Random(8)
        done_before = 0
        for kill in range(4):
            process = self.start("--threads", "2")
            self.wait_for_lines(done_before + rng.randrange(1, 50), process)
            time.sleep(rng.random() * 0.02)
            before = self.lines()
            process.send_signal(signal.SIGKILL)
            process.communicate()
            after = self.lines()
            self.assertGreaterEqual(after, before)  # what was over when the signal was sent is kept
            self.assertGreaterEqual(after, done_before, f"kill {kill} lost what an earlier run had done")
            done_before = after
        self.assertGreater(done_before, 0)
        self.assertLess(done_before, 240)
        done = self.run_study(text=self.LONG)
        self.assertIn(f"{done_before} of 240 were done before", done.stdout)
        self.assertEqual(self.bytes_of(), self.bytes_of("whole"))

    def test_a_journal_with_what_no_try_can_have_is_refused(self):
        """Such lines have a right checksum: no crash leaves them."""
        def sum_of(text):
            h = 14695981039346656037
            for byte in text:
                h = (h ^ byte) * 1099511628211 % 2**64
            return b"%016x" % h

        self.run_study()
        path = self.folder / "out" / "journal"
        first, line, *rest = path.read_bytes().split(b"\n")
        words = line[:-17].split(b" ")
        nan = b"7ff8000000000000"
        for changed, expected in ((words[:6] + [b"0", b""], "expected 1 output, got 0"),
                                  (words[:12] + [nan] + words[13:], "expected finite numbers"),
                                  ([b"77"] + words[1:], "point 78"),
                                  (words[:5] + [nan] + words[6:], "expected steps and times above 0")):
            text = b" ".join(changed)
            path.write_bytes(b"\n".join([first, text + b" " + sum_of(text), *rest]))
            done = self.run_study(status=2)
            self.assertIn("the journal has a result that no try can have", done.stderr)
            self.assertIn(expected, done.stderr)

    def test_a_line_that_is_cut_off_is_made_again(self):
        self.run_study()
        whole = self.bytes_of()
        journal = self.folder / "out" / "journal"
        bytes_ = journal.read_bytes()
        rng = random.Random(9)
        for _ in range(3):
            journal.write_bytes(bytes_[:rng.randrange(60, len(bytes_) - 1)])
            done = self.run_study()
            self.assertIn("were done before", done.stdout)
            self.assertEqual(self.bytes_of(), whole)

    def test_an_interrupt_says_how_to_go_on(self):
        process = self.start()
        self.wait_for_lines(3, process)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, stderr)
        self.assertRegex(stderr, r"the run was cut by SIGINT .*got \d+, which are kept\. Give the same command again")
        kept = int(re.search(r"got (\d+)", stderr)[1])
        self.assertEqual(kept, self.lines())
        self.assertFalse((self.folder / "out" / "results.csv").exists())

    def test_one_program_at_a_time(self):
        process = self.start()
        self.wait_for_lines(1, process)
        done = self.run_study(text=self.LONG, status=1)
        self.assertIn("another program is at work on this study", done.stderr)
        process.kill()
        process.communicate()


if __name__ == "__main__":
    os.environ.pop("NO_COLOR", None)
    unittest.main(argv=sys.argv[:1])
