#!/usr/bin/env python3
"""Checks that every include goes down the one-way street of the layers (docs/architecture.md), and that benchmarks know no program.

Prints one line per violation and exits 1 when there is any. Run by CTest as `layers`.
"""

import pathlib
import re
import sys

from check_words import literals

# A layer may include itself and what stands before it.
STREET = ["core", "tyres", "model", "structure", "coordinates", "kinematics", "dynamics", "integration",
          "sensing", "estimation", "runs"]
# Side layers may include themselves and the street below `runs`, and only UPPER and programs may include them.
SIDE = ["io", "codegen", "report"]
# The header that includes what users need of all of them.
UMBRELLA = "eslabon.hpp"
# Beside `runs`: each may include itself, the street, the side layers and those that stand before it here.
UPPER = ["recording", "live", "vehicle", "study"]
# Where words of a command line may not be, not even in messages: fields of requests are named instead (runs/request_error.hpp).
WITHOUT_OPTION_WORDS = ["runs", *UPPER]
OPTION_WORD = re.compile(r'"[^"]*--[a-z]')
# What a layer may not even name, whoever declares it.
FORBIDDEN_HEADERS = {"structure": re.compile(r"#include <Eigen/"), "core": re.compile(r"#include <(yaml-cpp|fmt)/"),
                     "model": re.compile(r"#include <(yaml-cpp|fmt)/")}
# What no layer may use: words of a command line become requests in apps/cli.
COMMAND_LINE = re.compile(r"#include <CLI/|\bCLI::|\bargv\b")
# What costs every reader of a header seconds: core/linalg has it compiled.
DECOMPOSITIONS = re.compile(r"#include <Eigen/(Cholesky|Dense|Eigenvalues|LU|QR|SVD|Sparse\w*)>")
PUBLIC_HEADERS_ONLY = re.compile(r"#include <(fmt|CLI|nlohmann|yaml-cpp)/")

# What the program measures with: it gets requests and returns results. Words of the command line and pages are the program's.
TABLES = "benchmarks/tables"
OF_PROGRAMS = re.compile(r"\s*#\s*include <(CLI|nlohmann)/")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
COMMAND_OF_OTHERS = re.compile(r"\b(cmake|valgrind) .*", re.S)


def may_include(own, used):
    if used == own:
        return True
    if own in SIDE:
        return used in STREET and used != "runs"
    if own in UPPER:
        return used in STREET + SIDE or (used in UPPER and UPPER.index(used) < UPPER.index(own))
    return used in STREET and STREET.index(used) < STREET.index(own)


def violations(root):
    for path in sorted((root / "eslabon").rglob("*.[hc]pp")):
        own = path.relative_to(root / "eslabon").parts[0]
        if own == UMBRELLA:
            continue
        shown = path.relative_to(root)
        if own not in STREET + SIDE + UPPER:
            yield f"{shown}: folder '{own}' is not a layer"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            used = re.match(r'\s*#\s*include "(?:eslabon/)?(\w+)/', line)
            if used and not may_include(own, used[1]):
                yield f"{shown}:{number}: layer '{own}' may not include '{used[1]}'"
            if own in FORBIDDEN_HEADERS and FORBIDDEN_HEADERS[own].match(line):
                yield f"{shown}:{number}: layer '{own}' may not use {line.split('<')[1].rstrip('>')}"
            if COMMAND_LINE.search(line):
                yield f"{shown}:{number}: no layer may read a command line; take a request"
            if own in WITHOUT_OPTION_WORDS and OPTION_WORD.search(line.split("//")[0]):
                yield f"{shown}:{number}: layer '{own}' may not use words of a command line; name the field of the request"
            if path.suffix == ".hpp" and DECOMPOSITIONS.match(line):
                yield f"{shown}:{number}: a header may not include a decomposition of Eigen; take one of eslabon/core/linalg"
            if path.suffix == ".hpp" and PUBLIC_HEADERS_ONLY.match(line):
                yield f"{shown}:{number}: a public header may not show {line.split('<')[1].rstrip('>')} to users"


def violations_of_benchmarks(root):
    for path in sorted((root / "benchmarks").rglob("*.[hc]pp")):
        shown = path.relative_to(root).as_posix()
        is_table = shown.startswith(TABLES + "/")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            used = re.match(r'\s*#\s*include "([^"]*)"', line)
            if used and used[1].split("/")[0] not in ("eslabon", "benchmarks") and (is_table or "apps/" in used[1]):
                yield f"{shown}:{number}: benchmarks may not include '{used[1]}'"
            if is_table and OF_PROGRAMS.match(line):
                yield f"{shown}:{number}: {TABLES} may not use {line.split('<')[1].rstrip('>')}"
        for number, text in literals(path) if is_table else []:
            for option in OPTION.findall(COMMAND_OF_OTHERS.sub("", text)):
                yield f"{shown}:{number}: {TABLES} may not name the option '{option}': the program puts it in front"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = [*violations(root), *violations_of_benchmarks(root)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
