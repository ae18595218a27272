"""A text of the course: from pandoc's Markdown to HTML, with all that lectures/README.md allows in it."""

import dataclasses
import html
import re

from nowait.learn import cut, highlight, references, tools, tree
from nowait.learn.complaint import Complaint, line_of
from nowait.record import marks

PARTS = ["The problem", "The idea", "The code", "The proof", "What the authors did", "Further reading", "Exercises"]
_FORMAT = "markdown-implicit_figures"
# The tags at home in a division or a span of ours; anything else is a mistake in writing.
# Of a recording's page: in which frame it stands, what it shows, and what its bodies are coloured by (src/live/page/main.js).
_ASKED = {"frame": r"\d{1,9}", "show": r"(tree|links)(,(tree|links))*", "colour": r"[a-z]+"}
_DIVISIONS = {"slide", "figure", "counterexample", "drawing", "recording"}


@dataclasses.dataclass
class Text:
    title: str
    able: list         # HTML
    html: str
    contents: list     # (level, id, HTML)
    modules: list      # living figures
    counterexamples: list  # names of pages
    recordings: list  # likewise
    sections: list     # for the search: [id, title, words, names in the code]


class Reader:
    """What all texts share, and which files of the repository they name."""

    def __init__(self, root, course, glossary, defects, recordings):
        self.pages = {lecture.folder: lecture.page if lecture.written else None for lecture in course.lectures}
        self.root, self.glossary, self.defects, self.recordings = root, glossary, defects, recordings
        self.top = {path.name for path in root.iterdir() if not path.name.startswith("bazel-")}
        self.named = set()
        self.drawings = {}  # pictures of the repository: the name on the site, and the path

    def lecture(self, path):
        return _Document(self, path, True).read()

    def page(self, path):
        """A text without the parts of a lecture: the teacher's page, a task."""
        return _Document(self, path, False).read()

    def source(self, path):
        """The address of a file's page."""
        self.named.add(path)
        return f"source/{path}.html"


class _Document:
    def __init__(self, reader, path, lecture):
        self.reader, self.path, self.is_lecture = reader, str(path), lecture
        try:
            self.text = (reader.root / path).read_text()
        except UnicodeDecodeError:
            raise Complaint(path, 0, "is not UTF-8") from None
        self.modules, self.counterexamples, self.recordings, self.diagrams = [], [], [], 0

    def fail(self, line, what):
        raise Complaint(self.path, line, what)

    def read(self):
        text = _with_lines(marks.removed(self.text))
        document = references.read(self.reader.root, text, ("-f", _FORMAT), self.path)
        self.api = document["pandoc-api-version"]
        meta = document["meta"]
        title = tree.words(meta.get("title", {}).get("c", [])).strip()
        self.formulas = tools.formulas(tuple((tex, kind["t"] == "DisplayMath")
                                             for kind, tex in tree.all_of([document["blocks"], meta], "Math")))
        able = []
        if self.is_lecture:
            self.check_head(meta, title)
            able = [[{"t": "Plain", "c": self.change(item["c"])}] if item["t"] == "MetaInlines"
                    else self.change(item["c"]) for item in meta["able"]["c"]]
            self.check_parts(document["blocks"])
        blocks = self.change(tree.keep_together(document["blocks"]))
        headings, sections = _survey(blocks)
        units = _units(blocks) if self.is_lecture else blocks
        made = tools.to_html(self.api, [units, *able, *([{"t": "Plain", "c": words}] for _, _, words in headings)],
                             self.path)
        able, words = made[1:len(able) + 1], made[len(able) + 1:]
        contents = [(level, identifier, html) for (level, identifier, _), html in zip(headings, words)]
        return Text(title, able, made[0], contents, sorted(set(self.modules)), self.counterexamples, self.recordings,
                    sections)

    def check_head(self, meta, title):
        if not title:
            self.fail(1, "the head has no title")
        able = meta.get("able", {})
        if able.get("t") != "MetaList" or not able["c"]:
            self.fail(1, "the head has no list `able`")
        for item in able["c"]:
            if item["t"] not in ("MetaInlines", "MetaBlocks"):
                self.fail(line_of(self.text, "able:"), "an item of `able` is not a text; has it a colon?")

    def check_parts(self, blocks):
        parts = [tree.words(block["c"][2]).strip() for block in blocks if block["t"] == "Header" and block["c"][0] == 2]
        for i, part in enumerate(parts):
            if i >= len(PARTS) or part != PARTS[i]:
                wanted = PARTS[i] if i < len(PARTS) else "nothing"
                self.fail(line_of(self.text, f"## {part}"), f"here stands the part {part!r}; it should be {wanted!r}")
        if len(parts) < len(PARTS):
            self.fail(self.text.count("\n"), f"the part {PARTS[len(parts)]!r} is missing")
        if blocks[0]["t"] != "Header":
            self.fail(line_of(self.text, "\n---\n") + 1, "a lecture begins with its first part")

    # Blocks and inlines, one after another.

    def change(self, blocks):
        return tree.walk(blocks, self.element)

    def element(self, element):
        change = getattr(self, "on_" + element["t"], None)
        return change(element["c"]) if change and "c" in element else None

    def on_CodeBlock(self, content):
        (identifier, classes, pairs), text = content
        attributes = dict(pairs)
        line = attributes.get("line", 0)
        if "cut" in attributes:
            return [tree.html_block(self.cut(attributes, classes, text, line))]
        language = classes[0] if classes else ""
        if language == "dot":
            return [tree.html_block(self.diagram(attributes, text, line))]
        if language == "console":
            return [tree.html_block(f'<pre class="console" tabindex="0"><code>{highlight.console(text)}</code></pre>')]
        shown = highlight.block(text, language) if language else html.escape(text)
        return [tree.html_block(f'<pre class="code" tabindex="0"><code>{shown}</code></pre>')]

    def cut(self, attributes, classes, text, line):
        unknown = set(attributes) - {"cut", "from", "to", "comments", "line"}
        if unknown:
            self.fail(line, f"a cut knows no {sorted(unknown)[0]!r}")
        if "from" not in attributes:
            self.fail(line, "a cut wants from=\"...\"")
        if text.strip():
            self.fail(line, "a cut is an empty block: the text comes from the file")
        self.guard(attributes["cut"], line)
        found = cut.find(self.reader.root, self.path, line, attributes["cut"], attributes["from"],
                         attributes.get("to"), attributes.get("comments", "yes") != "no")
        address = f"{self.reader.source(found.path)}#L{found.first}"
        shown = highlight.block(found.text, classes[0] if classes else "text")
        return (f'<figure class="cut"><pre class="code" tabindex="0"><code>{shown}</code></pre>'
                f'<figcaption><a href="{address}">{found.path}, lines {found.first}–{found.last}</a></figcaption></figure>')

    def guard(self, path, line):
        """Solutions are out of a reader's sight, and so is everything outside the repository."""
        if path.endswith("solution.patch") or ".." in path.split("/") or path.startswith("/"):
            self.fail(line, f"{path} is not for reading here")

    def diagram(self, attributes, text, line):
        self.diagrams += 1
        svg = tools.dot(text, self.path, line)
        svg = svg[svg.index("<svg"):]
        svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.S)
        svg = re.sub(r"<title>.*?</title>\n?", "", svg, flags=re.S)
        svg = re.sub(r' (id)="([^"]*)"', rf' \1="d{self.diagrams}-\2"', svg)
        svg = re.sub(r' (fill|stroke)="black"', "", svg)
        labels = ", ".join(dict.fromkeys(re.findall(r"<text[^>]*>([^<]*)</text>", svg)))
        svg = svg.replace("<svg", f'<svg role="img" aria-label="Diagram: {labels}"', 1)
        caption = attributes.get("caption")
        below = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
        return f'<figure class="diagram"><div class="wide" tabindex="0">{svg}</div>{below}</figure>'

    def on_Div(self, content):
        (identifier, classes, pairs), blocks = content
        attributes = dict(pairs)
        line = attributes.pop("line", 0)
        kinds = [name for name in classes if name in _DIVISIONS]
        if len(kinds) != 1:
            self.fail(line, f"unknown division {' '.join(classes) or identifier!r}; there are: {', '.join(sorted(_DIVISIONS))}")
        inner = self.change(blocks)
        if kinds[0] == "slide":
            return [tree.html_block('<div class="slide">'), *inner, tree.html_block("</div>")]
        if kinds[0] == "figure":
            return self.living(attributes, inner, line)
        if kinds[0] == "drawing":
            return self.drawing(attributes, inner, line)
        if kinds[0] == "recording":
            return self.recording(attributes, inner, line)
        return self.counterexample(attributes, inner, line)

    def living(self, attributes, caption, line):
        module = attributes.get("module")
        if not module:
            self.fail(line, 'a figure wants module="NAME"')
        if not re.fullmatch(r"[a-z0-9-]+", module) or not (self.reader.root / f"lectures/figures/{module}.js").is_file():
            self.fail(line, f"there is no figure lectures/figures/{module}.js")
        self.modules.append(module)
        data = " ".join(f'data-{name}="{html.escape(value, quote=True)}"' for name, value in attributes.items())
        return [tree.html_block(f'<figure class="living" {data}><div class="stage"></div><figcaption>'), *caption,
                tree.html_block("</figcaption></figure>")]

    def drawing(self, attributes, caption, line):
        path, shows = attributes.get("file", ""), attributes.get("shows", "")
        self.guard(path, line)
        if not path.endswith(".svg") or not (self.reader.root / path).is_file():
            self.fail(line, f"there is no drawing {path!r}")
        if not shows:
            self.fail(line, 'a drawing wants shows="...", words for a reader without the picture')
        name = f"drawings/{path.replace('/', '-')}"
        self.reader.drawings[name] = path
        return [tree.html_block(f'<figure class="drawing"><div class="wide" tabindex="0"><img src="{name}" '
                                f'alt="{html.escape(shows, quote=True)}"></div><figcaption>'), *caption,
                tree.html_block("</figcaption></figure>")]

    def recording(self, attributes, caption, line):
        name = attributes.pop("of", "")
        recorded = self.reader.recordings.get(name)
        if recorded is None:
            self.fail(line, f"lectures/recordings.toml has no {name!r}")
        unknown = set(attributes) - set(_ASKED)
        if unknown:
            self.fail(line, f"a recording knows no {sorted(unknown)[0]!r}")
        for asked, value in attributes.items():
            if not re.fullmatch(_ASKED[asked], value):
                self.fail(line, f"a recording cannot have {asked}={value!r}")
        self.recordings.append(name)
        hash_ = "&".join(f"{asked}={attributes[asked]}" for asked in _ASKED if asked in attributes)
        address = html.escape(f"recordings/{name}.html" + (f"#{hash_}" if hash_ else ""), quote=True)
        title = html.escape(recorded.title, quote=True)
        return [tree.html_block(f'<figure class="recording"><iframe src="{address}" loading="lazy" '
                                f'title="Recording: {title}"></iframe><figcaption>'), *caption,
                tree.html_block(f'<p><a href="{address}">{title}: the whole page</a></p></figcaption></figure>')]

    def counterexample(self, attributes, caption, line):
        name = attributes.get("defect", "")
        page = self.reader.defects.get(name)
        if page is None:
            self.fail(line, f"models/gallery/defects.toml has no {name!r}")
        self.counterexamples.append(page[0])
        address, title = f"counterexamples/{page[0]}.html", html.escape(page[1], quote=True)
        return [tree.html_block(f'<figure class="counterexample"><iframe src="{address}" loading="lazy" '
                                f'title="Counterexample: {title}"></iframe><figcaption>'), *caption,
                tree.html_block(f'<p><a href="{address}">{title}: the whole page</a></p></figcaption></figure>')]

    def on_Table(self, content):
        inner = tree.walk(content, self.element)
        return [tree.html_block('<div class="wide table" tabindex="0">'), {"t": "Table", "c": inner},
                tree.html_block("</div>")]

    def on_Span(self, content):
        (_, classes, pairs), shown = content
        if "term" not in classes:
            return None
        attributes = dict(pairs)
        term = attributes.get("of", tree.words(shown)).strip().lower()
        if term not in self.reader.glossary.entries:
            self.fail(attributes.get("line", 0), f"{references.GLOSSARY} has no {term!r}")
        return [self.reader.glossary.link(self.change(shown), term)]

    def on_Code(self, content):
        path = content[1]
        first = path.split("/")[0]
        if not re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?", path) or first not in self.reader.top or first == "out":
            return None
        there = self.reader.root / path
        if not there.exists():
            if re.search("[A-Z]{2}", path):  # NAME.js, exercise/NAME: something for the reader to put in
                return None
            self.fail(line_of(self.text, f"`{path}`"), f"there is no {path}")
        if not there.is_file():
            return None
        self.guard(path, line_of(self.text, f"`{path}`"))
        link = [{"t": "Code", "c": [["", [], []], path]}]
        return [{"t": "Link", "c": [["", ["file"], []], link, [self.reader.source(path), ""]]}]

    def on_Link(self, content):
        target = content[2][0]
        if cited := references.cited(content):
            return cited
        lecture = re.fullmatch(r"\.\./([\w-]+)/lecture\.md(#.*)?", target)
        if not lecture:
            return None
        if lecture[1] not in self.reader.pages:
            self.fail(line_of(self.text, target), f"lectures/course.toml has no {lecture[1]}")
        page, shown = self.reader.pages[lecture[1]], self.change(content[1])
        return [{"t": "Link", "c": [content[0], shown, [page + (lecture[2] or ""), ""]]}] if page else shown

    def on_Math(self, content):
        display = content[0]["t"] == "DisplayMath"
        shown, wrong = self.formulas[content[1], display]
        if wrong:
            self.fail(line_of(self.text, content[1]), wrong)
        return [tree.html_inline(f'<span class="math" tabindex="0">{shown}</span>' if display else shown)]

    def on_RawBlock(self, content):
        self.fail(line_of(self.text, content[1].strip()[:30]), f"{content[0]} in the text")

    on_RawInline = on_RawBlock


def _names(shown):
    """What code is made of, without the words that all code has."""
    words = re.findall(r"[A-Za-z_]\w{2,}", html.unescape(re.sub(r"<[^>]*>", "", shown)))
    return {word for word in words if re.search(r"[A-Z_]", word)}


def _survey(blocks):
    """The headings, and for the search the words below each."""
    headings, sections = [], []
    for block in blocks:
        if block["t"] == "Header":
            level, (identifier, _, _), inlines = block["c"]
            headings.append((level, identifier, inlines))
            sections.append([identifier, tree.words(inlines).strip(), "", []])
        elif not sections:
            continue
        elif block["t"] == "RawBlock" and block["c"][1].startswith(('<figure class="cut"', "<pre ")):
            sections[-1][3] = sorted({*sections[-1][3], *_names(block["c"][1])})
        else:
            sections[-1][2] += " " + " ".join(tree.words(block).split())
    return headings, sections


def _with_lines(text):
    """Blocks, divisions and terms with the number of their line: pandoc's document has no places."""
    out, fence, head = [], None, text.startswith("---\n")
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"(`{3,})(.*)$", line)
        if head:
            head = number == 1 or line not in ("---", "...")
        elif fence:
            if mark and len(mark[1]) >= len(fence) and not mark[2].strip():
                fence = None
        elif mark:
            fence, language = mark[1], mark[2].strip()
            if language.startswith("{"):
                line = re.sub(r"\}\s*$", f' line="{number}"}}', line)
            elif language:
                line = f'{fence} {{.{language} line="{number}"}}'
        elif re.match(r":{3,}\s*\S", line):
            if "{" in line:
                line = re.sub(r"\}\s*:*\s*$", f' line="{number}"}}', line)
            else:
                line = re.sub(r"^(:+)\s*(\S+).*$", rf'\1 {{.\2 line="{number}"}}', line)
        else:
            line = re.sub(r"\{\.term\b", f'{{.term line="{number}"', line)
        out.append(line)
    return "\n".join(out)


def _units(blocks):
    """Each heading with what is below it is a section: a slide, in the one mode."""
    out, open_ = [], False
    for block in blocks:
        if block["t"] == "Header":
            if open_:
                out.append(tree.html_block("</section>"))
            out.append(tree.html_block('<section class="unit">'))
            open_ = True
        out.append(block)
    return out + [tree.html_block("</section>")]
