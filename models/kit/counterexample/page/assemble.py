#!/usr/bin/env python3
"""Makes one page of its parts, and of the page a C++ file: assemble.py OUT.cc HEADER NAMESPACE HTML CSS JS...

HEADER declares `extern const char kPageTemplate[]` in NAMESPACE.

The modules become one script: their imports and the word export go, and a module comes after those
that it imports. The page's security policy names the script and the style by their hashes, so that nothing
else in it can run.
"""

import base64
import hashlib
import pathlib
import re
import sys

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_NAME = re.compile(r"^(?:export )?(?:class|function|const|let) (\w+)", re.MULTILINE)


def in_order(modules):
    """The modules' names, each after those that it imports."""
    done = []

    def visit(name, above):
        if name in above:
            sys.exit(f"assemble: modules import each other: {' -> '.join([*above, name])}")
        if name in done:
            return
        for imported in _IMPORT.findall(modules[name]):
            if imported not in modules:
                sys.exit(f"assemble: {name} imports {imported}, which was not given")
            visit(imported, [*above, name])
        done.append(name)

    for name in sorted(modules):
        visit(name, [])
    return done


def one_script(modules):
    owners = {}
    for module, text in modules.items():
        for name in _NAME.findall(text):
            if name in owners:
                sys.exit(f"assemble: {owners[name]} and {module} both have a {name}")
            owners[name] = module
    parts = []
    for name in in_order(modules):
        text = _IMPORT.sub("", modules[name])
        parts.append(f"// ---- {name}\n" + re.sub(r"^export ", "", text, flags=re.MULTILINE))
    return "\n".join(parts)


def hash_of(text):
    """Of the text between the tags, which begins with the line's end behind the first one."""
    digest = hashlib.sha256(("\n" + text).encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def page(html, style, script):
    for name, text in (("script", script), ("style", style)):
        for mark in (f"</{name}", "{{"):
            if mark in text.lower():
                sys.exit(f"assemble: {mark} within the {name}")
        html = html.replace(f"{{{{{name}-hash}}}}", hash_of(text)).replace(f"{{{{{name}}}}}", text)
    return html


def literal(text):
    """A C++ string literal; in pieces, because compilers limit one's length."""
    pieces = [text[i:i + 8000] for i in range(0, len(text), 8000)]
    return "\n".join(f'R"page~({piece})page~"' for piece in pieces)


def main(out, header, namespace, html, style, *scripts):
    modules = {pathlib.Path(path).name: pathlib.Path(path).read_text() for path in scripts}
    text = page(pathlib.Path(html).read_text(), pathlib.Path(style).read_text(), one_script(modules))
    pathlib.Path(out).write_text(
        "// Made of the parts in this folder by assemble.py.\n"
        f'#include "{header}"\n\n'
        f"namespace {namespace} {{\n\n"
        f"const char kPageTemplate[] =\n{literal(text)};\n\n"
        f"}}  // namespace {namespace}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
