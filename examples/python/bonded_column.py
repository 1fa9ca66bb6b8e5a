"""Four blocks hang from a beam by mortar joints with a tensile strength of 100 kPa. A load on the lowest block grows by
20 kN/s; the joint at the beam carries most, and breaks.
Expect: largest reaction_z_n = 25000 within 0.2 %, N: tensile strength times area, 100 kPa x 0.25 m2
Picture: --time 0.9 --show resultants,loads

The same scene as examples/bonded_column.toml.
"""

import voussoir as vs

scene = vs.Scene("Bonded column pulled apart")
scene.material("stone", density=2000.0)
scene.joint(
    "stone",
    "stone",
    friction=0.6,
    bond={"mohr-coulomb": {"cohesion": 150000.0, "tension": 100000.0}},
)
scene.box("beam", size=[1.5, 0.5, 0.5], position=[0.0, 0.0, 2.25], material="stone")
scene.stack("column", count=4, size=0.5, ground="none", material="stone")
scene.support("beam")
scene.load("pull", on="column.block[0]", force=[0.0, 0.0, -20000.0], function={"ramp": {"end": 1.0}})
scene.stage("dynamic", duration=0.9, step=0.001)

if __name__ == "__main__":
    print(scene.check())
