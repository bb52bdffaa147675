"""`kill -9` at any moment leaves a log whose complete lines are all good, and loses at most the last second.

Called by CTest with the program that writes such a log.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WRITER = os.path.abspath(sys.argv[1])
FULL = "ESLABON_FULL_SWEEPS" in os.environ


class LiveLog(unittest.TestCase):
    def test_survives_kill(self):
        moments = random.Random(8)
        lost = []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(40 if FULL else 4):
                lost.append(self.kill_once(pathlib.Path(folder) / "log.csv", moments.uniform(0.1, 3.0 if FULL else 1.0)))
        print(f"lost at most {max(lost):.3f} s")
        self.assertLessEqual(max(lost), 1.0)

    def kill_once(self, path, after):
        """Seconds of the log that are missing."""
        path.unlink(missing_ok=True)
        with subprocess.Popen([WRITER, path]) as writer:
            while not path.exists() or path.stat().st_size < 20:
                time.sleep(0.001)
            time.sleep(after)
            killed = time.clock_gettime(time.CLOCK_MONOTONIC)
            writer.send_signal(signal.SIGKILL)
        lines = path.read_text(encoding="ascii").split("\n")
        lines.pop()  # what follows the last line break: nothing, or a line that was cut
        self.assertEqual(lines[:2], ["t,row,check", "s,1,1"])
        for number, line in enumerate(lines[2:]):
            t, row, check = map(float, line.split(","))
            self.assertEqual(row, number)  # none is missing in between
            self.assertEqual(check, t + row)
        self.assertGreater(len(lines), 10)
        return killed - t


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
