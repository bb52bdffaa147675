"""The equations that `eslabon export` prints for the testbed four-bar against a Lagrangian that SymPy derives by itself, without roundoff."""

import os
import re
import sys
import unittest

try:
    import sympy as sp
except ImportError:  # Debian's own, whose SymPy packages.txt installs; another python3 may come first in the path
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

from program import MODELS, InFolder, call

# Lengths and masses of the testbed, from its source; crank a disc about A, coupler and rocker uniform bars.
CRANK, COUPLER, ROCKER, BASE = sp.Rational("0.12"), sp.Rational("0.54"), sp.Rational("0.455"), sp.Rational("0.8")
DISC, MASSES, GRAVITY = sp.Rational("0.15"), [sp.Rational(m) for m in ("11.1", "0.4", "1.23")], sp.Rational("9.81")

Q = sp.symbols("q_A q_B q_P1")  # crank, rocker, coupler relative to the crank
V = sp.symbols("v_A v_B v_P1")
SINES, COSINES = sp.symbols("s_A s_B s_P1"), sp.symbols("c_A c_B c_P1")
ALPHA, BETA = sp.symbols("alpha beta")


class Lagrangian:
    """M a + Jᵀ λ = f, J a = γ of the four-bar: the coupler on the crank, its other end held at the rocker's, along its own axes."""

    def __init__(self):
        t = sp.Symbol("t")
        moving = [sp.Function(q.name)(t) for q in Q]
        crank, rocker, coupler = moving[0], moving[1], moving[0] + moving[2]
        along = lambda angle: sp.Matrix([sp.cos(angle), sp.sin(angle)])
        p1, p2 = CRANK*along(crank), CRANK*along(crank) + COUPLER*along(coupler)
        rocker_end = sp.Matrix([BASE, 0]) + ROCKER*along(rocker)
        centres = [sp.zeros(2, 1), p1 + COUPLER/2*along(coupler), sp.Matrix([BASE, 0]) + ROCKER/2*along(rocker)]
        inertias = [MASSES[0]*DISC**2/2, MASSES[1]*COUPLER**2/12, MASSES[2]*ROCKER**2/12]
        energy, potential = 0, 0
        for mass, inertia, centre, angle in zip(MASSES, inertias, centres, (crank, coupler, rocker)):
            energy += mass*centre.diff(t).dot(centre.diff(t))/2 + inertia*angle.diff(t)**2/2
            potential += mass*GRAVITY*centre[1]
        gap = rocker_end - p2
        axes = sp.Matrix([[sp.cos(coupler), sp.sin(coupler)], [-sp.sin(coupler), sp.cos(coupler)]])
        Phi = axes*gap

        rates, seconds = [q.diff(t) for q in moving], [q.diff(t, 2) for q in moving]
        equations = [(energy.diff(v).diff(t) - energy.diff(q) + potential.diff(q)).expand() for q, v in zip(moving, rates)]
        still = dict.fromkeys(seconds, 0)
        stabilised = Phi.diff(t, 2).subs(still) + 2*ALPHA*Phi.diff(t) + BETA**2*Phi
        plain = lambda matrix: sp.Matrix(matrix).subs(dict(zip(rates, V))).subs(dict(zip(moving, Q)))
        self.mass = plain([[equation.coeff(a) for a in seconds] for equation in equations])
        self.forces = -plain([equation.subs(still) for equation in equations])
        self.residual = plain(Phi)
        self.jacobian = self.residual.jacobian(Q)
        self.gamma = -plain(stabilised)


def polynomial(expression):
    """The one way to write a polynomial of sines and cosines of Q: sums of angles expanded, s² = 1 − c²."""
    expression = sp.expand_trig(sp.sympify(expression))
    expression = expression.subs({sp.sin(q): s for q, s in zip(Q, SINES)}).subs({sp.cos(q): c for q, c in zip(Q, COSINES)})
    return sp.reduced(sp.expand(expression), [s**2 + c**2 - 1 for s, c in zip(SINES, COSINES)], *SINES, *COSINES)[1]


class Cells(dict):
    """An array for printed functions to fill; what they do not fill is 0."""

    def __missing__(self, place):
        return sp.Integer(0)


class Printed:
    """The printed module, with numbers that are exact and functions that are SymPy's."""

    sin, cos, abs = staticmethod(sp.sin), staticmethod(sp.cos), staticmethod(sp.Abs)

    def __init__(self, text):
        text = re.sub(r"^import numpy as np$", "", text, flags=re.M)
        statements = re.compile(r"^    \S.* = .*$", re.M)
        numbers = re.compile(r"(?<![\w.])\d+\.\d*(?:[eE][+-]?\d+)?")
        text = statements.sub(lambda line: numbers.sub(lambda found: f"exact('{found[0]}')", line[0]), text)
        self.functions = {"np": self, "exact": self.exact}
        exec(compile(text, "printed", "exec"), self.functions)  # what the program has just written

    @staticmethod
    def exact(text):
        """The number that was meant: products of lengths and masses, some by 12, are rounded in the model to the last of 16 digits. Others, by
        which pivots are measured, are what is written."""
        number = sp.Rational(text)
        meant = sp.Rational(round(number*12*10**10), 12*10**10)
        return meant if abs(meant - number) < sp.Rational(1, 10**14)*abs(meant) else number

    @staticmethod
    def array(values):
        return values

    @staticmethod
    def broadcast(*_):
        return type("Shape", (), {"shape": ()})

    @staticmethod
    def zeros(_):
        return Cells()

    @staticmethod
    def where(is_so, one, other):
        if is_so in (sp.true, sp.false):
            return one if is_so == sp.true else other
        return sp.Dummy()  # constraint error and smallest pivot, which no equation contains

    def call(self, name, q, v):
        return self.functions[name]([*q, *v], [sp.Integer(0)], [ALPHA, BETA])


class FourBar(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.expected = Lagrangian()

    def printed(self):
        done = call("export", MODELS / "fourbar-testbed.yaml", "--release", "motor", "--language", "python", "--name", "m", "--out", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Printed((self.folder / "m.py").read_text(encoding="utf-8"))

    def differences(self, printed):
        """Printed less derived, of everything in M a + Jᵀ λ = f, J a = γ."""
        for name in ("residual", "gamma", "forces", "mass", "jacobian"):
            found = printed.call(name, Q, V)
            expected = getattr(self.expected, name)
            for row in range(expected.rows):
                for column in range(expected.cols):
                    one = found[(row, column)] if expected.cols > 1 else found[row]
                    yield (name, row, column), polynomial(one - expected[row, column])

    def test_printed_equations_are_those_of_a_lagrangian(self):
        seen = 0
        for place, difference in self.differences(self.printed()):
            self.assertEqual(difference, 0, place)
            seen += 1
        self.assertEqual(seen, 2 + 2 + 3 + 9 + 6)

    def test_a_wrong_sign_is_seen(self):
        self.printed()
        text = (self.folder / "m.py").read_text(encoding="utf-8")
        where = text.index("shape)\n", text.index("def forces"))
        wrong = Printed(text[:where] + text[where:].replace(" + ", " - ", 1))
        self.assertTrue(any(difference != 0 for _, difference in self.differences(wrong)))

    def test_accelerations_and_their_derivatives_are_the_solution(self):
        """At positions whose sines and cosines are rational, (1 − t², 2 t)/(1 + t²), everything is a rational number and nothing rounds."""
        printed, derived = self.printed(), self.expected
        matrices = [derived.mass, derived.jacobian, derived.forces, derived.gamma]
        by_x = [[matrix.diff(x) for matrix in matrices] for x in (*Q, *V)]
        points = [(sp.Rational(1, 3), sp.Rational(5, 2), sp.Rational(-2, 7)), (sp.Rational(-7, 4), sp.Rational(3, 5), sp.Rational(9, 8)),
                  (sp.Rational(11, 3), sp.Rational(-4, 9), sp.Rational(1, 6))]
        for number, halves in enumerate(points):
            rates = [sp.Rational(3 - number, 2), sp.Rational(-5, 3), sp.Rational(7 + number, 4)]
            known = {BETA: sp.Rational(9, 2), ALPHA: sp.Rational(10, 3), **dict(zip(V, rates))}
            for q, t in zip(Q, halves):
                known.update({sp.sin(q): 2*t/(1 + t**2), sp.cos(q): (1 - t**2)/(1 + t**2)})
            at = lambda matrix: sp.expand_trig(sp.Matrix(matrix)).subs(known)
            M, J, f, gamma = map(at, matrices)
            K = sp.Matrix(sp.BlockMatrix([[M, J.T], [J, sp.zeros(2, 2)]]))
            y = K.LUsolve(sp.Matrix([f, gamma]))
            found = self.at_rational_point(printed, "accelerations", known, rates)
            for k in range(3):
                self.assertEqual(found[k], y[k])
            found = self.at_rational_point(printed, "accelerations_by_x", known, rates)
            for column, (M_x, J_x, f_x, gamma_x) in enumerate([list(map(at, parts)) for parts in by_x]):
                a, multipliers = sp.Matrix(y[:3]), sp.Matrix(y[3:])
                y_x = K.LUsolve(sp.Matrix([f_x - M_x*a - J_x.T*multipliers, gamma_x - J_x*a]))
                for k in range(3):
                    self.assertEqual(found[(k, column)], y_x[k], (k, column))

    @staticmethod
    def at_rational_point(printed, name, known, rates):
        printed.sin, printed.cos = lambda angle: known[sp.sin(angle)], lambda angle: known[sp.cos(angle)]
        function = printed.functions[name]
        return function([*Q, *rates], [sp.Integer(0)], [known[ALPHA], known[BETA]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
