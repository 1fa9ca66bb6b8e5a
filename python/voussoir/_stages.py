"""Methods of a scene, one per generator, shape, list and analysis.

Written by python/generate_keys.py from the JSON Schema of scenes; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ._values import MaterialLike, Select, Table, Vector, Vectors
from .selection import Body, Material, Named

if TYPE_CHECKING:
    from typing_extensions import Self

class StageKeys:
    """Analyses of a scene."""

    def _with_stage(self, table: Table) -> Self:
        raise NotImplementedError

    def dynamic(
        self,
        *,
        alert: float | None = None,
        build: Table | None = None,
        detection: Literal["clip", "common-plane", "swept", "rounded"] | None = None,
        duration: float | None = None,
        friction_law: Literal["coulomb", "associated"] | None = None,
        gap: Literal["clip", "stabilized"] | None = None,
        motion_tolerance: float | None = None,
        nodes: Literal["all", "four", "three"] | None = None,
        points: int | None = None,
        recovery_speed: float | None = None,
        rounding: float | None = None,
        solver: Literal["auto", "nlgs", "sap", "interior-point", "proximal-newton", "semismooth-newton", "smoothing-newton", "admm", "apgd", "p-spg-fb", "lemke", "face-elements"] | None = None,
        step: Any | None = None,
        theta: float | None = None,
        tolerance: float | None = None,
        add: Select | None = None,
        cables: list[Any] | None = None,
        placement: Literal["as-drawn", "on-what-is-there"] | None = None,
        release: Select | None = None,
        remove: Select | None = None,
    ) -> Self:
        """A copy of this scene with one stage. Motion in time: Moreau–Jean time stepping.

        alert: Distance up to which contacts are detected [m]; default: from the sizes and speeds of the
            bodies.
        build: Bodies that are added in the course of the stage, one group after the other.
        detection: Method of contact detection: "clip" (default), "common-plane", "swept" or, in 2D,
            "rounded".
        duration: Simulated time [s]; with `build` the time after the last pause, default none.
        friction_law: Law of friction: "coulomb" (default) or "associated" (sliding opens the joint; a
            relaxation for comparisons).
        gap: Penetration: "clip" (default: initial overlaps stay, penetration added by motion beyond 1e-5 of a
            block's size is removed) or "stabilized" (all of it is pushed out).
        motion_tolerance: Largest residual accepted in motion, where the solvers do not reach the tolerance;
            default 100 × `tolerance`, at most 1e-6. Structures at rest always meet the tolerance.
        nodes: Contact nodes of two convex shapes: "all" (default), "four" or "three" at most.
        points: Points of a joint between two sides in 2D: 2 (default), or 3 with the weights 1/6, 2/3, 1/6.
        recovery_speed: Largest speed at which penetration is pushed out [m/s], with gap = "stabilized";
            default 0.1.
        rounding: Distance of the tangent points of rounded corners from the corner [m], with detection =
            "rounded".
        solver: Contact solver; default "auto", which chooses by size and state of the problem.
        step: Time step [s]; "auto", or `{ least = …, largest = …, error = … }`, for steps as long as their
            error and the contacts allow.
        theta: θ of the Moreau–Jean scheme, 0.5 … 1; default 0.5.
        tolerance: Tolerance on the unit-free residual of the contact law; default 1e-8.
        add: Bodies that are added when the stage begins; before, they are absent.
        cables: Cables that are fitted, tightened, loosened or removed when the stage begins.
        placement: Where added bodies are put: "as-drawn" (default) or "on-what-is-there".
        release: Supports that are released when the stage begins: they become free and keep their velocity.
        remove: Bodies that are removed when the stage begins, such as centring.
        """
        table: dict[str, Any] = {
            "analysis": "dynamic",
            "alert": alert,
            "build": build,
            "detection": detection,
            "duration": duration,
            "friction_law": friction_law,
            "gap": gap,
            "motion_tolerance": motion_tolerance,
            "nodes": nodes,
            "points": points,
            "recovery_speed": recovery_speed,
            "rounding": rounding,
            "solver": solver,
            "step": step,
            "theta": theta,
            "tolerance": tolerance,
            "add": add,
            "cables": cables,
            "placement": placement,
            "release": release,
            "remove": remove,
        }
        return self._with_stage(table)

    def explicit(
        self,
        *,
        critical: Literal["gerschgorin", "simple", "eigen"] | None = None,
        damping: Any | None = None,
        duration: float | None = None,
        guides: list[Any] | None = None,
        increments: Table | None = None,
        margin: float | None = None,
        mass_scaling: Any | None = None,
        points: int | None = None,
        rounding: float | None = None,
        safety: float | None = None,
        step: Any | None = None,
        until: Table | None = None,
        add: Select | None = None,
        cables: list[Any] | None = None,
        placement: Literal["as-drawn", "on-what-is-there"] | None = None,
        release: Select | None = None,
        remove: Select | None = None,
    ) -> Self:
        """A copy of this scene with one stage. Discrete elements in the plane: blocks and discs on elastic
        contacts, central differences.

        critical: Estimate of the critical step: "gerschgorin" (default), "simple" or "eigen".
        damping: Damping: "none" (default), `{ viscous = α }` [1/s], `{ adaptive = {…} }` or `{ local = {…}
            }`.
        duration: Simulated time [s].
        guides: Bodies that move along an axis only, for instance a loading block.
        increments: Load increments, each held until the structure rests or falls.
        margin: Distance that a body may travel before contacts are detected again [m]; default: 2 % of the
            smallest size.
        mass_scaling: Fictitious masses for equilibrium searches: "even", or `{ step = s }`. Weights stay
            true. Default: true masses.
        points: Points of a joint between two sides: 2 (default), or 3 with the weights 1/6, 2/3, 1/6.
        rounding: Distance of the tangent points of rounded corners from the corner [m]; default: a fiftieth
            of the shortest side.
        safety: Automatic step divided by the critical step, 0 … 1; default 0.8.
        step: Time step: "auto" (default), or a number of seconds, at most the critical step.
        until: The stage ends when forces balance: `{ unbalanced = 1e-4 }`.
        add: Bodies that are added when the stage begins; before, they are absent.
        cables: Cables that are fitted, tightened, loosened or removed when the stage begins.
        placement: Where added bodies are put: "as-drawn" (default) or "on-what-is-there".
        release: Supports that are released when the stage begins: they become free and keep their velocity.
        remove: Bodies that are removed when the stage begins, such as centring.
        """
        table: dict[str, Any] = {
            "analysis": "explicit",
            "critical": critical,
            "damping": damping,
            "duration": duration,
            "guides": guides,
            "increments": increments,
            "margin": margin,
            "mass_scaling": mass_scaling,
            "points": points,
            "rounding": rounding,
            "safety": safety,
            "step": step,
            "until": until,
            "add": add,
            "cables": cables,
            "placement": placement,
            "release": release,
            "remove": remove,
        }
        return self._with_stage(table)

    def static(
        self,
        *,
        tolerance: float | None = None,
        add: Select | None = None,
        cables: list[Any] | None = None,
        placement: Literal["as-drawn", "on-what-is-there"] | None = None,
        release: Select | None = None,
        remove: Select | None = None,
    ) -> Self:
        """A copy of this scene with one stage. Stands or not, and by what margin, in the state that the
        previous stages have left. Takes no time.

        tolerance: Tolerance on the imbalance of forces, relative to the loads; default 1e-8.
        add: Bodies that are added when the stage begins; before, they are absent.
        cables: Cables that are fitted, tightened, loosened or removed when the stage begins.
        placement: Where added bodies are put: "as-drawn" (default) or "on-what-is-there".
        release: Supports that are released when the stage begins: they become free and keep their velocity.
        remove: Bodies that are removed when the stage begins, such as centring.
        """
        table: dict[str, Any] = {
            "analysis": "static",
            "tolerance": tolerance,
            "add": add,
            "cables": cables,
            "placement": placement,
            "release": release,
            "remove": remove,
        }
        return self._with_stage(table)

    def events(
        self,
        *,
        collision_distance: float | None = None,
        duration: float | None = None,
        impacts: int | None = None,
        lemke_contacts: int | None = None,
        relaxation: float | None = None,
        solver: Literal["auto", "nlgs", "sap", "interior-point", "proximal-newton", "semismooth-newton", "smoothing-newton", "admm", "apgd", "p-spg-fb", "lemke", "face-elements"] | None = None,
        step: float | None = None,
        tolerance: float | None = None,
        add: Select | None = None,
        cables: list[Any] | None = None,
        placement: Literal["as-drawn", "on-what-is-there"] | None = None,
        release: Select | None = None,
        remove: Select | None = None,
    ) -> Self:
        """A copy of this scene with one stage. Motion from impact to impact, for floes in 2D.

        collision_distance: Distance up to which contacts belong to the cluster of an impact [m]; default: a
            hundredth of √area of the smaller floe. Zero: impacts of single pairs one after the other, unless
            they touch exactly.
        duration: Simulated time [s].
        impacts: Impacts of a floe in one force step after which it goes over to dynamic steps with persistent
            contacts, until no contact acts on it any more; default 16.
        lemke_contacts: Contacts of the largest cluster that goes to Lemke's method; default 8.
        relaxation: Speed at which contacts may still close after an impact [m/s], for jammed packs; default
            0.
        solver: Contact solver of larger clusters; default "auto".
        step: Force step [s]: wind, water and loads act with their values at its middle. Impacts happen at any
            time in it.
        tolerance: Tolerance on the unit-free error of every complementarity problem; default 1e-8.
        add: Bodies that are added when the stage begins; before, they are absent.
        cables: Cables that are fitted, tightened, loosened or removed when the stage begins.
        placement: Where added bodies are put: "as-drawn" (default) or "on-what-is-there".
        release: Supports that are released when the stage begins: they become free and keep their velocity.
        remove: Bodies that are removed when the stage begins, such as centring.
        """
        table: dict[str, Any] = {
            "analysis": "events",
            "collision_distance": collision_distance,
            "duration": duration,
            "impacts": impacts,
            "lemke_contacts": lemke_contacts,
            "relaxation": relaxation,
            "solver": solver,
            "step": step,
            "tolerance": tolerance,
            "add": add,
            "cables": cables,
            "placement": placement,
            "release": release,
            "remove": remove,
        }
        return self._with_stage(table)
