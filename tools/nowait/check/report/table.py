"""The table with a line for each structure, as cells of text."""

from nowait.check.report.structures import FATES

HEADINGS = ["structure", "scenarios", "every execution examined", "execution graphs", "Relacy's executions",
            " / ".join(["mutants killed"] + FATES[1:]), "patches killed", "sites", "result"]


def cells(structure):
    passed = sum(scenario.passed for scenario in structure.scenarios)
    examined = sum(scenario.examined for scenario in structure.scenarios)
    killed = sum(patch.killed for patch in structure.patches)
    return [
        structure.name,
        of(passed, len(structure.scenarios)) if structure.scenarios else "missing",
        f"{examined} of {len(structure.scenarios)} scenarios" if structure.scenarios else "missing",
        f"{structure.examined:,}" if structure.scenarios else "missing",
        f"{structure.searched:,}" if structure.scenarios else "missing",
        of_own(structure.has_mutations, structure.mutants, lambda _: fates(structure)),
        of(killed, len(structure.patches)),
        of_own(structure.has_atomics, structure.sites, lambda sites: str(len(sites))),
        structure.result,
    ]


def of_own(has_any, found, words):
    """Of a structure's own operations, if it has any."""
    if not has_any:
        return "-"
    return "missing" if found is None else words(found)


def fates(structure):
    text = " / ".join(str(structure.count(fate)) for fate in FATES)
    return f"{text}, and {structure.unexplained} UNEXPLAINED" if structure.unexplained else text


def of(good, all_of_them):
    """"5", or what is wrong about it."""
    return str(good) if good == all_of_them else f"{good} of {all_of_them}"


def as_text(structures):
    rows = [HEADINGS] + [cells(structure) for structure in structures]
    # The long heading in two lines, or the table would not fit a terminal.
    first, rows[0] = [""] * len(HEADINGS), list(HEADINGS)
    first[2], rows[0][2] = "every execution", "examined"
    first[3], rows[0][3] = "execution", "graphs"
    first[4], rows[0][4] = "Relacy's", "executions"
    first[5], rows[0][5] = "mutants: killed / no effect /", "equivalent / performance / unverified"
    first[6], rows[0][6] = "patches", "killed"
    rows.insert(0, first)
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"
