"""Forty logs fall into a bay and come to rest. What they lost in height went into impacts and friction; the ground and the
walls carry their weight.
Expect: reaction_y_n at 1.5 s = 8629 within 0.1 %, N per metre: weight of 40 logs, 40 x 700 kg/m3 x 9.81 x pi d^2/4, d = 0.2 m
Picture: --color pressure --show resultants

The same scene as examples/pile.toml.
"""

import voussoir as vs

scene = vs.Scene("Logs fall into a bay", dim=2)
scene.material("wood", density=700.0)
scene.joint("wood", "wood", friction=0.6)
scene.pile("pile", material="wood", count=40, seed=1, size=0.2, spread=0.0, stone="sphere", container=[1.5])
scene.stage("dynamic", duration=1.5, step=0.002)

if __name__ == "__main__":
    print(scene.check())
