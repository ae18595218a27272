"""The glossary's terms and the bibliography's keys."""

import dataclasses
import html
import json
import re

from nowait.learn import tools, tree
from nowait.learn.complaint import Complaint, line_of

GLOSSARY, BIBLIOGRAPHY = "lectures/glossary.md", "lectures/bibliography.bib"


def read(root, text, arguments, path):
    """Pandoc's document of a text, with the names of cited authors; the bibliography is a page of its own."""
    if "@" in text:
        arguments += ("--citeproc", "--bibliography", str(root / BIBLIOGRAPHY), "--metadata", "link-citations=true",
                      "--metadata", "suppress-bibliography=true")
    out, said = tools.pandoc_says(text, (*arguments, "-t", "json"), path)
    unknown = re.search(r"citation (\S+) not found", said)
    if unknown:
        raise Complaint(path, line_of(text, "@" + unknown[1]), f"{BIBLIOGRAPHY} has no {unknown[1]!r}")
    if said:
        raise Complaint(path, 1, f"pandoc: {said}")
    return json.loads(out)


def cited(link):
    """In place of a link to an entry of the bibliography, from its contents: one to that page. Of others, None."""
    attributes, shown, (target, title) = link
    if not target.startswith("#ref-"):
        return None
    return [{"t": "Link", "c": [attributes, shown, ["bibliography.html" + target, title]]}]


def slug(term):
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")


@dataclasses.dataclass
class Entry:
    name: str     # as it is written
    words: str    # the explanation as text
    blocks: list


class Glossary:
    """Entries by their terms in lower case."""

    def __init__(self, root):
        self.entries = {}
        try:
            text = (root / GLOSSARY).read_text()
        except FileNotFoundError:
            raise Complaint(GLOSSARY, 0, "is missing") from None
        document = read(root, text, ("-f", "markdown"), GLOSSARY)
        for block in document["blocks"]:
            if block["t"] == "Header":
                continue
            if block["t"] != "DefinitionList":
                shown = tree.words(block).strip()[:40]
                raise Complaint(GLOSSARY, line_of(text, shown[:20]), f"this is no entry: {shown!r}")
            for name, meanings in block["c"]:
                term = tree.words(name).strip()
                line = line_of("\n" + text, f"\n{term}\n")
                if term.lower() in self.entries:
                    raise Complaint(GLOSSARY, line, f"{term!r} is there twice")
                blocks = tree.walk([block for meaning in meanings for block in meaning],
                                   lambda element: cited(element["c"]) if element["t"] == "Link" else None)
                self.entries[term.lower()] = Entry(term, " ".join(tree.words(blocks).split()), blocks)
        self.api = document["pandoc-api-version"]

    def link(self, shown, term):
        text = html.escape(self.entries[term].words, quote=True)
        return {"t": "Link", "c": [["", ["term"], []], shown, [f"glossary.html#{slug(term)}", text]]}

    def pages(self):
        """(term, anchor, HTML), sorted."""
        entries = sorted(self.entries.items())
        meanings = tools.to_html(self.api, [entry.blocks for _, entry in entries], GLOSSARY)
        return [(entry.name, slug(term), meaning) for (term, entry), meaning in zip(entries, meanings)]


def check_bibliography(root):
    """It is there, and no key is twice."""
    path = root / BIBLIOGRAPHY
    if not path.is_file():
        raise Complaint(BIBLIOGRAPHY, 0, "is missing")
    text = path.read_text()
    keys = re.findall(r"^@\w+\{\s*([^,\s]+)\s*,", text, re.M)
    for key in keys:
        if keys.count(key) > 1:
            raise Complaint(BIBLIOGRAPHY, line_of(text, "{" + key + ","), f"{key!r} is there twice")


def bibliography(root):
    """All entries, as HTML."""
    entry = "---\nnocite: '@*'\n---\n"
    return tools.pandoc(entry, ("-f", "markdown", "-t", "html5", "--citeproc", "--bibliography",
                                str(root / BIBLIOGRAPHY), "--metadata", "link-bibliography=true"), BIBLIOGRAPHY)
