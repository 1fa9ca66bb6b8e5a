"""A dome with an oculus on five piers. It stands only with a prestressed cable around its springers, which pulls each pier
inwards against the thrust of the dome.
Expect: thrust_n at 0.02 s = 52901 within 0.1 %, N on a pier and its springer: 2 x 45 kN x sin 36 degrees, balance of the cable's two parts
Picture: --view 30,15 --color pressure --show cables

The same scene as examples/dome_on_piers.toml.
"""

import voussoir as vs

scene = vs.Scene("Dome on piers, held by a ring cable")
scene.material("stone", density=1960.0)
scene.joint("stone", "stone", friction=0.8)
scene.pier_dome(
    "dome",
    material="stone",
    radius=3.82,
    thickness=0.36,
    rings=9,
    slices=25,
    oculus_deg=7.5,
    piers=5,
    pier=[0.7, 0.4, 2.0],
)
scene.cable(
    "ring",
    through=["dome.ring[0]"],
    closed=True,
    modulus=200000000000.0,
    diameter=0.02,
    prestress=45000.0,
)
scene.probe("thrust", quantity="force", of=["dome.pier[0]", "dome.ring[0].block[0]"], component="x")
scene.stage("dynamic", duration=0.02, step=0.005)

if __name__ == "__main__":
    print(scene.check())
