"""The documents keep their word: complete examples are read by the program, links lead somewhere, cited works exist.

Called by CTest with the program and the source folder.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
DOCUMENTS = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]


def is_same(word, other):
    """Numbers agree to the digits of the first one; roundoff is roundoff."""
    if word == other:
        return True
    try:
        number, value = float(word), float(other)
    except ValueError:
        return False
    digits, _, exponent = word.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return abs(number - value) < 1.01 * unit or max(abs(number), abs(value)) < 1e-12


class Documents(unittest.TestCase):
    def test_complete_examples_are_read(self):
        found = 0
        for document in DOCUMENTS:
            blocks = re.findall(r"^```yaml\n(.*?)^```", document.read_text(encoding="utf-8"), re.M | re.S)
            # Parts stand beside the examples, by their names: 'part: trailing arm' in trailing-arm.yaml.
            parts = {block.split("\n")[0].removeprefix("part: ").replace(" ", "-") + ".yaml": block
                     for block in blocks if block.startswith("part: ")}
            for block in blocks:
                found += 1
                with tempfile.TemporaryDirectory() as folder:
                    # Studies name their model by its path from studies/.
                    (pathlib.Path(folder) / "models").symlink_to(SOURCE / "models")
                    file = pathlib.Path(folder) / "studies" / "example.yaml"
                    file.parent.mkdir()
                    for name, part in parts.items():
                        (file.parent / name).write_text(part, encoding="utf-8")
                    file.write_text(block, encoding="utf-8")
                    words = ["study", file, "--plan"] if block.startswith("study:") else ["info", file]
                    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{document.name}: {done.stderr}\n{block}")
        self.assertGreaterEqual(found, 2)

    def test_commands_print_what_the_page_shows(self):
        """Each block of YAML is saved under the name that the next command uses; then come lines that the commands print, or how they begin."""
        page = (SOURCE / "docs" / "from-drawing-to-file.md").read_text(encoding="utf-8")
        text, printed, compared = None, [], 0
        with tempfile.TemporaryDirectory() as folder:
            for language, block in re.findall(r"^```(\w*)\n(.*?)^```", page, re.M | re.S):
                if language == "yaml":
                    text = block
                elif block.startswith("eslabon "):
                    printed = []
                    for _, *words in map(shlex.split, block.splitlines()):
                        if text:
                            (pathlib.Path(folder) / words[1]).write_text(text, encoding="utf-8")
                            text = None
                        done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=False)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        printed += [line.split() for line in done.stdout.splitlines()]
                else:
                    for words in filter(None, map(str.split, block.splitlines())):
                        compared += 1
                        self.assertTrue(any(len(words) <= len(line) and all(map(is_same, words, line)) for line in printed), " ".join(words))
        self.assertGreaterEqual(compared, 30)

    def test_links_lead_to_files(self):
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")

    def test_every_cited_work_is_in_the_bibliography(self):
        known = set(re.findall(r"@\w+\{(\w+),", (SOURCE / "docs/references.bib").read_text(encoding="utf-8")))
        sources = [*DOCUMENTS, *sorted((SOURCE / "eslabon").rglob("*.[hc]pp")), *sorted((SOURCE / "models").rglob("*.yaml"))]
        for path in sources:
            for key in re.findall(r"\[([A-Z][A-Za-z]+\d{3,4})[\],]", path.read_text(encoding="utf-8")):
                self.assertIn(key, known, f"{path.relative_to(SOURCE)} cites {key}")

    def test_every_symbolic_name_of_a_document_exists(self):
        """Paths such as `eslabon/structure/grashof.cpp` or `tools/fuzz` in the documents are real."""
        for document in DOCUMENTS:
            for path in re.findall(r"`((?:eslabon|tools|tests|models|studies|examples|benchmarks|apps)/[\w./-]+)`",
                                   document.read_text(encoding="utf-8")):
                matches = list(SOURCE.glob(path + "*")) if "<" not in path else [path]
                self.assertTrue(matches, f"{document.name}: {path}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
