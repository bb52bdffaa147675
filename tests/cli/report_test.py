"""`eslabon report` and --report: pages hold what the result files say."""

import csv
import math
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest
from xml.etree import ElementTree

from model_texts import testbed
from program import MODELS, PROGRAM, InFolder, call
from report_page import Elements, page_of, unpacked

TESTBED = MODELS / "fourbar-testbed.yaml"
HOSTILE = "</script><img src=x onerror=alert(1)>"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def table_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        names, units, *rows = csv.reader(file)
    return dict(zip(names, units)), {name: [row[k] for row in rows] for k, name in enumerate(names)}


def numbers_of(path):
    units, columns = table_of(path)
    return units, {name: [float(cell) for cell in cells] for name, cells in columns.items()}


def frame_at(motion, t):
    times = unpacked(motion["times"])
    frame = min(range(len(times)), key=lambda k: abs(times[k] - t))
    assert abs(times[frame] - t) < 1e-9, (t, times[frame])
    return frame


def place(page, motion, body, point, t):
    """Where a point of a body is: p + q p_B q*, from the pose of the page."""
    index = next(k for k, one in enumerate(page["mechanism"]["bodies"]) if one["name"] == body)
    at = next(one["at"] for one in page["mechanism"]["bodies"][index]["points"] if one["name"] == point)
    frame = frame_at(motion, t)
    x, y, z, w, *v = (unpacked(column)[frame] for column in motion["poses"][7 * (index - 1):7 * index])

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    once = cross(v, at)
    twice = cross(v, once)
    return [p + a + 2 * (w * o + s) for p, a, o, s in zip((x, y, z), at, once, twice)]


class WithPages(InFolder):
    def run_to_page(self, *words, status=0):
        path = self.folder / "page.html"
        path.unlink(missing_ok=True)
        option = "--out" if words[0] == "report" else "--report"
        self.done = call(*words, option, path)
        self.assertEqual(self.done.returncode, status, self.done.stderr)
        return page_of(path)

    def channel(self, recording, name):
        return next(one for one in recording["channels"] if one["name"] == name)

    def check_channels(self, recording, path):
        """Every column is there, to the precision of 32 bits."""
        units, columns = numbers_of(path)
        times = unpacked(recording["times"])
        for mine, theirs in zip(times, columns.pop("t"), strict=True):
            self.assertAlmostEqual(mine, theirs, delta=1e-9)
        for name, values in columns.items():
            if name.endswith(".sigma"):
                mine = self.channel(recording, name[:-6])["sigma"]
            else:
                channel = self.channel(recording, name)
                self.assertEqual(channel["unit"], "" if units[name] == "1" else units[name])
                mine = channel["values"]
            largest = max(map(abs, values))
            for a, b in zip(unpacked(mine), values, strict=True):
                self.assertAlmostEqual(a, b, delta=1e-7 * largest + 1e-30)


class Runs(WithPages):
    def check_testbed(self, page, path):
        self.check_channels(page["recordings"][0], path)
        motion = page["recordings"][0]["motion"]
        _, columns = numbers_of(path)
        for t in (0.0, 0.4, 1.0):
            row = columns["t"].index(t)
            found = place(page, motion, "coupler", "P3", t)
            # A position is rounded to range/131070, a quaternion to 1/65535 of ±1; a point is at most 0.4 m away.
            for axis, value in zip("xy", found):
                self.assertAlmostEqual(value, columns[f"coupler.P3.{axis}"][row], delta=5e-5)

    def test_kinematics(self):
        page = self.run_to_page("kinematics", TESTBED, "--until", "1", "--step", "0.1", "--out", self.out)
        self.check_testbed(page, self.out)
        self.assertIn("Report       ", self.done.stdout)
        self.assertEqual(page["title"], "four-bar testbed")
        self.assertRegex(page["subtitle"], r"kinematics by .*; 1 s")
        self.assertIn("Residual", [fact["label"] for fact in page["facts"]])

    def test_the_branch_is_that_of_the_run(self):
        for words in (("kinematics", TESTBED, "--step", "0.1"), ("simulate", TESTBED, "--every", "0.1"),
                      ("inverse", TESTBED, "--step", "0.1")):
            for branch, sign in (("+", "+"), ("-", "−")):
                page = self.run_to_page(*words, "--until", "0.2", "--out", self.out, "--branch=" + branch)
                self.assertIn(sign, page["structure"]["groups"][1]["branch"].replace("-", "−"))

    def test_kinematics_to_a_toggle_ends_with_a_page_that_says_so(self):
        model = self.write(testbed("crank: 120 mm", "crank: 400 mm"))
        page = self.run_to_page("kinematics", model, "--until", "5", "--step", "0.01", "--out", self.out, status=1)
        self.assertTrue(page["notes"][0].startswith("The run ended before its time: "), page["notes"])
        self.assertIn(page["notes"][0].split(": ", 1)[1].split(" [")[0], self.done.stderr)
        recording = page["recordings"][0]
        self.check_channels(recording, self.out)
        self.assertGreaterEqual(recording["marks"][-1]["t"], unpacked(recording["times"])[-1] - 0.01)

    def test_simulate_to_a_toggle_ends_with_a_page_that_says_so(self):
        model = self.write(testbed("crank: 120 mm", "crank: 400 mm"))
        page = self.run_to_page("simulate", model, "--until", "5", "--every", "0.01", "--out", self.out, status=1)
        self.assertTrue(page["notes"][0].startswith("The run ended before its time: "), page["notes"])
        self.check_channels(page["recordings"][0], self.out)
        self.assertIn("Motion", [fact["label"] for fact in page["facts"]])

    def test_simulate_with_reactions(self):
        page = self.run_to_page("simulate", TESTBED, "--release", "motor", "--until", "1", "--every", "0.1", "--out", self.out,
                                "--reactions", self.folder / "reactions.csv")
        self.check_testbed(page, self.out)
        recording = page["recordings"][0]
        _, forces = numbers_of(self.folder / "reactions.csv")
        arrows = {arrow["name"]: arrow for arrow in recording["arrows"] if arrow["kind"] == "reaction"}
        self.assertEqual(set(arrows), {"A", "P1", "P2", "B"})
        self.assertFalse(any(arrow["kind"] == "torque" for arrow in recording["arrows"]))  # hinges give none
        for name, arrow in arrows.items():
            for t in (0.0, 0.4, 1.0):
                frame, row = frame_at(recording["motion"], t), forces["t"].index(t)
                for axis, column in zip("xy", arrow["vector"]):
                    values = forces[f"{name}.f{axis}"]
                    reach = max(values) - min(values)
                    self.assertAlmostEqual(unpacked(column)[frame], values[row], delta=1e-4 * reach + 1e-6 * max(map(abs, values)))
        joint = page["mechanism"]["joints"][1]
        self.assertEqual(arrows["P1"]["place"]["body"], joint["ends"][1]["body"])
        self.assertEqual({fact["label"] for fact in page["facts"]} & {"Formulation", "Integrator", "Energy", "Constraints"},
                         {"Formulation", "Integrator", "Energy", "Constraints"})

    def test_reactions_of_a_long_run_are_computed_at_some_rows_and_interpolated(self):
        words = ("simulate", TESTBED, "--release", "motor", "--until", "1", "--every", "1 ms", "--out", self.out)
        page = self.run_to_page(*words)
        self.assertIn("Reactions and efforts of drivers are computed at every 4th row", " ".join(page["notes"]))
        sparse = {arrow["name"]: arrow for arrow in page["recordings"][0]["arrows"] if arrow["kind"] == "reaction"}
        page = self.run_to_page(*words, "--reactions", self.folder / "reactions.csv")
        self.assertNotIn("Reactions", " ".join(page["notes"]))
        for arrow in page["recordings"][0]["arrows"]:
            if arrow["kind"] != "reaction":
                continue
            for one, two in zip(arrow["vector"][:2], sparse[arrow["name"]]["vector"][:2], strict=True):
                told, between = unpacked(one), unpacked(two)
                self.assertEqual(len(told), 1001)
                reach = max(told) - min(told)
                for k, (a, b) in enumerate(zip(told, between, strict=True)):
                    self.assertAlmostEqual(a, b, delta=(1e-4 if k % 4 == 0 else 0.02) * reach, msg=(arrow["name"], k))

    def test_reactions_that_are_not_unique_are_drawn_with_a_note(self):
        words = (MODELS / "quarter-vehicle.yaml", "--until", "0.01", "--out", self.out)
        page = self.run_to_page("simulate", *words, "--every", "1 ms")
        self.assertIn("Forces of A, B, C, D are not unique", " ".join(page["notes"]))
        page = self.run_to_page("inverse", MODELS / "rssr.yaml", "--until", "0.01", "--step", "1 ms", "--out", self.out)
        self.assertNotIn("not unique", " ".join(page["notes"]))

    def forces_on(self, page, body, frame):
        """The sum of all force arrows of a body; what acts in a joint acts on its first body too, the other way."""
        mechanism = page["mechanism"]
        index = next(k for k, one in enumerate(mechanism["bodies"]) if one["name"] == body)
        joints = {one["name"]: one for one in mechanism["joints"]}
        joints |= {f"friction in {name}": joint for name, joint in joints.items()}
        for kind in ("drivers", "springs", "loads", "stops"):
            joints |= {one["name"]: mechanism["joints"][one["joint"]] for one in mechanism[kind] if "joint" in one}
        total, largest = [0.0] * 3, 0.0
        for arrow in page["recordings"][0]["arrows"]:
            if arrow["kind"] == "torque":
                continue
            vector = [unpacked(column)[frame] for column in arrow["vector"]]
            sign = 1 if arrow["place"]["body"] == index else 0
            if arrow["name"] in joints and joints[arrow["name"]]["ends"][0]["body"] == index:
                sign -= 1
            total = [a + sign * b for a, b in zip(total, vector)]
            largest = max(largest, math.hypot(*vector))
        return total, largest

    def test_all_forces_on_a_body_are_there(self):
        """They add up to its mass times its acceleration, which the result file tells."""
        for model, body, point, axes, words, names in (
                ("block-on-incline", "block", "P", "xy", ("--set", "slope=0.6"), {"friction in guide", "guide", "weight of block"}),
                ("bouncing-slider", "block", "P", "xy", (), {"floor", "weight of block"}),
                ("quarter-vehicle", "wheel", "W", "xyz", ("--set", "drop=30 mm"),
                 {"tyre_spring", "hub", "bead", "weight of wheel", "weight of tyre", "spring", "shock"}),
                ("slider-crank", "slider", "B", "xy", (), {"motor", "B", "guide", "weight of slider"})):
            outputs = ",".join(f"{body}.{point}.a{axis}" for axis in axes)
            page = self.run_to_page("simulate", MODELS / f"{model}.yaml", "--until", "2.5" if "slider" == model[-6:] else "0.2",
                                    "--every", "0.05" if "slider" == model[-6:] else "0.01", "--outputs", outputs, "--out", self.out, *words)
            self.assertLessEqual(names, {arrow["name"] for arrow in page["recordings"][0]["arrows"]})
            _, columns = numbers_of(self.out)
            mass = next(one["mass"] for one in page["mechanism"]["bodies"] if one["name"] == body)
            for frame in range(len(columns["t"])):
                total, largest = self.forces_on(page, body, frame)
                for k, axis in enumerate(axes):
                    self.assertAlmostEqual(total[k], mass * columns[f"{body}.{point}.a{axis}"][frame], delta=1e-3 * largest,
                                           msg=(model, frame, axis))

    def test_efforts_are_what_the_file_says(self):
        for words in (("simulate", "--every"), ("inverse", "--step")):
            page = self.run_to_page(words[0], MODELS / "slider-crank.yaml", "--until", "0.1", words[1], "1 ms", "--out", self.out)
            _, columns = numbers_of(self.out)
            (motor,) = [arrow for arrow in page["recordings"][0]["arrows"] if arrow["name"] == "motor"]
            self.assertEqual((motor["kind"], motor["place"]["body"]), ("torque", 1))
            largest = max(map(abs, columns["motor.effort"]))
            for a, b in zip(unpacked(motor["vector"][2]), columns["motor.effort"], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-4 * largest)
        # Of a point, across what it drives.
        page = self.run_to_page("simulate", MODELS / "double-wishbone.yaml", "--until", "0.1", "--every", "0.01", "--out", self.out)
        _, columns = numbers_of(self.out)
        (lift,) = [arrow for arrow in page["recordings"][0]["arrows"] if arrow["name"] == "lift"]
        self.assertEqual(lift["kind"], "force")
        for a, b in zip(unpacked(lift["vector"][2]), columns["lift.effort"], strict=True):
            self.assertAlmostEqual(a, b, delta=1e-4 * max(map(abs, columns["lift.effort"])))

    def test_springs_pull_both_of_their_ends(self):
        model = self.write("""
mechanism: a weight on a spring
gravity: [0, 0, -10]
ground: {points: {O: [0, 0, 0]}}
bodies: {weight: {mass: 1, center_of_mass: [0, 0, 0], inertia: [1, 1, 1], points: {P: [0, 0, 0]}}}
joints: {guide: {prismatic: [ground.O, weight.P], axis: [0, 0, 1]}}
springs: {coil: {between: [ground.O, weight.P], stiffness: 100, free_length: 0.2}}
forces: {wind: {point: weight.P, force: [0, 3 N, 0]}}
assembly: {guide.q: -0.5}
outputs: [coil.force, guide.q]
""")
        page = self.run_to_page("simulate", model, "--until", "0.5", "--every", "0.1", "--out", self.out)
        recording = page["recordings"][0]
        _, columns = numbers_of(self.out)
        ends = [arrow for arrow in recording["arrows"] if arrow["name"] == "coil"]
        self.assertEqual([arrow["place"]["body"] for arrow in ends], [0, 1])
        for k, force in enumerate(columns["coil.force"]):
            down, up = (unpacked(arrow["vector"][2])[k] for arrow in ends)
            self.assertAlmostEqual(up, force, delta=1e-3)
            self.assertAlmostEqual(down, -force, delta=1e-3)
        wind = next(arrow for arrow in recording["arrows"] if arrow["name"] == "wind")
        self.assertEqual(unpacked(wind["vector"][1]), [3.0] * 6)
        guide = next(arrow for arrow in recording["arrows"] if (arrow["name"], arrow["kind"]) == ("guide", "reaction"))
        self.assertAlmostEqual(unpacked(guide["vector"][1])[0], -3.0, delta=1e-3)

    def test_stops_are_marks(self):
        model = self.write("""
mechanism: a ball that bounces
plane: xy
gravity: [0, -10]
ground: {points: {O: [0, 0]}}
bodies: {ball: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {P: [0, 0]}}}
joints: {guide: {prismatic: [ground.O, ball.P], axis: [0, 1]}}
stops: {floor: {joint: guide, lower: 0, restitution: 0.5}}
assembly: {guide.q: 1.25}
outputs: [guide.q]
""")
        page = self.run_to_page("simulate", model, "--until", "1.2", "--every", "0.1", "--out", self.out)
        marks = page["recordings"][0]["marks"]
        self.assertAlmostEqual(marks[0]["t"], 0.5, delta=1e-6)  # ½ g t² = 1.25
        self.assertAlmostEqual(marks[1]["t"], 1.0, delta=1e-6)
        self.assertEqual(marks[0]["kind"], "event")
        self.assertIn("floor", marks[0]["text"])

    def test_inverse(self):
        page = self.run_to_page("inverse", TESTBED, "--until", "1", "--step", "0.1", "--out", self.out)
        self.check_testbed(page, self.out)
        self.assertTrue(page["recordings"][0]["arrows"])

    def test_info_shows_the_structure_and_where_it_stands(self):
        page = self.run_to_page("info", TESTBED)
        self.assertNotIn("Branches", self.done.stdout)
        self.assertRegex(self.done.stdout, r"\nReport +.*page\.html\n$")
        self.assertIn("page.html", call("info", TESTBED, "--json", "--report", self.folder / "page.html").stderr)
        structure = page["structure"]
        self.assertEqual([group["type"] for group in structure["groups"]], ["1R", "3R"])
        self.assertEqual([group["needs"] for group in structure["groups"]], [[-1], [-1, 0]])
        self.assertEqual(structure["group_of_body"], [-1, 0, 1, 1])
        self.assertEqual(sorted(structure["branches"]), ["'+'", "'−'"])
        self.assertEqual([group["branch"] for group in structure["groups"]], ["", structure["branches"][0]])
        self.assertEqual([edge.get("to") for edge in structure["edges"]], [1, 2, None, 3])
        self.assertEqual([edge["inputs"] for edge in structure["edges"]], [1, 0, 0, 0])
        motion = page["recordings"][0]["motion"]
        found = place(page, motion, "crank", "P1", 0.0)
        self.assertAlmostEqual(found[0], 0.0, delta=1e-9)
        self.assertAlmostEqual(found[1], 0.12, delta=1e-9)
        ends = [place(page, motion, body, "P2", 0.0) for body in ("coupler", "rocker")]
        self.assertLess(math.dist(*ends), 1e-9)

    def test_info_names_what_is_redundant_and_what_cannot_be_closed(self):
        page = self.run_to_page("info", MODELS / "quarter-vehicle.yaml")
        self.assertTrue(any("joint C" in line and "repeat" in line for line in page["structure"]["redundant"]))
        page = self.run_to_page("info", self.write(testbed("rocker: 455 mm", "rocker: 4.55 mm")))
        self.assertEqual(page["recordings"], [])
        self.assertIn("stays open", " ".join(page["notes"]))

    def call_with_little_room(self, *words):
        """Files may have 100 kB: results do, and pages do not."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        return subprocess.run([str(word) for word in (PROGRAM, *words, "--out", self.out, "--report", self.folder / "page.html")],
                              capture_output=True, text=True, timeout=60, check=False, preexec_fn=limit, restore_signals=False)

    def test_a_page_that_cannot_be_written_hides_nothing(self):
        toggle = self.write(testbed("crank: 120 mm", "crank: 400 mm"))
        for command, every in (("kinematics", "--step"), ("simulate", "--every"), ("inverse", "--step")):
            done = self.call_with_little_room(command, toggle, "--until", "5", every, "0.01")
            self.assertEqual(done.returncode, 1)
            *notes, failure = done.stderr.strip().splitlines()
            self.assertTrue(any(line.startswith("eslabon: note: there is no report: the report could not be written") for line in notes),
                            done.stderr)
            self.assertRegex(failure, "cannot go on|ends|toggle|singular")
            done = self.call_with_little_room(command, TESTBED, "--until", "1", every, "0.1")
            self.assertEqual(done.returncode, 1)
            self.assertIn("the report could not be written", done.stderr.strip().splitlines()[-1])
            self.assertIn("Written", done.stdout)
            self.assertNotIn("Report ", done.stdout)
            self.assertFalse((self.folder / "page.html").exists())

    def test_places_that_cannot_be_written_are_said_before_the_run(self):
        for file, status, sentence in ((self.folder / "nowhere" / "x.html", 1, "the report could not be written"),
                                       (self.folder / "x.htm", 2, "a name that ends in .html"),
                                       (self.out, 2, "a name that ends in .html"), ("", 2, "a name that ends in .html")):
            done = call("kinematics", TESTBED, "--until", "1", "--step", "0.1", "--out", self.out, "--report", file)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertFalse(self.out.exists())
        same = self.folder / "same.html"
        done = call("kinematics", TESTBED, "--until", "1", "--step", "0.1", "--out", same, "--report", same)
        self.assertEqual(done.returncode, 2)
        self.assertIn("would replace", done.stderr)


class Reports(WithPages):
    def move_testbed(self, *outputs):
        done = self.move(TESTBED, *(("--outputs", ",".join(outputs)) if outputs else ()))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_motion_is_found_again_from_the_coordinates_of_a_file(self):
        self.move_testbed("A.q", "coupler.P3.x", "coupler.P3.y", "rocker.angle")
        page = self.run_to_page("report", TESTBED, self.out)
        self.assertEqual(self.done.stderr, "")
        recording = page["recordings"][0]
        self.assertEqual((recording["name"], recording["role"]), ("out", "motion"))
        self.check_channels(recording, self.out)
        _, columns = numbers_of(self.out)
        for t in (0.0, 0.4, 1.0):
            found = place(page, recording["motion"], "coupler", "P3", t)
            for axis, value in zip("xy", found):
                self.assertAlmostEqual(value, columns[f"coupler.P3.{axis}"][columns["t"].index(t)], delta=5e-5)
        self.assertEqual(page["subtitle"], "from out.csv")

    def check_points(self, page, recording):
        _, columns = numbers_of(self.out)
        for t in (0.0, 0.4, 1.0):
            found = place(page, recording["motion"], "coupler", "P3", t)
            for axis, value in zip("xy", found):
                self.assertAlmostEqual(value, columns[f"coupler.P3.{axis}"][columns["t"].index(t)], delta=5e-5)

    def test_the_angle_of_a_body_at_a_hinge_is_as_good_as_the_coordinate(self):
        self.move_testbed()  # crank.angle, coupler.P3.x, coupler.P3.y
        page = self.run_to_page("report", TESTBED, self.out)
        self.assertEqual(self.done.stderr, "")
        self.check_points(page, page["recordings"][0])
        done = call("simulate", MODELS / "fivebar.yaml", "--until", "0.3", "--every", "0.05", "--outputs",
                    "left_crank.angle,right_crank.angle,left_coupler.C.x", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.run_to_page("report", MODELS / "fivebar.yaml", self.out)
        _, columns = numbers_of(self.out)
        for k, t in enumerate(columns["t"]):
            found = place(page, page["recordings"][0]["motion"], "left_coupler", "C", t)
            self.assertAlmostEqual(found[0], columns["left_coupler.C.x"][k], delta=5e-5)

    def test_a_file_of_another_branch_is_drawn_on_it_with_a_note(self):
        page_branches = self.run_to_page("info", TESTBED)["structure"]["branches"]
        start, other = (name.strip("'").replace("−", "-") for name in page_branches)
        for angle in ("A.q", "crank.angle"):
            done = self.move(TESTBED, "--branch=" + other, "--outputs", angle + ",coupler.P3.x,coupler.P3.y")
            self.assertEqual(done.returncode, 0, done.stderr)
            page = self.run_to_page("report", TESTBED, self.out)
            self.assertIn(f"drawn on the branch '{other}'", self.done.stderr)
            self.assertIn(f"drawn on the branch '{other}'", " ".join(page["notes"]))
            self.check_points(page, page["recordings"][0])
            page = self.run_to_page("report", TESTBED, self.out, "--branch=" + other)
            self.assertEqual(self.done.stderr, "")
            self.check_points(page, page["recordings"][0])
            page = self.run_to_page("report", TESTBED, self.out, "--branch=" + start)
            self.assertNotIn("motion", page["recordings"][0])

    def test_a_file_of_other_lengths_is_not_drawn(self):
        done = self.move(TESTBED, "--set", "rocker=460 mm", "--outputs", "A.q,coupler.P3.x,coupler.P3.y")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.run_to_page("report", TESTBED, self.out)
        self.assertIn("does not belong to this mechanism or branch, at 0 s its coupler.P3.x differs by", self.done.stderr)
        self.assertIn("--set", self.done.stderr)
        self.assertIn(self.done.stderr.split("note: ")[1].strip(), page["notes"])
        self.assertNotIn("motion", page["recordings"][0])
        page = self.run_to_page("report", TESTBED, self.out, "--set", "rocker=460 mm")
        self.check_points(page, page["recordings"][0])

    def test_a_file_that_stops_fitting_is_drawn_up_to_there(self):
        self.move_testbed("A.q", "coupler.P3.x", "coupler.P3.y")
        names, units, *rows = self.out.read_text(encoding="utf-8").splitlines()
        rows[7] = ",".join([*rows[7].split(",")[:2], "0.9", *rows[7].split(",")[3:]])
        self.out.write_text("\n".join([names, units, *rows]) + "\n", encoding="utf-8")
        page = self.run_to_page("report", TESTBED, self.out)
        self.assertIn("nothing is drawn from 0.7 s on: at 0.7 s its coupler.P3.x differs by", self.done.stderr)
        self.assertEqual(len(unpacked(page["recordings"][0]["motion"]["times"])), 7)

    def test_files_of_one_name_are_told_apart_by_their_folders(self):
        self.move_testbed("A.q")
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            shutil.copy(self.out, self.folder / name / "out.csv")
        page = self.run_to_page("report", self.folder / "a" / "out.csv", self.folder / "b" / "out.csv")
        self.assertEqual([one["name"] for one in page["recordings"]], ["a/out", "b/out"])
        self.assertEqual([one["title"] for one in page["tables"]], ["What the outputs did: a/out", "What the outputs did: b/out"])

    def test_a_table_tells_what_the_outputs_did(self):
        for words in (("kinematics", TESTBED, "--step", "0.1"), ("simulate", TESTBED, "--every", "0.1"),
                      ("inverse", TESTBED, "--step", "0.1")):
            page = self.run_to_page(*words, "--until", "1", "--out", self.out)
            _, columns = numbers_of(self.out)
            found = self.run_to_page("report", TESTBED, self.out)
            table = next(one for one in page["tables"] if one["title"] == "What the outputs did")
            self.assertIn(table, found["tables"])
            self.assertEqual([column["label"] for column in table["columns"]], ["output", "unit", "start", "end", "least", "largest"])
            self.assertEqual([row[0] for row in table["rows"]], [name for name in columns if name not in ("t", "constraint_error")])
            for name, unit, *cells in table["rows"]:
                values = columns[name]
                for cell, value in zip(cells, (values[0], values[-1], min(values), max(values)), strict=True):
                    self.assertAlmostEqual(float(cell.replace("−", "-")), value, delta=1e-5 * max(map(abs, values)))

    def test_a_file_without_them_is_plotted_with_a_sentence_about_it(self):
        self.move_testbed("coupler.P3.x", "coupler.P3.y")
        page = self.run_to_page("report", TESTBED, self.out)
        self.assertIn("a file without 'A.q'", self.done.stderr)
        self.assertIn("only plots are shown", self.done.stderr)
        self.assertTrue(any("a file without 'A.q'" in note for note in page["notes"]))
        self.assertNotIn("motion", page["recordings"][0])
        self.assertEqual(page["recordings"][1]["name"], "start position")
        page = self.run_to_page("report", self.out, "--title", "rows alone")
        self.assertIn("without a mechanism file", self.done.stderr)
        self.assertNotIn("mechanism", page)
        self.assertEqual(page["title"], "rows alone")
        self.check_channels(page["recordings"][0], self.out)

    def test_another_mechanism_than_that_of_the_file(self):
        self.move_testbed("A.q")
        page = self.run_to_page("report", TESTBED, self.out, "--set", "crank=700 mm")
        self.assertIn("only plots are shown: it does not belong to this mechanism", self.done.stderr)
        self.assertIn("got none on the branch of its start", " ".join(page["notes"]))
        self.check_channels(page["recordings"][0], self.out)

    def test_truth_readings_and_estimates_side_by_side(self):
        truth, readings, estimate = (self.folder / name for name in ("truth.csv", "readings.csv", "dekf.csv"))
        for words in (("simulate", TESTBED, "--release", "motor", "--until", "0.5", "--every", "0.01", "--outputs",
                       "crank.angle,A.q,A.v,A.a", "--out", truth),
                      ("sense", TESTBED, "--truth", truth, "--sensors", "imu1_gyroscope,imu2_gyroscope", "--out", readings),
                      ("estimate", TESTBED, "--release", "motor", "--measurements", readings, "--filter", "dekf", "--step", "10 ms",
                       "--outputs", "crank.angle,A.q", "--out", estimate)):
            done = call(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
        lines = readings.read_text(encoding="utf-8").splitlines()
        lines[4], lines[5] = lines[5], re.sub(",[^,]*$", ",nan", lines[4])  # late, and faulty
        readings.write_text("\n".join(lines) + "\n", encoding="utf-8")
        page = self.run_to_page("report", readings, estimate, TESTBED, truth)
        self.assertIn("1 readings that are no finite numbers", self.done.stderr)
        roles = {recording["name"]: recording["role"] for recording in page["recordings"]}
        self.assertEqual(roles, {"truth": "truth", "dekf": "estimate", "readings": "readings"})
        for recording in page["recordings"][:2]:
            self.check_channels(recording, self.folder / f"{recording['name']}.csv")
            self.assertIn("motion", recording)
        _, cells = table_of(readings)
        for name in ("imu1_gyroscope", "imu2_gyroscope"):
            channel = self.channel(page["recordings"][2], name)
            self.assertEqual(channel["unit"], "rad/s")
            rows = sorted((int(t) * 1e-9, float(cell)) for t, cell in zip(cells["t_ns"], cells[name]) if cell not in ("", "nan"))
            self.assertEqual(len(rows), 51 if name == "imu1_gyroscope" else 50)
            for (t, value), mine, found in zip(rows, unpacked(channel["times"]), unpacked(channel["values"]), strict=True):
                self.assertAlmostEqual(mine, t, delta=1e-12)
                self.assertAlmostEqual(found, value, delta=1e-6)

    def test_texts_of_others_stay_texts(self):
        model = self.write(testbed("mechanism: four-bar testbed", f"mechanism: '{HOSTILE}'").replace(
            "description: Planar", f"description: {HOSTILE} Planar"))
        name = "</script><script>alert(1)</script>"
        (self.folder / "hostile.csv").write_text(f"t,{name}\ns,<b>\n0,1\n1,2\n", encoding="utf-8")
        plain = Elements(self.page_text("report", TESTBED)).tags
        tags = Elements(self.page_text("report", model, self.folder / "hostile.csv")).tags
        self.assertEqual(tags, plain)
        page = page_of(self.folder / "page.html")
        self.assertEqual(page["title"], HOSTILE)
        self.assertEqual(page["recordings"][0]["channels"][0]["name"], name)
        # Names of elements cannot hold such things at all.
        done = call("info", self.write(testbed().replace("coupler", f"'{HOSTILE}'")), "--report", self.folder / "page2.html")
        self.assertEqual(done.returncode, 1)

    def page_text(self, *words):
        self.run_to_page(*words)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_drawings_are_well_formed(self):
        self.move_testbed("A.q", "crank.rate")
        for words, expected in (((TESTBED,), "structural diagram"), ((TESTBED, self.out), "crank.rate"),
                                ((self.out,), "A.q")):
            drawing = self.folder / "drawing.svg"
            done = call("report", *words, "--svg", drawing)
            self.assertEqual(done.returncode, 0, done.stderr)
            root = ElementTree.parse(drawing).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertIn(expected, " ".join(root.itertext()))

    def test_wrong_words(self):
        self.move_testbed("A.q")
        page = self.folder / "page.html"
        other = self.folder / "other.txt"
        other.write_text("something else\n", encoding="utf-8")
        events = self.folder / "events.csv"
        events.write_text("t,kind,what\ns,,\n", encoding="utf-8")
        torn = self.folder / "torn.csv"
        torn.write_text("t_ns,gyro\nns,rad/s\n0,1\n5,x\n", encoding="utf-8")
        binary = self.folder / "binary"
        binary.write_bytes(b"\x7fELF\x00\x1b[31m\xff\xc3\xa9" + bytes(range(1, 10)) * 9)
        (self.folder / "empty").mkdir()
        for words, status, sentence in (
                ((TESTBED,), 2, "the report has no place to go [--out]"),
                ((other, "--out", page), 1, "a first line 'something else'"),
                ((self.folder / "missing.csv", "--out", page), 1, "eslabon: no such file or folder ["),
                ((binary, "--out", page), 1, r"got a first line '\x7fELF\x00\x1b[31m\xffé\x01"),
                ((self.out, "--out", page, "--title", ""), 2, "the title is empty [--title]"),
                ((self.folder / "empty", "--out", page), 1, "a folder without summary.csv"),
                ((events, "--out", page), 1, "the file of --events"),
                ((torn, "--out", page), 1, "torn.csv:4"),
                ((TESTBED, MODELS / "rssr.yaml", "--out", page), 2, "two mechanisms"),
                ((self.out, "--set", "crank=1 m", "--out", page), 2, "a mechanism that is not there [--set]"),
                ((self.out, "--out", self.out), 2, "a name that ends in .html"),
                ((self.out, "--out", self.folder / "no" / "page.html"), 1, "could not be written"),
                ((self.out, "--svg", "drawing.pdf"), 2, "a name that ends in .svg"),
                ((self.out, "--out", page, "--size", "1280x720"), 2, "a word about a picture without a picture [--size]"),
                ((self.out, "--png", self.folder / "a.png", "--size", "1280"), 2, "WIDTHxHEIGHT")):
            with self.subTest(words):
                done = call("report", *words)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1)
                self.assertFalse(page.exists())


class Studies(WithPages):
    TEXT = f"""
study: a small one
model: {MODELS}/fourbar-double-crank.yaml
truth: {{until: 0.1 s}}
sensors: [gyroscope]
options: {{start-deviation: 20 deg, velocity-noise: 0.05}}
sweep: {{filter: [dekf, ukf], step: [2 ms, 5 ms, 50 ms]}}
tries: 4
converged: {{input.angle: 5 deg}}
"""

    def check_study(self, page):
        _, summary = table_of(self.folder / "out" / "summary.csv")
        charts = {chart["title"]: chart for chart in page["charts"]}
        chart = charts["Probability of converging"]
        self.assertEqual((chart["x"]["label"], chart["x"]["unit"], chart["x"]["log"]), ("step", "ms", True))
        self.assertEqual([series["name"] for series in chart["series"]], ["filter = dekf", "filter = ukf"])
        for series in chart["series"]:
            rows = [k for k in range(6) if series["name"].endswith(summary["filter"][k])]
            self.assertEqual(series["x"], [2, 5, 50])
            for k, y, low, high in zip(rows, series["y"], series["low"], series["high"], strict=True):
                n, p, z = 4, int(summary["converged"][k]) / 4, 1.959963984540054
                middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
                self.assertAlmostEqual(y, p, delta=1e-12)
                self.assertAlmostEqual(low, (middle - half) / (1 + z * z / n), delta=1e-9)
                self.assertAlmostEqual(high, (middle + half) / (1 + z * z / n), delta=1e-9)
        cost = charts["Cost of a step"]
        self.assertTrue(cost["y"]["log"])
        self.assertEqual(cost["y"]["unit"], "µs")
        self.assertEqual([y for series in cost["series"] for y in series["y"]],
                         [1e6 * float(cell) for cell in summary["wall_per_step"]])
        error = charts["Error of input.angle where it converged"]
        self.assertEqual(error["y"]["unit"], "°")
        told = [math.degrees(float(cell)) for cell in summary["input.angle.rmse"] if cell]
        for mine, theirs in zip((y for series in error["series"] for y in series["y"]), told, strict=True):
            self.assertAlmostEqual(mine, theirs, delta=1e-9)
        table = page["tables"][0]
        self.assertEqual(len(table["rows"]), 6)
        self.assertEqual([row[1] for row in table["rows"]], summary["filter"])

    def test_a_study_and_its_folder_give_the_same_charts(self):
        study = self.folder / "study.yaml"
        study.write_text(self.TEXT, encoding="utf-8")
        page = self.run_to_page("study", study, "--out", self.folder / "out")
        self.check_study(page)
        self.assertEqual(page["title"], "a small one")
        again = self.run_to_page("report", self.folder / "out")
        self.check_study(again)
        self.assertEqual(again["charts"], page["charts"])
        self.assertEqual(again["tables"], page["tables"])
        done = call("report", self.folder / "out", "--svg", self.folder / "study.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        texts = " ".join(ElementTree.parse(self.folder / "study.svg").getroot().itertext())
        self.assertIn("Probability of converging", texts)
        self.assertIn("Cost of a step", texts)

    def test_a_study_that_is_stopped_shows_what_there_is(self):
        study = self.folder / "study.yaml"
        study.write_text(self.TEXT.replace("tries: 4", "tries: 4000"), encoding="utf-8")
        page, journal = self.folder / "page.html", self.folder / "out" / "journal"
        with subprocess.Popen([PROGRAM, "study", study, "--out", self.folder / "out", "--report", page],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            end = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < end:
                if journal.exists() and journal.read_bytes().count(b"\n") > 20:
                    break
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1, stderr)
        kept = re.search(r"got (\d+), which are kept", stderr)[1]
        found = page_of(page)
        self.assertEqual(found["notes"], [f"The study was stopped: {kept} of 24000 tries were made."])
        self.assertEqual(sum(int(row[4]) for row in found["tables"][0]["rows"]), int(kept))

    def test_reports_are_of_whole_studies(self):
        study = self.folder / "study.yaml"
        study.write_text(self.TEXT, encoding="utf-8")
        done = call("study", study, "--plan", "--report", self.folder / "page.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a report needs a whole study", done.stderr)


class Pictures(InFolder):
    def call_with(self, environment, *words):
        return subprocess.run([PROGRAM, "report", TESTBED, "--png", str(self.folder / "picture.png"), *words],
                              capture_output=True, text=True, timeout=90, check=False, env={**os.environ, **environment})

    def test_without_a_browser_one_sentence(self):
        environment = {"PATH": str(self.folder)}
        environment["CHROMIUM"] = ""
        done = self.call_with(environment)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        self.assertIn("'apt-get install chromium' gives it; --svg needs none.", done.stderr)
        done = self.call_with({"CHROMIUM": "/nowhere/chromium"})
        self.assertIn("CHROMIUM=/nowhere/chromium, no program", done.stderr)

    def test_a_browser_that_makes_no_picture(self):
        browser = self.folder / "browser"
        browser.write_text("#!/bin/sh\necho no display >&2\nexit 1\n", encoding="utf-8")
        browser.chmod(0o755)
        temporary = self.folder / "tmp"
        temporary.mkdir()
        done = self.call_with({"CHROMIUM": str(browser), "TMPDIR": str(temporary)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("the browser made no picture", done.stderr)
        self.assertIn("it says: no display", done.stderr)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"browser", "tmp"})

    @unittest.skipUnless(CHROMIUM, "needs Chromium")
    def test_the_first_view(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        done = self.call_with({"TMPDIR": str(temporary)}, "--size", "640x360", "--out", str(self.folder / "page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        data = (self.folder / "picture.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (640, 360))
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertTrue((self.folder / "page.html").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
