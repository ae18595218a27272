"""Wording that does not come back. Each check yields lines of complaint.

Read are comments, string literals of several words, and the prose of Markdown, TOML and patches. Code is not
read. A finding that is right as it stands is in english_exceptions.toml, with its reason.
"""

import io
import pathlib
import re
import tokenize
import tomllib

FOLDERS = ["check", "src", "models", "tests", "tools", "third_party", "lectures", "docs", "assets"]
CODE = {".h", ".cc", ".patch"}
HASHES = {".py", ".bzl", ".sh", ".toml", ""}
EXCEPTIONS = "tests/layout/english_exceptions.toml"
# Files that hold the wording that is refused.
SAMPLES = ("tests/layout/english.py", "tests/layout/english_test.py", EXCEPTIONS)

# Persons: a clause with "who" follows one of them at once.
PERSONS = (
    r"(?:readers?|students?|teachers?|lecturers?|engineers?|developers?|programmers?|authors?|designers?|people|persons?|"
    r"maintainers?|users?|colleagues?|founders?|newcomers?|learners?|anyone|anybody|somebody|someone|everyone|everybody|"
    r"nobody|no one)"
)
# (what is written, what to write instead)
PATTERNS = [
    (r"\b(?:[Ww]hoever|[Ww]homever|whom)\b", "name the thread or the caller"),
    (r"\b[Ww]ho\b", "a thread is 'which' or 'that'; 'who' follows a person"),
    (r"\b(?:he|him|himself|she|hers?)\b", "a thread is 'it'"),
    (r"\bhis\b", "a thread's is 'its'"),
    (r"(?:^|[.!?:;]\s+)What\b[^?.!:;]*[.!:;]", "begin with the noun"),
    (r"\b(?:hang|hangs|hung|hanging)\s+(?:up|in|on|onto)\b", "link, attach"),
    (r"\b(?:tell|tells|told|telling)\s+(?:the|a|an|all|each|every|its|other|others|that|them|it)\b"
     r"(?!\s+(?:reader|student|truth|time|story))", "notify, report, publish"),
    (r"\b(?:is|are|was|were|be|been|being)\s+told\b(?! apart)", "is notified, is informed"),
    (r"\bfor no reason\b", "spuriously, without cause"),
    (r"\b(?:is|are|was|were|has|have|had|leaves?|finds?|sees?|needs?|gets?|makes?|takes?)\s+none\b(?!\s+of)",
     "'there is no ...', 'has no ...'"),
    (r"(?:\bor|\bif not|,) none\b(?!\s+of)", "'or no ...'"),
    (r"(?:^|[.!?:;]\s+)None\b(?!\s+of\b)", "name the thing that does not exist"),
    (r"\b(?:is|are|was|were|stays?|stayed|remains?|does|do|did)\s+so\b(?=\s*(?:[.,;:!?)]|$))", "say the thing again"),
    (r"(?:^|[.!?;:]\s+)(?:Or|or)\s+else\b", "otherwise"),
    (r"\bor else\b", "otherwise"),
    (r"(?:^|[;,.]\s+)[Ee]lse,?\s+\w", "otherwise"),
    (r"\ball the same\b(?=\s*[.,;:)])", "nevertheless"),
    (r"\bwhat not\b", "say it"),
]
COMPILED = [(re.compile(pattern), instead) for pattern, instead in PATTERNS]
WHO = COMPILED[1][0]
BEFORE_WHO = re.compile(rf"(?:\b{PERSONS}|\bthose of (?:you|us))[*_,)]*\s+(?:or\s+)?$", re.IGNORECASE)
QUOTED = re.compile(r"\{%.*?%\}|`[^`]*`|\"\"|https?://\S+|\[[a-z]+\d{4}[a-z]?\]")


def words(text):
    """The prose of a line of text: without code in backquotes, a template's statements and addresses."""
    return QUOTED.sub(lambda found: "x" * min(1, len(found[0])), text)


def of_cplusplus(text):
    """(line, prose) of comments and of string literals of three words and more."""
    number = 1
    pattern = re.compile(
        r'R"(?P<d>[^(\s]*)\((?P<raw>.*?)\)(?P=d)"|"(?P<string>(?:[^"\\\n]|\\.)*)"|'
        r"'(?:[^'\\\n]|\\.)+'|//(?P<comment>[^\n]*)|/\*(?P<block>.*?)\*/",
        re.DOTALL,
    )
    at = 0
    for found in pattern.finditer(text):
        number += text.count("\n", at, found.start())
        at = found.start()
        for group in ("comment", "block", "string", "raw"):
            piece = found[group]
            if piece is None:
                continue
            if group in ("string", "raw") and len(piece.split()) < 3:
                continue
            for offset, line in enumerate(piece.split("\n")):
                yield number + offset, line, group == "comment" or group == "block"


def of_patch(text):
    """The same of what a patch adds; what it leaves is read in the source itself."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("+") and not line.startswith("+++"):
            for _, prose, comment in of_cplusplus(line[1:]):
                yield number, prose, comment
        elif not line.startswith((" ", "-", "@", "+", "\\")):
            yield number, line, True


def of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#!"), True
        elif token.type == tokenize.STRING and len(token.string.split()) > 2:
            for offset, line in enumerate(token.string.split("\n")):
                yield token.start[0] + offset, line, token.string.endswith('"""')


def of_hashes(text):
    for number, line in enumerate(text.split("\n"), 1):
        if found := re.search(r"(?:^|\s)#+\s(.*)$", line):
            yield number, found[1], True
        for found in re.finditer(r'"((?:[^"\\]|\\.)*)"', line.split(" # ")[0]):
            if len(found[1].split()) > 2:
                yield number, found[1], False


def of_markdown(text):
    fence = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fence = not fence
        elif not fence:
            yield number, line, True


def prose_of(path, text):
    if path.suffix in {".h", ".cc", ".js", ".css"}:
        return of_cplusplus(text)
    if path.suffix == ".patch":
        return of_patch(text)
    if path.suffix == ".py":
        return of_python(text)
    if path.suffix == ".md":
        return of_markdown(text)
    return of_hashes(text)


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cc", ".py", ".bzl", ".sh", ".toml", ".md", ".patch"} or path.name == "BUILD":
                if "__pycache__" not in path.parts and path.is_file():
                    yield path
    for name in ("README.md", "CONTRIBUTING.md", "BUILD", "WORKSPACE", "nowait"):
        if (root / name).is_file():
            yield root / name


def paragraphs(lines):
    """Joins lines of comments that follow each other: a clause goes on in the next line."""
    joined, places, last = "", [], None
    for number, prose, running in lines:
        text = words(prose).strip()
        if running and last is not None and number == last + 1 and text and joined:
            text = " " + text
        elif joined:
            yield joined, places
            joined, places = "", []
        places.append((len(joined), number))
        joined += text
        last = number if running and text else None
    if joined:
        yield joined, places


def findings(root, path):
    """(line, the words, instead) for each pattern in the file."""
    text = path.read_text(encoding="utf-8")
    for paragraph, places in paragraphs(prose_of(path, text)):
        for pattern, instead in COMPILED:
            for found in pattern.finditer(paragraph):
                if pattern is WHO and BEFORE_WHO.search(paragraph[: found.start()]):
                    continue
                line = max(number for at, number in places if at <= found.start() or at == 0)
                around = paragraph[max(0, found.start() - 30) : found.end() + 30].strip()
                yield line, found[0].strip(), around, instead


def exceptions(root):
    path = root / EXCEPTIONS
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("exception", []) if path.is_file() else []
    return {(entry["file"], entry["words"]): entry["reason"] for entry in entries}


def check_english(root):
    """Complaints of the form `file:line: 'words' (...): instead`; and exceptions that nothing uses."""
    excused = exceptions(root)
    used = set()
    for path in files(root):
        name = str(path.relative_to(root))
        if name in SAMPLES:
            continue
        for line, found, around, instead in findings(root, path):
            key = next(((name, words) for file, words in excused if file == name and words in around), None)
            if key:
                used.add(key)
            else:
                yield f"{name}:{line}: \"{around}\": \"{found}\": {instead}"
    for name, wording in sorted(set(excused) - used):
        yield f"{EXCEPTIONS}: \"{wording}\" is not in {name} any more"


def check_width(root, most=100):
    """Lines of C++ over so many columns; a line that has one word alone, a path or an address, may be longer."""
    for path in files(root):
        if path.suffix not in (".h", ".cc"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if len(line) > most and not re.match(r"^\s*(?://\s*)?\S+$|^#include ", line):
                yield f"{path.relative_to(root)}:{number}: {len(line)} columns; at most {most}"


if __name__ == "__main__":
    TOP = pathlib.Path(__file__).resolve().parents[2]
    for complaint in (*check_english(TOP), *check_width(TOP)):
        print(complaint)
