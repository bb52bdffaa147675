"""How results are told: --json and --quiet on every sub-command, MODEL from the standard input, pages as wide as the terminal."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import unittest

from program import InFolder, MODELS, PROGRAM, SOURCE, call

FOURBAR = MODELS / "fourbar-testbed.yaml"


def on_terminal(columns, *words):
    """What is printed on a terminal of so many columns, without colours."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([PROGRAM, *map(str, words)], stdout=its, stderr=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"}) as run:
        os.close(its)
        text = b""
        try:
            while block := os.read(ours, 65536):
                text += block
        except OSError:  # the end, as Linux tells it
            pass
        os.close(ours)
    if run.returncode != 0:
        raise AssertionError(text)
    return text.decode().replace("\r\n", "\n")


class Presentation(InFolder):
    def commands(self):
        truth, readings = self.folder / "truth.csv", self.folder / "readings.csv"
        study = self.folder / "study.yaml"
        study.write_text(f"study: few\nmodel: {MODELS}/fourbar-double-crank.yaml\ntruth: {{until: 0.1 s}}\nsensors: {{gyroscope: {{}}}}\n"
                         "filter: dekf\ntries: 2\nseed: 1\nconverged: {input.angle: 5 deg}\n", encoding="utf-8")
        return {
            "info": ["info", FOURBAR],
            "kinematics": ["kinematics", FOURBAR, "--until", "0.1", "--step", "0.01", "--out", self.out],
            "simulate": ["simulate", FOURBAR, "--release", "motor", "--until", "0.1", "--outputs", "A.q,A.v,A.a,crank.angle", "--out", truth],
            "inverse": ["inverse", FOURBAR, "--until", "0.1", "--step", "0.01", "--out", self.out],
            "equilibrium": ["equilibrium", FOURBAR, "--release", "motor"],
            "modes": ["modes", FOURBAR, "--release", "motor"],
            "sense": ["sense", FOURBAR, "--truth", truth, "--out", readings],
            "estimate": ["estimate", FOURBAR, "--release", "motor", "--measurements", readings, "--truth", truth, "--out", self.out],
            "study": ["study", study, "--out", self.folder / "study", "--threads", "1"],
            "report": ["report", FOURBAR, truth, "--out", self.folder / "page.html"],
            "bench kinematics": ["bench", "kinematics", "--dyads", "1", "--axles", "1"],
            "bench quarter-vehicle": ["bench", "quarter-vehicle"],
        }

    def test_every_result_is_one_object(self):
        objects = {}
        for name, words in self.commands().items():
            done = call(*words, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            objects[name] = json.loads(done.stdout)
            self.assertEqual(objects[name]["command"], name)
        moved, simulated = objects["kinematics"], objects["simulate"]
        self.assertEqual((moved["complete"], moved["end"], moved["rows"], moved["files"]["results"]), (True, 0.1, 11, str(self.out)))
        self.assertEqual([output["name"] for output in simulated["outputs"]], ["A.q", "A.v", "A.a", "crank.angle", "energy", "constraint_error"])
        self.assertEqual(simulated["files"], {"results": str(self.folder / "truth.csv"), "report": None, "events": None, "reactions": None})
        self.assertLess(simulated["outputs"][0]["min"], simulated["outputs"][0]["max"])
        self.assertEqual(objects["inverse"]["actuators"][0]["name"], "motor.effort")
        self.assertEqual(objects["equilibrium"]["solutions"][0]["stability"], "stable")
        self.assertGreater(objects["modes"]["modes"][0]["frequency"], 0)
        self.assertGreater(objects["sense"]["sensors"][0]["readings"], 0)
        self.assertEqual(objects["estimate"]["filters"][0]["name"], "dekf")
        self.assertGreaterEqual(objects["estimate"]["filters"][0]["truth"]["errors"][0]["rmse"], 0)
        self.assertEqual(objects["study"]["points"][0]["tries"], 2)
        self.assertEqual(objects["bench kinematics"]["table"][0]["mechanism"], "scalable-fourbar")
        self.assertEqual(objects["bench quarter-vehicle"]["freedoms"], 2)

    def test_several_filters_are_one_object(self):
        for name in ("simulate", "sense"):
            self.assertEqual(call(*self.commands()[name], "--quiet").returncode, 0)
        done = call(*self.commands()["estimate"], "--filter", "dekf,ukf", "--json")
        self.assertEqual([one["name"] for one in json.loads(done.stdout)["filters"]], ["dekf", "ukf"])

    def test_a_motion_that_ends_early_says_so_and_fails(self):
        done = call("kinematics", FOURBAR, "--set", "crank=300 mm", "--until", "4", "--step", "0.05", "--out", self.out, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["complete"]), (1, False))
        self.assertLess(json.loads(done.stdout)["end"], 4)

    def test_quiet_says_nothing(self):
        for words in self.commands().values():
            done = call(*words, "--quiet")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), words)

    def test_quiet_keeps_rows_and_failures(self):
        words = ["kinematics", FOURBAR, "--until", "0.1", "--step", "0.1", "--out", "-"]
        done = call(*words, "--quiet")
        self.assertEqual((done.stderr, done.stdout), ("", call(*words).stdout))
        done = call("kinematics", FOURBAR, "--set", "crank=300 mm", "--until", "4", "--step", "0.05", "--out", self.out, "--quiet")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^eslabon: the motion ends early[^\n]*\n$")

    def test_words_that_do_not_go_together(self):
        words = ["kinematics", FOURBAR, "--until", "0.1", "--step", "0.1", "--out", "-"]
        done = call(*words, "--json")
        self.assertEqual((done.returncode, done.stderr), (2, "eslabon: two results for the standard output [--json]: expected a file for the "
                         "rows, --out FILE, got --out -. Write the rows to a file, or leave --json out.\n"))
        self.assertEqual(call("info", FOURBAR, "--json", "--quiet").returncode, 2)

    def test_a_model_from_the_standard_input(self):
        text = FOURBAR.read_text(encoding="utf-8")
        self.assertEqual(call(*self.commands()["simulate"], "--quiet").returncode, 0)
        for name, words in self.commands().items():
            if FOURBAR not in words or name == "study":
                continue
            piped = ["-" if word == FOURBAR else word for word in words]
            done = subprocess.run([PROGRAM, *map(str, piped), "--json"], input=text, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
        words = [PROGRAM, *map(str, self.commands()["estimate"]), "--filter", "dekf,ukf", "--quiet"]
        words[2] = "-"
        self.assertEqual(subprocess.run(words, input=text, text=True, timeout=60, check=False).returncode, 0)  # loaded twice
        done = subprocess.run([PROGRAM, "info", "-"], input="mechanism: x\nbodys: {}\n", capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("[the standard input:2:1", done.stderr)
        done = call("estimate", "-", "--live", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("two things from the standard input", done.stderr)

    def test_pages_are_as_wide_as_the_terminal(self):
        for columns, width in ((72, 72), (96, 96), (140, 140), (20, 60), (400, 180)):
            lines = on_terminal(columns, "info", MODELS / "quarter-vehicle.yaml").splitlines()
            self.assertEqual(len(lines[1]), width)
            self.assertLessEqual(max(map(len, lines)), max(width, 80), columns)
        for columns in (72, 120):
            text = on_terminal(columns, "simulate", "--help").split("\nExamples\n")[0]
            self.assertLessEqual(max(map(len, text.splitlines())), columns)

    def test_pipes_have_96_characters_whatever_the_terminal(self):
        done = subprocess.run([PROGRAM, "info", str(SOURCE / "models/quarter-vehicle.yaml")], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "COLUMNS": "50"}, check=False)
        self.assertEqual(len(done.stdout.splitlines()[1]), 96)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
