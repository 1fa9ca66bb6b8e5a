"""Two axles of 100 kN and 50 kN, 3 m apart, cross a stone beam on two bearings 10 m apart at 1 m/s. The axles are loads that
travel with the train; each acts on the beam below it, and the bearings share it by the lever rule.
Expect: right_n at 5 s = 118785 within 0.01 %, N: influence line, half the weight 58.86 kN + 100 x 4.995/10 + 50 x 1.995/10 (half a step behind)
Picture: --time 5 --show resultants,loads

The same scene as examples/axle_train.toml.
"""

import voussoir as vs

scene = vs.Scene("Two axles cross a beam", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.0)
scene.disc("left", radius=0.3, position=[0.0, -0.3], material="stone")
scene.disc("right", radius=0.3, position=[10.0, -0.3], material="stone")
scene.rectangle("beam", size=[12.0, 0.5], position=[5.0, 0.25], material="stone")
scene.support(["left", "right"])
scene.train(
    "truck",
    axles=[{"load": 100000.0}, {"load": 50000.0, "behind": 3.0}],
    deck="beam",
    start=[0.0, 0.0],
    direction=[1.0, 0.0],
    speed=1.0,
)
scene.probe("right", quantity="reaction", of="right", component="y")
scene.stage("dynamic", duration=6.0, step=0.01)

if __name__ == "__main__":
    print(scene.check())
