"""Reads the page that `eslabon export --language html` writes, as a person would: by the signs that are shown, and computes what they say."""

import math
import re
import xml.etree.ElementTree as xml

APPLIED, TIMES = "\u2061", "\u2062"
FUNCTIONS = {name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log")}
FUNCTIONS["round"] = round


def tag(element):
    return element.tag.rsplit("}", 1)[-1]


def symbol_of(element):
    """'A_coupler,11', 'θ˙_A', 'a⁰_coupler,x': what is seen of a symbol, as one text."""
    kind, parts = tag(element), list(element)
    if kind == "mi":
        return element.text
    if kind == "mover":
        return symbol_of(parts[0]) + parts[1].text
    if kind == "msub":
        return symbol_of(parts[0]) + "_" + parts[1].text
    if kind == "msup" and tag(parts[0]) != "mrow" and parts[1].text == "0":
        return symbol_of(parts[0]) + "⁰"
    if kind == "msubsup":
        return symbol_of(parts[0]) + "⁰_" + parts[1].text
    raise AssertionError(f"no symbol: <{kind}>")


class Page:
    def __init__(self, text):
        self.root = xml.fromstring(text)
        self.definitions = {}  # symbol: equation, lines of the formula
        self.identifiers = {}  # name in the code: symbol
        self.arguments = {}  # symbol: 'x[0]'
        self.laws = {}  # symbol: equation whose law gives it
        self.equations = [element for element in self.root.iter() if "equation" in element.get("class", "").split()]
        for row in self.root.iter():
            if tag(row) == "tr" and tag(row[0]) == "td":
                self.arguments[symbol_of(row[0][0][0])] = row[1][0].text
        for number, element in enumerate(self.equations, 1):
            if element.get("id") != f"eq-{number}":
                raise AssertionError(f"equation {number} is called {element.get('id')}")
            self.read(number, element)

    def read(self, number, element):
        for table in element.iter():
            kind = table.get("class")
            if kind == "lines":
                self.read_lines(number, table)
            elif kind == "matrix":
                whole = next(part for part in element.iter() if table in list(part))
                self.read_matrix(number, symbol_of(whole[0]), table)

    def define(self, number, symbol, identifier, lines):
        if symbol in self.definitions or symbol in self.arguments:
            raise AssertionError(f"{symbol} is defined again by ({number})")
        self.definitions[symbol] = (number, lines)
        self.identifiers[identifier] = symbol

    def read_lines(self, number, table):
        for row in table:
            if len(row[0]) > 0:
                lines = [row[2]]
                self.define(number, symbol_of(row[0][0]), row.get("id"), lines)
            else:
                lines.append(row[2])

    def read_matrix(self, number, whole, table):
        for row in table:
            for cell in row:
                place = cell.get("id").rstrip("_").rsplit("_", 1)[-1]
                symbol = whole + ("," if "_" in whole else "_") + place
                self.define(number, symbol, cell.get("id"), [cell])

    def symbols_in(self, element):
        """Symbols that a formula mentions."""
        try:
            return {symbol_of(element)} - set(FUNCTIONS)
        except AssertionError:
            return set().union(*(self.symbols_in(part) for part in element))


class Reader:
    """What symbols of a page are worth where its arguments have these values."""

    def __init__(self, page, x, u, p, known=()):
        lists = {"x": x, "u": u, "p": p}
        self.page, self.values = page, dict(known)
        for symbol, place in page.arguments.items():
            name, index = re.fullmatch(r"(\w)\[(\d+)\]", place).groups()
            self.values[symbol] = lists[name][int(index)]

    def __getitem__(self, symbol):
        if symbol not in self.values:
            if symbol not in self.page.definitions:
                raise KeyError(f"nothing says what {symbol} is")
            self.values[symbol] = None  # on its way: nothing may follow from itself
            self.values[symbol] = sum(self.cell(line) for line in self.page.definitions[symbol][1])
        if self.values[symbol] is None:
            raise KeyError(f"{symbol} follows from itself")
        return self.values[symbol]

    def cell(self, cell):
        return self.row(list(cell))

    def value(self, element):
        kind, parts = tag(element), list(element)
        if element.get("title"):
            return float(element.get("title"))
        if kind == "mn":
            return float(element.text)
        if kind == "mrow":
            return self.row(parts)
        if kind == "mfrac":
            return self.value(parts[0]) / self.value(parts[1])
        if kind == "msqrt":
            return math.sqrt(self.row(parts))
        if kind == "msup" and tag(parts[0]) == "mrow":
            return self.value(parts[0]) ** float(parts[1].text)
        return self[symbol_of(element)]

    def row(self, parts):
        first = parts[0].text if tag(parts[0]) == "mo" else ""
        if first == "(":
            return self.row(parts[1:-1])
        if first == "|":
            return abs(self.row(parts[1:-1]))
        if first == "{":
            less, otherwise = parts[1]
            left, right = less[1][1], less[1][3]
            return self.cell(less[0]) if self.value(left) < self.value(right) else self.cell(otherwise[0])
        if len(parts) > 1 and tag(parts[1]) == "mo" and parts[1].text == APPLIED:
            return self.function(parts)
        return self.sum_or_product(parts)

    def function(self, parts):
        name, power = parts[0], 1.0
        if tag(name) == "msup":
            name, power = name[0], float(name[1].text)
        arguments = [parts[2]]
        if tag(parts[2]) == "mrow" and tag(parts[2][0]) == "mo" and parts[2][0].text == "(":
            arguments = [part for part in parts[2][1:-1] if not (tag(part) == "mo" and part.text == ",")]
        return FUNCTIONS[name.text](*map(self.value, arguments)) ** power

    def sum_or_product(self, parts):
        total, sign, product = 0.0, 1.0, None
        for part in parts:
            if tag(part) == "mo" and part.text in "+−":
                total += sign * product if product is not None else 0.0
                sign, product = (1.0 if part.text == "+" else -1.0), None
            elif not (tag(part) == "mo" and part.text in (TIMES, "·")):
                product = self.value(part) * (1.0 if product is None else product)
        return total + sign * product
