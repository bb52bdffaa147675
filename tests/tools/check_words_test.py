"""Holds tools/check_words.py (the argument) to its promises, on made-up trees that have the glossary of this one."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)
GLOSSARY = pathlib.Path(SCRIPT).resolve().parent.parent / "docs/notation.md"


class CheckWords(unittest.TestCase):
    def check(self, files, glossary=None):
        """Exit status and printed lines for a tree with these files."""
        with tempfile.TemporaryDirectory() as folder:
            notation = glossary or GLOSSARY.read_text(encoding="utf-8")
            for name, text in {"README.md": "", "docs/notation.md": notation, **files}.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def check_found(self, name, text, line, word):
        status, lines = self.check({name: text})
        self.assertEqual((status, len(lines)), (1, 1), lines)
        self.assertTrue(lines[0].startswith(f"{name}:{line}: '{word}' "), lines[0])

    def test_a_clean_tree_passes_in_silence(self):
        self.assertEqual(self.check({"apps/a.cpp": 'const char* kText = "one degree of freedom, at least, by least squares";\n'}), (0, []))

    def test_old_words_of_documents_are_named_by_file_and_line(self):
        self.check_found("README.md", "\nA motor with two freedoms.\n", 2, "freedoms")
        self.check_found("docs/a.md", "The driver lets it go.\n", 1, "lets it go")
        self.check_found("docs/a.md", "Constraints  closed to 2e-16 m at worst\n", 1, "closed to 2")
        self.check_found("docs/a.md", "  output   unit   min   largest\n", 1, "largest")
        self.check_found("docs/a.md", "as in [Seed003, eq. (4)]\n", 1, "Seed003")

    def test_old_words_of_literals_are_found_across_the_lines_of_one_literal(self):
        self.check_found("apps/a.cpp", '\nfail("Leave it "\n     "away, or give another value.");\n', 2, "Leave it away")
        self.check_found("eslabon/core/a.hpp", 'const char* k = ">largest";\n', 1, "largest")
        self.check_found("eslabon/core/a.cpp", 'const char* k = R"(the clock on the wall)";\n', 1, "clock on the wall")
        self.check_found("viewer/src/a.ts", "const text = `hypotheses of ${name}`;\n", 1, "hypotheses")

    def test_names_keys_comments_and_ordinary_english_may_stay(self):
        self.assertEqual(self.check({
            "docs/a.md": "`shaky`, `--largest-step`, the largest entry, least-squares, the null hypothesis, [x](freedom.md)\n",
            "apps/a.cpp": '#include "eslabon/dynamics/statics/freedom_chart.hpp"\n// two freedoms\njson["freedoms"] = 1;  /* shaky */\n'
                          'option("--largest-step", "e.g. --largest-step 1");\nconst char kQuote = \'"\';  // let go\n',
            "viewer/src/a.ts": 'const text = `up to ${withPrefix(largest)} N`; // least\nline.classList.add("freedom");\n'}), (0, []))

    def test_a_word_that_only_the_glossary_or_only_the_script_has_is_told(self):
        text = GLOSSARY.read_text(encoding="utf-8")
        status, lines = self.check({}, text.replace("| shaky |", "| wobbly |"))
        self.assertEqual((status, len(lines)), (1, 2), lines)
        self.assertIn("'shaky' is not in the glossary", lines[0])
        self.assertIn("'wobbly' is not checked", lines[1])


unittest.main()
