"""What `eslabon export` refuses: one sentence each, and nothing is written."""

import sys
import unittest

from program import MODELS, InFolder, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
# All bars in one line: the parallelogram can go on as one, or as its crossed twin.
FLAT = """
mechanism: parallelogram
plane: xy
ground: {points: {A: [0, 0], B: [1, 0]}}
bodies:
  crank: {mass: 1 kg, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.5, 0]}}
  coupler: {mass: 1 kg, shape: {bar: [P, R]}, points: {P: [0, 0], R: [1, 0]}}
  rocker: {mass: 1 kg, shape: {bar: [B, R]}, points: {B: [0, 0], R: [0.5, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P: {revolute: [crank.P, coupler.P]}
  R: {revolute: [coupler.R, rocker.R]}
  B: {revolute: [ground.B, rocker.B]}
assembly: {crank.angle: 0 deg, coupler.angle: 0 deg, rocker.angle: 0 deg}
"""
# A stone on two threads in one line: across it the threads have next to no mass, and what they have depends on their angle.
THREAD = """
mechanism: stone on threads
plane: xy
ground: {points: {A: [0, 0]}}
bodies:
  thread: {mass: 1e-12 kg, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.5, 0]}}
  stone: {mass: 1 kg, center_of_mass: [0.5, 0], inertia: 1e-12 kg*m^2, points: {P: [0, 0]}}
joints:
  A: {revolute: [ground.A, thread.A]}
  P: {revolute: [thread.P, stone.P]}
assembly: {thread.angle: 10 deg, stone.angle: 10 deg}
"""


class Refusals(InFolder):
    def refused(self, model, *words, status=1):
        done = call("export", model, "--out", self.folder / "out", *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertFalse((self.folder / "out").exists())
        sentences = [line for line in done.stderr.splitlines() if "left out" not in line]
        self.assertEqual(len(sentences), 1, done.stderr)
        return sentences[0]

    def test_a_start_where_branches_meet(self):
        self.assertIn("the run starts in a singular position", self.refused(self.write(FLAT)))

    def test_pivots_that_are_not_safe(self):
        said = self.refused(self.write(THREAD))
        self.assertIn("no order of elimination is safe here", said)
        self.assertIn("expected pivots above 1e-08 of their diagonal", said)
        self.assertIn("mechanism 'stone on threads'", said)
        self.assertIn("Start away from singular positions, or add mass where there is none.", said)

    def test_equations_that_nobody_could_read(self):
        said = self.refused(MODELS / "rssr.yaml", "--release", "all", "--form", "reduced", "--language", "html", status=2)
        self.assertIn("expected structural groups that all have closed forms, got independent coordinates z", said)
        said = self.refused(FOURBAR, "--form", "kinematics", "--language", "latex", status=2)
        self.assertIn("expected --form multipliers or reduced", said)

    def test_a_start_next_to_where_branches_meet(self):
        beside = FLAT.replace("crank.angle: 0 deg, coupler.angle: 0 deg, rocker.angle: 0 deg",
                              "crank.angle: 1e-4 rad, coupler.angle: 0 deg, rocker.angle: 1e-4 rad")
        self.assertIn("no order of elimination is safe here", self.refused(self.write(beside)))

    def test_words_that_are_not_known(self):
        for words, said in ((["--language", "ada"], "unknown language [--language]: expected 'c', 'c++', 'matlab', 'python', 'latex' or 'html', got 'ada'"),
                            (["--coordinates", "polar"], "unknown kind of coordinates [--coordinates]: expected 'natural', 'reference-point' "
                                                         "or 'relative', got 'polar'"),
                            (["--release", "moter"], "no such driver [--release, driver 'moter']")):
            self.assertIn(said, self.refused(FOURBAR, *words, status=2))

    def test_a_function_that_is_not_there(self):
        said = self.refused(FOURBAR, "--functions", "outputs,masses")
        self.assertIn("this model has no such function", said)
        self.assertIn("got 'masses'", said)

    def test_pivots_that_are_not_safe_in_single_precision(self):
        light = self.write(THREAD.replace("1e-12 kg", "1e-6 kg", 1).replace("1e-12 kg*m^2", "1e-6 kg*m^2"))
        said = self.refused(light, "--precision", "float", "--language", "c")
        self.assertIn("no order of elimination is safe here in single precision", said)
        self.assertIn("expected pivots above 1e-04 of their diagonal", said)
        done = call("export", light, "--out", self.folder / "out", "--language", "c,python")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_names_that_code_cannot_have(self):
        for name in ("numpy", "class", "int", "sin", "random", "std", "GROUP"):
            said = self.refused(FOURBAR, "--name", name, status=2)
            self.assertIn("not a name of functions [--name]", said)
            self.assertIn(f"Write, for example, --name my_{name}.", said)
        said = self.refused(self.write(THREAD.replace("stone on threads", "class").replace("1e-12 kg", "1 kg")))
        self.assertIn("mechanism 'class']: expected no word of the languages", said)
        self.assertIn("Give another one with --name.", said)

    def test_an_effort_that_is_named_twice(self):
        self.assertIn("'A.q']: expected each joint coordinate once, got the same one again", self.refused(FOURBAR, "--release", "motor", "--inputs", "A.q,B.q,A.q"))

    def test_a_folder_that_cannot_be_made(self):
        (self.folder / "taken").write_text("a file", encoding="ascii")
        done = call("export", FOURBAR, "--out", self.folder / "taken" / "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the folder could not be made", done.stderr)
        self.assertIn("Give another one with --out.", done.stderr)
        self.assertEqual((self.folder / "taken").read_text(encoding="ascii"), "a file")

    def test_a_file_that_cannot_be_written(self):
        (self.folder / "out" / "m.c").mkdir(parents=True)
        done = call("export", FOURBAR, "--out", self.folder / "out", "--name", "m")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("m.c", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
