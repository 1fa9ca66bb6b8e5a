"""An equilateral pointed arch (mean radius = mean span) can be thinner than the semicircular arch over the same span, which
needs 0.1074 of its mean radius.
Command: stand --vary arch.thickness --find smallest --between 0.05 0.2
Expect: value = 0.0799 within 2 %, m for a mean half span of 1 m: rigid-block linear program, 120 voussoirs (validation case V5.3)
Picture: thrust.svg

The same scene as examples/pointed_arch.toml.
"""

import voussoir as vs

scene = vs.Scene("Thinnest equilateral pointed arch", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.arch("arch", kind="pointed", material="stone", span=1.92, radius=1.96, thickness=0.12, voussoirs=60)

if __name__ == "__main__":
    print(scene.check())
