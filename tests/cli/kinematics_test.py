"""`eslabon kinematics`: the results, the summary, and runs that end early."""

import json
import math
import re
import subprocess
import sys
import unittest

from model_texts import FIVE_BAR, MOTOR, PARALLELOGRAM, SPATIAL_FOUR_BAR, testbed
from program import MODELS, PROGRAM, SOURCE, InFolder, call, info


class Kinematics(InFolder):
    def test_testbed_turns_as_its_driver_says(self):
        done = self.move(MODELS / "fourbar-testbed.yaml", until="3.4542", step="0.01")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        units, values = self.columns()
        self.assertEqual(units, {"t": "s", "crank.angle": "rad", "coupler.P3.x": "m", "coupler.P3.y": "m",
                                 "energy": "J", "constraint_error": "m"})
        self.assertEqual(values["t"], [k / 100 for k in range(346)] + [3.4542])
        for t, angle, error in zip(values["t"], values["crank.angle"], values["constraint_error"]):
            self.assertAlmostEqual(angle, math.pi / 2 + 1.8190 * t, delta=1e-12)  # unwrapped
            self.assertLess(error, 1e-10 * 0.8)
        for word in ("groups, picked because every structural group has a solver of its own",
                     "2 groups, in closed form 1 × driven link, 1 × dyad RRR", "347 rows", "µs per position", "crank.angle", str(self.out)):
            self.assertIn(word, done.stdout)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.csv"])

    def test_rows_every_so_often_while_steps_are_shorter(self):
        positions = {}
        for command in ("kinematics", "inverse"):
            for words in (("--step", "0.1"), ("--step", "1 ms", "--every", "0.1"), ("--step", "0.1", "--every", "30 ms")):
                done = call(command, MODELS / "fourbar-testbed.yaml", "--until", "1", *words, "--outputs", "coupler.P3.x", "--out", self.out,
                            "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                result, (_, values) = json.loads(done.stdout), self.columns()
                self.assertEqual(result["rows"], len(values["t"]))
                positions[words] = result["positions"]
                if words[-1] == "30 ms":
                    self.assertEqual(values["t"], [3 * k / 100 for k in range(34)] + [1.0])
                else:
                    self.assertEqual(values["t"], [k / 10 for k in range(11)])
            self.assertGreaterEqual(positions["--step", "1 ms", "--every", "0.1"], 1000)
            self.assertLess(positions["--step", "0.1"], 1000)

    def test_example_of_the_documents_is_what_is_printed(self):
        document = (SOURCE / "docs/command-line.md").read_text(encoding="utf-8")
        command, expected = re.search(r"^\$ eslabon (kinematics models/rssr.*?)\n(.*?)^```", document, re.M | re.S).groups()
        (self.folder / "models").symlink_to(MODELS)
        done = subprocess.run([PROGRAM, *command.split()], capture_output=True, text=True, cwd=self.folder, check=False)
        roundoff_and_clock = re.compile(r"^(Residual|Time taken) .*\n", re.M)
        self.assertEqual(roundoff_and_clock.sub("", done.stdout + done.stderr), roundoff_and_clock.sub("", expected))

    def test_every_kind_of_coordinates_and_method_gives_the_same_motion(self):
        models = {"fourbar-testbed": "crank.angle,coupler.P3.ax,rocker.rate,B.a", "rssr": "G.q,G.v,G.a,rocker.wx,coupler.B.az",
                  "double-wishbone": "upright.contact.y,upright.e1,upper_hinge.a,spring.rate"}
        for model, outputs in models.items():
            reference = None
            ways = [("--method", method, "--coordinates", coordinates) for method in ("global", "sparse")
                    for coordinates in ("natural", "reference-point", "relative")]
            for way in [*ways, ("--method", "groups"), ("--method", "groups-tensor"), ("--method", "auto"), ()]:
                done = self.move(MODELS / f"{model}.yaml", *way, "--outputs", outputs)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                if "auto" not in way and way:
                    self.assertIn(f"Method       {way[1]}\n", done.stdout)
                    self.assertIn(way[-1], done.stdout)
                _, values = self.columns()
                del values["constraint_error"]
                reference = reference or values
                self.assertEqual(list(values), list(reference))
                for name, column in values.items():
                    scale = max(1.0, *map(abs, reference[name]))
                    for value, expected in zip(column, reference[name]):
                        self.assertAlmostEqual(value, expected, delta=1e-10 * scale, msg=f"{model} {name} {way}")

    def test_coordinates_that_are_asked_for_are_used(self):
        done = self.move(MODELS / "fourbar-testbed.yaml", "--coordinates", "relative")
        self.assertIn("sparse, picked because --coordinates asks for coordinates\n", done.stdout)
        self.assertIn("relative: 3 coordinates", done.stdout)

    def test_last_step_is_as_short_as_it_must_be(self):
        for until, step, times in (("0.25", "100 ms", [0, 0.1, 0.2, 0.25]), ("0.5 s", "7", [0, 0.5]),
                                   ("0.3", "0.1", [0, 0.1, 0.2, 0.3])):
            self.assertEqual(self.move(MODELS / "fourbar-testbed.yaml", until=until, step=step).returncode, 0)
            self.assertEqual(self.columns()[1]["t"], times)

    def test_results_can_go_to_stdout_and_the_summary_to_stderr(self):
        self.move(MODELS / "fourbar-testbed.yaml")
        done = call("kinematics", MODELS / "fourbar-testbed.yaml", "--until", 1, "--step", 0.1, "--out", "-")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, self.out.read_text(encoding="utf-8"))
        self.assertIn("11 positions", done.stderr)

    def test_angles_start_where_the_driver_starts(self):
        model = self.write(testbed(MOTOR, "motor: {joint: A, speed: 1.8190 rad/s, start: 450 deg}"))
        self.assertEqual(self.move(model, "--outputs", "A.q").returncode, 0)
        _, values = self.columns()
        for t, angle in zip(values["t"], values["A.q"]):
            self.assertAlmostEqual(angle, 2.5 * math.pi + 1.8190 * t, delta=1e-12)

    def test_angle_of_a_spring_in_a_joint_goes_on_beyond_half_a_turn(self):
        model = self.write(testbed("sensors:", "springs: {coil: {joint: A, stiffness: 2 N*m/rad, free_angle: 0 rad}}\n\nsensors:"))
        self.assertEqual(self.move(model, "--outputs", "coil.length", until="4").returncode, 0)
        _, with_spring = self.columns()
        self.move(MODELS / "fourbar-testbed.yaml", until="4")
        _, without = self.columns()
        for angle, energy, other in zip(with_spring["coil.length"], with_spring["energy"], without["energy"]):
            self.assertAlmostEqual(energy - other, angle**2, delta=1e-10)
        self.assertAlmostEqual(with_spring["coil.length"][-1], math.pi / 2 + 1.8190 * 4, delta=1e-11)

    def test_turns_are_counted_between_rows_too(self):
        words = MODELS / "fourbar-testbed.yaml", "--outputs", "A.q,P1.q,B.q"
        self.move(*words, until="100", step="0.05")
        _, fine = self.columns()
        self.move(*words, until="100", step="10")  # almost three turns of the crank
        _, coarse = self.columns()
        self.assertEqual(len(coarse["t"]), 11)
        for name in ("A.q", "P1.q", "B.q"):
            for value, expected in zip(coarse[name], fine[name][::200]):
                self.assertAlmostEqual(value, expected, delta=1e-8)

    def test_forces_of_the_file_are_left_out_and_said(self):
        done = self.move(MODELS / "double-wishbone.yaml")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "eslabon: left out: spring.force, lift.effort: kinematics computes no forces.\n")
        self.assertNotIn("spring.force", self.columns()[0])

    def test_without_outputs_every_joint_coordinate_is_written(self):
        done = self.move(self.write(testbed("outputs: [crank.angle, coupler.P3.x, coupler.P3.y]", "")))
        self.assertIn("every joint coordinate is written", done.stdout)
        self.assertEqual(list(self.columns()[0]), ["t", "A.q", "P1.q", "P2.q", "B.q", "energy", "constraint_error"])

    def test_rows_that_repeat_others_are_counted(self):
        done = self.move(self.write(SPATIAL_FOUR_BAR), "--method", "sparse")
        self.assertEqual(done.returncode, 0)
        self.assertIn("3 of which repeat others", done.stdout)

    def test_idle_spin_is_held_and_said(self):
        done = self.move(MODELS / "rssr.yaml")
        self.assertIn("Held         spin of coupler", done.stdout)

    def test_rocker_cannot_be_driven_beyond_its_limit(self):
        model = self.write(testbed(MOTOR, "motor: {joint: B, speed: 0.5 rad/s}"))
        done = self.move(model, "--outputs", "B.q", until="8", step="0.01")
        self.assertEqual(done.returncode, 1)
        # Dead centre with crank and coupler folded onto one line from A to P2; the rocker's angle by cosines.
        limit = math.pi - math.acos((0.8**2 + 0.455**2 - (0.54 - 0.12)**2) / (2 * 0.8 * 0.455))
        self.assertIn(f"[{model}, driver 'motor', joint '", done.stderr)
        self.assertAlmostEqual(float(re.search(r"B\.q = ([\d.]+) rad", done.stderr)[1]), limit, delta=1e-7)
        self.assertIn(" s of 8 s, ", done.stdout)
        _, values = self.columns()
        self.assertEqual(values["t"], [k / 100 for k in range(len(values["t"]))])
        self.assertLess(limit - values["B.q"][-1], 0.5 * 0.01 + 1e-9)
        self.assertLess(values["B.q"][-1], limit)

    def test_every_command_blames_the_driver_that_is_at_its_limit(self):
        model = self.write(FIVE_BAR)
        blamed = {}
        for command in (("kinematics", "--step", "0.01"), ("inverse", "--step", "0.01"), ("simulate",), ("sense",),
                        ("simulate", "--formulation", "null-space"), ("simulate", "--formulation", "augmented-lagrangian")):
            done = call(command[0], model, "--until", "5", "--out", self.out, *command[1:])
            self.assertEqual(done.returncode, 1, done.stderr)
            found = re.search(r"\[.*, (driver '.*', joint '.*')\].* (driver '.*' cannot go beyond t = [\d.]+ s, A.q = [\d.]+ rad)", done.stderr)
            self.assertIsNotNone(found, done.stderr)
            blamed[command] = found.groups()
        self.assertEqual(len(set(blamed.values())), 1, blamed)
        # Both distal bars in one line: the tips of the cranks are 1.6 apart.
        t = float(re.search(r"t = ([\d.]+) s", blamed[("sense",)][1])[1])
        left, right = 1.57 + t, 1.57 - 2 * t
        apart = math.hypot(1 + 0.5 * (math.cos(right) - math.cos(left)), 0.5 * (math.sin(right) - math.sin(left)))
        self.assertAlmostEqual(apart, 1.6, delta=1e-8)

    def test_every_command_blames_the_driver_that_jumps(self):
        model = self.write(FIVE_BAR.replace("= 1.57 + t", "= 1.57 + 0.1*abs(t - 0.2103)/(t - 0.2103)"))
        for command in (("kinematics", "--step", "0.01"), ("simulate",), ("sense",)):
            done = call(command[0], model, "--until", "0.4", "--out", self.out, *command[1:])
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"\[.*, driver 'left'\].* got the function of driver 'left' jumps at t = 0\.2103")

    def test_meeting_branches_are_passed_straight_on_and_noted(self):
        done = self.move(self.write(PARALLELOGRAM), until="6", step="0.05")
        self.assertEqual(done.returncode, 0)
        notes = done.stderr.splitlines()
        self.assertEqual(len(notes), 2)
        for note, t in zip(notes, (2.09439, 5.23598)):
            self.assertIn(f"eslabon: note: branches meet at t = {t}", note)
        _, values = self.columns()
        for a, b in zip(values["A.q"], values["B.q"]):
            self.assertAlmostEqual(a, b, delta=1e-8)  # still a parallelogram

    def test_driver_that_loses_its_value_keeps_the_rows_before(self):
        model = self.write(testbed(MOTOR, "motor: {joint: A, position: '= 90 deg + 1 rad*(1 - t/(1 s))^1.5'}"))
        done = self.move(model, until="2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("driver 'motor'", done.stderr)
        self.assertIn("Results up to there are kept.", done.stderr)
        self.assertEqual(self.columns()[1]["t"][-1], 0.9)

    def test_branches_are_listed_and_chosen(self):
        names = info(MODELS / "fourbar-testbed.yaml", "--branches")["branches"]
        self.assertEqual(sorted(names), ["+", "-"])
        ends = []
        for name in names:
            out = self.folder / f"branch{len(ends)}.csv"
            done = call("kinematics", MODELS / "fourbar-testbed.yaml", "--until", "1", "--step", "0.5", f"--branch={name}",
                        "--outputs", "rocker.angle", "--out", out)
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"'{name}', that of the start position", done.stdout)
            ends.append(float(out.read_text().splitlines()[2].split(",")[1]))
        # Rocker above and below the line from the crank's pin to its pivot, from the law of cosines at 90 deg.
        line, angle = math.hypot(0.8, 0.12), math.atan2(0.12, -0.8)
        spread = math.acos((0.455**2 + line**2 - 0.54**2) / (2 * 0.455 * line))
        self.assertAlmostEqual(ends[0], angle - spread, delta=1e-12)
        self.assertAlmostEqual(math.remainder(ends[1] - angle - spread, 2 * math.pi), 0, delta=1e-12)

    def test_branch_that_is_none_is_a_wrong_command_line(self):
        done = call("kinematics", MODELS / "fourbar-testbed.yaml", "--until", "1", "--step", "0.5", "--branch=x",
                    "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such branch [--branch]: expected one of those found, '-' or '+', got 'x'", done.stderr)

    def test_results_never_replace_the_model(self):
        model = self.folder / "model.yaml"
        model.write_text(testbed(), encoding="utf-8")
        done = call("kinematics", model, "--until", "1", "--step", "0.5", "--out", model)
        self.assertEqual(done.returncode, 2)
        self.assertIn("one file is both read and written [--out]: expected another file than that of MODEL", done.stderr)
        self.assertEqual(model.read_text(encoding="utf-8"), testbed())

    def coefficients(self, model, *words, **times):
        """Units and numbers of the coefficients; the results are in columns()."""
        results, self.out = self.out, self.folder / "coefficients.csv"
        done = call("kinematics", model, "--until", times.get("until", "1"), "--step", "0.1", "--out", results, "--coefficients",
                    self.out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.columns()
        self.out = results
        return found

    def test_velocity_coefficients_give_the_rates(self):
        for model, driven, body, rates in (
                (MODELS / "five-bar.yaml", ("A", "C"), "link_5", ("rate", "angular_acceleration")),
                (MODELS / "rssr.yaml", ("O",), "coupler", ("wx", "alphax"))):
            units, found = self.coefficients(model, "--outputs", ",".join(
                [f"{body}.{rates[0]}", f"{body}.{rates[1]}"] + [f"{joint}.{word}" for joint in driven for word in "va"]))
            self.assertEqual(units[f"{body}.{rates[0]}/{driven[0]}.q"], "1")
            motion = self.columns()[1]
            for k in range(len(motion["t"])):
                rate = sum(found[f"{body}.{rates[0]}/{z}.q"][k] * motion[f"{z}.v"][k] for z in driven)
                acceleration = sum(found[f"{body}.{rates[0]}/{z}.q"][k] * motion[f"{z}.a"][k] for z in driven)
                for i, first in enumerate(driven):
                    for second in driven[i:]:
                        both = motion[f"{first}.v"][k] * motion[f"{second}.v"][k] * (1 if first == second else 2)
                        acceleration += found[f"{body}.{rates[1]}/{first}.q/{second}.q"][k] * both
                self.assertAlmostEqual(rate, motion[f"{body}.{rates[0]}"][k], delta=1e-9)
                self.assertAlmostEqual(acceleration, motion[f"{body}.{rates[1]}"][k], delta=1e-7)

    def test_velocity_coefficients_are_derivatives_by_the_driven_variables(self):
        text = (MODELS / "five-bar.yaml").read_text(encoding="utf-8")
        h = 1e-5
        at = {}
        for d in (-h, 0.0, h):
            moved = re.sub(r"knee: .*", f"knee: {{joint: C, position: {-1.3 + d!r} rad}}", text)
            found = self.coefficients(self.write(moved), "--outputs", "link_5.angle", until="0")[1]
            at[d] = {**{name: column[0] for name, column in found.items()}, "angle": self.columns()[1]["link_5.angle"][0]}
        for name, slope in (("link_5.rate/C.q", "angle"), ("link_5.angular_acceleration/C.q/C.q", "link_5.rate/C.q"),
                            ("link_5.angular_acceleration/A.q/C.q", "link_5.rate/A.q"), ("link_4.ax/C.q/C.q", "link_4.vx/C.q")):
            self.assertAlmostEqual(at[0.0][name], (at[h][slope] - at[-h][slope]) / (2 * h), delta=1e-7, msg=name)

    def test_failures_leave_no_file(self):
        for model in ("fourbar-crank-rocker", "andrews-squeezer", "quarter-vehicle"):  # nobody drives them
            done = self.move(MODELS / f"{model}.yaml")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"the drivers do not move every degree of freedom [{MODELS / model}.yaml, joint '", done.stderr)
        done = self.move(MODELS / "fourbar-testbed.yaml", "--set", "crank=2 m")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"the mechanism cannot be assembled [{MODELS / 'fourbar-testbed.yaml'}, loop ", done.stderr)
        model = self.write(testbed(MOTOR, "motor: {joint: B, speed: 1 rad/s, start: = start}").replace(
            "parameters:", "parameters:\n  start: 140 deg"))
        self.assertEqual(self.move(model, until="0.01").returncode, 0)
        self.out.unlink()
        done = self.move(model, "--set", "start=200 deg")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("cannot be assembled where the driver starts", done.stderr)
        self.assertIn("driver 'motor'", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["model.yaml"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
