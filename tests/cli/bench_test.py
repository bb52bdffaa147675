"""`eslabon bench`: the table on the page and in the file."""

import csv
import pathlib
import shutil
import subprocess
import sys
import unittest

from program import IS_SANITIZED, PATIENCE, PROGRAM, InFolder, call

RIVALS = pathlib.Path(PROGRAM).parents[2] / "benchmarks/rivals"


class Bench(InFolder):
    def rows(self):
        names, units, *rows = csv.reader(self.out.read_text(encoding="utf-8").splitlines())
        self.assertEqual(len(names), len(units))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def test_table_of_kinematics_is_printed_and_written(self):
        done = call("bench", "kinematics", "--dyads", "1,20", "--axles", "1", "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("I global", "II groups", "III groups-tensor", "IV sparse", "136.268", "Where the time goes"):
            self.assertIn(word, done.stdout)
        rows = self.rows()
        self.assertEqual(len(rows), 2 * 4 + 4)
        for values in rows:
            self.assertGreater(float(values["solution"]), 0)
            if values["mechanism"] == "truck-suspension":
                self.assertAlmostEqual(float(values["run"]), 400 * float(values["solution"]), delta=1e-3)
                continue
            shares = [float(values[part]) for part in ("jacobian", "residual", "solve", "K_and_L", "other")]
            self.assertAlmostEqual(sum(shares), 1, delta=1e-3)
            self.assertTrue(all(share >= 0 for share in shares))
            is_global = values["method"] in ("global", "sparse")
            self.assertEqual(shares[0] > 0, is_global)
            self.assertEqual(shares[3] > 0, values["method"] == "groups-tensor")

    def dynamics(self, *words):
        return call("bench", "dynamics", *words, "--out", self.out)

    def test_table_of_dynamics_is_printed_and_written(self):
        done = self.dynamics("--dyads", "1,101", "--chains", "3", "--vans", "0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("four-bar, 1 dyad ", "four-bar, 101 dyads", "chain, 3 revolutes", "null-space natural", "To reach"):
            self.assertIn(word, done.stdout)
        rows = self.rows()
        ways = {(row["formulation"], row["coordinates"]) for row in rows}
        self.assertIn(("groups", ""), ways)
        self.assertIn(("semi-recursive", "relative"), ways)
        for row in rows:
            self.assertEqual(row["program"], "eslabon")
            self.assertGreater(float(row["evaluation"]), 0)
            self.assertEqual((row["instructions"], row["difference"]), ("", ""))
        # The large one by those two alone, the small ones by all.
        self.assertEqual(sum(row["size"] == "101" for row in rows), 2)
        self.assertEqual(sum(row["size"] == "1" for row in rows), len(ways))

    def test_published_answers_are_found(self):
        # Alone in a folder: the models are in the program.
        alone = shutil.copy(PROGRAM, self.folder / "eslabon")
        done = subprocess.run([alone, "bench", "references", "--out", self.out], cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("all 8 problems", done.stdout)
        rows = self.rows()
        self.assertEqual(len({row["problem"] for row in rows}), 8)
        published = [(row["problem"], row["published_program"]) for row in rows if row["published_cpu"]]
        self.assertEqual(published, [("A01 pendulum, 10 s", "Exudyn"), ("A01 pendulum, 10 s", "OpenSim"),
                                     ("A02 four-bars, N = 2, 10 s", "OpenSim"),
                                     ("A02 four-bars, N = 2, 10 s", "a MATLAB engine"), ("A03 squeezer at 0.03 s, 0.05 s timed", "OpenSim")])
        for row in rows:
            # An error of nothing at all would be that of a comparison that does not happen.
            self.assertTrue(1e-14 < float(row["error"]) <= float(row["accepted_error"]), row)
            self.assertGreater(float(row["cpu"]), 0)
            if row["accepted_drift"]:
                self.assertTrue(1e-14 < float(row["drift"]) <= float(row["accepted_drift"]), row)
            if row["published_cpu"]:
                self.assertAlmostEqual(float(row["ratio"]) * float(row["cpu"]) / float(row["published_cpu"]), 1, delta=1e-4)

    def test_answers_that_are_missed_are_named(self):
        done = call("bench", "references", "--tolerance", "1e-4", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("0 of 8 problems", done.stdout)
        self.assertRegex(done.stderr, r"^eslabon: not every problem is solved as accepted \[bench references\]: expected the "
                         r"published answers, got 'A01 pendulum, 10 s' has an error of \S+ m in [xy] at 10 s, where 0\.001 is "
                         r"accepted, and a drift of the energy of \S+ J, where 5e-05 J is accepted; .* Leave --tolerance out\.\n$")
        for row in self.rows():
            self.assertGreater(float(row["error"]), float(row["accepted_error"]))

    def test_sizes_and_programs_that_are_none(self):
        for words, status, message in (
            (["--dyads", "0"], 2, "a size is wrong [--dyads]: expected whole numbers from 1 to 1000, with commas between them, "
             "got '0'. Write, for example, --dyads 1,2,5."),
            (["--against", "mujoc"], 2, "unknown program [--against]: expected 'simbody' or 'mujoco', got 'mujoc'. "
             "Did you mean 'mujoco'?"),
            (["--against", "simbody,"], 2, "a word is missing [--against]: expected words with commas between them, "
             "got 'simbody,'. Write, for example, --against simbody,mujoco."),
        ):
            done = call("bench", "dynamics", *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (status, "", f"eslabon: {message}\n"))

    def test_a_rival_that_is_missing_is_named_with_its_package(self):
        alone = shutil.copy(PROGRAM, self.folder / "eslabon")
        for words, missing, package in ((["--against", "mujoco"], "mujoco_rival", "libmujoco-dev"),
                                        (["--against", "simbody"], "simbody_rival", "libsimbody-dev"),
                                        (["--instructions"], "one_evaluation", "valgrind")):
            done = subprocess.run([alone, "bench", "dynamics", *words], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"expected the executable '{missing}' beside this program, got none. "
                          f"Install the Debian package {package}, then run: ", done.stderr)

    def check_rival(self, name, tolerance_of_loops):
        done = self.dynamics("--dyads", "2", "--chains", "5", "--vans", "1", "--against", name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [row for row in self.rows() if row["program"] == name]
        self.assertEqual([row["mechanism"] for row in rows], ["scalable-fourbar", "chain", "van-like", "truck-like",
                                                               "delta", "stewart", "four-bar-track"])
        for row in rows:
            tolerance = 1e-9 if row["mechanism"] == "chain" else tolerance_of_loops
            self.assertGreater(float(row["evaluation"]), 0)
            self.assertLess(float(row["difference"]), tolerance)

    @unittest.skipUnless((RIVALS / "simbody_rival").exists(), "benchmarks are not built, or libsimbody-dev is not installed")
    def test_simbody_finds_our_accelerations(self):
        self.check_rival("simbody", 1e-9)

    @unittest.skipUnless((RIVALS / "mujoco_rival").exists(), "benchmarks are not built, or libmujoco-dev is not installed")
    def test_mujoco_finds_our_accelerations(self):
        self.check_rival("mujoco", 1e-2)  # its loops are soft: the impedance is 0.9999

    @unittest.skipUnless((RIVALS / "one_evaluation").exists() and shutil.which("valgrind") and not IS_SANITIZED,
                         "valgrind is not installed, or it cannot run this build")
    def test_instructions_are_counted(self):
        done = self.dynamics("--dyads", "101", "--chains", "51", "--vans", "0", "--instructions")  # sizes with two ways each
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Instructions of one evaluation", done.stdout)
        for row in self.rows():
            if row["mechanism"] == "chain":
                self.assertGreater(int(row["instructions"]), 51 * 100)
            else:
                self.assertEqual(row["instructions"], "")  # beyond 100: valgrind would take minutes


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
