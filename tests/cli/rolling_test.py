"""Discs that roll without slipping, as a user meets them: degrees of freedom in position and velocity, runs against the classical equations of the
rolling disc integrated here, what is refused and how, and the bicycle."""

import math
import sys
import unittest

from program import InFolder, MODELS, call, info

DISC, BICYCLE = MODELS / "rolling" / "disc.yaml", MODELS / "rolling" / "bicycle.yaml"
REFUSED = (f"not done where a disc rolls without slipping on a plane [{DISC}, joint 'contact']: expected joints that constrain positions, got a rolling_disc "
           "joint, which constrains velocities too. Take 'simulate', or put a 'point_on_plane' joint in its place.")


def slope(s):
    """theta, psi, w1, w2, w3, x, y of a uniform disc: see models/rolling/disc.yaml."""
    theta, psi, w1, w2, w3, _, _ = s
    g, r, m = 9.81, 0.3, 2.0
    a, c, mr2 = m * r * r / 4, m * r * r / 2, m * r * r
    cot = math.cos(theta) / math.sin(theta)
    v1, v3 = -r * w3, r * w1 * math.sin(theta)
    return [w1, w2 / math.sin(theta), (a * w2 * w2 * cot - (c + mr2) * w2 * w3 - m * g * r * math.cos(theta)) / (a + mr2),
            w1 * (c * w3 - a * w2 * cot) / a, mr2 * w1 * w2 / (c + mr2),
            -v1 * math.cos(psi) - v3 * math.sin(psi), -v1 * math.sin(psi) + v3 * math.cos(psi)]


def integrate(s, until, n):
    h = until / n

    def moved(k, d):
        return [x + d * y for x, y in zip(s, k)]

    for _ in range(n):
        k1 = slope(s)
        k2 = slope(moved(k1, h / 2))
        k3 = slope(moved(k2, h / 2))
        k4 = slope(moved(k3, h))
        s = [x + h / 6 * (p + 2 * q + 2 * r + t) for x, p, q, r, t in zip(s, k1, k2, k3, k4)]
    return s


class RollingDisc(InFolder):
    def test_info_tells_positions_and_velocities_apart(self):
        data = info(DISC)
        self.assertEqual(data["mobility"], {"gruebler": 5, "rank": 5, "velocity": 3})
        self.assertEqual([group["type"] for group in data["groups"]], ["1Q"])
        self.assertEqual(data["redundant"], [])
        self.assertEqual(data["idle"], [])
        page = call("info", DISC)
        self.assertEqual(page.returncode, 0, page.stderr)
        self.assertIn("3 DOFs in velocity, of 5 in position: contact does not slip", " ".join(page.stdout.split()))

    def test_wobbles_as_the_classical_equations_say(self):
        done = call("simulate", DISC, "--until", 1, "--rtol", 1e-12, "--atol", 1e-13, "--every", 0.1, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        s = integrate([math.pi / 2 - math.radians(20), 0, 0.7, 1.1, 9, 0, 0], 1, 5000)
        for name, wanted in (("disc.C.x", s[5]), ("disc.C.y", s[6]), ("disc.C.z", 0.3 * math.sin(s[0]))):
            self.assertAlmostEqual(columns[name][-1], wanted, delta=1e-8)
        self.assertLessEqual(max(columns["energy"]) - min(columns["energy"]), 1e-9 * columns["energy"][0])

    def test_what_does_not_take_it_says_so(self):
        for words, task in ((("kinematics", DISC, "--until", 1, "--step", 0.1), "kinematics is"),
                            (("equilibrium", DISC), "statics and linearisation are"),
                            (("modes", DISC), "statics and linearisation are"),
                            (("export", DISC, "--language", "c"), "export is")):
            done = call(*words, *(() if words[0] in ("equilibrium", "modes") else ("--out", self.out)))
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(f"{task} {REFUSED}", done.stderr)

    def test_sensing_and_estimation_say_so(self):
        text = DISC.read_text(encoding="utf-8").replace("outputs:", "sensors: {gyro: {gyroscope: disc, noise: 0.01, rate: 100 Hz}}\noutputs:")
        model, readings = self.write(text), self.folder / "readings.csv"
        done = call("simulate", model, "--until", 0.1, "--every", 0.01, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in (("sense", model, "--truth", self.out, "--seed", 1, "--out", readings),
                      ("estimate", model, "--measurements", self.out, "--filter", "dekf", "--out", readings)):
            done = call(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"sensing and estimation are {REFUSED.replace(str(DISC), str(model))}", done.stderr)

    def test_formulations_that_do_not_take_it_list_those_that_do(self):
        for formulation in ("groups", "augmented-lagrangian"):
            done = call("simulate", DISC, "--until", 1, "--formulation", formulation, "--out", self.out)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"the formulation '{formulation}' has no rows on velocities [{DISC}, joint 'contact']: expected one of 'multipliers', "
                          "'null-space' or 'semi-recursive', got a disc that rolls without slipping.", done.stderr)

    def test_start_rates_that_slip_are_named(self):
        text = DISC.read_text(encoding="utf-8").replace("  disc.wz: = spin*sin(tilt) + turn*cos(tilt)\n",
                                                        "  disc.wz: = spin*sin(tilt) + turn*cos(tilt)\n  disc.C.vx: 1 m/s\n")
        model = self.write(text)
        done = call("simulate", model, "--until", 1, "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"a start rate contradicts the joints [{model}, start rate 'disc.C.vx']: expected 2.7 m/s, which the joints, the drivers and the "
                      "start rates before it leave, got 1 m/s.", done.stderr)

    def test_one_rate_is_enough(self):
        """Of all velocities that roll at 2 m/s those of minimum kinetic energy: straight on, for an upright disc."""
        text = DISC.read_text(encoding="utf-8")
        text = text[:text.index("  disc.wx:")] + "  disc.C.vx: 2 m/s\n" + text[text.index("outputs:"):]
        done = call("simulate", self.write(text), "--set", "tilt=0", "--until", 0.1, "--every", 0.1, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        self.assertAlmostEqual(columns["disc.wy"][0], 2 / 0.3, 12)
        for name in ("disc.wx", "disc.wz"):
            self.assertAlmostEqual(columns[name][0], 0, 12)
        self.assertAlmostEqual(columns["disc.C.x"][-1], 0.2, 10)

    def test_flatten_gives_an_equal_mechanism(self):
        for model in (DISC, BICYCLE):
            flat = self.folder / "flat.yaml"
            done = call("flatten", model, "--out", flat)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = []
            for file in (model, flat):
                done = call("simulate", file, "--until", 0.2, "--every", 0.1, "--formulation", "multipliers", "--out", self.out)
                self.assertEqual(done.returncode, 0, done.stderr)
                rows.append(self.columns()[1])
                self.out.unlink()
            for name, values in rows[0].items():
                for one, other in zip(values, rows[1][name]):
                    self.assertAlmostEqual(one, other, delta=1e-9 * (1 + abs(one)), msg=name)


class Bicycle(InFolder):
    def test_has_seven_degrees_of_freedom_and_three_in_velocity(self):
        data = info(BICYCLE)
        self.assertEqual(data["mobility"], {"gruebler": 7, "rank": 7, "velocity": 3})
        self.assertEqual(data["loops"], 1)

    def test_rides_for_twenty_seconds(self):
        done = call("simulate", BICYCLE, "--until", 20, "--every", 0.1, "--rtol", 1e-11, "--atol", 1e-12, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        columns = self.columns()[1]
        energy = columns["energy"]
        self.assertLessEqual(max(abs(x - energy[0]) for x in energy), 1e-9 * energy[0])
        self.assertGreater(max(map(abs, columns["steer.q"])), 0.02)
        self.assertLess(abs(columns["steer.q"][-1]), 0.001)
        # Both contacts carry the weight between them, when it rides straight on.
        self.assertAlmostEqual(columns["rear_contact.fz"][-1] + columns["front_contact.fz"][-1], 94 * 9.81, delta=0.01)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
