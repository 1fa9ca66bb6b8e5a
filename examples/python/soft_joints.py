"""Ten blocks on mortar beds whose springs close under the weight of all blocks above them: 1e8 Pa/m, mortar of 10 mm with a
modulus of 1 MPa. The top block sinks by the sum of all closures.
Expect: top_m at 2 s = -0.00269775 within 0.1 %, m: -(1 + 2 + ... + 10) w/(k A), with w = 613 N and k A = 12.5 MN/m
Picture: --color displacement --show resultants

The same scene as examples/soft_joints.toml.
"""

import voussoir as vs

scene = vs.Scene("Column on soft mortar beds")
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.6, elastic={"normal": 100000000.0, "tangential": 40000000.0})
scene.stack("column", count=10, size=[0.5, 0.25, 0.25], material="stone")
scene.probe("top", quantity="displacement", of="column.block[9]", component="z")
scene.stage("dynamic", duration=2.0, step=0.01, theta=1.0)

if __name__ == "__main__":
    print(scene.check())
