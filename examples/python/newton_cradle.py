"""Five steel balls, 1 mm apart, hang on cables of 1 m. The first one is released from 30 degrees; with restitution 1 the
impacts pass its velocity on from ball to ball, and the last one rises as high.
Expect: largest last_m = 0.134 within 2 %, m: L (1 - cos 30), energy and momentum are kept
Picture: --time 1.1 --show cables

The same scene as examples/newton_cradle.toml.
"""

import voussoir as vs

scene = vs.Scene("Newton's cradle", dim=2)
scene.material("steel", density=7800.0)
scene.joint("steel", "steel", friction=0.0, restitution=1.0)
scene.rectangle("beam", size=[1.2, 0.1], position=[0.402, 0.05], material="steel")
scene.disc("a", radius=0.1, position=[-0.5, -0.8660254], material="steel")
scene.disc("b", radius=0.1, position=[0.201, -1.0], material="steel")
scene.disc("c", radius=0.1, position=[0.402, -1.0], material="steel")
scene.disc("d", radius=0.1, position=[0.603, -1.0], material="steel")
scene.disc("e", radius=0.1, position=[0.804, -1.0], material="steel")
scene.support("beam")
scene.cable("ca", through=[{"select": "beam", "at": [0.0, 0.0]}, "a"], stiffness=100000000.0)
scene.cable("cb", through=[{"select": "beam", "at": [0.201, 0.0]}, "b"], stiffness=100000000.0)
scene.cable("cc", through=[{"select": "beam", "at": [0.402, 0.0]}, "c"], stiffness=100000000.0)
scene.cable("cd", through=[{"select": "beam", "at": [0.603, 0.0]}, "d"], stiffness=100000000.0)
scene.cable("ce", through=[{"select": "beam", "at": [0.804, 0.0]}, "e"], stiffness=100000000.0)
scene.probe("last", quantity="displacement", of="e", component="y")
scene.stage("dynamic", duration=1.2, step=0.001)

if __name__ == "__main__":
    print(scene.check())
