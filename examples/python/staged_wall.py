"""Two walls of 74 blocks with a door under a flat arch of seven stones. The left one is built course by course, on centring
that is then removed; the right one is there at once. Only the staged wall shares its weight symmetrically.
The friction forces that building leaves between the stones move up to 0.3 % of the weight from jamb to jamb.
Expect: jamb_n at 0.19 s = 16316 within 0.3 %, N on one jamb: half the weight, 2200 kg/m3 x 9.81 x 0.3 m x 2.52 m2
Picture: --color pressure --show resultants

The same scene as examples/staged_wall.toml.
"""

import voussoir as vs

scene = vs.Scene("Wall built in stages, and the same wall at once", dim=2, depth=0.3)
scene.material("stone", density=2200.0)
scene.joint("stone", "stone", friction=0.8)
scene.rectangle("centring", size=[1.1, 0.2], position=[0.0, 1.1], material="stone")
scene.masonry_wall(
    "staged",
    material="stone",
    length=3.6,
    courses=9,
    brick=[0.4, 0.2],
    openings=[{"width": 1.2, "courses": 6, "lintel": {"stones": 7, "embrace_deg": 40.0}}],
)
scene.masonry_wall(
    "direct",
    material="stone",
    position=[4.4, 0.0],
    length=3.6,
    courses=9,
    brick=[0.4, 0.2],
    ground="none",
    openings=[{"width": 1.2, "courses": 6, "lintel": {"stones": 7, "embrace_deg": 40.0}}],
)
scene.support("centring")
scene.probe("jamb", quantity="force", of="staged.course[0].brick[0..2]", with_="staged.ground", component="y")
scene.stage("dynamic", step=0.001, build={"select": ["staged.course", "staged.opening"], "pause": 0.01})
scene.stage("dynamic", step=0.001, duration=0.1, remove="centring")

if __name__ == "__main__":
    print(scene.check())
