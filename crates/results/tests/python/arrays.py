"""What the checks of results files share: comparison of arrays, and access to VTK's data sets."""

import numpy as np
from vtk.util.numpy_support import vtk_to_numpy


def near(a, b, tolerance, what):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    assert a.shape == b.shape, f"{what}: shapes {a.shape} and {b.shape}"
    worst = np.max(np.abs(a - b) / (1 + np.abs(b)), initial=0.0)
    assert worst <= tolerance, f"{what}: off by {worst} (tolerance {tolerance})"


def arrays(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def leaf(block):
    """The poly data of a part: VTK wraps it in different ways, depending on its version."""
    if block.IsA("vtkMultiPieceDataSet"):
        return block.GetPiece(0)
    return block.GetPartition(0) if block.IsA("vtkPartitionedDataSet") else block
