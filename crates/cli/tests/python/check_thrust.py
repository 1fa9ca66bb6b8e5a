"""Opens the thrust lines and joints of a static analysis with h5py and with VTK's own reader, and compares them with
the tables beside them: results.vtkhdf, thrust.csv and joints.csv in the folder of the first argument.
"""

import csv
import pathlib
import sys

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

# arrays without a value where a joint carries nothing or its material has no strength, and their columns
WITHOUT_VALUE = {"stress": "stress_pa", "compression_use": "compression_use"}

folder = pathlib.Path(sys.argv[1])
path = str(folder / "results.vtkhdf")


def table(name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


lines, joints = table("thrust.csv"), table("joints.csv")
assert lines and joints, "empty tables"

with h5py.File(path, "r") as file:
    for name, rows in (("thrust", lines), ("joints", joints)):
        part = file["VTKHDF"][name]
        assert part.attrs["Type"] == b"PolyData"
        assert part["Points"].shape == (len(rows), 3), (name, part["Points"].shape, len(rows))
        for key, values in part["PointData"].items():
            assert len(values) == len(rows), (name, key, len(values))
            if key not in WITHOUT_VALUE:
                assert np.all(np.isfinite(values[...])), (name, key)
                continue
            # NaN exactly where the table is empty
            cells = [row[WITHOUT_VALUE[key]] for row in rows]
            wanted = np.array([float(cell) if cell else np.nan for cell in cells])
            assert np.allclose(np.sort(values[...]), np.sort(wanted), rtol=1e-6, equal_nan=True), (name, key)

reader = vtk.vtkHDFReader()
reader.SetFileName(path)
reader.Update()
blocks = reader.GetOutputDataObject(0)
found = {}
for i in range(blocks.GetNumberOfBlocks()):
    found[blocks.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME())] = blocks.GetBlock(i)
# joints are drawn at their centres of pressure
for name, rows, key in (("thrust", lines, "{}_m"), ("joints", joints, "centre_{}_m")):
    data = found[name]
    points = vtk_to_numpy(data.GetPoints().GetData())
    wanted = np.array([[float(row[key.format(axis)]) for axis in "xyz"] for row in rows])
    order = lambda p: p[np.lexsort(np.round(p, 9).T)]
    assert np.allclose(order(points), order(wanted), atol=1e-9), name
assert found["thrust"].GetNumberOfLines() > 0
