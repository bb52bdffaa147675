"""Equations for people: what stands on the page is read back, computed, and compared with what the code computes."""

import collections
import re
import sys
import unittest
import xml.etree.ElementTree as xml

from printed_equations import Page, Reader, tag
from program import MODELS, SOURCE, InFolder, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
VEHICLE = MODELS / "quarter-vehicle.yaml"
TOLERANCE = 1e-9  # of the maximum; terms may be added in another order


def known_answers(path):
    """States and what the functions give there, from the check that is exported for Python."""
    text = path.read_text(encoding="utf-8")
    found = {}
    exec(text[text.index("STATES = ["):text.index("failures = 0")], found)  # numbers alone
    return found["STATES"], found["EXPECTED"], found["PLACES"]


def solve(A, b):
    """Gauss, with the largest pivot of each column."""
    n = len(b)
    rows = [list(row) + [value] for row, value in zip(A, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(rows[r][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for r in range(k + 1, n):
            by = rows[r][k] / rows[k][k]
            if by != 0.0:
                rows[r] = [x - by * y for x, y in zip(rows[r], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][c] * x[c] for c in range(k + 1, n))) / rows[k][k]
    return x


class ReadableEquations(InFolder):
    def export(self, model, *words):
        done = call("export", model, "--out", self.folder / "out", "--name", "m", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "out"

    def near(self, found, expected, what):
        self.assertEqual(len(found), len(expected), what)
        scale = max(map(abs, expected))
        for k, (one, other) in enumerate(zip(found, expected)):
            self.assertLessEqual(abs(one - other), TOLERANCE * max(scale, 1e-12), f"{what}[{k}]")

    def compare_testbed(self, page, folder):
        states, expected, places = known_answers(folder / "m_check.py")
        for k, (x, u, p) in enumerate(states):
            at = Reader(page, x, u, p)
            self.near([at["Φ_P2,1"], at["Φ_P2,2"]], expected["residual"][k], "residual")
            self.near([at["c_P2,1"], at["c_P2,2"]], expected["gamma"][k], "gamma")
            for name, symbol in (("jacobian", "J_P2,"), ("mass", "M_")):
                self.near([at[f"{symbol}{r + 1}{c + 1}"] for r, c in zip(*places[name])], expected[name][k], name)
            self.near([at[f"f_{i}"] for i in (1, 2, 3)], expected["forces"][k], "forces")
            self.near([at[f"a_{i}"] for i in (1, 2, 3)], expected["accelerations"][k], "accelerations")
            for name, sensors in (("outputs", ("crank.angle", "coupler.P3.x", "coupler.P3.y")),
                                  ("readings", ("imu1_gyroscope", "imu1_accelerometer.ax", "imu1_accelerometer.ay", "imu2_gyroscope",
                                                "crank_encoder", "rocker_encoder"))):
                self.near([at[f"y_{sensor}"] for sensor in sensors], expected[name][k], name)

    def test_the_page_of_the_testbed_says_what_the_code_computes(self):
        folder = self.export(FOURBAR, "--release", "motor", "--language", "html,python")
        self.compare_testbed(Page((folder / "m.html").read_text(encoding="utf-8")), folder)

    def test_a_wrong_name_or_sign_on_the_page_is_noticed(self):
        folder = self.export(FOURBAR, "--release", "motor", "--language", "html,python")
        text = (folder / "m.html").read_text(encoding="utf-8")
        begin = text.index('<h2 id="s2"')  # the loops
        for good, bad in (("<mtext>coupler,21</mtext>", "<mtext>coupler,11</mtext>"), ("<mtext>coupler,21</mtext>", "<mtext>copler,21</mtext>"),
                          ("<mo>−</mo>", "<mo>+</mo>")):
            at = text.index(good, text.index('id="Phi_P2_1"', begin))
            with self.assertRaises((AssertionError, KeyError)):
                self.compare_testbed(Page(text[:at] + bad + text[at + len(good):]), folder)

    def test_the_page_of_structural_groups_says_what_the_code_computes(self):
        for model, freedoms, groups in ((FOURBAR, 1, ["driven link", "dyad RRR"]), (MODELS / "slider-crank.yaml", 1, ["driven link", "dyad RRP"]),
                                        (MODELS / "five-bar.yaml", 2, None)):
            folder = self.export(model, "--release", "all", "--form", "reduced", "--language", "html,python")
            page = Page((folder / "m.html").read_text(encoding="utf-8"))
            titles = [re.sub(r"Group \d+, ", "", "".join(h2.itertext())) for h2 in page.root.iter() if tag(h2) == "h2"]
            if groups:
                self.assertEqual(titles[1:1 + len(groups)], groups)
            states, expected, places = known_answers(folder / "m_check.py")
            subscripts = [""] if freedoms == 1 else [f"_{k + 1}" for k in range(freedoms)]
            for k, (x, u, p) in enumerate(states):
                at = Reader(page, x, u, p)
                M = [at["M" if freedoms == 1 else f"M_{r + 1}{c + 1}"] for r, c in zip(*places["mass"])]
                self.near(M, expected["mass"][k], "mass")
                self.near([at["f" + i] for i in subscripts], expected["forces"][k], "forces")
                self.near([at["z¨" + i] for i in subscripts], expected["accelerations"][k], "accelerations")
                shown = [symbol for symbol in page.definitions if symbol.startswith("y_")]
                self.near([at[symbol] for symbol in shown], expected["outputs"][k] + expected.get("readings", [[]] * (k + 1))[k], "outputs")

    def test_the_page_of_the_quarter_vehicle_says_what_the_code_computes(self):
        """Work of the UPV paper: rows, masses and forces by blocks; accelerations by solving what the page states."""
        folder = self.export(VEHICLE, "--coordinates", "reference-point", "--language", "html,python")
        page = Page((folder / "m.html").read_text(encoding="utf-8"))
        states, expected, places = known_answers(folder / "m_check.py")
        blocks = collections.defaultdict(list)  # letter: symbols, as they are read
        for symbol in page.definitions:
            blocks[symbol.split("_")[0]].append(symbol)
        names = [place for place in page.arguments.values() if place.startswith("x")]
        n = len(names) // 2
        x, u, p = states[1]
        at = Reader(page, x, u, p)
        Phi, c = ([at[symbol] for symbol in blocks[letter]] for letter in ("Φ", "c"))
        self.assertEqual((n, len(Phi)), (42, 40))
        self.near(Phi, expected["residual"][1], "residual")
        self.near(c, expected["gamma"][1], "gamma")
        owners = list(dict.fromkeys(symbol.split("_", 1)[1].rsplit(",", 1)[0] for symbol in blocks["f"]))
        f = [0.0] * n
        for symbol in blocks["f"]:
            owner, place = symbol.split("_", 1)[1].rsplit(",", 1)
            f[7 * owners.index(owner) + int(place) - 1] = at[symbol]
        self.near(f, expected["forces"][1], "forces")
        rows = {}  # the first of each body and joint
        for k, symbol in enumerate(blocks["Φ"]):
            rows.setdefault(symbol.split("_", 1)[1].rsplit(",", 1)[0], k)
        M = [[0.0] * n for _ in range(n)]
        J = [[0.0] * n for _ in Phi]
        for symbol in blocks["M"]:
            owner, place = symbol.split("_", 1)[1].rsplit(",", 1)
            first = 7 * owners.index(owner)
            M[first + int(place[0]) - 1][first + int(place[1]) - 1] = at[symbol]
        for symbol in blocks["J"]:
            source, owner, place = symbol.split("_", 1)[1].rsplit(",", 2)
            J[rows[source] + int(place[0]) - 1][7 * owners.index(owner) + int(place[1]) - 1] = at[symbol]
        self.near([M[r][k] for r, k in zip(*places["mass"])], expected["mass"][1], "mass")
        self.near([J[r][k] for r, k in zip(*places["jacobian"])], expected["jacobian"][1], "jacobian")
        m = len(Phi)
        A = [M[r] + [J[k][r] for k in range(m)] for r in range(n)] + [J[k] + [0.0] * m for k in range(m)]
        found = solve(A, f + c)
        a, multipliers = found[:n], found[n:]
        self.near(a, expected["accelerations"][1], "accelerations")
        known = {f"{letter}_{k + 1}": value for letter, values in (("a", a), ("λ", multipliers)) for k, value in enumerate(values)}
        after = Reader(page, x, u, p, known)
        outputs = [symbol for symbol in blocks["y"]]
        self.near([after[symbol] for symbol in outputs], expected["outputs"][1] + expected["readings"][1], "outputs and readings")

    def test_every_name_is_defined_before_it_is_used(self):
        for model, words in ((FOURBAR, []), (MODELS / "slider-crank.yaml", ["--coordinates", "reference-point"]),
                             (MODELS / "watt-sixbar.yaml", ["--release", "all"]), (FOURBAR, ["--release", "motor", "--form", "reduced"]),
                             (MODELS / "andrews-squeezer.yaml", ["--release", "all", "--form", "reduced"]), (MODELS / "rssr.yaml", []), (VEHICLE, [])):
            folder = self.export(model, "--language", "html,latex", *words)
            page = Page((folder / "m.html").read_text(encoding="utf-8"))
            solved = {f"{letter}_{k}" for letter in "aλ" for k in range(1, 100)}
            for symbol, (number, lines) in page.definitions.items():
                for used in set().union(*(page.symbols_in(line) for line in lines)):
                    if used in page.arguments or used in solved - set(page.definitions):
                        continue
                    self.assertIn(used, page.definitions, (model, symbol))
                    self.assertLessEqual(page.definitions[used][0], number, (model, symbol, used))
            ids = [element.get("id") for element in page.root.iter() if element.get("id")]
            self.assertEqual(len(ids), len(set(ids)), model)
            for link in page.root.iter():
                if tag(link) == "a":
                    self.assertIn(link.get("href")[1:], ids, model)

    def test_latex_has_the_same_equations(self):
        folder = self.export(FOURBAR, "--release", "motor", "--language", "html,latex")
        text = (folder / "m.tex").read_text(encoding="utf-8")
        depth = 0
        for brace in re.findall(r"(?<!\\)[{}]", text):
            depth += 1 if brace == "{" else -1
            self.assertGreaterEqual(depth, 0)
        self.assertEqual(depth, 0)
        open_ones = []
        for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
            if what == "begin":
                open_ones.append(name)
            else:
                self.assertEqual(open_ones.pop(), name)
        self.assertEqual(open_ones, [])
        labels = re.findall(r"\\label\{eq:(\d+)\}", text)
        self.assertEqual(labels, [str(k + 1) for k in range(len(labels))])
        self.assertLessEqual(set(re.findall(r"\\eqref\{eq:(\d+)\}", text)), set(labels))
        page = xml.fromstring((folder / "m.html").read_text(encoding="utf-8"))
        shown = [element for element in page.iter() if "equation" in element.get("class", "").split()]
        printed = re.findall(r"\\begin\{align\}(.*?)\\end\{align\}", text, re.S)
        self.assertEqual(len(shown), len(printed))
        for number, (element, latex) in enumerate(zip(shown, printed), 1):
            tables = [part for part in element.iter() if part.get("class") in ("lines", "matrix")]
            on_page = sorted(float(mn.text.replace("−", "-")) for table in tables for mn in table.iter() if tag(mn) == "mn")
            plain = re.sub(r"\\(mathrm|tag|label)\{[^}]*\}|\^\{0\}", "", latex)
            in_latex = sorted(map(float, re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", plain.replace("- ", "+ "))))
            if on_page:
                self.assertEqual([x for x in on_page if x not in (0.0,)], [x for x in in_latex if x not in (0.0,)], number)

    def test_the_note_about_the_quarter_vehicle_cites_what_is_there(self):
        folder = self.export(VEHICLE, "--coordinates", "reference-point", "--language", "html")
        page = Page((folder / "m.html").read_text(encoding="utf-8"))
        note = (SOURCE / "docs" / "quarter-vehicle.md").read_text(encoding="utf-8")
        self.assertIn(f"has {len(page.equations)} numbered equations", note)
        cited = re.findall(r"`([^`]+)` \((\d+)\)", note)
        self.assertGreater(len(cited), 15)
        for name, number in cited:
            marks = "".join(mark for mark in "˙¨" if mark in name)
            letter, _, owner = name.strip("˙¨").partition("_")
            symbol = letter[0] + marks + letter[1:] + "_" + owner
            there = [one for one, (equation, _) in page.definitions.items() if equation == int(number)]
            self.assertTrue(any(one == symbol or one.startswith(symbol + ",") for one in there), (name, number, there[:3]))
        for law, letters in ((43, "Ja=c,c=γ−2αΦ˙−β2Φ"), (135, "Ma+JTλ=f,Ja=c"), (136, "S=JY,Y=M−1JT")):
            self.assertIn(f"({law})", note)
            self.assertEqual("".join("".join(page.equations[law - 1][0].itertext()).split()), letters)

    def test_the_code_has_names_and_numbers_of_the_page(self):
        folder = self.export(FOURBAR, "--release", "motor", "--language", "c,html")
        page = Page((folder / "m.html").read_text(encoding="utf-8"))
        code = (folder / "m.c").read_text(encoding="ascii")
        cited = re.findall(r"const double (\w+) = .*;  /\* \((\d+)\) \*/", code)
        self.assertGreater(len(cited), 50)
        for name, number in cited:
            self.assertEqual(page.definitions[page.identifiers[name]][0], int(number), name)
        self.assertIn("A_coupler_21", dict(cited))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
