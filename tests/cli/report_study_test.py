"""Pages of studies."""

import math
import re
import signal
import subprocess
import sys
import time
import unittest
from xml.etree import ElementTree

from program import MODELS, PROGRAM, call
from report_page import WithPages, page_of, table_of


class Studies(WithPages):
    TEXT = f"""
study: a small one
model: {MODELS}/fourbar-double-crank.yaml
truth: {{until: 0.1 s}}
sensors: [gyroscope]
options: {{start-deviation: 20 deg, velocity-noise: 0.05}}
sweep: {{filter: [dekf, ukf], step: [2 ms, 5 ms, 50 ms]}}
tries: 4
converged: {{input.angle: 5 deg}}
"""

    def check_study(self, page):
        _, summary = table_of(self.folder / "out" / "summary.csv")
        charts = {chart["title"]: chart for chart in page["charts"]}
        chart = charts["Probability of converging"]
        self.assertEqual((chart["x"]["label"], chart["x"]["unit"], chart["x"]["log"]), ("step", "ms", True))
        self.assertEqual([series["name"] for series in chart["series"]], ["filter = dekf", "filter = ukf"])
        for series in chart["series"]:
            rows = [k for k in range(6) if series["name"].endswith(summary["filter"][k])]
            self.assertEqual(series["x"], [2, 5, 50])
            for k, y, low, high in zip(rows, series["y"], series["low"], series["high"], strict=True):
                n, p, z = 4, int(summary["converged"][k]) / 4, 1.959963984540054
                middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
                self.assertAlmostEqual(y, p, delta=1e-12)
                self.assertAlmostEqual(low, (middle - half) / (1 + z * z / n), delta=1e-9)
                self.assertAlmostEqual(high, (middle + half) / (1 + z * z / n), delta=1e-9)
        cost = charts["Cost of a step"]
        self.assertTrue(cost["y"]["log"])
        self.assertEqual(cost["y"]["unit"], "µs")
        self.assertEqual([y for series in cost["series"] for y in series["y"]],
                         [1e6 * float(cell) for cell in summary["wall_per_step"]])
        error = charts["Error of input.angle where it converged"]
        self.assertEqual(error["y"]["unit"], "°")
        told = [math.degrees(float(cell)) for cell in summary["input.angle.rmse"] if cell]
        for mine, theirs in zip((y for series in error["series"] for y in series["y"]), told, strict=True):
            self.assertAlmostEqual(mine, theirs, delta=1e-9)
        table = page["tables"][0]
        self.assertEqual(len(table["rows"]), 6)
        self.assertEqual([row[1] for row in table["rows"]], summary["filter"])

    def test_a_study_and_its_folder_give_the_same_charts(self):
        study = self.folder / "study.yaml"
        study.write_text(self.TEXT, encoding="utf-8")
        page = self.run_to_page("study", study, "--out", self.folder / "out")
        self.check_study(page)
        self.assertEqual(page["title"], "a small one")
        again = self.run_to_page("report", self.folder / "out")
        self.check_study(again)
        self.assertEqual(again["charts"], page["charts"])
        self.assertEqual(again["tables"][:-1], page["tables"][:-1])  # the last tells where each comes from
        done = call("report", self.folder / "out", "--svg", self.folder / "study.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        texts = " ".join(ElementTree.parse(self.folder / "study.svg").getroot().itertext())
        self.assertIn("Probability of converging", texts)
        self.assertIn("Cost of a step", texts)

    def test_a_study_that_is_stopped_shows_what_there_is(self):
        study = self.folder / "study.yaml"
        study.write_text(self.TEXT.replace("tries: 4", "tries: 4000"), encoding="utf-8")
        page, journal = self.folder / "page.html", self.folder / "out" / "journal"
        with subprocess.Popen([PROGRAM, "study", study, "--out", self.folder / "out", "--report", page],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            end = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < end:
                if journal.exists() and journal.read_bytes().count(b"\n") > 20:
                    break
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, stderr)
        kept = re.search(r"got (\d+), which are kept", stderr)[1]
        found = page_of(page)
        self.assertEqual(found["notes"], [f"The study was stopped: {kept} of 24000 tries were made."])
        self.assertEqual(sum(int(row[4]) for row in found["tables"][0]["rows"]), int(kept))

    def test_reports_are_of_whole_studies(self):
        study = self.folder / "study.yaml"
        study.write_text(self.TEXT, encoding="utf-8")
        done = call("study", study, "--plan", "--report", self.folder / "page.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a report needs a whole study", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
