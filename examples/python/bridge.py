"""Bridgemill bridge: a segmental sandstone ring of 18.3 m span and 2.85 m rise under 0.478 m of fill at the crown. The fill
counts as weight. A knife-edge load at quarter span grows until the ring has four hinges.
Command: limit --load knife
Expect: multiplier = 3100 within 10 %, kN: load test to collapse (Hendry, Davies & Royles 1985); a rigid-block linear program gives 3344
Picture: mechanism.svg

The same scene as examples/bridge.toml.
"""

import voussoir as vs

scene = vs.Scene("Bridgemill bridge under a load at quarter span", dim=2, depth=8.3)
scene.material("sandstone", density=2100.0)
scene.joint("sandstone", "sandstone", friction=0.716)
scene.arch(
    "ring",
    kind="segmental",
    material="sandstone",
    span=18.3,
    rise=2.85,
    thickness=0.711,
    voussoirs=62,
    curved=True,
)
scene.load("fill", on="ring.voussoirs", fill={"density": 1890.0, "level": 4.039})
scene.load("knife", on="ring.voussoir[16]", point=[-4.575, 2.927014], force=[0.0, -1000.0])

if __name__ == "__main__":
    print(scene.check())
