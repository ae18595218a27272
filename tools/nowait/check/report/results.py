"""What a run of the models' tests left behind: Bazel's word on each test, and each one's JSON.

Nothing is guessed: a test that did not run, did not end, or left nothing that can be read has a
problem, in words, and a caller that asks for its results gets that instead of a pass.
"""

import dataclasses
import json
import pathlib
import urllib.parse
import xml.etree.ElementTree
import zipfile

# In Bazel's build events, and inside the archive that it names.
OUTPUTS = "test.outputs__outputs.zip"
RESULT = "result.json"


@dataclasses.dataclass
class Test:
    label: str
    tags: list
    args: list
    shards: int
    jsons: list = dataclasses.field(default_factory=list)  # one for each shard that left one
    ended: bool = True  # as far as Bazel knows
    failed: bool = False
    problems: list = dataclasses.field(default_factory=list)  # why results are missing

    @property
    def package(self):
        return self.label.partition(":")[0]

    @property
    def name(self):
        return self.label.partition(":")[2]

    @property
    def passed(self):
        return self.ended and not self.failed

    @property
    def passed_unread(self):
        """Bazel takes it for passed, and what it found cannot be read."""
        return self.passed and bool(self.problems)


def read_tests(query, events):
    """Every test of the query's XML, by label, with what Bazel's build events say of it."""
    outcomes = read_outcomes(events)
    tests = {}
    for rule in xml.etree.ElementTree.parse(query).getroot().iter("rule"):
        test = Test(rule.get("name"), strings(rule, "tags"), strings(rule, "args"), shards_of(rule))
        tests[test.label] = test
        for shard in range(1, test.shards + 1):
            of_shard = f"shard {shard} of {test.shards}: " if test.shards > 1 else ""
            outcome = outcomes.get((test.label, shard))
            if outcome is None:
                test.problems.append(f"{of_shard}was not run")
                test.ended = False
                continue
            status, archive = outcome
            if status == "FAILED":
                test.failed = True
            elif status != "PASSED":
                test.problems.append(f"{of_shard}did not end ({status.lower().replace('_', ' ')})")
                test.ended = False
                continue
            if leaves_result(test):
                try:
                    test.jsons.append(read_json(archive))
                except Unreadable as error:
                    test.problems.append(f"{of_shard}{error}")
    return tests


# Its packages: a test there tests no structure.
OF_THE_CHECKER = ("//models/arm", "//models/gallery", "//models/kit")
# Tags of runs of a model by another program than its searches (models/model.bzl).
WITHOUT_RESULT = frozenset({"watched", "buffered"})


def leaves_result(test):
    """The checker's own tests leave no result, nor do models that are watched, or run with load buffering."""
    of_kit = test.package.startswith(OF_THE_CHECKER) and "litmus" not in test.tags
    return not of_kit and not WITHOUT_RESULT.intersection(test.tags)


class Unreadable(Exception):
    pass


def read_json(archive):
    if archive is None:
        raise Unreadable("left no result")
    try:
        with zipfile.ZipFile(archive) as outputs:
            found = json.loads(outputs.read(RESULT).decode("utf-8"))
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise Unreadable("left no result that can be read") from error
    except ValueError as error:
        raise Unreadable(f"left a damaged result: {error}") from error
    if not isinstance(found, dict):
        raise Unreadable("left a damaged result: not an object")
    return found


def read_outcomes(events):
    """(label, shard): (Bazel's status, the archive of outputs or None), the last of each."""
    outcomes = {}
    try:
        with open(events, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    event = json.loads(line)
                except json.JSONDecodeError:
                    continue  # the last line of a Bazel that was killed
                if "testResult" not in event:
                    continue
                name, result = event["id"]["testResult"], event["testResult"]
                archives = [path_of(output["uri"]) for output in result.get("testActionOutput", [])
                            if output["name"] == OUTPUTS]
                key = name["label"], name.get("shard", 1)
                outcomes[key] = result["status"], archives[0] if archives else None
    except OSError:
        pass  # Bazel did not get as far: no test was run
    return outcomes


def path_of(uri):
    return pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))


def strings(rule, attribute):
    return [item.get("value") for item in rule.findall(f"list[@name='{attribute}']/string")]


def shards_of(rule):
    attribute = rule.find("int[@name='shard_count']")
    return max(1, int(attribute.get("value")) if attribute is not None else 1)
