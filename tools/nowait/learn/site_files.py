"""The whole site, as a dictionary from names of files to their contents."""

import concurrent.futures
import json
import pathlib
import re

import jinja2

from nowait.learn import course as courses, markdown, plays, references, sources, tools
from nowait.learn.complaint import Complaint

MARK = ".nowait-course"  # in a folder: it was written by this program, which may replace it
MADE = ("counterexamples/", "recordings/")  # pages that are not of the course's making
_KATEX = pathlib.Path("/usr/share/javascript/katex/katex.min.css")
_FONTS = pathlib.Path("/usr/share/fonts/truetype/katex")
_LUNR = pathlib.Path("/usr/share/javascript/lunr/lunr.min.js")
_PAGE = tools.HERE / "page"


def _defects(root):
    """Number and name of each page of the gallery: (name, title)."""
    table = courses.read_toml(root, "models/gallery/defects.toml")
    named = {}
    for defect in table.get("defect", []):
        named[defect["number"]] = named[defect["page"]] = (defect["page"], defect["title"])
    return named


def build(root, gallery, recordings):
    """gallery: the folder of the counterexamples' pages, or `None`: they are not looked for. recordings: likewise."""
    tools.check_all()
    course = courses.read(root)
    references.check_bibliography(root)
    glossary = references.Glossary(root)
    reader = markdown.Reader(root, course, glossary, _defects(root), plays.read(root))
    exercises = [exercise for lecture in course.written for exercise in lecture.exercises]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        texts = dict(zip((lecture.folder for lecture in course.written),
                         pool.map(lambda lecture: _lecture(reader, lecture), course.written)))
        tasks = dict(zip((exercise.name for exercise in exercises),
                         pool.map(lambda exercise: reader.page(exercise.task).html, exercises)))
    teacher = reader.page("lectures/teacher.md") if (root / "lectures/teacher.md").is_file() else None

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(tools.HERE / "templates"), autoescape=True,
                                     undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    files = {MARK: "Written by ./nowait learn, which may replace this folder.\n"}

    def page(name, template, **values):
        up = "../" * name.count("/")
        scripts = ["site.js", *values.pop("scripts", [])]
        files[name] = environment.get_template(template).render(
            up=up, course=course, scripts=scripts, has_teacher=teacher is not None, **values)

    for i, lecture in enumerate(course.written):
        text = texts[lecture.folder]
        scripts = []
        if text.modules:
            scripts = [f"figures/{lecture.folder}.js"]
            files[scripts[0]] = _figures(root, text.modules)
        page(lecture.page, "lecture.html", lecture=lecture, text=text, tasks=tasks, title=lecture.title,
             scripts=scripts, needs=[course.named(folder) for folder in lecture.needs],
             before=course.written[i - 1] if i else None,
             after=course.written[i + 1] if i + 1 < len(course.written) else None)
    page("index.html", "index.html", title="Threads that do not wait")
    page("glossary.html", "glossary.html", title="Glossary", entries=glossary.pages())
    page("bibliography.html", "bibliography.html", title="Bibliography", body=references.bibliography(root))
    if teacher:
        page("teacher.html", "plain.html", title=teacher.title or "For teachers", body=teacher.html)
    for path in sorted(reader.named):
        page(f"source/{path}.html", "source.html", title=path, lines=sources.lines(root, path))
    for name, path in sorted(reader.drawings.items()):
        files[name] = (root / path).read_text(encoding="utf-8")
    for name in sorted({name for text in texts.values() for name in text.counterexamples}):
        if gallery:
            files[f"counterexamples/{name}.html"] = _made(gallery, name, "./nowait gallery")
    for name in sorted({name for text in texts.values() for name in text.recordings}):
        if recordings:
            files[f"recordings/{name}.html"] = _made(recordings, name, "./nowait learn")
    files["search.js"] = _search(course, texts, glossary)
    files["site.js"] = tools.bundle('import "./site.js";', _PAGE, "tools/nowait/learn/page")
    files["site.css"] = (_PAGE / "site.css").read_text()
    files["lunr.js"] = _LUNR.read_text()
    # Browsers that have no WOFF2 are older than the rest of what is used here.
    files["katex/katex.css"] = re.sub(r',url\([^)]*\.(woff|ttf)\) format\("\w+"\)', "", _KATEX.read_text())
    for font in re.findall(r"url\(fonts/([^)]*\.woff2)\)", files["katex/katex.css"]):
        files[f"katex/fonts/{font}"] = (_FONTS / font).read_bytes()
    _check_links(files, [folder for folder, made in (("counterexamples/", gallery), ("recordings/", recordings)) if not made])
    return files


def _lecture(reader, lecture):
    path = f"lectures/{lecture.folder}/lecture.md"
    text = reader.lecture(path)
    if text.title != lecture.title:
        raise Complaint(path, 2, f"the title is {text.title!r}, and in lectures/course.toml {lecture.title!r}")
    return text


def _figures(root, modules):
    """One script for the figures of a page."""
    entry = [f'import * as m{i} from "./{module}.js";' for i, module in enumerate(modules)]
    table = ", ".join(f'"{module}": m{i}' for i, module in enumerate(modules))
    entry += [f"const modules = {{{table}}};",
              'for (const figure of document.querySelectorAll("figure.living")) {',
              '  modules[figure.dataset.module].mount(figure.querySelector(".stage"), {...figure.dataset});',
              "}"]
    return tools.bundle("\n".join(entry), root / "lectures/figures", "lectures/figures")


def _made(folder, name, maker):
    path = folder / f"{name}.html"
    if not path.is_file():
        raise Complaint(path, 0, f"is missing; {maker} makes it")
    return path.read_text()


def _search(course, texts, glossary):
    """What can be found, for lunr: a script, because a page from disk may not fetch anything else."""
    entries = []
    for lecture in course.written:
        for identifier, title, words, code in texts[lecture.folder].sections:
            entries.append({"at": f"{lecture.page}#{identifier}", "title": title, "of": lecture.title,
                            "words": words.strip(), "code": " ".join(code)})
    for term, entry in sorted(glossary.entries.items()):
        entries.append({"at": f"glossary.html#{references.slug(term)}", "title": entry.name, "of": "Glossary",
                        "words": entry.words, "code": ""})
    return "window.nowaitSearch = " + json.dumps(entries, ensure_ascii=False, indent=0) + ";\n"


def _check_links(files, unmade):
    """Every address inside the site leads somewhere. unmade: folders whose pages are not looked for."""
    pages = {name: text for name, text in files.items()
             if name.endswith(".html") and not name.startswith(MADE)}
    anchors = {}
    for name, text in pages.items():
        found = re.findall(r'\sid="([^"]*)"', text)
        twice = sorted({identifier for identifier in found if found.count(identifier) > 1}) if len(found) < 2000 else []
        if twice:
            raise Complaint(name, 0, f"the anchor {twice[0]!r} is there twice")
        anchors[name] = set(found)
    for name, text in pages.items():
        for address in re.findall(r'\s(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:", address):
                continue
            path, _, anchor = address.partition("#")
            target = _resolve(name, path) if path else name
            if target.startswith(tuple(unmade)):
                continue
            if target not in files:
                raise Complaint(name, 0, f"a link leads to {address}, which is not there")
            if anchor and target in anchors and anchor not in anchors[target]:
                raise Complaint(name, 0, f"a link leads to {address}, which has no such anchor")


def _resolve(page, path):
    parts = page.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
