#!/usr/bin/env python3
"""Makes jacksboro.elevation from matplotlib's sample data jacksboro_fault_dem.npz.

    convert.py jacksboro_fault_dem.npz jacksboro.elevation

Needs nothing but Python's standard library: an .npz file is a zip archive of .npy arrays. The format
that is written is described in src/resource/elevation.h; see NOTICE for where the data are from.
"""

import ast
import math
import struct
import sys
import zipfile
import zlib

MAGIC = b"NOWAITEL"
VERSION = 1


def read_npy(data):
    """The shape and the values of a version 1 .npy array."""
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError("not a version 1 .npy array")
    (length,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10 : 10 + length].decode("latin1"))
    codes = {"<i2": "h", "<f8": "d"}
    shape = header["shape"]
    if header["fortran_order"]:
        raise ValueError("columns first is not handled")
    return shape, struct.unpack_from(
        "<%d%s" % (math.prod(shape), codes[header["descr"]]), data, 10 + length
    )


def metres_per_degree(latitude):
    """North-south and east-west, by the usual series for the WGS 84 ellipsoid."""
    phi = math.radians(latitude)
    north = 111132.92 - 559.82 * math.cos(2 * phi) + 1.175 * math.cos(4 * phi)
    east = 111412.84 * math.cos(phi) - 93.5 * math.cos(3 * phi) + 0.118 * math.cos(5 * phi)
    return north, east


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    with zipfile.ZipFile(sys.argv[1]) as archive:
        arrays = {name[:-4]: read_npy(archive.read(name)) for name in archive.namelist()}
    (rows, columns), posts = arrays["elevation"]
    scalar = {name: values[0] for name, (shape, values) in arrays.items() if shape == ()}
    # The first row is the northernmost: `ymin` is its latitude and is above `ymax`.
    north, west = scalar["ymin"], scalar["xmin"]
    if north <= scalar["ymax"]:
        raise ValueError("expected the first row in the north")
    north_metres, east_metres = metres_per_degree((north + scalar["ymax"]) / 2)
    content = MAGIC + struct.pack(
        "<IIIffdddd",
        VERSION,
        rows,
        columns,
        scalar["dy"] * north_metres,
        scalar["dx"] * east_metres,
        north,
        west,
        scalar["dy"],
        scalar["dx"],
    )
    content += struct.pack("<%dh" % len(posts), *posts)
    content += struct.pack("<I", zlib.crc32(content))
    with open(sys.argv[2], "wb") as file:
        file.write(content)


if __name__ == "__main__":
    main()
