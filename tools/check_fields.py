#!/usr/bin/env python3
"""Checks that messages of the layers from `runs` on name fields that requests have: field("until") where a struct has `until`.

Prints one line per name that no request has and exits 1 when there is any. Run by CTest as `fields`.
"""

import pathlib
import re
import sys

LAYERS = ["runs", "vehicle", "live", "study", "recording"]
# What users of these layers fill in: structs of these names. An UnknownRequest is a value of the field `unknown`.
REQUEST = re.compile(r"\bstruct (?!Unknown)(\w+Request|LiveEnds|Port)\s*\{(.*?)\n\s*\};", re.S)
NAMED = re.compile(r'\b(?:(?:for_)?field|require_known|require_positive)\(\s*"(\w+)"')

# Names that are no fields, and why messages have them.
OF_FRONT_ENDS = {
    "set": "values of parameters, which io::load_model takes before there is a request",
    "start": "how has_unknown_start is written where it has words, model and unknown",
    # Files that a front end writes or draws by `recording`, and what it shows in them.
    "out": "the file of the results",
    "report": "the page of a run",
    "events": "the file of what happened",
    "reactions": "the file of the reactions",
    "png": "the picture of a page",
    "svg": "the drawing of a page",
    "report_particles": "how many particles a page shows",
    "branches": "whether branches are looked for",
}
ONLY_RECORDING = set(OF_FRONT_ENDS) - {"set", "start"}


def without_templates(text):
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return text


def members(body):
    """Names that the declarations of a struct introduce."""
    for declaration in body.split(";"):
        plain = re.sub(r"=[^,]*", "", without_templates(declaration))
        if "(" not in plain:
            yield from re.findall(r"\b(\w+)\s*(?:,|$)", plain)


def fields(root):
    found = set()
    for layer in LAYERS:
        for path in sorted((root / "eslabon" / layer).rglob("*.hpp")):
            source = re.sub(r"//[^\n]*|\benum class \w+ \{.*?\};", "", path.read_text(encoding="utf-8"), flags=re.S)
            for request in REQUEST.finditer(source):
                found.update(members(request[2]))
    return found


def violations(root):
    known = fields(root)
    for layer in LAYERS:
        for path in sorted((root / "eslabon" / layer).rglob("*.[hc]pp")):
            source = path.read_text(encoding="utf-8")
            for name in NAMED.finditer(source):
                if name[1] in known:
                    continue
                place = f"{path.relative_to(root).as_posix()}:{source.count(chr(10), 0, name.start()) + 1}"
                if name[1] not in OF_FRONT_ENDS:
                    yield f"{place}: no request has a field '{name[1]}'"
                elif name[1] in ONLY_RECORDING and layer != "recording":
                    yield f"{place}: '{name[1]}' is {OF_FRONT_ENDS[name[1]]}: only 'recording' may name it"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
