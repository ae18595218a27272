"""Everything that a workspace which uses this one has to declare besides it."""

load("//third_party:system_libraries.bzl", "system_libraries")

def nowait_repositories(path):
    """Declares the external repositories, except those that are declared already.

    Args:
      path: where this repository lies, as in the caller's local_repository; "." in our own.
    """

    # Bazel 4.2 asks for these by name. Debian's rules_cc does not load in Debian's Bazel, and the
    # coverage tools are normally downloaded, so small stand-ins live in third_party.
    for name in ["rules_cc", "remote_coverage_tools"]:
        if not native.existing_rule(name):
            native.local_repository(name = name, path = "%s/third_party/%s" % (path, name))
    if not native.existing_rule("rules_java"):
        native.local_repository(name = "rules_java", path = "/usr/share/bazel/rules/java")
    system_libraries()
