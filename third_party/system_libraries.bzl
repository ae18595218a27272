"""Debian's libraries as external repositories.

Each is rooted at /usr and adds no include path: the compiler finds the headers as system headers,
so our own -Wall -Wextra -Werror never sees a warning of theirs.
"""

_LIBRARIES = ["benchmark", "catch2", "cli11", "fmt", "hwy", "nlohmann_json", "relacy", "zlib"]

def system_libraries(root = ""):
    """Declares the repositories.

    Args:
      root: "@nowait" when called from another workspace, empty in ours.
    """
    for name in _LIBRARIES:
        native.new_local_repository(
            name = name,
            path = "/usr/include",
            build_file = "%s//third_party:%s.BUILD" % (root, name),
        )
