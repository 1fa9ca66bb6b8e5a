"""A block of 0.5 x 2 m, tilted about a corner by half of its critical angle atan(1/4) and released. It rocks back and is
upright after a quarter of its period; large blocks rock more slowly than small ones of the same shape.
Expect: time_s when block_m < 0 = 0.4938 within 0.5 %, s: quadrature of theta'' = -p^2 sin(alpha - theta), p^2 = 3g/(4R) (Housner 1963)
Picture: --time 0.2

The same scene as examples/rocking_block.toml.
"""

import voussoir as vs

scene = vs.Scene("Rocking block", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=2.0)
scene.ground("ground", material="stone")
scene.rectangle(
    "block",
    size=[0.5, 2.0],
    position=[0.12405637, 1.02305337],
    rotation={"angle_deg": -7.01812173},
    material="stone",
)
scene.probe("block", quantity="position", of="block", component="x")
scene.stage("dynamic", duration=1.0, step=0.0005)

if __name__ == "__main__":
    print(scene.check())
