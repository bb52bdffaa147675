"""One rule for the exit status of every sub-command: 0 the work was done, 1 it could not be done, 2 the command line or a file it names is
wrong. Each kind of mistake is made on each sub-command that can make it."""

import subprocess
import sys
import unittest

from program import InFolder, MODELS, PROGRAM, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
DONE, NOT_DONE, WRONG = 0, 1, 2

# Links that do not reach each other.
TORN = """mechanism: torn
plane: xy
ground: {points: {A: [0, 0], B: [10, 0]}}
bodies:
  crank: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {A: [0, 0], P: [1, 0]}}
  rocker: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {P: [0, 0], B: [1, 0]}}
joints: {A: {revolute: [ground.A, crank.A]}, P: {revolute: [crank.P, rocker.P]}, B: {revolute: [ground.B, rocker.B]}}
sensors: {gyro: {gyroscope: crank, noise: 1 deg/s, rate: 100 Hz}}
"""
# A file that breaks a rule: a mass below 0.
BROKEN = "mechanism: broken\nplane: xy\nground: {points: {A: [0, 0]}}\nbodies: {crank: {mass: -1, points: {A: [0, 0]}}}\njoints: {A: {revolute: [ground.A, crank.A]}}\n"


class ExitStatus(InFolder):
    def setUp(self):
        super().setUp()
        self.truth, self.readings = self.folder / "truth.csv", self.folder / "readings.csv"

    def commands(self, model=FOURBAR, out=None):
        """Every sub-command that has a MODEL, on this one, with all that it needs."""
        out = out or self.out
        return {
            "info": ["info", model],
            "kinematics": ["kinematics", model, "--until", "0.1", "--step", "0.1", "--out", out],
            "simulate": ["simulate", model, "--until", "0.1", "--out", out],
            "inverse": ["inverse", model, "--until", "0.1", "--step", "0.1", "--out", out],
            "equilibrium": ["equilibrium", model, "--release", "all", "--out", out],
            "modes": ["modes", model, "--release", "all"],
            "sense": ["sense", model, "--until", "0.1", "--out", out],
            "estimate": ["estimate", model, "--measurements", self.readings, "--release", "all", "--out", out],
            "report": ["report", model, "--out", self.folder / "report.html"],
        }

    def check(self, status, words, **more):
        done = call(*words) if not more else subprocess.run(
            [PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60, check=False, **more)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stderr}")
        if status != DONE:
            self.assertRegex(done.stderr.splitlines()[-1], r"^eslabon: .*\.$", words)
            self.assertEqual(done.stdout, "", words)
        return done

    def make_readings(self):
        self.check(DONE, ["sense", FOURBAR, "--until", "0.1", "--out", self.readings])

    def test_all_of_them_succeed(self):
        self.make_readings()
        for words in self.commands().values():
            self.check(DONE, words)

    def test_an_unknown_option_is_a_wrong_command_line(self):
        for name, words in self.commands().items():
            self.check(WRONG, [*words, "--no-such-option"])
            self.check(WRONG, [name])
        for words in (["study", "x.yaml", "--nothing"], ["bench", "kinematics", "--nothing"], ["bench"], ["fly"],
                      ["completion", "tcsh"], ["completion"], ["man", "more"]):
            self.check(WRONG, words)

    def test_a_file_that_is_not_there_or_breaks_a_rule_is_wrong(self):
        broken = self.folder / "broken.yaml"
        broken.write_text(BROKEN, encoding="utf-8")
        self.make_readings()
        for model in (self.folder / "nowhere.yaml", broken, self.folder, "family:none", "family:scalable-fourbar,dyads=0"):
            for name, words in self.commands(model).items():
                if name == "report" and model == self.folder:
                    continue  # may be the folder of a study
                self.check(WRONG, words)
        self.check(WRONG, ["study", self.folder / "nowhere.yaml", "--plan"])
        broken.write_text("study: nothing\n", encoding="utf-8")
        self.check(WRONG, ["study", broken, "--plan"])

    def test_files_besides_the_model_that_are_wrong(self):
        text = self.folder / "text.csv"
        text.write_text("no numbers\n", encoding="utf-8")
        for path in (self.folder / "nowhere.csv", text, FOURBAR):
            self.check(WRONG, ["sense", FOURBAR, "--truth", path, "--out", self.out])
            self.check(WRONG, ["estimate", FOURBAR, "--release", "motor", "--measurements", path, "--out", self.out])
        self.check(WRONG, ["report", self.folder / "nowhere.csv", "--out", self.folder / "r.html"])
        self.check(WRONG, ["report", text, "--out", self.folder / "r.html"])
        self.make_readings()
        self.check(WRONG, ["estimate", FOURBAR, "--release", "motor", "--measurements", self.readings, "--truth", text, "--out", self.out])
        # A truth that does not tell the motion.
        self.check(DONE, ["kinematics", FOURBAR, "--until", "0.1", "--step", "0.1", "--outputs", "coupler.P3.x", "--out", self.truth])
        self.check(WRONG, ["sense", FOURBAR, "--truth", self.truth, "--out", self.out])

    def test_words_without_sense_are_wrong(self):
        self.make_readings()
        for name, words in self.commands().items():
            for setting in ("crank", "no_such=1", "crank=1 kg", "crank=", "crank=abc"):
                self.check(WRONG, [*words, "--set", setting])
            if name in ("kinematics", "simulate", "inverse", "equilibrium", "estimate"):
                self.check(WRONG, [*words, "--outputs", "no.such"])
                self.check(WRONG, [*words, "--outputs", "A.q,,B.q"])
                self.check(WRONG, [*words, "--header", "three rows"])
            if name in ("simulate", "equilibrium", "modes", "sense", "estimate", "report"):
                self.check(WRONG, [*words, "--release", "nobody"])
            if name in ("kinematics", "simulate", "inverse", "equilibrium", "modes", "estimate", "report"):
                self.check(WRONG, [*words, "--branch=nowhere"])
        commands = self.commands()
        for name, option, value in (
                ("kinematics", "--method", "magic"), ("kinematics", "--every", "-1"), ("inverse", "--actuators", "nobody"),
                ("inverse", "--coordinates", "polar"), ("simulate", "--integrator", "euler"), ("simulate", "--step", "1 ms"),
                ("simulate", "--rtol", "2"), ("simulate", "--every", "1 kg"), ("equilibrium", "--solutions", "none"),
                ("equilibrium", "--time", "-1"), ("modes", "--at", "once"), ("modes", "--inputs", "A.q"), ("sense", "--seed", "x"),
                ("sense", "--sensors", "nobody"), ("sense", "--every", "0"), ("estimate", "--filter", "magic"),
                ("estimate", "--step", "0"), ("estimate", "--unknown", "mass:nobody"), ("estimate", "--sensors", "nobody"),
                ("report", "--size", "5x5"), ("report", "--view", "sky")):
            self.check(WRONG, [*commands[name], option, value])
        self.check(WRONG, [*commands["estimate"], "--filter", "particle", "--particles", "0"])
        self.check(WRONG, [*commands["modes"], "--inputs", "nobody", "--out", self.folder / "linear.npz"])

    def test_a_file_that_cannot_be_created_is_a_wrong_word(self):
        nowhere = self.folder / "no" / "out.csv"
        self.make_readings()
        for name, words in self.commands(out=nowhere).items():
            if name not in ("info", "modes", "report"):
                self.check(WRONG, words)
        commands = self.commands()
        for name in ("info", "kinematics", "simulate", "inverse", "estimate"):
            self.check(WRONG, [*commands[name], "--report", self.folder / "no" / "report.html"])
        self.check(WRONG, ["report", FOURBAR, "--out", self.folder / "no" / "report.html"])
        self.check(WRONG, ["report", FOURBAR, "--svg", self.folder / "no" / "drawing.svg"])
        self.check(WRONG, ["info", FOURBAR, "--graph", self.folder / "no" / "graph.svg"])
        self.check(WRONG, [*commands["modes"], "--out", self.folder / "no" / "linear.npz"])
        self.check(WRONG, [*commands["simulate"], "--reactions", self.folder / "no" / "reactions.csv"])
        self.check(WRONG, [*commands["simulate"], "--events", self.folder / "no" / "events.csv"])
        self.check(WRONG, ["bench", "kinematics", "--dyads", "1", "--axles", "1", "--out", nowhere])

    def test_what_the_mechanism_cannot_do_is_no_wrong_word(self):
        torn = self.write(TORN)
        self.readings.write_text("t_ns,gyro\nns,rad/s\n0,0\n10000000,0\n", encoding="utf-8")
        for name, words in self.commands(torn).items():
            if name not in ("info", "report"):  # which show such a mechanism
                self.check(NOT_DONE, words)
        # A mechanism without the drivers, and one without the sensors, that a command needs.
        bare = self.write("mechanism: bare\nplane: xy\nground: {points: {A: [0, 0]}}\n"
                          "bodies: {crank: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {A: [0, 0]}}}\n"
                          "joints: {A: {revolute: [ground.A, crank.A]}}\n")
        for name in ("kinematics", "inverse", "sense", "estimate"):
            self.check(NOT_DONE, self.commands(bare)[name])

    def test_a_motion_that_ends_early_is_not_done(self):
        for name in ("kinematics", "inverse"):
            done = call(name, FOURBAR, "--set", "crank=300 mm", "--until", "4", "--step", "0.05", "--out", self.out)
            self.assertEqual(done.returncode, NOT_DONE, done.stderr)

    def test_a_full_disk_is_not_done(self):
        for name, words in self.commands(out="-").items():
            if name in ("kinematics", "simulate", "inverse", "sense"):
                with open("/dev/full", "wb") as full:
                    done = subprocess.run([PROGRAM, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True,
                                          timeout=60, check=False)
                self.assertEqual(done.returncode, NOT_DONE, f"{words}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
