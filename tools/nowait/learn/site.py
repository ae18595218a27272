"""The course's site, of one checkout: looked through, written into a folder, or served."""

import dataclasses
import pathlib

from nowait.learn import serve, site_files, write


@dataclasses.dataclass(frozen=True)
class Site:
    """root: the checkout. gallery: the pages of ./nowait gallery; recordings: those of plays.py; check() does without."""

    root: pathlib.Path
    gallery: pathlib.Path | None = None
    recordings: pathlib.Path | None = None

    def files(self) -> dict[str, bytes]:
        """All files by name; a mistake in the course is a Complaint."""
        return site_files.build(self.root.absolute(), self.gallery, self.recordings)

    def check(self) -> str:
        """The words for a course without a mistake."""
        return f"{sum(name.endswith('.html') for name in self.files())} pages: nothing to complain of"

    def build(self, out: pathlib.Path) -> None:
        """Writes it."""
        write.check_target(out)
        write.write(self.files(), out)
        print(out / "index.html")

    def serve(self, port: int) -> None:
        """Until Ctrl-C."""
        try:
            serve.serve(*serve.open_port(port), self.root.absolute(), self.files)
        except KeyboardInterrupt:
            print()
            raise


def check_port(port: int) -> None:
    """A port that cannot be had is a Complaint before anything is made."""
    serve.open_port(port)[0].server_close()


def check_target(out: pathlib.Path) -> None:
    """A folder that may not be written is a Complaint, too."""
    write.check_target(out)
