"""Writes one file for every way in which h5py lays out data, and reads a file that was written without it.

h5py_files.py write DIR    files *.h5, each with lists of 1000 numbers k/2 - 3 in /a/floats and k - 500 in /a/integers
h5py_files.py check FILE   groups, arrays and attributes of that file
"""
import sys
from pathlib import Path

import h5py
import numpy as np

FLOATS = np.arange(1000) / 2 - 3
INTEGERS = np.arange(1000) - 500


def write(folder):
    plain = dict(float="<f8", integer="<i4", options={}, file={})
    ways = {
        "contiguous": plain,
        "big_endian": dict(plain, float=">f8", integer=">i8"),
        "short": dict(plain, float="<f4", integer="<i2"),
        "deflate": dict(plain, options=dict(chunks=(64,), compression="gzip")),
        "all_filters": dict(plain, options=dict(chunks=(100,), compression="gzip", shuffle=True, fletcher32=True)),
        "many_chunks": dict(plain, options=dict(chunks=(3,), compression="gzip", maxshape=(None,))),
        "latest": dict(plain, file=dict(libver="latest")),
        "latest_one_chunk": dict(plain, options=dict(chunks=(1000,), compression="gzip"), file=dict(libver="latest")),
        "user_block": dict(plain, file=dict(userblock_size=1024)),
    }
    for name, way in ways.items():
        with h5py.File(folder / f"{name}.h5", "w", **way["file"]) as file:
            group = file.create_group("a")
            group.create_dataset("floats", data=FLOATS.astype(way["float"]), **way["options"])
            group.create_dataset("integers", data=INTEGERS.astype(way["integer"]), **way["options"])
            group.create_dataset("text", data=np.bytes_("a text"))
            group.attrs["half"] = 0.5
            group.attrs["name"] = np.bytes_("joint")
            group.attrs["variable"] = "of variable length"
            # enough names for several leaves of a symbol table
            if "libver" not in way["file"]:
                for k in range(40):
                    file.create_dataset(f"many/name_{k:02d}", data=[float(k)])


def check(path):
    with h5py.File(path) as file:
        assert list(file["a"]) == ["floats", "integers", "none", "text"], list(file["a"])
        assert file["a/floats"].dtype == "<f8" and np.array_equal(file["a/floats"][()], FLOATS)
        assert file["a/integers"].dtype == "<i4" and np.array_equal(file["a/integers"][()], INTEGERS)
        assert file["a/none"].shape == (0,) and file["a/none"][()].size == 0
        assert file["a/text"][()] == "größer".encode(), file["a/text"][()]
        assert file["a"].attrs["step"] == 7 and file["a"].attrs["time"] == 0.25
        assert file["a"].attrs["title"] in (b"wall", "wall")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]))
