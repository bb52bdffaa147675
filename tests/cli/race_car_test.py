"""Sideslip of a race car from measured yaw rate and accelerations, by the command of docs/estimation-on-vehicles.md, beside a filter of other hands
(race_car_oracle.py) and beside what was measured."""

import csv
import os
import random
import re
import shlex
import subprocess
import sys
import unittest

try:
    import numpy as np
except ImportError:  # Debian's own, whose NumPy packages.txt installs; another python3 may come first in the path
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

import program
import race_car_oracle as oracle
from program import MODELS, SOURCE, InFolder, call

CAR = MODELS / "vehicles/race-car.yaml"
DATA = MODELS / "vehicles/race-car"
PAGE = SOURCE / "docs/estimation-on-vehicles.md"
program.PATIENCE *= 5  # 20 000 steps in one run
# What the model file says of its sensors, and in its section 'estimation'.
NOISES = [0.01, 1.2, 1.2]
START = [2.32, 2.32, 1.745, 100.0, 0.25, 1300.0, np.radians(0.4), np.radians(0.3), 0.1, 0.1]
WALKS = [0.04, 0.04, 0.03, 1e-6, 0.2, 5700.0, np.radians(0.327), np.radians(0.245), 0.018, 0.018]


def command(beginning):
    """Words of the command of the page that begins so, without 'eslabon'."""
    text = PAGE.read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.findall(rf"^{re.escape(beginning)}.*$", text, re.M)
    assert len(found) == 1, found
    return shlex.split(found[0])[1:]


def rms(degrees):
    return float(np.sqrt(np.mean(np.square(degrees))))


class RaceCar(InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.t, cls.speed, cls.delta = oracle.columns(DATA / "inputs.csv", ["t", "vx", "delta"])
        _, *readings = oracle.columns(DATA / "readings.csv", ["t_ns", "gyroscope", "accelerometer_x", "accelerometer_y"])
        cls.readings = np.array(readings)
        cls.beta = oracle.columns(DATA / "truth.csv", ["beta"])

    def estimate(self, words, *more):
        """Times, sideslip and its deviation in degrees by the command of the page."""
        words = [str(SOURCE / word) if (SOURCE / word).is_file() else word for word in words]
        words[words.index("--out") + 1] = self.out
        done = call(*words, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("restart", done.stdout.lower())
        with open(self.out, encoding="utf-8") as file:
            head, _, *rows = csv.reader(file)
        table = np.array([[float(row[head.index(name)]) for name in ("t", "beta", "beta.sigma")] for row in rows])
        return table[:, 0], np.degrees(table[:, 1]), np.degrees(table[:, 2])

    def error(self, t, beta, begin=0.0, end=200.0):
        used = (t >= begin - 1e-6) & (t < end - 1e-6)
        return rms((beta - np.degrees(np.interp(t, self.t, self.beta)))[used])

    def test_friction_is_what_the_first_60_s_give(self):
        first = slice(0, 6000)
        found = oracle.friction(CAR, self.speed[first], self.delta[first], self.readings[:, first], self.beta[first], 0.01)
        p = oracle.parameters(CAR)
        self.assertAlmostEqual(found[0], p["friction_front"], delta=0.002)
        self.assertAlmostEqual(found[1], p["friction_rear"], delta=0.002)

    def test_slip_is_as_uncertain_as_on_the_first_60_s(self):
        first = slice(0, 6000)
        found = oracle.slip_errors(CAR, self.speed[first], self.delta[first], self.readings[:, first], self.beta[first], 0.01)
        for (deviation, rows), chosen in zip(found, (START[6], START[7])):
            self.assertLess(deviation, chosen)
            self.assertGreater(deviation, 0.85 * chosen)
            time = 0.01 * rows / np.log(2)  # of an error that forgets half of itself in so many rows
            self.assertLess(abs(time - oracle.parameters(CAR)["slip_time"]), 0.9)
        for deviation, walk, time in zip(START[4:], WALKS[4:], (3, 0.1, 3, 3, 60, 60)):
            self.assertAlmostEqual(walk / (deviation * np.sqrt(2 / time)), 1.0, delta=0.03)  # so little is known for ever

    def test_the_filter_is_better_than_the_model_alone_on_all_200_s(self):
        words = command("eslabon estimate models/vehicles/race-car.yaml")
        self.assertEqual([word for word in words if word.startswith("--")], ["--measurements", "--truth", "--out"])  # no option at all
        t, beta, sigma = self.estimate(words)
        self.assertAlmostEqual(t[-1], 199.99, delta=1e-9)
        filtered = self.error(t, beta)
        alone = rms(np.degrees(oracle.sideslip(CAR, self.t, self.speed, self.delta, self.readings, NOISES, START, WALKS, False)[0] - self.beta))
        self.assertLess(filtered, 0.25)
        self.assertLess(filtered, 0.6 * alone)
        self.assertLess(self.error(t, beta, 60.0), 0.22)  # where nothing was identified
        # It knows how sure it is: within one deviation for at least 68 % of the time, within two for about 95 %.
        for begin, end in ((1, 60), (60, 130), (130, 200)):
            used = slice(100 * begin, 100 * end)
            errors = np.abs(beta - np.degrees(self.beta))[used] / sigma[used]
            self.assertGreater(np.mean(errors < 1), 0.65, begin)
            self.assertGreater(np.mean(errors < 2), 0.9, begin)
            self.assertGreater(np.mean(errors**2), 0.3, begin)
            self.assertLess(np.mean(errors**2), 1.3, begin)
        for begin in range(0, 200, 20):
            self.assertLess(self.error(t, beta, begin, begin + 20), 0.45, begin)
        # Another program of the same assumptions: what differs is noise of rates in axes of the world, and readings one by one.
        used = slice(0, 3000)
        other, deviation = oracle.sideslip(CAR, self.t[used], self.speed[used], self.delta[used], self.readings[:, used], NOISES, START, WALKS)
        self.assertLess(rms(beta[used] - np.degrees(other)), 0.05)
        self.assertLess(np.abs(np.degrees(deviation) / sigma[used] - 1)[100:].max(), 0.1)

    def test_without_faith_in_readings_it_is_the_model_alone(self):
        words = command("eslabon estimate models/vehicles/race-car.yaml")
        words += ["--velocity-noise", "1e-9", "--start-deviation", "1e-9", "--start-rate-deviation", "1e-9", "--gate", "0"]
        for name in ("thrust", "bank", "yaw_moment", "slip_front", "slip_rear", "grip_front", "grip_rear"):
            words += ["--unknown", f"state:{name},sigma=1e-9"]
        t, beta, _ = self.estimate(words, "--until", "40")
        alone = oracle.sideslip(CAR, self.t, self.speed, self.delta, self.readings, NOISES, START, WALKS, False)[0][:len(t)]
        self.assertLess(np.abs(beta - np.degrees(alone)).max(), 1e-3)

    def test_a_run_longer_than_its_inputs_is_refused_by_name(self):
        (self.folder / "race-car").mkdir()
        lines = (DATA / "inputs.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        (self.folder / "race-car/inputs.csv").write_text("".join(lines[:302]), encoding="utf-8")
        model = self.write(CAR.read_text(encoding="utf-8"))
        done = call("estimate", model, "--measurements", DATA / "readings.csv", "--until", "3.5", "--step", "10 ms", "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"driver 'pace'\]: expected a finite number at every time of the run, got nan at t = 2\.99")

    def test_of_a_matched_model_deviations_are_true(self):
        """Truth from the model itself, started with errors as the filter expects them: (error/deviation)² of the sideslip after 1 s, summed over
        16 starts, is within 0.1 % and 99.9 % of χ²(16)."""
        text = CAR.read_text(encoding="utf-8").replace("file: race-car/", f"file: {DATA}/")
        deviations = {"chassis.C.vy: ": 0.166, "chassis.rate: ": 0.125, "bank:       {start: ": 0.25, "yaw_moment: {start: ": 1300.0, "slip_front: {start: ": 0.007,
                      "slip_rear:  {start: ": 0.0052, "grip_front: {start: ": 0.1,
                      "grip_rear:  {start: ": 0.1}
        model, readings, draw, total = self.write(text), self.folder / "readings.csv", random.Random(1), 0.0
        for seed in range(1, 17):
            other = text
            for key, deviation in deviations.items():
                self.assertEqual(other.count(key + "0"), 1, key)
                other = other.replace(key + "0", key + repr(draw.gauss(0.0, deviation)))
            truth = self.write(other, "truth.yaml")
            words = ["simulate", truth, "--until", "1", "--every", "1", "--outputs", "beta"], ["sense", truth, "--until", "1", "--seed", seed]
            for line, out in zip(words, (self.out, readings)):
                done = call(*line, "--out", out)
                self.assertEqual(done.returncode, 0, done.stderr)
            true = self.columns()[1]["beta"][-1]
            # A deviation of 0.125 rad/s is one of 0.166 m/s by the size of the car, 1.33 m.
            words = ["estimate", model, "--measurements", readings, "--filter", "error-ekf", "--step", "10 ms", "--velocity-noise", "1e-6", "--gate", "0",
                     "--start-deviation", "1e-9", "--start-rate-deviation", "0.125 rad/s", "--unknown", "state:thrust,sigma=1e-3", "--outputs", "beta"]
            for name, sigma in (("bank", 0.25), ("yaw_moment", 1300), ("slip_front", 0.007), ("slip_rear", 0.0052), ("grip_front", 0.1), ("grip_rear", 0.1)):
                words += ["--unknown", f"state:{name},sigma={sigma}"]
            done = call(*words, "--out", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            columns = self.columns()[1]
            total += ((columns["beta"][-1] - true) / columns["beta.sigma"][-1]) ** 2
        self.assertGreater(total, 3.94)
        self.assertLess(total, 39.25)

    def test_a_car_that_stops_and_drives_on(self):
        """Truth by the other program, from standstill and to it: the filter begins at 26 m/s, which is wrong, and is right whenever the car moves."""
        car, x, random_numbers = oracle.Car(oracle.parameters(CAR)), np.zeros(10), np.random.default_rng(1)
        t = np.arange(2501) / 100
        speed = np.interp(t, [0, 4, 12, 20, 25], [0, 0, 20, 0, 0])
        delta, beta, readings = 0.03 * np.sin(0.8 * t), [], []
        for k in range(len(t)):
            readings.append(car.reading(x, speed[k], delta[k]) + random_numbers.normal(size=3) * [0.006, 0.7, 1.1])
            beta.append(np.degrees(np.arctan2(x[1], max(x[0], car.p["crawl"]))))
            for j in range(10):
                wanted = speed[k] + (speed[min(k + 1, len(t) - 1)] - speed[k]) * j / 10
                first = car.rates(x, wanted, delta[k])
                x = x + 0.0005 * (first + car.rates(x + 0.001 * first, wanted, delta[k]))
        (self.folder / "race-car").mkdir()
        model = self.write(CAR.read_text(encoding="utf-8"))
        with open(self.folder / "race-car/inputs.csv", "w", encoding="utf-8") as file:
            file.writelines(["t,vx,delta\ns,m/s,rad\n", *(f"{a:.2f},{b:.6f},{c:.8f}\n" for a, b, c in zip(t, speed, delta))])
        measured = self.folder / "readings.csv"
        with open(measured, "w", encoding="utf-8") as file:
            file.writelines(["t_ns,gyroscope,accelerometer_x,accelerometer_y\nns,rad/s,m/s^2,m/s^2\n",
                             *(f"{round(a * 1e9)},{row[0]:.7f},{row[1]:.6f},{row[2]:.6f}\n" for a, row in zip(t, readings))])
        _, found, sigma = self.estimate(["estimate", str(model), "--measurements", str(measured), "--out", ""])
        error = found - np.array(beta)
        moves = (t > 5) & (speed > 3)
        self.assertLess(rms(error[moves]), 0.1)
        self.assertLess(np.abs(error / sigma)[moves].max(), 4)
        self.assertLess(np.abs(found[t > 1]).max(), 3)  # nothing runs away where it stands

    def test_another_record(self):
        """40 s from the middle of a corner on, a start 10 m/s too slow, and friction 15 % less than it is taken to be."""
        page = PAGE.read_text(encoding="utf-8")
        (self.folder / "race-car").mkdir()
        (self.folder / "model.yaml").write_text(CAR.read_text(encoding="utf-8"), encoding="utf-8")
        used = slice(10000, 14000)
        with open(self.folder / "record.csv", "w", encoding="utf-8") as file:
            file.write("t,vx,axCG,ayCG,yawRate,delta\ns,m/s,m/s^2,m/s^2,rad/s,rad\n")
            rate, ahead, left = self.readings[:, used]
            for row in zip(self.t[used], self.speed[used], ahead, left, rate, self.delta[used]):
                file.write(",".join(f"{x:.9g}" for x in row) + "\n")
        for line in re.findall(r"^awk .* record.csv > .*$", page, re.M):
            subprocess.run(["bash", "-c", line], cwd=self.folder, check=True)
        words = command("eslabon estimate models/vehicles/race-car.yaml")
        words[1] = str(self.folder / "model.yaml")
        words[words.index("--measurements") + 1] = str(self.folder / "race-car/readings.csv")
        del words[words.index("--truth"):words.index("--truth") + 2]
        for more in ([], ["--set", "friction_front=0.94", "--set", "friction_rear=1.21"]):
            t, beta, _ = self.estimate(words, *more)
            self.assertEqual(t[0], 0.0)
            self.assertLess(self.error(t + 100.0, beta, 100.5), 0.4, more)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
