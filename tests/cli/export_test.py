"""`eslabon export`: what it writes is compiled, run and compared, in every language; and what cannot be exported."""

import ctypes
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest

from program import MODELS, InFolder, call

FOURBAR = MODELS / "fourbar-testbed.yaml"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
# Debian's own, whose NumPy packages.txt installs; another one may come first in the path.
PYTHON = next(path for path in ("/usr/bin/python3", sys.executable) if os.path.exists(path))


def run(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=100, check=False, **more)


class Export(InFolder):
    def export(self, model, *words):
        done = call("export", model, "--out", self.folder / "out", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "out"

    def check_output(self, text, least=6):
        """Every function is compared, and none differs by more than roundoff."""
        rows = re.findall(r"^(\w+) +([\d.e+-]+)$", text, re.M)
        self.assertGreaterEqual(len(rows), least, text)
        for name, worst in rows:
            self.assertLess(float(worst), 1e-9, name)

    def test_the_first_command_of_the_help_works(self):
        folder = self.export(FOURBAR, "--release", "motor")
        self.assertEqual(sorted(path.name for path in folder.iterdir() if path.suffix in (".c", ".h", ".py")),
                         ["four_bar_testbed.c", "four_bar_testbed.h", "four_bar_testbed.py", "four_bar_testbed_check.c",
                          "four_bar_testbed_check.py"])
        done = run("make", "-C", folder, "check", f"PYTHON={PYTHON}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.check_output(done.stdout, 18)

    def test_a_check_fails_where_a_number_is_wrong(self):
        folder = self.export(FOURBAR, "--release", "motor", "--name", "arm")
        source = folder / "arm.c"
        text = source.read_text(encoding="utf-8")
        where = text.index("int arm_forces")
        source.write_text(text[:where] + text[where:].replace(" + ", " - ", 1), encoding="utf-8")
        done = run("make", "-C", folder, "check-c")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn("functions differ", done.stdout)

    def test_a_check_fails_where_a_call_returns_another_status(self):
        for language, file, old, new in (("c", "arm.c", " ? 0 : 1;", " ? 1 : 1;"),
                                         ("c++", "arm_lanes.cpp", "told[count + i] > smallest_pivot", "told[count + i] > 10.0")):
            folder = self.export(FOURBAR, "--release", "motor", "--name", "arm", "--language", language)
            self.assertEqual(run("make", "-C", folder, "check").returncode, 0, language)
            text = (folder / file).read_text(encoding="utf-8")
            self.assertIn(old, text)
            (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
            done = run("make", "-C", folder, "check")
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn("returns", done.stdout)

    def test_positions_that_are_not_found_are_told(self):
        for form, function in (("reduced", "accelerations"), ("kinematics", "velocities")):
            folder = self.export(MODELS / "quarter-vehicle.yaml", "--form", form, "--language", "c", "--name", "m")
            memory = len(re.findall(r"as found last", (folder / "m.h").read_text(encoding="utf-8")))
            self.assertGreater(memory, 0)
            (folder / "far.c").write_text(f"""#include "m.h"
#include <stdio.h>
int main(void)
{{
  double x[M_X], y[M_{function.upper()}], w[M_WORK];
  int i, k, found = 0, lost = 0, wrong = 0;
  for (k = 0; k < 60; ++k) {{
    for (i = 0; i < M_X; ++i) x[i] = m_start_x[i] + (i < M_X - {memory} ? 0.0 : 0.05*k);
    if (m_{function}(x, m_start_u, m_default_p, y, w) == 0) ++found; else ++lost;
    if (m_{function}(x, m_start_u, m_default_p, y, w) == 0 && w[0] > 1e-8) ++wrong;
  }}
  printf("%d %d %d\\n", found > 0, lost > 0, wrong);
  return 0;
}}
""", encoding="ascii")
            self.assertEqual(run("gcc", *STRICT, "-O1", "m.c", "far.c", "-o", "far", "-lm", cwd=folder).stderr, "")
            self.assertEqual(run("./far", cwd=folder).stdout.split(), ["1", "1", "0"], form)

    def test_the_c_code_compiles_without_a_warning(self):
        for model, words in ((FOURBAR, []), (MODELS / "quarter-vehicle.yaml", []), (FOURBAR, ["--precision", "float"]),
                             ("family:scalable-fourbar,dyads=5", ["--release", "all", "--precision", "double"])):
            folder = self.export(model, "--language", "c", "--name", "m", *words)
            for compiler in ("gcc", "clang"):
                if shutil.which(compiler) is None:
                    self.assertNotEqual(compiler, "gcc")
                    continue
                done = run(compiler, *STRICT, "-O1", "-c", "m.c", "-o", "m.o", cwd=folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (model, compiler))
            done = run("gcc", *STRICT, "-O1", "-fsanitize=address,undefined", "m.c", "m_check.c", "-o", "check", "-lm", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = run("./check", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            symbols = run("nm", "-u", "m.o", cwd=folder).stdout
            self.assertNotIn("malloc", symbols)

    def test_the_lanes_compile_without_a_warning_and_are_right_at_any_width(self):
        folder = self.export(FOURBAR, "--release", "motor", "--language", "c++", "--name", "m")
        for compiler, wide in (("g++", []), ("g++", ["-march=native"]), ("g++", ["-fsanitize=address,undefined"]),
                               ("clang++", [])):
            if compiler == "clang++" and shutil.which(compiler) is None:
                continue
            done = run(compiler, "-std=c++11", *STRICT[1:], "-O1", *wide, "m_lanes.cpp", "m_lanes_check.cpp", "-o", "check",
                       cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""), (compiler, wide))
            done = run("./check", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.check_output(done.stdout)
        source = (folder / "m_lanes.cpp").read_text(encoding="utf-8")
        self.assertEqual(run("make", "-C", folder, "check").returncode, 0)
        (folder / "m_lanes.cpp").write_text(source.replace("  store(y + 0*n, ", "  store(y + 0*n, 1.25*", 1), encoding="utf-8")
        self.assertIn("functions differ", run("make", "-C", folder, "check").stdout)

    def test_steps_follow_the_simulation(self):
        for form, delta in (("multipliers", 1e-6), ("reduced", 1e-9), ("semi-recursive", 1e-9)):
            with self.subTest(form):
                self.check_steps(form, delta)

    def check_steps(self, form, delta):
        folder = self.export(FOURBAR, "--release", "motor", "--language", "c", "--name", "m", "--form", form)
        (folder / "run.c").write_text("""#include "m.h"
#include <stdio.h>
int main(void)
{
  double x[M_X], y[M_X], u[M_U], w[M_WORK];
  int k, i;
  for (i = 0; i < M_X; ++i) x[i] = m_start_x[i];
  for (k = 0; k < 1000; ++k) {
    u[0] = k*1e-3;
    if (m_step_rk4(x, u, m_default_p, 1e-3, y, w) != 0) return 1;
    for (i = 0; i < M_X; ++i) x[i] = y[i];
  }
  for (i = 0; i < M_X; ++i) printf("%.17g\\n", x[i]);
  return 0;
}
""", encoding="ascii")
        self.assertEqual(run("gcc", *STRICT, "-O1", "m.c", "run.c", "-o", "run", "-lm", cwd=folder).stderr, "")
        states = [float(line) for line in run("./run", cwd=folder).stdout.split()]
        names = [column["name"] for column in json.loads(call("export", FOURBAR, "--release", "motor", "--form", form,
                                                              "--out", self.folder / "again", "--json").stdout)["x"]]
        joints = [name for name in names if re.fullmatch(r"\w+\.q", name)]
        done = call("simulate", FOURBAR, "--release", "motor", "--until", "1", "--every", "1", "--rtol", "1e-11", "--outputs",
                    ",".join(joints), "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, columns = self.columns()
        for k, name in enumerate(joints):
            self.assertAlmostEqual(states[k], columns[name][-1], delta=delta)

    def test_every_form_is_right_in_every_language(self):
        for model, words, least in ((FOURBAR, ["reduced", "--rule", "heun"], 10), (MODELS / "five-bar.yaml", ["reduced"], 6),
                                    (FOURBAR, ["semi-recursive"], 8), (MODELS / "five-bar.yaml", ["kinematics"], 6)):
            folder = self.export(model, "--release", "all", "--name", "m", "--form", *words)
            done = run("make", "-C", folder, "check", f"PYTHON={PYTHON}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.check_output(done.stdout, 3*least)
            done = run("gcc", *STRICT, "-O1", "-fsanitize=address,undefined", "m.c", "m_check.c", "-o", "check", "-lm", cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertEqual(run("./check", cwd=folder).returncode, 0)

    def test_kinematics_need_no_degree_of_freedom_and_no_forces(self):
        for model in (FOURBAR, MODELS / "block-on-incline.yaml", MODELS / "bouncing-slider.yaml"):
            folder = self.export(model, "--form", "kinematics", "--language", "c", "--name", "m")
            done = run("make", "-C", folder, "check", f"CFLAGS=-O1 {' '.join(STRICT)}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.check_output(done.stdout, 3)
            self.assertNotIn("step_", (folder / "m.h").read_text(encoding="utf-8"))

    def test_steps_in_all_languages_are_the_same(self):
        folder = self.export(FOURBAR, "--release", "motor", "--form", "reduced", "--name", "m")
        (folder / "run.c").write_text("""#include "m.h"
#include <stdio.h>
int main(void)
{
  double x[M_X], y[M_X], w[M_WORK];
  int k, i;
  for (i = 0; i < M_X; ++i) x[i] = m_start_x[i];
  for (k = 0; k < 20; ++k) {
    const double u[M_U] = {k*1e-2};
    if ((k % 2 ? m_step_rk4 : m_step_euler)(x, u, m_default_p, 1e-2, y, w) != 0) return 1;
    for (i = 0; i < M_X; ++i) x[i] = y[i];
  }
  for (i = 0; i < M_X; ++i) printf("%.17g\\n", x[i]);
  return 0;
}
""", encoding="ascii")
        (folder / "run.py").write_text("""import m
x = m.START_X
for k in range(20):
    x = (m.step_rk4 if k % 2 else m.step_euler)(x, [k*1e-2], m.DEFAULT_P, 1e-2)
print(*x)
""", encoding="ascii")
        (folder / "run.m").write_text("""x = m_about();
for k = 0:19
  if mod(k, 2)
    x = m_step_rk4(x, k*1e-2, [], 1e-2);
  else
    x = m_step_euler(x, k*1e-2, [], 1e-2);
  end
end
printf('%.17g\\n', x);
""", encoding="ascii")
        self.assertEqual(run("gcc", *STRICT, "-O1", "m.c", "run.c", "-o", "run", "-lm", cwd=folder).stderr, "")
        states = [[float(word) for word in run(*words, cwd=folder).stdout.split()]
                  for words in (["./run"], [PYTHON, "run.py"], ["octave-cli", "--quiet", "run.m"])]
        self.assertEqual([len(state) for state in states], [3, 3, 3])
        for state in states[1:]:
            for x, y in zip(state, states[0]):
                self.assertAlmostEqual(x, y, delta=1e-12)

    def library(self, model, *words):
        """The exported C code as functions of lists, with what the program said about them."""
        name = f"m{len(list(self.folder.iterdir()))}"
        done = call("export", model, "--out", self.folder / name, "--language", "c", "--name", name, "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        built = run("gcc", *STRICT, "-O1", "-shared", "-fPIC", f"{name}.c", "-o", f"{name}.so", "-lm", cwd=self.folder / name)
        self.assertEqual((built.returncode, built.stderr), (0, ""))
        code = ctypes.CDLL(str(self.folder / name / f"{name}.so"))
        said = json.loads(done.stdout)

        def evaluate(function, x, u, p, may_be=(0,)):
            y = (ctypes.c_double * next(one["numbers"] for one in said["functions"] if one["name"] == function))()
            lists = [(ctypes.c_double * len(values))(*values) for values in (x, u, p)]
            status = getattr(code, f"{name}_{function}")(*lists, y, (ctypes.c_double * 100000)())
            self.assertIn(status, may_be, (model, function))
            return list(y)
        return said, evaluate, list((ctypes.c_double * len(said["x"])).in_dll(code, f"{name}_start_x"))

    def by_place(self, said, function, numbers):
        """Numbers by row and column, 0 left out; by their place in y where they are no matrix."""
        name = pathlib.Path(said["folder"]).name
        source = (pathlib.Path(said["folder"]) / f"{name}.c").read_text(encoding="utf-8")
        lists = [re.search(rf"{name}_{function}_{what}\[\w+\] = {{([^}}]*)}}", source) for what in ("row", "column")]
        if None in lists:
            return dict(enumerate(numbers))
        rows, columns = ([int(word) for word in found[1].split(",")] for found in lists)
        return dict(zip(zip(rows, columns, strict=True), numbers, strict=True))

    def assert_near(self, found, expected, tolerance, what):
        size = max(map(abs, expected), default=0.0)
        for one, other in zip(found, expected, strict=True):
            self.assertLessEqual(abs(one - other), tolerance * size, what)

    def test_parameters_stay_symbols(self):
        """What is exported with symbols and given other parameters is what is exported from the model with these parameters set."""
        for model, words, spread in ((FOURBAR, ["--release", "motor"], 0.05),  # more, and no triangle holds the sensor
                                     (MODELS / "slider-crank.yaml", [], 0.2), (MODELS / "watt-sixbar.yaml", [], 0.2),
                                     (MODELS / "quarter-vehicle.yaml", [], 0.2), (MODELS / "rssr.yaml", ["--release", "all"], 0.2)):
            self.compare_with_parameters_set(model, words, spread, tries=3)

    def test_parameters_stay_symbols_in_all_forms(self):
        for form, model, words, spread in (("semi-recursive", FOURBAR, ["--release", "motor"], 0.05),
                                           ("semi-recursive", MODELS / "rssr.yaml", ["--release", "all"], 0.1),
                                           ("semi-recursive", MODELS / "quarter-vehicle.yaml", [], 0.2),
                                           ("reduced", FOURBAR, ["--release", "motor"], 0.05),
                                           ("reduced", MODELS / "slider-crank.yaml", ["--release", "all"], 0.1),
                                           ("reduced", MODELS / "five-bar.yaml", ["--release", "all"], 0.05),
                                           ("reduced", MODELS / "rssr.yaml", ["--release", "all"], 0.02),  # by Newton steps
                                           ("reduced", MODELS / "quarter-vehicle.yaml", ["--rule", "heun"], 0.02),
                                           ("kinematics", FOURBAR, ["--release", "motor"], 0.02),
                                           ("kinematics", MODELS / "watt-sixbar.yaml", [], 0.02)):
            self.compare_with_parameters_set(model, ["--form", form, *words], spread, tries=1)

    def compare_with_parameters_set(self, model, words, spread, tries):
        draw = random.Random(22)
        said, symbolic, start = self.library(model, "--parameters", "all", *words)
        own = [one["name"] for one in said["p"] if one["name"] in ("alpha", "beta")]
        self.assertGreater(len(said["p"]), len(own) + 2, model)
        p = [one["default"] for one in said["p"]]
        for _ in range(tries):
            values = [value * draw.uniform(1 - spread, 1 + spread) if value else 0.003 * (one["unit"] != "rad")
                      for one, value in zip(said["p"], p)]
            sets = [word for one, value in list(zip(said["p"], values))[len(own):]
                    for word in ("--set", f"{one['name']}={value!r}" + (f" {one['unit']}" if one["unit"] != "1" else ""))]
            other, plain, _ = self.library(model, *words, *sets)
            self.assertEqual(other["x"], said["x"])
            x = [value + draw.uniform(-0.05, 0.05) * ("branch" not in one["name"]) for one, value in zip(said["x"], start, strict=True)]
            has_positions = any(one["name"] == "positions" for one in other["functions"])
            u = [0.02 if has_positions else 1.3] + [1e-3 if "step" in one["name"] else draw.uniform(-1, 1) for one in said["u"][1:]]
            for k in range(10 * has_positions):  # dependent coordinates, from where they start: not found at once
                found = symbolic("positions", x, u, values, may_be=(0, 1) if k < 5 else (0,))
                x[len(x) - len(found):] = found
            for function in other["functions"]:
                if function["name"].endswith("_by_p"):
                    continue
                found = self.by_place(said, function["name"], symbolic(function["name"], x, u, values))
                expected = self.by_place(other, function["name"], plain(function["name"], x, u, values[:len(own)]))
                places = sorted({*found, *expected})
                self.assert_near([found.get(place, 0.0) for place in places], [expected.get(place, 0.0) for place in places], 1e-11,
                                 (model, words, function["name"], values))

    def test_factors_are_parameters(self):
        """Twice the mass of all bodies is half of the acceleration by an effort from outside, without weights."""
        said, evaluate, start = self.library(FOURBAR, "--release", "motor", "--inputs", "A.q", "--parameters",
                                             "mass:crank,mass:coupler,mass:rocker")
        self.assertEqual([one["name"] for one in said["p"]], ["alpha", "beta", "mass:crank", "mass:coupler", "mass:rocker"])
        by_effort = []
        for factor in (1.0, 2.0):
            p = [0.0, 0.0, factor, factor, factor]
            at_rest, pushed = (evaluate("accelerations", start, [0.0, effort], p) for effort in (0.0, 1.0))
            by_effort.append([b - a for a, b in zip(at_rest, pushed)])
        self.assert_near([2 * value for value in by_effort[1]], by_effort[0], 1e-11, "half")

    def test_derivatives_by_parameters(self):
        for words, away in ((["--parameters", "all,mass:coupler"], 0.1),
                            (["--form", "semi-recursive", "--parameters", "all,mass:coupler"], 0.1),
                            (["--form", "reduced", "--parameters", "all,mass:coupler"], 0.1),
                            # by Newton steps
                            (["--form", "reduced", "--rule", "heun", "--parameters", "all,mass:coupler"], 0.01)):
            self.compare_derivatives_by_parameters(words, away)

    def compare_derivatives_by_parameters(self, words, away):
        said, evaluate, start = self.library(FOURBAR, "--release", "motor", *words)
        names = [one["name"] for one in said["p"]]
        p = [one["default"] for one in said["p"]]
        moving = len(start) - sum("branch" in one["name"] for one in said["x"])
        x = [value + away * (k + 1) * (k < moving) for k, value in enumerate(start)]
        u = [1e-3 if "step" in one["name"] else 0.0 for one in said["u"]]
        source = next(pathlib.Path(said["folder"]).glob("m?.c")).read_text(encoding="utf-8")
        for function in ("accelerations", "readings") + ("estimator_step",) * ("--rule" in words):
            entries = evaluate(f"{function}_by_p", x, u, p)
            rows, columns = (re.search(rf"_{function}_by_p_{what}\[\w+\] = {{([^}}]*)}}", source)[1].split(",") for what in ("row", "column"))
            exact = {(int(r), int(c)): entry for r, c, entry in zip(rows, columns, entries, strict=True)}
            scale = max(map(abs, entries))
            for c, name in enumerate(names):
                h = 1e-4 * (p[c] or 1.0)

                def at(by, c=c, h=h, function=function):
                    return evaluate(function, x, u, [value + by * h * (k == c) for k, value in enumerate(p)])
                ahead, back, far_ahead, far_back = at(1), at(-1), at(2), at(-2)
                for r, around in enumerate(zip(ahead, back, far_ahead, far_back)):
                    if function == "estimator_step" and r >= 2:  # z and its rate alone
                        continue
                    by_differences = (8 * (around[0] - around[1]) - (around[2] - around[3])) / (12 * h)
                    self.assertLess(abs(exact.get((r, c), 0.0) - by_differences), 1e-6 * scale, (words, function, name, r))

    def test_energy_is_that_of_the_simulation_and_stays(self):
        said, evaluate, start = self.library(FOURBAR, "--release", "motor")
        joints = [one["name"] for one in said["x"] if not one["name"].startswith("d/dt")]
        rates = [name.replace(".q", ".v") for name in joints]
        done = call("simulate", FOURBAR, "--release", "motor", "--until", "1", "--every", "0.1", "--rtol", "1e-11", "--outputs",
                    ",".join(joints + rates), "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, columns = self.columns()
        for k, expected in enumerate(columns["energy"]):
            x = [columns[name][k] for name in joints + rates]
            self.assertAlmostEqual(evaluate("energy", x, [0.0], [0.0, 0.0])[0], expected, delta=1e-9)
        changes = []
        for steps in (50, 100):
            x, h = list(start), 1.0 / steps
            for _ in range(steps):
                def rate(q, by, slope):
                    moved = [a + by * b for a, b in zip(q, slope)]
                    n = len(moved) // 2
                    return moved[n:] + evaluate("accelerations", moved, [0.0], [0.0, 0.0])
                k1 = rate(x, 0.0, x)
                k2 = rate(x, h / 2, k1)
                k3 = rate(x, h / 2, k2)
                k4 = rate(x, h, k3)
                x = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]
            changes.append(abs(evaluate("energy", x, [0.0], [0.0, 0.0])[0] - evaluate("energy", start, [0.0], [0.0, 0.0])[0]))
        self.assertLess(changes[0], 1e-3)
        self.assertLess(changes[1], changes[0] / 8)  # of order 4 at least

    def test_no_numbers_are_told(self):
        for form in ("multipliers", "reduced", "semi-recursive"):
            folder = self.folder / form
            done = call("export", MODELS / "fourbar-testbed.yaml", "--release", "motor", "--form", form, "--language", "c", "--name", "m",
                        "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            (folder / "none.c").write_text("""#include "m.h"
#include <math.h>
int main(void)
{
  double x[M_X], y[M_ACCELERATIONS], w[M_WORK];
  int i, k, wrong = 0;
  for (k = -1; k < M_X; ++k) {
    for (i = 0; i < M_X; ++i) x[i] = m_start_x[i];
    if (k >= 0) x[k] = NAN;
    int status = m_accelerations(x, m_start_u, m_default_p, y, w);
    for (i = 0; i < M_ACCELERATIONS; ++i)
      if (!(fabs(y[i]) < HUGE_VAL) && status == 0) ++wrong;
    if (k < 0 && status != 0) ++wrong;
  }
  return wrong;
}
""", encoding="ascii")
            self.assertEqual(run("gcc", "-std=c99", "-O1", "m.c", "none.c", "-o", "none", "-lm", cwd=folder).returncode, 0)
            self.assertEqual(run("./none", cwd=folder).returncode, 0, form)

    def test_wrong_words_get_a_sentence(self):
        for words, said in ((["--language", "fortran"], "unknown language"), (["--name", "2x"], "not a name of functions"),
                            (["--precision", "half"], "unknown precision"), (["--inputs", "crank.rate"], "joint coordinate"),
                            (["--outputs", "crnk.angle"], "crank.angle"), (["--form", "symbolic"], "unknown form"),
                            (["--form", "reduced", "--coordinates", "natural"], "coordinates of its own"),
                            (["--rule", "heun"], "--form reduced"),
                            (["--form", "reduced", "--rule", "leap"], "unknown rule"), (["--form", "reduced"], "no equation of motion is left"),
                            (["--parameters", "crnk"], "crank"), (["--parameters", "mass:couplr"], "coupler"),
                            (["--parameters", "size:crank"], "mass"), (["--parameters", "stiffness:x"], "stiffness"),
                            (["--parameters", "crank,crank"], "twice")):
            done = call("export", FOURBAR, "--out", self.folder / "out", *words)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.folder / "out").exists())
        (self.folder / "taken").write_text("a file", encoding="ascii")
        done = call("export", FOURBAR, "--out", self.folder / "taken")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual((self.folder / "taken").read_text(encoding="ascii"), "a file")
        done = call("export", MODELS / "bouncing-slider.yaml", "--out", self.folder / "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the equations of this mechanism cannot be written down", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
