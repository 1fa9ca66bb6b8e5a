"""Opens a results folder with balls, a sheared block and bodies that appear, with h5py and VTK's own readers.

expected.json: {"appear": frame, "frames": [{"time", "corner", "bodies", "positions", "rotation", "absent", "von_mises",
"energy"}]}: `corner` is the world position of the last corner of body 1, `rotation` (x, y, z, w) and `absent` those of
body 3, a ball.
"""

import json
import pathlib
import sys

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from arrays import arrays, leaf, near

folder = pathlib.Path(sys.argv[1])
path = str(folder / "results.vtkhdf")
expected = json.loads((folder / "expected.json").read_text())
FRAMES, APPEAR = expected["frames"], expected["appear"]
N, B = len(FRAMES), FRAMES[-1]["bodies"]


def check_h5py():
    with h5py.File(path, "r") as file:
        frames = file["voussoir/frames"]
        assert file["voussoir"].attrs["format"] == 3
        assert frames["position"].shape == (N, B, 3), frames["position"].shape
        assert list(frames["body_count"][:]) == [frame["bodies"] for frame in FRAMES]
        assert len(file["voussoir/bodies/name"]) == B
        near(file["voussoir/bodies/radius"][:], [0, 0, 0, 0.3, 0, 0.125], 0, "radius")
        for i, frame in enumerate(FRAMES):
            near(frames["position"][i, : frame["bodies"]], frame["positions"], 1e-9, "position")
            # what is not known yet reads as zero
            assert not frames["there"][i, frame["bodies"] :].any()

        def read(name, thing):
            if isinstance(thing, h5py.Dataset):
                assert thing[()].shape == thing.shape, name

        file.visititems(read)


def check_bodies(frame, bodies, balls):
    born = frame["bodies"] > 4
    assert bodies.GetNumberOfPolys() == 6 * (3 + born), bodies.GetNumberOfPolys()
    points = vtk_to_numpy(bodies.GetPoints().GetData())
    near(points[15], frame["corner"], 2e-3, "corner of the sheared block")
    stress = arrays(bodies.GetPointData())["von_mises"]
    near(stress[8:16], frame["von_mises"], 3e-4, "von_mises")
    assert np.isnan(stress[:8]).all() and np.isnan(stress[16:]).all()
    energy = arrays(bodies.GetCellData())["strain_energy"]
    near(energy[6:12], [frame["energy"]] * 6, 3e-4, "strain energy")
    owner = arrays(bodies.GetCellData())["body"]
    assert np.array_equal(owner, np.repeat([0, 1, 2, 4][: 3 + born], 6)), owner

    count = 1 + born
    assert balls.GetNumberOfPoints() == balls.GetNumberOfVerts() == balls.GetNumberOfCells() == count
    data = arrays(balls.GetPointData())
    near(vtk_to_numpy(balls.GetPoints().GetData())[0], frame["positions"][3], 2e-3, "centre of the ball")
    near(data["radius"][0], 0.0 if frame["absent"] else 0.3, 1e-6, "radius")
    x, y, z, w = frame["rotation"]
    near(data["orientation"][0], [w, x, y, z], 1e-3, "orientation")
    assert list(data["body"]) == [3, 5][:count]
    assert {"material", "support", "displacement", "velocity", "there", "stress", "principal_stress"} <= set(data)


def check_vtkhdf():
    reader = vtk.vtkHDFReader()
    failures = []
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(True))
    reader.SetFileName(path)
    # in any order
    for i in [0, N - 1, APPEAR - 1, APPEAR, 5, 15, 0]:
        reader.UpdateTimeStep(FRAMES[i]["time"])
        assert reader.GetNumberOfSteps() == N
        output = reader.GetOutputDataObject(0)
        names = [output.GetMetaData(k).Get(vtk.vtkCompositeDataSet.NAME()) for k in range(output.GetNumberOfBlocks())]
        assert names == ["bodies", "contacts", "cables", "balls"], names
        check_bodies(FRAMES[i], leaf(output.GetBlock(0)), leaf(output.GetBlock(3)))
    assert not failures, "VTK reported errors"


def check_glyphs():
    """What docs/results.md says for ParaView: spheres of the recorded radii."""
    reader = vtk.vtkHDFReader()
    reader.SetFileName(path)
    reader.UpdateTimeStep(FRAMES[APPEAR]["time"])
    balls = leaf(reader.GetOutputDataObject(0).GetBlock(3))
    balls.GetPointData().SetActiveScalars("radius")
    source = vtk.vtkSphereSource()
    source.SetRadius(1.0)
    glyphs = vtk.vtkGlyph3D()
    glyphs.SetInputData(balls)
    glyphs.SetSourceConnection(source.GetOutputPort())
    glyphs.SetScaleModeToScaleByScalar()
    glyphs.ScalingOn()
    glyphs.OrientOff()
    glyphs.Update()
    low, high = glyphs.GetOutput().GetBounds()[4:6]
    near(high - low, 0.6, 1e-3, "height of the larger sphere")


def check_vtu():
    for i in (5, 15):
        def read(name):
            reader = vtk.vtkXMLUnstructuredGridReader()
            reader.SetFileName(str(folder / "vtu" / f"{name}_{i:04}.vtu"))
            reader.Update()
            return reader.GetOutput()

        bodies, balls = read("bodies"), read("balls")
        points = vtk_to_numpy(bodies.GetPoints().GetData())
        near(points[15], FRAMES[i]["corner"], 3e-5, "corner in VTU")
        near(arrays(bodies.GetPointData())["von_mises"][8:16], FRAMES[i]["von_mises"], 3e-4, "von_mises in VTU")
        near(arrays(balls.GetPointData())["radius"], [[0.3, 0.0], [0.0, 0.125]][i == 15], 0, "radius in VTU")


check_h5py()
check_vtkhdf()
check_glyphs()
check_vtu()
print("ok: h5py", h5py.__version__, "vtk", vtk.vtkVersion.GetVTKVersion())
