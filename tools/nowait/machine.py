"""The CPU that the programs need."""

import pathlib

from nowait.errors import Failure

CPUINFO = pathlib.Path("/proc/cpuinfo")
# The programs are compiled for x86-64-v3; on an older CPU they would die of an illegal instruction.
X86_64_V3 = ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave")


def require_cpu() -> None:
    """Refuses a CPU that the programs do not run on."""
    flags: list[str] = []
    try:
        with CPUINFO.open(encoding="utf-8", errors="replace") as lines:
            flags = next((line.split() for line in lines if line.startswith("flags")), [])
    except OSError:
        pass
    missing = [flag for flag in X86_64_V3 if flag not in flags]
    if missing:
        raise Failure(f"this CPU is not x86-64-v3 (Haswell, Zen or newer); it lacks: {' '.join(missing)}")
