"""A slender block on a plane that tilts, from 0.5 s on by 10 degrees per second. Friction would hold it up to 38.7 degrees; it
tips at atan(1/2) = 26.57 degrees, where the pressure centre reaches its lower edge, 0.5 m from the middle.
Expect: time_s when foot_m > 0.4999 = 2.9065 within 0.5 %, s: 0.25 s + 26.57 degrees / (10 degrees/s), statics
Picture: --time 3.3 --show resultants,mechanism

The same scene as examples/tilting_block.toml.
"""

import voussoir as vs

scene = vs.Scene("Block on a tilting plane", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.ground("plane", material="stone")
scene.rectangle("block", size=[1.0, 2.0], position=[0.0, 1.0], material="stone")
scene.support("plane", motion={"quantity": "velocity", "axis": 1.0, "ramp": {"end": 0.5, "to": 0.17453293}})
scene.probe("foot", quantity="eccentricity", of="block", with_="plane", component="length")
scene.stage("dynamic", duration=3.5, step=0.002)

if __name__ == "__main__":
    print(scene.check())
