"""Four equal balls: three on the ground, one on top. Without friction they roll apart; how much friction holds them?
Command: stand --vary friction --find smallest --between 0.1 0.8
Expect: value = 0.317837 within 0.01 %: tan(phi/2), phi = asin(1/sqrt 3) from the vertical; torque about the centre of a lower ball
Picture: --view 20,25 --show resultants

The same scene as examples/cannonballs.toml.
"""

import voussoir as vs

scene = vs.Scene("Pile of cannonballs")
scene.material("iron", density=7200.0)
scene.joint("iron", "iron", friction=0.5)
scene.ground("ground", material="iron")
scene.sphere("a", radius=0.1, position=[0.115470054, 0.0, 0.1], material="iron")
scene.sphere("b", radius=0.1, position=[-0.057735027, 0.1, 0.1], material="iron")
scene.sphere("c", radius=0.1, position=[-0.057735027, -0.1, 0.1], material="iron")
scene.sphere("top", radius=0.1, position=[0.0, 0.0, 0.263299316], material="iron")

if __name__ == "__main__":
    print(scene.check())
