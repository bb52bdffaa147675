"""The program as a user sees it: exit status, stdout, stderr. Tests get it and the source folder from CTest, as arguments."""

import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
MODELS = SOURCE / "models"
IS_SANITIZED = any(name in pathlib.Path(PROGRAM).read_bytes() for name in (b"__asan_init", b"__tsan_init"))
PATIENCE = 1000 if IS_SANITIZED else 100  # [s] for one run


def machines():
    """The files of all models, in folders too, that are no parts."""
    return [path for path in sorted(MODELS.rglob("*.yaml")) if "\npart:" not in "\n" + path.read_text(encoding="utf-8")]


def call(*words, env=None):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, check=False, env=env)


def info(model, *words):
    done = call("info", model, "--json", *words)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class InFolder(unittest.TestCase):
    """A test with a folder of its own for the files it writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out.csv"

    def write(self, text, name="model.yaml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def move(self, model, *words, until="1", step="0.1"):
        return call("kinematics", model, "--until", until, "--step", step, "--out", self.out, *words)

    def columns(self):
        """Units and numbers of each column of the results."""
        with open(self.out, newline="", encoding="utf-8") as file:
            names, units, *rows = csv.reader(file)
        values = [[float(cell) for cell in row] for row in rows]
        if not all(math.isfinite(value) for row in values for value in row):
            raise AssertionError("a value is not finite")
        return dict(zip(names, units)), dict(zip(names, map(list, zip(*values))))
