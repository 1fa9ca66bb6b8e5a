"""One scene through LMGC90 (package compas_lmgc90): reads scene.json, writes what its steps took and found.

Computing time is that of compute_one_step, which copies all contacts out of LMGC90 besides.
"""

import json
import sys
import time

import numpy as np
from compas_lmgc90 import _lmgc90


def table(values):
    """A function of time by points: times, then values."""
    return np.array(values, dtype=float).ravel()


def main():
    scene = json.load(open(sys.argv[1]))
    out = open(sys.argv[2], "w")
    solver = _lmgc90.LMGC90Solver()
    solver.initialize(scene["h"], 0.5, False)
    solver.add_one_tact_behav("iqsc0", "IQS_CLB", [scene["friction"]])
    solver.set_materials([scene["density"]])
    solver.set_see_tables(scene["alert"])
    solver.set_nb_bodies(len(scene["blocks"]))
    for i, block in enumerate(scene["blocks"]):
        faces = [k + 1 for face in block["faces"] for j in range(1, len(face) - 1) for k in (face[0], face[j], face[j + 1])]
        vertices = [x for vertex in block["vertices"] for x in vertex]
        velocities, forces = block["velocities"], block["forces"]
        solver.set_one_polyr("s0001", block["centroid"], faces, vertices, len(velocities), len(forces))
        for dof, values in velocities:
            solver.set_drvdof(i + 1, dof, table(values) if values else np.zeros(6), True, bool(values))
        for dof, values in forces:
            solver.set_drvdof(i + 1, dof, table(values), False, True)
    solver.close_before_computing()
    for step in range(scene["steps"]):
        start = time.process_time()
        result = solver.compute_one_step()
        seconds = time.process_time() - start
        count = len(result.interaction_coords)
        out.write(f"step {seconds:.9f} {count}\n")
        for k in range(count):
            a, b = result.interaction_bodies[k]
            numbers = [
                *result.interaction_coords[k],
                *result.interaction_normals[k],
                *result.interaction_tangent1[k],
                *result.interaction_tangent2[k],
                *result.interaction_rloc[k],
                *result.interaction_vloc[k],
                result.interaction_gap[k],
            ]
            out.write(f"contact {a} {b} " + " ".join(repr(float(x)) for x in numbers) + "\n")
        for position, frame in zip(result.bodies, result.body_frames):
            out.write("body " + " ".join(repr(float(x)) for x in [*position, *np.ravel(frame)]) + "\n")
    out.close()


main()
