"""A packing of discs through Yade: reads packing.json, prints contacts and CPU seconds.

Spheres that stay in a plane, linear springs with friction (ScGeom, FrictPhys, CundallStrack), local damping; springs, masses,
walls, gravity and time step are those of the packing. Energies are summed up and positions saved every 1000 steps.
"""

import json
import math
import os
import sys
import time

from yade import *  # noqa: F403
from yade import utils

packing = json.load(open(os.environ["VOUSSOIR_PACKING"]))
steps, discs = packing["steps"], packing["discs"]
mean = sum(disc[2] for disc in discs) / len(discs)
# kn of a pair is 2 E r₁ r₂/(r₁ + r₂)
material = FrictMat(young=packing["kn"] / mean, poisson=packing["kt"] / packing["kn"], frictionAngle=math.atan(packing["friction"]), density=1)
O.materials.append(material)
for x, y, r, m in discs:
    body = utils.sphere((x, y, 0), r)
    body.state.mass = m
    body.state.inertia = (0.5 * m * r * r,) * 3
    body.state.blockedDOFs = "zXY"
    O.bodies.append(body)
O.bodies.append([utils.wall(0.0, axis=0), utils.wall(packing["width"], axis=0), utils.wall(0.0, axis=1)])
frames = []


def record():
    frames.append((utils.kineticEnergy(), utils.unbalancedForce()))


O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.5 * packing["skin"]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_FrictPhys()],
        [Law2_ScGeom_FrictPhys_CundallStrack()],
    ),
    NewtonIntegrator(gravity=(0, -9.81, 0), damping=packing["damping"]),
    PyRunner(command="record()", iterPeriod=1000),
]
O.dt = packing["dt"]
O.trackEnergy = True
O.run(10, True)
start = time.process_time()
O.run(steps, True)
seconds = time.process_time() - start
print("ANSWER " + json.dumps({"contacts": O.interactions.countReal(), "seconds": seconds}))
sys.stdout.flush()
os._exit(0)
