"""The data of a page, read by a decoder of its own: it shares nothing with what writes pages or shows them."""

import base64
import json
import struct
from html.parser import HTMLParser


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
