"""The program as a user sees it: exit status, stdout, stderr. Called by CTest with the program and the source folder."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
MODELS = SOURCE / "models"


def call(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60, check=False)


def info(model, *words):
    done = call("info", model, "--json", *words)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


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
        self.assertIn("expected a file name that ends in .svg or .dot",
                      call("info", MODELS / "rssr.yaml", "--graph", "graph.png").stderr)
        self.assertEqual(call("info", MODELS / "rssr.yaml", "--graph", "/nowhere/graph.svg").returncode, 1)


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
