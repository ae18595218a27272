"""A browser that waits for the parts that a page of the course needs."""

from browser import Browser

# A colour is only there with the style.
_THERE = """
return document.readyState === "complete" && getComputedStyle(document.documentElement).getPropertyValue("--ink") !== ""
"""


class SiteBrowser(Browser):
    flags = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")  # of recordings
    harmless = ("GPU stall due to ReadPixels",)  # likewise

    def visit(self, page, hash_=""):
        if hash_:
            super().visit(page, hash_)
        else:
            self.driver.get(page.as_uri())
        # On a busy machine get() was seen to come back while the page had no style yet.
        self.until(lambda: self.run_script(_THERE))
