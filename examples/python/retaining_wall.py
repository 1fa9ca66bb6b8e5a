"""A wedge of soil with the friction angle 30 degrees behind a smooth vertical wall of 2 m. On a sliding plane of 60 degrees
its push on the wall is largest: the smallest force of the wall that holds it is the active earth pressure.
Command: stand --support wall --direction x
Expect: thrust.min_n = 13080 within 0.01 %, N per metre: tan^2(45 - 30/2) gamma H^2/2 = 39.24/3 kN (Coulomb 1776; Rankine 1857)
Picture: --show resultants

The same scene as examples/retaining_wall.toml.
"""

import voussoir as vs

scene = vs.Scene("Active earth pressure on a smooth wall", dim=2)
scene.material("soil", density=2000.0)
scene.material("wall", density=2400.0)
scene.joint("soil", "soil", friction=0.5773502692)
scene.joint("wall", "*", friction=0.0)
scene.polygon("wedge", vertices=[[0.0, 0.0], [1.154700538, 2.0], [0.0, 2.0]], material="soil")
scene.polygon(
    "ground",
    vertices=[[0.0, 0.0], [0.0, -0.4], [2.5, -0.4], [2.5, 2.0], [1.154700538, 2.0]],
    material="soil",
)
scene.rectangle("wall", size=[0.4, 2.4], position=[-0.2, 0.8], material="wall")
scene.support(["ground", "wall"])

if __name__ == "__main__":
    print(scene.check())
