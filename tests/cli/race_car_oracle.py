"""The filter of docs/estimation-on-vehicles.md by other means: an extended Kalman filter of 8 states in axes of the car, in numpy, with derivatives by
differences and covariances as they stand. Nothing of it comes from eslabon; the parameters are read from the text of the model file."""

import pathlib
import re

import numpy as np


def parameters(model):
    """Numbers of the section 'parameters' that are no expressions."""
    text = pathlib.Path(model).read_text(encoding="utf-8")
    section = text[text.index("parameters:"):text.index("ground:")]
    return {name: float(value) for name, value in re.findall(r"^  (\w+): ([-+\d.e]+)\b", section, re.M)}


def columns(path, names):
    """Columns of a CSV file with a row of names and one of units."""
    with open(path, encoding="utf-8") as file:
        head = file.readline().strip().split(",")
        file.readline()
        return np.loadtxt(file, delimiter=",", usecols=[head.index(name) for name in names], unpack=True)


class Car:
    """States, one for each row: speeds ahead u and to the left v, yaw rate r, thrust T, bank b, yaw moment M, grips of the axles."""

    def __init__(self, p):
        self.p = p
        self.inertia = p["m"] / 12 * (1.7**2 + 4.09**2)

    def tyre(self, slip, stiffness, friction, load, along, grip):
        p = self.p
        peak = np.exp(grip) * np.sqrt(np.maximum(100.0**2, (friction * load) ** 2 - along**2))
        return peak * np.sin(p["shape"] * np.arctan(stiffness * slip / (p["shape"] * peak)))

    def forces(self, x, speed, delta):
        p = self.p
        u, v, r, thrust, _, _, front_grip, rear_grip = x
        base = p["front"] + p["rear"]
        brake = p["brake_front"] * np.minimum(0.0, thrust)
        front = self.tyre(delta - np.arctan2(v + p["front"] * r, u), p["stiffness_front"], p["friction_front"],
                          (p["m"] * p["g"] * p["rear"] - thrust * p["height"]) / base, brake, front_grip)
        rear = self.tyre(-np.arctan2(v - p["rear"] * r, u), p["stiffness_rear"], p["friction_rear"],
                         (p["m"] * p["g"] * p["front"] + thrust * p["height"]) / base, thrust - brake, rear_grip)
        return p["m"] * p["follows"] * (speed - u), front, rear

    def reading(self, x, speed, delta):
        drive, front, rear = self.forces(x, speed, delta)
        m = self.p["m"]
        return np.array([x[2], (drive - front * np.sin(delta)) / m, (front * np.cos(delta) + rear) / m])

    def rates(self, x, speed, delta):
        p = self.p
        u, v, r, thrust, bank, moment, _, _ = x
        drive, front, rear = self.forces(x, speed, delta)
        _, ahead, left = self.reading(x, speed, delta)
        none = np.zeros_like(u)
        return np.array([ahead + v * r, left + bank - u * r,
                         (p["front"] * front * np.cos(delta) - p["rear"] * rear + moment) / self.inertia,
                         (drive - thrust) / p["pitch"], -bank / p["bank_time"], -moment / p["moment_time"], none, none])


def derivative(f, x):
    """∂f/∂x, (rows of f × rows of x); f takes several x at once."""
    d = 1e-6 * np.maximum(1.0, np.abs(x))
    return (f(x[:, None] + np.diag(d)) - f(x[:, None] - np.diag(d))) / (2 * d)


def sideslip(model, times, speed, delta, readings, noises, start, walks, is_filter=True):
    """Sideslip at the times. readings: (yaw rate, accelerations ahead and to the left); noises: their deviations; start: deviations
    of the states; walks: what they change in 1 s."""
    car = Car(parameters(model))
    x = np.array([car.p["speed"], 0, 0, 0, 0, 0, 0, 0], dtype=float)
    P, R = np.diag(np.square(start)), np.diag(np.square(noises))
    beta = []
    for k, t in enumerate(times):
        if is_filter:
            H = derivative(lambda y, k=k: car.reading(y, speed[k], delta[k]), x)
            gain = np.linalg.solve(H @ P @ H.T + R, H @ P).T
            x = x + gain @ (readings[:, k] - car.reading(x, speed[k], delta[k]))
            P = P - gain @ H @ P
        beta.append(np.arctan2(x[1], x[0]))
        if k + 1 == len(times):
            break
        h = times[k + 1] - t

        def step(y, k=k, h=h):
            first = car.rates(y, speed[k], delta[k])
            return y + h / 2 * (first + car.rates(y + h * first, speed[k + 1], delta[k + 1]))
        if is_filter:
            F = derivative(step, x)
            P = F @ P @ F.T + np.diag(np.square(walks)) * h
            P = (P + P.T) / 2
        x = step(x)
    return np.array(beta)


def smooth(x, rows=31):
    window = np.hanning(rows)
    return np.convolve(np.pad(x, rows // 2, "edge"), window / window.sum(), "valid")


def friction(model, speed, delta, readings, beta, h):
    """Friction of front and rear axle by least squares: their forces, which accelerations and yaw rate tell, beside those at the slip angles that
    sideslip tells."""
    car = Car(parameters(model))
    p = car.p
    rate, ahead, left = (smooth(x) for x in readings)
    base, turning = p["front"] + p["rear"], car.inertia * np.gradient(rate, h)
    thrust = p["m"] * ahead
    brake = p["brake_front"] * np.minimum(0.0, thrust)
    v = speed * np.tan(beta)
    axles = ((smooth(delta - (v + p["front"] * readings[0]) / speed), p["stiffness_front"], (p["rear"] * p["m"] * left + turning) / base,
              (p["m"] * p["g"] * p["rear"] - thrust * p["height"]) / base, brake),
             (smooth(-(v - p["rear"] * readings[0]) / speed), p["stiffness_rear"], (p["front"] * p["m"] * left - turning) / base,
              (p["m"] * p["g"] * p["front"] + thrust * p["height"]) / base, thrust - brake))

    def error(mu, slip, stiffness, force, load, along):
        peak = np.sqrt(np.maximum(100.0**2, (mu * load) ** 2 - along**2))
        return np.mean((peak * np.sin(p["shape"] * np.arctan(stiffness * slip / (p["shape"] * peak))) - force) ** 2)
    found = []
    for axle in axles:
        grid = np.linspace(0.6, 2.2, 1601)
        found.append(grid[np.argmin([error(mu, *axle) for mu in grid])])
    return found
