"""`eslabon bench quarter-vehicle`: its page and the figures as data."""

import shutil
import subprocess
import sys
import unittest

from program import PATIENCE, PROGRAM, InFolder, call


class BenchVehicle(InFolder):
    def test_quarter_vehicle_is_counted_and_its_figures_are_written(self):
        # Alone in a folder: the model is in the program.
        alone = shutil.copy(PROGRAM, self.folder / "eslabon")
        figures = self.folder / "new" / "figures"
        done = subprocess.run([alone, "bench", "quarter-vehicle", "--out", figures], cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = " ".join(done.stdout.split())
        for words in ("bodies 7 6 42 revolute joints 5 -5 -25 fixed joints 2 -6 -12 Euler parameters 6 -1 -6 DOF by Grübler -1",
                      "Coordinates 42:", "Equations 43 found, 40 independent and kept",
                      "Left out 3 rows, in the axes of their joints: C, translation along z; C, rotation about x; C, rotation about y",
                      "DOF 2:"):
            self.assertIn(words, text)
        self.assertNotIn("nan", text)

        self.out = figures / "figure25.csv"
        units, drift = self.columns()  # refuses what is not finite
        ways = ["bdf.unstabilised", "bdf.stabilised", "dopri5.unstabilised", "dopri5.stabilised"]
        self.assertEqual(list(units.items()), [("t", "s"), *((way, "m") for way in ways)])
        self.assertEqual((len(drift["t"]), drift["t"][0], drift["t"][-1]), (501, 0, 5))
        for integrator in ("bdf", "dopri5"):
            free, held = drift[integrator + ".unstabilised"], drift[integrator + ".stabilised"]
            self.assertGreater(free[-1], 2 * free[200])
            self.assertGreater(max(free), 5 * max(held))
            self.assertGreater(min(held[100:]), 0)
            self.assertIn(f"{free[-1]:.2e}", text)  # the page tells what the file holds

        self.out = figures / "figure26.csv"
        units, motion = self.columns()
        models = ["unstabilised", "stabilised", "semi-recursive"]
        parts = {"y": "m", "vy": "m/s", "ay": "m/s^2", "z": "m", "vz": "m/s", "az": "m/s^2"}
        self.assertEqual(list(units.items()), [("t", "s"), *((f"{manoeuvre}.{model}.{part}", unit) for manoeuvre in ("drop", "bump")
                                                             for model in models for part, unit in parts.items())])
        for manoeuvre, lowest, highest in (("drop", -0.09, -0.049), ("bump", -0.051, -0.03)):
            z, vz = motion[manoeuvre + ".semi-recursive.z"], motion[manoeuvre + ".semi-recursive.vz"]
            self.assertTrue(lowest < min(z) and max(z) < highest and max(z) - min(z) > 0.018, manoeuvre)
            # Velocities belong to positions: Simpson's rule over two intervals of 10 ms.
            for k in range(300, 500, 2):
                self.assertAlmostEqual(z[k] - z[k - 2], (vz[k - 2] + 4 * vz[k - 1] + vz[k]) * 0.01 / 3, delta=1e-6)
            for part in ("y", "z"):
                judge = motion[f"{manoeuvre}.semi-recursive.{part}"]
                for model, least, most in (("unstabilised", 1e-9, 1e-5), ("stabilised", 1e-10, 1e-6)):
                    worst = max(abs(a - b) for a, b in zip(motion[f"{manoeuvre}.{model}.{part}"], judge, strict=True))
                    self.assertTrue(least < worst < most, (manoeuvre, model, part, worst))
                    self.assertIn(f"{worst:.1e}", text)

        again = subprocess.run([alone, "bench", "quarter-vehicle"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                               check=False)
        self.assertEqual(again.stdout, done.stdout.split("Written")[0])  # the same every time, and no files
        self.assertEqual(sorted(path.name for path in figures.iterdir()), ["figure25.csv", "figure26.csv"])

    def test_a_file_is_no_folder_for_figures(self):
        self.out.write_text("kept", encoding="utf-8")
        done = call("bench", "quarter-vehicle", "--out", self.out)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("the folder could not be made [--out]: expected a folder, or a name for a new one", done.stderr)
        self.assertEqual(self.out.read_text(encoding="utf-8"), "kept")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
