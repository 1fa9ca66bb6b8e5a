"""Opens vtu/, obj/ and run.glb of a folder with VTK's readers; all must show the same bodies at the same place."""

import json
import pathlib
import sys

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

folder, expected = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])
B = expected["bodies"]


def read(reader, path):
    failures = []
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(True))
    reader.SetFileName(str(path))
    reader.Update()
    assert not failures, path
    return reader.GetOutput()


bodies = read(vtk.vtkXMLUnstructuredGridReader(), folder / "vtu/bodies_0020.vtu")
assert bodies.GetNumberOfPoints() == 8 * B and bodies.GetNumberOfCells() == 6 * B
data = {bodies.GetCellData().GetArrayName(i) for i in range(bodies.GetCellData().GetNumberOfArrays())}
assert {"body", "material", "support", "displacement", "velocity", "mean_pressure", "joint_use"} <= data, data
assert np.array_equal(vtk_to_numpy(bodies.GetCellData().GetArray("body")), np.repeat(np.arange(B), 6))
velocity = vtk_to_numpy(bodies.GetCellData().GetArray("velocity"))[-1]
assert np.allclose(velocity, expected["velocity"], atol=1e-7), velocity
contacts = read(vtk.vtkXMLUnstructuredGridReader(), folder / "vtu/contacts_0020.vtu")
assert contacts.GetNumberOfCells() == expected["contacts"]
index = (folder / "vtu/results.pvd").read_text()
assert index.count("<DataSet") == 6 and 'timestep="2e-1"' in index, index

cables = read(vtk.vtkXMLUnstructuredGridReader(), folder / "vtu/cables_0020.vtu")
assert cables.GetNumberOfCells() == 3 and cables.GetCell(0).GetClassName() == "vtkLine"
assert np.array_equal(vtk_to_numpy(cables.GetCellData().GetArray("cable")), [0, 1, 1])
assert np.array_equal(vtk_to_numpy(cables.GetCellData().GetArray("force")), [100.0, 200.0, 200.0])
ends = vtk_to_numpy(cables.GetPoints().GetData())

points = np.unique(np.round(vtk_to_numpy(bodies.GetPoints().GetData()), 5), axis=0)
obj = read(vtk.vtkOBJReader(), folder / "obj/frame_0020.obj")
assert obj.GetNumberOfPolys() == 6 * B and obj.GetNumberOfLines() == 2
both = np.unique(np.round(np.vstack([vtk_to_numpy(bodies.GetPoints().GetData()), ends]), 5), axis=0)
assert np.allclose(np.unique(np.round(vtk_to_numpy(obj.GetPoints().GetData()), 5), axis=0), both, atol=2e-5)

# glTF has y up: (x, y, z) of ours is (x, z, -y) there
model = read(vtk.vtkGLTFReader(), folder / "run.glb")
bounds = [0.0] * 6
model.GetBounds(bounds)
# cables along x are rods of some radius
thick = np.array([0.0, expected["radius"], expected["radius"]])
low = np.minimum(points.min(axis=0), ends.min(axis=0) - thick)
high = np.maximum(points.max(axis=0), ends.max(axis=0) + thick)
assert np.allclose(bounds, [low[0], high[0], low[2], high[2], -high[1], -low[1]], atol=2e-5), bounds

# the animation: at its end the bodies are where the still of the last frame has them, at its start elsewhere
moving = vtk.vtkGLTFReader()
moving.SetFileName(str(folder / "moving.glb"))
moving.SetFrameRate(200)
moving.UpdateInformation()
assert moving.GetNumberOfAnimations() == 1, moving.GetNumberOfAnimations()
assert abs(moving.GetAnimationDuration(0) - expected["time"]) < 1e-6, moving.GetAnimationDuration(0)
moving.EnableAnimation(0)
for time, same in [(0.0, False), (expected["time"], True)]:
    moving.UpdateTimeStep(time)
    found = [0.0] * 6
    moving.GetOutput().GetBounds(found)
    assert np.allclose(found, bounds, atol=2e-5) == same, (time, found, bounds)
print("ok: vtk", vtk.vtkVersion.GetVTKVersion())
