"""Debian's libraries as external repositories.

Each is rooted at /usr/include and adds no include path: the compiler finds the headers as system
headers, so our own -Wall -Wextra -Werror never sees a warning of theirs. (Bullet's name each other by a
path below /usr/include/bullet; that one is added, as a system path too.)
"""

_LIBRARIES = ["assimp", "benchmark", "boost_beast", "boost_context", "boost_lockfree", "bullet", "catch2", "cli11", "fmt", "hwy", "lua", "nlohmann_json", "ode", "readerwriterqueue", "recast", "relacy", "tbb", "tomlplusplus", "zlib"]

def system_libraries():
    """Declares the repositories that are not declared yet."""
    for name in _LIBRARIES:
        if not native.existing_rule(name):
            native.new_local_repository(
                name = name,
                path = "/usr/include",
                # A Label is read where it is written, so this works from another workspace too.
                build_file = str(Label("//third_party:%s.BUILD" % name)),
            )
