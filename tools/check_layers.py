#!/usr/bin/env python3
"""Checks that every include goes down the one-way street of the layers (docs/architecture.md).

Prints one line per violation and exits 1 when there is any. Run by CTest as `layers`.
"""

import pathlib
import re
import sys

# A layer may include itself and what stands before it.
STREET = ["core", "model", "structure", "coordinates", "kinematics", "dynamics", "integration", "sensing",
          "estimation"]
# Side layers may include themselves and the whole street, and only programs may include them.
SIDE = ["io", "codegen", "report"]
# The header that includes what users need of all of them.
UMBRELLA = "eslabon.hpp"
# What a layer may not even name, whoever declares it.
FORBIDDEN_HEADERS = {"structure": re.compile(r"#include <Eigen/"), "core": re.compile(r"#include <(yaml-cpp|fmt)/"),
                     "model": re.compile(r"#include <(yaml-cpp|fmt)/")}
# What costs every reader of a header seconds: core/linalg has it compiled.
DECOMPOSITIONS = re.compile(r"#include <Eigen/(Cholesky|Dense|Eigenvalues|LU|QR|SVD|Sparse\w*)>")
PUBLIC_HEADERS_ONLY = re.compile(r"#include <(fmt|CLI|nlohmann|yaml-cpp)/")


def may_include(own, used):
    if used == own:
        return True
    if own in SIDE:
        return used in STREET
    return used in STREET and STREET.index(used) < STREET.index(own)


def violations(root):
    for path in sorted((root / "eslabon").rglob("*.[hc]pp")):
        own = path.relative_to(root / "eslabon").parts[0]
        if own == UMBRELLA:
            continue
        shown = path.relative_to(root)
        if own not in STREET + SIDE:
            yield f"{shown}: folder '{own}' is not a layer"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            used = re.match(r'\s*#\s*include "(?:eslabon/)?(\w+)/', line)
            if used and not may_include(own, used[1]):
                yield f"{shown}:{number}: layer '{own}' may not include '{used[1]}'"
            if own in FORBIDDEN_HEADERS and FORBIDDEN_HEADERS[own].match(line):
                yield f"{shown}:{number}: layer '{own}' may not use {line.split('<')[1].rstrip('>')}"
            if path.suffix == ".hpp" and DECOMPOSITIONS.match(line):
                yield f"{shown}:{number}: a header may not include a decomposition of Eigen; take one of eslabon/core/linalg"
            if path.suffix == ".hpp" and PUBLIC_HEADERS_ONLY.match(line):
                yield f"{shown}:{number}: a public header may not show {line.split('<')[1].rstrip('>')} to users"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
