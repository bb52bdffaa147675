"""`--compiled`: the same bytes as the interpreter, what is told of it, and what happens where there is no compiler or no cache."""

import concurrent.futures
import csv
import json
import os
import re
import sys
import unittest

from program import MODELS, InFolder, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
STUDY = f"""
study: a small one
model: {MODELS}/fourbar-double-crank.yaml
truth: {{until: 0.3 s}}
sensors: [gyroscope]
converged: {{input.angle: 5 deg}}
"""


class Compiled(InFolder):
    def setUp(self):
        super().setUp()
        self.truth, self.readings = self.folder / "truth.csv", self.folder / "readings.csv"
        self.done("simulate", FOURBAR, "--release", "motor", "--until", "0.2", "--every", "1 ms", "--outputs",
                  "A.q,A.v,A.a,crank.angle", "--out", self.truth)
        self.done("sense", FOURBAR, "--truth", self.truth, "--out", self.readings)

    def done(self, *words, env=None):
        done = call(*words, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def environment(self, **more):
        """Its own cache; the compiler that the environment names stays."""
        return {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), **more}

    def estimate(self, name, *words, env=None):
        out = self.folder / (name + ".csv")
        done = self.done("estimate", FOURBAR, "--release", "motor", "--measurements", self.readings, "--filter",
                         "particle", "--particles", "300", "--out", out, *words, env=env or self.environment())
        return done, out.read_bytes()

    def test_particles_are_the_same_bytes(self):
        _, interpreted = self.estimate("interpreted")
        first, compiled = self.estimate("compiled", "--compiled")
        self.assertEqual(compiled, interpreted)
        self.assertRegex(first.stdout, r"Compiled +\d+ functions of \d+ operations,\s+compiled\s+by .+\s+in\s+\d+\.\d+ s")
        again, cached = self.estimate("cached", "--compiled", "--threads", "2")
        self.assertEqual(cached, interpreted)
        self.assertRegex(again.stdout, r"Compiled +\d+ functions of \d+ operations,\s+compiled\s+before\s+by\s")

    def test_an_unknown_start_is_the_same_bytes(self):
        words = ["--start", "unknown", "--sampling", "regularised", "--unknown", "force:A.q,sigma=1,walk=1"]
        self.assertEqual(self.estimate("compiled", "--compiled", *words)[1], self.estimate("interpreted", *words)[1])

    def test_processes_share_the_cache(self):
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            results = list(pool.map(lambda k: self.estimate(f"run{k}", "--compiled")[1], range(3)))
        self.assertEqual(results[1:], results[:-1])
        kept = sorted((self.folder / "cache" / "eslabon").iterdir())
        self.assertTrue(kept and all(path.suffix == ".so" for path in kept), kept)
        for path in kept:  # what is damaged is made anew
            path.write_bytes(path.read_bytes()[:1000])
        self.assertEqual(self.estimate("damaged", "--compiled")[1], results[0])

    def test_without_a_compiler_there_is_a_sentence_and_the_same_result(self):
        _, interpreted = self.estimate("interpreted")
        done, result = self.estimate("without", "--compiled", env=self.environment(CC="", PATH=str(self.folder)))
        self.assertEqual(result, interpreted)
        self.assertEqual(done.stderr.count("there is no compiler"), 1, done.stderr)
        self.assertRegex(done.stdout, r"Compiled +none: interpreted")
        done, result = self.estimate("failing", "--compiled", env=self.environment(CC="/bin/false"))
        self.assertEqual(result, interpreted)
        self.assertIn("the compiler does not run [/bin/false]", done.stderr)

    def test_without_a_cache_it_is_compiled_for_one_run(self):
        (self.folder / "file").write_text("no folder", encoding="utf-8")
        temporary = self.folder / "temporary"
        temporary.mkdir()
        done, result = self.estimate("kept", "--compiled",
                                     env=self.environment(XDG_CACHE_HOME=str(self.folder / "file"), TMPDIR=str(temporary)))
        self.assertEqual(result, self.estimate("interpreted")[1])
        self.assertIn("compiled code cannot be kept", done.stderr)
        self.assertIn("for this run alone", done.stderr)
        self.assertEqual(list(temporary.iterdir()), [])

    def test_programs_are_told_what_it_cost(self):
        done, _ = self.estimate("told", "--compiled", "--json")
        told = json.loads(done.stdout)["compiled"]
        self.assertGreater(told["functions"], 4)
        self.assertGreater(told["operations"], 1000)
        self.assertGreater(told["seconds"], 0.0)
        self.assertFalse(told["cached"])
        self.assertTrue(json.loads(self.estimate("told", "--compiled", "--json")[0].stdout)["compiled"]["cached"])
        self.assertGreater(told["evaluation"]["compiled"], 0.0)
        self.assertGreater(told["evaluation"]["interpreted"], 0.0)
        self.assertNotIn("compiled", json.loads(self.estimate("told", "--json")[0].stdout))

    def lines(self, name):
        with open(self.folder / name, encoding="utf-8") as file:
            return list(csv.reader(file))[2:]

    def rows(self, name):
        return [[float(word) for word in line] for line in self.lines(name)]

    def assert_same_motion(self, words, delta):
        plain = call(*words, "--out", self.folder / "plain.csv", env=self.environment())
        fast = call(*words, "--compiled", "--out", self.folder / "fast.csv", env=self.environment())
        self.assertEqual((plain.returncode, fast.returncode), (0, 0), plain.stderr + fast.stderr)
        self.assertRegex(" ".join(fast.stdout.split()), r"Compiled [1-9]\d* functions? of \d+ operations, compiled .+; "
                                                        r"one evaluation [\d.e+-]+ µs instead of [\d.e+-]+ µs")
        one, other = self.rows("plain.csv"), self.rows("fast.csv")
        self.assertEqual(len(one), len(other))
        for row, same in zip(one, other):
            for x, y in zip(row, same):
                self.assertLessEqual(abs(x - y), delta * max(1.0, abs(x)))

    def test_filters_that_follow_one_state(self):
        # Sigma points have weights of 10^6, which magnify roundoff.
        for name, delta in (("dekf", 1e-12), ("cekf", 1e-12), ("ukf", 1e-7)):
            self.assert_same_motion(["estimate", FOURBAR, "--release", "motor", "--measurements", self.readings, "--filter", name], delta)

    def test_simulations(self):
        self.assert_same_motion(["simulate", FOURBAR, "--release", "motor", "--until", "1"], 1e-11)
        self.assert_same_motion(["simulate", MODELS / "quarter-vehicle.yaml", "--formulation", "semi-recursive", "--until", "1"], 1e-11)

    def test_kinematics(self):
        self.assert_same_motion(["kinematics", FOURBAR, "--until", "1", "--step", "0.01"], 1e-12)

    def study(self, name, text, *words):
        """Page and numbers of results.csv of a study."""
        path = self.folder / "study.yaml"
        path.write_text(text, encoding="utf-8")
        done = self.done("study", path, "--out", self.folder / name, *words, env=self.environment())
        return done, (self.folder / name / "results.csv").read_bytes()

    def test_studies_of_particles_are_the_same_bytes(self):
        text = STUDY + "filter: particle\noptions: {step: 6 ms, particles: 100}\ntries: 6\n"
        _, interpreted = self.study("interpreted", text)
        first, compiled = self.study("compiled", text, "--compiled", "--threads", "3")
        self.assertEqual(compiled, interpreted)
        # Six tries in three threads, and the code of one.
        functions = re.search(r"Compiled +(\d+) functions of \d+ operations,\s+compiled\s+by .+\s+in\s+\d+\.\d+ s", first.stdout)
        self.assertTrue(functions, first.stdout)
        one, _ = self.study("compiled", text, "--compiled", "--only", "1:2", "--json")
        told = json.loads(one.stdout)["compiled"]
        self.assertEqual((told["functions"], told["cached"]), (int(functions[1]), True))

    def test_studies_of_filters_that_follow_one_state(self):
        text = STUDY + "options: {start-deviation: 20 deg}\nsweep: {filter: [dekf, cekf], step: [3 ms, 6 ms]}\ntries: 4\n"
        plain, _ = self.study("plain", text, "--json")
        fast, first = self.study("fast", text, "--compiled", "--json", "--threads", "3")
        self.assertNotIn("compiled", json.loads(plain.stdout))
        self.assertEqual(json.loads(fast.stdout)["compiled"]["functions"], 5)
        for line, same in zip(self.lines("plain/results.csv"), self.lines("fast/results.csv")):
            self.assertEqual(line[1], same[1])  # the filter
            for x, y in zip(map(float, line[2:]), map(float, same[2:])):
                self.assertLessEqual(abs(x - y), 1e-12 * max(1.0, abs(x)))
        # However the tries run, and whether they are resumed: the same bytes.
        self.assertEqual(self.study("alone", text, "--compiled", "--threads", "1")[1], first)
        again, resumed = self.study("fast", text, "--compiled")
        self.assertEqual(resumed, first)
        self.assertIn("16 of 16 were done before", again.stdout)
        refused = call("study", self.folder / "study.yaml", "--out", self.folder / "fast", env=self.environment())
        self.assertEqual(refused.returncode, 2)
        self.assertIn("this folder has the results of another build", refused.stderr)
        self.assertIn("filters compiled by", refused.stderr)

    def test_studies_without_a_compiler(self):
        text = STUDY + "filter: dekf\ntries: 3\n"
        _, interpreted = self.study("interpreted", text)
        done = self.done("study", self.folder / "study.yaml", "--out", self.folder / "without", "--compiled",
                         env=self.environment(CC="", PATH=str(self.folder)))
        self.assertEqual((self.folder / "without" / "results.csv").read_bytes(), interpreted)
        self.assertEqual(done.stderr.count("there is no compiler"), 1, done.stderr)
        self.assertRegex(done.stdout, r"Compiled +none: interpreted")
        # Without a cache one code is still compiled once, not for every try.
        (self.folder / "file").write_text("no folder", encoding="utf-8")
        done = self.done("study", self.folder / "study.yaml", "--out", self.folder / "kept", "--compiled", "--threads", "2", "--json",
                         env=self.environment(XDG_CACHE_HOME=str(self.folder / "file")))
        self.assertEqual(json.loads(done.stdout)["compiled"]["functions"], 5)
        self.assertEqual(done.stderr.count("compiled code cannot be kept"), 1, done.stderr)

    def test_what_is_not_compiled_is_said(self):
        done = call("simulate", MODELS / "bouncing-slider.yaml", "--until", "0.1", "--compiled", "--out", self.folder / "b.csv",
                    env=self.environment())
        self.assertEqual(done.returncode, 0)
        self.assertIn("The motion is interpreted: stop 'floor': expected stops with a stiffness", done.stderr)
        done = call("simulate", MODELS / "quarter-vehicle.yaml", "--formulation", "groups", "--until", "0.1", "--compiled", "--out",
                    self.folder / "q.csv", env=self.environment())
        self.assertEqual(done.returncode, 0)
        self.assertIn("a structural group has no closed form", done.stderr)
        for words, reason in ((["--method", "global"], "only the method 'groups' can be compiled"),
                              (["--method", "groups"], "a structural group has no closed form")):
            done = self.done("kinematics", MODELS / "stephenson-sixbar.yaml", "--until", "0.1", "--step", "0.1", "--compiled", "--out",
                             self.folder / "k.csv", *words, env=self.environment())
            self.assertEqual(done.stderr.count("The motion is interpreted: " + reason + "."), 1, done.stderr)
            self.assertRegex(done.stdout, "Compiled +none: interpreted")

    def test_a_simulation_without_a_compiler_is_the_plain_one(self):
        words = ["simulate", MODELS / "quarter-vehicle.yaml", "--until", "0.1"]
        plain = self.done(*words, "--out", self.folder / "plain.csv")
        for compiler, says in (("/no/such", "there is no compiler"), ("/bin/true", "the compiler made no library")):
            done = self.done(*words, "--compiled", "--out", self.folder / "without.csv", env=self.environment(CC=compiler))
            self.assertEqual(done.stderr.count(says), 1, done.stderr)
            self.assertNotIn("..", done.stderr)
            self.assertEqual((self.folder / "without.csv").read_bytes(), (self.folder / "plain.csv").read_bytes())
            self.assertEqual(re.search("Formulation .+", done.stdout)[0], re.search("Formulation .+", plain.stdout)[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
