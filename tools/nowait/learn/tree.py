"""Pandoc's document as JSON: walking it, and the few nodes that are made here."""


def walk(node, act):
    """Replaces each element for which `act` returns a list of elements; parents first, replaced ones not again."""
    if isinstance(node, list):
        out = []
        for child in node:
            made = act(child) if isinstance(child, dict) and "t" in child else None
            if made is None:
                out.append(walk(child, act))
            else:
                out.extend(made)
        return out
    if isinstance(node, dict):
        return {key: walk(value, act) for key, value in node.items()}
    return node


def keep_together(node):
    """No line begins with the comma behind a formula, or ends with the bracket before it."""
    if isinstance(node, dict):
        return {key: keep_together(value) for key, value in node.items()}
    if not isinstance(node, list):
        return node
    out = []
    for child in map(keep_together, node):
        before = out[-1] if out else None
        if _is_formula(child) and _is_text(before) and before["c"].endswith("("):
            out[-1] = _no_break([before, child])
        elif _is_text(child) and child["c"][0] in ".,;:)?!" and (_is_formula(before) or _is_kept(before)):
            out[-1] = _no_break((before["c"][1] if _is_kept(before) else [before]) + [child])
        else:
            out.append(child)
    return out


def _is_text(node):
    return isinstance(node, dict) and node.get("t") == "Str"


def _is_formula(node):
    return isinstance(node, dict) and node.get("t") == "Math" and node["c"][0]["t"] == "InlineMath"


def _is_kept(node):
    return isinstance(node, dict) and node.get("t") == "Span" and node["c"][0][1] == ["no-break"]


def _no_break(inlines):
    return {"t": "Span", "c": [["", ["no-break"], []], inlines]}


def html_block(text):
    return {"t": "RawBlock", "c": ["html", text]}


def html_inline(text):
    return {"t": "RawInline", "c": ["html", text]}


def all_of(node, kind):
    """The contents of all elements of a kind."""
    if isinstance(node, list):
        return [found for child in node for found in all_of(child, kind)]
    if not isinstance(node, dict):
        return []
    if node.get("t") == kind:
        return [node["c"]]
    return [found for child in node.values() for found in all_of(child, kind)]


def words(node):
    """The plain text of anything."""
    if isinstance(node, list):
        return "".join(words(child) for child in node)
    if not isinstance(node, dict):
        return ""
    kind, content = node.get("t"), node.get("c")
    if kind == "Str":
        return content
    if kind in ("Space", "SoftBreak", "LineBreak"):
        return " "
    if kind in ("Code", "CodeBlock", "Math"):
        return content[1]
    if kind in ("RawBlock", "RawInline"):
        return ""
    if kind in ("Header", "Link", "Span", "Div", "Quoted", "Cite", "Image"):
        return words(content[2] if kind == "Header" else content[1]) + (" " if kind in ("Header", "Div") else "")
    if kind in ("Para", "Plain"):
        return words(content) + " "
    if isinstance(content, list):
        return words(content) if kind != "OrderedList" else words(content[1])
    return ""
