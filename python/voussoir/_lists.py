"""Methods of a scene, one per generator, shape, list and analysis.

Written by python/generate_keys.py from the JSON Schema of scenes; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ._values import MaterialLike, Select, Table, Vector, Vectors
from .selection import Body, Material, Named

if TYPE_CHECKING:
    from typing_extensions import Self

class ListKeys:
    """Materials, joints, supports, loads and what else a scene lists."""

    def _material(self, name: str, table: Table) -> Material:
        raise NotImplementedError

    def _joint(self, first: MaterialLike, second: MaterialLike, table: Table) -> None:
        raise NotImplementedError

    def _named(self, of: str, table: Table) -> Named:
        raise NotImplementedError

    def _append(self, of: str, table: Table) -> None:
        raise NotImplementedError

    def _table(self, key: str, table: Table) -> None:
        raise NotImplementedError

    def material(
        self,
        name: str,
        *,
        density: float,
        air_drag: float | None = None,
        compressive_strength: float | None = None,
        elastic: bool | None = None,
        like: str | None = None,
        poisson_ratio: float | None = None,
        tensile_strength: float | None = None,
        water_drag: float | None = None,
        young_modulus: float | None = None,
    ) -> Material:
        """A material.

        name: Name of the material.
        density: Density [kg/m³], above zero.
        air_drag: Drag coefficient of air on floes of this material; default: that of the environment.
        compressive_strength: Compressive strength [Pa]; default: that of `like`, or none.
        elastic: True: all blocks of this material are elastic in dynamic stages, with the defaults of
            `[[elastic]]`; default: rigid.
        like: A material of the library whose strengths and elastic constants are used: "tuffeau-dry",
            "granite", … (`voussoir materials`).
        poisson_ratio: Poisson's ratio of elastic blocks; default: that of `like`, else 0.2.
        tensile_strength: Tensile strength [Pa]; default: that of `like`, or none. Elastic blocks show how
            much of it is used.
        water_drag: Drag coefficient of water on floes of this material; default: that of the environment.
        young_modulus: Young's modulus of elastic blocks [Pa]; default: that of `like`.
        """
        table: dict[str, Any] = {
            "density": density,
            "air_drag": air_drag,
            "compressive_strength": compressive_strength,
            "elastic": elastic,
            "like": like,
            "poisson_ratio": poisson_ratio,
            "tensile_strength": tensile_strength,
            "water_drag": water_drag,
            "young_modulus": young_modulus,
        }
        return self._material(name, table)

    def joint(
        self,
        first: MaterialLike,
        second: MaterialLike,
        *,
        bond: Any | None = None,
        cohesion: float | None = None,
        crushing: bool | None = None,
        dynamic_friction: float | None = None,
        elastic: Table | None = None,
        friction: Any | None = None,
        initial_gap: bool | None = None,
        law: Literal["coulomb", "none"] | None = None,
        restitution: Any | None = None,
        thickness: float | None = None,
    ) -> None:
        """The law between two materials.

        first: A material; "*" is any material without a joint of its own.
        second: A material; "*" is any material without a joint of its own.
        bond: Bond: "glued", "hinged", `{ mohr-coulomb = {…} }`, `{ mac-czm = {…} }` or `{ bilinear = {…} }`.
            Default: none.
        cohesion: Cohesion c of soil [Pa]: ‖T‖ ≤ c S + μ N while pressed, never used up (a bond is something
            else). Needs `elastic`.
        crushing: Crushing: the contact stress is limited to the smaller compressive strength of the two
            materials; rigid dry joints only. Default false.
        dynamic_friction: Coefficient of friction while a contact slides, at most `friction`; default: the
            same.
        elastic: Springs of the joint: `{ normal = kn, tangential = kt }` [Pa/m], or from the moduli of
            `mortar` and `block`, or all of them in series. Default: rigid.
        friction: Coefficient of friction μ, zero or more, or `{ barton = {…} }`; no effect for law = "none".
        initial_gap: Initial gaps up to `thickness` count as zero: mortar beds of any shape fill them. Default
            false.
        law: The law; Coulomb friction with unilateral contact is the default.
        restitution: Restitution at impacts: a number e (Newton), `{ newton = e }` or `{ poisson = e }`, 0 …
            1. Default 0: inelastic.
        thickness: Distance at which the bodies are in contact [m]: thickness of mortar beds that are not
            modelled. Default 0.
        """
        table: dict[str, Any] = {
            "bond": bond,
            "cohesion": cohesion,
            "crushing": crushing,
            "dynamic_friction": dynamic_friction,
            "elastic": elastic,
            "friction": friction,
            "initial_gap": initial_gap,
            "law": law,
            "restitution": restitution,
            "thickness": thickness,
        }
        return self._joint(first, second, table)

    def support(
        self,
        select: Select,
        *,
        motion: Table | None = None,
    ) -> None:
        """Bodies that are fixed or have a prescribed motion.

        select: Which bodies.
        motion: Motion of the support; default: fixed.
        """
        table: dict[str, Any] = {
            "select": select,
            "motion": motion,
        }
        return self._append("supports", table)

    def load(
        self,
        name: str,
        *,
        on: Select,
        acceleration: Vector | None = None,
        fill: Table | None = None,
        force: Vector | None = None,
        function: Table | None = None,
        mass: bool | None = None,
        moment: float | Vector | None = None,
        point: Vector | None = None,
        pressure: Table | None = None,
    ) -> Named:
        """Force and torque on each selected body.

        name: Name of the load.
        on: Which bodies; each of them gets the whole force and torque.
        acceleration: Instead of `force`: mass of each body times this acceleration [m/s²].
        fill: Instead of `force`: weight of loose material on top of the bodies, up to a level.
        force: Force, world axes [N].
        function: Function of time that multiplies force and torque; default: constant 1.
        mass: True if the load is the weight of something that moves with the body: where the ground
            accelerates or tilts, its mass does too, attached to the centroid of the body. Default: true for
            `fill`, false for `force`, which must then point along gravity.
        moment: Torque, world axes [N·m]: a number in 2D, a vector in 3D.
        point: Point of application at the start, world axes [m]; it moves with the body. Default: the
            centroid. One body only.
        pressure: Instead of `force`: pressure on the faces of the bodies with a given outward normal.
        """
        table: dict[str, Any] = {
            "name": name,
            "select": on,
            "acceleration": acceleration,
            "fill": fill,
            "force": force,
            "function": function,
            "mass": mass,
            "moment": moment,
            "point": point,
            "pressure": pressure,
        }
        return self._named("loads", table)

    def added_mass(
        self,
        *,
        mass: float,
        select: Select,
    ) -> None:
        """Additional mass of bodies: it has weight and inertia, as a point mass at the centroid.

        mass: Mass [kg].
        select: Which bodies; each of them gets the whole mass.
        """
        table: dict[str, Any] = {
            "mass": mass,
            "select": select,
        }
        return self._append("added_masses", table)

    def cable(
        self,
        name: str,
        *,
        through: list[Any],
        at_rest: Literal["tie", "force"] | None = None,
        breaks: bool | None = None,
        closed: bool | None = None,
        diameter: float | None = None,
        fitted: bool | None = None,
        function: Table | None = None,
        modulus: float | None = None,
        prestrain: float | None = None,
        prestress: float | None = None,
        section: float | None = None,
        stiffness: float | None = None,
        strength: float | None = None,
        tensile_strength: float | None = None,
    ) -> Named:
        """A cable: carries tension only, slides through its anchors without friction (the ends of an open
        cable are fixed), and therefore has one tension: stiffness × elongation.

        name: Name of the cable: part of the name of its column in history.csv.
        through: Anchors in order: names or selections of bodies (at their centroids), or tables with `select`
            and `at` or `offset`.
        at_rest: Role in static analyses: "tie" (the tension that equilibrium requires, from zero to the
            strength) or "force" (its prestress). Default: "force" with a prestress, "tie" without.
        breaks: The cable breaks permanently if its tension exceeds the strength; default false.
        closed: The cable returns from the last anchor to the first: a ring. Default false.
        diameter: Diameter of a round cross-section [m], instead of `section`.
        fitted: Present from the start (default true); otherwise a stage fits the cable.
        function: Function of time that multiplies the prestress (a jack); default: constant 1.
        modulus: Young's modulus [Pa]: the stiffness is modulus × section / initial length.
        prestrain: Instead of `prestress`: initial strain, shortfall in length divided by path length; a
            negative value is slack.
        prestress: Tension at the time of fitting [N]; default 0: just taut.
        section: Cross-section [m²].
        stiffness: Stiffness of the whole cable [N/m]; or `modulus` with `section` or `diameter`.
        strength: Largest tension [N]; a larger tension is reported.
        tensile_strength: Instead of `strength`: tensile strength of the material [Pa], multiplied by the
            section.
        """
        table: dict[str, Any] = {
            "name": name,
            "through": through,
            "at_rest": at_rest,
            "breaks": breaks,
            "closed": closed,
            "diameter": diameter,
            "fitted": fitted,
            "function": function,
            "modulus": modulus,
            "prestrain": prestrain,
            "prestress": prestress,
            "section": section,
            "stiffness": stiffness,
            "strength": strength,
            "tensile_strength": tensile_strength,
        }
        return self._named("cables", table)

    def train(
        self,
        name: str,
        *,
        axles: list[Any],
        deck: Select,
        direction: Vector,
        start: Vector,
        contact: float | None = None,
        dispersion: Table | None = None,
        distance: Table | None = None,
        speed: float | None = None,
    ) -> Named:
        """Axle loads that travel together along a straight path over the tops of bodies: a truck, a
        locomotive. The loads act along gravity; where a support moves, the masses of the axles move with the
        blocks beneath them.

        name: Name of the train.
        axles: Its axles.
        deck: Deck: which bodies carry the train. Each axle loads the topmost of them beneath it.
        direction: Direction of travel, any length; only its horizontal part is used.
        start: Position of the first axle at distance 0, world axes [m]; its height has no effect.
        contact: Length of an axle load along the path [m]; default 0.2. Over a joint the load is shared by
            both sides.
        dispersion: Spread of the axle loads through fill; default: none.
        distance: Instead of `speed`: distance of the first axle from `start` [m], a function of time.
        speed: Constant speed [m/s]; the train is at `start` at time 0.
        """
        table: dict[str, Any] = {
            "name": name,
            "axles": axles,
            "deck": deck,
            "direction": direction,
            "start": start,
            "contact": contact,
            "dispersion": dispersion,
            "distance": distance,
            "speed": speed,
        }
        return self._named("trains", table)

    def probe(
        self,
        name: str,
        *,
        quantity: Literal["position", "displacement", "velocity", "force", "reaction", "moment", "eccentricity", "joint-stress", "opening", "slip", "stress", "von-mises", "largest-tension", "largest-compression", "concentration", "passed-area", "coordination", "largest-group", "utilisation", "cable-tension", "cut-load", "contacts"],
        about: Vector | None = None,
        cable: str | None = None,
        component: Literal["x", "y", "z", "length", "normal", "tangential", "xx", "yy", "zz", "yz", "zx", "xy", "principal-1", "principal-2", "principal-3", "pressure"] | None = None,
        height: float | None = None,
        line: Vectors | None = None,
        of: Select | None = None,
        point: Vector | None = None,
        status: Literal["open", "stick", "slide"] | None = None,
        with_: Select | None = None,
        within: Vectors | None = None,
    ) -> Named:
        """A named quantity of a run: one column of `history.csv`, named after the probe and its unit, and a
        plot of the report.

        name: Its name: letters, digits, `_` and `-`.
        quantity: Which quantity.
        about: Reference point of a "moment" [m]; default: the centroid of the bodies `of`.
        cable: Which cable, for "cable-tension": its name.
        component: Component. Vectors: "x", "y", "z" or "length" (default); forces also "normal" (sum of the
            normal forces, compression positive) and "tangential". Stresses: "xx", "yy", "zz", "yz", "zx",
            "xy", "principal-1" (largest tension) to "principal-3", or "pressure" (default).
        height: Height of the cut of a "cut-load" [m].
        line: The line of a "passed-area": a point [m], and a direction that points beyond the line.
        of: Of which bodies. All quantities but "cable-tension" and "cut-load" need it.
        point: A point of the surface of one elastic body `of`, as drawn [m]: "displacement", "von-mises",
            "largest-tension", "largest-compression" and "utilisation" are then those of the nearest point of
            its mesh.
        status: Which "contacts" are counted; default: all contacts with a force.
        with_: The other side of joints, for "force", "reaction", "moment", "eccentricity", "joint-stress",
            "opening", "slip" and "contacts"; default: all other bodies.
        within: The box of a "concentration": smallest and largest corner [m].
        """
        table: dict[str, Any] = {
            "name": name,
            "quantity": quantity,
            "about": about,
            "cable": cable,
            "component": component,
            "height": height,
            "line": line,
            "of": of,
            "point": point,
            "status": status,
            "with": with_,
            "within": within,
        }
        return self._named("probes", table)

    def record(
        self,
        *,
        checkpoint_every: Any | None = None,
        every: int | None = None,
        history_every: int | None = None,
        point_forces: Literal["as-solved", "coupled"] | None = None,
    ) -> None:
        """Output of a run.

        checkpoint_every: How often a checkpoint is written: `{ steps = n }` or `{ seconds = s }` of
            computing; default 30 seconds.
        every: Steps from one recorded frame to the next; default 10.
        history_every: Steps from one row of `history.csv` to the next; default 1. Steps that miss their
            tolerance always have a row.
        point_forces: How frames share the force of a joint among its points: "as-solved" (default), or
            "coupled": normal forces linear in position, friction in proportion. Resultants are the same.
        """
        table: dict[str, Any] = {
            "checkpoint_every": checkpoint_every,
            "every": every,
            "history_every": history_every,
            "point_forces": point_forces,
        }
        return self._table("record", table)

    def environment(
        self,
        *,
        air_density: float | None = None,
        air_drag: float | None = None,
        air_turning_deg: float | None = None,
        beta_plane: bool | None = None,
        coriolis: float | None = None,
        current: list[Any] | None = None,
        domain: Table | None = None,
        latitude_deg: float | None = None,
        scheme: Literal["midpoint", "euler"] | None = None,
        slab: Table | None = None,
        tilt: bool | None = None,
        water_density: float | None = None,
        water_drag: float | None = None,
        water_turning_deg: float | None = None,
        wind: list[Any] | None = None,
    ) -> None:
        """Environment of floes in a 2D scene that is seen from above: wind, current, Coriolis force. Gravity
        is then zero by default. Velocities in m/s.

        air_density: Density of air [kg/m³]; default 1.341.
        air_drag: Drag coefficient of air; default 1.7e-3. A material may have its own.
        air_turning_deg: Turning angle of the wind stress [degrees], counter-clockwise; default 0.
        beta_plane: True: the Coriolis parameter changes with y, to the north (β-plane); needs the latitude.
            Default false.
        coriolis: Coriolis parameter [1/s] at y = 0, instead of the latitude.
        current: Current; the sum of these fields. Default: still water.
        domain: Edges of the sea, for stages with analysis = "events"; default: without edges.
        latitude_deg: Latitude [degrees], negative in the south, for the Coriolis force at y = 0; default: no
            Coriolis force.
        scheme: Integration of the drift: "midpoint" (default: second order, stable for any step) or "euler"
            (explicit, for comparisons).
        slab: Layer of water under the ice that floes and wind drive, for stages with analysis = "events"; its
            velocity is added to the current. Default: none, the current is as given.
        tilt: True: the sea surface slopes with the current, so that a uniform current carries floes along.
            Default false.
        water_density: Density of water [kg/m³]; default 1024.071.
        water_drag: Drag coefficient of water; default 5e-3. A material may have its own.
        water_turning_deg: Turning angle of the stress of the water [degrees], counter-clockwise; default 0.
        wind: Wind; the sum of these fields. Default: still air.
        """
        table: dict[str, Any] = {
            "air_density": air_density,
            "air_drag": air_drag,
            "air_turning_deg": air_turning_deg,
            "beta_plane": beta_plane,
            "coriolis": coriolis,
            "current": current,
            "domain": domain,
            "latitude_deg": latitude_deg,
            "scheme": scheme,
            "slab": slab,
            "tilt": tilt,
            "water_density": water_density,
            "water_drag": water_drag,
            "water_turning_deg": water_turning_deg,
            "wind": wind,
        }
        return self._table("environment", table)

    def assessment(
        self,
        *,
        acceleration: float | None = None,
        cases: list[Any] | None = None,
        directions: list[str] | None = None,
        factors: Table | None = None,
        permanent: list[str] | None = None,
        preset: str | None = None,
        required: float | None = None,
    ) -> None:
        """Load cases, partial factors and requirements of `voussoir assess`.

        acceleration: Design acceleration of the ground [g]: adds a case for each of the directions.
        cases: Load cases; default: permanent actions alone, and with each variable action as the leading one.
        directions: Horizontal directions in which the collapse acceleration is computed: "x", "-x", …;
            default: both directions of all horizontal axes.
        factors: Factors that replace those of the preset.
        permanent: Names of loads that are permanent, besides fill and loads with `mass = true`.
        preset: Code from which factors are taken: "en-1990-road", "en-1990-rail", "en-1990-building",
            "en-1998-3-kl1", "-kl2", "-kl3", "uic-778-3" or "cs-454"; default: all factors are 1. `voussoir
            assess` lists the clauses.
        required: Adequacy factor that every case must reach; default 1.
        """
        table: dict[str, Any] = {
            "acceleration": acceleration,
            "cases": cases,
            "directions": directions,
            "factors": factors,
            "permanent": permanent,
            "preset": preset,
            "required": required,
        }
        return self._table("assessment", table)
