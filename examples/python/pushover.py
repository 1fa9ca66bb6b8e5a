"""A column of four blocks is pushed sideways in proportion to its weight. It rocks at 0.2 g; from there on the force falls
with the displacement, and is zero when the centroid is above the edge of the foot.
Command: pushover --acceleration x
Expect: capacity_m = 0.2 within 0.5 %, m: half the width of the foot
Picture: curve.svg

The same scene as examples/pushover.toml.
"""

import voussoir as vs

scene = vs.Scene("Pushover of a column", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.7)
scene.stack("column", count=4, size=[0.4, 0.5], material="stone")

if __name__ == "__main__":
    print(scene.check())
