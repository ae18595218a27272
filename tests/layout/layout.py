"""Rules about the checkout that the compiler does not know. Each check yields lines of complaint.

Bazel's visibility refuses a dependency on a lower layer; this reads the same rules from the files, so
that a dependency that was never declared, and works only because another one brings it along, is
seen as well.
"""

import collections
import pathlib
import re

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
SYSTEM = {  # by the beginning of an include, which dependency it needs
    "assimp/": "@assimp//:assimp",
    "benchmark/": "@benchmark//:benchmark",
    "boost/asio/": "@boost_beast//:boost_beast",
    "boost/beast/": "@boost_beast//:boost_beast",
    "CLI/": "@cli11//:cli11",
    "fmt/": "@fmt//:fmt",
    "hwy/": "@hwy//:hwy",
    "lua5.4/": "@lua//:lua",
    "nlohmann/": "@nlohmann_json//:json",
    "zlib.h": "@zlib//:zlib",
}
TEXT = {".h", ".cc", ".bzl", ".py", ".sh", ".md", ".txt", ".patch", ""}
FOLDERS = ["check", "src", "models", "tests", "tools", "third_party", "lectures", "docs", "assets", ".ci"]
# A home or working directory of somebody's machine. (This line does not match itself.)
MACHINE = re.compile(r"(?<![\w.$}])/(?:home|root|work|Users)/\w")

# Whatever orders threads, or asks for the time, comes from the policy: otherwise the configuration `controlled`
# would not control it. By what it is called in the source.
ORDERS_THREADS = re.compile(
    r"std::(?:(?:j?thread|(?:recursive_|timed_|recursive_timed_|shared_|shared_timed_)?mutex|"
    r"condition_variable(?:_any)?|atomic(?:_\w+)?|stop_\w+|(?:counting|binary)_semaphore|latch|barrier|"
    r"(?:lock|scoped|unique|shared)_(?:guard|lock)|call_once|once_flag|future|promise|async|this_thread)\b|"
    r"chrono::\w*clock\b|execution\b|time\b|clock\b|timespec_get\b)|"
    r"\bStdSync\b|\bthread_local\b|\bthis_thread\b|\bpthread_\w+|\bsetpriority\b|\b__(?:atomic|sync)_\w+|"
    r"\b(?:u|nano|clock_nano)sleep\b|\bclock_gettime\b|\bgettimeofday\b|\btimespec_get\b|\bsched_yield\b|"
    # A common word counts only as a function that is called, and of no object or class.
    r"(?<![\w.>:])(?:::)?(?:sleep|poll|ppoll|select|pselect|syscall|time|clock)(?=\s*\()"
)
# Exceptions: (file, word), each with the reason.
ORDERS_THREADS_ITSELF = {
    ("src/sync/policy.h", "*"): "StdSync: the policy itself",
    ("src/sync/std_threads.h", "*"): "StdSync's locks, threads and time",
    ("src/sync/engine_sync.h", "StdSync"): "where it becomes EngineSync",
    ("src/broadphase/node.h", "StdSync"): "how large it is as shipped",
    ("src/broadphase/row_load.h", "StdSync"): "how its atomics lie in memory; no object",
    ("src/broadphase/row_load.h", "std::atomic"): "a question about the type; no object",
    ("src/apps/command_line/interruption.cc", "std::atomic"): "a signal handler's flag; no program under control has one",
}

# The check in an example that the Result {0} has a value, and the use of the value.
CHECKS = r"!{0}\b|\bif \({0}\b|\b{0}\.has_value\(\)|\b{0} (?:&&|\?)"
TAKES = r"\*{0}\b|\b{0}->|\b{0}\.value\(\)"
OBJECT = r"(?:\(\*\w+\)(?:\.|->))?(?:\w+(?:<\w*>)?(?:\.|->|::))*$"  # in front of the name of a function


class Target:
    def __init__(self, package, rule, arguments):
        self.label = f"//{package}:{arguments['name']}"
        self.package = package
        self.files = [
            f"{package}/{name}"
            for attribute in ("srcs", "hdrs", "textual_hdrs")
            for name in as_list(arguments.get(attribute))
            if not name.startswith((":", "/", "@"))
        ]
        self.deps = {full_label(dep, package) for dep in as_list(arguments.get("deps"))}


def as_list(value):
    return value if isinstance(value, list) else []


def full_label(label, package):
    if label.startswith(":"):
        return f"//{package}{label}"
    if label.startswith("@") and "//" not in label:
        return f"{label}//:{label[1:]}"
    if ":" not in label:
        return f"{label}:{label.rsplit('/', 1)[-1]}"
    return label


def layers(root):
    """LAYERS and layer() of tools/rules/layers.bzl: Starlark that Python understands too."""
    names = {"fail": None}
    exec((root / "tools/rules/layers.bzl").read_text(encoding="utf-8"), names)
    return names["LAYERS"], names["layer"]


def evaluate(root, package):
    """The targets of one BUILD file, and its default visibility."""
    targets = []
    default_visibility = []

    class Names(dict):
        def __missing__(self, rule):
            def record(*_, **arguments):
                if "name" in arguments:
                    targets.append(Target(package, rule, arguments))

            return record

    folder = root / package
    names = Names(
        load=lambda *_, **__: None,
        package=lambda default_visibility=(), **_: visibility_of(default_visibility),
        glob=lambda patterns, **_: [
            path.relative_to(folder).as_posix() for pattern in patterns for path in folder.glob(pattern)
        ],
        select=lambda choices: [item for items in choices.values() for item in items],
        layer=layers(root)[1],
    )
    visibility_of = default_visibility.extend
    exec((folder / "BUILD").read_text(encoding="utf-8"), names)
    return targets, default_visibility


def packages_of_src(root):
    return sorted(path.parent.relative_to(root).as_posix() for path in root.glob("src/**/BUILD"))


def check_layers(root):
    order, layer = layers(root)
    owner = {}
    targets = []
    for package in packages_of_src(root):
        name = package.split("/")[1]
        if name not in order:
            yield f"{package}: {name} is not a layer of tools/rules/layers.bzl"
            continue
        found, visibility = evaluate(root, package)
        if visibility != layer(name):
            yield f'{package}/BUILD: not package(default_visibility = layer("{name}"))'
        targets += found
        for target in found:
            for file in target.files:
                owner[file] = target.label
    by_label = {target.label: target for target in targets}

    for path in sorted(root.glob("src/**/*.h")) + sorted(root.glob("src/**/*.cc")):
        file = path.relative_to(root).as_posix()
        if file not in owner:
            yield f"{file}: in no target of a BUILD file"
            continue
        target = by_label[owner[file]]
        rank = order.index(file.split("/")[1])
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            for beginning, label in SYSTEM.items():
                if include.startswith(beginning) and label not in target.deps:
                    yield f"{file}: includes <{include}>, but {target.label} does not depend on {label}"
            if include.startswith(("models/", "tests/", "lectures/")):
                yield f"{file}: src may not include {include}"
            if not include.startswith("src/"):
                continue
            if include not in owner:
                yield f"{file}: includes {include}, which no target has"
                continue
            other = include.split("/")[1]
            if order.index(other) > rank:
                yield f"{file}: includes {include}, but {other} is a layer below {order[rank]}"
            elif owner[include] != target.label and owner[include] not in target.deps:
                yield f"{file}: includes {include}, but {target.label} does not depend on {owner[include]}"


def check_headers(root):
    """Every header opens with its purpose, and its guard is named after its place."""
    for folder in ("src", "models", "tests"):
        for path in sorted(root.glob(f"{folder}/**/*.h")):
            file = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            guard = "NOWAIT_" + re.sub(r"\W", "_", file).upper() + "_"
            if not text.startswith("// "):
                yield f"{file}: does not open with a comment"
            if f"#ifndef {guard}\n#define {guard}\n" not in text:
                yield f"{file}: has no include guard called {guard}"


def check_own_headers(root):
    """A source begins with its own header, which is thereby compiled alone (tools/rules/headers.bzl)."""
    for path in sorted(root.glob("src/**/*.cc")):
        file = path.relative_to(root).as_posix()
        header = file.removesuffix("cc") + "h"
        first = INCLUDE.search(path.read_text(encoding="utf-8"))
        if (root / header).exists() and (first is None or first[1] != header):
            yield f"{file}: does not begin with {header}"


def without_comments(text):
    """The source with its comments and texts blanked, line by line."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())  # noqa: E731
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.DOTALL)


def check_policy(root):
    """Everything that orders threads in src comes from the policy."""
    used = set()
    for path in sorted(root.glob("src/**/*.h")) + sorted(root.glob("src/**/*.cc")):
        file = path.relative_to(root).as_posix()
        for number, line in enumerate(without_comments(path.read_text(encoding="utf-8")).splitlines(), 1):
            for match in ORDERS_THREADS.finditer(line):
                excepted = {(file, "*"), (file, match.group())} & ORDERS_THREADS_ITSELF.keys()
                used |= excepted
                if not excepted:
                    yield f"{file}:{number}: {match.group()} is not the policy's (src/sync/policy.h)"
    for file, word in sorted(ORDERS_THREADS_ITSELF.keys() - used):
        if (root / file).exists():
            yield f"{file}: no {word} there any more, which tests/layout/layout.py excepts"


def check_machines(root):
    """Nothing names a place on somebody's machine."""
    paths = [path for path in root.iterdir() if path.is_file() and not path.name.startswith(".bazelrc.")]
    for folder in FOLDERS:
        paths += [path for path in root.glob(f"{folder}/**/*") if path.is_file()]
    for path in sorted(paths):
        if path.suffix not in TEXT or path.name in ("compile_commands.json", ".git"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if MACHINE.search(line):
                yield f"{path.relative_to(root)}:{number}: names a place on one machine"


def check_documents(root):
    """Links and paths of a document exist."""
    documents = list(root.glob("*.md"))
    for folder in FOLDERS:
        documents += root.glob(f"{folder}/**/*.md")
    for path in sorted(documents):
        file = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)  # [&](int) is no link
        for link in re.findall(r"\]\(([^)#\s]+)", prose):
            if "://" not in link and not (path.parent / link).exists():
                yield f"{file}: links to {link}, which is not there"
        for name in re.findall(r"`([^`\s]+)`", text):
            if re.fullmatch(rf"(?:{'|'.join(FOLDERS)})/[\w./*-]+", name) and not any(root.glob(name.rstrip("/"))):
                yield f"{file}: names {name}, which is not there"


def examples(root):
    """The code that readers copy, as (file, number of the first line, code): indented lines of a comment, blocks in
    documents, and the programs of tests/external_workspace."""
    without_remark = lambda line: re.sub(r"(?<!:)//.*", "", line)  # noqa: E731
    for folder in FOLDERS:
        for path in sorted(root.glob(f"{folder}/**/*.h")) + sorted(root.glob(f"{folder}/**/*.cc")):
            file = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            for block in re.finditer(r"(?:^ *//(?:   .*)?\n)+", text, re.MULTILINE):
                code = re.sub(r"^ *//", "", block.group(), flags=re.MULTILINE)
                yield file, text.count("\n", 0, block.start()) + 1, without_remark(code)
            if file.startswith("tests/external_workspace/"):
                yield file, 1, without_remark(text)
    documents = list(root.glob("*.md"))
    for folder in FOLDERS:
        documents += root.glob(f"{folder}/**/*.md")
    for path in sorted(documents):
        text = path.read_text(encoding="utf-8")
        for block in re.finditer(r"^```.*\n(?P<code>(?:(?!```).*\n)*)```", text, re.MULTILINE):
            first = text.count("\n", 0, block.start("code")) + 1
            yield path.relative_to(root).as_posix(), first, without_remark(block["code"])


def end_of_call(code, opening):
    """Behind the parenthesis that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at + 1
    return len(code)


def check_examples(root):
    """No example takes the value of a Result that it has not checked. Functions are known by their names, those
    that a header of src declares with a Result; that the check is one of the same path, only a reader sees."""
    declared = re.compile(r"\bResult<[^;{}()]*>\s+(\w+)\(")
    names = {name for path in root.glob("src/**/*.h") for name in declared.findall(path.read_text(encoding="utf-8"))}
    call = re.compile(rf"\b(?:{'|'.join(sorted(names))})\(") if names else re.compile("(?!)")
    for file, first, code in examples(root):
        complaints = set()
        results = []
        for match in call.finditer(code):
            end = end_of_call(code, match.end() - 1)
            before = code[: match.start()]
            before = before[: re.search(OBJECT, before).start()]
            if before.endswith("*") or re.match(r"\s*(?:->|\.value\(\))", code[end:]):
                complaints.add((code.count("\n", 0, match.start()), match.group() + "...)"))
            elif code[end : end + 1] == ")" and re.search(r"\bif \([^;()]*$", before):
                continue  # it is the condition
            elif kept := re.search(r"(?<!\* )\b(\w+)\s*=\s*$", before):  # no pointer
                results.append((kept[1], end))
        for name, begin in results:
            again = [at for other, at in results if other == name and at > begin]
            rest = code[begin : min(again, default=len(code))]
            checked = re.search(CHECKS.format(name), rest)
            taken = re.search(TAKES.format(name), rest)
            if taken and not (checked and checked.start() < taken.start()):
                complaints.add((code.count("\n", 0, begin + taken.start()), name))
        for line, what in sorted(complaints):
            yield f"{file}:{first + line}: an example takes the value of {what} unchecked"


def check_sample(root):
    """The code that the front page shows is a part of a program that is built."""
    readme = root / "README.md"
    programs = [path.read_text(encoding="utf-8") for path in root.glob("tests/external_workspace/*.cc")]
    for block in re.finditer(r"^```cpp\n(.*?)^```", readme.read_text(encoding="utf-8") if readme.exists() else "",
                             re.MULTILINE | re.DOTALL):
        if not any(block[1] in program for program in programs):
            yield "README.md: a sample that is no part of a program in tests/external_workspace"


def all_complaints(root):
    root = pathlib.Path(root)
    complaints = collections.OrderedDict()
    for check in (check_layers, check_headers, check_own_headers, check_policy, check_machines, check_documents,
                  check_examples, check_sample):
        complaints[check.__name__] = list(check(root))
    return complaints
