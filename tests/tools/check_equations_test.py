"""Holds tools/check_equations.py (the argument) to its promises, on made-up trees."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SPEC = importlib.util.spec_from_file_location("check_equations", sys.argv.pop(1))
CHECK = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CHECK)

WORKS = {"Seed001": ["(1)", "(2a)", "Algorithm 1"]}
HEAD = "# Equations\n\n## Seed001 — Somebody, Something, 2001\n\n| equation | says | where | how |\n|---|---|---|---|\n"
ROWS = {
    "(1)": "| (1) | p(y\\|x) | `eslabon/core/sum.hpp`, `Sum::add` | same |\n",
    "(2a)": "| (2a) | b | – | not implemented: intermediate step of (1) |\n",
    "Algorithm 1": "| Algorithm 1 | c | `eslabon/core/sum.hpp`, `add`; `apps/run.cpp`, `run` | equivalent: faster |\n",
}
CODE = {"eslabon/core/sum.hpp": "struct Sum {\n  // Seed001 eq. 1, alg. 1\n  void add();\n};\n",
        "apps/run.cpp": "// Seed001 alg. 1\nvoid run() {}\n"}


class CheckEquations(unittest.TestCase):
    def check(self, rows=None, code=None):
        """Violations of a tree with these rows and files in the place of good ones."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in ({"docs/equations.md": HEAD + "".join({**ROWS, **(rows or {})}.values())} | CODE | (code or {})).items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(CHECK.violations(root, WORKS))

    def assert_one(self, found, *words):
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def test_a_true_table_passes(self):
        self.assertEqual(self.check(), [])

    def test_every_equation_has_a_row(self):
        self.assert_one(self.check({"(2a)": ""}), "Seed001 (2a) has no row")

    def test_a_row_of_an_equation_that_the_work_does_not_have(self):
        self.assert_one(self.check({"(3)": "| (3) | d | – | not implemented: no |\n"}), "Seed001 has no (3)")

    def test_ranges_are_no_rows(self):
        found = self.check({"(2a)": "| (2a)–(2c) | b | – | not implemented: no |\n"})
        self.assertEqual(len(found), 2, found)

    def test_an_equation_has_one_row(self):
        self.assert_one(self.check({"again": ROWS["(2a)"]}), "second row")

    def test_a_file_must_exist(self):
        self.assert_one(self.check({"(1)": ROWS["(1)"].replace("`Sum::add`", "`add`; `eslabon/core/no.hpp`, `add`")}), "does not exist")

    def test_a_function_must_occur(self):
        self.assert_one(self.check({"(1)": ROWS["(1)"].replace("Sum::add", "Sum::ad")}), "Sum::ad,", "does not occur")

    def test_a_row_needs_its_tag(self):
        self.assert_one(self.check(code={"apps/run.cpp": "void run() {}\n"}), "Algorithm 1", "no tag in apps/run.cpp")

    def test_a_tag_needs_its_row(self):
        found = self.check(code={"apps/other.cpp": "\nint x;  // Seed001 eq. 1\n"})
        self.assert_one(found, "apps/other.cpp:2:", "Seed001 (1)")

    def test_a_tag_of_an_equation_that_is_not_implemented(self):
        self.assert_one(self.check(code={"apps/other.cpp": "// Seed001 eq. 2a\n"}), "apps/other.cpp:1:")

    def test_a_tag_that_cannot_be_read(self):
        self.assert_one(self.check(code={"apps/other.cpp": "// Seed001 eq. (1)\n"}), "apps/other.cpp:1:", "is no tag")

    def test_how_begins_with_one_of_three_words(self):
        self.assert_one(self.check({"(1)": ROWS["(1)"].replace("same", "nearly")}), "neither")
        self.assert_one(self.check({"(1)": ROWS["(1)"].replace("same", "equivalent")}), "neither")

    def test_what_is_not_implemented_has_no_place(self):
        self.assert_one(self.check({"(1)": ROWS["(1)"].replace("same", "not implemented: no")}), "exactly when")

    def test_the_works_have_as_many_equations_as_their_texts(self):
        counts = {work: sum(name.startswith("(") for name in names) for work, names in CHECK.WORKS.items()}
        self.assertEqual(counts, {"Seed000": 131, "Seed001": 92, "Seed002": 33, "Seed003": 38, "Seed004": 32})


unittest.main()
