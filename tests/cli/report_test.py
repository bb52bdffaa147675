"""--report of runs: pages hold what the result files say, and all forces that act."""

import math
import resource
import signal
import subprocess
import sys
import unittest

from model_texts import testbed
from program import MODELS, PROGRAM, call
from report_page import TESTBED, WithPages, frame_at, numbers_of, place, unpacked


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
        self.assertTrue(page["notes"][0].startswith("The run ended early: "), page["notes"])
        self.assertIn(page["notes"][0].split(": ", 1)[1].split(" [")[0], self.done.stderr)
        recording = page["recordings"][0]
        self.check_channels(recording, self.out)
        self.assertGreaterEqual(recording["marks"][-1]["t"], unpacked(recording["times"])[-1] - 0.01)

    def test_simulate_to_a_toggle_ends_with_a_page_that_says_so(self):
        model = self.write(testbed("crank: 120 mm", "crank: 400 mm"))
        page = self.run_to_page("simulate", model, "--until", "5", "--every", "0.01", "--out", self.out, status=1)
        self.assertTrue(page["notes"][0].startswith("The run ended early: "), page["notes"])
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
        for file, status, sentence in ((self.folder / "nowhere" / "x.html", 2, "the report could not be written"),
                                       (self.folder / "x.htm", 2, "a name that ends in .html"),
                                       (self.out, 2, "one file is written twice"), ("", 2, "a name that ends in .html")):
            done = call("kinematics", TESTBED, "--until", "1", "--step", "0.1", "--out", self.out, "--report", file)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertFalse(self.out.exists())
        same = self.folder / "same.html"
        done = call("kinematics", TESTBED, "--until", "1", "--step", "0.1", "--out", same, "--report", same)
        self.assertEqual(done.returncode, 2)
        self.assertIn("one file is written twice [--report]", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
