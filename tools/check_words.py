#!/usr/bin/env python3
"""Checks that what users read is in the words of the glossary (docs/notation.md, "Words").

Looks at README.md, docs/*.md and the string literals of apps/, benchmarks/tables, eslabon/ and viewer/src; not at comments, identifiers, keys and names.
Prints one line per old word and exits 1 when there is any, or when the glossary and the list below differ. Run by CTest as `words`.
"""

import pathlib
import re
import sys

GLOSSARY = "docs/notation.md"
# The left column of the glossary, and what exactly is old about it.
OLD_WORDS = {
    "freedom, freedoms": r"(?<!degree of )(?<!degrees of )\bfreedoms?\b",
    "lets go, let go": r"\blet(s|ting)?( \w+){0,3} go\b",
    "what motors must give": r"\bmotors? must give\b",
    "least": r"(?<!at )\bleast\b(?![- ]squares)",
    "largest": r"(?<!--)\blargest\b",
    "hypothesis": r"(?<!null )\bhypothes[ei]s\b",
    "shaky": r"\bshaky\b",
    "held freedoms": r"\bheld (degrees of freedom|DOFs)\b",
    "lane program": r"\blane[- ]programs?\b",
    "closed to … at worst": r"\bclosed to [{\d]|\bm at worst\b",
    "the readings do not tell": r"\breadings?( \w+){0,3} (do not|does not|cease to) tell\b",
    "leave it away": r"\bleav(e|es|ing) \S+ away\b",
    "the clock on the wall": r"\bclock on the wall\b",
    "begins anew": r"\b(begin|begins|began|begun) anew\b",
    "came from nowhere, leads nowhere": r"\b(came|come|comes) from nowhere\b|\b(leads?|went) nowhere\b",
    "this is no …": r"\bthis is no\b",
    "a page to look at": r"\bpage to look at\b",
    "Seed00n": r"\bseed ?00\d\b",
}
# An ordinary superlative in prose; a label in a heading of a table.
ONLY_AS_HEADING = {"largest": r"\|\s*largest\s*\||\s{2,}largest\s*$"}
# Where a word stands for itself: tables from the names of the code to the works.
MAY_NAME_SEEDS = {"docs/notation.md", "docs/equations.md"}
# Literals that are keys of files, not words.
KEYS = {("eslabon/report/data/report_json.cpp", "least")}

CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<plain>(?:\\.|[^"\\\n])*)"'
                  r"|'(?:\\.|[^'\\\n])'", re.S)
SCRIPT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?P<plain>(?:\\.|[^"\\\n])*)"|`(?P<raw>(?:\\.|[^`\\])*)`', re.S)


def literals(path):
    """(line, text) of each string literal; those that the compiler joins are one."""
    source = path.read_text(encoding="utf-8")
    is_script = path.suffix == ".ts"
    found, end = [], None
    for token in (SCRIPT if is_script else CODE).finditer(source):
        text = token["plain"] if token["plain"] is not None else token["raw"]
        if text is None:
            continue
        if is_script:
            text = re.sub(r"\$\{[^}]*\}", "…", text)  # code
        if end is not None and not is_script and not source[end:token.start()].strip():
            found[-1][1] += text
        else:
            found.append([source.count("\n", 0, token.start()) + 1, text])
        end = token.end()
    return found


def is_shown(text):
    """Whether people read it: a sentence, a label or a heading; not a key, a name or a path."""
    return " " in text or text[:1] == ">" or text[:1].isupper() or text in ("least", "largest")


def shown_in_code(root):
    for folder, endings in (("apps", (".cpp", ".hpp")), ("benchmarks/tables", (".cpp", ".hpp")), ("eslabon", (".cpp", ".hpp")),
                            ("viewer/src", (".ts",))):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in endings:
                shown = path.relative_to(root).as_posix()
                for line, text in literals(path):
                    if is_shown(text) and (shown, text) not in KEYS:
                        yield shown, line, text


def is_glossary(line, is_inside):
    if line.startswith("## "):
        return line == "## Words"
    return is_inside


def shown_in_documents(root):
    """Lines without what stands between backquotes and without the targets of links; the glossary is left out."""
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        shown, is_inside = path.relative_to(root).as_posix(), False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            is_inside = is_glossary(line, is_inside)
            if not (is_inside and shown == GLOSSARY):
                yield shown, number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)


def old_words(shown, text, is_document):
    for word, pattern in OLD_WORDS.items():
        if is_document:
            pattern = ONLY_AS_HEADING.get(word, pattern)
        if word == "Seed00n" and shown in MAY_NAME_SEEDS:
            continue
        found = re.search(pattern, text, re.I)
        if found:
            yield found[0].strip(" |")


def glossary_words(root):
    text = (root / GLOSSARY).read_text(encoding="utf-8")
    section = re.search(r"^## Words\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    rows = re.findall(r"^\| (.*?) \| ", section[1] if section else "", re.M)
    return rows[1:]  # without the heading


def violations(root):
    listed = glossary_words(root)
    for word in sorted(set(OLD_WORDS) ^ set(listed)):
        yield f"{GLOSSARY}: '{word}' is {'not in the glossary' if word in OLD_WORDS else 'not checked by tools/check_words.py'}"
    for is_document, places in ((True, shown_in_documents(root)), (False, shown_in_code(root))):
        for shown, line, text in places:
            for word in old_words(shown, text, is_document):
                yield f"{shown}:{line}: '{word}' is an old word: {GLOSSARY}, \"Words\", has the one we use"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
