"""`eslabon info`: structure, mobility, the start position, drawings."""

import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from model_texts import MOTOR, PARALLELOGRAM, SPATIAL_FOUR_BAR, testbed
from program import MODELS, InFolder, call, info, machines

SHAKY = """
mechanism: two bars in a line
plane: xy
ground: {points: {A: [0, 0], B: [1, 0]}}
bodies: {one: {points: {A: [0, 0], P: [0.5, 0]}}, two: {points: {P: [0, 0], B: [0.5, 0]}}}
joints: {A: {revolute: [ground.A, one.A]}, P: {revolute: [one.P, two.P]}, B: {revolute: [two.B, ground.B]}}
assembly: {one.angle: 0 deg, two.angle: 0 deg}
"""
AXLE = """
mechanism: rigid axle on two rods
gravity: [0, 0, -9.81]
ground: {points: {L: [1, 0.4, 0], R: [1, -0.4, 0], S: [0, 0, 0.5]}}
bodies:
  axle: {mass: 60, center_of_mass: [0, 0, 0], inertia: [10, 1, 10], points: {L: [0, 0.4, 0], R: [0, -0.4, 0], S: [0.05, 0, 0.1]}}
joints: {left: {rod: [ground.L, axle.L], length: 1}, right: {rod: [ground.R, axle.R], length: 1}}
"""
DOUBLE_PENDULUM = """
mechanism: double pendulum, driven above
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  upper: {MASSpoints: {O: [0, 0], P: [1, 0]}}
  lower: {MASSpoints: {O: [0, 0], P: [1, 0]}}
joints: {A: {revolute: [ground.O, upper.O]}, B: {revolute: [upper.P, lower.O]}}
drivers: {motor: {joint: A, speed: 1 rad/s, start: 0}}
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
        for model in machines():
            data = info(model)
            for key in ("name planar bodies joints loops inputs mobility groups redundant idle grashof").split():
                self.assertIn(key, data, model.name)
            self.assertLessEqual({"gruebler", "rank"}, set(data["mobility"]), model.name)

    def test_parameters_are_shown_as_set_takes_them(self):
        parameters = {parameter["name"]: parameter for parameter in info(MODELS / "fourbar-testbed.yaml")["parameters"]}
        self.assertEqual(parameters["crank"], {"name": "crank", "value": 0.12, "unit": "m", "text": "120 mm"})
        self.assertAlmostEqual(parameters["x3"]["value"], (0.54 ** 2 + 0.384 ** 2 - 0.212 ** 2) / 1.08, delta=1e-12)
        self.assertTrue(parameters["x3"]["text"].startswith("= (coupler^2"))
        page = call("info", MODELS / "fourbar-testbed.yaml").stdout
        self.assertIn("Parameters, as --set takes them", page)
        self.assertRegex(page, r"(?m)^  crank +120   mm$")
        # A setting is shown in the unit of the file.
        page = call("info", MODELS / "fourbar-testbed.yaml", "--set", "crank=5 in").stdout
        self.assertRegex(page, r"(?m)^  crank +127   mm$")
        keys = info("family:scalable-fourbar,dyads=3")["parameters"]
        self.assertIn({"name": "dyads", "value": 3.0, "unit": None, "text": "3"}, keys)

    def test_drivers_and_loads_are_shown_with_their_laws(self):
        text = testbed("outputs:", "forces:\n  push: {point: coupler.P3, force: [= 3 N*sin(2 rad/s*t), -5 N], axes: body}\n"
                                   "  brake: {joint: B, torque: -0.5 N*m}\n  twist: {body: rocker, torque: 2}\noutputs:")
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "model.yaml"
            model.write_text(text, encoding="utf-8")
            data, page = info(model), call("info", model).stdout
        self.assertEqual(data["driver_list"], [{"name": "motor", "moves": "A.q", "prescribes": "speed", "law": "1.819",
                                                "unit": "rad/s", "start": None}])
        self.assertEqual(data["loads"], [
            {"name": "push", "kind": "force", "on": "coupler.P3", "components": ["3*sin(2*t)", "-5"], "unit": "N", "axes": "body"},
            {"name": "brake", "kind": "torque", "on": "B.q", "components": ["-0.5"], "unit": "N*m", "axes": "world"},
            {"name": "twist", "kind": "torque", "on": "rocker", "components": ["2"], "unit": "N*m", "axes": "world"}])
        self.assertRegex(page, r"(?m)^  motor +A\.q +speed +1\.819 +rad/s +where it is assembled$")
        self.assertRegex(page, r"(?m)^  push +force +coupler\.P3 +\(3\*sin\(2\*t\), -5\) +N +body$")

    def test_a_setting_without_its_unit_is_doubted(self):
        model = MODELS / "fourbar-testbed.yaml"
        note = ("eslabon: note: parameter 'crank' is set to '100' without a unit, which is SI: 100 m; the file writes it in mm. "
                "Did you mean --set 'crank=100 mm'?\n")
        self.assertEqual(call("info", model, "--set", "crank=100").stderr, note)
        for command, *words in (("kinematics", "--until", "1", "--step", "0.1"), ("simulate", "--until", "1"),
                                ("inverse", "--until", "1", "--step", "0.1"), ("equilibrium",), ("modes",)):
            done = call(command, model, "--set", "crank=100", "--out", os.devnull + "/none.npz", *words)
            self.assertTrue(done.stderr.startswith(note), f"{command}: {done.stderr}")
        for setting in ("crank=100 mm", "crank=0.1 m", "crank== base/8", "crank_friction=0.2", "crank_friction=0", "x3=0.3",
                        "L13=0"):
            self.assertNotIn("Did you mean", call("info", model, "--set", setting).stderr, setting)
        self.assertIn("100 mm", call("info", model, "--set", "crank== 60 + 40").stderr)
        self.assertIn("45 rad; the file writes it in deg. Did you mean --set 'between_arms=45 deg'?",
                      call("info", MODELS / "watt-sixbar.yaml", "--set", "between_arms=45").stderr)

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
        self.assertIn("Singular     at the start position it has 2 DOFs instead of 1\n", page)
        self.assertIn("Drivers      ", page)

    def test_a_spin_that_springs_or_inertia_act_on_is_not_idle(self):
        springs = "springs: {s: {between: [ground.S, axle.S], stiffness: 20000, free_length: 0.45}}\n"
        for text, is_idle in ((AXLE, True), (AXLE + springs, False),
                              (AXLE.replace("center_of_mass: [0, 0, 0]", "center_of_mass: [0.1, 0, 0]"), False),
                              (AXLE.replace("center_of_mass: [0, 0, 0]", "center_of_mass: [0, 0.1, 0]"), True),
                              (AXLE.replace("[10, 1, 10]", "[10, 2, 10, 1, 0, 0]"), False)):
            model = self.write(text)
            spin = [{"body": "axle", "direction": "rotation about the line from axle.L to axle.R"}]
            data = info(model)
            self.assertEqual((data["idle"], data["free"]), (spin, []) if is_idle else ([], spin), text)
            page = call("info", model).stdout
            self.assertEqual("of them idle" in page, is_idle)
            self.assertEqual("Free         axle: rotation about" in page, not is_idle)

    def test_no_drivers_are_advised_where_forces_move_the_rest(self):
        half_driven = DOUBLE_PENDULUM.replace("MASS", "")
        self.assertIn("the drivers do not move every degree of freedom", info(self.write(half_driven))["drivers"]["message"])
        self.assertIn("Drivers      ", call("info", self.write(half_driven)).stdout)
        heavy = DOUBLE_PENDULUM.replace("MASS", "mass: 1, shape: {bar: [O, P]}, ")
        self.assertIsNone(info(self.write(heavy))["drivers"]["message"])
        self.assertNotIn("Drivers      ", call("info", self.write(heavy)).stdout)

    def test_driver_of_what_the_joints_hold_is_said(self):
        model = self.write(HELD)
        data = info(model)
        self.assertEqual(data["mobility"]["rank"], 1)
        self.assertIn("a driver prescribes what is already determined [driver 'motor']", data["drivers"]["message"])
        self.assertIn("Drivers      a driver prescribes what is already determined", call("info", model).stdout)
        done = self.move(model)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"a driver prescribes what is already determined [{model}, driver 'motor']", done.stderr)

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
        self.assertEqual(call("info", MODELS / "rssr.yaml", "--graph", "/nowhere/graph.svg").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
