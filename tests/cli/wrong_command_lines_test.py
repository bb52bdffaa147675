"""Wrong command lines: one sentence on stderr, nothing on stdout, and the exit status."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from program import MODELS, PROGRAM, call


class WrongCommandLines(unittest.TestCase):
    def check(self, words, status, message):
        done = call(*words)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, f"eslabon: {message}\n")
        self.assertEqual(done.returncode, status)

    def test_unknown_command(self):
        self.check(["inof"], 2, "unknown command 'inof', did you mean 'info'? 'eslabon --help' lists the commands.")
        self.check(["fly"], 2, "unknown command 'fly'. 'eslabon --help' lists the commands.")

    def test_missing_model(self):
        self.check(["info"], 2, "MODEL is required. 'eslabon info --help' shows what there is.")

    def test_unknown_option(self):
        self.check(["info", "x.yaml", "--jsn"], 2,
                   "unknown option '--jsn', did you mean '--json'? 'eslabon info --help' shows what there is.")

    def test_time_from_reading_to_reading_is_no_step(self):
        self.check(["sense", "x.yaml", "--until", "1", "--step", "1 ms", "--out", "x.csv"], 2,
                   "unknown option '--step', did you mean '--every'? 'eslabon sense --help' shows what there is.")

    def test_missing_file(self):
        self.check(["info", "nowhere.yaml"], 2, "the file does not exist [nowhere.yaml]. Check the name and the folder.")

    def test_words_of_the_user_are_not_taken_for_options(self):
        self.check(["info", "‹until›.yaml"], 2, "the file does not exist [‹until›.yaml]. Check the name and the folder.")
        marked = call("info", "\ufdd0a b \ufdd1\ufdd0.yaml")  # the marks of names of fields
        self.assertEqual((marked.returncode, marked.stderr),
                         (2, "eslabon: the file does not exist [a b .yaml]. Check the name and the folder.\n"))

    def test_setting_without_a_value(self):
        self.check(["info", MODELS / "rssr.yaml", "--set", "crank"], 2,
                   "a setting has no value [--set]: expected name=value, got 'crank'. "
                   "Write, for example, --set 'crank=130 mm'.")

    def kinematics(self, *words, until="1", step="0.1"):
        return ["kinematics", MODELS / "fourbar-testbed.yaml", "--until", until, "--step", step,
                *(words if "--out" in words else (*words, "--out", "/nowhere/x.csv"))]

    def test_times_that_are_none(self):
        advice = "Write it in seconds, or with a unit: {0} 0.5 or {0} '10 ms'."
        short = "is too short [{0}]: expected a positive time of at least 1 ns, got '{1}'. " + advice
        for text in ("0", "-0.1", "1e-10", "-5 ms"):
            self.check(self.kinematics(step=text), 2, "the time step " + short.format("--step", text))
            if text != "0":  # the row of the start alone
                self.check(self.kinematics(until=text), 2, "the end time " + short.format("--until", text))
        for text in ("abc", "nan", "inf", "", "-"):
            self.check(self.kinematics(until=text), 2, "the end time is not a number [--until]: "
                       f"expected a positive time in s, got '{text}'. " + advice.format("--until"))
        self.check(self.kinematics(until="1e300"), 2, "the end time is too long [--until]: "
                   "expected at most 9e9 s, got '1e300'. " + advice.format("--until"))
        self.check(self.kinematics(until="3 m"), 2, "end time has a unit of the wrong kind [--until]: expected "
                   "a time such as '0.5 s', got '3 m', a length. Write a time, or a bare number in s.")
        self.check(self.kinematics(until="1e5", step="1e-6"), 2, "too many rows [--step]: expected at most 100000000 "
                   "steps up to --until, got 100000000000 steps of 1e-06 s. Take a longer step or an earlier end.")

    def test_methods_and_coordinates_that_are_none(self):
        self.check(self.kinematics("--method", "spare"), 2,
                   "unknown method [--method]: expected 'auto', 'global', 'sparse', 'groups' or 'groups-tensor', "
                   "got 'spare'. Did you mean 'sparse'?")
        self.check(self.kinematics("--coordinates", "polar"), 2,
                   "unknown coordinates [--coordinates]: expected 'natural', 'reference-point' or 'relative', "
                   "got 'polar'. Use one of these.")
        self.check(self.kinematics("--method", "groups", "--coordinates", "natural"), 2,
                   "the method 'groups' uses no coordinates [--coordinates]: expected a method that does, 'auto', 'global' "
                   "or 'sparse', got 'natural' with --method groups. Leave --coordinates out, or take another method.")

    def test_commands_within_bench(self):
        self.check(["bench"], 2, "a command is missing after 'eslabon bench': expected 'kinematics', 'dynamics', 'compiled', "
                   "'references', 'quarter-vehicle', 'vehicles' or 'estimation'. 'eslabon bench --help' shows what there is.")
        self.check(["bench", "kinematic"], 2, "unknown command 'kinematic', did you mean 'kinematics'? "
                   "'eslabon bench --help' lists the commands.")
        self.check(["bench", "kinematics", "--dyad", "3"], 2, "unknown option '--dyad', did you mean '--dyads'? "
                   "'eslabon bench kinematics --help' shows what there is.")
        self.check(["bench", "kinematics", "--dyads", "3,x"], 2, "a size is wrong [--dyads]: expected whole numbers "
                   "from 1 to 100000, with commas between them, got 'x'. Write, for example, --dyads 1,2,5.")
        self.check(["bench", "kinematics", "--dyads", "3,"], 2, "a word is missing [--dyads]: expected words with commas between "
                   "them, got '3,'. Write, for example, --dyads 1,2,5.")
        self.check(["bench", "kinematics", "more"], 2, "unexpected word 'more'. 'eslabon bench kinematics --help' shows what "
                   "there is.")
        self.check(["bench", "references", "--tolerance", "1e-9x"], 2, "the tolerance is wrong [--tolerance]: expected a number "
                   "from 1e-14 to 0.1, got '1e-9x'. Write, for example, --tolerance 1e-9.")
        self.check(["bench", "kinematics", "--out", "/nonexistent/x"], 2, "the table could not be written [/nonexistent/x]: "
                   "expected a file that can be created, and room for it, got No such file or directory. "
                   "Check that the folder exists, may be written to and has space left.")

    def test_filters_and_unknowns_that_are_none(self):
        estimate = ["estimate", MODELS / "fourbar-testbed.yaml", "--release", "motor", "--measurements", "x.csv", "--out", "y.csv"]
        self.check([*estimate, "--filter", "dekf,dekf"], 2,
                   "a filter is named twice [--filter]: expected each filter once: every one writes a file of its own, got 'dekf,dekf'. "
                   "Leave one of them out.")
        self.check(["bench", "estimation", "--seeds", "1,2"], 2,
                   "not a number of runs [--seeds]: expected a whole number from 1 to 1000, got '1,2'. Write, for example, --seeds 20.")

    def test_coefficients_need_a_file(self):
        for path in ("", "-"):
            self.check(self.kinematics("--coefficients", path, "--out", "x.csv"), 2,
                       f"the coefficients have no destination [--coefficients]: expected the name of a file, got '{path}'. "
                       "Write, for example, --coefficients coefficients.csv.")

    def test_outputs_that_are_none(self):
        self.check(self.kinematics("--outputs", "crank.angel"), 2,
                   "no such variable [--outputs, output 'crank.angel']: expected 'angle', 'rate' or "
                   "'angular_acceleration' after 'crank.', got 'crank.angel'. Did you mean 'crank.angle'?")
        self.check(self.kinematics("--outputs", "A.q,motor.effort"), 2,
                   "kinematics computes no forces [--outputs]: expected positions, velocities and accelerations, "
                   "got 'motor.effort'. Leave it out; 'simulate' computes them.")
        for text in ("", "A.q,", "A.q,,B.q"):
            self.check(self.kinematics("--outputs", text), 2, "a word is missing [--outputs]: expected words with "
                       f"commas between them, got '{text}'. Write, for example, --outputs crank.angle,A.q.")

    def test_results_without_a_place(self):
        self.check(["kinematics", "x.yaml", "--until", "1", "--step", "1"], 2,
                   "--out is required. 'eslabon kinematics --help' shows what there is.")
        self.check(["kinematics", "x.yaml", "--until", "1", "--step", "1", "--otu", "x.csv"], 2,
                   "unknown option '--otu', did you mean '--out'? 'eslabon kinematics --help' shows what there is.")
        self.check(self.kinematics("--out", ""), 2, "the results have no destination [--out]: expected the name of a "
                   "file, or - for the standard output, got ''. Write, for example, --out result.csv.")
        self.check(self.kinematics(), 2,
                   "the results could not be written [/nowhere/x.csv]: expected a file that can be created, and room "
                   "for it, got No such file or directory. Check that the folder exists, may be written to and has "
                   "space left.")
        # A full disk, by a descriptor that is open already: no path of a device is ever given to --out, so that nothing
        # in /dev can be replaced, whatever the program does.
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, *map(str, self.kinematics("--out", "-"))], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the results could not be written [the standard output]", done.stderr)
        self.assertIn("got No space left on device.", done.stderr)

    def test_higher_pairs_are_said_to_be_unsupported(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wheel.yaml")
            pathlib.Path(path).write_text(
                "mechanism: wheel\nplane: xy\nground: {points: {O: [0, 0]}}\n"
                "bodies: {wheel: {points: {C: [0, 0]}}}\njoints: {road: {belt: [ground.O, wheel.C]}}\n",
                encoding="utf-8")
            done = call("info", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("'belt' is not supported", done.stderr)

    def test_nothing_typed_shows_the_help(self):
        done = call()
        self.assertEqual(done.returncode, 2)
        self.assertIn("info", done.stderr)

    def test_version_and_help_succeed(self):
        self.assertEqual(call("--version").returncode, 0)
        self.assertIn("--diagram", call("info", "--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
