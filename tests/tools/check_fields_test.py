"""Holds tools/check_fields.py (the argument) to its promises, on made-up trees."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)

REQUEST = """
/// Moves something.
struct MoveRequest {
  enum class Place {
    kStart,  ///< until it moves
  };
  core::Duration until = {};  ///< step by step
  std::optional<double> rtol = {}, atol = {};
  std::optional<std::vector<std::string>> outputs = {};
  Place at = Place::kStart;
  int options() const;
};
struct UnknownRequest {
  double walk = 0.0;
};
struct MoveResult {
  double reached = 0.0;
};
"""


class CheckFields(unittest.TestCase):
    def check(self, text, path="runs/motion/move.cpp"):
        """Exit status and printed lines for a tree with this source beside the request."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (("runs/motion/move_request.hpp", REQUEST), (path, text)):
                file = pathlib.Path(folder) / "eslabon" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def test_members_of_requests_pass_in_silence(self):
        for name in ("until", "rtol", "atol", "outputs", "at"):
            self.assertEqual(self.check(f'x = runs::field("{name}");\n'), (0, []), name)

    def test_a_name_that_no_request_has_is_told_by_file_and_line(self):
        for name in ("untill", "reached", "walk", "step", "options", "kStart"):
            self.assertEqual(self.check(f'\nx = field("{name}") + ".";\n'),
                             (1, [f"eslabon/runs/motion/move.cpp:2: no request has a field '{name}'"]))

    def test_all_ways_to_name_a_field_are_seen(self):
        for call in ('for_field(\n  "nothing", [] {})', 'require_known("nothing", "unknown thing", word, known)',
                     'require_positive("nothing", time)', 'core::field("nothing")'):
            self.assertEqual(self.check(call)[0], 1, call)

    def test_files_of_front_ends_are_named_by_recording_alone(self):
        self.assertEqual(self.check('field("report")', "recording/page.cpp"), (0, []))
        for layer in ("runs", "live", "study"):
            self.assertEqual(self.check('field("report")', f"{layer}/page.cpp"),
                             (1, [f"eslabon/{layer}/page.cpp:1: 'report' is the page of a run: only 'recording' may name it"]))

    def test_parameters_are_named_by_all(self):
        self.assertEqual(self.check('field("set")'), (0, []))

    def test_the_program_names_what_it_likes(self):
        self.assertEqual(self.check('field("anything")', "../apps/cli/words.cpp"), (0, []))


if __name__ == "__main__":
    unittest.main()
