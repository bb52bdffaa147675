"""`eslabon report` of files: motions that are found again, and what is said where they cannot be."""

import re
import shutil
import sys
import unittest
from xml.etree import ElementTree

from model_texts import testbed
from program import MODELS, call
from report_page import TESTBED, Elements, WithPages, numbers_of, page_of, place, table_of, unpacked

HOSTILE = "</script><img src=x onerror=alert(1)>"


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

    def check_refused(self, model, path, *names):
        """One sentence that names these columns, the mechanism and what to do; no page."""
        page = self.folder / "page.html"
        page.unlink(missing_ok=True)
        done = call("report", model, path, "--out", page)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn(f"does not have [{path}]: ", done.stderr)
        for name in names:
            self.assertIn(f"'{name}'", done.stderr)
        self.assertIn("leave the mechanism out", done.stderr)
        self.assertFalse(page.exists())
        return done.stderr

    def test_a_result_of_another_mechanism_is_refused_with_the_columns_it_does_not_have(self):
        done = self.move(MODELS / "slider-crank.yaml", "--outputs", "crank.angle,slider.B.x")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = self.check_refused(TESTBED, self.out, "slider.B.x", "four-bar testbed")
        self.assertNotIn("'crank.angle'", said)  # both have it
        self.assertNotIn("energy", said)
        self.run_to_page("report", self.out)
        self.assertIn("only plots are shown", self.done.stderr)
        family = "family:scalable-fourbar,dyads={}"
        done = self.move(family.format(3), "--outputs", "coupler_3.C.x,coupler_1.C.x")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_to_page("report", family.format(3), self.out)
        self.check_refused(family.format(2), self.out, "coupler_3.C.x")

    def test_a_column_in_another_unit_is_of_another_mechanism(self):
        self.out.write_text("t,A.q,energy\ns,m,J\n0,0,0\n1,1,0\n", encoding="utf-8")
        self.assertIn("'A.q' in 'm' instead of 'rad'", self.check_refused(TESTBED, self.out, "A.q"))
        self.out.write_text("t,A.q,energy\ns,rad,kJ\n0,0,0\n1,1,0\n", encoding="utf-8")
        self.check_refused(TESTBED, self.out, "energy")

    def test_many_columns_of_another_mechanism_are_counted(self):
        names = [f"strange_{k}.x" for k in range(40)]
        self.out.write_text("\n".join([",".join(["t", *names]), ",".join(["s"] + ["m"] * 40), ",".join(["0"] * 41)]) + "\n", encoding="utf-8")
        said = self.check_refused(TESTBED, self.out, "strange_0.x")
        self.assertIn("and 34 more", said)
        self.assertNotIn("strange_39", said)

    def test_all_that_runs_of_a_mechanism_write_is_its_own(self):
        reactions, readings, estimate = (self.folder / f"{name}.csv" for name in ("reactions", "readings", "estimate"))
        for words, file in (
                (("inverse", TESTBED, "--until", "0.2", "--step", "0.1", "--actuators", "B.q", "--outputs", "A.q,P1.fx"), self.out),
                (("inverse", TESTBED, "--until", "0.2", "--step", "0.1", "--outputs", "A.q,motor.effort"), self.out),
                (("simulate", TESTBED, "--until", "0.2", "--every", "0.1", "--reactions", reactions, "--outputs", "motor.effort,A.q"), reactions),
                (("sense", TESTBED, "--until", "0.2", "--release", "motor", "--seed", "1"), readings),
                (("estimate", TESTBED, "--release", "motor", "--measurements", readings, "--filter", "dekf", "--step", "10 ms",
                  "--sensors", "imu1_gyroscope,imu2_gyroscope", "--unknown", "bias:imu1_gyroscope,sigma=0.01", "--unknown", "force:A.q",
                  "--unknown", "mass:crank", "--outputs", "crank.angle,A.q"), estimate)):
            out = self.out if file == reactions else file
            done = call(*words, "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.run_to_page("report", TESTBED, file)

    def test_readings_and_estimates_of_another_mechanism_are_refused(self):
        readings, estimate = self.folder / "readings.csv", self.folder / "estimate.csv"
        model = MODELS / "fourbar-double-crank.yaml"
        for words in (("sense", model, "--until", "0.1", "--seed", "1", "--sensors", "gyroscope", "--out", readings),
                      ("estimate", model, "--release", "all", "--measurements", readings, "--sensors", "gyroscope", "--filter", "dekf",
                       "--step", "10 ms", "--outputs", "input.angle", "--out", estimate)):
            done = call(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("readings that the mechanism 'four-bar testbed'", self.check_refused(TESTBED, readings, "gyroscope"))
        self.check_refused(TESTBED, estimate, "input.angle", "input.angle.sigma")
        self.check_refused(MODELS / "rssr.yaml", readings, "gyroscope")
        for file in (readings, estimate):
            self.run_to_page("report", model, file)

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
        self.assertEqual([one["title"] for one in page["tables"]], ["What the outputs did: a/out", "What the outputs did: b/out",
                                                                  "Where this comes from"])

    def test_a_table_tells_what_the_outputs_did(self):
        for words in (("kinematics", TESTBED, "--step", "0.1"), ("simulate", TESTBED, "--every", "0.1"),
                      ("inverse", TESTBED, "--step", "0.1")):
            page = self.run_to_page(*words, "--until", "1", "--out", self.out)
            _, columns = numbers_of(self.out)
            found = self.run_to_page("report", TESTBED, self.out)
            table = next(one for one in page["tables"] if one["title"] == "What the outputs did")
            self.assertIn(table, found["tables"])
            self.assertEqual([column["label"] for column in table["columns"]], ["output", "unit", "start", "end", "min", "max"])
            self.assertEqual([row[0] for row in table["rows"]], [name for name in columns if name not in ("t", "constraint_error")])
            for name, unit, *cells in table["rows"]:
                values = columns[name]
                for cell, value in zip(cells, (values[0], values[-1], min(values), max(values)), strict=True):
                    self.assertAlmostEqual(float(cell.replace("−", "-")), value, delta=1e-5 * max(map(abs, values)))

    def test_a_file_without_them_is_plotted_with_a_sentence_about_it(self):
        self.move_testbed("coupler.P3.x", "coupler.P3.y")
        page = self.run_to_page("report", TESTBED, self.out)
        self.assertIn("results without 'A.q'", self.done.stderr)
        self.assertIn("only plots are shown", self.done.stderr)
        self.assertTrue(any("results without 'A.q'" in note for note in page["notes"]))
        self.assertNotIn("motion", page["recordings"][0])
        self.assertEqual(page["recordings"][1]["name"], "start position")
        page = self.run_to_page("report", self.out, "--title", "rows alone")
        self.assertIn("a motion needs a mechanism file", self.done.stderr)
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
        self.assertIn("1 readings that are not finite numbers", self.done.stderr)
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
        self.assertEqual(Elements(self.page_text("report", model)).tags, plain)
        self.assertEqual(page_of(self.folder / "page.html")["title"], HOSTILE)
        self.assertEqual(Elements(self.page_text("report", self.folder / "hostile.csv")).tags, plain)
        page = page_of(self.folder / "page.html")
        self.assertEqual(page["recordings"][0]["channels"][0]["name"], name)
        # Names of elements cannot hold such things at all.
        done = call("info", self.write(testbed().replace("coupler", f"'{HOSTILE}'")), "--report", self.folder / "page2.html")
        self.assertEqual(done.returncode, 2)

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
                ((TESTBED,), 2, "the report has no destination [--out]"),
                ((other, "--out", page), 2, "a first line 'something else'"),
                ((self.folder / "missing.csv", "--out", page), 2, "eslabon: no such file or folder ["),
                ((binary, "--out", page), 2, r"got a first line '\x7fELF\x00\x1b[31m\xffé\x01"),
                ((self.out, "--out", page, "--title", ""), 2, "the title is empty [--title]"),
                ((self.folder / "empty", "--out", page), 2, "a folder without summary.csv"),
                ((events, "--out", page), 2, "the file of --events"),
                ((torn, "--out", page), 2, "torn.csv:4"),
                ((TESTBED, MODELS / "rssr.yaml", "--out", page), 2, "two mechanisms"),
                ((self.out, "--set", "crank=1 m", "--out", page), 2, "an option for a mechanism without a mechanism [--set]"),
                ((self.out, "--out", self.out), 2, "one file is both read and written [--out]"),
                ((self.out, "--out", self.folder / "no" / "page.html"), 2, "could not be written"),
                ((self.out, "--svg", "drawing.pdf"), 2, "a name that ends in .svg"),
                ((self.out, "--out", page, "--size", "1280x720"), 2, "an option for a picture without a picture [--size]"),
                ((self.out, "--png", self.folder / "a.png", "--size", "1280"), 2, "WIDTHxHEIGHT")):
            with self.subTest(words):
                done = call("report", *words)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1)
                self.assertFalse(page.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
