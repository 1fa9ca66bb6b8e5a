"""Ten floes that the wind presses against a wall. They bounce, come to rest, and stay: every joint carries the wind on the
floes behind it, and the wall carries the wind on all of them.
Expect: wall_n at 20000 s = 22797 within 0.001 %, N: air drag 1.341 kg/m3 x 1.7e-3 x (10 m/s)^2 on 10 floes of 100 m x 100 m
Picture: --time 20000 --show network

The same scene as examples/ice_row.toml.
"""

import voussoir as vs

scene = vs.Scene("A row of ice floes against a wall", dim=2)
scene.material("ice", density=917.0)
scene.joint("ice", "ice", friction=0.3, restitution={"poisson": 0.4})
scene.half_plane("wall", normal=[-1.0, 0.0], position=[1030.0, 0.0], material="ice")
scene.floes(
    "row",
    floe="rectangles",
    columns=10,
    size=[1030.0, 103.0],
    concentration=0.9425959091337544,
    material="ice",
)
scene.probe("wall", quantity="force", of="wall", component="x")
scene.record(every=20)
scene.environment(wind=[{"uniform": [10.0, 0.0]}])
scene.stage("events", duration=20000.0, step=50.0)

if __name__ == "__main__":
    print(scene.check())
