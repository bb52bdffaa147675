"""Events of a mechanism: when a quantity passes zero, by kinematics and by simulate, against times in closed form."""

import json
import math
import sys
import unittest

from program import InFolder, MODELS, call

FALL = """mechanism: a stone
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {stone: {mass: 1 kg, point_mass: P, points: {P: [0, 0]}}}
joints: {f: {translation: [ground.O, stone.P]}}
%s
assembly: {stone.P.x: 0, stone.P.y: 1, stone.P.vx: 2, stone.P.vy: 6}
outputs: [stone.P.x, stone.P.y, stone.P.vy]
"""
CRANK = """mechanism: a crank
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {crank: {mass: 1 kg, shape: {bar: [O, P]}, points: {O: [0, 0], P: [1, 0]}}}
joints: {O: {revolute: [ground.O, crank.O]}}
%s
outputs: [O.q]
"""


class Events(InFolder):
    def told(self, command, path, *words):
        done = call(command, path, *words, "--out", self.out, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refusal(self, command, path, *words):
        done = call(command, path, *words, "--out", self.out)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_pin_of_a_geneva_drive_enters_and_leaves(self):
        model = MODELS / "pairs" / "geneva.yaml"
        data = self.told("kinematics", model, "--set", "begin=-50 deg", "--until", "0.3", "--step", "0.01")
        self.assertEqual([event["text"] for event in data["events"]], ["entry", "exit"])
        for event, degrees in zip(data["events"], (5, 95)):
            self.assertAlmostEqual(event["t"], degrees / 360, 12)
        self.assertIsNone(data["ended_by"])

    def test_run_ends_where_the_pin_leaves(self):
        text = (MODELS / "pairs" / "geneva.yaml").read_text(encoding="utf-8").replace("direction: rising}", "direction: rising, ends_run: true}")
        path = self.write(text)
        data = self.told("kinematics", path, "--until", "1", "--step", "0.01")
        self.assertEqual((data["ended_by"], data["complete"]), ("exit", True))
        self.assertAlmostEqual(data["end"], 0.25, 12)
        columns = self.columns()[1]
        self.assertEqual(len(columns["t"]), data["rows"])
        self.assertAlmostEqual(columns["t"][-1], 0.25, 12)
        self.assertGreater(columns["t"][-1], columns["t"][-2])
        self.assertAlmostEqual(columns["W.q"][-1], -math.pi / 4, 11)
        page = call("kinematics", path, "--until", "1", "--step", "0.01", "--out", self.out).stdout
        self.assertIn("of 1 s, where 'exit' ends it", page)
        self.assertIn("Events", page)

    def test_stone_passes_a_height_twice(self):
        """y = 1 + 6 t - g t^2/2."""
        path = self.write(FALL % "events: {line: {when: = stone.P.y - 2 m}, up: {when: = stone.P.y - 2 m, direction: rising}, top: {when: = stone.P.vy, direction: falling}}")
        for integrator in ("dopri5", "bdf", "rk4"):
            words = ("--step", "0.01") if integrator == "rk4" else ("--rtol", "1e-11", "--atol", "1e-12")
            data = self.told("simulate", path, "--until", "1.2", "--every", "0.1", "--integrator", integrator, *words)
            events = [(event["text"], event["t"]) for event in data["events"] if event["text"] in ("line", "up", "top")]
            root = math.sqrt(36 - 2 * 9.81)
            expected = sorted([("line", (6 - root) / 9.81), ("up", (6 - root) / 9.81), ("top", 6 / 9.81), ("line", (6 + root) / 9.81)], key=lambda e: e[1])
            self.assertEqual(sorted(name for name, _ in events), sorted(name for name, _ in expected))
            for (_, t), (_, wanted) in zip(events, expected):
                self.assertAlmostEqual(t, wanted, 8, integrator)

    def test_run_ends_on_the_floor(self):
        path = self.write(FALL % "events: {floor: {when: = stone.P.y, ends_run: true}}")
        wanted = (6 + math.sqrt(36 + 2 * 9.81)) / 9.81
        for words in ((), ("--verify",)):
            data = self.told("simulate", path, "--until", "5", "--every", "0.1", "--rtol", "1e-11", "--atol", "1e-12", *words)
            self.assertEqual((data["ended_by"], data["complete"]), ("floor", True))
            columns = self.columns()[1]
            self.assertAlmostEqual(columns["t"][-1], wanted, 9)
            self.assertAlmostEqual(columns["stone.P.x"][-1], 2 * wanted, 8)
            self.assertAlmostEqual(columns["stone.P.y"][-1], 0, 8)

    def test_angles_go_on_beyond_half_a_turn(self):
        driven = self.write(CRANK % "drivers: {motor: {joint: O, speed: 5 rad/s, start: 0}}\nevents: {seven: {when: = O.q - 7}}")
        free = self.write(CRANK % "assembly: {O.v: 5}\nevents: {seven: {when: = O.q - 7}}", "free.yaml")
        for command, path in (("kinematics", driven), ("simulate", driven), ("simulate", free)):
            step = ("--step", "0.05") if command == "kinematics" else ("--every", "0.05")
            data = self.told(command, path, "--until", "3", *step)
            times = [event["t"] for event in data["events"] if event["text"] == "seven"]
            self.assertEqual(len(times), 1, (command, data["events"]))
            self.assertAlmostEqual(times[0], 1.4, 9)

    def test_large_steps_of_rows_do_not_hide_an_event(self):
        """Rows every 1.2 s, in which the crank makes nearly a turn: P passes y = 0.5 up and down."""
        path = self.write(CRANK % "drivers: {motor: {joint: O, speed: 5 rad/s, start: 0}}\nevents: {height: {when: = crank.P.y - 0.5 m}}")
        for command in ("kinematics", "simulate"):
            step = ("--step", "1.2") if command == "kinematics" else ("--every", "1.2")
            data = self.told(command, path, "--until", "2.4", *step)
            times = [event["t"] for event in data["events"] if event["text"] == "height"]
            wanted = [(angle + 2 * math.pi * turn) / 5 for turn in (0, 1) for angle in (math.pi / 6, 5 * math.pi / 6)]
            self.assertEqual(len(times), 4, command)
            for t, expected in zip(times, wanted):
                self.assertAlmostEqual(t, expected, 8)

    def test_formula_without_a_value_ends_the_run_by_name(self):
        path = self.write(CRANK % "drivers: {motor: {joint: O, speed: 5 rad/s, start: 0}}\nevents: {root: {when: = sqrt(0.25 - O.q)}}")
        for command in ("kinematics", "simulate"):
            step = ("--step", "0.01") if command == "kinematics" else ("--every", "0.01")
            self.assertIn("[", self.refusal(command, path, "--until", "1", *step))
            self.assertIn("event 'root'", self.refusal(command, path, "--until", "1", *step))

    def test_event_of_a_state(self):
        """x' = 1 - x from 0: it passes 0.5 at ln 2. Kinematics has no states."""
        text = CRANK % "drivers: {motor: {joint: O, speed: 1 rad/s, start: 0}}\nstates: {lag: {rate: = 1 - lag.value}}\nevents: {half: {when: = lag.value - 0.5}}"
        path = self.write(text)
        data = self.told("simulate", path, "--until", "1", "--every", "0.1", "--rtol", "1e-11", "--atol", "1e-12")
        times = [event["t"] for event in data["events"] if event["text"] == "half"]
        self.assertEqual(len(times), 1)
        self.assertAlmostEqual(times[0], math.log(2), 9)
        self.assertIn("an event looks at what a prescribed motion does not have", self.refusal("kinematics", path, "--until", "1", "--step", "0.1"))

    def test_flattened_file_has_the_same_events(self):
        model = MODELS / "pairs" / "geneva.yaml"
        done = call("flatten", model)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.write(done.stdout)
        first = self.told("kinematics", model, "--until", "0.3", "--step", "0.01")["events"]
        second = self.told("kinematics", path, "--until", "0.3", "--step", "0.01")["events"]
        self.assertEqual(first, second)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
