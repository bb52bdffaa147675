"""What `eslabon export` writes on microcontrollers: compiled for a Cortex-M, linked without a heap, run by QEMU. Prints how large it is."""

import re
import subprocess
import sys
import unittest

from program import MODELS, SOURCE, InFolder, call

BOARD = SOURCE / "tests" / "export" / "cortex"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-ffunction-sections"]
CORES = {"Cortex-M7": (["-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard", "-mthumb"], "mps2-an500"),
         "Cortex-M4": (["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-mthumb"], "mps2-an386")}
CASES = [("testbed", "fourbar-testbed.yaml", ["--release", "motor"]), ("quarter vehicle", "quarter-vehicle.yaml", ["--set", "bump=20 mm"])]
BYTES = {"double": 8, "float": 4}
OF_A_HEAP = re.compile(r"malloc|calloc|realloc|\bfree\b|_free_r|sbrk")


class Cortex(InFolder):
    def run_tool(self, *words):
        done = subprocess.run([*map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 0, " ".join(map(str, words)) + "\n" + done.stdout + done.stderr)
        return done.stdout

    def compiled(self, core, precision):
        """The object and the whole program, for what was exported as m."""
        flags, _ = CORES[core]
        narrow = ["-Wdouble-promotion"] if precision == "float" else []
        self.run_tool("arm-none-eabi-gcc", *flags, *STRICT, *narrow, "-O2", "-c", "m.c", "-o", "m.o")
        self.run_tool("arm-none-eabi-gcc", *flags, "-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-fno-builtin-printf", "-nostartfiles",
                      "--specs=nano.specs", "-Wl,--gc-sections", "-T", BOARD / "board.ld", "m.o", "m_check.c", BOARD / "board.c", "-lm",
                      "-o", "m.elf")

    def check_symbols(self, precision):
        suffix = "f" if precision == "float" else ""
        needed = set(self.run_tool("arm-none-eabi-nm", "--undefined-only", "--format=just-symbols", "m.o").split())
        self.assertLessEqual(needed, {name + suffix for name in ("sin", "cos", "sqrt", "atan2", "fabs")})  # no double where float is asked
        self.assertIsNone(OF_A_HEAP.search(self.run_tool("arm-none-eabi-nm", "m.elf")))

    def run_on_board(self, core):
        """Its exit status and its words, which QEMU writes to stderr."""
        _, board = CORES[core]
        done = subprocess.run(["qemu-system-arm", "-M", board, "-nographic", "-monitor", "none", "-serial", "none", "-semihosting-config",
                               "enable=on,target=native", "-kernel", "m.elf"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
        return done.returncode, done.stdout

    def check_numbers(self, core, precision):
        status, said = self.run_on_board(core)
        self.assertEqual(status, 0, said)
        rows = re.findall(r"^(\w+) +([\d.e+-]+)$", said, re.M)
        self.assertGreaterEqual(len(rows), 8, said)
        for name, worst in rows:
            self.assertLess(float(worst), {"double": 1e-12, "float": 1e-4}[precision], name)

    def test_code_runs_on_microcontrollers_without_a_heap(self):
        print(f"{'':17}{'':11}{'':8}{'code':>8}{'work':>8}  [bytes]")
        for title, model, words in CASES:
            for precision, core in (("double", "Cortex-M7"), ("float", "Cortex-M7"), ("float", "Cortex-M4")):
                done = call("export", MODELS / model, *words, "--language", "c", "--precision", precision, "--name", "m", "--out",
                            self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.compiled(core, precision)
                self.check_symbols(precision)
                self.check_numbers(core, precision)
                text = int(self.run_tool("arm-none-eabi-size", "m.o").splitlines()[1].split()[0])
                work = int(re.search(r"M_WORK = (\d+)", (self.folder / "m.h").read_text(encoding="utf-8"))[1])*BYTES[precision]
                print(f"{title:17}{core:11}{precision:8}{text:8}{work:8}")

    def test_what_asks_for_a_heap_does_not_link(self):
        (self.folder / "m.c").write_text("#include <stdlib.h>\nvoid *volatile kept;\nint main(void)\n{\n  kept = malloc(8);\n  return 0;\n}\n",
                                         encoding="ascii")
        flags, _ = CORES["Cortex-M7"]
        done = subprocess.run(["arm-none-eabi-gcc", *flags, "-nostartfiles", "--specs=nano.specs", "-T", BOARD / "board.ld", "m.c",
                               BOARD / "board.c", "-lm", "-o", "m.elf"], cwd=self.folder, capture_output=True, text=True, timeout=100,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("_sbrk", done.stderr)

    def test_a_wrong_number_is_seen_on_the_board(self):
        self.assertEqual(call("export", MODELS / "fourbar-testbed.yaml", "--language", "c", "--name", "m", "--out", self.folder).returncode, 0)
        source = self.folder / "m.c"
        text = source.read_text(encoding="utf-8")
        where = text.index("int m_mass")
        source.write_text(text[:where] + text[where:].replace("sin(", "cos(", 1), encoding="utf-8")
        self.compiled("Cortex-M7", "double")
        status, said = self.run_on_board("Cortex-M7")
        self.assertEqual(status, 1, said)
        self.assertIn("functions differ", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
