"""How a test runs a module of tools/nowait: alone, with no more of the package than what the test depends on."""

def run_module(module):
    """The words of a command that runs nowait.<module>; the module's files are in a filegroup of //tools/nowait."""
    return ["env", "PYTHONPATH=tools", "/usr/bin/python3", "-B", "-m", "nowait." + module]
