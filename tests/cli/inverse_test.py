"""`eslabon inverse`: efforts, the account of energy, actuators of every kind, runs that end early, and wrong words."""

import math
import re
import sys
import unittest

from model_texts import MOTOR, PARALLELOGRAM, SPATIAL_FOUR_BAR, testbed
from program import MODELS, InFolder, call

LOADED_BAR = """
mechanism: bar that is moved against everything
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], W: [1, 1]}}
bodies: {bar: {mass: 2, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1.2, 0]}}}
joints: {O: {revolute: [ground.O, bar.A], friction: {viscous: 0.3}}}
springs:
  coil:  {joint: O, stiffness: 3, free_angle: 0.2, damping: 0.1}
  strut: {between: [ground.W, bar.B], stiffness: 20, free_length: 0.5}
dampers: {oil: {between: [ground.W, bar.B], damping: 4}}
forces: {wind: {point: bar.B, force: [= 5*sin(3*t), 2]}}
drivers: {motor: {joint: O, position: = 0.4 + 7*t + 0.5*sin(2*t)}}
"""


def difference(page):
    """Of the energy that passed, what the account leaves open."""
    return float(re.search(r"difference\s+(\S+)\s+of", page)[1])


class Inverse(InFolder):
    def inverse(self, model, *words, until="1", step="0.01"):
        return call("inverse", model, "--until", until, "--step", step, "--out", self.out, *words)

    def test_no_time_is_the_row_of_the_start(self):
        bar = ("mechanism: bar\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}}\n"
               "bodies: {bar: {mass: 3, shape: {bar: [A, B]}, points: {A: [0, 0], B: [2, 0]}}}\n"
               "joints: {O: {revolute: [ground.O, bar.A]}}\ndrivers: {motor: {joint: O, %s}}\noutputs: [O.fx]\n")
        for driver, fx, is_noted in (("position: 60 deg", 0, False), ("speed: 2 rad/s, start: 60 deg", -3 * 4 * 0.5, True)):
            model = self.write(bar % driver)
            for words in (["--until", "0"], ["--until", "0 s"], ["--until", "0.0", "--step", "0.1"]):
                done = call("inverse", model, "--out", self.out, *words)
                self.assertEqual(done.returncode, 0, done.stderr)
                _, columns = self.columns()
                self.assertEqual(columns["t"], [0])
                self.assertAlmostEqual(columns["motor.effort"][0], 15, delta=1e-12)
                self.assertAlmostEqual(columns["O.fx"][0], fx, delta=1e-12)
                self.assertEqual("'equilibrium' holds the drivers" in done.stderr, is_noted)
                self.assertEqual(done.stderr.count("\n"), int(is_noted))
                self.assertRegex(done.stdout, r"motor\.effort +N\*m +15 +15 +15 ")
                self.assertNotIn("nan", done.stdout.lower())
        self.assertEqual(call("kinematics", model, "--until", "0", "--out", self.out).returncode, 0)
        self.assertEqual(self.columns()[1]["t"], [0])
        for command in ("inverse", "kinematics"):
            done = call(command, model, "--until", "1", "--out", self.out)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--step is required", done.stderr)
            self.assertEqual(call(command, model, "--until", "-1", "--step", "0.1", "--out", self.out).returncode, 2)

    def test_the_effort_of_the_driver_is_that_of_a_simulation(self):
        done = call("simulate", MODELS / "slider-crank.yaml", "--until", "0.2", "--every", "0.01", "--out", self.out,
                    "--outputs", "motor.effort,guide.fy,guide.mz", "--rtol", "1e-12", "--atol", "1e-13")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, expected = self.columns()
        done = self.inverse(MODELS / "slider-crank.yaml", "--outputs", "motor.effort,guide.fy,guide.mz", until="0.2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        units, columns = self.columns()
        self.assertEqual(list(columns), ["t", "guide.fy", "guide.mz", "motor.effort", "power", "energy", "power_balance",
                                         "constraint_error"])
        self.assertEqual([units[name] for name in ("motor.effort", "power", "power_balance")], ["N*m", "W", "W"])
        for name in ("motor.effort", "guide.fy", "guide.mz", "energy"):
            largest = max(map(abs, expected[name]))
            for one, other in zip(columns[name], expected[name]):
                self.assertAlmostEqual(one, other, delta=1e-8 * largest + 1e-12, msg=name)

    def test_energy_put_in_is_work_done(self):
        for model in ("fourbar-testbed", "slider-crank", "watt-sixbar", "stephenson-sixbar", "five-bar", "rssr",
                      "double-wishbone"):
            done = self.inverse(MODELS / f"{model}.yaml", until="1.3")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(difference(done.stdout), 1e-9, model)
            _, columns = self.columns()
            largest = max(map(abs, columns["power"]))
            self.assertLess(max(map(abs, columns["power_balance"])), 1e-9 * largest, model)

    def test_energy_is_accounted_for_with_springs_dampers_friction_and_loads(self):
        model = self.write(LOADED_BAR)
        for step in ("0.001", "0.05", "0.4"):
            done = self.inverse(model, until="2", step=step)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(difference(done.stdout), 1e-9, step)
        # Simpson's rule over the rows tells the same: what the motor gives, and where it goes.
        done = self.inverse(model, "--outputs", "bar.B.vx,bar.B.vy,O.v,coil.rate,oil.rate", until="2", step="0.0005")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, columns = self.columns()

        def integral(values):
            return 0.0005 / 3 * sum((1 if k in (0, len(values) - 1) else 4 if k % 2 else 2) * v
                                    for k, v in enumerate(values))
        put_in = integral(columns["power"])
        lost = integral([0.4 * v * v for v in columns["O.v"]]) + integral([4 * v * v for v in columns["oil.rate"]])
        given = -integral([5 * math.sin(3 * t) * vx + 2 * vy for t, vx, vy in
                           zip(columns["t"], columns["bar.B.vx"], columns["bar.B.vy"])])
        change = columns["energy"][-1] - columns["energy"][0]
        gross = integral(list(map(abs, columns["power"])))
        self.assertLess(abs(put_in - change - lost - given), 1e-9 * gross)
        account = re.search(r"Energy\s+(.*?) J put in.*?= (.*?) J more energy \+ (.*?) J\s+lost.*?\+ (.*?) J\s+given",
                            done.stdout.replace("\n", " "))
        for text, value in zip(account.groups(), (put_in, change, lost, given)):
            self.assertAlmostEqual(float(text), value, delta=1e-8 * abs(value))  # nine digits are shown

    def check_figures_of_rows(self, page):
        """The table of the actuator 'motor' against the rows of the file."""
        _, columns = self.columns()
        efforts = columns["motor.effort"]
        least, largest, rms, power = map(float, re.search(r"motor\.effort\s+N\*m\s+(.*)", page)[1].split())
        peak = max(columns["power"], key=abs)
        for figure, value in ((least, min(efforts)), (largest, max(efforts)), (power, peak),
                              (rms, math.sqrt(sum(effort * effort for effort in efforts) / len(efforts)))):
            self.assertAlmostEqual(figure, value, delta=1e-5 * abs(value))
        return columns

    def check_energy(self, page, energy):
        """What was put in is what the rows have more: nothing is lost."""
        put_in, change = map(float, re.search(r"Energy\s+(\S+) J put in by the actuators = (\S+) J more", page).groups())
        self.assertAlmostEqual(change, energy[-1] - energy[0], delta=1e-8 * max(map(abs, energy)))
        self.assertAlmostEqual(put_in, change, delta=1e-8 * max(map(abs, energy)))

    def test_figures_are_those_of_the_rows_where_the_motion_ends_early(self):
        # The driver runs into a toggle between two rows: efforts grow without bound there, and no row has them.
        for crank in ("300 mm", "250 mm", "350 mm"):
            done = self.inverse(MODELS / "fourbar-testbed.yaml", "--set", f"crank={crank}", until="4")
            self.assertEqual(done.returncode, 1)
            self.check_energy(done.stdout, self.check_figures_of_rows(done.stdout)["energy"])
            self.assertNotIn("not accounted for", done.stderr)

    def test_figures_are_those_of_the_rows_where_a_jerk_lies_between_them(self):
        for law in ("1.5 + atan(1e3*(t - 0.503))", "1.5 + atan(1e4*(t - 0.5))"):
            done = self.inverse(self.write(testbed("speed: 1.8190 rad/s", "position: = " + law)))
            self.assertEqual(done.returncode, 0, law + done.stderr)
            self.assertNotIn("not accounted for", done.stderr)
            columns = self.check_figures_of_rows(done.stdout)
            self.check_energy(done.stdout, columns["energy"])

    def test_a_single_row_has_figures(self):
        done = self.inverse(MODELS / "fourbar-testbed.yaml", "--set", "crank=300 mm", until="4", step="0.4")
        self.assertEqual((done.returncode, len(self.columns()[1]["t"])), (1, 1))
        self.check_figures_of_rows(done.stdout)
        self.assertNotIn("not accounted for", done.stderr)

    def test_what_is_lost_in_roundoff_of_a_heavy_mechanism_is_no_alarm(self):
        for mass, motion in (("2e6", "-pi/2 + 1e-8*sin(t)"), ("2e6", "0.3 + 1e-14*t"), ("2", "-pi/2 + 1e-8*sin(t)")):
            model = self.write(f"""
mechanism: boom that hardly moves
plane: xy
gravity: [0, -9.81]
ground: {{points: {{O: [0, 0]}}}}
bodies: {{boom: {{mass: {mass}, shape: {{bar: [O, P]}}, points: {{O: [0, 0], P: [70, 0]}}}}}}
joints: {{O: {{revolute: [ground.O, boom.O]}}}}
drivers: {{motor: {{joint: O, position: "= {motion}"}}}}
""")
            done = self.inverse(model, until="2")
            self.assertEqual((done.returncode, done.stderr), (0, ""), motion)
            self.assertRegex(" ".join(done.stdout.split()), r"given to loads; \S+ J exchanged, difference \S+ J")

    def test_other_actuators_give_the_same_power(self):
        powers = []
        for words in ([], ["--actuators", "A.q"], ["--actuators", "B.q"], ["--actuators", "crank.angle"],
                      ["--actuators", "coupler.P3.x"], ["--actuators", "motor, B.q ,P1.q"]):
            done = self.inverse(MODELS / "fourbar-testbed.yaml", *words, step="0.1")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            powers.append(self.columns()[1]["power"])
            for one, other in zip(powers[0], powers[-1]):
                self.assertAlmostEqual(one, other, delta=1e-12)
        self.assertEqual(list(self.columns()[1])[4:7], ["motor.effort", "B.q.effort", "P1.q.effort"])
        self.assertIn("motor, B.q, P1.q share the load", done.stdout)

    def test_two_motors_share_by_the_speeds_that_they_have(self):
        done = self.inverse(MODELS / "fourbar-testbed.yaml", "--actuators", "A.q,B.q", "--outputs", "A.v,B.v", step="0.1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        _, columns = self.columns()
        for a, b, va, vb, power in zip(*(columns[name] for name in ("A.q.effort", "B.q.effort", "A.v", "B.v", "power"))):
            self.assertAlmostEqual(a, power * va / (va * va + vb * vb), delta=1e-12)
            self.assertAlmostEqual(b, power * vb / (va * va + vb * vb), delta=1e-12)

    def test_reactions_depend_on_who_works(self):
        reactions = self.folder / "reactions.csv"
        for words in ([], ["--actuators", "B.q"]):
            done = self.inverse(MODELS / "fourbar-testbed.yaml", "--outputs", "P1.fx,P1.fy,crank.angle",
                                "--reactions", reactions, *words, step="0.1")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            _, columns = self.columns()
            with_results = self.out
            self.out = reactions
            _, forces = self.columns()
            self.out = with_results
            self.assertEqual(forces["P1.fx"], columns["P1.fx"])
            # Moments on the crank about A, a disc at constant speed: motor and the force of the coupler, which pushes back on it.
            torque = columns.get("motor.effort", [0.0] * len(columns["t"]))
            for k, angle in enumerate(columns["crank.angle"]):
                moment = 0.12 * (math.cos(angle) * columns["P1.fy"][k] - math.sin(angle) * columns["P1.fx"][k])
                self.assertAlmostEqual(torque[k], moment, delta=1e-11)

    def test_redundant_joints_are_named_by_component(self):
        done = self.inverse(self.write(SPATIAL_FOUR_BAR), "--outputs", "A.fx,A.fz,B.my", step="0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("A.fz, B.my are not unique", done.stderr)
        self.assertLess(difference(done.stdout), 1e-9)

    def test_idle_spins_are_held_without_work(self):
        done = self.inverse(MODELS / "rssr.yaml", step="0.05")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("for 2 DOFs, idle spins included", done.stdout)
        self.assertIn("Holding", done.stdout)
        self.assertNotIn("spin", ",".join(self.columns()[1]))

    def test_results_can_go_to_stdout(self):
        done = call("inverse", MODELS / "fourbar-testbed.yaml", "--until", "0.1", "--step", "0.05", "--out", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("t,crank.angle"))
        self.assertIn("put in by the actuators", done.stderr)

    def test_actuators_that_cannot_do_it(self):
        for model, actuators, messages in (
                ("five-bar", "A.q", ["actuators for 2 degrees of freedom", "for 1 of them, A.q", "joints C, D", "such as 'C.q'"]),
                ("slider-crank", "slider.B.y", ["for 1 degree of freedom, got actuators for 0 of them", "nothing moves along slider.B.y"]),
                ("double-wishbone", "hub.q", ["for 2 degrees of freedom, got actuators for 1 of them", "lower_hinge"])):
            done = self.inverse(MODELS / f"{model}.yaml", "--actuators", actuators)
            self.assertEqual(done.returncode, 1)
            for message in messages:
                self.assertIn(message, done.stderr)
            self.assertFalse(self.out.exists())

    def test_wrong_actuators(self):
        for actuators, status, messages in (
                ("moter", 2, ["--actuators", "'moter'", "Did you mean 'motor'?"]),
                ("O.w", 2, ["'O.w'"]), ("O", 2, ["Did you mean 'O.q'?"]), ("O.v", 2, ["Did you mean 'O.q'?"]),
                ("motor,O.q", 2, ["two actuators", "'motor' and 'O.q'"]), ("O.q,O.q", 2, ["two actuators"]),
                ("ground.O.x", 2, ["of the ground"]), ("guide.fy", 2, ["no actuator can push along this"]),
                ("motor,,O.q", 2, ["--actuators"]), ("", 2, ["--actuators"])):
            done = self.inverse(MODELS / "slider-crank.yaml", "--actuators", actuators)
            self.assertEqual(done.returncode, status, actuators)
            for message in messages:
                self.assertIn(message, done.stderr)
            self.assertFalse(self.out.exists())
        welded = self.write(testbed("joints:", "  plate: {mass: 1, shape: {disc: 10 mm}, points: {P: [0, 0]}}\n"
                                    "joints:\n  weld: {fixed: [coupler.P3, plate.P]}"))
        done = self.inverse(welded, "--actuators", "weld.q")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'weld.q', of a fixed joint, which has none", done.stderr)

    def test_efforts_of_drivers_that_do_nothing_are_left_out(self):
        done = self.inverse(MODELS / "slider-crank.yaml", "--actuators", "A.q")
        self.assertEqual((done.returncode, done.stderr), (0, "eslabon: left out: motor.effort: no actuator here.\n"))
        self.assertNotIn("motor.effort", self.columns()[1])
        self.out.unlink()
        done = self.inverse(MODELS / "slider-crank.yaml", "--actuators", "A.q", "--outputs", "motor.effort")
        self.assertEqual(done.returncode, 2)
        self.assertIn("add the driver to --actuators", done.stderr)
        self.assertFalse(self.out.exists())

    def test_a_mechanism_without_drivers_has_no_motion(self):
        done = self.inverse(MODELS / "fourbar-double-crank.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs a motion that is prescribed", done.stderr)
        self.assertIn("'simulate'", done.stderr)

    def test_a_speed_that_jumps_ends_the_run_with_its_rows(self):
        reactions = self.folder / "reactions.csv"
        done = self.inverse(self.write(testbed(MOTOR, "motor: {joint: A, position: = 1.5 + abs(t - 0.5)}")), "--reactions",
                            reactions, step="0.1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the speed of a driver jumps", done.stderr)
        self.assertIn("Results up to there are kept.", done.stderr)
        self.assertGreaterEqual(len(self.columns()[1]["t"]), 5)
        self.out = reactions
        self.assertGreaterEqual(len(self.columns()[1]["t"]), 5)

    def test_a_limit_ends_the_run_with_its_rows(self):
        done = self.inverse(self.write(testbed(MOTOR, "motor: {joint: B, speed: -1 rad/s}")), until="8", step="0.1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("singular position", done.stderr)
        self.assertGreater(len(self.columns()[1]["t"]), 1)

    def test_dead_centres_are_said_to_be(self):
        model = MODELS / "slider-crank.yaml"
        done = self.inverse(model, "--set", "start=0 deg", "--actuators", "guide.q", "--method", "global")
        self.assertEqual(done.returncode, 1)
        self.assertIn("got actuators for 0 of them, guide.q", done.stderr)

    def test_where_branches_meet(self):
        bars = PARALLELOGRAM.replace("plane: xy", "plane: xy\ngravity: [0, -9.81]")
        for bar in (["A", "P"], ["P", "Q"], ["B", "Q"]):
            points = "points: {" + ": [0, 0], ".join(bar)
            bars = bars.replace(points, f"mass: 1, shape: {{bar: [{', '.join(bar)}]}}, {points}")
        done = self.inverse(self.write(bars), until="3", step="0.1")  # straight through
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(difference(done.stdout), 1e-9)
        turning = bars.replace("speed: 1 rad/s", "position: = pi/3 + t*2*pi/3")
        done = self.inverse(self.write(turning), until="3", step="0.5")  # a row falls on it
        self.assertEqual(done.returncode, 1)
        self.assertIn("t = 1 s]: expected actuators for 2 degrees of freedom", done.stderr)
        self.assertIn("At the start there is 1: here branches meet", done.stderr)
        self.assertEqual(self.columns()[1]["t"], [0, 0.5])

    def test_bars_without_mass_and_weight_need_nothing(self):
        done = self.inverse(self.write(PARALLELOGRAM), step="0.1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(set(self.columns()[1]["motor.effort"]), {0.0})
        self.assertIn("none was supplied", done.stdout)

    def test_wrong_words(self):
        for words, status in ((["--method", "fast"], 2), (["--reactions", ""], 2), (["--reactions", "-"], 2),
                              (["--outputs", "crank.angel"], 2), (["--actuator", "A.q"], 2)):
            done = self.inverse(MODELS / "fourbar-testbed.yaml", *words)
            self.assertEqual(done.returncode, status, words)
            self.assertEqual(done.stdout, "")
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
