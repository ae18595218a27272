"""The glossary's terms and the bibliography's keys."""

import html
import json
import re

import tools
import tree
from complaint import Complaint, line_of

GLOSSARY, BIBLIOGRAPHY = "lectures/glossary.md", "lectures/bibliography.bib"


def slug(term):
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")


class Glossary:
    """Terms in lower case, each with its explanation as text and as HTML."""

    def __init__(self, root):
        self.entries = {}
        try:
            text = (root / GLOSSARY).read_text()
        except FileNotFoundError:
            raise Complaint(GLOSSARY, 0, "is missing") from None
        document = json.loads(tools.pandoc(text, ("-f", "markdown", "-t", "json"), GLOSSARY))
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
                blocks = [block for meaning in meanings for block in meaning]
                self.entries[term.lower()] = (" ".join(tree.words(blocks).split()), blocks)
        self.api = document["pandoc-api-version"]

    def link(self, shown, term):
        text = html.escape(self.entries[term][0], quote=True)
        return {"t": "Link", "c": [["", ["term"], []], shown, [f"glossary.html#{slug(term)}", text]]}

    def pages(self):
        """(term, anchor, HTML), sorted."""
        entries = sorted(self.entries.items())
        meanings = tools.to_html(self.api, [blocks for _, (_, blocks) in entries], GLOSSARY)
        return [(term, slug(term), meaning) for (term, _), meaning in zip(entries, meanings)]


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
