"""Suspension figures of three public geometries by a program of its own: points, distances, Newton's method.

Three points of the upright are the unknowns, distances between them and to points of the chassis the equations; all else hangs on these three. Numbers are
Taylor series of second order in the travel of the wheel centre, so that rates come without differences. Angles, ways and forces are for the left wheel;
the right one of a symmetric axle is this one with the rack moved the other way.
"""

import math

GRAVITY = 9.81


class Series:
    """a + b h + c h^2, h the travel."""

    __slots__ = ("a", "b", "c")

    def __init__(self, a, b=0.0, c=0.0):
        self.a, self.b, self.c = a, b, c

    def __add__(self, o):
        o = series(o)
        return Series(self.a + o.a, self.b + o.b, self.c + o.c)

    __radd__ = __add__

    def __neg__(self):
        return Series(-self.a, -self.b, -self.c)

    def __sub__(self, o):
        return self + (-series(o))

    def __rsub__(self, o):
        return series(o) - self

    def __mul__(self, o):
        o = series(o)
        return Series(self.a * o.a, self.a * o.b + self.b * o.a, self.a * o.c + self.b * o.b + self.c * o.a)

    __rmul__ = __mul__

    def inverse(self):
        return Series(1 / self.a, -self.b / self.a**2, self.b**2 / self.a**3 - self.c / self.a**2)

    def __truediv__(self, o):
        return self * series(o).inverse()

    def __rtruediv__(self, o):
        return series(o) * self.inverse()

    def function(self, f, slope, second):
        return Series(f, slope * self.b, slope * self.c + 0.5 * second * self.b**2)

    def root(self):
        r = math.sqrt(self.a)
        return self.function(r, 0.5 / r, -0.25 / r**3)


def series(x):
    return x if isinstance(x, Series) else Series(x)


def arctangent(x):
    t = 1 / (1 + x.a**2)
    return x.function(math.atan(x.a), t, -2 * x.a * t * t)


def arcsine(x):
    t = 1 / math.sqrt(1 - x.a**2)
    return x.function(math.asin(x.a), t, x.a * t**3)


def plus(p, q, factor=1.0):
    return [a + factor * b for a, b in zip(p, q)]


def minus(p, q):
    return [a - b for a, b in zip(p, q)]


def dot(p, q):
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p, q):
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


def scaled(p, factor):
    return [a * factor for a in p]


def solve(matrix, right):
    """Gaussian elimination with pivots."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n + 1):
                rows[i][j] -= factor * rows[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


class Rigid:
    """What hangs on three points that move."""

    def __init__(self, drawn, now):
        u, v = minus(drawn[1], drawn[0]), minus(drawn[2], drawn[0])
        self.origin, self.drawn, self.now = drawn[0], [u, v, cross(u, v)], now

    def __call__(self, point):
        return plus(self.now[0], self.direction(minus(point, self.origin)))

    def direction(self, d):
        parts = solve([[self.drawn[k][i] for k in range(3)] for i in range(3)], d)
        u, v = minus(self.now[1], self.now[0]), minus(self.now[2], self.now[0])
        return plus(plus(scaled(u, parts[0]), scaled(v, parts[1])), scaled(cross(u, v), parts[2]))


class Suspension:
    """`points`: three of the upright, as drawn. `rows(points, upright, rack)`: equations beside those of the upright itself."""

    radius = 0.3

    def __init__(self):
        self.squares = [dot(d, d) for d in self.differences(self.points)]

    @staticmethod
    def differences(p):
        return [minus(p[1], p[0]), minus(p[2], p[1]), minus(p[0], p[2])]

    def equations(self, x, height, rack):
        p = [x[0:3], x[3:6], x[6:9]]
        upright = Rigid(self.points, p)
        rows = [dot(d, d) - s for d, s in zip(self.differences(p), self.squares)]
        rows += self.rows(p, upright, rack)
        rows.append(upright(self.center)[2] - self.center[2] - height)
        return [series(row) for row in rows]

    def jacobian(self, x, height, rack):
        columns = []
        for k in range(9):
            seeded = [Series(v, 1.0 if i == k else 0.0) for i, v in enumerate(x)]
            columns.append([row.b for row in self.equations(seeded, Series(height), rack)])
        return [[columns[k][i] for k in range(9)] for i in range(9)]

    def move(self, travel, rack=0.0, steps=3):
        """The upright at this travel, as series about it."""
        x = [c for p in self.points for c in p]
        for i in range(1, steps + 1):
            h, r = travel * i / steps, rack * i / steps
            for _ in range(12):
                left = [row.a for row in self.equations(x, Series(h), r)]
                x = [a - b for a, b in zip(x, solve(self.jacobian(x, h, r), left))]
                if max(map(abs, left)) < 1e-16:
                    break
        matrix = self.jacobian(x, travel, rack)
        x = [Series(v) for v in x]
        for order in ("b", "c"):
            left = [getattr(row, order) for row in self.equations(x, Series(travel, 1.0), rack)]
            for v, step in zip(x, solve(matrix, left)):
                setattr(v, order, -step)
        p = [x[0:3], x[3:6], x[6:9]]
        return p, Rigid(self.points, p)

    def figures(self, travel, rack=0.0):
        """Values at this travel, SI, of the left wheel."""
        p, upright = self.move(travel, rack)
        axis, center = upright.direction([0.0, 1.0, 0.0]), upright(self.center)
        level = (axis[0] * axis[0] + axis[1] * axis[1]).root()
        steer = arctangent(-axis[0] / axis[1])
        camber = -arcsine(axis[2])
        # S = C - r d: d is up in the disc, across the axis
        up = [-axis[0] * axis[2] / level, -axis[1] * axis[2] / level, level]
        contact = plus(center, up, -self.radius)
        v_x, v_y, v_z = (self.material_rate(upright, contact))
        triad = [upright.direction(e) for e in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])]
        w = [0.0, 0.0, 0.0]
        for e in triad:
            w = plus(w, cross([c.a for c in e], [c.b for c in e]), 0.5)
        out = {"steer": steer.a, "toe": -steer.a, "camber": camber.a, "toe_rate": -steer.b, "camber_rate": camber.b,
               "contact": [c.a for c in contact], "front_arm": v_z / w[0], "side_arm": center[2].b / w[1],
               "brake_angle": math.atan(v_x / v_z), "drive_angle": math.atan(center[0].b / v_z),
               # where the normal of the contact point's way passes the middle of the vehicle
               "roll_center": contact[1].a * v_y / v_z}
        line = self.steer_line(p)
        if line:
            low, high = ([series(c).a for c in end] for end in line)
            d = minus(high, low)
            ground = plus(low, d, (contact[2].a - low[2]) / d[2])
            off = minus(out["contact"], ground)
            cos, sin = math.cos(steer.a), math.sin(steer.a)
            out.update(caster=math.atan2(-d[0], d[2]), kingpin=math.atan2(-d[1], d[2]), scrub=-sin * off[0] + cos * off[1],
                       trail=-(cos * off[0] + sin * off[1]))
        energy = self.energy(p, upright)
        if energy is not None:
            s = series(contact[2])
            out["load"] = energy.b / s.b
            out["wheel_rate"] = (2 * energy.c * s.b - energy.b * 2 * s.c) / s.b**2
        return out

    def material_rate(self, upright, contact):
        """Of the point of the locked wheel that is the contact point now."""
        center = upright(self.center)
        triad = [upright.direction(e) for e in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])]
        arm = [c.a - d.a for c, d in zip(contact, center)]
        parts = [sum(t[i].a * arm[i] for i in range(3)) for t in triad]
        return [center[i].b + sum(parts[k] * triad[k][i].b for k in range(3)) for i in range(3)]

    def steer_line(self, p):
        return None

    def energy(self, p, upright):
        return None


def weight(mass, place):
    return mass * GRAVITY * place[2]


def length(p, q):
    d = minus(p, q)
    return dot(d, d).root()


def distance_rows(pairs):
    """Squares of distances now less those drawn: (p, q, p drawn, q drawn)."""
    return [dot(minus(p, q), minus(p, q)) - dot(minus(a, b), minus(a, b)) for p, q, a, b in pairs]


class HmmwvFront(Suspension):
    """chrono_hmmwv/HMMWV_DoubleWishboneFront.json"""
    radius = 0.4699
    lower_front, lower_back = [0.223, 0.307, 0.0], [-0.223, 0.307, 0.0]
    upper_front, upper_back = [-0.048, 0.446, 0.245], [-0.268, 0.478, 0.196]
    tie_in = [-0.250, 0.448, 0.054]
    points = [[-0.036, 0.787, -0.118], [-0.053, 0.716, 0.215], [-0.176, 0.821, -0.016]]
    center = [-0.040, 0.910, -0.026]
    curve = [(-0.2, -322095.536), (-0.18, -240521.166), (-0.16, -174535.686), (-0.14, -122406.996), (-0.12, -82402.997), (-0.1, -52791.592),
             (-0.08, -31840.681), (-0.06, -17818.165), (-0.04, -8991.945), (-0.02, -3629.923), (0.0, 0.0), (0.02, 3629.923), (0.04, 8991.945)]

    def rows(self, p, upright, rack):
        lower, upper, tie = self.points
        end = plus(self.tie_in, [0.0, rack, 0.0])
        tie_row = dot(minus(p[2], end), minus(p[2], end)) - dot(minus(tie, self.tie_in), minus(tie, self.tie_in))
        return distance_rows([(p[0], self.lower_front, lower, self.lower_front), (p[0], self.lower_back, lower, self.lower_back),
                              (p[1], self.upper_front, upper, self.upper_front), (p[1], self.upper_back, upper, self.upper_back)]) + [tie_row]

    def steer_line(self, p):
        return p[0], p[1]

    def spring_energy(self, d):
        """Of a table: -force by length is the slope of the energy; linear between its points."""
        k = max(i for i, (x, _) in enumerate(self.curve[:-1]) if x <= d.a)
        (x0, f0), (x1, f1) = self.curve[k], self.curve[k + 1]
        slope = (f1 - f0) / (x1 - x0)
        return d.function(0.0, f0 + slope * (d.a - x0), slope)

    def energy(self, p, upright):
        lower = Rigid([self.lower_front, self.lower_back, self.points[0]], [self.lower_front, self.lower_back, p[0]])
        upper = Rigid([self.upper_front, self.upper_back, self.points[1]], [self.upper_front, self.upper_back, p[1]])
        spring = length(lower([0.097, 0.543, -0.047]), [0.104, 0.510, 0.197]) - 0.339
        return (self.spring_energy(spring) + weight(23.965, lower([0.0, 0.547, -0.059])) + weight(5.813, upper([-0.106, 0.589, 0.218])) +
                weight(19.450, upright([-0.040, 0.751, -0.026])) + weight(14.705 + 45, upright(self.center)))


class MacPherson(Suspension):
    """chrono_generic/MacPhersonStrut.json, but for the free length of the spring"""
    radius = 0.344
    front, back = [0.220, 0.520, -0.156], [-0.300, 0.507, -0.137]
    top, foot = [-0.115, 0.785, 0.579], [-0.07402507, 0.8532915, 0.2484536]
    tie_in = [-0.300, 0.520, -0.059]
    points = [[-0.02165371, 0.94057703, -0.17402826], [-0.07402507, 0.8532915, 0.2484536], [-0.2373756, 0.89495045, -0.01605418]]
    center = [-0.04000403, 1.09999965, -0.02602507]

    def rows(self, p, upright, rack):
        end = plus(self.tie_in, [0.0, rack, 0.0])
        tie = self.points[2]
        # the strut's axis, fixed in the upright, goes through its mount
        off = cross(upright.direction(minus(self.top, self.foot)), minus(self.top, p[1]))
        return distance_rows([(p[0], self.front, self.points[0], self.front), (p[0], self.back, self.points[0], self.back)]) + [
            dot(minus(p[2], end), minus(p[2], end)) - dot(minus(tie, self.tie_in), minus(tie, self.tie_in)), off[0], off[1]]

    def steer_line(self, p):
        return p[0], self.top

    def energy(self, p, upright):
        arm = Rigid([self.front, self.back, self.points[0]], [self.front, self.back, p[0]])
        strut = length(p[1], self.top)
        along = scaled(minus(p[1], self.top), 1 / strut)
        drawn = minus(self.foot, self.top)
        middle = 0.5 * math.sqrt(dot(drawn, drawn))
        return (184574.5 * (strut - 0.355) * (strut - 0.355) + weight(5.091, arm([-0.031, 0.646, -0.156])) +
                weight(20.0, upright([-0.04000015, 0.90999965, -0.0260268])) + weight(5.0, plus(self.top, scaled(along, middle))) +
                weight(1.103 + 20, upright(self.center)))


class MultiLink(Suspension):
    """chrono_sedan/Sedan_MultiLink.json; forces are left out: the spring stands on the trailing link, beside its line."""
    radius = 0.344
    upper_front, upper_back = [0.060, 0.397, 0.082], [-0.157, 0.358, 0.062]
    lateral_in, trailing_in, tie_in = [0.036, 0.188, -0.133], [0.723, 0.449, -0.072], [-0.257, 0.170, -0.116]
    points = [[0.056, 0.714, 0.151], [0.029, 0.692, -0.093], [0.0, 0.714, -0.156]]
    tie = [-0.144, 0.712, -0.056]
    center = [0.0, 0.80, 0.0]

    def rows(self, p, upright, rack):
        upper, lateral, trailing = self.points
        return distance_rows([(p[0], self.upper_front, upper, self.upper_front), (p[0], self.upper_back, upper, self.upper_back),
                              (p[1], self.lateral_in, lateral, self.lateral_in), (p[2], self.trailing_in, trailing, self.trailing_in),
                              (upright(self.tie), self.tie_in, self.tie, self.tie_in)])
