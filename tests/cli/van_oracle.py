#!/usr/bin/env python3
"""The van of models/vehicles/van-plain.yaml written out a second time, to judge the program by.

Other coordinates, no shared code: 13 free bodies, each with the position of its centre of mass and a quaternion (91 coordinates); all
joints are conditions on them; tyres and road are written out from docs/theory-tyres.md, section 7. The numbers are typed from the same
public data (Project Chrono, commit 7689fbc0), not read from the mechanism file.

Motion. With the velocity V = (v, ω) of every body, all in world axes, the wrench Q and constraints Phi = 0, dPhi/dt = J V,

    M dV/dt = Q + Jᵀ lambda,   J dV/dt = gamma        ⇒   (J M⁻¹ Jᵀ) lambda = gamma − J M⁻¹ Q                         (1)

[Nikravesh1988], Lagrange multipliers with the constraints of accelerations. Three kinds of constraints make all joints, with r = R s:

    coincident points     p_A + r_A − p_B − r_B = 0                                                                   (2)
    perpendicular axes    a·b = 0,   its rate (a × b)·(ω_A − ω_B)                                                     (3)
    constant distance     ½ (d·d − L²) = 0,   d = p_A + r_A − p_B − r_B                                                (4)

revolute = (2) + twice (3), universal = (2) + (3), ball = (2), tie rod = (4). gamma has what is left of the second derivative.
After each step positions and velocities go back to Phi = 0 and J V = 0 by the shortest way in the metric of the mass:

    δ = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ Phi,   V ← V − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J V                                                     (5)

Steps: extrapolated midpoint rule of Gragg, Bulirsch and Stoer, order 10 [HairerNorsettWanner1993, II.9], whose step length is chosen so
that the last two extrapolations agree.

    python3 van_oracle.py drop --out drop.csv      the van falls on its tyres
    python3 van_oracle.py bump --out bump.csv      it rolls with 10 m/s over a bump under its left wheels
    python3 van_oracle.py check                    energy, constraints, tolerances: how far to trust it
"""

import argparse
import csv
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices of 64 rows
import numpy as np  # noqa: E402

G = 9.81
X, Y, Z = np.eye(3)
SIDES = {"left": 1.0, "right": -1.0}
REAR = -2.4  # [m] chrono_van/van_Vehicle.json, suspension location of the second axle


def mirrored(point, side):
    return np.array([point[0], SIDES[side] * point[1], point[2]])


# ---- Numbers: hard points in axes of the vehicle [m], masses [kg], inertias about centres of mass [kg m²] ------------------------------
# Front: chrono_van/van_DoubleWishboneFront.json. Inertias of the arms: the largest moment is the source's, the other two half of it.
FRONT = {
    "lower_arm": (23.965, (0.000, 0.3345, -0.059), (0.8938 / 2, 0.8938 / 2, 0.8938)),
    "upper_arm": (5.813, (-0.106, 0.3765, 0.218), (0.06276 / 2, 0.06276 / 2, 0.06276)),
    "upright": (19.450, (-0.040, 0.5385, -0.026), (0.1656, 0.1934, 0.04367)),
}
# Wheel = spindle (front and UAZ rear alike) + rim, van_Wheel.json + tyre, van_TMeasyTireFull.json.
WHEEL_MASS = 14.705 + 12.0 + 19.8
WHEEL_INERTIA = (0.04117 + 0.240642 + 1.2369, 0.07352 + 0.410903 + 2.22357, 0.04117 + 0.240642 + 1.2369)
WHEEL_FRONT, WHEEL_REAR = (-0.040, 0.6975, -0.026), (REAR, 0.7325, 0.0)
# Chassis, van_Chassis.json, and rack, van_RackPinion.json, which the driver holds in the middle: one rigid body here.
CHASSIS = (2321.0, np.array([-1.204, 0.0, 0.3]), np.diag([785.0, 2612.0, 2761.0]))
RACK = (9.072, np.array([-0.25, 0.0, 0.05]), np.diag([1.0, 1.0, 1.0]))
# Rear: chrono_uaz/UAZBUS_RearPushPipeAxle.json.
AXLE = (124.0, (REAR, 0.0, 0.0), (22.21, 0.0775, 22.21))
PANHARD = (15.0, (REAR - 0.1, 0.0, 0.0), (0.1, 0.02, 0.1))


class Tyre:
    """The linear tyre; radius and damping of van_TMeasyTireFull.json, stiffness of mf_185_80R14.tir, slopes and relaxation of its PKX1,
    PKY1, PTX1 and PTY1 at the nominal load; camber and trail chosen."""
    R_0, k, d = 0.376, 175e3, 1801.74
    c_kappa, c_alpha, c_gamma, trail, rolling = 19.733, 12.536, 1.0, 0.03, 0.015
    sigma = np.array([0.715, 0.565])
    slow, still, lag, fades = 1.5 * np.sqrt(G * R_0), np.sqrt(G * R_0) / 2000, np.sqrt(R_0 / G) / 36, 0.6 * np.sqrt(G * R_0)  # (7)


BUMP_BEGIN, BUMP_LENGTH, BUMP_HEIGHT = 3.0, 1.0, 0.05  # where y ≥ 0 [m]
ROLLING_RADIUS = 0.364                                  # of the wheels at the start [m]
CASES = {"drop": (0.452, 0.0), "bump": (0.365, 10.0)}   # height [m] and speed [m/s] at the start

FORTH, BACK = [1, 2, 0], [2, 0, 1]


def cross(a, b):
    """Row by row; numpy's own takes three times as long."""
    return a[..., FORTH] * b[..., BACK] - a[..., BACK] * b[..., FORTH]


def dot(a, b):
    return (a * b).sum(axis=-1)


def turned(R, s):
    """Each vector by its matrix."""
    return (R @ s[..., None])[..., 0]


def skew(r):
    out = np.zeros(r.shape[:-1] + (3, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -r[..., 2], r[..., 1], -r[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = r[..., 2], -r[..., 1], r[..., 0]
    return out


def rotations(e):
    """Matrices of quaternions of any length: e/|e| is meant."""
    e = e / np.sqrt(dot(e, e))[:, None]
    K = skew(e[:, 1:])
    return np.eye(3) + 2 * (e[:, :1, None] * K + K @ K)


def modulus(v):
    return v * v / np.sqrt(v * v + Tyre.still**2)


class Van:
    """Bodies, what connects them, and how they move; each body is measured from its centre of mass, in axes that are the vehicle's at the start."""

    def __init__(self, case):
        self.case = case
        self.names, self.mass, self.com, inertia = [], [], [], []

        def body(name, mass, com, moments):
            self.names.append(name)
            self.mass.append(mass)
            self.com.append(np.array(com))
            inertia.append(np.diag(moments) if np.ndim(moments) == 1 else moments)

        mass = CHASSIS[0] + RACK[0]
        com = (CHASSIS[0] * CHASSIS[1] + RACK[0] * RACK[1]) / mass
        total = np.zeros((3, 3))
        for m, c, I in (CHASSIS, RACK):  # Steiner
            total += I + m * (dot(c - com, c - com) * np.eye(3) - np.outer(c - com, c - com))
        body("chassis", mass, com, total)
        for side in SIDES:
            for name, (m, c, I) in FRONT.items():
                body(f"front.{side}.{name}", m, mirrored(c, side), I)
            body(f"front.{side}.wheel", WHEEL_MASS, mirrored(WHEEL_FRONT, side), WHEEL_INERTIA)
        body("rear.axle", *AXLE)
        body("rear.panhard", *PANHARD)
        for side in SIDES:
            body(f"rear.{side}.wheel", WHEEL_MASS, mirrored(WHEEL_REAR, side), WHEEL_INERTIA)
        self.n = len(self.names)
        self.mass, self.com, self.inertia = np.array(self.mass), np.array(self.com), np.array(inertia)
        self.inertia_inverse = np.linalg.inv(self.inertia)

        self.meet, self.perpendicular, self.distance, self.springs = [], [], [], []
        for side in SIDES:
            self.connect_front(side)
        self.connect_rear()
        self.meet, self.distance, self.springs = map(self.ends, (self.meet, self.distance, self.springs))
        a, b, u, w = zip(*self.perpendicular)
        self.perpendicular = np.array(a), np.array(b), np.array(u), np.array(w)
        self.wheels = [self.names.index(f"{end}.{side}.wheel") for end in ("front", "rear") for side in SIDES]
        self.number = [3 * len(self.meet[0]), len(a), len(self.distance[0])]

    # ---- what is connected where ---------------------------------------------------------------------------------------------------
    def connect_front(self, side):
        def at(*point):
            return mirrored(point, side)

        lower, upper, upright, wheel = (f"front.{side}.{name}" for name in ("lower_arm", "upper_arm", "upright", "wheel"))
        self.revolute("chassis", lower, at(0.223, 0.0945, 0.000), at(-0.223, 0.0954, 0.000) - at(0.223, 0.0945, 0.000))
        self.revolute("chassis", upper, at(-0.048, 0.2335, 0.245), at(-0.268, 0.2655, 0.196) - at(-0.048, 0.2335, 0.245))
        self.meet.append((lower, upright, at(-0.036, 0.5745, -0.118)))
        self.meet.append((upper, upright, at(-0.053, 0.5035, 0.215)))
        self.distance.append(("chassis", upright, at(-0.250, 0.200, 0.054), at(-0.176, 0.599, -0.016)))
        self.revolute(upright, wheel, at(*WHEEL_FRONT), Y)
        arm = at(0.097, 0.3305, -0.047)
        self.springs.append(("chassis", lower, at(0.104, 0.2975, 0.197), arm, 112912.1427, 0.339, 0.0))
        # Damping chosen, a quarter of the source's 43290.22357, by which the axle hardly moves.
        self.springs.append(("chassis", lower, at(0.104, 0.2975, 0.323), arm, 0.0, 0.0, 10000.0))

    def connect_rear(self):
        def at(x, y, z):
            return np.array([REAR + x, y, z])

        self.meet.append(("chassis", "rear.axle", at(1.0, 0.0, 0.0)))
        self.meet.append(("chassis", "rear.panhard", at(-0.1, 0.5, 0.0)))
        self.perpendicular.append((0, self.names.index("rear.panhard"), Z, X))
        self.meet.append(("rear.panhard", "rear.axle", at(-0.1, -0.5, 0.0)))
        for side, sign in SIDES.items():
            self.revolute("rear.axle", f"rear.{side}.wheel", mirrored(WHEEL_REAR, side), Y)
            self.springs.append(("chassis", "rear.axle", at(0.0, sign * 0.5142, 0.2476), at(0.0, sign * 0.5142, 0.0476),
                                 102643.885771329, 0.2621225507207084, 0.0))
            self.springs.append(("chassis", "rear.axle", at(-0.3648, sign * 0.4193, 0.4298), at(-0.125, sign * 0.441, -0.0507),
                                 0.0, 0.0, 16336.2817986669))

    def revolute(self, first, second, point, axis):
        self.meet.append((first, second, point))
        axis = axis / np.linalg.norm(axis)
        across = np.linalg.svd(axis[None])[2][1:]  # two directions at right angles to it
        self.perpendicular += [(self.names.index(first), self.names.index(second), u, axis) for u in across]

    def ends(self, rows):
        """Bodies, points from their centres of mass, and the numbers behind them; a single point is that of both bodies."""
        rows = [(*row[:3], row[2]) if len(row) == 3 else row for row in rows]
        a = np.array([self.names.index(row[0]) for row in rows])
        b = np.array([self.names.index(row[1]) for row in rows])
        P, Q = np.array([row[2] for row in rows]), np.array([row[3] for row in rows])
        return a, b, P - self.com[a], Q - self.com[b], *np.array([row[4:] for row in rows]).T, np.linalg.norm(P - Q, axis=1)

    # ---- state: positions (n,3), quaternions (n,4), velocities (n,3), angular velocities (n,3), slips (4,2), work (1) -----------------
    def split(self, y):
        n = self.n
        return (y[:3 * n].reshape(n, 3), y[3 * n:7 * n].reshape(n, 4), y[7 * n:10 * n].reshape(n, 3), y[10 * n:13 * n].reshape(n, 3),
                y[13 * n:13 * n + 8].reshape(4, 2))

    def start(self):
        n, (height, v) = self.n, self.case
        p = self.com + [0.0, 0.0, height]
        w = np.zeros((n, 3))
        w[self.wheels, 1] = v / ROLLING_RADIUS
        return np.concatenate([p.ravel(), np.tile([1.0, 0.0, 0.0, 0.0], n), np.tile([v, 0.0, 0.0], n), w.ravel(), np.zeros(9)])

    def constraints(self, p, R, V, w):
        """Phi, J and gamma of (2) to (4); rows of J are of v and ω of each body: (m, n, 6)."""
        rows = sum(self.number)
        Phi, J, gamma = np.empty(rows), np.zeros((rows, self.n, 6)), np.empty(rows)

        def gap(ends):
            a, b, s_a, s_b = ends[:4]
            r_a, r_b = turned(R[a], s_a), turned(R[b], s_b)
            c_a, c_b = cross(w[a], r_a), cross(w[b], r_b)
            return a, b, r_a, r_b, p[a] + r_a - p[b] - r_b, V[a] + c_a - V[b] - c_b, cross(w[a], c_a) - cross(w[b], c_b)

        a, b, r_a, r_b, d, _, bend = gap(self.meet)
        m = len(a)
        k = np.arange(3 * m).reshape(m, 3)
        Phi[k], gamma[k] = d, -bend
        J[k, a[:, None], [0, 1, 2]], J[k, b[:, None], [0, 1, 2]] = 1.0, -1.0
        J[k, a[:, None], 3:], J[k, b[:, None], 3:] = -skew(r_a), skew(r_b)

        a, b, u, t = self.perpendicular
        u, t = turned(R[a], u), turned(R[b], t)
        k = self.number[0] + np.arange(len(a))
        turn, u_rate, t_rate = cross(u, t), cross(w[a], u), cross(w[b], t)
        Phi[k] = dot(u, t)
        J[k, a, 3:], J[k, b, 3:] = turn, -turn
        gamma[k] = -(dot(cross(w[a], u_rate), t) + 2 * dot(u_rate, t_rate) + dot(u, cross(w[b], t_rate)))

        a, b, r_a, r_b, d, d_rate, bend = gap(self.distance)
        k = sum(self.number[:2]) + np.arange(len(a))
        Phi[k] = 0.5 * (dot(d, d) - self.distance[-1]**2)
        J[k, a, :3], J[k, b, :3] = d, -d
        J[k, a, 3:], J[k, b, 3:] = cross(r_a, d), -cross(r_b, d)
        gamma[k] = -(dot(d_rate, d_rate) + dot(d, bend))
        return Phi, J, gamma

    def times_inverse_mass(self, R, rows):
        """Each row (…, n, 6) times M⁻¹, as one row of 6n."""
        inverse = R @ self.inertia_inverse @ R.transpose(0, 2, 1)
        turn = (rows[..., None, 3:] @ inverse)[..., 0, :]
        return np.concatenate([rows[..., :3] / self.mass[:, None], turn], axis=-1).reshape(*rows.shape[:-2], -1)

    # ---- forces ----------------------------------------------------------------------------------------------------------------------
    @staticmethod
    def road(x, y):
        """Height, and slope along x."""
        s = (x - BUMP_BEGIN) / BUMP_LENGTH
        on = (s > 0) & (s < 1) & (y >= 0)
        return (np.where(on, 0.5 * BUMP_HEIGHT * (1 - np.cos(2 * np.pi * s)), 0.0),
                np.where(on, np.pi * BUMP_HEIGHT / BUMP_LENGTH * np.sin(2 * np.pi * s), 0.0))

    def tyres(self, C, axis, velocity, w, slips):
        """Contact points S (4,3), forces there and moments (4,3), loads (4), rates of the slips (4,2): docs/theory-tyres.md, 7, (2) to (6)."""
        tyre = Tyre
        S = C - tyre.R_0 * Z
        for _ in range(100):
            z, slope = self.road(S[:, 0], S[:, 1])
            n = np.stack([-slope, np.zeros(4), np.ones(4)], axis=1) / np.sqrt(1 + slope**2)[:, None]
            e_x = cross(axis, n)
            e_x /= np.sqrt(dot(e_x, e_x))[:, None]
            d = cross(e_x, axis)
            r = (C[:, 2] - z) / d[:, 2]
            before, S = S, C - r[:, None] * d  # (2)
            if np.abs(S - before).max() < 1e-15 * (1 + np.abs(C).max()):
                break
        e_y = cross(n, e_x)
        spin = dot(w, axis)
        v_S = velocity + cross(w - spin[:, None] * axis, S - C)  # (3)
        V_x, V_y, fall = dot(v_S, e_x), dot(v_S, e_y), -dot(v_S, n) / dot(d, n)
        rho = tyre.R_0 - r
        load = np.where(rho > 0, np.maximum(0.0, tyre.k * rho + tyre.d * np.minimum(1.0, rho / (0.01 * tyre.R_0)) * fall), 0.0)
        roll = spin * (tyre.R_0 - rho / 3)
        slide = np.stack([roll - V_x, V_y], axis=1)  # −V_sx and V_y
        fast, slow = modulus(V_x), modulus(slide)
        pace = np.maximum(fast[:, None], slow / 10)
        c = np.clip(rho / (1e-3 * tyre.R_0), 0.0, 1.0)
        lost = (1 - c) / tyre.lag + c * fall / (np.maximum(rho, 0.0) + 1e-3 * tyre.R_0)  # λ, with ψ = 1
        rates = c[:, None] * (slide - pace * slips) / tyre.sigma - lost[:, None] * slips  # (4)
        standing = np.where(np.abs(V_x) < tyre.slow, 0.5 + 0.5 * np.cos(np.pi * V_x / tyre.slow), 0.0)
        kappa, tan_alpha = (slips + tyre.lag * standing[:, None] * slide / tyre.sigma).T  # (6)
        F_x = tyre.c_kappa * load * kappa
        F_y = load * (tyre.c_gamma * np.arcsin(dot(axis, n)) - tyre.c_alpha * np.arctan(tan_alpha))
        M_y = -tyre.rolling * tyre.R_0 * load * np.sin(0.5 * np.pi * np.clip(roll / tyre.fades, -1.0, 1.0))
        force = F_x[:, None] * e_x + F_y[:, None] * e_y + load[:, None] * n
        moment = M_y[:, None] * e_y - (tyre.trail * F_y)[:, None] * n
        return S, force, moment, load, rates

    def wheel_motion(self, p, R, V, w):
        k = self.wheels
        return p[k], R[k][:, :, 1], V[k], w[k]

    def wrench(self, p, R, V, w, slips):
        """Q (n,6) of all forces but those of inertia and joints, rates of the slips, and power of dampers and tyres."""
        Q = np.zeros((self.n, 6))
        Q[:, 2] = -G * self.mass
        a, b, s_a, s_b, k, free, damping, _ = self.springs
        r_a, r_b = turned(R[a], s_a), turned(R[b], s_b)
        d = p[b] + r_b - p[a] - r_a
        length = np.sqrt(dot(d, d))
        u = d / length[:, None]
        rate = dot(u, V[b] + cross(w[b], r_b) - V[a] - cross(w[a], r_a))
        pull = (k * (length - free) + damping * rate)[:, None] * u
        np.add.at(Q, a, np.concatenate([pull, cross(r_a, pull)], axis=1))
        np.add.at(Q, b, -np.concatenate([pull, cross(r_b, pull)], axis=1))
        C, axis, velocity, turn = self.wheel_motion(p, R, V, w)
        S, force, moment, _, rates = self.tyres(C, axis, velocity, turn, slips)
        torque = cross(S - C, force) + moment
        Q[self.wheels] += np.concatenate([force, torque], axis=1)
        power = dot(force, velocity).sum() + dot(torque, turn).sum() - (damping * rate**2).sum()
        return Q, rates, power

    def rates(self, y):
        p, e, V, w, slips = self.split(y)
        R = rotations(e)
        _, J, gamma = self.constraints(p, R, V, w)
        Q, slip_rates, power = self.wrench(p, R, V, w, slips)
        I_w = turned(R, turned(self.inertia, turned(R.transpose(0, 2, 1), w)))
        Q[:, 3:] -= cross(w, I_w)
        back, free = self.times_inverse_mass(R, J), self.times_inverse_mass(R, Q)
        J = J.reshape(back.shape)
        a = (free + np.linalg.solve(J @ back.T, gamma - J @ free) @ back).reshape(self.n, 6)  # (1)
        e_rate = 0.5 * np.concatenate([-dot(w, e[:, 1:])[:, None], e[:, :1] * w + cross(w, e[:, 1:])], axis=1)
        return np.concatenate([V.ravel(), e_rate.ravel(), a[:, :3].ravel(), a[:, 3:].ravel(), slip_rates.ravel(), [power]])

    def projected(self, y):
        """(5): positions by Newton's method, then velocities."""
        y = y.copy()
        p, e, V, w, _ = self.split(y)
        for _ in range(5):
            e /= np.sqrt(dot(e, e))[:, None]
            R = rotations(e)
            Phi, J, _ = self.constraints(p, R, V, w)
            back = self.times_inverse_mass(R, J)
            J = J.reshape(back.shape)
            S = J @ back.T
            if np.abs(Phi).max() < 1e-14:
                break
            delta = -(np.linalg.solve(S, Phi) @ back).reshape(self.n, 6)
            p += delta[:, :3]
            turn = 0.5 * delta[:, 3:]
            e += np.concatenate([-dot(turn, e[:, 1:])[:, None], e[:, :1] * turn + cross(turn, e[:, 1:])], axis=1)
        u = np.concatenate([V, w], axis=1).ravel()
        u = (u - np.linalg.solve(S, J @ u) @ back).reshape(self.n, 6)
        V[:], w[:] = u[:, :3], u[:, 3:]
        return y

    def energy(self, y):
        p, e, V, w, _ = self.split(y)
        R = rotations(e)
        w_B = turned(R.transpose(0, 2, 1), w)
        a, b, s_a, s_b, k, free, _, _ = self.springs
        length = np.linalg.norm(p[b] + turned(R[b], s_b) - p[a] - turned(R[a], s_a), axis=1)
        return (0.5 * (self.mass * dot(V, V)).sum() + 0.5 * dot(w_B, turned(self.inertia, w_B)).sum()
                + G * (self.mass * p[:, 2]).sum() + 0.5 * (k * (length - free)**2).sum())

    # ---- time ------------------------------------------------------------------------------------------------------------------------
    STEPS = (2, 4, 6, 8, 10)

    def extrapolated(self, y, h):
        """One step of length h, and by how much the last two extrapolations differ."""
        first = self.rates(y)
        table = []
        for j, n in enumerate(self.STEPS):
            s = h / n
            before, now = y, y + s * first
            for _ in range(n - 1):
                before, now = now, before + 2 * s * self.rates(now)
            row = [0.5 * (before + now + s * self.rates(now))]  # Gragg's last step
            for i in range(j):
                row.append(row[i] + (row[i] - table[i]) / ((n / self.STEPS[j - 1 - i])**2 - 1))
            table = row
        return table[-1], table[-1] - table[-2]

    def run(self, until, every, tolerance=1e-11, watch=None):
        """States at 0, every, 2 every, …; tolerance: of each step, in m, rad, 100 m/s, 100 rad/s and slip."""
        y, h = self.projected(self.start()), 1e-4
        n = self.n
        scale = np.concatenate([np.full(7 * n, 1.0), np.full(6 * n, 100.0), np.full(8, 1.0), [1e6]])
        states = [y]
        for k in range(1, round(until / every) + 1):
            t, end = (k - 1) * every, k * every
            while t < end - 1e-12:
                step = min(h, end - t)
                new, error = self.extrapolated(y, step)
                size = np.abs(error / scale).max() / tolerance
                if size <= 1:
                    y, t = self.projected(new), t + step
                    if watch:
                        watch(t, y)
                h = step * min(3.0, max(0.2, 0.8 * (size + 1e-30)**(-1 / 9))) if size > 1 or step == h else h
            states.append(y)
        return states

    # ---- what it tells -----------------------------------------------------------------------------------------------------------------
    def outputs(self, y):
        """Names as the program has them."""
        p, e, V, w, slips = self.split(y)
        R = rotations(e)
        O, F = p[0] - R[0] @ self.com[0], R[0]
        row = {f"chassis.O.{c}": O[i] for i, c in enumerate("xyz")}
        row |= {"chassis.euler_zyx_1": np.arctan2(F[1, 0], F[0, 0]), "chassis.euler_zyx_2": -np.arcsin(F[2, 0]),
                "chassis.euler_zyx_3": np.arctan2(F[2, 1], F[2, 2])}
        for k in self.wheels:
            row |= {f"{self.names[k]}.C.{c}": p[k][i] for i, c in enumerate("xyz")}
        loads = self.tyres(*self.wheel_motion(p, R, V, w), slips)[3]
        return row | {self.names[k].replace("wheel", "tyre.fz"): load for k, load in zip(self.wheels, loads)}


def table(case, until, every, tolerance=1e-11):
    van = Van(CASES[case])
    return [{"t": k * every} | van.outputs(y) for k, y in enumerate(van.run(until, every, tolerance))]


def write(path, rows):
    units = {"t": "s", "fz": "N", "1": "rad", "2": "rad", "3": "rad"}
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(rows[0])
        out.writerow([units.get(name[-2:] if name.endswith("fz") else name[-1], "m") for name in rows[0]])
        out.writerows([[f"{value:.15g}" for value in row.values()] for row in rows])


def check(case, until):
    """How far to trust it: drift of constraints and energy, and what a tighter run of order 12 changes."""
    van, worst, balance = Van(CASES[case]), [0.0, 0.0], []

    def watch(_, y):
        p, e, V, w, _ = van.split(y)
        Phi, J, _ = van.constraints(p, rotations(e), V, w)
        u = np.concatenate([V, w], axis=1).ravel()
        worst[:] = max(worst[0], np.abs(Phi).max()), max(worst[1], np.abs(J.reshape(len(J), -1) @ u).max())
        balance.append(van.energy(y) - y[-1])

    first = [van.outputs(y) for y in van.run(until, 0.05, watch=watch)]
    van = Van(CASES[case])
    van.STEPS = (*van.STEPS, 12)
    second = [van.outputs(y) for y in van.run(until, 0.05, tolerance=2e-12)]
    change = max(abs(a[name] - b[name]) for a, b in zip(first, second) for name in a if not name.endswith("fz"))
    print(f"{case}: {len(balance)} steps; joints open by {worst[0]:.1e} m, closing with {worst[1]:.1e} m/s; energy less the work of dampers and "
          f"tyres wanders by {max(balance) - min(balance):.1e} J of {balance[0]:.0f} J; tighter tolerances change positions by {change:.1e} m")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=[*CASES, "check"])
    parser.add_argument("--until", type=float, default=1.5)
    parser.add_argument("--every", type=float, default=0.05)
    parser.add_argument("--out", default="van.csv")
    options = parser.parse_args()
    if options.what == "check":
        for case in CASES:
            check(case, options.until)
    else:
        write(options.out, table(options.what, options.until, options.every))


if __name__ == "__main__":
    main()
