"""A headless Chromium that opens counterexamples, and the common part of all tests of the page."""

import atexit
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

# Where the program was started: among the runfiles, with the built files. This file is a link
# there.
HERE = pathlib.Path(sys.argv[0]).absolute().parent
# In a sandbox of Bazel's there is no home that could be written to, and no user namespace left.
_FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
          "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--window-size=1400,1000"]


@functools.cache
def _start(flags):
    """One Chromium, and a folder, for all tests of a program."""
    # Not TEST_TMPDIR: the paths of Chromium's sockets may have 107 characters.
    folder = tempfile.TemporaryDirectory(dir="/tmp", prefix="page")
    atexit.register(folder.cleanup)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"):
        os.environ[name] = folder.name
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for flag in _FLAGS + list(flags):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={folder.name}/profile")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    atexit.register(driver.quit)
    return driver, folder


class Browser(unittest.TestCase):
    """Each test ends with a look at the console. flags: more of them for Chromium. harmless: words of complaints
    that say nothing about the page."""

    flags = ()
    harmless = ()

    @classmethod
    def setUpClass(cls):
        cls.driver, cls.folder = _start(cls.flags)

    def tearDown(self):
        complaints = [entry["message"] for entry in self.driver.get_log("browser")
                      if entry["level"] in ("SEVERE", "WARNING")
                      and not any(words in entry["message"] for words in self.harmless)]
        self.assertEqual(complaints, [], "the console")

    def page(self, record, story="", name="page"):
        """The page of a record (as text), in a file."""
        html = subprocess.run([HERE / "make_page", story], input=record.encode(), capture_output=True, check=True)
        path = pathlib.Path(self.folder.name) / f"{name}.html"
        path.write_bytes(html.stdout)
        return path

    def visit(self, page, hash_=""):
        """Loads a file, by way of another one: between two addresses that differ behind the # nothing is loaded."""
        self.driver.get("about:blank")
        self.driver.get(page.as_uri() + hash_)

    def open(self, record, hash_="", story=""):
        self.visit(self.page(record, story), hash_)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = self.all(selector)
        self.assertEqual(len(found), 1, f"{selector}: {len(found)} of them")
        return found[0]

    def shown(self, selector):
        return [element for element in self.all(selector) if element.is_displayed()]

    def text(self, selector):
        return self.one(selector).text

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def until(self, holds):
        """What the browser does in its own time: a new address that a script has set, the player's timer."""
        WebDriverWait(self.driver, 60, poll_frequency=0.02).until(lambda _: holds())

    def run_script(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def hash(self):
        return self.run_script("return location.hash")

    def current(self):
        """The number of the step that is marked in the lanes."""
        return int(self.one("[aria-current=step]").get_attribute("data-step"))


def sample(name):
    return (HERE / "testdata" / f"{name}.json").read_text()
