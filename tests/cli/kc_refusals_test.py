"""What the suspension rig refuses, and the sentence it says."""

import unittest

from kc_rig import PARTS, wishbones
from program import MODELS, InFolder, call


class Refusals(InFolder):
    """One sentence, nothing on stdout; 2 for words and files, 1 for what the mechanism does not allow."""

    CORNER = wishbones((0.3, 0.2), (0.3, 0.45))

    def refused(self, message, *words, status=2):
        done = call("kc", *words)
        self.assertEqual((done.stdout, done.stderr.replace(str(self.folder) + "/", "").replace(str(MODELS) + "/", "")), ("", f"eslabon: {message}\n"))
        self.assertEqual(done.returncode, status)

    def test_no_model(self):
        self.refused("MODEL is required. 'eslabon kc --help' shows what there is.")

    def test_no_vehicle(self):
        self.refused("the mechanism is not a vehicle [double-wishbone.yaml, mechanism 'double wishbone']: expected a section 'vehicle:' that names chassis "
                     "and axles, got none. Add it, see docs/mechanism-file.md, Vehicle; or give the file of a part with tyres.",
                     MODELS / "double-wishbone.yaml", status=1)

    def test_part_without_tyres(self):
        self.refused("the part does not stand on a rig [vehicles/parts/leaf-spring.yaml]: expected one tyre, a corner, or two, an axle, got none. "
                     "Give the file of a vehicle, or of one corner.", PARTS / "leaf-spring.yaml")

    def test_tyre_that_is_not_exported(self):
        file = self.write(self.CORNER.replace("exports: [tyre]", "exports: [wheel]"), "corner.yaml")
        self.refused("the part does not export its tyre [corner.yaml, exports]: expected 'tyre' in the list, got no such name. "
                     "Add it: the rig takes hold of the wheel there.", file)

    def test_travel(self):
        advice = "Write, for example, --travel '80 mm'."
        for text, value in (("0", "0"), ("-60 mm", "-0.06")):
            self.refused(f"the travel of the wheels is out of range [--travel]: expected a number above 0, got '{value}'. {advice}",
                         PARTS / "macpherson-corner.yaml", f"--travel={text}")

    def test_units(self):
        self.refused("travel of the wheels has a unit of the wrong kind [--travel]: expected a length such as '120 mm', got '60 N', a force. "
                     "Write a length, or a bare number in m.", PARTS / "macpherson-corner.yaml", "--travel", "60 N")
        self.refused("lateral load has a unit of the wrong kind [--lateral]: expected a force such as '20 N', got '2 kg', a mass. "
                     "Write a force, or a bare number in N.", PARTS / "macpherson-corner.yaml", "--lateral", "2 kg")

    def test_steps(self):
        self.refused("a sweep has too many rows [--travel-step]: expected at most 2000 steps up and as many down, got 6e+03. Take a longer step.",
                     PARTS / "macpherson-corner.yaml", "--travel-step", "0.01 mm")

    def test_steer(self):
        self.refused("the turn of the steering wheel is out of range [--steer]: expected a number above 0, got '0'. Write, for example, --steer '360 deg'.",
                     PARTS / "macpherson-corner.yaml", "--steer", "0 deg")

    def test_loads(self):
        part = PARTS / "macpherson-corner.yaml"
        self.refused("the range of forces is out of range [--force]: expected a number above 0, got '-3000'. Write, for example, --force '3 kN'.", part, "--force=-3 kN")
        self.refused("the range of torques is out of range [--torque]: expected a number above 0, got '0'. Write, for example, --torque '150 N*m'.", part, "--torque", "0")
        self.refused("range of forces has a unit of the wrong kind [--force]: expected a force such as '20 N', got '3 N*m', a torque or an energy. "
                     "Write a force, or a bare number in N.", part, "--force", "3 N*m")

    def test_radius(self):
        self.refused("the radius of the tyres is out of range [--radius]: expected a number above 0, got '0'. Write, for example, --radius '310 mm'.",
                     PARTS / "macpherson-corner.yaml", "--radius", "0")

    def test_out(self):
        self.refused("the sweeps have the wrong kind of file [--out]: expected a name that ends in .csv, got 'kc.txt'. "
                     "Write, for example, --out kc.csv; each sweep becomes a file of its own.", PARTS / "macpherson-corner.yaml", "--out", "kc.txt")

    def test_springs_of_no_length(self):
        """A spring whose ends coincide has no direction."""
        file = self.write(self.CORNER.replace("chassis: {points: {spring: [0, 0.6, 0.6]", "chassis: {points: {spring: [0, 0.65, 0.25]"), "corner.yaml")
        done = call("kc", file)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("spring", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["kc_refusals_test"])
