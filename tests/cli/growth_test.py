"""Mechanisms of thousands of bodies: memory and time grow as the mechanism does, and length is no singularity."""

import os
import subprocess
import sys
import unittest

from program import PROGRAM, InFolder, call


def chain(bars, angles=True):
    """Bars of 1 m, hung from each other at 10° to either side of the vertical."""
    lines = ["mechanism: chain", "plane: xy", "gravity: [0, -9.81]", "ground: {points: {O: [0, 0]}}", "bodies:"]
    lines += [f"  b{k}: {{mass: 1, shape: {{bar: [A, B]}}, points: {{A: [0, 0], B: [1, 0]}}}}" for k in range(bars)]
    lines += ["joints:"]
    lines += [f"  j{k}: {{revolute: [{'ground.O' if k == 0 else f'b{k - 1}.B'}, b{k}.A]}}" for k in range(bars)]
    if angles:
        lines += ["assembly: {" + ", ".join(f"b{k}.angle: {-80 - 20 * (k % 2)} deg" for k in range(bars)) + "}"]
    return "\n".join(lines + ["outputs: [b0.angle]", ""])


class Growth(InFolder):
    def cost(self, *words):
        """Memory [MB] at most, and time of the processor [s], of a call."""
        run = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        return used.ru_maxrss / 1000, used.ru_utime

    def test_info_of_open_chains_grows_with_their_length(self):
        for angles in (False, True):
            small = self.cost("info", self.write(chain(2500, angles)))
            large = self.cost("info", self.write(chain(10_000, angles)))
            # Four times as long: what grows with the square would be sixteen times as much.
            self.assertLess(large[0], 7 * small[0])
            self.assertLess(large[1], 9 * max(small[1], 0.1))

    def test_a_chain_of_two_thousand_links_is_no_singularity(self):
        done = call("simulate", self.write(chain(2000)), "--until", "1 ms", "--every", "1 ms", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, columns = self.columns()
        self.assertEqual(len(columns["t"]), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
