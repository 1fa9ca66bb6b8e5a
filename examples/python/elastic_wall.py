"""A wall of irregular stones with a window under a flat arch; 150 kPa act on its top. The stones are elastic: the joint forces are
unique, and the results show the stresses. `contact_grid = 2` lets joints open by parts.
Expect: weight_n at 0.4 s = 782760 within 0.01 %, N: weight and load on the ground
Picture: --color von-mises --show contacts,cracks,loads --exaggerate 1000

The same scene as examples/elastic_wall.toml.
"""

import voussoir as vs

scene = vs.Scene("Elastic wall of irregular stones", dim=2)
scene.material(
    "stone",
    density=2300.0,
    elastic=True,
    young_modulus=10000000000.0,
    poisson_ratio=0.2,
    tensile_strength=600000.0,
    compressive_strength=10000000.0,
)
scene.joint("stone", "stone", friction=0.6)
scene.rectangle("ground", size=[4.4, 0.3], position=[2.0, -0.15], material="stone")
scene.polygon("c0b0", vertices=[[0, 0], [0.72, 0], [0.74, 0.2748], [0, 0.26]], material="stone")
scene.polygon("c0b1", vertices=[[0.72, 0], [1.36, 0], [1.36, 0.2872], [0.74, 0.2748]], material="stone")
scene.polygon("c0b2", vertices=[[1.36, 0], [2.1, 0], [2.1, 0.302], [1.36, 0.2872]], material="stone")
scene.polygon("c0b3", vertices=[[2.1, 0], [2.62, 0], [2.64, 0.3128], [2.1, 0.302]], material="stone")
scene.polygon("c0b4", vertices=[[2.62, 0], [3.4, 0], [3.38, 0.3276], [2.64, 0.3128]], material="stone")
scene.polygon("c0b5", vertices=[[3.4, 0], [4, 0], [4, 0.34], [3.38, 0.3276]], material="stone")
scene.polygon("c1b0", vertices=[[0, 0.26], [0.4, 0.268], [0.41, 0.5918], [0, 0.6]], material="stone")
scene.polygon(
    "c1b1",
    vertices=[[0.4, 0.268], [1.02, 0.2804], [1.01, 0.5798], [0.41, 0.5918]],
    material="stone",
)
scene.polygon(
    "c1b2",
    vertices=[[1.02, 0.2804], [1.8, 0.296], [1.78, 0.5644], [1.01, 0.5798]],
    material="stone",
)
scene.polygon(
    "c1b3",
    vertices=[[1.8, 0.296], [2.38, 0.3076], [2.37, 0.5526], [1.78, 0.5644]],
    material="stone",
)
scene.polygon(
    "c1b4",
    vertices=[[2.38, 0.3076], [3.04, 0.3208], [3.02, 0.5396], [2.37, 0.5526]],
    material="stone",
)
scene.polygon(
    "c1b5",
    vertices=[[3.04, 0.3208], [3.62, 0.3324], [3.62, 0.5276], [3.02, 0.5396]],
    material="stone",
)
scene.polygon("c1b6", vertices=[[3.62, 0.3324], [4, 0.34], [4, 0.52], [3.62, 0.5276]], material="stone")
scene.polygon("c2b0", vertices=[[0, 0.6], [0.66, 0.5868], [0.67, 0.8734], [0, 0.86]], material="stone")
scene.polygon("c2b1", vertices=[[0.66, 0.5868], [1.5, 0.57], [1.5, 0.89], [0.67, 0.8734]], material="stone")
scene.polygon("c2b2", vertices=[[2.5, 0.55], [3.32, 0.5336], [3.31, 0.9262], [2.5, 0.91]], material="stone")
scene.polygon("c2b3", vertices=[[3.32, 0.5336], [4, 0.52], [4, 0.94], [3.31, 0.9262]], material="stone")
scene.polygon("c3b0", vertices=[[0, 0.86], [0.38, 0.8676], [0.39, 1.2922], [0, 1.3]], material="stone")
scene.polygon(
    "c3b1",
    vertices=[[0.38, 0.8676], [1.02, 0.8804], [1.04, 1.2792], [0.39, 1.2922]],
    material="stone",
)
scene.polygon("c3b2", vertices=[[1.02, 0.8804], [1.5, 0.89], [1.5, 1.27], [1.04, 1.2792]], material="stone")
scene.polygon("c3b3", vertices=[[2.5, 0.91], [2.94, 0.9188], [2.92, 1.2416], [2.5, 1.25]], material="stone")
scene.polygon(
    "c3b4",
    vertices=[[2.94, 0.9188], [3.58, 0.9316], [3.6, 1.228], [2.92, 1.2416]],
    material="stone",
)
scene.polygon("c3b5", vertices=[[3.58, 0.9316], [4, 0.94], [4, 1.22], [3.6, 1.228]], material="stone")
scene.polygon("c4b0", vertices=[[0, 1.3], [0.58, 1.2884], [0.57, 1.5914], [0, 1.58]], material="stone")
scene.polygon("c4b1", vertices=[[0.58, 1.2884], [1.5, 1.27], [1.25, 1.605], [0.57, 1.5914]], material="stone")
scene.polygon("arch1", vertices=[[1.5, 1.27], [1.7, 1.266], [1.55, 1.611], [1.25, 1.605]], material="stone")
scene.polygon("arch2", vertices=[[1.7, 1.266], [1.9, 1.262], [1.85, 1.617], [1.55, 1.611]], material="stone")
scene.polygon("arch3", vertices=[[1.9, 1.262], [2.1, 1.258], [2.15, 1.623], [1.85, 1.617]], material="stone")
scene.polygon("arch4", vertices=[[2.1, 1.258], [2.3, 1.254], [2.45, 1.629], [2.15, 1.623]], material="stone")
scene.polygon("arch5", vertices=[[2.3, 1.254], [2.5, 1.25], [2.75, 1.635], [2.45, 1.629]], material="stone")
scene.polygon("c4b2", vertices=[[2.5, 1.25], [3.38, 1.2324], [3.36, 1.6472], [2.75, 1.635]], material="stone")
scene.polygon("c4b3", vertices=[[3.38, 1.2324], [4, 1.22], [4, 1.66], [3.36, 1.6472]], material="stone")
scene.polygon("c5b0", vertices=[[0, 1.58], [0.36, 1.5872], [0.35, 1.953], [0, 1.96]], material="stone")
scene.polygon(
    "c5b1",
    vertices=[[0.36, 1.5872], [0.98, 1.5996], [0.99, 1.9402], [0.35, 1.953]],
    material="stone",
)
scene.polygon("c5b2", vertices=[[0.98, 1.5996], [1.5, 1.61], [1.5, 1.93], [0.99, 1.9402]], material="stone")
scene.polygon("c5b3", vertices=[[1.5, 1.61], [2.18, 1.6236], [2.17, 1.9166], [1.5, 1.93]], material="stone")
scene.polygon(
    "c5b4",
    vertices=[[2.18, 1.6236], [2.84, 1.6368], [2.85, 1.903], [2.17, 1.9166]],
    material="stone",
)
scene.polygon(
    "c5b5",
    vertices=[[2.84, 1.6368], [3.4, 1.648], [3.39, 1.8922], [2.85, 1.903]],
    material="stone",
)
scene.polygon("c5b6", vertices=[[3.4, 1.648], [4, 1.66], [4, 1.88], [3.39, 1.8922]], material="stone")
scene.polygon("topb0", vertices=[[0, 1.96], [0.62, 1.9476], [0.6, 2.2], [0, 2.2]], material="stone")
scene.polygon("topb1", vertices=[[0.62, 1.9476], [1.2, 1.936], [1.19, 2.2], [0.6, 2.2]], material="stone")
scene.polygon("topb2", vertices=[[1.2, 1.936], [1.88, 1.9224], [1.9, 2.2], [1.19, 2.2]], material="stone")
scene.polygon("topb3", vertices=[[1.88, 1.9224], [2.56, 1.9088], [2.58, 2.2], [1.9, 2.2]], material="stone")
scene.polygon("topb4", vertices=[[2.56, 1.9088], [3.1, 1.898], [3.11, 2.2], [2.58, 2.2]], material="stone")
scene.polygon("topb5", vertices=[[3.1, 1.898], [4, 1.88], [4, 2.2], [3.11, 2.2]], material="stone")
scene.support("ground")
scene.load("floor", on="top*", pressure={"value": 150000.0, "face": [0.0, 1.0]})
scene.probe("weight", quantity="cut-load", height=0.01)
scene.probe("tension", quantity="largest-tension", of="arch*")
scene.probe("used", quantity="utilisation", of="arch*")
scene.stage("dynamic", duration=0.4, step=0.005, theta=1.0)

if __name__ == "__main__":
    print(scene.check())
