"""The filter of docs/estimation-on-vehicles.md by other means: an extended Kalman filter of 10 states in axes of the car, in numpy, with derivatives by
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
    """States, one for each row: speeds ahead u and to the left v, yaw rate r, thrust T, bank b, yaw moment M, offsets of the slip angles of the axles, their grips."""

    def __init__(self, p):
        self.p = p
        self.inertia = p["m"] / 12 * (1.7**2 + 4.09**2)

    def tyre(self, slip, stiffness, friction, load, along, grip):
        p = self.p
        peak = np.exp(grip) * np.sqrt(np.maximum(100.0**2, (friction * load) ** 2 - along**2))
        return peak * np.sin(p["shape"] * np.arctan(stiffness * slip / (p["shape"] * peak)))

    def forces(self, x, speed, delta):
        p = self.p
        u, v, r, thrust, _, _, front_slip, rear_slip, front_grip, rear_grip = x
        base, ahead = p["front"] + p["rear"], np.maximum(u, p["crawl"])
        brake = p["brake_front"] * np.minimum(0.0, thrust)
        front = self.tyre(delta + front_slip - np.arctan2(v + p["front"] * r, ahead), p["stiffness_front"], p["friction_front"],
                          (p["m"] * p["g"] * p["rear"] - thrust * p["height"]) / base, brake, front_grip)
        rear = self.tyre(rear_slip - np.arctan2(v - p["rear"] * r, ahead), p["stiffness_rear"], p["friction_rear"],
                         (p["m"] * p["g"] * p["front"] + thrust * p["height"]) / base, thrust - brake, rear_grip)
        return p["m"] * p["follows"] * (speed - u), front, rear

    def reading(self, x, speed, delta):
        drive, front, rear = self.forces(x, speed, delta)
        m = self.p["m"]
        return np.array([x[2], (drive - front * np.sin(delta)) / m, (front * np.cos(delta) + rear) / m])

    def rates(self, x, speed, delta):
        p = self.p
        u, v, r, thrust, bank, moment, *slips, front_grip, rear_grip = x
        drive, front, rear = self.forces(x, speed, delta)
        _, ahead, left = self.reading(x, speed, delta)
        return np.array([ahead + v * r, left + bank - u * r,
                         (p["front"] * front * np.cos(delta) - p["rear"] * rear + moment) / self.inertia,
                         (drive - thrust) / p["pitch"], -bank / p["bank_time"], -moment / p["moment_time"],
                         *(-slip / p["slip_time"] for slip in slips), -front_grip / p["grip_time"], -rear_grip / p["grip_time"]])


def derivative(f, x):
    """∂f/∂x, (rows of f × rows of x); f takes several x at once."""
    d = 1e-6 * np.maximum(1.0, np.abs(x))
    return (f(x[:, None] + np.diag(d)) - f(x[:, None] - np.diag(d))) / (2 * d)


def sideslip(model, times, speed, delta, readings, noises, start, walks, is_filter=True):
    """Sideslip at the times, and its deviations. readings: (yaw rate, accelerations ahead and to the left); noises: their deviations; start: deviations
    of the states; walks: what they change in 1 s."""
    car = Car(parameters(model))
    x = np.array([car.p["speed"], *[0] * 9], dtype=float)
    P, R = np.diag(np.square(start)), np.diag(np.square(noises))
    beta, deviation = [], []
    for k, t in enumerate(times):
        if is_filter:
            H = derivative(lambda y, k=k: car.reading(y, speed[k], delta[k]), x)
            gain = np.linalg.solve(H @ P @ H.T + R, H @ P).T
            x = x + gain @ (readings[:, k] - car.reading(x, speed[k], delta[k]))
            P = P - gain @ H @ P
        beta.append(np.arctan2(x[1], max(x[0], car.p["crawl"])))
        deviation.append(np.sqrt(P[1, 1]) / max(x[0], car.p["crawl"]))
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
    return np.array(beta), np.array(deviation)


def smooth(x, rows=31):
    window = np.hanning(rows)
    return np.convolve(np.pad(x, rows // 2, "edge"), window / window.sum(), "valid")


def axles(model, speed, delta, readings, beta, h):
    """Of front and rear axle: slip angle as sideslip tells it, lateral force as accelerations and yaw rate tell it, load, and what the axle drives or brakes
    with; and its cornering stiffness and the name of its friction."""
    car = Car(parameters(model))
    p = car.p
    rate, ahead, left = (smooth(x) for x in readings)
    base, turning = p["front"] + p["rear"], car.inertia * np.gradient(rate, h)
    thrust = p["m"] * ahead
    brake = p["brake_front"] * np.minimum(0.0, thrust)
    v = speed * np.tan(beta)
    return ((smooth(delta - (v + p["front"] * readings[0]) / speed), (p["rear"] * p["m"] * left + turning) / base,
             (p["m"] * p["g"] * p["rear"] - thrust * p["height"]) / base, brake, p["stiffness_front"], p["friction_front"]),
            (smooth(-(v - p["rear"] * readings[0]) / speed), (p["front"] * p["m"] * left - turning) / base,
             (p["m"] * p["g"] * p["front"] + thrust * p["height"]) / base, thrust - brake, p["stiffness_rear"], p["friction_rear"]))


def friction(model, *data):
    """Friction of front and rear axle by least squares: their forces beside those at the slip angles that sideslip tells."""
    shape = parameters(model)["shape"]

    def error(mu, slip, force, load, along, stiffness, _):
        peak = np.sqrt(np.maximum(100.0**2, (mu * load) ** 2 - along**2))
        return np.mean((peak * np.sin(shape * np.arctan(stiffness * slip / (shape * peak))) - force) ** 2)
    grid = np.linspace(0.6, 2.2, 1601)
    return [grid[np.argmin([error(mu, *axle) for mu in grid])] for axle in axles(model, *data)]


def slip_errors(model, *data):
    """Deviation of what the slip angles of front and rear axle lack to give the forces [rad], and the rows after which half of it is forgotten."""
    shape, found = parameters(model)["shape"], []
    for slip, force, load, along, stiffness, mu in axles(model, *data):
        peak = np.sqrt(np.maximum(100.0**2, (mu * load) ** 2 - along**2))
        part = np.clip(force / peak, -0.97, 0.97)
        error = peak * shape / stiffness * np.tan(np.arcsin(part) / shape) - slip
        centred = error - error.mean()
        kept = [np.mean(centred[:-n] * centred[n:]) / np.mean(centred**2) for n in range(1, 800)]
        found.append((error.std(), 1 + next(n for n, value in enumerate(kept) if value < 0.5)))
    return found
