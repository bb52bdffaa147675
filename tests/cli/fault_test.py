"""Every call of the system may fail, and every moment may be the last: what is written is then complete, or as it was before.

A preloaded library (tests/faults/fault_shim.cpp) lets the n-th malloc, open, write, fsync, rename or thread fail; each command does a small
job. With status 0 all its files must be complete; otherwise each is complete, or the first rows of what it would have been, or untouched. Never does a signal
end the program, and never is a temporary left. Then the commands are killed at random moments: what has its name is complete.

In `./test` a part of all n; in full by tools/torture (ESLABON_FULL_SWEEPS), which also prints the counts; there also one n for each place of the program
that asks the system for something (ESLABON_TORTURE_PLACES).
"""

import concurrent.futures
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCE, SHIM = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), os.path.abspath(sys.argv[3])
FOURBAR = SOURCE / "models" / "fourbar-testbed.yaml"
FULL = "ESLABON_FULL_SWEEPS" in os.environ
ONLY = os.environ.get("ESLABON_TORTURE_ONLY", "").split()  # commands, calls
MOST = int(os.environ.get("ESLABON_TORTURE_MOST", "0" if FULL else "16"))  # faults of one kind of each command; 0: all
KILLS = int(os.environ.get("ESLABON_TORTURE_KILLS", "200" if FULL else "6"))  # of each command
PLACES = "ESLABON_TORTURE_PLACES" in os.environ  # of mallocs from the same place only the first
CORES = int(os.environ.get("ESLABON_TORTURE_CORES", str(os.cpu_count())))
CALLS = ("malloc", "open", "write", "fsync", "rename", "thread")
GYROSCOPE = ["--release", "motor", "--sensors", "imu1_gyroscope"]
OLD = "old\n"
STUDY = f"""study: small
model: {SOURCE}/models/fourbar-double-crank.yaml
truth: {{until: 20 ms}}
sensors: [gyroscope]
options: {{step: 5 ms}}
tries: 2
converged: {{input.angle: 5 deg}}
"""

# The words of each command in a folder with model.yaml, readings.csv and truth.csv, and the files that it writes.
JOBS = {
    "info": (["info", "model.yaml", "--graph", "g.svg", "--diagram", "d.dot", "--report", "p.html"], ["g.svg", "d.dot", "p.html"]),
    "kinematics": (["kinematics", "model.yaml", "--until", "0.02", "--step", "0.01", "--out", "o.csv", "--report", "p.html"], ["o.csv", "p.html"]),
    "simulate": (["simulate", "model.yaml", "--until", "0.02", "--every", "0.01", "--out", "o.csv", "--events", "e.csv", "--reactions", "r.csv",
                  "--report", "p.html", "--provenance", "v.json"], ["o.csv", "e.csv", "r.csv", "p.html", "v.json"]),
    "inverse": (["inverse", "model.yaml", "--until", "0.02", "--step", "0.01", "--out", "o.csv", "--reactions", "r.csv"], ["o.csv", "r.csv"]),
    "equilibrium": (["equilibrium", "model.yaml", "--release", "motor", "--out", "o.csv"], ["o.csv"]),
    "modes": (["modes", "model.yaml", "--release", "motor", "--out", "m.csv"],
              [f"m.{part}.csv" for part in ("A", "B", "C", "D", "modes", "shapes")]),
    "sense": (["sense", "model.yaml", *GYROSCOPE, "--until", "0.02", "--out", "o.csv"], ["o.csv"]),
    "estimate": (["estimate", "model.yaml", *GYROSCOPE, "--measurements", "readings.csv", "--truth", "truth.csv", "--out", "o.csv"], ["o.csv"]),
    "live": (["estimate", "model.yaml", *GYROSCOPE, "--live", "--out", "o.csv"], ["o.csv"]),
    "study": (["study", "study.yaml", "--threads", "2", "--out", "results"], ["results/results.csv"]),
    "report": (["report", "model.yaml", "truth.csv", "--out", "p.html", "--svg", "s.svg"], ["p.html", "s.svg"]),
    "help": (["simulate", "--help"], []),
}
COMMANDS = set(ONLY) & set(JOBS)  # empty: all
TIMED = (".html", ".json")  # tell how long something took, and so differ from run to run


def is_whole(path, text, complete):
    """Whether a file is all that it should be."""
    if path.endswith(".html"):
        return text.rstrip().endswith("</html>")
    if path.endswith(".json"):
        return text.endswith("}\n")
    return text == complete


class Job:
    """A command in folders of its own."""

    def __init__(self, name, common):
        self.name, self.common = name, common
        self.words, self.outputs = JOBS[name]

    @contextlib.contextmanager
    def folder(self):
        with tempfile.TemporaryDirectory() as name:
            place = pathlib.Path(name)
            for path in self.common.iterdir():
                (place / path.name).symlink_to(path)
            for output in self.outputs:
                if not output.startswith("results/"):
                    (place / output).write_text(OLD, encoding="utf-8")
            yield place

    def start(self, place, **more):
        stdin = open(self.common / "readings.csv", "rb") if self.name == "live" else subprocess.DEVNULL
        process = subprocess.Popen([PROGRAM, *self.words], cwd=place, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, **more)
        if self.name == "live":
            stdin.close()
        return process

    @staticmethod
    def end_of(process):
        """What it has printed; one that does not end is killed."""
        try:
            return process.communicate(timeout=120)
        finally:
            process.kill()

    def run(self, call="", at=0, **more):
        """Status, what stands in the outputs, what was said, and all names in the folder; `more` is for the library."""
        environment = {**os.environ, "LD_PRELOAD": SHIM, "ESLABON_FAULT_CALL": call, "ESLABON_FAULT_AT": str(at), **more}
        with self.folder() as place:
            process = self.start(place, env=environment)
            out, said = self.end_of(process)
            return process.returncode, self.texts(place), out, said, self.partials(place)

    def calls(self, call):
        """A run without a fault, the number of calls, and those that may fail: all, or the first malloc from each place."""
        with tempfile.TemporaryDirectory() as folder:
            count, places = pathlib.Path(folder) / "count", pathlib.Path(folder) / "places"
            by_place = {"ESLABON_FAULT_PLACES": str(places)} if PLACES and call == "malloc" else {}
            complete = self.run(call, 0, ESLABON_FAULT_COUNT=str(count), **by_place)
            number = int(count.read_text(encoding="ascii"))
            return complete, number, sorted(map(int, places.read_text(encoding="ascii").split())) if by_place else range(1, number + 1)

    def texts(self, place):
        return {output: (place / output).read_text(encoding="utf-8", errors="replace") if (place / output).exists() else None
                for output in self.outputs}

    @staticmethod
    def partials(place):
        return [path.name for path in place.rglob("*.partial")]


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.common = pathlib.Path(folder.name)
        shutil.copy(FOURBAR, cls.common / "model.yaml")
        (cls.common / "study.yaml").write_text(STUDY, encoding="utf-8")
        for words in (["sense", FOURBAR, *GYROSCOPE, "--until", "0.02", "--out", cls.common / "readings.csv"],
                      ["simulate", FOURBAR, "--release", "motor", "--until", "0.02", "--every", "0.01", "--out", cls.common / "truth.csv"]):
            subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True)

    def chosen(self, calls, rng):
        """Which calls fail: all, or the first and some of the others."""
        if MOST == 0 or len(calls) <= MOST:
            return calls
        first = MOST // 3
        return [*calls[:first], *sorted(rng.sample(calls[first:], MOST - first))]

    def fault_of(self, job, complete, call, at):
        """What is wrong after this fault; nothing when all is well."""
        status, texts, out, said, partials = job.run(call, at)
        if status < 0:
            return f"signal {signal.Signals(-status).name}"
        if partials:
            return f"left {partials}"
        if status != 0 and not said and call != "write":
            return f"status {status} without a word"
        for output, text in texts.items():
            old = None if output.startswith("results/") else OLD
            if text is not None and is_whole(output, text, complete[1][output]):
                continue
            if status == 0 and "only plots are shown" in said:
                continue  # a note tells what is missing
            if status == 0:
                return f"status 0, but {output} is not complete"
            is_beginning = job.name == "live" or (text or "").endswith("\n")
            if text != old and not (is_beginning and not output.endswith(TIMED) and (complete[1][output] or "").startswith(text or "")):
                return f"status {status}, and {output} is neither as before nor complete: {text!r:.80}"
        if status == 0 and job.name == "help" and out != complete[2]:
            return "status 0, but not all was printed"
        return None

    def test_no_fault_of_the_system_loses_or_spoils_a_file(self):
        rng = random.Random(20)
        told, wrong = [], []
        with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
            for name in JOBS:
                if COMMANDS and name not in COMMANDS:
                    continue
                job = Job(name, self.common)
                for call in (call for call in CALLS if call in ONLY) if set(ONLY) & set(CALLS) else CALLS:
                    complete, number, calls = job.calls(call)
                    self.assertEqual((complete[0], complete[4]), (0, []), (name, complete[3]))
                    tries = self.chosen(calls, rng)
                    found = list(pool.map(lambda at, job=job, complete=complete, call=call: self.fault_of(job, complete, call, at), tries))
                    wrong += [f"{name}: {call} {at}: {fault}" for at, fault in zip(tries, found) if fault]
                    told.append(len(found))
                    print(f"{name:12} {call:7} {number:7} calls, {len(found):6} faults", flush=True)
        print(sum(told), "faults")
        self.assertEqual(wrong[:20], [], f"{len(wrong)} in all")

    def test_no_kill_leaves_a_file_that_looks_complete_and_is_not(self):
        rng = random.Random(21)
        kills = 0
        for name in JOBS:
            if COMMANDS and name not in COMMANDS:
                continue
            job = Job(name, self.common)
            begin = time.monotonic()
            complete = job.run()
            lasts = time.monotonic() - begin
            for _ in range(KILLS):
                with job.folder() as place:
                    self.kill_once(job, place, rng.uniform(0, lasts), rng.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)), complete)
                kills += 1
        print(kills, "kills")

    def kill_once(self, job, place, after, how, complete):
        process = job.start(place)
        time.sleep(after)
        process.send_signal(how)
        job.end_of(process)
        self.assertIn(process.returncode, (0, -how, 128 + how), job.name)
        for output, text in job.texts(place).items():
            old = None if output.startswith("results/") else OLD
            is_cut = process.returncode == 128 + how or job.name == "live"  # rows so far
            is_beginning = is_cut and not output.endswith(TIMED) and text is not None and (complete[1][output] or "").startswith(text)
            self.assertTrue(text == old or is_whole(output, text or "", complete[1][output]) or is_beginning, (job.name, how, output))
        if how != signal.SIGKILL:
            self.assertEqual(job.partials(place), [], job.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
