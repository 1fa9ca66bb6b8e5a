"""A storm travels over a basin with an island. It drives the floes round the basin and along the coasts; their area stays.
Expect: ice at 12000 s = 0.495 within 0.0001 %: area of the ice over that of the basin, 0.5 x (1 - 0.4 km2 / 40 km2)
Picture: --time 12000 --color speed

The same scene as examples/ice_basin.toml.
"""

import voussoir as vs

scene = vs.Scene("A storm over a basin", dim=2)
scene.material("ice", density=917.0)
scene.joint("ice", "ice", friction=0.3, restitution={"poisson": 0.4})
scene.half_plane("west", normal=[1.0, 0.0], position=[0.0, 0.0], material="ice")
scene.half_plane("east", normal=[-1.0, 0.0], position=[8000.0, 0.0], material="ice")
scene.half_plane("south", normal=[0.0, 1.0], position=[0.0, 0.0], material="ice")
scene.half_plane("north", normal=[0.0, -1.0], position=[0.0, 5000.0], material="ice")
scene.rectangle("island", size=[800.0, 500.0], position=[4000.0, 2500.0], material="ice")
scene.floes(
    "pack",
    count=40,
    concentration=0.5,
    size=[8000.0, 5000.0],
    seed=2,
    material="ice",
    depths={"between": [0.8, 1.6]},
)
scene.support("island")
scene.probe("ice", quantity="concentration", of="pack", within=[[0, 0], [8000, 5000]])
scene.record(every=10)
scene.environment(
    latitude_deg=80.0,
    wind=[{"vortex": {"centre": [-6000.0, 2500.0], "radius": 5000.0, "speed": 20.0, "travel": [1.0, 0.0]}}],
)
scene.stage("events", duration=12000.0, step=60.0)

if __name__ == "__main__":
    print(scene.check())
