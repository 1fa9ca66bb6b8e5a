"""Four stone blocks stick out from a fixed one, held by a prestressed cable through their centroids. The lowest prestress that
holds them brings the pressure centre of the first joint to its lower edge.
Command: stand --vary cables[0].prestress --find smallest --between 20e3 40e3
Expect: value = 31392 within 0.01 %, N: W x 1.0 m = P x 0.2 m, P = 5 W = 5 x 4 x 160 kg x 9.81 m/s2
Picture: thrust.svg

The same scene as examples/prestressed_beam.toml.
"""

import voussoir as vs

scene = vs.Scene("Cantilever of blocks held by a prestressed cable")
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.stack(
    "beam",
    count=5,
    size=[0.4, 0.4, 0.5],
    ground="none",
    rotation={"axis": [0, 1, 0], "angle_deg": 90.0},
    material="stone",
)
scene.support("beam.block[0]")
scene.cable("tendon", through=["beam"], stiffness=6000000.0, prestress=35000.0)

if __name__ == "__main__":
    print(scene.check())
