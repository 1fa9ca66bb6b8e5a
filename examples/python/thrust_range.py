"""An arch of 20 voussoirs on rigid supports has no single thrust: every value between a smallest and a largest one is
admissible. The smallest belongs to hinges at the crown (top) and at 63 degrees from it (bottom).
Command: stand --support arch.springer[0] --direction x
Expect: thrust.min_n = 4364.15 within 0.01 %, N: (W x - M)/(2.4 m - 2 m cos 63), the largest over all joints, with weight W and moment M of the voussoirs above
Picture: thrust.svg

The same scene as examples/thrust_range.toml.
"""

import voussoir as vs

scene = vs.Scene("Range of thrust of an arch")
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.arch("arch", material="stone", radius=2.0, thickness=0.4, width=0.5, voussoirs=20)

if __name__ == "__main__":
    print(scene.check())
