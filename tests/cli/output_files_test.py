"""What is written is complete or not there, and nothing else is touched: two runs at once, links, modes, full disks, closed streams."""

import os
import signal
import socket
import stat
import subprocess
import sys
import unittest

from program import InFolder, MODELS, PROGRAM, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
FILTER = ["--release", "motor", "--sensors", "imu1_gyroscope"]


class OutputFiles(InFolder):
    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def simulate(self, out, *words, until="0.1"):
        return ["simulate", str(FOURBAR), "--until", until, "--out", str(out), *map(str, words)]

    def test_two_runs_with_one_name_do_not_mix(self):
        runs = [subprocess.Popen([PROGRAM, *self.simulate(self.out, "--outputs", name, until="2")], stdout=subprocess.DEVNULL)
                for name in ("A.q", "B.q") * 3]
        self.assertEqual([run.wait(60) for run in runs], [0] * 6)
        whole = self.out.read_bytes()
        singles = []
        for name in ("A.q", "B.q"):
            self.assertEqual(call(*self.simulate(self.out, "--outputs", name, until="2")).returncode, 0)
            singles.append(self.out.read_bytes())
        self.assertIn(whole, singles)
        self.assertEqual(self.names(), ["out.csv"])

    def test_a_link_beside_the_results_leads_nowhere(self):
        precious = self.folder / "precious"
        precious.write_text("mine", encoding="utf-8")
        (self.folder / "out.csv.partial").symlink_to(precious)
        self.assertEqual(call(*self.simulate(self.out)).returncode, 0)
        self.assertEqual(precious.read_text(encoding="utf-8"), "mine")
        self.assertFalse(self.out.is_symlink())

    def test_the_mode_of_a_file_is_kept(self):
        for mode in (0o600, 0o664):
            self.out.write_text("old", encoding="utf-8")
            self.out.chmod(mode)
            self.assertEqual(call(*self.simulate(self.out)).returncode, 0)
            self.assertEqual(stat.S_IMODE(self.out.stat().st_mode), mode)

    def test_a_file_that_may_not_be_written_stays(self):
        if os.geteuid() == 0:
            return  # root may write everything
        self.out.write_text("old", encoding="utf-8")
        self.out.chmod(0o444)
        self.assertEqual(call(*self.simulate(self.out)).returncode, 2)
        self.assertEqual(self.out.read_text(encoding="utf-8"), "old")

    def test_closed_streams_are_not_given_to_files(self):
        for closed in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
            redirections = " ".join(f"{descriptor}>&-" for descriptor in closed)
            line = " ".join(f"'{word}'" for word in self.simulate(self.out))
            done = subprocess.run(["sh", "-c", f"'{PROGRAM}' {line} {redirections}"], capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual(done.returncode, 1 if 1 in closed else 0, (closed, done.stderr))
            if 1 in closed and 2 not in closed:
                self.assertIn("the output could not be written [the standard output]", done.stderr)
            rows = self.out.read_text(encoding="utf-8").splitlines()
            self.assertTrue(rows[0].startswith("t,"))
            self.assertTrue(all(len(row.split(",")) == len(rows[0].split(",")) for row in rows))
            self.out.unlink()

    def test_a_full_disk_behind_the_standard_output_is_no_success(self):
        for words in (["--help"], ["--version"], ["man"], ["completion", "bash"], ["info", FOURBAR], ["info", FOURBAR, "--json"],
                      ["simulate", "--help"], self.simulate(self.out), ["modes", FOURBAR, "--release", "motor"], ["equilibrium", FOURBAR, "--out", "-"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1, words)
            self.assertRegex(done.stderr, r"could not be written \[the standard output\]", words)

    def live(self, *words, **streams):
        return subprocess.Popen([PROGRAM, "estimate", str(FOURBAR), *FILTER, "--live", *map(str, words)], text=True,
                                stderr=subprocess.PIPE, **streams)

    def test_live_rows_that_are_lost_are_no_success(self):
        readings = self.folder / "readings.csv"
        self.assertEqual(call("sense", FOURBAR, "--release", "motor", "--until", "0.2", "--out", readings).returncode, 0)
        with open("/dev/full", "wb") as full, open(readings, encoding="utf-8") as rows:
            run = self.live("--out", "-", stdin=rows, stdout=full)
            _, said = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1, said)
        self.assertRegex(said, r"note: \d+ rows were not printed: No space left on device\.")
        self.assertIn("the estimates could not be printed [--out -]: expected a standard output that takes them", said)

    def test_a_live_log_has_one_writer(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
            self.out.write_text("an earlier log", encoding="utf-8")
            run = self.live("--udp", port, "--out", self.out, stdout=subprocess.DEVNULL)
            run.communicate(timeout=60)
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(self.out.read_text(encoding="utf-8"), "an earlier log")
        first = self.live("--udp", 0, "--out", self.out, stdout=subprocess.DEVNULL)
        self.assertIn("listening", first.stderr.readline())
        before = self.out.read_bytes()
        second = self.live("--udp", 0, "--out", self.out, stdout=subprocess.DEVNULL)
        _, said = second.communicate(timeout=60)
        self.assertEqual(second.returncode, 2, said)
        self.assertIn("another run is writing this log", said)
        done = call(*self.simulate(self.out))
        self.assertEqual(done.returncode, 2)
        self.assertIn("would replace a log that is being written", done.stderr)
        self.assertEqual(self.out.read_bytes(), before)
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
