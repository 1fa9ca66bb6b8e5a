"""A block that slides over the ground at 3 m/s is stopped by friction: 0.6 at rest, 0.4 while it slides.
Expect: block_m at 1 s = 1.14679 within 0.5 %, m: v^2/(2 mu g) with the friction of sliding, 0.4
Picture: --time 0.5 --view 20,30 --show resultants,mechanism

The same scene as examples/sliding_block.toml.
"""

import voussoir as vs

scene = vs.Scene("Sliding block comes to rest")
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.6, dynamic_friction=0.4)
scene.box("ground", size=[2.6, 1.0, 0.1], position=[0.7, 0.0, -0.05], material="stone")
scene.box("block", size=[0.6, 0.4, 0.2], position=[0.0, 0.0, 0.1], velocity=[3.0, 0.0, 0.0], material="stone")
scene.support("ground")
scene.probe("block", quantity="displacement", of="block", component="x")
scene.stage("dynamic", duration=1.0, step=0.001)

if __name__ == "__main__":
    print(scene.check())
