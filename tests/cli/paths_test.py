"""No file of a request is lost to another one: every pair of words that name files, of every command, by the program's own help."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import unittest

from program import InFolder, MODELS, PROGRAM, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
READ = {"MODEL", "STUDY", "RESULT", "--measurements", "--truth"}
# What each command needs beside its files.
NEEDS = {
    "info": [], "kinematics": ["--until", "0.1", "--step", "0.1"], "simulate": ["--until", "0.1"],
    "inverse": ["--until", "0.1", "--step", "0.1"], "equilibrium": [], "modes": [], "sense": [], "estimate": [], "study": [], "report": [], "export": [], "flatten": [],
    "bench kinematics": ["--dyads", "1", "--axles", "1"], "bench dynamics": ["--dyads", "1", "--chains", "1", "--vans", "0"], "bench compiled": [], "bench references": [],
    "bench quarter-vehicle": [], "bench vehicles": ["--seconds", "0.001"],
    "manoeuvre": ["step-steer", "--until", "0.1"], "kc": [],
}


def commands():
    """Every command, also those of bench."""
    def listed(*words):
        text = call(*words, "--help").stdout
        return re.findall(r"^  ([a-z][a-z-]*) {2,}\S", text.split("Common to all commands")[0], re.M)
    return [name for name in listed() if name != "bench"] + ["bench " + name for name in listed("bench")]


def path_words(command):
    """The words of a command that name files, and those of them that it must have."""
    text = call(*command.split(), "--help").stdout
    usage = re.search(r"Usage\n  (.*)", text)[1]
    positional = [word for word in re.findall(r" ([A-Z]+)", usage.split("[OPTIONS]")[0]) if word in READ]
    options = re.findall(r"^  (--[\w-]+) (?:FILE|DIR)\b", text, re.M)
    needed = set(positional) | {option for option in options if f" {option} " in usage}
    return positional + options, needed


class Paths(InFolder):
    def setUp(self):
        super().setUp()
        os.chdir(self.folder)  # names as a user types them

    def place(self, word):
        """A file of its own for each word."""
        return f"{word.strip('-').lower()}.file"

    def words(self, command, given):
        line = [*command.split(), *(path for word, path in given.items() if word.isupper()), *NEEDS[command]]
        for word, path in given.items():
            line += [] if word.isupper() else [word, path]
        return line

    def pairs(self):
        for command in commands():
            words, needed = path_words(command)
            for one, other in itertools.combinations(words, 2):
                if {one, other} <= READ:
                    continue
                yield command, {word: self.place(word) for word in (*needed, one, other)}, one, other

    def names_of_one_file(self, one, other):
        """Ways in which two names are the same file."""
        first = self.place(one)
        yield "the same name", first, first
        yield "another spelling", first, "./" + first
        yield "a whole path", str(self.folder / first), first
        os.symlink(first, "link")
        yield "a link", first, "link"
        yield "a link the other way", "link", first
        os.unlink("link")
        if one in READ:
            os.link(first, "hard")
            yield "a hard link", first, "hard"
            os.unlink("hard")
        os.mkdir("sub")
        os.symlink("..", "sub/up")
        yield "a folder's link", first, "sub/up/" + first
        shutil.rmtree("sub")

    def state(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def test_every_command_is_known(self):
        self.assertEqual({command for command in commands() if path_words(command)[0]}, set(NEEDS))

    def test_every_pair_of_files_of_every_command(self):
        count = 0
        for command, given, one, other in self.pairs():
            for path in self.folder.iterdir():
                path.unlink()
            for word, path in given.items():
                if word in READ:
                    shutil.copy(FOURBAR, path)
            if one not in READ and other in READ:
                one, other = other, one
            for way, first, second in self.names_of_one_file(one, other):
                line = self.words(command, {**given, one: first, other: second})
                before = self.state()
                done = call(*line)
                self.assertEqual(done.returncode, 2, f"{way}: {line}\n{done.stderr}")
                said = done.stderr.strip()
                self.assertRegex(said, r"^eslabon: one file is (both read and written|written twice) \[[^\n]*\.$", (way, line))
                self.assertTrue(one in said and other in said, (line, said))
                self.assertEqual(self.state(), before, (way, line))
                count += 1
        print(count, "pairs of paths")
        self.assertGreater(count, 200)

    def test_the_standard_streams_are_files_too(self):
        count = 0
        for command in commands():
            words, needed = path_words(command)
            for word in words:
                for stream in ("stdin", "stdout", "stderr"):
                    if stream == "stdin" and word in READ:
                        continue
                    given = {name: self.place(name) for name in (*needed, word)}
                    for name, path in given.items():
                        if name in READ or name == word:
                            shutil.copy(FOURBAR, path)
                    before = self.state()
                    with open(given[word], "rb" if stream == "stdin" else "ab") as file:
                        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: file}
                        done = subprocess.run([PROGRAM, *self.words(command, given)], timeout=60, check=False, **streams)
                    self.assertEqual(done.returncode, 2, (command, word, stream))
                    if stream != "stderr":
                        self.assertIn(f"the standard {'input' if stream == 'stdin' else 'output'}", done.stderr.decode())
                        self.assertEqual(self.state(), before)
                    for path in self.folder.iterdir():
                        path.unlink()
                    count += 1
        print(count, "pairs with streams")

    def test_files_that_a_name_stands_for(self):
        shutil.copy(FOURBAR, "m.A.csv")
        done = call("modes", "m.A.csv", "--release", "all", "--out", "m.csv")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"both read and written \[--out\]: expected another file than that of MODEL, got 'm\.A\.csv'")
        self.assertEqual(os.listdir(), ["m.A.csv"])
        call("sense", FOURBAR, "--until", "0.1", "--out", "e-ukf.csv")
        before = self.state()
        done = call("estimate", FOURBAR, "--release", "motor", "--measurements", "e-ukf.csv", "--filter", "dekf,ukf", "--out", "e.csv")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--measurements", done.stderr)
        self.assertEqual(self.state(), before)

    def test_nothing_is_made_or_emptied_for_a_request_that_is_wrong(self):
        for command in commands():
            words, needed = path_words(command)
            if not words or "bench" in command:
                continue
            written = [word for word in words if word not in READ]
            for old in ("", "old"):
                given = {word: self.place(word) for word in (*needed, *written)}  # what is read is not there
                for word, ending in (("--report", ".html"), ("--graph", ".svg"), ("--diagram", ".svg"), ("--svg", ".svg"), ("--png", ".png")):
                    if word in given:
                        given[word] += ending
                if command == "modes":
                    given["--out"] += ".csv"
                if command == "report":
                    given["--out"] += ".html"
                if old and command != "study":
                    for word in written:
                        with open(given[word], "w", encoding="utf-8") as file:
                            file.write(old)
                before = self.state()
                done = call(*self.words(command, given))
                self.assertEqual(done.returncode, 2, (command, done.stderr))
                self.assertEqual(self.state(), before, command)
                for path in self.folder.iterdir():
                    path.unlink()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
