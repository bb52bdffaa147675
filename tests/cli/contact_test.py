"""Friction and stops in all commands: events, notes, and what is refused."""

import csv
import math
import sys
import unittest

from program import MODELS, InFolder, call

SLIDER = """mechanism: slider
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {block: {mass: 2, inertia: 0.1, center_of_mass: [0, 0], points: {P: [0, 0]}}}
joints: {guide: {prismatic: [ground.O, block.P], axis: [0, 1]%s}}
%s
outputs: [guide.q, guide.v]
"""


class Contact(InFolder):
    def events(self):
        with open(self.folder / "events.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[:2], [["t", "kind", "what"], ["s", "", ""]])
        return [(float(t), kind, what) for t, kind, what in rows[2:]]

    def simulate(self, model, *words, until="2"):
        return call("simulate", model, "--until", until, "--out", self.out, "--events", self.folder / "events.csv", *words)

    def write(self, friction="", rest=""):
        path = self.folder / "slider.yaml"
        path.write_text(SLIDER % (friction, rest))
        return path

    def test_bouncing_slider_has_the_times_of_the_closed_form(self):
        done = self.simulate(MODELS / "bouncing-slider.yaml")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("guide.q hits stop 'floor' at 4.43 m/s at 0.451523641 s", done.stdout)
        self.assertIn("--events writes all", done.stdout)
        events = self.events()
        t0, e = math.sqrt(2 / 9.81), 0.5
        for k in range(20):
            t = t0 * (1 + 2 * sum(e ** i for i in range(1, k + 1)))
            self.assertAlmostEqual(events[k][0], t, delta=1e-9)
            self.assertEqual(events[k][1], "stop")
        self.assertEqual(events[-1][2], "guide.q comes to rest at stop 'floor'")
        _, columns = self.columns()
        self.assertAlmostEqual(columns["floor.force"][-1], 2 * 9.81, delta=1e-9)
        self.assertGreaterEqual(min(columns["guide.q"]), -1e-12)

    def test_block_on_an_incline_holds_and_slides(self):
        angle = math.atan(0.4)
        for off, kinds in ((-1e-6, []), (1e-6, ["friction"])):
            done = self.simulate(MODELS / "block-on-incline.yaml", "--set", f"slope={angle + off:.17g}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual([kind for _, kind, _ in self.events()], kinds)

    def test_energy_lost_in_impacts_is_no_drift(self):
        done = self.simulate(MODELS / "bouncing-slider.yaml")
        self.assertNotIn("drift", done.stdout)

    def test_start_beyond_a_limit(self):
        done = self.simulate(MODELS / "bouncing-slider.yaml", "--set", "height=-10 mm")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the run starts beyond a limit", done.stderr)
        self.assertIn("got 0.01 m beyond", done.stderr)

    def test_events_have_a_place_of_their_own(self):
        model = self.write(rest="assembly: {guide.q: 1}")
        for place, words in ((self.out, "another file than that of --out"), (model, "another file than that of MODEL"),
                             ("-", "the events have no destination")):
            done = call("simulate", model, "--until", "1", "--out", self.out, "--events", place)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
        done = call("simulate", model, "--until", "1", "--out", self.out, "--events", self.folder / "none" / "e.csv")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the events could not be written", done.stderr)

    def test_inverse_dynamics_does_not_pass_a_rigid_stop(self):
        model = self.write(rest="stops: {end: {joint: guide, upper: 0.3, restitution: 0}}\n"
                                "drivers: {lift: {joint: guide, speed: 0.5, start: 0}}")
        done = call("inverse", model, "--until", "1", "--step", "0.1", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the prescribed motion passes a rigid stop", done.stderr)
        self.assertIn("stop 'end', t = 0.60", done.stderr)
        self.assertEqual(self.columns()[1]["t"][-1], 0.6)  # rows up to there

    def test_inverse_dynamics_with_friction_by_load(self):
        # Across the guide the block is pressed with 30 N: 0.2 · 30 N beside the weight, once it moves.
        model = self.write(", friction: {coefficient: 0.2}",
                           "forces: {press: {point: block.P, force: [30, 0]}}\n"
                           "drivers: {lift: {joint: guide, speed: 0.5, start: 0}}")
        done = call("inverse", model, "--until", "1", "--step", "0.1", "--out", self.out, "--outputs", "guide.friction,guide.fx")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        _, columns = self.columns()
        for effort, friction, load in zip(columns["lift.effort"], columns["guide.friction"], columns["guide.fx"]):
            self.assertAlmostEqual(effort, 2 * 9.81 + 6, delta=1e-9)
            self.assertAlmostEqual(friction, -6, delta=1e-9)
            self.assertAlmostEqual(load, -30, delta=1e-9)

    def test_equilibrium_leaves_dry_friction_out_and_says_so(self):
        model = self.write(", friction: {coulomb: 3}", "springs: {s: {joint: guide, stiffness: 100}}")
        done = call("equilibrium", model, "--out", self.out)
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: dry friction of guide is left out", done.stderr)
        self.assertAlmostEqual(self.columns()[1]["guide.q"][0], -0.1962, delta=1e-12)
        done = call("modes", model)
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: dry friction of guide is left out", done.stderr)
        self.assertIn(f"{math.sqrt(50) / (2 * math.pi):.6g}", done.stdout)

    def test_equilibrium_on_a_soft_stop(self):
        model = self.write(rest="stops: {floor: {joint: guide, lower: 0, stiffness: 1000}}\nassembly: {guide.q: 0.1}")
        done = call("equilibrium", model, "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        _, columns = self.columns()
        self.assertAlmostEqual(columns["guide.q"][0], -0.01962, delta=1e-12)
        self.assertAlmostEqual(columns["energy"][0], -0.5 * 1000 * 0.01962 ** 2, delta=1e-12)
        self.assertIn(f"{math.sqrt(500) / (2 * math.pi):.6g}", call("modes", model).stdout)

    def test_equilibrium_beyond_a_rigid_stop(self):
        model = self.write(rest="springs: {s: {joint: guide, stiffness: 100}}\n"
                                "stops: {floor: {joint: guide, lower: -0.1, restitution: 0}}")
        done = call("equilibrium", model)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the position lies beyond a rigid stop", done.stderr)
        done = call("equilibrium", MODELS / "bouncing-slider.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("What rests on a rigid stop is not looked for", done.stderr)

    def test_modes_of_what_rests_or_holds(self):
        done = call("modes", MODELS / "bouncing-slider.yaml", "--at", "1.8")
        self.assertEqual(done.returncode, 1)
        self.assertIn("this state has no linear motion", done.stderr)
        done = call("modes", MODELS / "block-on-incline.yaml", "--at", "0.5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("friction that depends on the load", done.stderr)

    def test_a_load_that_passes_zero_is_no_jam(self):
        text = (MODELS / "slider-crank.yaml").read_text(encoding="utf-8")
        guide = "guide: {prismatic: [ground.guide, slider.B], axis: [1, 0]"
        self.assertIn(guide, text)
        model = self.folder / "rubbing.yaml"
        model.write_text(text.replace(guide, guide + ", friction: {coefficient: 0.2}"), encoding="utf-8")
        done = call("inverse", model, "--until", "0.5", "--step", "0.001", "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_an_impact_stops_holds(self):
        model = self.write(", friction: {coulomb: 30}",
                           "stops: {floor: {joint: guide, lower: 0, restitution: 0}}\nassembly: {guide.q: 0.1, guide.v: -2}")
        done = self.simulate(model, until="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        events = self.events()
        self.assertEqual([what for _, _, what in events],
                         ["guide.q comes to rest at stop 'floor'", "joint 'guide' begins to hold"])
        self.assertEqual(events[0][0], events[1][0])

    def test_a_limit_without_a_value(self):
        for kind in ("restitution: 0", "stiffness: 1000"):
            model = self.write(rest="stops: {floor: {joint: guide, lower: = sqrt(0.5-t)-0.9, %s}}\nassembly: {guide.q: 1}" % kind)
            done = self.simulate(model, until="1")
            self.assertEqual(done.returncode, 1, kind)
            self.assertIn("stop 'floor', t = 0.5", done.stderr)
            self.assertIn("expected a limit that has a value and a rate", done.stderr)

    def test_a_block_in_free_fall_is_not_singular(self):
        model = self.write(rest="assembly: {guide.q: 1}")
        for mass in ("3", "10", "1e4"):
            model.write_text(model.read_text().replace("mass: 2", "mass: " + mass))
            done = self.simulate(model, "--outputs", "guide.q,guide.fx", until="1")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            model.write_text(model.read_text().replace("mass: " + mass, "mass: 2"))

    def test_limits_stand_still_in_statics(self):
        model = self.write(rest="stops: {floor: {joint: guide, lower: = 0.1*t, stiffness: 2000, damping: 3}}\n"
                                "assembly: {guide.q: 0.1}")
        done = call("equilibrium", model, "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertAlmostEqual(self.columns()[1]["guide.q"][0], -2 * 9.81 / 2000, delta=1e-12)

    def test_a_load_that_redundant_joints_share_is_told(self):
        model = self.folder / "guides.yaml"
        model.write_text("""mechanism: guides
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies: {a: {mass: 2, shape: {box: [1, 0.1]}, points: {O: [0, 0], Q: [1, 0]}}}
joints:
  A: {prismatic: [ground.O, a.O], axis: [1, 0], friction: {coefficient: 0.3}}
  B: {prismatic: [ground.Q, a.Q], axis: [1, 0]}
assembly: {A.v: 3}
""")
        done = self.simulate(model, until="0.5")
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: friction of A depends on a load that redundant joints share", done.stderr)

    def test_a_free_body_in_space_is_run(self):
        model = self.folder / "free.yaml"
        model.write_text("""mechanism: free body
ground: {points: {O: [0, 0, 0]}}
bodies: {b: {mass: 3, shape: {box: [1, 0.6, 0.2]}, points: {O: [0, 0, 0], A: [0.5, 0.3, -0.1], B: [-0.5, 0.3, -0.1]}}}
joints: {F: {free: [ground.O, b.O]}}
assembly: {b.rotation: [0.1, 0.05, 0]}
outputs: [b.O.z]
""")
        self.assertEqual(self.simulate(model, until="1").returncode, 0)

    def test_steps_that_lead_nowhere_end_the_run(self):
        model = self.folder / "walls.yaml"
        model.write_text("""mechanism: blocks between moving walls
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], R: [1, 0]}}
bodies:
  a: {mass: 1, shape: {box: [0.1, 0.1]}, points: {P: [0, 0]}}
  b: {mass: 2, shape: {box: [0.1, 0.1]}, points: {P: [0, 0]}}
  c: {mass: 0.5, shape: {bar: [P, Q]}, points: {P: [0, 0], Q: [0, -0.4]}}
joints:
  ga: {prismatic: [ground.O, a.P], axis: [1, 0]}
  gb: {prismatic: [a.P, b.P], axis: [1, 0]}
  rc: {revolute: [b.P, c.P]}
stops:
  wa: {joint: ga, lower: '= -0.1+0.05*sin(20*t)', upper: '= 0.5', restitution: 0}
  wb: {joint: gb, lower: 0.2, upper: 0.4, restitution: 0}
  wc: {joint: rc, lower: -0.5, upper: 0.5, restitution: 0}
  pt: {point: c.Q.x, lower: 0, upper: '= 1-0.1*t', restitution: 0}
assembly: {ga.q: 0.1, gb.q: 0.3, rc.q: 0.1, ga.v: 1, gb.v: -0.5, rc.v: 3}
outputs: [ga.q, gb.q, rc.q, c.Q.x, ga.v]
""")
        done = call("simulate", model, "--until", "5", "--integrator", "generalized-alpha", "--step", "10 ms", "--every", "0.1", "--out", self.out)
        self.assertIn(done.returncode, (0, 1))  # and it does end
        if done.returncode == 1:
            self.assertIn("the steps have become too small", done.stderr)
            self.assertIn("Results up to there are kept", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
