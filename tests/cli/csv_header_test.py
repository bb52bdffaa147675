"""--header 'name [unit]': one header row that data frames read at once, and that all commands that read such files understand."""

import csv
import subprocess
import sys
import unittest

from program import InFolder, MODELS, PROGRAM, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
HEADER = ("--header", "name [unit]")


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return names, [[float(cell) if cell else None for cell in row] for row in rows]


class OneHeaderRow(InFolder):
    def run_all(self, *header):
        """A true motion, its readings and an estimate; their files."""
        files = [self.folder / f"{name}{len(header)}.csv" for name in ("truth", "readings", "estimate")]
        truth, readings, estimate = files
        for words in (["simulate", FOURBAR, "--release", "motor", "--until", "0.5", "--every", "5 ms", "--outputs", "A.q,A.v,A.a,crank.angle", "--out", truth],
                      ["sense", FOURBAR, "--truth", truth, "--out", readings],
                      ["estimate", FOURBAR, "--release", "motor", "--measurements", readings, "--truth", truth, "--every", "0.1", "--out", estimate]):
            done = call(*words, *header)
            self.assertEqual(done.returncode, 0, done.stderr)
        return files

    def test_the_numbers_are_those_below_two_rows(self):
        for one, two in zip(self.run_all(*HEADER), self.run_all()):
            names, rows = table(one)
            with open(two, newline="", encoding="utf-8") as file:
                plain, units, *_ = csv.reader(file)
            self.assertEqual(names, [f"{name} [{unit}]" for name, unit in zip(plain, units)])
            self.assertEqual(one.read_text().split("\n", 1)[1], two.read_text().split("\n", 2)[2])
            self.assertGreater(len(rows), 3)

    def test_every_command_that_writes_results_has_it(self):
        reactions = self.folder / "reactions.csv"
        for words in (["kinematics", FOURBAR, "--until", "0.1", "--step", "0.1"],
                      ["inverse", FOURBAR, "--until", "0.1", "--step", "0.1", "--reactions", reactions],
                      ["simulate", FOURBAR, "--until", "0.1", "--reactions", reactions],
                      ["equilibrium", FOURBAR, "--release", "motor"]):
            done = call(*words, *HEADER, "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            for path in (self.out, reactions) if "--reactions" in words else (self.out,):
                names, rows = table(path)
                self.assertEqual(names[0], "t [s]")
                for name in names:
                    self.assertRegex(name, r"^[\w.:-]+ \[[^\]]+\]$")
                self.assertTrue(all(len(row) == len(names) and None not in row for row in rows))

    def test_reports_show_such_files(self):
        page = self.folder / "page.html"
        done = call("report", FOURBAR, *self.run_all(*HEADER), "--out", page, "--json")
        self.assertEqual((done.returncode, page.exists()), (0, True), done.stderr)
        self.assertNotIn("cannot", done.stderr)

    def test_live_readings_may_have_it_too(self):
        _, readings, _ = self.run_all(*HEADER)
        with open(readings, "rb") as stream:
            done = subprocess.run([PROGRAM, "estimate", str(FOURBAR), "--release", "motor", "--live", "--until", "0.3", "--out", str(self.out), *HEADER],
                                  stdin=stream, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.out.read_text().startswith("t [s],crank.angle [rad],crank.angle.sigma [rad],"))

    def test_a_name_without_a_unit_is_refused_by_its_line(self):
        truth = self.folder / "truth.csv"
        truth.write_text("t [s],A.q\n0,1\n", encoding="utf-8")
        done = call("sense", FOURBAR, "--truth", truth, "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (2, f"eslabon: not a result file [{truth}:1]: expected a unit behind each "
                         "name, such as 't [s]', got 'A.q'. Give a file that 'simulate', 'kinematics' or 'estimate' has written.\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
