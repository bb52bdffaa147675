"""Who loses digits? At random states of the RSSR four-bar the printed Python, computed in numbers of 60 digits, gives the accelerations that the
state means to the last bit. The exported C code and two formulations of the program are compared with them, and so is what changes when
the positions are rounded the other way: nobody who is given doubles can know more.

    exact_accelerations.py EXPORT_SWEEP ESLABON SOURCES [--states 100]
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import types

try:
    import mpmath
except ImportError:  # Debian's own, which SymPy needs; another python3 may come first in the path
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

EPSILON = 2.0**-52
FACTOR = 64  # as in export_sweep.cpp
WELL_CONDITIONED = 1e4
COORDINATES = 6
WAYS = ["C code", "ReducedMotion", "multipliers"]


class Exactly(types.ModuleType):
    """What the printed Python asks of NumPy, for numbers of mpmath."""

    sin, cos, sqrt, minimum = map(staticmethod, (mpmath.sin, mpmath.cos, mpmath.sqrt, min))
    abs = staticmethod(abs)

    @staticmethod
    def array(numbers):
        return numbers

    @staticmethod
    def zeros(shape):
        return [mpmath.mpf(0)]*shape[0]

    @staticmethod
    def where(condition, yes, no):
        return yes if condition else no

    @staticmethod
    def broadcast(*numbers):
        return types.SimpleNamespace(shape=())


def printed_model(program, sources, folder):
    subprocess.run([program, "export", os.path.join(sources, "models", "rssr.yaml"), "--release", "motor", "--language", "python",
                    "--name", "rssr", "--out", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sys.modules["numpy"] = Exactly("numpy")
    spec = importlib.util.spec_from_file_location("rssr", os.path.join(folder, "rssr.py"))
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    return model


class State:
    """One line of export_sweep --write."""

    def __init__(self, line):
        numbers = iter([mpmath.mpf(float.fromhex(word)) for word in line.split()])
        take = lambda count: [next(numbers) for _ in range(count)]
        (self.kappa,), self.u, self.x, self.sizes = take(1), take(1), take(2*COORDINATES), take(COORDINATES)
        self.found = [take(COORDINATES) for _ in WAYS]

    def apart(self, a, b):
        return max(abs(x - y)/size for x, y, size in zip(a, b, self.sizes))

    def errors(self, model):
        """Of all ways, and what half a unit in the last place of each position changes at most, by the largest number solved for."""
        accelerations = lambda x: model.accelerations(x, self.u, [mpmath.mpf(0)]*2)
        exact = accelerations(self.x)
        rounded = 0
        for c in range(COORDINATES):
            x = list(self.x)
            x[c] *= 1 + mpmath.mpf(EPSILON)/2
            rounded += self.apart(accelerations(x), exact)
        return [self.apart(way, exact) for way in self.found] + [rounded]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sweep")
    parser.add_argument("program")
    parser.add_argument("sources")
    parser.add_argument("--states", type=int, default=100)
    options = parser.parse_args()
    mpmath.mp.dps = 60
    with tempfile.TemporaryDirectory() as folder:
        model = printed_model(options.program, options.sources, folder)
        path = os.path.join(folder, "states")
        subprocess.run([options.sweep, "--only", "rssr", "--derivatives", "no", "--states", str(options.states), "--write", path],
                       check=True)
        with open(path, encoding="ascii") as lines:
            states = [State(line) for line in lines]
    assert len(states) == options.states
    errors = [state.errors(model) for state in states]
    print(f"{'':24} {'median':>8} {'max':>8} {'k < 1e4':>8} {'/64ek':>7}")
    worst = []
    for way, name in enumerate(WAYS + ["positions, half a unit"]):
        column = sorted(error[way] for error in errors)
        well = max(error[way] for error, state in zip(errors, states) if state.kappa < WELL_CONDITIONED)
        worst.append(max(error[way]/(FACTOR*EPSILON*state.kappa) for error, state in zip(errors, states)))
        print(f"{name:24} " + " ".join(f"{float(x):8.1e}" for x in (column[len(column)//2], column[-1], well)) + f" {float(worst[-1]):7.3f}")
    return 0 if max(worst[:len(WAYS)]) <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
