"""Help, the manual page and completion are made from the definitions of the command line: all of them tell of every option."""

import re
import shlex
import subprocess
import sys
import unittest

from program import InFolder, PROGRAM, SOURCE, call

COMMANDS = ["info", "kinematics", "simulate", "inverse", "equilibrium", "modes", "manoeuvre", "kc", "sense", "estimate", "study", "export", "flatten", "report", "bench kinematics",
            "bench dynamics", "bench compiled", "bench references", "bench quarter-vehicle", "bench estimation"]
SLOW = ("bench", "study studies/step.yaml --out")


def help_of(command):
    done = call(*command.split(), "--help")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def options_of(command):
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", help_of(command), re.M)


def examples_of(command):
    return [line.strip() for line in re.findall(r"^    (\S.*)$", help_of(command).split("\nExamples\n")[1], re.M)]


class Help(InFolder):
    def test_values_have_names(self):
        for command in COMMANDS:
            text = help_of(command)
            self.assertEqual(re.findall(r".*\bTEXT\b.*", text.replace("--title TEXT", "")), [], command)
            self.assertNotIn("INT", text.split("\nExamples\n")[0].split())
        self.assertRegex(help_of("simulate"), r"--until TIME +End time")
        self.assertIn("--out FILE ", help_of("kinematics"))
        self.assertIn("--particles N ", help_of("estimate"))
        self.assertIn("--start-deviation ANGLE", help_of("estimate"))

    def test_options_stand_under_headings(self):
        text = help_of("simulate")
        places = [text.index(f"\n{heading}\n") for heading in ("Usage", "Time", "Files", "Method", "Mechanism", "Common to all commands",
                                                               "Examples")]
        self.assertEqual(places, sorted(places))
        for command in COMMANDS:
            options = options_of(command)
            self.assertEqual(options[-3:], ["--json", "--quiet", "--help"], command)
            self.assertEqual(len(options), len(set(options)), command)

    def test_usage_shows_what_is_required(self):
        for command in ("kinematics", "inverse"):
            self.assertIn(f"eslabon {command} MODEL --until TIME --step TIME --out FILE [OPTIONS]", help_of(command))
        self.assertIn("eslabon simulate MODEL --until TIME --out FILE [OPTIONS]", help_of("simulate"))

    def test_version_is_an_option_of_the_program(self):
        self.assertIn("--version", help_of("").split("Common to all commands")[0])

    def test_values_without_an_option_stand_in_brackets_at_the_end(self):
        for command in COMMANDS:
            described = re.sub(r"\n {28}", " ", help_of(command).split("\nExamples\n")[0])
            for line in re.findall(r"^  (?:-\w, )?--.*", described, re.M):
                self.assertNotRegex(line, r"\(([\d.]+( \w+(/s)?)?|the default|all cores)[);]", command)
                self.assertNotRegex(line, r"(?<!name )\[[^]]*\](?!$)", command)

    def test_lines_fit_into_the_page(self):
        for command in ["", *COMMANDS]:
            for line in help_of(command).split("\nExamples\n")[0].splitlines():
                self.assertLessEqual(len(line), 96, f"{command}: {line}")

    def test_step_has_one_meaning(self):
        for command in COMMANDS:
            text = re.sub(r"\s+", " ", help_of(command))
            if "--step" in options_of(command):
                self.assertIn("--step TIME Time step of the computation", text, command)
            if "--every" in options_of(command):
                self.assertIn("--every TIME Time between rows of the results", text, command)
        self.assertEqual([command for command in COMMANDS if "--step" in options_of(command)],
                         ["kinematics", "simulate", "inverse", "manoeuvre", "estimate"])

    def test_examples_do_what_they_say(self):
        for name in ("models", "studies"):
            (self.folder / name).symlink_to(SOURCE / name)
        for command in COMMANDS:
            lines = examples_of(command)
            self.assertGreaterEqual(len(lines), 1 if command.startswith("bench") else 2, command)
            for line in lines:
                if line.removeprefix("eslabon ").startswith(SLOW):
                    continue
                called = line.replace("eslabon ", shlex.quote(PROGRAM) + " ", 1)
                done = subprocess.run(["bash", "-c", called], capture_output=True, text=True, cwd=self.folder, timeout=100, check=False)
                self.assertEqual(done.returncode, 0, f"{line}\n{done.stderr}")


class ManualPage(unittest.TestCase):
    def test_tells_every_option_of_every_command(self):
        page = call("man").stdout
        self.assertRegex(page, r"^\.\\\"[^\n]*\n\.TH ESLABON 1 ")
        for command in COMMANDS:
            name = command.replace("-", "\\-")
            section = page.split(f'.SS "{name}"\n')[1].split("\n.SS ")[0].split("\n.SH ")[0]
            for option in options_of(command):
                if option not in ("--json", "--quiet", "--help"):
                    self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", section, command)
        for line in page.splitlines():  # requests of roff, and no text that looks like one
            self.assertNotRegex(line, r"^'|^\.(?!(TH|SH|SS|TP|PP|nf|fi)\b|\\\")", line)
        self.assertIn(".SH COMMON OPTIONS", page)


class Completion(unittest.TestCase):
    def complete(self, *words):
        """What bash offers for the last of these words."""
        line = " ".join(shlex.quote(word) for word in ("eslabon", *words))
        script = (f"source <({shlex.quote(PROGRAM)} completion bash); COMP_WORDS=({line}); COMP_CWORD={len(words)}; _eslabon; "
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=SOURCE, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_commands(self):
        self.assertEqual(self.complete("sim"), ["simulate"])
        self.assertEqual(self.complete("bench", "qua"), ["quarter-vehicle"])
        self.assertEqual(set(self.complete("")), {command.split()[0] for command in COMMANDS} | {"completion", "man"})
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])

    def test_every_option_of_every_command(self):
        for command in COMMANDS:
            self.assertEqual(set(self.complete(*command.split(), "--")), set(options_of(command)), command)

    def test_values(self):
        self.assertEqual(self.complete("simulate", "x.yaml", "--integrator", "r"), ["rk4"])
        self.assertEqual(self.complete("simulate", "x.yaml", "--integrator", "=", "gen"), ["generalized-alpha"])
        self.assertIn("semi-recursive", self.complete("simulate", "--formulation", ""))
        self.assertEqual(self.complete("simulate", "x.yaml", "--until", ""), [])
        self.assertEqual(self.complete("estimate", "--start", "u"), ["unknown"])

    def test_files(self):
        self.assertEqual(self.complete("info", "models/rs"), ["models/rssr.yaml"])
        self.assertEqual(self.complete("report", "x.csv", "models/rs"), ["models/rssr.yaml"])
        self.assertEqual(self.complete("simulate", "--out", "READ"), ["README.md"])

    def test_scripts_of_other_shells_tell_every_option(self):
        for shell in ("zsh", "fish"):
            script = call("completion", shell).stdout
            for command in COMMANDS:
                for option in options_of(command):
                    self.assertRegex(script, re.escape(option) if shell == "zsh" else r"-l " + option[2:] + r"\b", f"{shell}: {command}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
