"""A run that a signal or a limit cuts keeps its rows so far under the name that was asked for, and says that it was cut."""

import json
import signal
import subprocess
import sys
import time
import unittest

from program import InFolder, MODELS, PROGRAM, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
GYROSCOPE = ["--release", "motor", "--sensors", "imu1_gyroscope"]


class Cut(InFolder):
    def setUp(self):
        super().setUp()
        self.readings, self.page = self.folder / "readings.csv", self.folder / "page.html"

    def sense(self, until):
        done = call("sense", FOURBAR, *GYROSCOPE, "--until", until, "--out", self.readings)
        self.assertEqual(done.returncode, 0, done.stderr)

    def commands(self, until):
        """Commands that write rows, on a job of this length; what they count as steps is small against it."""
        return {
            "kinematics": ["kinematics", FOURBAR, "--until", until, "--step", "0.001", "--out", self.out],
            "simulate": ["simulate", FOURBAR, "--release", "motor", "--until", until, "--every", "0.001", "--out", self.out],
            "inverse": ["inverse", FOURBAR, "--until", until, "--step", "0.001", "--out", self.out],
            "sense": ["sense", FOURBAR, *GYROSCOPE, "--until", until, "--out", self.out],
            "estimate": ["estimate", FOURBAR, *GYROSCOPE, "--measurements", self.readings, "--until", until, "--out", self.out],
        }

    def start(self, words):
        process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not list(self.folder.glob("*.partial")):  # there are rows to keep
            self.assertIsNone(process.poll(), "it ended before")
            time.sleep(0.001)
        return process

    def check_rows(self):
        text = self.out.read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n"))
        width = text.splitlines()[0].count(",")
        self.assertTrue(all(line.count(",") == width for line in text.splitlines()))
        self.assertEqual(list(self.folder.glob("*.partial")), [])
        return text

    def test_signals_keep_the_rows_so_far(self):
        self.sense("1")
        for name, words in self.commands("9000").items():
            for asked in (signal.SIGINT, signal.SIGTERM):
                process = self.start(words)
                time.sleep(0.05)
                process.send_signal(asked)
                _, said = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + asked, (name, said))
                self.assertRegex(said.splitlines()[-1], rf"^eslabon: the run was cut by {asked.name} \[.*\. Rows up to there are kept\.$")
                self.check_rows()
                self.out.unlink()

    def test_limits_keep_the_rows_so_far(self):
        self.sense("1")
        for name, words in self.commands("1").items():
            self.assertEqual(call(*words).returncode, 0, name)
            whole = self.check_rows()
            for option, value in (("--most-steps", "20"), ("--most-seconds", "1e-9")):
                done = call(*words, option, value)
                self.assertEqual(done.returncode, 1, (name, option, done.stderr))
                self.assertIn(f"the run was cut by {option} {value}", done.stderr)
                cut = self.check_rows()
                self.assertLess(len(cut), len(whole), name)
                if name != "sense":  # which sorts its readings by their arrival
                    self.assertTrue(whole.startswith(cut), (name, option))
            done = call(*words, "--most-steps", "1000000000", "--most-seconds", "1000000")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.check_rows(), whole)

    def test_results_for_programs_and_pages_tell_it(self):
        self.sense("1")
        for name, words in self.commands("1").items():
            page = ["--report", self.page] if name != "sense" else []
            done = call(*words, "--most-steps", "20", "--json", *page)
            self.assertEqual(done.returncode, 1)
            self.assertFalse(json.loads(done.stdout)["complete"])
            if page:
                self.assertIn("was cut by --most-steps 20", self.page.read_text(encoding="utf-8"))
            self.assertTrue(json.loads(call(*words, "--json").stdout)["complete"], name)

    def test_a_second_signal_ends_it_at_once(self):
        process = self.start(self.commands("9000")["kinematics"])
        process.send_signal(signal.SIGSTOP)  # so that both are there when it goes on
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (-signal.SIGINT, -signal.SIGTERM))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_reader_that_goes_away_leaves_nothing(self):
        line = " ".join(f"'{word}'" for word in [PROGRAM, *self.commands("9000")["simulate"][:-1], "-", "--reactions", self.folder / "r.csv"])
        subprocess.run(["bash", "-c", f"{line} 2> /dev/null | head -n 1 > /dev/null"], timeout=60, check=True)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_signals_that_are_to_be_ignored_are(self):
        words = self.commands("1")["kinematics"]
        process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        for _ in range(20):
            process.send_signal(signal.SIGINT)
            time.sleep(0.002)
        self.assertEqual(process.wait(60), 0)

    def test_limits_without_sense_are_wrong_words(self):
        for name, words in self.commands("1").items():
            for option, value in (("--most-steps", "0"), ("--most-steps", "1.5"), ("--most-seconds", "-1"), ("--most-seconds", "1 kg")):
                done = call(*words, option, value)
                self.assertEqual(done.returncode, 2, (name, option, value))
                self.assertIn(option, done.stderr)
        done = call("estimate", FOURBAR, *GYROSCOPE, "--live", "--most-steps", "5", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a live run has no such limit [--most-steps]", done.stderr)

    def test_result_files_that_were_cut_are_refused(self):
        self.sense("0.1")
        words = ["simulate", FOURBAR, "--release", "motor", "--until", "0.1", "--out", self.out]
        self.assertEqual(call(*words).returncode, 0)
        text = self.out.read_text(encoding="utf-8")
        for cut in (1, 3, 20):
            self.out.write_text(text[:-cut], encoding="utf-8")
            for reader in (["sense", FOURBAR, "--truth", self.out, "--out", self.folder / "r.csv"],
                           ["estimate", FOURBAR, *GYROSCOPE, "--measurements", self.readings, "--truth", self.out, "--out",
                            self.folder / "e.csv"],
                           ["report", FOURBAR, self.out, "--out", self.page]):
                done = call(*reader)
                self.assertEqual(done.returncode, 2, (cut, reader, done.stderr))
                self.assertIn("the last line is not complete", done.stderr)
        readings = self.readings.read_text(encoding="utf-8")
        self.readings.write_text(readings[:-2], encoding="utf-8")
        done = call("report", self.readings, "--out", self.page)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a truncated file", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
