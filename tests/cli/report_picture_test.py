"""`eslabon report --png`: pictures of pages by a browser."""

import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

from program import PROGRAM, InFolder, call
from report_page import TESTBED, page_of

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Pictures(InFolder):
    def call_with(self, environment, *words):
        return subprocess.run([PROGRAM, "report", TESTBED, "--png", str(self.folder / "picture.png"), *words],
                              capture_output=True, text=True, timeout=90, check=False, env={**os.environ, **environment})

    def test_without_a_browser_one_sentence(self):
        environment = {"PATH": str(self.folder)}
        environment["CHROMIUM"] = ""
        done = self.call_with(environment)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        self.assertIn("'apt-get install chromium' gives it; --svg needs none.", done.stderr)
        done = self.call_with({"CHROMIUM": "/nowhere/chromium"})
        self.assertIn("CHROMIUM=/nowhere/chromium, no program", done.stderr)

    def test_a_browser_that_makes_no_picture(self):
        browser = self.folder / "browser"
        browser.write_text("#!/bin/sh\necho no display >&2\nexit 1\n", encoding="utf-8")
        browser.chmod(0o755)
        temporary = self.folder / "tmp"
        temporary.mkdir()
        done = self.call_with({"CHROMIUM": str(browser), "TMPDIR": str(temporary)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("the browser made no picture", done.stderr)
        self.assertIn("it says: no display", done.stderr)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"browser", "tmp"})

    def picture_of(self, page, *words, browser=None):
        """A picture of a page; `browser`: a script instead of Chromium."""
        environment = dict(os.environ)
        if browser is not None:
            path = self.folder / "browser"
            path.write_text("#!/bin/sh\n" + browser, encoding="utf-8")
            path.chmod(0o755)
            environment["CHROMIUM"] = str(path)
        return subprocess.run([PROGRAM, "report", str(page), "--png", str(self.folder / "picture.png"), *words],
                              capture_output=True, text=True, timeout=90, check=False, env=environment)

    def made_page(self):
        page = self.folder / "page.html"
        self.assertEqual(call("info", TESTBED, "--report", page).returncode, 0)
        return page

    # The browser is called with the address of the page last: file://PAGE#WORDS.
    KEEPING = 'for word; do :; done\ncp "$(echo "$word" | sed "s,^file://,,; s,#.*,,")" "{0}/shown.html"\necho "$word" > "{0}/address"\n'

    def test_of_a_page_its_data_are_shown_and_nothing_else(self):
        page = self.made_page()
        text = page.read_text(encoding="utf-8")
        policy = "Content-Security-Policy"
        self.assertIn(policy, text)
        page.write_text(text.replace(policy, "Nothing").replace("<body>", "<body><script>stolen()</script>"), encoding="utf-8")
        self.picture_of(page, "--time", "0", "--view", "structure", "--dark", browser=self.KEEPING.format(self.folder))
        shown = (self.folder / "shown.html").read_text(encoding="utf-8")
        self.assertNotIn("stolen", shown)
        self.assertIn(policy, shown)
        self.assertEqual(page_of(self.folder / "shown.html"), page_of(page))
        address = (self.folder / "address").read_text(encoding="utf-8")
        self.assertTrue(address.rstrip().endswith("#theme=dark&t=0&view=structure"), address)

    def test_pages_nested_without_end_are_no_reports(self):
        for opened, closed in (("[", "]"), ('{"a":', "}")):
            page = self.folder / "deep.html"
            page.write_text('<!doctype html>\n<script type="application/json" id="report-data">{"format":1,"title":"deep","notes":'
                            + 100_000 * opened + "1" + 100_000 * closed + "}</script>", encoding="utf-8")
            done = self.picture_of(page, browser="exit 1")
            self.assertEqual(done.returncode, 2, done.stderr[:200])
            self.assertIn("this page is not a report", done.stderr)

    def test_wrong_words_about_pictures(self):
        page = self.made_page()
        other = self.folder / "other.html"
        other.write_text('<!doctype html>\n<script type="application/json" id="report-data">{"format":7}</script>', encoding="utf-8")
        for words, sentence in (((page, "--view", "charts"), "the report has no such view [--view]: expected 'motion', 'structure' or 'numbers'"),
                                ((page, "--view", "graph"), "no such view [--view]: expected 'motion', 'structure', 'tyres', 'charts' or 'numbers'"),
                                ((page, "--title", "another"), "an existing report can only be turned into pictures"),
                                ((page, str(TESTBED)), "an existing report can only be turned into pictures"),
                                ((other,), "this page is not a report")):
            done = self.picture_of(*words, browser="exit 1")
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(sentence, done.stderr)
        self.assertFalse((self.folder / "picture.png").exists())

    def test_stopped_it_leaves_nothing_behind(self):
        page, browser, temporary = self.made_page(), self.folder / "browser", self.folder / "tmp"
        browser.write_text(f"#!/bin/sh\necho $$ > {self.folder}/pid\nexec sleep 60\n", encoding="utf-8")
        browser.chmod(0o755)
        temporary.mkdir()
        run = subprocess.Popen([PROGRAM, "report", str(page), "--png", str(self.folder / "picture.png")], stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "CHROMIUM": str(browser), "TMPDIR": str(temporary)})
        pid = self.folder / "pid"
        for _ in range(200):
            if pid.exists() and pid.read_text(encoding="utf-8").strip():
                break
            time.sleep(0.05)
        run.send_signal(signal.SIGTERM)
        _, said = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        self.assertIn("the run was cut by SIGTERM [--png]", said)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("picture")], [])
        with self.assertRaises(ProcessLookupError):
            os.kill(int(pid.read_text(encoding="utf-8")), 0)

    @unittest.skipUnless(CHROMIUM, "needs Chromium")
    def test_the_first_view(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        done = self.call_with({"TMPDIR": str(temporary)}, "--size", "640x360", "--out", str(self.folder / "page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        data = (self.folder / "picture.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (640, 360))
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertTrue((self.folder / "page.html").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
