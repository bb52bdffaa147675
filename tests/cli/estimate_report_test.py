"""`eslabon estimate --report`: the page against the files that the same run reads and writes."""

import csv
import math
import pathlib
import re
import sys
import unittest

from program import MODELS, InFolder, call
from report_page import page_of, unpacked

TESTBED = MODELS / "fourbar-testbed.yaml"
GYROSCOPES = ("--sensors", "imu1_gyroscope,imu2_gyroscope")


def table(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[2:]] for k, name in enumerate(rows[0])}


def angle(poses, body, row):
    """About z, of a moving body counted from 0."""
    w, x, y, z = (poses[7 * body + k][row] for k in range(3, 7))
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def turned(difference):
    return math.remainder(difference, 2 * math.pi)


class EstimateReport(InFolder):
    def file(self, name):
        return self.folder / name

    def make_readings(self, outputs="crank.angle,crank.rate,A.q,A.v,A.a", until="1"):
        done = call("simulate", TESTBED, "--release", "motor", "--set", "crank_friction=0.2 N*m", "--integrator", "bdf",
                    "--until", until, "--every", "1 ms", "--outputs", outputs, "--out", self.file("truth.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        if "A.a" in outputs:
            done = call("sense", TESTBED, "--truth", self.file("truth.csv"), "--out", self.file("readings.csv"), *GYROSCOPES)
            self.assertEqual(done.returncode, 0, done.stderr)

    def estimate(self, *words, readings="readings.csv", status=0):
        done = call("estimate", TESTBED, "--release", "motor", *GYROSCOPES, "--measurements", self.file(readings), "--out",
                    self.out, "--outputs", "crank.angle,crank.rate", "--report", self.file("page.html"), *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def recordings(self):
        report = page_of(self.file("page.html"))
        return report, {recording["name"]: recording for recording in report["recordings"]}

    def check_crank(self, recording, told, delta):
        """The crank stands where the file says, at every frame."""
        poses = [unpacked(column) for column in recording["motion"]["poses"]]
        times = unpacked(recording["motion"]["times"])
        self.assertGreater(len(times), 500)
        at = dict(zip((round(1e6 * t) for t in told["t"]), told["crank.angle"]))
        worst = max(abs(turned(angle(poses, 0, k) - at[round(1e6 * t)])) for k, t in enumerate(times))
        self.assertLess(worst, delta)
        return times

    def test_the_creep_speed_of_a_note_is_that_of_the_page(self):
        self.make_readings()
        done = self.estimate("--set", "crank_friction=0.2 N*m")
        speed = re.search(r"friction of joint 'A' is too stiff .* 'creep_speed' of (\S+ rad/s) or more", done.stderr)[1]
        page = " ".join(page_of(self.file("page.html"))["notes"])
        self.assertEqual(re.findall(r"'creep_speed' of (.*?) or more", page), [speed])

    def test_bodies_of_truth_and_estimate_are_where_the_files_say(self):
        self.make_readings()
        done = self.estimate("--truth", self.file("truth.csv"))
        report, of = self.recordings()
        self.assertEqual([(r["name"], r["role"]) for r in report["recordings"]],
                         [("truth", "truth"), ("dekf", "estimate"), ("readings", "readings")])
        truth, found = table(self.file("truth.csv")), table(self.out)
        self.check_crank(of["truth"], truth, 1e-3)
        times = self.check_crank(of["dekf"], found, 1e-3)
        self.assertAlmostEqual(times[-1], 1.0, delta=1e-9)
        for channel in of["truth"]["channels"]:
            for a, b in zip(unpacked(channel["values"]), truth[channel["name"]], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-4 * max(map(abs, truth[channel["name"]])))
        self.assertEqual([channel["name"] for channel in of["truth"]["channels"]], ["crank.angle", "crank.rate"])
        channels = {channel["name"]: channel for channel in of["dekf"]["channels"]}
        for name in ("crank.angle", "crank.rate"):
            for key, column in (("values", name), ("sigma", name + ".sigma")):
                size = max(map(abs, found[column]))
                for a, b in zip(unpacked(channels[name][key]), found[column], strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-4 * size)
        self.assertEqual(report["clouds"], [])
        facts = {fact["label"]: fact["value"] for fact in report["facts"]}
        for label in ("RMSE of crank.angle", "RMSE of crank.rate"):
            self.assertIn(facts[label], done.stdout)
        self.assertEqual(facts["Refused"], "0 of 202 readings")
        self.assertEqual(len(report["structure"]["groups"]) > 0, True)
        # The histogram has every step.
        chart = report["charts"][0]
        self.assertEqual((chart["title"], chart["kind"], chart["x"]["log"], chart["x"]["unit"]), ("Step times", "bars", True, "µs"))
        self.assertEqual(sum(chart["series"][0]["y"]), 1000)
        self.assertEqual(report["notes"], [])
        self.assertIn("page.html", done.stdout)

    def test_the_report_changes_no_bit_of_the_estimate(self):
        self.make_readings(until="0.3")
        for filter_words in (("--filter", "error-ekf"), ("--filter", "particle", "--particles", "100", "--start", "unknown"),
                             ("--filter", "grid", "--step", "2 ms")):
            texts = []
            for words in ((), ("--report", self.file("page.html"))):
                done = call("estimate", TESTBED, "--release", "motor", *GYROSCOPES, "--measurements",
                            self.file("readings.csv"), "--out", self.out, *filter_words, *words)
                self.assertEqual(done.returncode, 0, done.stderr)
                texts.append(pathlib.Path(self.out).read_bytes())
            self.assertEqual(texts[0], texts[1])

    def test_all_particles_are_there_with_their_weights(self):
        self.make_readings()
        done = self.estimate("--filter", "particle", "--particles", "200", "--truth", self.file("truth.csv"))
        report, of = self.recordings()
        (cloud,) = report["clouds"]
        self.assertEqual(cloud["name"], "particle")
        times, counts = unpacked(cloud["times"]), unpacked(cloud["counts"])
        self.assertEqual(counts, [200] * 21)
        for k, t in enumerate(times):
            self.assertAlmostEqual(t, 0.05 * k, delta=1e-9)
        weights = unpacked(cloud["weights"])
        poses = [unpacked(column) for column in cloud["poses"]]
        self.assertEqual({len(column) for column in (*poses, weights)}, {200 * 21})
        # The weighted mean of what is drawn is the estimate of the file, with its deviation.
        found = table(self.out)
        for k, t in enumerate(times):
            rows = range(200 * k, 200 * k + 200)
            self.assertEqual(max(weights[i] for i in rows), 1.0)
            row = round(1000 * t)
            total = sum(weights[i] for i in rows)
            mean, sigma = found["crank.angle"][row], found["crank.angle.sigma"][row]
            off = [turned(angle(poses, 0, i) - mean) for i in rows]
            self.assertLess(abs(sum(weights[i] * d for i, d in zip(rows, off))) / total, 1e-3 + 0.02 * sigma)
            spread = math.sqrt(sum(weights[i] * d * d for i, d in zip(rows, off)) / total)
            self.assertAlmostEqual(spread, sigma, delta=1e-3 + 0.05 * sigma)
        # The estimate is one of them: near the mean.
        motion = [unpacked(column) for column in of["particle"]["motion"]["poses"]]
        at = dict(zip((round(1e6 * t) for t in found["t"]), zip(found["crank.angle"], found["crank.angle.sigma"])))
        for k, t in enumerate(unpacked(of["particle"]["motion"]["times"])):
            mean, sigma = at[round(1e6 * t)]
            self.assertLess(abs(turned(angle(motion, 0, k) - mean)), 1e-3 + sigma)
        self.assertIn("nearest to the mean", " ".join(report["notes"]))
        # Resampling is marked as often as the summary says.
        marks = [mark for mark in of["particle"]["marks"] if mark["kind"] == "resampled"]
        self.assertEqual(int(re.search(r"Resampled +(\d+) times", done.stdout)[1]), len(marks))
        self.assertGreater(len(marks), 3)
        self.assertTrue(all(0.0 < mark["t"] <= 1.0 for mark in marks))

    def test_fewer_particles_or_none_are_shown_on_demand(self):
        self.make_readings(until="0.2")
        words = ("--filter", "particle", "--particles", "100")
        self.estimate(*words, "--report-particles", "30")
        report, _ = self.recordings()
        self.assertEqual(unpacked(report["clouds"][0]["counts"]), [30] * 5)
        self.assertIn("Of 100 particles of particle, 30 are shown", " ".join(report["notes"]))
        self.estimate(*words, "--report-particles", "0")
        report, _ = self.recordings()
        self.assertEqual(report["clouds"], [])

    def test_refused_readings_are_marked_and_not_finite_ones_are_not_drawn(self):
        self.make_readings()
        lines = self.file("readings.csv").read_text(encoding="utf-8").splitlines()
        lines[50] = lines[50].split(",")[0] + ",nan,nan"
        lines[60] = lines[60].split(",")[0] + ",inf,1e6"
        lines.insert(70, lines[70])
        lines.insert(75, "3600000000000000," + lines[75].split(",", 1)[1])
        self.file("bad.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = self.estimate(readings="bad.csv")
        report, of = self.recordings()
        marks = [mark for mark in of["dekf"]["marks"] if mark["kind"] == "rejected"]
        counted = {}
        for mark in marks:
            what = mark["text"].split("refused: ")[1]
            counted[what] = counted.get(what, 0) + 1
        told = re.findall(r"(\d+) readings? (not finite|outlier|duplicate|clock doubted|late|failed)", done.stderr)
        self.assertEqual({what: sum(int(number) for number, other in told if other == what) for _, what in told}, counted)
        self.assertEqual(counted, {"not finite": 3, "outlier": 1, "duplicate": 2, "clock doubted": 2})
        page = " ".join(done.stdout.split())  # the table of sensors
        self.assertIn("1 duplicate, 1 clock doubted, 2", page)
        t = int(lines[60].split(",")[0]) * 1e-9
        (outlier,) = [mark for mark in marks if "outlier" in mark["text"]]
        self.assertEqual((outlier["channel"], outlier["text"]), ("imu2_gyroscope", "imu2_gyroscope refused: outlier"))
        self.assertAlmostEqual(outlier["t"], t, delta=1e-9)
        facts = {fact["label"]: fact["value"] for fact in report["facts"]}
        self.assertEqual(facts["Refused"].split(" ")[0], str(len(marks)))
        # All others are drawn, the outlier too.
        channels = {channel["name"]: channel for channel in of["readings"]["channels"]}
        self.assertEqual(set(channels), {"imu1_gyroscope", "imu2_gyroscope"})
        self.assertEqual(channels["imu1_gyroscope"]["unit"], "rad/s")
        second = dict(zip(unpacked(channels["imu2_gyroscope"]["times"]), unpacked(channels["imu2_gyroscope"]["values"])))
        self.assertEqual(len(unpacked(channels["imu1_gyroscope"]["times"])), 101 - 2 + 1)
        self.assertEqual(len(unpacked(channels["imu2_gyroscope"]["times"])), 101 - 1 + 1)
        self.assertAlmostEqual(min(abs(s - t) for s in second), 0.0, delta=1e-9)
        self.assertIn("5 readings are not drawn", " ".join(report["notes"]))

    def test_a_filter_that_was_lost_is_marked_where_it_began_anew(self):
        self.make_readings(until="2")
        lines = self.file("readings.csv").read_text(encoding="utf-8").splitlines()
        for k in range(100, 180):
            t, first, second = lines[k].split(",")
            lines[k] = f"{t},{float(first) + 3.0},{float(second) - 4.0}"
        del lines[190:195]
        self.file("bad.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for words, fact in (((), "Reopened"), (("--filter", "particle", "--particles", "100"), "Spread")):
            done = self.estimate(*words, readings="bad.csv")
            report, of = self.recordings()
            marks = report["recordings"][0]["marks"]
            told = int(re.search(fact + r" +(\d+)", done.stdout)[1])
            self.assertGreater(told, 0)
            found = [mark for mark in marks if mark["kind"] == "restart" and mark["text"].startswith(fact.lower())]
            self.assertEqual(len(found), told)
            self.assertTrue(all(0.98 <= mark["t"] <= 2.0 for mark in found))
            self.assertEqual([mark["t"] for mark in marks], sorted(mark["t"] for mark in marks))
            gaps = [mark for mark in marks if mark["kind"] == "event"]
            self.assertEqual({mark["text"] for mark in gaps}, {"imu1_gyroscope: gap, 5 missing", "imu2_gyroscope: gap, 5 missing"})
            facts = {one["label"]: one["value"] for one in report["facts"]}
            self.assertEqual(facts[fact].split(" ")[0], str(told))

    def test_several_filters_are_on_one_page(self):
        self.make_readings()
        done = self.estimate("--filter", "dekf,ukf,error-ekf", "--truth", self.file("truth.csv"))
        report, of = self.recordings()
        self.assertEqual(list(of), ["truth", "dekf", "ukf", "error-ekf", "readings"])
        for name in ("dekf", "ukf", "error-ekf"):
            self.check_crank(of[name], table(self.folder / f"out-{name}.csv"), 1e-3)
        compared = report["tables"][0]
        self.assertEqual([row[0] for row in compared["rows"]], ["dekf", "ukf", "error-ekf"])
        for row in compared["rows"]:
            self.assertIn(row[1], done.stdout)
        self.assertEqual([series["name"] for series in report["charts"][0]["series"]], ["dekf", "ukf", "error-ekf"])

    def test_a_run_that_ends_early_has_a_page_that_says_why(self):
        self.make_readings(until="0.3")
        self.out = "/dev/full"
        done = self.estimate(status=1)
        report, of = self.recordings()
        self.assertTrue(report["notes"][0].startswith("The run ended early: "), report["notes"])
        self.assertIn(report["notes"][0].split(": ", 1)[1].split(" [")[0], done.stderr)
        self.assertGreater(len(unpacked(of["dekf"]["times"])), 0)

    def test_a_truth_that_does_not_tell_the_motion_is_curves_and_a_note(self):
        self.make_readings(until="0.2")
        self.make_readings(outputs="crank.rate", until="0.2")
        self.estimate("--truth", self.file("truth.csv"))
        report, of = self.recordings()
        self.assertNotIn("motion", of["truth"])
        self.assertEqual([channel["name"] for channel in of["truth"]["channels"]], ["crank.rate"])
        note = " ".join(report["notes"])
        self.assertIn("The truth is drawn as curves only", note)
        self.assertIn("results without 'A.q'", note)

    def test_a_truth_of_positions_alone_has_bodies(self):
        self.make_readings()
        self.make_readings(outputs="crank.angle")
        self.estimate("--truth", self.file("truth.csv"))
        _, of = self.recordings()
        self.check_crank(of["truth"], table(self.file("truth.csv")), 1e-3)

    def test_a_truth_of_another_model_is_noted(self):
        self.make_readings(until="0.2")
        lines = self.file("truth.csv").read_text(encoding="utf-8").splitlines()
        turned_lines = lines[:2] + [",".join([row[0], str(float(row[1]) + 0.1), *row[2:]])
                                    for row in (line.split(",") for line in lines[2:])]
        self.file("truth.csv").write_text("\n".join(turned_lines) + "\n", encoding="utf-8")
        self.estimate("--truth", self.file("truth.csv"))
        report, _ = self.recordings()
        self.assertIn("crank.angle of the file differs from them by up to 5.73°", " ".join(report["notes"]))

    def test_wrong_words(self):
        self.make_readings(until="0.1")
        for words, sentence in ((("--report-particles", "10"), "there are no particles to show [--report-particles]"),
                                (("--filter", "particle", "--report-particles", "-1"), "not a whole number")):
            self.assertIn(sentence, self.estimate(*words, status=2).stderr)
        done = call("estimate", TESTBED, "--release", "motor", *GYROSCOPES, "--measurements", self.file("readings.csv"),
                    "--out", self.out, "--report", self.file("page.txt"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("ends in .html", done.stderr)
        done = call("estimate", TESTBED, "--live", "--out", self.out, "--report", self.file("page.html"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("a live run writes no report [--report]", done.stderr)
        done = call("estimate", TESTBED, "--release", "motor", *GYROSCOPES, "--measurements", self.file("readings.csv"),
                    "--out", self.out, "--filter", "particle", "--report-particles", "10")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected --report and --filter particle", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
