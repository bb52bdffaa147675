"""`eslabon simulate`: the results, the summary, runs that end early, and wrong words."""

import math
import sys
import unittest

from model_texts import SPATIAL_FOUR_BAR, testbed
from program import MODELS, InFolder, call


class Simulate(InFolder):
    def simulate(self, model, *words, until="1"):
        return call("simulate", model, "--until", until, "--out", self.out, *words)

    def test_testbed_let_go_keeps_its_energy(self):
        done = self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "motor", "--every", "0.05", "--rtol", "1e-11",
                             "--atol", "1e-12", "--coordinates", "relative", until="5")
        self.assertEqual(done.returncode, 0, done.stderr)
        units, columns = self.columns()
        self.assertEqual(list(columns)[:7], ["t", "crank.angle", "coupler.P3.x", "coupler.P3.y", "A.q", "A.v", "A.a"])
        self.assertEqual(list(columns)[-2:], ["energy", "constraint_error"])
        self.assertEqual(units["energy"], "J")
        self.assertEqual(columns["t"], [k / 20 for k in range(101)])
        self.assertAlmostEqual(columns["crank.angle"][0], math.pi / 2, delta=1e-12)
        energy = columns["energy"]
        self.assertLess(max(energy) - min(energy), 1e-8)
        self.assertGreater(max(columns["crank.angle"]), 2 * math.pi)  # a whole turn is counted on
        self.assertLess(max(columns["constraint_error"]), 1e-10)
        for fact in ("Formulation  null-space, relative", "Integrator   dopri5", "Released     motor", "drift", "real time"):
            self.assertIn(fact, done.stdout)

    def test_states_of_the_degrees_of_freedom_are_written_behind_the_outputs(self):
        outputs = ["crank.angle", "coupler.P3.x", "coupler.P3.y"]
        for words, expected in (
                ([], outputs + ["A.q", "A.v", "A.a"]),
                (["--outputs", "rocker.angle,A.v"], ["rocker.angle", "A.v"]),
                (["--outputs", "rocker.angle,A.v", "--states"], ["rocker.angle", "A.v", "A.q", "A.a"])):
            done = self.simulate(MODELS / "fourbar-testbed.yaml", "--every", "0.1", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            _, columns = self.columns()
            self.assertEqual(list(columns), ["t", *expected, "energy", "constraint_error"])
            is_told = "States       " in done.stdout
            self.assertEqual(is_told, words[:1] != ["--outputs"] or words[-1] == "--states")
            self.assertNotRegex(done.stdout, r"(?m)^  A\.a ")  # the table has the outputs that were asked for
        for q, t in zip(columns["A.q"], columns["t"]):
            self.assertAlmostEqual(q, math.pi / 2 + 1.8190 * t, delta=1e-8)

    def test_a_released_coordinate_of_a_loop_has_another_beside_it_for_its_dead_centres(self):
        self.assertEqual(self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "motor", until="0.1").returncode, 0)
        names = list(self.columns()[1])
        self.assertEqual(names[4:7], ["A.q", "A.v", "A.a"])
        self.assertRegex(" ".join(names[7:10]), r"^(\w+)\.q \1\.v \1\.a$")
        self.assertEqual(len(names), 12)

    def test_what_drivers_moved_are_inputs_where_joints_have_no_coordinates(self):
        ends = []
        for formulation in ("groups", "semi-recursive"):
            done = self.simulate("family:truck-suspension,axles=5", "--release", "all", "--formulation", formulation,
                                 "--every", "0.1", "--outputs", "axle_1.wheel_left.z,axle_5.wheel_right.z", until="0.1")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("10 DOFs: axle_1.wheel_left.z, axle_1.wheel_right.z" in " ".join(done.stdout.split()),
                             formulation == "groups")
            columns = self.columns()[1]
            ends.append([columns[name][-1] for name in ("axle_1.wheel_left.z", "axle_5.wheel_right.z")])
        for one, other in zip(*ends):
            self.assertAlmostEqual(one, other, delta=1e-9)

    def test_a_released_driver_exerts_no_effort(self):
        model = MODELS / "slider-crank.yaml"
        done = self.simulate(model, "--release", "motor", until="0.01")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "eslabon: left out: motor.effort: a released driver exerts no effort.\n"))
        self.assertNotIn("motor.effort", self.columns()[1])
        for command, *words in (("simulate", "--until", "0.01"), ("equilibrium",),
                                ("modes", "--at", "start")):
            done = call(command, model, "--release", "motor", "--outputs", "crank.angle,motor.effort", "--out",
                        self.folder / ("asked.npz" if command == "modes" else "asked.csv"), *words)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, "eslabon: a released driver exerts no effort [--outputs]: expected efforts of drivers "
                                          "that are not released, got 'motor.effort' with --release motor. Leave the output "
                                          "out, or keep the driver.\n")
        # A driver that stays has its effort.
        done = self.simulate(MODELS / "five-bar.yaml", "--release", "knee", until="0.01")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "eslabon: left out: knee.effort: a released driver exerts no effort.\n"))
        self.assertIn("motor.effort", self.columns()[1])

    def test_every_integrator_gives_the_same_motion(self):
        ends = []
        for words in (["rk4", "--step", "1 ms"], ["dopri5"], ["trapezoidal", "--step", "0.0005"],
                      ["generalized-alpha", "--step", "0.0005"], ["bdf", "--rtol", "1e-9"]):
            done = self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", "--every", "0.1",
                                 "--coordinates", "relative", "--integrator", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            ends.append(self.columns()[1]["crank.angle"])
            self.assertEqual(len(ends[-1]), 11)
        for angles in ends:
            for one, other in zip(angles, ends[1]):
                self.assertAlmostEqual(one, other, delta=2e-5)

    def test_new_choices_of_coordinates_are_one_note(self):
        events = self.folder / "events.csv"
        for coordinates in ("natural", "reference-point"):
            done = self.simulate(MODELS / "rssr.yaml", "--release", "all", "--formulation", "null-space", "--coordinates",
                                 coordinates, "--events", events, until="4")
            self.assertEqual(done.returncode, 0, done.stderr)
            choices = [line.split(",") for line in events.read_text(encoding="utf-8").splitlines() if ",choice," in line]
            self.assertGreater(len(choices), 3)
            self.assertEqual(done.stderr.count("independent coordinates"), 1)
            self.assertRegex(done.stderr, rf"(?m)^eslabon: note: t = \S+ s: independent coordinates are now .*, the last of "
                                          rf"{len(choices)} choices since t = \S+ s; --events writes all\.$")
            self.assertIn(f"{len(choices)} new choices of the integrated coordinates", " ".join(done.stdout.split()))

    def test_what_stands_still_has_no_relative_drift(self):
        for mass, length in ((2, 0.7), (2e6, 70)):
            model = self.write(f"""
mechanism: pendulum that hangs
plane: xy
gravity: [0, -9.81]
ground: {{points: {{O: [0, 0]}}}}
bodies: {{bob: {{mass: {mass}, shape: {{bar: [A, B]}}, points: {{A: [0, 0], B: [{length}, 0]}}}}}}
joints: {{O: {{revolute: [ground.O, bob.A]}}}}
assembly: {{bob.angle: -90.00001 deg}}
""")
            done = self.simulate(model)
            self.assertEqual(done.returncode, 0, done.stderr)
            page = " ".join(done.stdout.split())
            self.assertRegex(page, r"; drift \S+ J, max kinetic energy \S+ J: no element adds or removes energy")
            self.assertNotIn("of the max kinetic energy", page)

    def test_rows_are_where_they_are_asked_for(self):
        self.assertEqual(self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", until="0.5").returncode, 0)
        self.assertEqual(len(self.columns()[1]["t"]), 1001)
        self.assertEqual(self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", "--integrator", "rk4",
                                       "--step", "0.03", until="0.1").returncode, 0)
        self.assertEqual(self.columns()[1]["t"], [0, 0.03, 0.06, 0.09, 0.1])

    def test_driven_mechanism_moves_as_in_kinematics(self):
        self.assertEqual(self.move(MODELS / "fourbar-testbed.yaml", "--outputs", "B.q,B.v,B.a").returncode, 0)
        _, expected = self.columns()
        for formulation in ("null-space", "multipliers"):
            done = self.simulate(MODELS / "fourbar-testbed.yaml", "--outputs", "B.q,B.v,B.a", "--every", "0.1",
                                 "--coordinates", "relative", "--formulation", formulation)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("B.q", "B.v", "B.a"):
                for one, other in zip(self.columns()[1][name], expected[name]):
                    self.assertAlmostEqual(one, other, delta=1e-7)

    def test_results_can_go_to_stdout(self):
        done = call("simulate", MODELS / "fourbar-testbed.yaml", "--until", "0.1", "--release", "all", "--out", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("t,crank.angle"))
        self.assertIn("Integrator", done.stderr)

    def test_forces_are_written(self):
        # A bar that hangs still: its pin carries its weight; driven, the motor holds what gravity asks for.
        model = self.write("mechanism: bar\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}}\n"
                           "bodies: {bar: {mass: 3, shape: {bar: [A, B]}, points: {A: [0, 0], B: [2, 0]}}}\n"
                           "joints: {O: {revolute: [ground.O, bar.A]}}\n"
                           "drivers: {motor: {joint: O, position: 0}}\noutputs: [O.fx, O.fy, O.mz, motor.effort]\n")
        done = self.simulate(model, until="0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, values = self.columns()
        for name, expected in (("O.fx", 0), ("O.fy", 30), ("O.mz", 0), ("motor.effort", 30)):
            for value in values[name]:
                self.assertAlmostEqual(value, expected, delta=1e-9, msg=name)

    def test_reactions_that_are_not_unique_are_said_to_be(self):
        done = self.simulate(self.write(SPATIAL_FOUR_BAR), "--release", "all", "--outputs", "A.fz,A.q", until="0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("A.fz is not unique", done.stderr)
        done = self.simulate(self.write(SPATIAL_FOUR_BAR), "--release", "all", "--outputs", "A.fx,A.fy", until="0.01")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_reactions_of_all_joints_have_a_file_of_their_own(self):
        reactions = self.folder / "reactions.csv"
        done = self.simulate(self.write(SPATIAL_FOUR_BAR), "--outputs", "A.fx,B.fz,B.my,motor.effort", "--every", "0.05",
                             "--reactions", reactions, until="0.2")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, results = self.columns()
        self.out = reactions
        units, columns = self.columns()
        components = ["fx", "fy", "fz", "mx", "my", "mz"]
        self.assertEqual(list(columns), ["t"] + [f"{joint}.{frame}{c}" for joint in ("A", "P1", "P2", "B")
                                                 for frame in ("", "frame.") for c in components] + ["motor.effort"])
        self.assertEqual([units["A.fx"], units["A.frame.mz"], units["motor.effort"]], ["N", "N*m", "N*m"])
        for name in ("t", "A.fx", "B.fz", "B.my", "motor.effort"):
            self.assertEqual(results[name], columns[name], name)
        # Hinges along z: forces along it and moments across it are shared, in the world and in the hinges' frames alike.
        for joint in ("A", "P1", "P2", "B"):
            self.assertIn(f"{joint}.fz, mx, my, frame.fz, frame.mx, frame.my", done.stderr)
        self.assertNotIn("fx", done.stderr.split("note: ")[-1])
        # The frame turns with the second body: A's with the crank, at 90 degrees and then at 1.8190 rad/s.
        for k, t in enumerate(columns["t"]):
            angle = math.pi / 2 + 1.8190 * t
            self.assertAlmostEqual(columns["A.frame.fx"][k], math.cos(angle) * columns["A.fx"][k] +
                                   math.sin(angle) * columns["A.fy"][k], delta=1e-6)

    def test_reactions_in_the_plane_are_three(self):
        reactions = self.folder / "reactions.csv"
        done = self.simulate(MODELS / "slider-crank.yaml", "--every", "0.01", "--reactions", reactions, until="0.05")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.out = reactions
        _, columns = self.columns()
        self.assertEqual([name for name in columns if name.startswith("guide")],
                         ["guide.fx", "guide.fy", "guide.mz", "guide.frame.fx", "guide.frame.fy", "guide.frame.mz"])
        self.assertLess(max(map(abs, columns["guide.frame.fx"])), 1e-9)  # along the slide
        self.assertGreater(max(map(abs, columns["guide.frame.fy"])), 1)

    def test_reactions_need_a_file_of_their_own(self):
        model = self.write(testbed())
        for words, message in (([self.out], "another file than that of --out"), ([model], "another file than that of MODEL"),
                               (["-"], "no destination"), ([""], "no destination")):
            done = self.simulate(model, "--reactions", *words, until="0.01")
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)
        self.assertFalse(self.out.exists())

    def test_forces_of_the_file_are_in_the_results(self):
        done = self.simulate(MODELS / "quarter-vehicle.yaml", until="0.01")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        units, values = self.columns()
        self.assertEqual((units["spring.force"], units["tyre_spring.force"]), ("N", "N"))
        for value in values["tyre_spring.force"]:
            self.assertAlmostEqual(value, 245.25, delta=1e-9)  # a quarter of 100 kg, at rest

    def test_a_bump_is_not_stepped_over(self):
        # The vehicle stands still for a second: steps would grow if the road were not known to depend on time.
        done = self.simulate(MODELS / "quarter-vehicle.yaml", "--set", "bump=20 mm", until="3")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("steps of at most 0.003 s", " ".join(done.stdout.split()))
        heights = self.columns()[1]["wheel.W.z"]
        self.assertAlmostEqual(max(heights), -0.04, delta=1e-3)
        self.assertAlmostEqual(heights[-1], -0.06, delta=1e-6)

    def test_failed_run_keeps_its_rows(self):
        model = self.write(testbed("outputs:", "forces: {push: {joint: A, torque: = 1 N*m*sqrt(0.5 - t/1 s)}}\noutputs:"))
        for integrator in (["rk4", "--step", "0.01"], ["trapezoidal", "--step", "0.01"], ["dopri5"], ["bdf"]):
            done = self.simulate(model, "--release", "all", "--every", "0.01", "--integrator", *integrator)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "the run ends early: .*force 'push', t = 0.5.*Results up to there are kept")
            for values in self.columns()[1].values():
                self.assertTrue(all(math.isfinite(value) for value in values))
                self.assertGreaterEqual(len(values), 49)

    def test_steps_are_timed_on_request(self):
        for variant in ("dense", "sparse"):
            done = self.simulate("family:scalable-fourbar,dyads=5", "--release", "all", "--formulation", "semi-recursive",
                                 "--matrices", variant, "--step-times", until="0.01")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("R_z", done.stdout)
            self.assertRegex(done.stdout, r"9   z̈ = M \\ b")
        done = self.simulate(MODELS / "benchmarks" / "double-pendulum.yaml", "--formulation", "semi-recursive", "--step-times")
        self.assertEqual(done.returncode, 1)
        self.assertIn("an open chain, by articulated inertias", done.stderr)

    def test_baumgarte_holds_the_constraints_without_projection(self):
        errors = []
        for words in ([], ["--baumgarte", "50,0.5"], ["--baumgarte", "0,0"]):
            done = self.simulate(MODELS / "fourbar-testbed.yaml", "--release", "all", "--formulation", "multipliers",
                                 "--integrator", "rk4", "--step", "0.005", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            errors.append(max(self.columns()[1]["constraint_error"]))
        self.assertLess(errors[0], 1e-14)
        self.assertLess(errors[1], 1e-5)
        self.assertGreater(errors[1], 1e-12)
        self.assertGreater(errors[2], 1e-12)  # held by nothing
        self.assertIn("neither stabilised nor projected", " ".join(done.stdout.split()))

    def test_bad_models_are_named_with_their_time(self):
        bar = ("mechanism: m\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0], S: [1, 0], T: [0, 1]}}\n"
               "bodies:\n  bar: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1, 0]}}\n%s"
               "joints:\n  O: {revolute: [ground.O, bar.A]}\n%s")
        for extra_body, rest, words, message in (
                ("  ghost: {points: {A: [0, 0]}}\n", "  P: {revolute: [bar.B, ghost.A]}\n", [],
                 "a body can move without moving any mass .*body 'ghost', t = 0 s"),
                ("", "springs: {pull: {between: [ground.S, bar.B], stiffness: 9, free_length: 0.5}}\n", [],
                 "spring 'pull', t = 0 s.*points that coincide"),
                ("", "forces: {push: {point: bar.B, force: [= 1 N*sqrt(0.5 - t/1 s), 0]}}\n", [],
                 "force 'push', t = 0.5.*not a number.*are kept"),
                ("", "springs: {stiff: {between: [ground.T, bar.B], stiffness: 1e9, free_length: 1.4, damping: 1e5}}\n",
                 ["--integrator", "rk4", "--step", "0.01"],
                 "t = 0 s.*The spring 'stiff' alone moves at about 1e\\+05 1/s: take 'bdf', or steps below 1e-05 s"),
                ("", "springs: {coil: {joint: O, stiffness: 1e9}}\nassembly: {O: 1}\n",
                 ["--integrator", "trapezoidal", "--step", "0.01"], "t = 0 s.*The spring 'coil' alone moves at about"),
                ("", "drivers: {motor: {joint: O, position: '= max(0, 1 rad/s*t - 0.5)'}}\n", [],
                 "the speed of a driver jumps .*driver 'motor', t = 0.5.*1 rad/s at once"),
                ("", "assembly: {bar.rate: 1, O.v: 2}\n", [], "start rate 'O.v'.*got 2 rad/s")):
            with self.subTest(message):
                done = self.simulate(self.write(bar % (extra_body, rest)), *words)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, message)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                if self.out.exists():
                    self.columns()  # all finite

    def test_a_start_where_branches_meet_is_refused(self):
        bar = "{mass: 1, center_of_mass: [0.5, 0%s], inertia: %s, points: {A: [0, 0%s], B: [1, 0%s]}}"
        for plane, z, axis, inertia in (("plane: xy\n", "", "", "0.1"), ("", ", 0", ", axis: z", "[0.01, 0.1, 0.1]")):
            body = bar % (z, inertia, z, z)
            text = (f"mechanism: flat\n{plane}ground: {{points: {{A: [0, 0{z}], B: [1, 0{z}]}}}}\n"
                    f"bodies:\n  a: {body}\n  b: {body}\n  k: {body}\njoints:\n"
                    f"  A: {{revolute: [ground.A, a.A]{axis}}}\n  B: {{revolute: [ground.B, b.A]{axis}}}\n"
                    f"  P: {{revolute: [a.B, k.A]{axis}}}\n  Q: {{revolute: [b.B, k.B]{axis}}}\n")
            for formulation in ("auto", "multipliers", "semi-recursive"):
                done = self.simulate(self.write(text), "--formulation", formulation)
                self.assertEqual(done.returncode, 1)
                self.assertIn("the run starts in a singular position", done.stderr)
                self.assertIn("with 1 degree of freedom, got one with 2", done.stderr)

    def test_nothing_that_depends_on_time_is_stepped_over(self):
        model = self.write("mechanism: m\nplane: xy\nground: {points: {O: [0, 0]}}\n"
                           "bodies: {m: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {P: [0, 0]}}}\n"
                           "joints: {A: {prismatic: [ground.O, m.P], axis: [1, 0]}}\n"
                           "forces: {hit: {point: m.P, force: [= 1 N*exp(-(t/1 s - 50)^2), 0]}}\noutputs: [A.v]\n")
        for integrator in ("dopri5", "bdf"):
            done = self.simulate(model, "--integrator", integrator, "--every", "0.5", until="100")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertAlmostEqual(self.columns()[1]["A.v"][-1], math.sqrt(math.pi), delta=1e-5)
        self.assertIn("steps of at most 0.1 s", " ".join(done.stdout.split()))

    def test_turns_between_rows_are_counted(self):
        # Friction stops it after 5 N m * 0.2 s * sqrt(pi) / 0.01 N m s = 177.245 rad, whatever rows there are.
        model = self.write("mechanism: kick\nplane: xy\nground: {points: {A: [0, 0]}}\n"
                           "bodies: {c: {mass: 1, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.3, 0]}}}\n"
                           "joints: {A: {revolute: [ground.A, c.A], friction: {viscous: 0.01}}}\n"
                           "forces: {kick: {joint: A, torque: '= 5 N*m*exp(-((t/1 s - 1800)/0.2)^2)'}}\noutputs: [A.q]\n")
        for words in (["--every", "0.5"], ["--every", "60"], ["--every", "60", "--largest-step", "0.02"], []):
            done = self.simulate(model, *words, until="3600")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertAlmostEqual(self.columns()[1]["A.q"][-1], 100 * math.sqrt(math.pi), delta=1e-4)

    def test_rows_where_branches_meet_are_as_others(self):
        model = self.write("mechanism: driven parallelogram\nplane: xy\ngravity: [0, -9.81]\n"
                           "ground: {points: {A: [0, 0], D: [1, 0]}}\nbodies:\n"
                           "  a: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.5, 0]}}\n"
                           "  b: {mass: 1, shape: {bar: [B, C]}, points: {B: [0, 0], C: [1, 0]}}\n"
                           "  c: {mass: 1, shape: {bar: [D, C]}, points: {D: [0, 0], C: [0.5, 0]}}\njoints:\n"
                           "  A: {revolute: [ground.A, a.A]}\n  B: {revolute: [a.B, b.B]}\n"
                           "  C: {revolute: [b.C, c.C]}\n  D: {revolute: [ground.D, c.D]}\n"
                           "drivers: {motor: {joint: A, speed: = 3.14159265358979 rad/s, start: 90 deg}}\n"
                           "assembly: {b.angle: 0, c.angle: 90 deg}\noutputs: [c.rate, D.a, motor.effort]\n")
        for words in ([], ["--formulation", "semi-recursive"], ["--integrator", "rk4", "--step", "0.01"]):
            done = self.simulate(model, "--every", "0.1", *words, until="2")  # flat at 0.5 s and 1.5 s
            self.assertEqual(done.returncode, 0, done.stderr)
            _, values = self.columns()
            for rate, a, effort, t in zip(values["c.rate"], values["D.a"], values["motor.effort"], values["t"]):
                self.assertAlmostEqual(rate, math.pi, delta=1e-6)
                self.assertAlmostEqual(a, 0, delta=1e-4)
                # Two bars by their middle and one by its end are lifted: 2 * m g l/2 + m g l, times the cosine. In the flat
                # position no finite forces do it.
                if t not in (0.5, 1.5):
                    self.assertAlmostEqual(effort, 9.81 * math.cos(math.pi * t + math.pi / 2), delta=1e-4)
            self.assertIn("at t = 0.5 s, and perhaps later, joints cannot give the forces", done.stderr)

    def test_springs_count_turns_from_the_start(self):
        model = self.write("mechanism: m\nplane: xy\nground: {points: {O: [0, 0]}}\n"
                           "bodies: {disc: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {O: [0, 0]}}}\n"
                           "joints: {A: {revolute: [ground.O, disc.O]}}\nsprings: {coil: {joint: A, stiffness: 1}}\n"
                           "assembly: {A: 400 deg}\noutputs: [A.q, coil.force]\n")
        for formulation in ("auto", "groups", "null-space", "multipliers"):
            done = self.simulate(model, "--formulation", formulation)
            self.assertEqual(done.returncode, 0, done.stderr)
            _, values = self.columns()
            self.assertAlmostEqual(values["coil.force"][0], math.radians(400), delta=1e-12)
            for angle, force in zip(values["A.q"], values["coil.force"]):
                self.assertAlmostEqual(angle, force, delta=1e-9)
            self.assertAlmostEqual(values["A.q"][-1], math.radians(400) * math.cos(1), delta=1e-5)

    def test_rods_with_mass_push_as_bodies_do(self):
        forces = []
        for rod in ("joints: {R: {rod: [ground.O, car.O], length: 1, mass: 3}}\nassembly: {car.O.x: 0.6, car.O.y: -0.8}\n",
                    "  bar: {mass: 3, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1, 0]}}\n"
                    "joints:\n  P: {revolute: [ground.O, bar.A]}\n  R: {revolute: [bar.B, car.O]}\n"
                    "assembly: {car.O.x: 0.6, car.O.y: -0.8}\n"):
            done = self.simulate(self.write("mechanism: m\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n"
                                            "  car: {mass: 1, center_of_mass: [0, 0], inertia: 0.1, points: {O: [0, 0]}}\n"
                                            + rod + "outputs: [R.fx, R.fy]\n"))
            self.assertEqual(done.returncode, 0, done.stderr)
            forces.append(self.columns()[1])
        for name in ("R.fx", "R.fy"):
            for one, other in zip(forces[0][name], forces[1][name]):
                self.assertAlmostEqual(one, other, delta=1e-5)

    def test_failed_run_names_the_open_joint(self):
        done = self.simulate(MODELS / "five-bar.yaml", "--release", "all", "--integrator", "trapezoidal", "--step", "0.01",
                             until="20")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"joints could not be closed \[.*joint '[A-E]'.*t = .* s\].*a gap of .* m")

    def test_wrong_words_are_said(self):
        testbed_model = MODELS / "fourbar-testbed.yaml"
        for words, message in (
                (["--integrator", "euler"], "unknown integrator [--integrator]"),
                (["--formulation", "newton"], "unknown formulation [--formulation]"),
                (["--coordinates", "polar"], "unknown coordinates [--coordinates]"),
                (["--step", "0.1"], "finds its own steps [--step]"),
                (["--integrator", "rk4"], "needs a step [--step]"),
                (["--integrator", "rk4", "--step", "0"], "too short [--step]"),
                (["--integrator", "rk4", "--step", "0.1", "--rtol", "1e-3"], "does not choose its steps [--rtol]"),
                (["--rtol", "0"], "not a tolerance [--rtol]"),
                (["--rtol", "nan"], "not a tolerance [--rtol]"),
                (["--atol", "-1"], "not a tolerance [--atol]"),
                (["--every", "soon"], "[--every]"),
                (["--matrices", "dense"], "only in the formulation 'semi-recursive' [--matrices]"),
                (["--formulation", "semi-recursive", "--matrices", "big"], "unknown kind of matrices [--matrices]"),
                (["--step-times"], "only in the formulation 'semi-recursive' [--step-times]"),
                (["--baumgarte", "50,0.5"], "only in the formulation 'multipliers' [--baumgarte]"),
                (["--formulation", "multipliers", "--baumgarte", "50"], "not constants of Baumgarte's method [--baumgarte]"),
                (["--formulation", "multipliers", "--baumgarte", "nan,1"], "not constants of Baumgarte's method [--baumgarte]"),
                (["--formulation", "multipliers", "--baumgarte", "0,-1"], "not constants of Baumgarte's method [--baumgarte]"),
                (["--branch=?"], "no such branch")):
            done = self.simulate(testbed_model, *words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(self.out.exists())
        done = self.simulate(testbed_model, "--release", "engine")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'engine'", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
