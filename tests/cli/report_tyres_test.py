"""--report of vehicles: tyres, where they touch the road and what it does to them, and the road itself."""

import json
import math
import re
import sys
import unittest

from program import MODELS, call
from report_page import WithPages, frame_at, numbers_of, unpacked

CART = (MODELS / "vehicles/cart.yaml").read_text(encoding="utf-8")
SLOPE, BUMP, HEIGHT = 0.06, (6.0, 2.0), 80e-3
ROAD = (f"road: {{slope: {SLOPE}, friction: [1, 0.3], bumps: {{ramp: {{sine: {{at: {BUMP[0]} m, length: {BUMP[1]} m, height: {HEIGHT} m}}, "
        "track: left}}}")
BRAKES = "\nforces: {" + ", ".join(f"brake_{c}: {{joint: {c}, torque: -300 N*m}}" for c in ("fl", "fr", "rl", "rr")) + "}"
TYRES = ("tyre_fl", "tyre_fr", "tyre_rl", "tyre_rr")
OUTPUTS = ",".join(f"{tyre}.{name}" for tyre in TYRES for name in ("x", "y", "z", "fx", "fy", "fz"))


def braking_cart(road=ROAD, start="chassis.O.vx: 12, chassis.O.vy: 0, chassis.wx: 0, chassis.wy: 0, chassis.wz: 0"):
    text = re.sub(r"\nroad: .*", "\n" + road, CART)
    wheels = ", ".join(f"wheel_{corner}.wy: 40 rad/s" for corner in ("fl", "fr", "rl", "rr"))
    text = text.replace("chassis.rotation: [0, 0, 0]}", f"chassis.rotation: [0, 0, 0], {start}, {wheels}}}")
    return text.replace("\nassembly:", BRAKES + "\nassembly:")


class Vehicles(WithPages):
    def drive(self, text, *words):
        return self.run_to_page("simulate", self.write(text), "--out", self.out, *words)

    def test_contacts_are_what_the_outputs_say(self):
        page = self.drive(braking_cart(), "--until", "1", "--every", "10 ms", "--outputs", OUTPUTS)
        recording = page["recordings"][0]
        contacts = {contact["name"]: contact for contact in recording["contacts"]}
        self.assertEqual(tuple(contacts), TYRES)
        _, columns = numbers_of(self.out)
        is_lifted = False
        for tyre, contact in contacts.items():
            point, load, along = ([unpacked(column) for column in contact[key]] for key in ("point", "load", "along"))
            for row, t in enumerate(columns["t"]):
                frame = frame_at(recording["motion"], t)
                at = [column[frame] for column in point]
                for axis, value in zip("xyz", at):
                    self.assertAlmostEqual(value, columns[f"{tyre}.{axis}"][row], delta=1e-5)
                pushes, grips = [column[frame] for column in load], [column[frame] for column in along]
                size = max(1.0, math.hypot(*pushes))
                self.assertAlmostEqual(math.hypot(*pushes), columns[f"{tyre}.fz"][row], delta=1e-5 * size)
                self.assertAlmostEqual(math.hypot(*grips), math.hypot(columns[f"{tyre}.fx"][row], columns[f"{tyre}.fy"][row]), delta=1e-5 * size)
                self.assertAlmostEqual(sum(a * b for a, b in zip(pushes, grips)) / size, 0.0, delta=1e-3 * size)  # across each other
                self.assertGreaterEqual(grips[0] * columns[f"{tyre}.fx"][row], -1e-3 * size * size)  # ahead is along x but for a little yaw
                is_lifted |= math.hypot(*pushes) == 0.0
                self.assertGreaterEqual(pushes[2], 0.0)
        self.assertTrue(is_lifted, "no wheel flies over the bump")
        self.assertLess(min(columns["tyre_fl.fx"]), -500)

    def test_the_road_is_drawn_as_it_is(self):
        page = self.drive(braking_cart(), "--until", "1", "--every", "10 ms")
        road = page["road"]
        x, y, height = unpacked(road["x"]), unpacked(road["y"]), unpacked(road["height"])
        self.assertEqual(len(height), len(x) * len(y))
        self.assertLess(len(json.dumps(road)), 8000)
        self.assertEqual((road["friction"], road["right"]), (1, {"friction": 0.3, "below": 0}))
        for found, expected in zip(road["plane"], (0, SLOPE, 0)):
            self.assertAlmostEqual(found, expected, delta=1e-12)
        for i, at in enumerate(x):
            for j, aside in enumerate(y):
                s = at - BUMP[0]
                wave = HEIGHT / 2 * (1 - math.cos(2 * math.pi * s / BUMP[1])) if aside >= 0 and 0 < s < BUMP[1] else 0
                self.assertAlmostEqual(height[i * len(y) + j], wave, delta=1e-5)
        self.assertTrue(min(x) < -10 and max(x) > 15 and min(y) < -10 and max(y) > 10)
        self.assertEqual(len([at for at in x if at < BUMP[0] - 0.1]), 1)  # the plane needs no more

    def test_a_road_that_is_long_and_rough_stays_small(self):
        bumps = ", ".join(f"b{k}: {{sine: {{at: {3 * k + 3} m, length: 2 m, height: {5 + k % 7} mm}}}}" for k in range(60))
        page = self.drive(braking_cart(f"road: {{bumps: {{{bumps}}}}}").replace("-300 N*m", "20 N*m"), "--until", "2", "--every", "20 ms")
        self.assertLess(len(json.dumps(page["road"])), 60_000)
        self.assertGreater(max(unpacked(page["road"]["height"])), 10.5e-3)

    def test_without_forces_tyres_and_the_road_are_there(self):
        model = self.write(CART)
        path = self.folder / "info.html"
        self.assertEqual(call("info", model, "--report", path).returncode, 0)
        page = self.run_to_page("report", model)
        self.assertEqual([tyre["name"] for tyre in page["mechanism"]["tyres"]], list(TYRES))
        self.assertEqual(page["mechanism"]["tyres"][0]["radius"], 0.3)
        self.assertEqual(len(unpacked(page["road"]["height"])), 4)
        self.assertNotIn("contacts", page["recordings"][0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
