"""A pier of 1 x 3 m under a horizontal force at its top. Stone that crushes at 1 MPa takes the reaction of the ground not at
the edge but under a block of stress of the depth c = W/(f d) = 58.86 mm.
Command: limit --load push --compression 1e6
Expect: multiplier = 9.2326 within 0.01 %, kN: W (b - c)/(2 h), with W = 58.86 kN; without crushing 9.81
Picture: --show loads,mechanism

The same scene as examples/crushing_pier.toml.
"""

import voussoir as vs

scene = vs.Scene("Pier that crushes at its toe", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.7)
scene.buttress("pier", material="stone", width=1.0, height=3.0)
scene.load("push", on="pier.block[0]", point=[0.0, 3.0], force=[1000.0, 0.0])

if __name__ == "__main__":
    print(scene.check())
