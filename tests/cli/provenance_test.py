"""Where a result comes from: version, build, command, hashes of what was read and written; in every place that can hold it."""

import json
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from program import InFolder, MODELS, PROGRAM, call
from report_page import page_of

FOURBAR = MODELS / "fourbar-testbed.yaml"


def fnv1a(data):
    h = 14695981039346656037
    for byte in data:
        h = (h ^ byte) * 1099511628211 % 2**64
    return f"{h:016x}"


class Provenance(InFolder):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "model.yaml"
        shutil.copy(FOURBAR, self.model)
        self.side = self.folder / "provenance.json"

    def check_run(self, found, command):
        self.assertEqual(found["command"][:3], ["eslabon", command, str(self.model)])
        self.assertRegex(found["version"], r"^\d+\.\d+\.\d+$")
        self.assertIn(found["architecture"], ("x86-64", "arm64"))
        self.assertRegex(found["compiler"], r"^(GCC|Clang) \d+\.")
        [source] = found["inputs"]
        data = self.model.read_bytes()
        self.assertEqual(source, {"word": "MODEL", "path": str(self.model), "bytes": len(data), "fnv1a": fnv1a(data)})

    def commands(self):
        return {"info": [], "kinematics": ["--until", "0.1", "--step", "0.1", "--out", self.out], "simulate": ["--until", "0.1", "--out", self.out],
                "inverse": ["--until", "0.1", "--step", "0.1", "--out", self.out], "equilibrium": ["--out", self.out],
                "modes": ["--release", "all", "--out", self.folder / "m.csv"], "sense": ["--until", "0.1", "--out", self.out]}

    def test_results_for_programs_and_the_file_beside_results(self):
        for command, words in self.commands().items():
            done = call(command, self.model, *words, "--json", "--provenance", self.side)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check_run(json.loads(done.stdout)["provenance"], command)
            beside = json.loads(self.side.read_text(encoding="utf-8"))
            self.check_run(beside, command)
            self.assertEqual((beside["status"], beside["message"]), (0, None))
            self.assertRegex(beside["program"], r"^[0-9a-f]{16}$")
            self.assertEqual(len(beside["outputs"]), {"info": 0, "modes": 6}.get(command, 1))
            for output in beside["outputs"]:
                with open(output["path"], "rb") as file:
                    self.assertEqual(output["fnv1a"], fnv1a(file.read()))

    def test_a_run_that_was_cut_or_failed_is_told(self):
        words = ["simulate", self.model, "--until", "1", "--every", "0.01", "--out", self.out, "--provenance", self.side]
        self.assertEqual(call(*words, "--most-steps", "5").returncode, 1)
        beside = json.loads(self.side.read_text(encoding="utf-8"))
        self.assertEqual(beside["status"], 1)
        self.assertIn("the run was cut by --most-steps 5", beside["message"])
        self.assertEqual([output["word"] for output in beside["outputs"]], ["--out"])
        self.side.unlink()
        self.assertEqual(call(*words, "--set", "crank=9 m").returncode, 1)  # cannot be assembled: nothing is written
        self.assertFalse(self.side.exists())

    def test_pages_and_matrix_files(self):
        page, linear = self.folder / "page.html", self.folder / "linear.npz"
        self.assertEqual(call("kinematics", self.model, "--until", "0.1", "--step", "0.1", "--out", self.out, "--report", page).returncode, 0)
        table = page_of(page)["tables"][-1]
        self.assertEqual(table["title"], "Where this comes from")
        rows = dict(table["rows"])
        self.assertTrue(rows["command"].startswith("eslabon kinematics "))
        self.assertIn(fnv1a(self.model.read_bytes()), rows["MODEL"])
        self.assertEqual(call("modes", self.model, "--release", "all", "--out", linear).returncode, 0)
        with zipfile.ZipFile(linear) as archive:
            self.assertIn("eslabon modes".encode("utf-32-le"), archive.read("provenance.npy"))

    def test_names_need_not_be_utf_8(self):
        model = os.fsencode(self.folder) + b"/m\xff.yaml"
        shutil.copy(FOURBAR, model)
        page = self.folder / "page.html"
        done = subprocess.run([PROGRAM, "info", model, "--json", "--report", page, "--provenance", self.side], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(json.loads(done.stdout)["provenance"]["inputs"][0]["path"].endswith("m\ufffd.yaml"))
        self.assertTrue(json.loads(self.side.read_text(encoding="utf-8"))["command"][2].endswith("m\ufffd.yaml"))
        self.assertIn("Where this comes from", [table["title"] for table in page_of(page)["tables"]])

    def test_it_has_a_file_of_its_own(self):
        for place in ("-", ""):
            done = call("info", self.model, "--provenance", place)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the facts of the run have no destination [--provenance]", done.stderr)

    def test_tables_stay_tables(self):
        self.assertEqual(call(*["simulate", self.model, "--until", "0.1", "--out", self.out]).returncode, 0)
        _, columns = self.columns()
        self.assertEqual(columns["t"][0], 0.0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
