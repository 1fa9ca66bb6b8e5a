"""The thinnest hemispherical dome that carries its own weight. Its rings near the crown press against each other, those
below open along the meridians: the dome becomes a ring of narrow arches that lean on a cap.
Command: stand --vary dome.thickness --find smallest --between 0.040 0.046 --precision 2e-3
Expect: value = 0.0428 within 3 %, m for a mean radius of 1 m: t/R = 0.042 (Heyman 1995), 0.0428 (Lau 2006)
Picture: --view 30,25 --color pressure --show none

The same scene as examples/dome.toml.
"""

import voussoir as vs

scene = vs.Scene("Thinnest hemispherical dome")
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.6)
scene.dome("dome", material="stone", radius=1.0, thickness=0.06, rings=16, slices=12)

if __name__ == "__main__":
    print(scene.check())
