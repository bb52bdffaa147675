"""Holds tools/check_layers.py (the argument) to its promises, on made-up trees."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)


class CheckLayers(unittest.TestCase):
    def check(self, files, under="eslabon"):
        """Exit status and printed lines for a tree with these files."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "eslabon").mkdir()
            for name, text in files.items():
                path = pathlib.Path(folder) / under / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def test_a_clean_tree_passes_in_silence(self):
        self.assertEqual(self.check({"core/text/error.hpp": "#include <string>\n",
                                     "model/elements/body.cpp": '#include "eslabon/core/text/error.hpp"\n',
                                     "io/reader.cpp": '#include <fmt/core.h>\n#include "eslabon/model/elements/body.hpp"\n'}),
                         (0, []))

    def test_an_include_up_the_street_is_named_by_file_and_line(self):
        status, lines = self.check({"core/text/error.hpp": '#include <string>\n\n#include "eslabon/model/elements/body.hpp"\n'})
        self.assertEqual(status, 1)
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith("eslabon/core/text/error.hpp:3: "), lines[0])
        self.assertIn("'core'", lines[0])
        self.assertIn("'model'", lines[0])

    def test_the_street_may_not_include_a_side_layer(self):
        status, lines = self.check({"dynamics/mass.cpp": '#include "eslabon/io/reader.hpp"\n'})
        self.assertEqual((status, len(lines)), (1, 1))

    def test_a_public_header_may_not_show_a_private_dependency(self):
        status, lines = self.check({"io/reader.hpp": "#include <yaml-cpp/yaml.h>\n"})
        self.assertEqual((status, len(lines)), (1, 1))
        self.assertTrue(lines[0].startswith("eslabon/io/reader.hpp:1: "), lines[0])

    def test_a_header_may_not_include_a_decomposition_of_eigen(self):
        status, lines = self.check({"dynamics/mass.hpp": "#include <Eigen/Core>\n#include <Eigen/LU>\n",
                                    "dynamics/mass.cpp": "#include <Eigen/LU>\n"})
        self.assertEqual((status, len(lines)), (1, 1))
        self.assertTrue(lines[0].startswith("eslabon/dynamics/mass.hpp:2: "), lines[0])

    def test_no_layer_reads_a_command_line(self):
        status, lines = self.check({"study/words.cpp": "#include <CLI/CLI.hpp>\nvoid f(int argc, char** argv);\nCLI::App app;\n",
                                    "io/words.cpp": "#include <CLI/App.hpp>\n"})
        self.assertEqual((status, len(lines)), (1, 4))
        self.assertTrue(lines[0].startswith("eslabon/io/words.cpp:1: "), lines[0])

    def test_runs_and_what_stands_beside_them_name_fields_not_options(self):
        for layer in ("runs", "recording", "live", "study"):
            status, lines = self.check({f"{layer}/a.cpp": '// as --step\nconst char* next = "Take a shorter --step.";\n'})
            self.assertEqual((status, len(lines)), (1, 1))
            self.assertTrue(lines[0].startswith(f"eslabon/{layer}/a.cpp:2: "), lines[0])

    def test_an_unknown_folder_is_no_layer(self):
        status, lines = self.check({"utils/misc.hpp": "\n"})
        self.assertEqual((status, len(lines)), (1, 1))

    def check_table(self, line):
        """The one violation of a file of benchmarks/tables with such a second line, or none."""
        status, lines = self.check({"tables/cost.cpp": "\n" + line + "\n"}, under="benchmarks")
        self.assertEqual(status, len(lines))
        self.assertTrue(all(found.startswith("benchmarks/tables/cost.cpp:2: ") for found in lines), lines)
        return "".join(lines)

    def test_tables_of_benchmarks_know_the_layers_and_no_program(self):
        for line in ('#include "eslabon/io/reader.hpp"', '#include "benchmarks/tables/growth.hpp"', "#include <fmt/format.h>",
                     'run("valgrind --tool=callgrind -- " + program);', 'next("Run: cmake --preset release.");',
                     "x = f(--count);  // --out"):
            self.assertEqual(self.check_table(line), "")
        for line, culprit in (('#include "apps/cli/text/text_page.hpp"', "'apps/cli/text/text_page.hpp'"),
                              ('#include "../../apps/cli/text_page.hpp"', "text_page.hpp'"),
                              ('#include "text_page.hpp"', "'text_page.hpp'"), ("#include <CLI/CLI.hpp>", "CLI/CLI.hpp"),
                              ("#include <nlohmann/json.hpp>", "nlohmann/json.hpp"),
                              ('fail("Leave --against out.");', "'--against'"), ('where = "--out";', "'--out'")):
            self.assertIn(culprit, self.check_table(line))

    def test_other_benchmarks_may_use_what_tests_are_made_of_but_no_program(self):
        self.assertEqual(self.check({"rivals/a.cpp": '#include "tests/oracles/simbody.hpp"\n'}, under="benchmarks"), (0, []))
        status, lines = self.check({"rivals/a.cpp": '#include "apps/cli/commands/bench.hpp"\n'}, under="benchmarks")
        self.assertEqual((status, len(lines)), (1, 1))


unittest.main()
