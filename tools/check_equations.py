#!/usr/bin/env python3
"""Checks that docs/equations.md and the tags in the code tell the same story, in both directions.

A row of a table says where an equation of a source work is computed: `file`, `function` (several, or several files, are
allowed). The function carries a comment such as

    // Seed004 eq. 19, eq. 20
    // Seed003 alg. 1

Checked: every equation and algorithm of every work has exactly one row; a row that names code names a file that exists, a
function that occurs in it, and that file has the tag; every tag has a row that names its file. Prints one line per violation
and exits 1 when there is any. Run by CTest as `equations`.
"""

import pathlib
import re
import sys


def equations(last, letters=None):
    """(1) … (last); numbers of `letters` stand for several: {4: "abc"} is (4a), (4b), (4c)."""
    letters = letters or {}
    return [f"({n}{letter})" for n in range(1, last + 1) for letter in letters.get(n, [""])]


def by_chapter(last_of_chapter):
    """(1.1) … (1.6), (2.1) …"""
    return [f"({chapter}.{n})" for chapter, last in last_of_chapter.items() for n in range(1, last + 1)]


def algorithms(last):
    return [f"Algorithm {n}" for n in range(1, last + 1)]


# What each source numbers; none of them skips a number. Seed000 gives its one algorithm as a figure, Seed004 none.
WORKS = {
    "Seed000": equations(131) + ["Figure 19"],
    "Seed001": by_chapter({1: 6, 2: 19, 3: 47, 6: 20}) + algorithms(3),
    "Seed002": equations(33),
    "Seed003": equations(20, {4: "abc", 8: "abcdefg", 11: "abcdef", 16: "ab", 20: "abcde"}) + algorithms(1),
    "Seed004": equations(32),
}

TABLES = "docs/equations.md"
CODE = ["eslabon", "benchmarks", "apps"]
FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)+\.[hc]pp")
HOW = re.compile(r"same(?:$|[.:;,] )|(?:equivalent|not implemented): \S")
TAG = re.compile(r"//+<? ?(Seed\d+) ((?:eq|alg|fig)\..*)$")
TAGGED = re.compile(r"(eq|alg|fig)\. (\d+(?:\.\d+)?[a-z]?)")
ROW_OF = {"eq": "({})", "alg": "Algorithm {}", "fig": "Figure {}"}


class Row:
    """One row of a table: the equation, where it is computed ({file: [functions]}) and how."""

    def __init__(self, line, cells):
        self.line = line
        self.equation, self.says, where, self.how = cells
        self.where = {}
        self.is_nowhere = where == "–"
        for name in re.findall(r"`([^`]+)`", where):
            if FILE.fullmatch(name):
                functions = self.where.setdefault(name, [])
            elif self.where:
                functions.append(name)


def read_tables(text):
    """{work: {equation: Row}}, and what is wrong with the form of the text."""
    tables, wrong, work = {}, [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            heading = re.match(r"## (Seed\d+) — \S", line)
            work = heading[1] if heading else None
        if work is None or not line.startswith("|"):
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 4:
            wrong.append(f"{TABLES}:{number}: {len(cells)} columns instead of 4")
        elif cells[0] != "equation" and not set(cells[0]) <= set("-: "):
            rows = tables.setdefault(work, {})
            if cells[0] in rows:
                wrong.append(f"{TABLES}:{number}: second row of {work} {cells[0]}")
            rows[cells[0]] = Row(number, cells)
    return tables, wrong


def read_tags(root):
    """{(work, equation): {file: line}}, and tags that nobody understands."""
    tags, wrong = {}, []
    for folder in CODE:
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            shown = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                tag = TAG.search(line)
                for part in tag[2].split(", ") if tag else []:
                    match = TAGGED.fullmatch(part.strip())
                    if match:
                        equation = ROW_OF[match[1]].format(match[2])
                        tags.setdefault((tag[1], equation), {}).setdefault(shown, number)
                    else:
                        wrong.append(f"{shown}:{number}: '{part.strip()}' is no tag like 'eq. 19', 'alg. 1' or 'fig. 19'")
    return tags, wrong


def occurs(function, code):
    """Whether every part of a name like Class::function is a word of the code."""
    return all(re.search(r"(?<!\w)" + re.escape(part) + r"(?!\w)", code) for part in function.split("::"))


def check_row(root, work, row, tags):
    shown = f"{TABLES}:{row.line}: {work} {row.equation}"
    if not row.says:
        yield f"{shown} does not tell what it says"
    if not HOW.match(row.how):
        yield f"{shown} begins neither with 'same' nor with 'equivalent: …' nor with 'not implemented: …'"
    if row.is_nowhere != row.how.startswith("not implemented"):
        yield f"{shown} has '–' for a place exactly when it is not implemented"
    if not row.where and not row.is_nowhere:
        yield f"{shown} names no file"
    for name, functions in row.where.items():
        if not (root / name).is_file():
            yield f"{shown} names {name}, which does not exist"
            continue
        code = (root / name).read_text(encoding="utf-8")
        if not functions:
            yield f"{shown} names no function of {name}"
        for function in functions:
            if not occurs(function, code):
                yield f"{shown} names {function}, which does not occur in {name}"
        if name not in tags.get((work, row.equation), {}):
            yield f"{shown} has no tag in {name}"


def violations(root, works=None):
    works = works or WORKS
    tables, wrong = read_tables((root / TABLES).read_text(encoding="utf-8"))
    tags, unreadable = read_tags(root)
    yield from wrong + unreadable
    for work, expected in works.items():
        rows = tables.get(work, {})
        yield from (f"{TABLES}: {work} {equation} has no row" for equation in expected if equation not in rows)
        for equation, row in rows.items():
            if equation not in expected:
                yield f"{TABLES}:{row.line}: {work} has no {equation}"
            yield from check_row(root, work, row, tags)
    yield from (f"{TABLES}: {work} is none of the works" for work in tables if work not in works)
    for (work, equation), places in tags.items():
        row = tables.get(work, {}).get(equation)
        for name, number in places.items():
            if row is None or name not in row.where:
                yield f"{name}:{number}: {TABLES} does not name this file for {work} {equation}"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
