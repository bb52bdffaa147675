"""The data of a page, read by a decoder of its own: it shares nothing with what writes pages or shows them."""

import base64
import csv
import json
import struct
from html.parser import HTMLParser

from program import MODELS, InFolder, call

TESTBED = MODELS / "fourbar-testbed.yaml"


class Elements(HTMLParser):
    """The tags of a page and the text of its data."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.data, self.is_data = [], "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.is_data = dict(attrs).get("id") == "report-data"

    def handle_endtag(self, tag):
        self.is_data = False

    def handle_data(self, data):
        if self.is_data:
            self.data += data


def page_of(path):
    return json.loads(Elements(path.read_text(encoding="utf-8")).data)


def unpacked(numbers):
    """The numbers of report_data.ts."""
    if isinstance(numbers, list):
        return numbers
    if "same" in numbers:
        return [numbers["same"]] * numbers["count"]
    if "from" in numbers:
        return [numbers["from"] + numbers["step"] * k for k in range(numbers["count"])]
    for kind, letter, size in (("f64", "d", 8), ("f32", "f", 4), ("u16", "H", 2), ("u8", "B", 1)):
        if kind in numbers:
            data = base64.b64decode(numbers[kind])
            values = struct.unpack(f"<{len(data) // size}{letter}", data)
            return [numbers["least"] + numbers["step"] * value for value in values] if kind[0] == "u" else list(values)
    raise AssertionError(numbers)


def table_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        names, units, *rows = csv.reader(file)
    return dict(zip(names, units)), {name: [row[k] for row in rows] for k, name in enumerate(names)}


def numbers_of(path):
    units, columns = table_of(path)
    return units, {name: [float(cell) for cell in cells] for name, cells in columns.items()}


def frame_at(motion, t):
    times = unpacked(motion["times"])
    frame = min(range(len(times)), key=lambda k: abs(times[k] - t))
    assert abs(times[frame] - t) < 1e-9, (t, times[frame])
    return frame


def place(page, motion, body, point, t):
    """Where a point of a body is: p + q p_B q*, from the pose of the page."""
    index = next(k for k, one in enumerate(page["mechanism"]["bodies"]) if one["name"] == body)
    at = next(one["at"] for one in page["mechanism"]["bodies"][index]["points"] if one["name"] == point)
    frame = frame_at(motion, t)
    x, y, z, w, *v = (unpacked(column)[frame] for column in motion["poses"][7 * (index - 1):7 * index])

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    once = cross(v, at)
    twice = cross(v, once)
    return [p + a + 2 * (w * o + s) for p, a, o, s in zip((x, y, z), at, once, twice)]


class WithPages(InFolder):
    def run_to_page(self, *words, status=0):
        path = self.folder / "page.html"
        path.unlink(missing_ok=True)
        option = "--out" if words[0] == "report" else "--report"
        self.done = call(*words, option, path)
        self.assertEqual(self.done.returncode, status, self.done.stderr)
        return page_of(path)

    def channel(self, recording, name):
        return next(one for one in recording["channels"] if one["name"] == name)

    def check_channels(self, recording, path):
        """Every column is there, to the precision of 32 bits."""
        units, columns = numbers_of(path)
        times = unpacked(recording["times"])
        for mine, theirs in zip(times, columns.pop("t"), strict=True):
            self.assertAlmostEqual(mine, theirs, delta=1e-9)
        for name, values in columns.items():
            if name.endswith(".sigma"):
                mine = self.channel(recording, name[:-6])["sigma"]
            else:
                channel = self.channel(recording, name)
                self.assertEqual(channel["unit"], "" if units[name] == "1" else units[name])
                mine = channel["values"]
            largest = max(map(abs, values))
            for a, b in zip(unpacked(mine), values, strict=True):
                self.assertAlmostEqual(a, b, delta=1e-7 * largest + 1e-30)
