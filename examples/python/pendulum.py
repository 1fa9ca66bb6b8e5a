"""A bar hangs from a beam by a joint that is hinged: it holds in the middle of the interface and turns freely. Pushed lightly,
the bar swings as a physical pendulum and is back in the middle after half a period.
Expect: time_s when bar_m < 0 = 0.823 within 0.5 %, s: pi sqrt(I/(m g d)), I/m = (0.2^2 + 1^2)/12 + d^2, d = 0.5 m (Huygens 1673)
Picture: --time 0.4

The same scene as examples/pendulum.toml.
"""

import voussoir as vs

scene = vs.Scene("Hinged bar as a pendulum", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.6, bond="hinged")
scene.rectangle("beam", size=[1.2, 0.2], position=[0.0, 1.1], material="stone")
scene.rectangle("bar", size=[0.2, 1.0], position=[0.0, 0.5], velocity=[0.25, 0.0], spin=0.5, material="stone")
scene.support("beam")
scene.probe("bar", quantity="displacement", of="bar", component="x")
scene.stage("dynamic", duration=1.0, step=0.001)

if __name__ == "__main__":
    print(scene.check())
