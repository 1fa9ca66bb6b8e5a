"""Five equal blocks of 1 m, each pushed out over the one below as far as it goes. How far can the centre of the top block be
from the edge of the table?
Command: stand --vary one.position[0] --find largest --between 0.5 0.8
Expect: value = 0.641667 within 0.01 %, m: L/2 (1 + 1/2 + 1/3 + 1/4 + 1/5) less half a block, the harmonic series
Picture: --show resultants,centres

The same scene as examples/overhang.toml.
"""

import voussoir as vs

scene = vs.Scene("Overhanging blocks", dim=2)
scene.material("wood", density=700.0)
scene.joint("wood", "wood", friction=0.6)
scene.rectangle("table", size=[2.0, 0.1], position=[-1.0, -0.05], material="wood")
scene.rectangle("five", size=[1.0, 0.1], position=[-0.4, 0.05], material="wood")
scene.rectangle("four", size=[1.0, 0.1], position=[-0.275, 0.15], material="wood")
scene.rectangle("three", size=[1.0, 0.1], position=[-0.1083333333, 0.25], material="wood")
scene.rectangle("two", size=[1.0, 0.1], position=[0.1416666667, 0.35], material="wood")
scene.rectangle("one", size=[1.0, 0.1], position=[0.6, 0.45], material="wood")
scene.support("table")

if __name__ == "__main__":
    print(scene.check())
