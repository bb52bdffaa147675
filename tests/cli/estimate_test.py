"""`eslabon sense` and `eslabon estimate`: from a true motion to readings and back, unknowns, bad readings, and wrong words."""

import csv
import math
import pathlib
import re
import subprocess
import sys
import unittest

from program import MODELS, PROGRAM, InFolder, call

TESTBED = MODELS / "fourbar-testbed.yaml"
GYROSCOPES = ("--sensors", "imu1_gyroscope,imu2_gyroscope")


def table(path):
    """Names, units and columns of numbers of a result file."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[2:]] for k, name in enumerate(rows[0])}


def rms(differences):
    differences = list(differences)
    return math.sqrt(sum(d * d for d in differences) / len(differences))

# A pulse of 5 ms on a slider, between rows of 100 ms.
PUSHED = """
mechanism: pushed slider
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  slider: {mass: 1, shape: {box: [0.1, 0.1]}, points: {O: [0, 0]}}
joints:
  G: {prismatic: [ground.O, slider.O], axis: [1, 0]}
forces: {push: {point: slider.O, force: [= 100*exp(-((t - 1.037)/0.005)^2), 0]}}
sensors: {v: {tachometer: G, rate: 10 Hz}}
"""


class FromTruth(InFolder):
    """Everything starts from one true motion of the testbed, which rubs."""

    def file(self, name):
        return pathlib.Path(self.out).parent / name

    def simulate(self, model=TESTBED, *words, until="2", outputs="crank.angle,crank.rate,A.q,A.v,A.a"):
        done = call("simulate", model, "--integrator", "bdf", "--until", until, "--every", "1 ms", "--outputs", outputs,
                    "--out", self.file("truth.csv"), *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def sense(self, model=TESTBED, *words):
        done = call("sense", model, "--truth", self.file("truth.csv"), "--out", self.file("readings.csv"), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def estimate(self, model=TESTBED, *words, readings="readings.csv"):
        return call("estimate", model, "--measurements", self.file(readings), "--out", self.out, *words)

    def released_testbed(self, *words):
        self.simulate(TESTBED, "--release", "motor", "--set", "crank_friction=0.2 N*m")
        self.sense(TESTBED, *GYROSCOPES, *words)


class Sense(FromTruth):
    def test_readings_are_those_of_the_motion_when_nothing_is_wrong_with_the_sensors(self):
        model = self.file("model.yaml")
        text = TESTBED.read_text(encoding="utf-8")
        start = text.index("sensors:")
        model.write_text(text[:start] + "sensors:\n  g: {gyroscope: coupler, rate: 250 Hz}\n  e: {encoder: B}\n"
                         "  a: {accelerometer: coupler.P3, rate: 100 Hz}\n  r: {reads: rocker.angle, rate: 100 Hz}\n\n"
                         + text[text.index("assembly:"):], encoding="utf-8")
        self.simulate(model, "--release", "motor", until="0.5",
                      outputs="A.q,A.v,A.a,coupler.rate,B.q,coupler.angle,coupler.P3.ax,coupler.P3.ay,rocker.angle")
        self.sense(model)
        truth = table(self.file("truth.csv"))
        with open(self.file("readings.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["t_ns", "g", "e", "a.ax", "a.ay", "r"])
        self.assertEqual(rows[1], ["ns", "rad/s", "rad", "m/s^2", "m/s^2", "rad"])
        self.assertEqual(len(rows), 2 + 501)  # the encoder reads at every step
        for row in rows[2:]:
            k = int(row[0]) // 1_000_000
            self.assertEqual(row[1] != "", k % 4 == 0)
            self.assertAlmostEqual(float(row[2]), truth["B.q"][k], delta=1e-9)
            if row[1]:
                self.assertAlmostEqual(float(row[1]), truth["coupler.rate"][k], delta=1e-8)
            if row[3]:
                c, s = math.cos(truth["coupler.angle"][k]), math.sin(truth["coupler.angle"][k])
                x, y = truth["coupler.P3.ax"][k], truth["coupler.P3.ay"][k] + 9.81
                self.assertAlmostEqual(float(row[3]), c * x + s * y, delta=1e-6)
                self.assertAlmostEqual(float(row[4]), c * y - s * x, delta=1e-6)

    def test_the_same_seed_gives_the_same_bits_whatever_other_sensors_there_are(self):
        self.simulate(TESTBED, "--release", "motor", until="0.3")
        texts = []
        for words in (("--seed", "7", *GYROSCOPES), ("--seed", "7", *GYROSCOPES), ("--seed", "8", *GYROSCOPES)):
            self.sense(TESTBED, *words)
            texts.append(self.file("readings.csv").read_text(encoding="utf-8"))
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])
        self.sense(TESTBED, "--seed", "7")
        with open(self.file("readings.csv"), encoding="utf-8") as file:
            all_of_them = list(csv.reader(file))
        alone = [line.split(",") for line in texts[0].splitlines()]
        column = all_of_them[0].index("imu1_gyroscope")
        self.assertEqual([row[column] for row in all_of_them], [row[1] for row in alone])

    def test_a_truth_that_does_not_tell_the_motion_is_refused_with_what_it_lacks(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1", outputs="crank.angle,A.q,A.v")
        done = call("sense", TESTBED, "--truth", self.file("truth.csv"), "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("results without 'A.a'. Compute them with --outputs A.q,A.v,A.a", done.stderr)

    def test_a_pulse_between_readings_is_not_stepped_over(self):
        model = self.file("pushed.yaml")
        model.write_text(PUSHED, encoding="utf-8")
        done = call("sense", model, "--until", "2", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        speed = float(self.out.read_text(encoding="utf-8").splitlines()[-1].split(",")[1])
        self.assertAlmostEqual(speed, 100 * 0.005 * math.sqrt(math.pi), delta=1e-6)  # its impulse

    def test_a_truth_may_come_through_a_pipe(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1", outputs="A.q,A.v,A.a")
        with open(self.file("truth.csv"), "rb") as truth:
            piped = subprocess.run(["bash", "-c", 'cat | "$0" sense "$1" --truth /dev/stdin --out "$2"', PROGRAM, TESTBED, self.out],
                                   stdin=truth, capture_output=True, text=True, check=False)
        self.assertEqual(piped.returncode, 0, piped.stderr)

    def test_a_truth_of_another_branch_or_geometry_is_refused(self):
        outputs = "A.q,A.v,A.a,coupler.angle"
        for words, chosen in ((("--branch=+",), ("--branch=+",)), (("--set", "crank=110 mm"), ("--set", "crank=110 mm"))):
            self.simulate(TESTBED, "--release", "motor", *words, until="0.1", outputs=outputs)
            done = call("sense", TESTBED, "--truth", self.file("truth.csv"), "--out", self.out)
            self.assertEqual(done.returncode, 2, words)
            self.assertRegex(done.stderr, r"^eslabon: the results do not fit the mechanism \[.*\]: expected positions of this mechanism, on "
                                          r"this branch, got at \S+ s its coupler\.angle differs by \S+ rad from that of the mechanism\. "
                                          r"Give the --set and the --branch with which they were computed\.\n$")
            done = call("sense", TESTBED, "--truth", self.file("truth.csv"), "--out", self.out, *chosen)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_truth_in_other_units_is_refused(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1", outputs="A.q,A.v,A.a")
        text = self.file("truth.csv").read_text(encoding="utf-8")
        self.file("truth.csv").write_text(text.replace("rad,rad/s,", "deg,rad/s,", 1), encoding="utf-8")
        done = call("sense", TESTBED, "--truth", self.file("truth.csv"), "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^eslabon: a column is in the wrong unit \[.*\]: expected 'A\.q' in rad, got 'deg'\. Write the column")

    def test_another_coordinate_of_the_file_is_used_at_dead_centres_or_the_run_ends_there(self):
        model = self.file("slider.yaml")
        text = (MODELS / "slider-crank.yaml").read_text(encoding="utf-8")
        start, end = text.index("sensors:"), text.index("\n\n", text.index("sensors:"))
        model.write_text(text[:start] + "sensors: {e: {encoder: O, rate: 1 kHz}}" + text[end:], encoding="utf-8")
        slider = "guide.q,guide.v,guide.a"
        self.simulate(model, until="0.3", outputs=slider + ",crank.angle")
        done = call("sense", model, "--truth", self.file("truth.csv"), "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("dead centre", done.stderr)
        self.simulate(model, until="0.3", outputs=slider + ",crank.angle,O.q,O.v,O.a")
        self.sense(model)
        truth = table(self.file("truth.csv"))
        with open(self.file("readings.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))[2:]
        self.assertEqual(len(rows), 301)
        for row, angle in zip(rows, truth["crank.angle"]):
            self.assertAlmostEqual(math.remainder(float(row[1]) - angle, 2 * math.pi), 0.0, delta=1e-6)

    def test_every_result_of_simulate_without_options_is_a_truth(self):
        encoders = "sensors: {e: {encoder: %s, noise: 1 deg, rate: 100 Hz}}\n"
        for name, joint, words in (("fourbar-testbed", "A", []), ("fourbar-testbed", "B", ["--release", "all"]),
                                   ("slider-crank", "O", ["--release", "motor"]), ("slider-crank", "O", []),
                                   ("watt-sixbar", "A", []), ("five-bar", "C", ["--release", "knee"]),
                                   ("quarter-vehicle", "D", []), ("andrews-squeezer", "F", []),
                                   ("benchmarks/double-pendulum", None, [])):
            with self.subTest(name, words=words):
                text = (MODELS / f"{name}.yaml").read_text(encoding="utf-8")
                joint = joint or re.search(r"(?m)^joints:\n  (\w+):", text)[1]
                text = re.sub(r"(?ms)^sensors:.*?(?=^\w|\Z)", "", text) + "\n" + encoders % joint
                model = self.file("model.yaml")
                model.write_text(text, encoding="utf-8")
                until = "0.02" if name == "andrews-squeezer" else "0.3"
                done = call("simulate", model, "--until", until, "--out", self.file("truth.csv"), *words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.sense(model)

    def test_a_released_four_bar_is_a_truth_through_its_dead_centres(self):
        # Not Grashof: no bar turns fully, and the crank comes to rest and back while the rocker goes on.
        model = self.file("model.yaml")
        model.write_text("""
mechanism: four-bar without a crank
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [1, 0]}}
bodies:
  left:   {mass: 1, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.9, 0]}}
  middle: {mass: 1, shape: {bar: [P, Q]}, points: {P: [0, 0], Q: [0.5, 0]}}
  right:  {mass: 5, shape: {bar: [B, Q]}, points: {B: [0, 0], Q: [0.8, 0]}}
joints:
  A: {revolute: [ground.A, left.A]}
  P: {revolute: [left.P, middle.P]}
  Q: {revolute: [middle.Q, right.Q]}
  B: {revolute: [ground.B, right.B]}
sensors: {e: {encoder: B, resolution: 1 mrad, rate: 200 Hz}, g: {gyroscope: right, noise: 0.5 deg/s, rate: 200 Hz}}
assembly: {left.angle: 70 deg, right.angle: 80 deg}
outputs: [right.angle]
""", encoding="utf-8")
        done = call("simulate", model, "--until", "3", "--out", self.file("truth.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        truth = table(self.file("truth.csv"))
        # The left bar stands still while the right one moves: a dead centre of A.q.
        self.assertTrue(any(a * b < 0 and abs(w) > 1 for a, b, w in
                            zip(truth["A.v"], truth["A.v"][1:], self.rates(truth["right.angle"], 0.003))))
        self.sense(model)
        done = self.estimate(model, "--truth", self.file("truth.csv"), "--filter", "dekf")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"NEES +[0-9.]+ on average; 2 for")

    @staticmethod
    def rates(values, step):
        return [(b - a) / step for a, b in zip(values, values[1:])]

    def test_balls_are_simulated_by_sense_itself(self):
        model = self.file("ball.yaml")
        model.write_text("""
mechanism: bar on a ball
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {bar: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.01, 0.04, 0.04], points: {O: [0, 0, 0], T: [0.6, 0, 0]}}}
joints: {O: {spherical: [ground.O, bar.O]}}
sensors:
  imu: {imu: bar.T, gyroscope: {noise: 0.5 deg/s}, accelerometer: {noise: 0.05 m/s^2}, rate: 200 Hz}
  camera: {tracker: bar.T, noise: 2 mm, rate: 50 Hz, jitter: 9 ms, latency: 30 ms}
assembly: {bar.rotation: [0.2, 0.3, 0.1]}
outputs: [bar.T.x, bar.T.z]
""", encoding="utf-8")
        done = call("sense", model, "--until", "2", "--out", self.file("readings.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.simulate(model, until="2", outputs="bar.T.x,bar.T.y,bar.T.z")
        for name in ("dekf", "ukf"):
            done = self.estimate(model, "--filter", name, "--velocity-noise", "0.05")
            self.assertEqual(done.returncode, 0, done.stderr)
            truth, found = table(self.file("truth.csv")), table(self.out)
            for output in ("bar.T.x", "bar.T.z"):
                self.assertLess(rms(a - b for a, b in zip(found[output][500:], truth[output][500:])), 2e-3)
        done = self.estimate(model, "--outputs", "bar.e0,bar.e1,bar.e2,bar.e3", "--velocity-noise", "0.05")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = table(self.out)
        for name in ("bar.e0", "bar.e1", "bar.e2", "bar.e3"):  # no jump from e to -e
            self.assertLess(max(abs(a - b) for a, b in zip(found[name], found[name][1:])), 0.1)
        done = call("sense", model, "--truth", self.file("truth.csv"), "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("give --until", done.stderr)

    def test_wrong_words(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1")
        for words, sentence in ((("--seed", "x"), "the seed is not a whole number [--seed]"),
                                (("--sensors", "imu1_gyroscop"), "Did you mean 'imu1_gyroscope'?"),
                                (("--sensors", "imu1_gyroscope,imu1_gyroscope"), "named twice")):
            done = call("sense", TESTBED, "--truth", self.file("truth.csv"), "--out", self.out, *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(sentence, done.stderr)
        done = call("sense", MODELS / "quarter-vehicle.yaml", "--truth", self.file("truth.csv"), "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("results without 'hub.q'", done.stderr)
        done = call("sense", TESTBED, "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no motion [--truth]", done.stderr)


class Estimate(FromTruth):
    def test_every_filter_finds_the_crank_from_gyroscopes_without_knowing_the_friction(self):
        self.released_testbed()
        for name in ("dekf", "ukf", "cekf", "error-ekf"):
            done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, "--filter", name, "--truth",
                                 self.file("truth.csv"), "--outputs", "crank.angle,crank.rate")
            self.assertEqual(done.returncode, 0, done.stderr)
            truth, found = table(self.file("truth.csv")), table(self.out)
            self.assertEqual(list(found), ["t", "crank.angle", "crank.angle.sigma", "crank.rate", "crank.rate.sigma",
                                           "observed", "constraint_error"])
            self.assertEqual(len(found["t"]), 2001)
            error = rms(a - b for a, b in zip(found["crank.angle"], truth["crank.angle"]))
            self.assertLess(math.degrees(error), 1.15, name)  # the source's
            self.assertLess(max(found["constraint_error"]), 1e-8)
            self.assertIn(f"{math.degrees(error):.4g}°", done.stdout)  # the page tells the same

    def test_several_filters_are_compared_in_one_table(self):
        self.released_testbed()
        done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, "--filter", "dekf,ukf", "--truth",
                             self.file("truth.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("estimates compared", done.stdout)
        stem = pathlib.Path(self.out)
        for name in ("dekf", "ukf"):
            self.assertTrue(stem.with_name(f"{stem.stem}-{name}{stem.suffix}").exists())

    def test_the_same_readings_give_the_same_bits(self):
        self.released_testbed()
        texts = []
        for _ in range(2):
            done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts.append(pathlib.Path(self.out).read_text(encoding="utf-8"))
        self.assertEqual(texts[0], texts[1])

    def test_unknown_bias_mass_and_friction_are_found(self):
        model = self.file("model.yaml")
        text = TESTBED.read_text(encoding="utf-8").replace(
            "imu1_gyroscope:     {gyroscope: coupler, noise: 0.5 deg/s, rate: 100 Hz}",
            "imu1_gyroscope:     {gyroscope: coupler, noise: 0.05 deg/s, bias: = slip, rate: 100 Hz}").replace(
            "parameters:\n", "parameters:\n  slip: 0 deg/s\n").replace("crank_friction: 0 N*m", "crank_friction: 0.1 N*m")
        model.write_text(text, encoding="utf-8")
        # The truth: a bias of 3 deg/s, and twice the friction that the filter begins with.
        self.simulate(model, "--release", "motor", "--set", "crank_friction=0.2 N*m", until="4")
        self.sense(model, "--set", "crank_friction=0.2 N*m", "--set", "slip=3 deg/s", "--sensors",
                   "imu1_gyroscope,imu2_gyroscope,crank_encoder")
        done = self.estimate(model, "--release", "motor", "--sensors", "imu1_gyroscope,imu2_gyroscope,crank_encoder",
                             "--unknown", "bias:imu1_gyroscope,sigma=0.1", "--unknown", "friction:A,sigma=1",
                             "--velocity-noise", "0.02")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = table(self.out)
        self.assertAlmostEqual(math.degrees(found["bias:imu1_gyroscope"][-1]), 3.0, delta=0.1)
        self.assertAlmostEqual(found["friction:A"][-1], 2.0, delta=0.1)

    def test_the_quarter_vehicle_tells_travel_and_tyre_force_without_a_tyre_in_its_model(self):
        model = MODELS / "quarter-vehicle.yaml"
        self.simulate(model, "--set", "bump=20 mm", until="2",
                      outputs="A.q,A.v,A.a,hub.q,hub.v,hub.a,wheel.W.z,tyre_spring.force")
        self.sense(model, "--set", "bump=20 mm")
        done = self.estimate(model, "--set", "drop=1 m", "--filter", "error-ekf", "--outputs", "wheel.W.z", "--unknown",
                             "force:wheel.W.z,sigma=300 N,walk=2000 N", "--velocity-noise", "0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        truth, found = table(self.file("truth.csv")), table(self.out)
        travel = rms(a - b for a, b in zip(found["wheel.W.z"][100:], truth["wheel.W.z"][100:]))
        force = rms(a - b for a, b in zip(found["force:wheel.W.z"][100:], truth["tyre_spring.force"][100:]))
        self.assertLess(travel, 1e-4)  # of a bump of 20 mm
        self.assertLess(force, 5.0)    # of some 100 N that it changes by
        self.assertGreater(max(truth["tyre_spring.force"]) - min(truth["tyre_spring.force"]), 50.0)

    def test_the_indicator_says_that_the_linkage_has_stopped(self):
        self.simulate(TESTBED, "--release", "motor", "--set", "crank_friction=0.3 N*m", until="6")
        self.sense(TESTBED, *GYROSCOPES)
        done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, "--outputs", "crank.angle")
        self.assertEqual(done.returncode, 0, done.stderr)
        truth, found = table(self.file("truth.csv")), table(self.out)
        stop = max(t for t, rate in zip(truth["t"], truth["crank.rate"]) if abs(rate) > 1e-3)
        lost = [t for t, observed in zip(found["t"], found["observed"]) if observed == 0.0 and t >= stop]
        self.assertLess(lost[0] - stop, 0.2)
        self.assertIn("NOT from", done.stdout)

    def test_bad_readings_are_counted_and_do_no_harm(self):
        self.released_testbed()
        lines = self.file("readings.csv").read_text(encoding="utf-8").splitlines()
        lines[50] = lines[50].split(",")[0] + ",nan,nan"
        lines[60] = lines[60].split(",")[0] + ",inf,1e6"
        lines.insert(70, lines[70])
        lines[80], lines[81] = lines[81], lines[80]
        self.file("bad.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, "--truth", self.file("truth.csv"), "--outputs",
                             "crank.angle", readings="bad.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("2 not finite", "1 duplicate", "1 outlier"):
            self.assertIn(words, done.stdout)
        truth, found = table(self.file("truth.csv")), table(self.out)
        error = rms(a - b for a, b in zip(found["crank.angle"], truth["crank.angle"]))
        self.assertLess(math.degrees(error), 1.15)

    def test_a_wrong_time_stamp_and_a_gap_do_no_harm(self):
        self.released_testbed()
        lines = self.file("readings.csv").read_text(encoding="utf-8").splitlines()
        for name, changed in (("stamp", lines[:60] + ["3600000000000000," + lines[60].split(",", 1)[1]] + lines[61:]),
                              ("gap", lines[:60] + lines[110:])):
            self.file(f"{name}.csv").write_text("\n".join(changed) + "\n", encoding="utf-8")
            done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, "--outputs", "crank.angle", "--gate", "0",
                                 readings=f"{name}.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            truth, found = table(self.file("truth.csv")), table(self.out)
            self.assertEqual(len(found["t"]), 2001, name)
            error = rms(a - b for a, b in zip(found["crank.angle"][1600:], truth["crank.angle"][1600:]))
            self.assertLess(math.degrees(error), 1.15, name)

    def test_known_biases_are_taken_off_and_others_are_noted(self):
        model = self.file("model.yaml")
        for error, note in (("bias", ""), ("turn_on_bias", "--unknown bias:imu1_gyroscope estimates it")):
            model.write_text(TESTBED.read_text(encoding="utf-8").replace(
                "{gyroscope: coupler, noise: 0.5 deg/s,", f"{{gyroscope: coupler, {error}: 20 deg/s, noise: 0.5 deg/s,"),
                             encoding="utf-8")
            self.simulate(model, "--release", "motor")
            self.sense(model, *GYROSCOPES)
            done = self.estimate(model, "--release", "motor", *GYROSCOPES, "--truth", self.file("truth.csv"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(note, done.stderr)
            truth, found = table(self.file("truth.csv")), table(self.out)
            if not note:
                self.assertEqual(done.stderr, "")
                self.assertLess(rms(a - b for a, b in zip(found["crank.angle"], truth["crank.angle"])), 0.02)

    def test_sensors_that_are_not_in_use_may_be_in_the_file(self):
        self.simulate(TESTBED, "--release", "motor", until="0.5")
        self.sense(TESTBED)
        done = self.estimate(TESTBED, "--release", "motor", "--sensors", "imu2_gyroscope")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("crank_encoder", done.stdout)

    def test_what_is_read_is_not_replaced(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1")
        self.sense(TESTBED, *GYROSCOPES)
        before = self.file("readings.csv").read_text(encoding="utf-8")
        done = call("estimate", TESTBED, "--release", "motor", *GYROSCOPES, "--measurements", self.file("readings.csv"),
                    "--out", self.file("readings.csv"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("one file is both read and written", done.stderr)
        self.assertEqual(self.file("readings.csv").read_text(encoding="utf-8"), before)

    def test_a_mass_never_becomes_negative(self):
        self.released_testbed()
        done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, "--unknown", "mass:coupler,sigma=3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(min(table(self.out)["mass:coupler"]), 0.0)

    def test_times_far_from_zero_start_there(self):
        self.released_testbed()
        lines = self.file("readings.csv").read_text(encoding="utf-8").splitlines()
        shift = 1_700_000_000_000_000_000
        moved = lines[:2] + [",".join([str(int(line.split(",")[0]) + shift)] + line.split(",")[1:]) for line in lines[2:]]
        self.file("late.csv").write_text("\n".join(moved) + "\n", encoding="utf-8")
        done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, readings="late.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(len(table(self.out)["t"]), 2100)
        # Two sensors that read 100 ns apart: less than doubles can tell at such times.
        apart = lines[:2]
        for line in lines[2:]:
            t, one, other = line.split(",")
            apart += [f"{int(t) + shift},{one},", f"{int(t) + shift + 100},,{other}"]
        self.file("late.csv").write_text("\n".join(apart) + "\n", encoding="utf-8")
        done = self.estimate(TESTBED, "--release", "motor", *GYROSCOPES, readings="late.csv")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_wrong_words(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1")
        self.sense(TESTBED, *GYROSCOPES)
        release = ("--release", "motor", *GYROSCOPES)
        for words, status, sentence in (
                (("--filter", "ekf"), 2, "unknown filter [--filter]"),
                (("--unknown", "mass:ground"), 2, "unknown body [--unknown]: expected 'crank', 'coupler' or 'rocker', got 'ground'"),
                (("--filter", "ukf", "--jacobian", "simple"), 2, "the filter 'ukf' has no simple Jacobian"),
                (("--integrator", "rk45"), 2, "unknown integrator"),
                (("--velocity-noise", "-1"), 2, "a deviation is negative"),
                (("--velocity-noise", "nan"), 2, "--velocity-noise"),
                (("--start-deviation", "5 m"), 2, "--start-deviation"),
                (("--unknown", "force:crank.mass"), 2, "--unknown"),
                (("--unknown", "mass:cranck"), 2, "Did you mean 'crank'?"),
                (("--unknown", "friction:A"), 2, "there is no friction to estimate"),
                (("--unknown", "bias:imu1_gyroscope,sigma=0.1,sigma=0.2"), 2, "each once at most"),
                (("--unknown", "wind"), 2, "this unknown cannot be read"),
                (("--gate", "0.7"), 2, "the gate is not a probability"),
                (("--step", "0"), 2, "--step"),
                (("--outputs", "A.fx"), 2, "a filter does not estimate this"),
                (("--unknown", "mass:crank", "--unknown", "mass:crank,sigma=2"), 2, "named twice"),
                (("--unknown", "mass:crank,sigma=0"), 2, "an unknown without uncertainty"),
                (("--live",), 2, "readings from two sources"),
                (("--udp", "5005"), 2, "a port without --live")):
            done = self.estimate(TESTBED, *release, *words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            self.assertIn(sentence, done.stderr)
            self.assertNotIn("nan", done.stderr.replace("'nan'", ""))
        done = call("estimate", TESTBED, *release, "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no readings [--measurements]", done.stderr)
        done = self.estimate(TESTBED, *GYROSCOPES)  # the motor prescribes everything
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is nothing to estimate", done.stderr)
        self.assertIn("--release", done.stderr)

    def test_models_that_no_filter_can_step_through_are_refused_by_name(self):
        self.simulate(TESTBED, "--release", "motor", until="0.1")
        self.sense(TESTBED, *GYROSCOPES)
        for model, words in (("bouncing-slider", "stop"), ("block-on-incline", "joint")):
            text = (MODELS / f"{model}.yaml").read_text(encoding="utf-8")
            sensed = self.file(f"{model}.yaml")
            joint = next(line.strip().split(":")[0] for line in text[text.index("joints:"):].splitlines()[1:])
            sensed.write_text(text + f"\nsensors: {{s: {{encoder: {joint}, noise: 0.01}}}}\n", encoding="utf-8")
            done = self.estimate(sensed)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("no filter can step through this mechanism", done.stderr)
            self.assertIn(words + " '", done.stderr)


BLOCK = """
mechanism: block that rubs on its guide
plane: xy
ground: {points: {G: [0, 0]}}
bodies: {block: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {B: [0, 0]}}}
joints: {guide: {prismatic: [ground.G, block.B], axis: [1, 0], friction: {coulomb: 6 N}}}
sensors: {e: {reads: guide.q, noise: 1 mm, rate: 100 Hz}}
assembly: {guide.v: 1}
"""
PUSHED_BLOCK = """
mechanism: block that rubs on its guide, moved by a crank
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  crank: {points: {O: [0, 0], A: [0.1, 0]}}
  rod: {points: {A: [0, 0], B: [0.4, 0]}}
  block: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {B: [0, 0]}}
joints:
  O: {revolute: [ground.O, crank.O]}
  A: {revolute: [crank.A, rod.A]}
  B: {revolute: [rod.B, block.B]}
  guide: {prismatic: [ground.O, block.B], axis: [1, 0], friction: {coulomb: 6 N}}
sensors: {e: {encoder: O, noise: 0.01 rad, rate: 100 Hz}}
assembly: {crank.angle: 60 deg, rod.angle: -12.5 deg, O.v: 1}
"""


class StiffFriction(InFolder):
    def test_the_creep_speed_that_is_needed_has_the_unit_of_the_joint(self):
        # In a step of 1 ms 6 N change the speed of 2 kg by 3 mm/s, of which three times are needed, whatever the freedom is.
        for text in (BLOCK, PUSHED_BLOCK):
            model, readings = self.write(text), self.folder / "readings.csv"
            self.assertEqual(call("sense", model, "--until", "0.05", "--out", readings).returncode, 0)
            done = call("estimate", model, "--measurements", readings, "--out", self.out)
            self.assertIn("friction of joint 'guide' is too stiff for steps of 1 ms", done.stderr)
            self.assertIn("Give it 'creep_speed' of 0.009 m/s or more in the filter's model", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
