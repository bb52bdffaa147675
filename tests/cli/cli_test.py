"""The program as a user sees it: exit status, stdout, stderr. Called by CTest with the program and the source folder."""

import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
MODELS = SOURCE / "models"


def call(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60, check=False)


def info(model, *words):
    done = call("info", model, "--json", *words)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def testbed(old="", new=""):
    """The text of the testbed's file with something replaced."""
    text = (MODELS / "fourbar-testbed.yaml").read_text(encoding="utf-8")
    if old not in text:
        raise AssertionError(f"the testbed has no '{old}'")
    return text.replace(old, new)


MOTOR = "motor: {joint: A, speed: 1.8190 rad/s}"
SPATIAL_FOUR_BAR = """
mechanism: planar four-bar in space
ground: {points: {A: [0, 0, 0], B: [0.8, 0, 0]}}
bodies:
  crank:   {mass: 1, shape: {bar: [A, P1]},  points: {A: [0, 0, 0], P1: [0.12, 0, 0]}}
  coupler: {mass: 1, shape: {bar: [P1, P2]}, points: {P1: [0, 0, 0], P2: [0.54, 0, 0]}}
  rocker:  {mass: 1, shape: {bar: [B, P2]},  points: {B: [0, 0, 0], P2: [0.455, 0, 0]}}
joints:
  A:  {revolute: [ground.A, crank.A], axis: [0, 0, 1]}
  P1: {revolute: [crank.P1, coupler.P1], axis: [0, 0, 1]}
  P2: {revolute: [coupler.P2, rocker.P2], axis: [0, 0, 1]}
  B:  {revolute: [ground.B, rocker.B], axis: [0, 0, 1]}
drivers: {motor: {joint: A, speed: 1.8190 rad/s}}
assembly: {crank.rotation: [0, 0, 90 deg], coupler.rotation: [0, 0, 23.75 deg], rocker.rotation: [0, 0, 132 deg]}
outputs: [A.q, B.q]
"""
PARALLELOGRAM = """
mechanism: parallelogram
plane: xy
ground: {points: {A: [0, 0], B: [0.4, 0]}}
bodies:
  crank:   {points: {A: [0, 0], P: [0.1, 0]}}
  coupler: {points: {P: [0, 0], Q: [0.4, 0]}}
  rocker:  {points: {B: [0, 0], Q: [0.1, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P: {revolute: [crank.P, coupler.P]}
  Q: {revolute: [coupler.Q, rocker.Q]}
  B: {revolute: [ground.B, rocker.B]}
drivers: {motor: {joint: A, speed: 1 rad/s}}
assembly: {crank.angle: 60 deg, coupler.angle: 0 deg, rocker.angle: 60 deg}
"""
SHAKY = """
mechanism: two bars in a line
plane: xy
ground: {points: {A: [0, 0], B: [1, 0]}}
bodies: {one: {points: {A: [0, 0], P: [0.5, 0]}}, two: {points: {P: [0, 0], B: [0.5, 0]}}}
joints: {A: {revolute: [ground.A, one.A]}, P: {revolute: [one.P, two.P]}, B: {revolute: [two.B, ground.B]}}
assembly: {one.angle: 0 deg, two.angle: 0 deg}
"""


HELD = """
mechanism: a truss, and a driver of one of its angles
plane: xy
ground: {points: {A: [0, 0], B: [1, 0]}}
bodies:
  one: {points: {A: [0, 0], P: [0.8, 0]}}
  two: {points: {P: [0, 0], B: [0.8, 0]}}
  arm: {points: {A: [0, 0], T: [0.3, 0]}}
joints:
  A: {revolute: [ground.A, one.A]}
  P: {revolute: [one.P, two.P]}
  B: {revolute: [two.B, ground.B]}
  C: {revolute: [ground.A, arm.A]}
drivers: {motor: {joint: A, speed: 1 rad/s}}
assembly: {one.angle: 50 deg, two.angle: -50 deg}
"""


class InFolder(unittest.TestCase):
    """A test with a folder of its own for the files it writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out.csv"

    def write(self, text):
        path = self.folder / "model.yaml"
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


def group_types(data):
    return [group["type"] for group in data["groups"]]


class Info(unittest.TestCase):
    def test_testbed_is_a_crank_rocker_of_1R_and_3R(self):
        data = info(MODELS / "fourbar-testbed.yaml")
        self.assertEqual(data["mobility"]["gruebler"], 1)
        self.assertEqual((data["bodies"], data["joints"], data["loops"]), (3, 4, 1))
        self.assertEqual(group_types(data), ["1R", "3R"])
        self.assertEqual(data["grashof"]["class"], "crank-rocker")
        self.assertEqual(data["inputs"], [{"name": "A.q", "origin": "driver", "driver": "motor"}])

    def test_truck_has_the_groups_of_the_seed(self):
        data = info("family:truck-suspension,axles=5")
        self.assertEqual(data["bodies_with_ground"], 61)
        self.assertEqual(data["mobility"]["gruebler"], 10)
        types = group_types(data)
        self.assertEqual({t: types.count(t) for t in set(types)}, {"2C3E1R": 5, "1C1E1R": 10, "1C1E1P": 10})

    def test_five_bar_with_an_input_between_moving_links(self):
        data = info(MODELS / "five-bar.yaml")
        self.assertEqual(data["mobility"]["gruebler"], 2)
        self.assertEqual(group_types(data), ["1R", "4R"])
        self.assertEqual(len(data["groups"][1]["inputs"]), 1)

    def test_every_key_of_the_contract_is_there(self):
        for model in sorted(MODELS.glob("*.yaml")):
            data = info(model)
            for key in ("name planar bodies joints loops inputs mobility groups redundant idle grashof").split():
                self.assertIn(key, data, model.name)
            self.assertEqual(set(data["mobility"]), {"gruebler", "rank"})

    def test_mobility_by_rank_sees_what_counting_cannot(self):
        for model, gruebler, rank in (("quarter-vehicle", -1, 2), ("rssr", 2, 2), ("double-wishbone", 2, 2),
                                      ("andrews-squeezer", 1, 1), ("five-bar", 2, 2)):
            data = info(MODELS / f"{model}.yaml")
            self.assertEqual(data["mobility"], {"gruebler": gruebler, "rank": rank}, model)
            self.assertTrue(data["assembly"]["closed"])
            self.assertLess(data["assembly"]["residual"], 1e-10)
            self.assertEqual(data["drivers"], {"message": None})

    def test_redundant_rows_of_the_quarter_vehicle_are_named(self):
        data = info(MODELS / "quarter-vehicle.yaml")
        self.assertEqual([row["direction"] for row in data["redundant"]],
                         ["translation along z", "rotation about x", "rotation about y"])
        for row in data["redundant"]:
            self.assertEqual((row["joint"], row["repeats"]), ("C", ["A", "B", "D"]))
        self.assertEqual(data["redundant_here"], [])
        page = call("info", MODELS / "quarter-vehicle.yaml").stdout
        self.assertIn("Mobility     2   by rank; by Grübler −1: 6 (6 − 7) + 5\n", page)
        self.assertIn("Redundant    3 rows: joint C: translation along z, rotation about x and y repeat A, B, D\n", page)

    def test_idle_spin_of_the_rssr_counts_in_both_mobilities(self):
        data = info(MODELS / "rssr.yaml")
        self.assertEqual(data["idle"], [{"body": "coupler", "direction": "rotation about the line from coupler.A to coupler.B"}])
        self.assertEqual(data["redundant"], [])

    def test_what_cannot_be_assembled_is_said_and_the_rest_is_still_there(self):
        words = MODELS / "fourbar-testbed.yaml", "--set", "crank=2 m"
        data = info(*words)
        self.assertIsNone(data["mobility"]["rank"])
        self.assertFalse(data["assembly"]["closed"])
        self.assertIn("joint 'P2' stays open by", data["assembly"]["message"])
        done = call("info", *words)
        self.assertEqual(done.returncode, 0)
        self.assertIn("Assembly     the mechanism cannot be assembled", done.stdout)

    def test_large_mechanisms_are_counted_but_not_ranked(self):
        data = info("family:scalable-fourbar,dyads=1000")
        self.assertIsNone(data["mobility"]["rank"])
        self.assertEqual(data["assembly"], {"closed": None,
                                            "message": "not computed: 2000 rows of loops, more than 700"})
        self.assertEqual(info("family:scalable-fourbar,dyads=50")["mobility"]["rank"], 1)

    def test_page_is_plain_text_in_a_pipe(self):
        page = call("info", MODELS / "fourbar-testbed.yaml").stdout
        self.assertIn("dyad RRR", page)
        self.assertNotIn("\033", page)

    def test_long_tables_are_cut_unless_all_is_asked_for(self):
        short = call("info", "family:scalable-fourbar,dyads=200").stdout
        self.assertIn("more; --all shows them", short)
        self.assertNotIn("rocker_100", short)
        self.assertIn("rocker_100", call("info", "family:scalable-fourbar,dyads=200", "--all").stdout)

    def test_set_changes_a_parameter(self):
        data = info(MODELS / "fourbar-testbed.yaml", "--set", "crank=300 mm", "--set", "base=700 mm")
        self.assertAlmostEqual(data["grashof"]["lengths"]["input"], 0.3)
        self.assertAlmostEqual(data["grashof"]["lengths"]["ground"], 0.7)
        self.assertEqual(info("family:scalable-fourbar", "--set", "dyads=3")["bodies"], 7)


class StartPositions(InFolder):
    def test_planar_four_bar_in_space_has_three_redundant_rows(self):
        data = info(self.write(SPATIAL_FOUR_BAR))
        self.assertEqual(data["mobility"], {"gruebler": -2, "rank": 1})
        self.assertEqual(data["redundant"], [
            {"joint": "P2", "direction": direction, "repeats": ["A", "P1", "B"]}
            for direction in ("translation along z", "rotation about x", "rotation about y")])

    def test_flat_parallelogram_is_singular_at_the_start_only(self):
        model = self.write(PARALLELOGRAM.replace("60 deg", "0 deg"))
        data = info(model)
        self.assertEqual(data["mobility"]["rank"], 1)
        self.assertEqual((data["assembly"]["singular"], data["assembly"]["shaky"]), (True, False))
        self.assertEqual(data["redundant"], [])
        self.assertEqual([row["joint"] for row in data["redundant_here"]], ["Q"])
        self.assertIsNotNone(data["drivers"]["message"])
        page = call("info", model).stdout
        self.assertIn("Singular     at the start position it has 2 freedoms instead of 1\n", page)
        self.assertIn("Drivers      ", page)

    def test_driver_of_what_the_joints_hold_is_said(self):
        model = self.write(HELD)
        data = info(model)
        self.assertEqual(data["mobility"]["rank"], 1)
        self.assertIn("a driver prescribes what is held already [driver 'motor']", data["drivers"]["message"])
        self.assertIn("Drivers      a driver prescribes what is held already", call("info", model).stdout)
        done = self.move(model)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"a driver prescribes what is held already [{model}, driver 'motor']", done.stderr)

    def test_driver_that_starts_out_of_reach_is_said(self):
        model = self.write(testbed(MOTOR, "motor: {joint: B, speed: 1 rad/s, start: 200 deg}"))
        data = info(model)
        self.assertEqual(data["mobility"]["rank"], 1)
        self.assertIn("cannot be assembled where the driver starts [driver 'motor']", data["drivers"]["message"])

    def test_bars_in_a_line_are_shaky(self):
        model = self.write(SHAKY)
        data = info(model)
        self.assertEqual(data["mobility"]["rank"], 0)
        self.assertTrue(data["assembly"]["shaky"])
        self.assertIn("can move only infinitesimally", call("info", model).stdout)


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
        self.assertIn("the results would replace the model", done.stderr)
        self.assertEqual(model.read_text(encoding="utf-8"), testbed())

    def test_failures_leave_no_file(self):
        for model in ("fourbar-crank-rocker", "andrews-squeezer", "quarter-vehicle"):  # nobody drives them
            done = self.move(MODELS / f"{model}.yaml")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"the drivers do not move every freedom [{MODELS / model}.yaml, joint '", done.stderr)
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


class Simulate(InFolder):
    def simulate(self, model, *words, until="1"):
        return call("simulate", model, "--until", until, "--out", self.out, *words)

    def test_testbed_let_go_keeps_its_energy(self):
        done = self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "motor", "--every", "0.05", "--rtol", "1e-11",
                             "--atol", "1e-12", "--coordinates", "relative", until="5")
        self.assertEqual(done.returncode, 0, done.stderr)
        units, columns = self.columns()
        self.assertEqual(list(columns), ["t", "crank.angle", "coupler.P3.x", "coupler.P3.y", "energy", "constraint_error"])
        self.assertEqual(units["energy"], "J")
        self.assertEqual(columns["t"], [k / 20 for k in range(101)])
        self.assertAlmostEqual(columns["crank.angle"][0], math.pi / 2, delta=1e-12)
        energy = columns["energy"]
        self.assertLess(max(energy) - min(energy), 1e-8)
        self.assertGreater(max(columns["crank.angle"]), 2 * math.pi)  # a whole turn is counted on
        self.assertLess(max(columns["constraint_error"]), 1e-10)
        for fact in ("Formulation  null-space, relative", "Integrator   dopri5", "Released     motor", "drift", "real time"):
            self.assertIn(fact, done.stdout)

    def test_every_integrator_gives_the_same_motion(self):
        ends = []
        for words in (["rk4", "--step", "1 ms"], ["dopri5"], ["trapezoidal", "--step", "0.0005"],
                      ["generalized-alpha", "--step", "0.0005"], ["bdf", "--rtol", "1e-9"]):
            done = self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", "--every", "0.1",
                                 "--coordinates", "relative", "--integrator", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            ends.append(self.columns()[1]["crank.angle"])
            self.assertEqual(len(ends[-1]), 11)
        for angles in ends:
            for one, other in zip(angles, ends[1]):
                self.assertAlmostEqual(one, other, delta=2e-5)

    def test_rows_are_where_they_are_asked_for(self):
        self.assertEqual(self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", until="0.5").returncode, 0)
        self.assertEqual(len(self.columns()[1]["t"]), 1001)
        self.assertEqual(self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", "--integrator", "rk4",
                                       "--step", "0.03", until="0.1").returncode, 0)
        self.assertEqual(self.columns()[1]["t"], [0, 0.03, 0.06, 0.09, 0.1])

    def test_driven_mechanism_moves_as_in_kinematics(self):
        self.assertEqual(self.move(MODELS / "fourbar-testbed.yaml", "--outputs", "B.q,B.v,B.a").returncode, 0)
        _, expected = self.columns()
        for formulation in ("null-space", "multipliers"):
            done = self.simulate(MODELS / "fourbar-testbed.yaml", "--outputs", "B.q,B.v,B.a", "--every", "0.1",
                                 "--coordinates", "relative", "--formulation", formulation)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("B.q", "B.v", "B.a"):
                for one, other in zip(self.columns()[1][name], expected[name]):
                    self.assertAlmostEqual(one, other, delta=1e-7)

    def test_results_can_go_to_stdout(self):
        done = call("simulate", MODELS / "fourbar-testbed.yaml", "--until", "0.1", "--release", "all", "--out", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("t,crank.angle"))
        self.assertIn("Integrator", done.stderr)

    def test_forces_are_written(self):
        # A bar that hangs still: its pin carries its weight; driven, the motor holds what gravity asks for.
        model = self.write("mechanism: bar\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}}\n"
                           "bodies: {bar: {mass: 3, shape: {bar: [A, B]}, points: {A: [0, 0], B: [2, 0]}}}\n"
                           "joints: {O: {revolute: [ground.O, bar.A]}}\n"
                           "drivers: {motor: {joint: O, position: 0}}\noutputs: [O.fx, O.fy, O.mz, motor.effort]\n")
        done = self.simulate(model, until="0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, values = self.columns()
        for name, expected in (("O.fx", 0), ("O.fy", 30), ("O.mz", 0), ("motor.effort", 30)):
            for value in values[name]:
                self.assertAlmostEqual(value, expected, delta=1e-9, msg=name)

    def test_reactions_that_are_not_unique_are_said_to_be(self):
        done = self.simulate(self.write(SPATIAL_FOUR_BAR), "--release", "all", "--outputs", "A.fz,A.q", until="0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("reactions of A are not unique", done.stderr)

    def test_forces_of_the_file_are_in_the_results(self):
        done = self.simulate(MODELS / "quarter-vehicle.yaml", until="0.01")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("spring.force", self.columns()[0])

    def test_failed_run_keeps_its_rows(self):
        model = self.write(testbed("outputs:", "forces: {push: {joint: A, torque: = 1 N*m*sqrt(0.5 - t/1 s)}}\noutputs:"))
        for integrator in (["rk4", "--step", "0.01"], ["trapezoidal", "--step", "0.01"], ["dopri5"], ["bdf"]):
            done = self.simulate(model, "--release", "all", "--every", "0.01", "--integrator", *integrator)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "the run ends before its time: .*body 'crank', t = 0.5.*Results up to there are kept")
            for values in self.columns()[1].values():
                self.assertTrue(all(math.isfinite(value) for value in values))
                self.assertGreaterEqual(len(values), 49)

    def test_wrong_words_are_said(self):
        testbed_model = MODELS / "fourbar-testbed.yaml"
        for words, message in (
                (["--integrator", "euler"], "unknown integrator [--integrator]"),
                (["--formulation", "newton"], "unknown formulation [--formulation]"),
                (["--coordinates", "polar"], "unknown coordinates [--coordinates]"),
                (["--step", "0.1"], "finds its own steps [--step]"),
                (["--integrator", "rk4"], "needs a step [--step]"),
                (["--integrator", "rk4", "--step", "0"], "too short [--step]"),
                (["--integrator", "rk4", "--step", "0.1", "--rtol", "1e-3"], "has no tolerances [--rtol]"),
                (["--rtol", "0"], "this is no tolerance [--rtol]"),
                (["--rtol", "nan"], "this is no tolerance [--rtol]"),
                (["--atol", "-1"], "this is no tolerance [--atol]"),
                (["--every", "soon"], "[--every]"),
                (["--branch=?"], "no such branch")):
            done = self.simulate(testbed_model, *words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(self.out.exists())
        done = self.simulate(testbed_model, "--release", "engine")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'engine'", done.stderr)


class Drawings(unittest.TestCase):
    def test_svg_is_well_formed_and_names_every_body(self):
        with tempfile.TemporaryDirectory() as folder:
            graph, diagram = (os.path.join(folder, name) for name in ("graph.svg", "diagram.svg"))
            done = call("info", MODELS / "fourbar-testbed.yaml", "--graph", graph, "--diagram", diagram)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = "".join(xml.etree.ElementTree.parse(graph).getroot().itertext())
            for word in ("ground", "crank", "coupler", "rocker", "3R"):
                self.assertIn(word, text)
            self.assertIn("(2, 0)", "".join(xml.etree.ElementTree.parse(diagram).getroot().itertext()))

    def test_dot_has_a_line_for_each_freedom(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.dot")
            call("info", MODELS / "rssr.yaml", "--graph", path)
            text = pathlib.Path(path).read_text(encoding="utf-8")
            self.assertEqual(text.count(" -- "), 1 + 3 + 3 + 1)
            self.assertEqual(text.count("penwidth=4"), 1)

    def test_other_endings_and_folders_that_are_not_there_are_errors(self):
        done = call("info", MODELS / "rssr.yaml", "--graph", "graph.png")
        self.assertIn("expected a file name that ends in .svg or .dot", done.stderr)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(call("info", MODELS / "rssr.yaml", "--graph", "/nowhere/graph.svg").returncode, 1)


class Bench(InFolder):
    def test_table_of_kinematics_is_printed_and_written(self):
        done = call("bench", "kinematics", "--dyads", "1,20", "--axles", "1", "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("I global", "II groups", "III groups-tensor", "IV sparse", "136.268", "Where the time goes"):
            self.assertIn(word, done.stdout)
        names, units, *rows = [line.split(",") for line in self.out.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len(names), len(units))
        self.assertEqual(len(rows), 2 * 4 + 4)
        for row in rows:
            values = dict(zip(names, row, strict=True))
            self.assertGreater(float(values["solution"]), 0)
            if values["mechanism"] == "truck-suspension":
                self.assertAlmostEqual(float(values["run"]), 400 * float(values["solution"]), delta=1e-3)
                continue
            shares = [float(values[part]) for part in ("jacobian", "residual", "solve", "K_and_L", "other")]
            self.assertAlmostEqual(sum(shares), 1, delta=1e-3)
            self.assertTrue(all(share >= 0 for share in shares))
            is_global = values["method"] in ("global", "sparse")
            self.assertEqual(shares[0] > 0, is_global)
            self.assertEqual(shares[3] > 0, values["method"] == "groups-tensor")


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

    def test_missing_file(self):
        self.check(["info", "nowhere.yaml"], 1, "the file does not exist [nowhere.yaml]. Check the name and the folder.")

    def test_setting_without_a_value(self):
        self.check(["info", MODELS / "rssr.yaml", "--set", "crank"], 1,
                   "a setting has no value [--set]: expected name=value, got 'crank'. "
                   "Write for example --set 'crank=130 mm'.")

    def kinematics(self, *words, until="1", step="0.1"):
        return ["kinematics", MODELS / "fourbar-testbed.yaml", "--until", until, "--step", step,
                *(words if "--out" in words else (*words, "--out", "/nowhere/x.csv"))]

    def test_times_that_are_none(self):
        advice = "Write it in seconds, or with a unit: {0} 0.5 or {0} '10 ms'."
        short = "is too short [{0}]: expected a positive time of at least 1 ns, got '{1}'. " + advice
        for text in ("0", "-0.1", "1e-10", "-5 ms"):
            self.check(self.kinematics(step=text), 2, "the time from row to row " + short.format("--step", text))
            self.check(self.kinematics(until=text), 2, "the time at the end " + short.format("--until", text))
        for text in ("abc", "nan", "inf", "", "-"):
            self.check(self.kinematics(until=text), 2, "the time at the end is not a number [--until]: "
                       f"expected a positive time in s, got '{text}'. " + advice.format("--until"))
        self.check(self.kinematics(until="1e300"), 2, "the time at the end is too long [--until]: "
                   "expected at most 9e9 s, got '1e300'. " + advice.format("--until"))
        self.check(self.kinematics(until="3 m"), 2, "time at the end has a unit of the wrong kind [--until]: expected "
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
        self.check(["bench"], 2, "a command is missing after 'eslabon bench': expected 'kinematics'. "
                   "'eslabon bench --help' shows what there is.")
        self.check(["bench", "kinematic"], 2, "unknown command 'kinematic', did you mean 'kinematics'? "
                   "'eslabon bench --help' lists the commands.")
        self.check(["bench", "kinematics", "--dyad", "3"], 2, "unknown option '--dyad', did you mean '--dyads'? "
                   "'eslabon bench kinematics --help' shows what there is.")
        self.check(["bench", "kinematics", "--dyads", "3,x"], 2, "a size is wrong [--dyads]: expected whole numbers "
                   "from 1 to 100000, with commas between them, got 'x'. Write for example --dyads 1,2,5.")
        self.check(["bench", "kinematics", "--dyads", "3,"], 2, "a word is missing [--dyads]: expected words with commas between "
                   "them, got '3,'. Write for example --dyads 1,2,5.")
        self.check(["bench", "kinematics", "more"], 2, "unexpected word 'more'. 'eslabon bench kinematics --help' shows what "
                   "there is.")
        self.check(["bench", "kinematics", "--out", "/nonexistent/x"], 1, "the file could not be written [--out]: "
                   "expected a file that can be created, got '/nonexistent/x'. "
                   "Check that the folder exists and may be written to.")

    def test_outputs_that_are_none(self):
        self.check(self.kinematics("--outputs", "crank.angel"), 1,
                   "no such variable [--outputs, output 'crank.angel']: expected 'angle', 'rate' or "
                   "'angular_acceleration' after 'crank.', got 'crank.angel'. Did you mean 'crank.angle'?")
        self.check(self.kinematics("--outputs", "A.q,motor.effort"), 1,
                   "kinematics computes no forces [--outputs]: expected positions, velocities and accelerations, "
                   "got 'motor.effort'. Leave it out; 'eslabon simulate' computes them.")
        for text in ("", "A.q,", "A.q,,B.q"):
            self.check(self.kinematics("--outputs", text), 2, "a word is missing [--outputs]: expected words with "
                       f"commas between them, got '{text}'. Write for example --outputs crank.angle,A.q.")

    def test_results_without_a_place(self):
        self.check(["kinematics", "x.yaml", "--until", "1", "--step", "1"], 2,
                   "--out is required. 'eslabon kinematics --help' shows what there is.")
        self.check(["kinematics", "x.yaml", "--until", "1", "--step", "1", "--otu", "x.csv"], 2,
                   "unknown option '--otu', did you mean '--out'? 'eslabon kinematics --help' shows what there is.")
        self.check(self.kinematics("--out", ""), 2, "the results have no place to go [--out]: expected the name of a "
                   "file, or - for the standard output, got ''. Write for example --out result.csv.")
        self.check(self.kinematics(), 1,
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
                "bodies: {wheel: {points: {C: [0, 0]}}}\njoints: {road: {rolling: [ground.O, wheel.C]}}\n",
                encoding="utf-8")
            done = call("info", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("'rolling' is not supported", done.stderr)

    def test_nothing_typed_shows_the_help(self):
        done = call()
        self.assertEqual(done.returncode, 2)
        self.assertIn("info", done.stderr)

    def test_version_and_help_succeed(self):
        self.assertEqual(call("--version").returncode, 0)
        self.assertIn("--diagram", call("info", "--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
