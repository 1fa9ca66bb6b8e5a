"""A free-standing brick wall, 0.25 m thick and 2 m high, under wind on one side. It tips over as one piece about its foot.
Command: limit --load wind
Expect: multiplier = 0.613125 within 0.01 %, kPa: gamma b^2/h, moments about the edge of the foot
Picture: --view 40,15 --show loads,mechanism

The same scene as examples/wind_wall.toml.
"""

import voussoir as vs

scene = vs.Scene("Free-standing wall under wind")
scene.material("brick", density=2000.0)
scene.joint("brick", "brick", friction=0.6)
scene.wall("wall", material="brick", courses=8, bricks=6, brick=[0.5, 0.25, 0.25])
scene.load("wind", on="wall.course", pressure={"value": 1000.0, "face": [0.0, -1.0, 0.0]})

if __name__ == "__main__":
    print(scene.check())
