"""Three balls fall from 1 m onto the ground with restitution 0.5, 0.7 and 0.9. A ball comes back to e^2 of its height: the
third one is highest after (1 + 0.9) sqrt(2H/g) = 0.858 s.
Expect: third_m at 0.858 s = 0.91 within 0.5 %, m: radius + e^2 H = 0.1 + 0.81, Newton's law of restitution
Picture: --time 0.858 --color speed --show none

The same scene as examples/bouncing_balls.toml.
"""

import voussoir as vs

scene = vs.Scene("Bouncing balls", dim=2)
scene.material("ground", density=2000.0)
scene.material("clay", density=2000.0)
scene.material("wood", density=700.0)
scene.material("steel", density=7800.0)
scene.joint("clay", "ground", friction=0.3, restitution=0.5)
scene.joint("wood", "ground", friction=0.3, restitution=0.7)
scene.joint("steel", "ground", friction=0.3, restitution=0.9)
scene.joint("*", "*", friction=0.3)
scene.rectangle("ground", size=[1.6, 0.1], position=[0.0, -0.05], material="ground")
scene.disc("first", radius=0.1, position=[-0.5, 1.1], material="clay")
scene.disc("second", radius=0.1, position=[0.0, 1.1], material="wood")
scene.disc("third", radius=0.1, position=[0.5, 1.1], material="steel")
scene.support("ground")
scene.probe("third", quantity="position", of="third", component="y")
scene.stage("dynamic", duration=1.0, step=0.0005)

if __name__ == "__main__":
    print(scene.check())
