"""A flat arch of ten stones with vertical joints between rigid abutments. Its smallest thrust belongs to the line from the
bottom of the abutments to the top at midspan; the largest is unbounded. The weight produces no thrust: the row is wedged,
and falls unless the abutments press.
Command: stand --support arch.springer[0] --direction x
Expect: thrust.min_n = 4905 within 0.01 %, N: W L/(8 t), statics of three hinges, with the weight W = 5886 N, L = 2 m, t = 0.3 m
Picture: thrust.svg

The same scene as examples/flat_arch.toml.
"""

import voussoir as vs

scene = vs.Scene("Flat arch", dim=2, depth=0.5)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.arch("arch", kind="flat", material="stone", span=2.0, thickness=0.3, embrace_deg=0.0, voussoirs=10)

if __name__ == "__main__":
    print(scene.check())
