"""A buttress of 1 x 4 m takes the thrust of a vault at 3 m height on its inner face: 10 kN outwards and 5 kN down. By what
factor can this thrust grow before the buttress tips about its outer edge?
Command: limit --load thrust
Expect: multiplier = 1.5696 within 0.01 %: moments about the outer edge, (W b/2)/(H y - V b) = 39.24/(30 - 5)
Picture: --show loads,mechanism

The same scene as examples/buttress.toml.
"""

import voussoir as vs

scene = vs.Scene("Buttress under the thrust of a vault", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.7)
scene.buttress("buttress", material="stone", width=1.0, height=4.0)
scene.load("thrust", on="buttress.block[0]", point=[0.0, 3.0], force=[10000.0, -5000.0])

if __name__ == "__main__":
    print(scene.check())
