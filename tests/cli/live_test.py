"""`eslabon estimate --live`: pipes, ports, bad lines, signals, and a log that survives kill -9."""

import contextlib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

from estimate_test import GYROSCOPES, TESTBED, FromTruth, table
from program import PROGRAM, call

FULL = os.environ.get("ESLABON_FULL_SWEEPS") is not None
FILTER = ("--release", "motor", *GYROSCOPES, "--outputs", "crank.angle")


def live(out, *words, **pipes):
    return subprocess.Popen([PROGRAM, "estimate", TESTBED, *FILTER, "--live", "--out", out, *map(str, words)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **pipes)


class Live(FromTruth):
    def readings(self, until="2"):
        self.simulate(TESTBED, "--release", "motor", "--set", "crank_friction=0.2 N*m", until=until)
        self.sense(TESTBED, *GYROSCOPES)
        return self.file("readings.csv")

    def test_a_piped_file_gives_the_estimates_of_a_batch_in_real_time(self):
        path = self.readings()
        start = time.monotonic()
        with open(path, encoding="utf-8") as file:
            run = live(self.out, stdin=file)
            page, errors = run.communicate(timeout=60)
        self.assertEqual((run.returncode, errors), (0, ""))
        self.assertGreater(time.monotonic() - start, 1.9)
        self.assertRegex(page, r"\d+ steps, \d+ missed")
        self.assertRegex(page, r"p99\.9 ")
        found = table(self.out)
        done = self.estimate(TESTBED, *FILTER)
        self.assertEqual(done.returncode, 0, done.stderr)
        batch = dict(zip(table(self.out)["t"], table(self.out)["crank.angle"]))
        self.assertGreater(len(found["t"]), 1900)
        for t, angle in zip(found["t"], found["crank.angle"]):
            self.assertAlmostEqual(angle, batch[t], delta=1e-9)

    def test_bad_lines_are_refused_and_told_and_the_run_goes_on(self):
        lines = self.readings(until="0.5").read_text(encoding="utf-8").splitlines()
        lines[10] = "nonsense"
        lines[20] = lines[20] + ",1"
        run = live(self.out, stdin=subprocess.PIPE)
        page, errors = run.communicate("\n".join(lines) + "\n", timeout=60)
        self.assertEqual(run.returncode, 0, errors)
        self.assertIn("2 lines refused", page)
        self.assertIn(":11", errors)

    def test_datagrams_to_a_port(self):
        lines = self.readings(until="0.5").read_text(encoding="utf-8").splitlines()
        run = live(self.out, "--udp", "0", stdin=subprocess.DEVNULL)
        port = int(re.search(r"127\.0\.0\.1:(\d+)", run.stderr.readline())[1])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto("\n".join(lines[:2]).encode() + b"\n", ("127.0.0.1", port))
            for line in lines[2:]:
                sender.sendto(line.encode() + b"\n", ("127.0.0.1", port))
                time.sleep(0.01)
        time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        page, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 128 + signal.SIGINT, errors)
        self.assertIn("the run was cut by SIGINT", errors)
        self.assertIn("imu1_gyroscope", page)
        self.assertGreater(len(table(self.out)["t"]), 400)

    def listening(self, *words):
        """A run on a port, and the port."""
        run = live(self.out, "--udp", "0", *words, stdin=subprocess.DEVNULL)
        return run, ("127.0.0.1", int(re.search(r"127\.0\.0\.1:(\d+)", run.stderr.readline())[1]))

    def test_other_senders_change_nothing_unless_asked(self):
        lines = self.readings(until="1").read_text(encoding="utf-8").splitlines()
        names = lines[0].split(",")
        def cells(line):
            return sum(cell != "" for cell in line.split(",")[1:])

        readings = sum(map(cells, lines[2:92]))
        swapped = ",".join([names[0], *reversed(names[1:])]) + "\n" + lines[1]
        for words in ((), ("--any-sender",)):
            run, port = self.listening(*words)
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stray:
                sender.sendto("\n".join(lines[:2]).encode(), port)
                for k, line in enumerate(lines[2:92]):
                    if k % 30 == 10:
                        stray.sendto(b"t_ns,nonsense", port)
                        stray.sendto(swapped.encode(), port)
                    sender.sendto(line.encode(), port)
                    time.sleep(0.01)
                if words:
                    stray.sendto(lines[92].encode(), port)
                time.sleep(0.2)
            run.send_signal(signal.SIGINT)
            page, errors = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 130, errors)
            if words:
                self.assertIn(f"102 lines, {readings + cells(lines[92])} readings, 3 lines refused", page)
                self.assertNotIn("passed over", errors)
            else:
                self.assertIn(f"92 lines, {readings} readings, 0 lines refused", page)
                self.assertRegex(errors, r"note: 6 datagrams were passed over, the first of them from 127\.0\.0\.1:\d+: .*--any-sender")
        done = call("estimate", TESTBED, "--measurements", self.file("readings.csv"), "--any-sender", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("senders without a port", done.stderr)

    def test_datagrams_that_the_system_loses_are_counted(self):
        lines = self.readings(until="0.5").read_text(encoding="utf-8").splitlines()
        run, port = self.listening()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto("\n".join(lines[:3]).encode(), port)
            time.sleep(0.1)
            run.send_signal(signal.SIGSTOP)  # nobody reads: what does not fit into the queue is lost
            for _ in range(20_000):
                sender.sendto(lines[2].encode(), port)
            run.send_signal(signal.SIGCONT)
            time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        page, errors = run.communicate(timeout=60)
        taken, lost = (int(n) for n in re.search(r"Datagrams  (\d+) taken, 0 of other senders passed over, (\d+) lost", page).groups())
        self.assertEqual(taken + lost, 20_001)
        self.assertGreater(lost, 1000)
        self.assertIn(f"note: {lost} datagrams were lost by the system", errors)

    def test_until_ends_the_run_while_only_rubbish_comes(self):
        run = live(self.out, "--until", "0.3", stdin=subprocess.PIPE)
        sender = threading.Thread(target=self.send_rubbish, args=(run.stdin,))
        sender.start()
        try:
            run.wait(timeout=30)
        finally:
            run.kill()
        errors = run.stderr.read()
        sender.join()
        run.stdout.close()
        run.stderr.close()
        self.assertEqual(run.returncode, 2, errors)
        self.assertIn("no reading came [the standard input]", errors)
        run, port = self.listening("--until", "0.3")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as rubbish:
            while run.poll() is None:
                rubbish.sendto(b"rubbish", port)
                time.sleep(0.001)
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2, errors)
        self.assertIn("no reading came [--udp]", errors)

    @staticmethod
    def send_rubbish(pipe):
        with contextlib.suppress(BrokenPipeError):
            while True:
                pipe.write("rubbish\n")
                pipe.flush()
                time.sleep(0.001)

    def test_rows_that_nobody_reads_do_not_hold_up_the_steps(self):
        """Rows of 200 outputs are longer than what a pipe that can be written to takes at once."""
        self.readings(until="1")
        points = [f"X{k}" for k in range(200)]
        model = self.write(TESTBED.read_text(encoding="utf-8").replace(
            "points: {B: [0, 0]", "points: {" + ", ".join(f"{name}: [0.{k:03}, 0.1]" for k, name in enumerate(points)) + ", B: [0, 0]"))
        with open(self.file("readings.csv"), encoding="utf-8") as readings:
            run = subprocess.Popen([PROGRAM, "estimate", model, "--release", "motor", *GYROSCOPES, "--outputs",
                                    ",".join(f"rocker.{name}.x" for name in points), "--live", "--out", "-"],
                                   stdin=readings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            run.wait(timeout=60)  # without a byte read of its standard output
        finally:
            run.kill()
        out, errors = run.communicate()
        self.assertEqual(run.returncode, 0, errors)
        self.assertRegex(errors, r"note: \d+ rows were not printed: they were not read in time")
        rows = out.split("\n")[2:-1]  # what is behind the last line break was cut off
        self.assertGreater(len(rows[0]), 4096)
        self.assertEqual({len(row.split(",")) for row in rows}, {len(out.split("\n")[0].split(","))})

    def test_a_run_that_used_no_reading_has_not_done_its_work(self):
        lines = self.readings(until="0.3").read_text(encoding="utf-8").splitlines()
        spoilt = self.file("readings.csv")
        spoilt.write_text("\n".join(lines[:2] + [line.split(",")[0] + ",nan" * line.count(",") for line in lines[2:]]) + "\n",
                          encoding="utf-8")
        for words in (("--filter", "dekf"), ("--filter", "dekf,ukf")):
            done = self.estimate(TESTBED, *FILTER, *words)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("no reading was accepted", done.stderr)
        with open(spoilt, encoding="utf-8") as file:
            run = live(self.out, stdin=file)
            _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1, errors)
        self.assertIn("no reading was accepted: the estimate comes from the model alone [filter dekf]: expected", errors)

    def test_estimates_come_at_once_on_the_standard_output(self):
        lines = self.readings(until="0.3").read_text(encoding="utf-8").splitlines()
        run = live("-", "--every", "10 ms", stdin=subprocess.PIPE)
        out, errors = run.communicate("\n".join(lines) + "\n", timeout=60)
        self.assertEqual(run.returncode, 0, errors)
        rows = out.splitlines()
        self.assertEqual(rows[0].split(",")[:3], ["t", "crank.angle", "crank.angle.sigma"])
        self.assertGreater(len(rows), 20)
        self.assertIn("Latency", errors)

    def test_kill_9_loses_at_most_the_last_second(self):
        lines = self.readings(until="4").read_text(encoding="utf-8").splitlines()
        for trial in range(10 if FULL else 2):
            run = live(self.out, stdin=subprocess.PIPE)
            run.stdin.write("\n".join(lines) + "\n")
            run.stdin.flush()
            while not pathlib.Path(self.out).exists() or pathlib.Path(self.out).stat().st_size < 1000:
                time.sleep(0.01)
            begin = time.monotonic()
            time.sleep(random.Random(trial).uniform(0.6, 2.5))
            run.send_signal(signal.SIGKILL)
            lasted = time.monotonic() - begin
            run.wait()
            for pipe in (run.stdin, run.stdout, run.stderr):
                pipe.close()
            rows = pathlib.Path(self.out).read_text(encoding="utf-8").split("\n")[2:-1]  # what is behind the last break is cut
            width = len(rows[0].split(","))
            self.assertTrue(all(len(row.split(",")) == width for row in rows))
            self.assertGreater(float(rows[-1].split(",")[0]), lasted - 1.0)
            pathlib.Path(self.out).unlink()

    def test_no_readings_and_wrong_ports_are_said(self):
        run = live(self.out, stdin=subprocess.DEVNULL)
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertIn("no reading came [the standard input]", errors)
        done = call("estimate", TESTBED, *FILTER, "--live", "--udp", "70000", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not a port", done.stderr)

    if FULL:  # a minute, with nothing beside it
        def test_every_step_of_a_minute_is_taken_while_the_other_core_is_busy(self):
            path = self.readings(until="60")
            with open(path, encoding="utf-8") as file, subprocess.Popen(["sh", "-c", "while :; do :; done"]) as busy:
                run = live(self.out, stdin=file)
                page, errors = run.communicate(timeout=120)
                busy.kill()
            self.assertEqual(run.returncode, 0, errors)
            print(page)
            self.assertEqual(len(table(self.out)["t"]), 60_001)
            # Steps that begin a whole step late: a machine that is not for real time lets any thread wait for so long now and then.
            self.assertLess(int(re.search(r"(\d+) missed", page)[1]), 60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
