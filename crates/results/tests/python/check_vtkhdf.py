"""Opens a results folder with h5py and with VTK's own reader and compares with expected.json.

expected.json: {"frames": n, "bodies": b, "checks": [{"frame", "time", "step", "contacts",
"position", "rotation", "velocity", "points", "displacement",
"contact": null or {"position", "gap", "force", "normal", "area", "friction", "status", "bodies",
"damage", "slip"}, "cables": [{"ends", "force", "cable"}]}]}
where `points` are the world positions of the corners of the last body, and position, rotation,
velocity, displacement are those of the last body, `contact` those of the last contact.
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
N, B = expected["frames"], expected["bodies"]
FACES, CORNERS = 6, 8


def check_h5py():
    with h5py.File(path, "r") as file:
        frames = file["voussoir/frames"]
        assert file["voussoir"].attrs["format"] == 3
        assert frames.attrs["count"] == N
        assert file["VTKHDF/bodies/Steps"].attrs["NSteps"] == N
        assert file["VTKHDF/contacts/Steps"].attrs["NSteps"] == N
        assert frames["position"].shape == (N, B, 3) and frames["position"].dtype == np.float64
        assert frames["rotation"].shape == (N, B, 4)
        assert file["VTKHDF/cables/Steps"].attrs["NSteps"] == N
        assert set(file["VTKHDF"]) == {"bodies", "contacts", "cables", "Assembly", "Steps"}
        names = [name.decode() for name in file["voussoir/bodies/name"]]
        assert names[0] == "sol été" and names[-1] == f"wall.brick[{B - 1}]", names
        assert [m.decode() for m in file["voussoir/materials/name"]] == ["rock", "brick"]
        for name in ("position", "force"):
            where = frames["position"] if name == "position" else file["VTKHDF/contacts/PointData/force"]
            assert where.shuffle and where.compression == "gzip"
        for check in expected["checks"]:
            i = check["frame"]
            assert frames["time"][i] == check["time"] and frames["step"][i] == check["step"]
            near(frames["position"][i, -1], check["position"], 1e-10, "position")
            near(frames["rotation"][i, -1], check["rotation"], 1e-10, "rotation")
            near(frames["velocity"][i, -1], check["velocity"], 1e-7, "velocity")
            assert frames["contact_count"][i] == check["contacts"]

        # every dataset can be read whole
        def read(name, thing):
            if isinstance(thing, h5py.Dataset):
                assert thing[()].shape == thing.shape, name

        file.visititems(read)


def time_steps(reader):
    reader.UpdateInformation()
    key = vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    info = reader.GetOutputInformation(0)
    return [info.Get(key, i) for i in range(info.Length(key))]


def drawn(frame):
    """How exact points of the last body are: 1/64 of its way since the frame before."""
    if frame == 0:
        return 3e-6
    with h5py.File(path, "r") as file:
        poses = file["voussoir/frames"]
        moved, turned = (np.linalg.norm(np.diff(poses[name][frame - 1 : frame + 1, -1], axis=0)) for name in ("position", "rotation"))
        radius = np.linalg.norm(file["voussoir/bodies/points"][-1])
    return 3e-6 + min((moved + 2 * radius * turned) / 64, 1e-3 * radius)


def check_vtk(look_first):
    reader = vtk.vtkHDFReader()
    failures = []
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(True))
    reader.SetFileName(path)
    assert reader.CanReadFile(path)
    if look_first:
        steps = time_steps(reader)
        # one frame is data without time for VTK
        assert len(steps) == (N if N > 1 else 0), len(steps)
    for check in expected["checks"]:
        reader.UpdateTimeStep(check["time"])
        assert reader.GetNumberOfSteps() == N
        output = reader.GetOutputDataObject(0)
        assert output.GetClassName() == "vtkMultiBlockDataSet"
        assert output.GetNumberOfBlocks() == 3
        names = [output.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME()) for i in range(3)]
        assert names == ["bodies", "contacts", "cables"], names
        bodies, contacts, cables = (leaf(output.GetBlock(i)) for i in range(3))

        assert bodies.GetNumberOfPoints() == CORNERS * B
        assert bodies.GetNumberOfPolys() == bodies.GetNumberOfCells() == FACES * B
        points = vtk_to_numpy(bodies.GetPoints().GetData())
        near(points[-CORNERS:], check["points"], drawn(check["frame"]), "points of the last body")
        data = arrays(bodies.GetCellData())
        assert {"body", "material", "support", "displacement", "velocity"} <= set(data), set(data)
        assert np.array_equal(data["body"], np.repeat(np.arange(B), FACES))
        assert np.array_equal(data["support"], np.repeat(np.arange(B) == 0, FACES))
        assert np.array_equal(data["material"], np.repeat(np.arange(B) > 0, FACES))
        # colours: 2^-11 of each component
        near(data["displacement"][-FACES:], [check["displacement"]] * FACES, 5e-4, "displacement")
        near(data["velocity"][-FACES:], [check["velocity"]] * FACES, 5e-4, "velocity")

        count = check["contacts"]
        assert contacts.GetNumberOfPoints() == count, (contacts.GetNumberOfPoints(), count)
        assert contacts.GetNumberOfVerts() == contacts.GetNumberOfCells() == count
        data = arrays(contacts.GetPointData())
        # VTK 9.4 gives a part without points no arrays
        if count:
            assert {"gap", "force", "normal", "area", "friction", "status", "bodies", "damage", "slip"} <= set(data), set(data)
            vertices = vtk_to_numpy(contacts.GetVerts().GetConnectivityArray())
            assert np.array_equal(vertices, np.arange(count))
            last = dict(check["contact"])
            near(vtk_to_numpy(contacts.GetPoints().GetData())[-1], last.pop("position"), drawn(check["frame"]), "contact")
            for name, value in last.items():
                # forces to a millionth of the weight of a block, normals to 2^-13
                near(data[name][-1], value, {"force": 0.02, "normal": 1.23e-4}.get(name, 1e-5), name)

        pieces = check["cables"]
        assert cables.GetNumberOfLines() == cables.GetNumberOfCells() == len(pieces), cables.GetNumberOfCells()
        if pieces:
            points = vtk_to_numpy(cables.GetPoints().GetData()).reshape(-1, 2, 3)
            near(points, [piece["ends"] for piece in pieces], 1e-6, "cables")
            data = arrays(cables.GetCellData())
            near(data["force"], [piece["force"] for piece in pieces], 1e-6, "tension")
            near(data["cable"], [piece["cable"] for piece in pieces], 0, "index of the cable")
    assert not failures, "VTK reported errors"


check_h5py()
check_vtk(look_first=True)
check_vtk(look_first=False)
print("ok: h5py", h5py.__version__, "vtk", vtk.vtkVersion.GetVTKVersion())
