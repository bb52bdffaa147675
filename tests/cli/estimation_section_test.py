"""Section 'estimation' of mechanism files: the same estimate as by options, which go before it; kept by 'flatten'; mistakes are found by every command."""

import unittest

from program import MODELS, InFolder, call

PENDULUM = (MODELS / "fourbar-testbed.yaml").read_text(encoding="utf-8")
OPTIONS = {"step": "2 ms", "start-deviation": "2 deg", "start-rate-deviation": "3 deg/s", "velocity-noise": "0.2", "acceleration-noise": "0.1", "gate": "1e-4"}
UNKNOWN = ["mass:coupler,sigma=0.1", "bias:crank_encoder,sigma=1 deg,walk=0.1 deg"]


def as_section(settings, unknown):
    lines = [f"  {name}: {value}" for name, value in settings.items()] + [f"  unknown: {unknown}"] * bool(unknown)
    return PENDULUM + "estimation:\n" + "\n".join(lines) + "\n"


def as_words(settings, unknown):
    return [word for name, value in settings.items() for word in ("--" + name, value)] + [word for one in unknown for word in ("--unknown", one)]


class Section(InFolder):

    def setUp(self):
        super().setUp()
        self.readings = self.folder / "readings.csv"
        done = call("sense", MODELS / "fourbar-testbed.yaml", "--release", "motor", "--until", "0.2", "--out", self.readings)
        self.assertEqual(done.returncode, 0, done.stderr)

    def rows(self, text, *words):
        """Rows of an estimate, and its page."""
        done = call("estimate", self.write(text), "--release", "motor", "--measurements", self.readings, "--out", self.out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.out.read_text(encoding="utf-8"), done.stdout

    def test_says_what_options_say(self):
        by_file, page = self.rows(as_section(OPTIONS, UNKNOWN))
        by_options, other = self.rows(PENDULUM, *as_words(OPTIONS, UNKNOWN))
        self.assertEqual(by_file, by_options)
        self.assertIn("step, start-deviation, start-rate-deviation, velocity-noise", page)
        self.assertNotIn("Settings", other)
        for name, value in OPTIONS.items():  # each by itself changes something, but for the gate
            if name != "gate":
                self.assertNotEqual(self.rows(as_section({name: value}, []))[0], self.rows(PENDULUM)[0], name)

    def test_options_go_before_it(self):
        other = {**OPTIONS, "step": "1 ms", "velocity-noise": "1"}
        self.assertEqual(self.rows(as_section(OPTIONS, UNKNOWN), "--step", "1 ms", "--velocity-noise", "1")[0], self.rows(PENDULUM, *as_words(other, UNKNOWN))[0])
        # of the unknown ones that of the same name; those of the command line come first
        changed = ["mass:coupler,sigma=0.3", UNKNOWN[1]]
        self.assertEqual(self.rows(as_section(OPTIONS, UNKNOWN), "--unknown", changed[0])[0], self.rows(PENDULUM, *as_words(OPTIONS, changed))[0])

    def test_an_unknown_start_needs_no_deviation(self):
        done = call("estimate", self.write(as_section({"start-deviation": "2 deg", "step": "5 ms"}, [])), "--release", "motor", "--measurements", self.readings,
                    "--filter", "particle", "--particles", "50", "--start", "unknown", "--out", self.out)
        self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: so few particles may be lost
        self.assertNotIn("has no deviation", done.stderr)

    def test_is_kept_by_flatten(self):
        flat = call("flatten", self.write(as_section(OPTIONS, UNKNOWN)))
        self.assertEqual(flat.returncode, 0, flat.stderr)
        self.assertEqual(self.rows(flat.stdout)[0], self.rows(as_section(OPTIONS, UNKNOWN))[0])
        again = call("flatten", self.write(flat.stdout))
        self.assertEqual(again.stdout, flat.stdout)

    def test_a_study_takes_it_and_goes_before_it(self):
        study = "study: s\nmodel: model.yaml\nrelease: [motor]\ntruth: {until: 0.05 s}\nsensors: [crank_encoder]\n%stries: 1\nconverged: {crank.angle: 5 deg}\n"
        results = []
        for section, options in (({"step": "5 ms"}, ""), ({}, "options: {step: 5 ms}\n"), ({"step": "1 ms"}, "options: {step: 5 ms}\n")):
            text = as_section(section, []) if section else PENDULUM
            (self.folder / "model.yaml").write_text(text, encoding="utf-8")
            (self.folder / "study.yaml").write_text(study % options, encoding="utf-8")
            out = self.folder / f"out{len(results)}"
            done = call("study", self.folder / "study.yaml", "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            results.append((out / "results.csv").read_text(encoding="utf-8"))
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_mistakes(self):
        known = ("'step', 'start-deviation', 'start-rate-deviation', 'position-noise', 'velocity-noise', 'acceleration-noise', 'gate' or 'unknown'")
        line = PENDULUM.count("\n") + 1
        for written, place, sentence in (
                ("estimation: 3", f"{line}:13, estimation", "a description is not a map [%s]: expected keys with values, got '3'. "
                 "Write '{key: value}', or one 'key: value' per line, indented."),
                ("estimation: {velocity_noise: 0.1}", f"{line}:30, estimation, velocity_noise", f"unknown setting of the estimation [%s]: expected {known}, "
                 "got 'velocity_noise'. Did you mean 'velocity-noise'?"),
                ("estimation: {particles: 10}", f"{line}:25, estimation, particles", f"unknown setting of the estimation [%s]: expected {known}, got 'particles'. "
                 "What belongs to a filter or a run is an option of 'eslabon estimate'."),
                ("estimation: {velocity-noise: -1}", f"{line}:30, estimation, velocity-noise", "a deviation is negative [%s]: expected a number of at least 0, "
                 "got '-1'. Write it without the sign."),
                ("estimation: {step: 3 m}", f"{line}:20, estimation, step", "step has a unit of the wrong kind [%s]: expected a time such as '0.5 s', got '3 m', "
                 "a length. Write a time, or a bare number in s."),
                ("estimation: {step: [1 ms, 2 ms]}", f"{line}:20, estimation, step", "this setting has one value [%s]: expected a text or a number, got a list. "
                 "Write it without the brackets."),
                ("estimation: {unknown: ['mass:couper']}", f"{line}:23, estimation, unknown", "unknown body [%s]: expected 'crank', 'coupler' or 'rocker', got 'couper'. "
                 "Did you mean 'coupler'?")):
            model = self.write(PENDULUM + written + "\n")
            for command in (["info", model], ["flatten", model], ["simulate", model, "--release", "motor", "--until", "0.1", "--out", self.out]):
                done = call(*command)
                self.assertEqual((done.returncode, done.stdout), (2, ""), written)
                self.assertEqual(done.stderr, f"eslabon: {sentence % f'{model}:{place}'}\n")


if __name__ == "__main__":
    unittest.main(argv=["estimation_section_test"])
