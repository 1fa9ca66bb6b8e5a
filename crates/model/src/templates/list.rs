//! The list of all templates with their parameters.

use super::{Kind, Template, TemplateParameter, parameter};
use super::{bridge, ice, masonry, round, samples, text};

const THICKNESS: TemplateParameter = parameter("thickness", "1", "thickness of the ice [m]", Kind::Positive);
const RESTITUTION: TemplateParameter =
    parameter("restitution", "0.4", "Poisson's coefficient of restitution", Kind::NotNegative);
const SEED: TemplateParameter = parameter("seed", "1", "seed of the random numbers", Kind::Seed);
/// Common parameters with the values of ice.
const ICE: [TemplateParameter; 5] = [
    parameter("friction", "0.3", "coefficient of friction", Kind::NotNegative),
    parameter("density", "917", "density [kg/m³]", Kind::Positive),
    parameter("dim", "2", "dimensions: 2", Kind::Dimension),
    parameter("duration", "60000", "simulated time [s]", Kind::Positive),
    parameter("step", "60", "force step [s]", Kind::Positive),
];

/// Parameters of a template: its own and those of [`ICE`].
macro_rules! ice {
    ($($own:expr),* $(,)?) => { &[$($own,)* ICE[0], ICE[1], ICE[2], ICE[3], ICE[4]] };
}

const NORMAL: TemplateParameter =
    parameter("normal", "1.596e9", "normal springs between grains [Pa/m]", Kind::Positive);
const TANGENTIAL: TemplateParameter =
    parameter("tangential", "0.666e9", "tangential springs between grains [Pa/m]", Kind::Positive);
const PACKING: TemplateParameter = parameter("seed", "1", "seed of the packing", Kind::Seed);

/// All templates, in the order in which they are listed.
pub(super) const TEMPLATES: &[Template] = &[
    Template {
        name: "stack",
        summary: "cubes on top of each other",
        own: &[
            parameter("count", "10", "number of cubes", Kind::Count),
            parameter("size", "1", "edge of a cube [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::stack,
    },
    Template {
        name: "column",
        summary: "a column of drums",
        own: &[
            parameter("drums", "6", "number of drums", Kind::Count),
            parameter("drum_height", "1", "height of a drum [m]", Kind::Positive),
            parameter("radius", "0.6", "radius at the foot [m]", Kind::Positive),
            parameter("top_radius", "0.5", "radius at the top [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::column,
    },
    Template {
        name: "wall",
        summary: "a running-bond wall of whole and half bricks",
        own: &[
            parameter("courses", "20", "number of courses", Kind::Count),
            parameter("bricks", "10", "whole bricks in an even course", Kind::Count),
            parameter("brick", "[0.5, 0.25, 0.25]", "length, width and height of a brick [m]", Kind::ThreePositive),
        ],
        dimensions: &[2, 3],
        write: text::wall,
    },
    Template {
        name: "masonry-wall",
        summary: "a wall in any bond with a door under a flat arch",
        own: &[
            parameter("bond", "english", "stretcher, english, flemish or american", Kind::Bond),
            parameter("length", "5", "length of the wall [m]", Kind::Positive),
            parameter("courses", "14", "number of courses", Kind::Count),
            parameter("brick", "[0.5, 0.25, 0.25]", "length, width and height of a brick [m]", Kind::ThreePositive),
            parameter("door", "1.2", "width of the door [m]", Kind::Positive),
            parameter("stones", "7", "stones of the flat arch", Kind::Count),
        ],
        dimensions: &[2, 3],
        write: masonry::wall,
    },
    Template {
        name: "arch-wall",
        summary: "a wall with an arch whose voussoirs are stepped to the courses",
        own: &[
            parameter("length", "16.2", "length of the wall [m]", Kind::Positive),
            parameter("courses", "10", "number of courses", Kind::Count),
            parameter("brick", "[1.0, 0.8, 0.5]", "length, width and height of a brick [m]", Kind::ThreePositive),
            parameter("radius", "3.8", "inner radius of the arch [m]", Kind::Positive),
            parameter("thickness", "0.6", "thickness of the ring [m]", Kind::Positive),
            parameter("voussoirs", "28", "number of voussoirs", Kind::Count),
        ],
        dimensions: &[2, 3],
        write: masonry::arch_wall,
    },
    Template {
        name: "arch",
        summary: "a circular arch between two springers",
        own: &[
            parameter("radius", "3.8", "inner radius [m]", Kind::Positive),
            parameter("thickness", "0.6", "thickness of the ring [m]", Kind::Positive),
            parameter("width", "0.8", "width [m]", Kind::Positive),
            parameter("voussoirs", "27", "number of voussoirs", Kind::Count),
            parameter("embrace_deg", "180", "embraced angle [degrees]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::arch,
    },
    Template {
        name: "bridge",
        summary: "a bridge of segmental spans on piers, with backing",
        own: &[
            parameter("spans", "2", "number of spans", Kind::Count),
            parameter("span", "8", "clear span [m]", Kind::Positive),
            parameter("rise", "2", "rise of the intrados [m]", Kind::Positive),
            parameter("thickness", "0.5", "thickness of the rings [m]", Kind::Positive),
            parameter("voussoirs", "25", "voussoirs of a ring", Kind::Count),
            parameter("pier", "2", "width of the piers [m]", Kind::Positive),
            parameter("height", "4", "height of the piers [m]", Kind::Positive),
            parameter("cover", "0.5", "height of the road above the crown [m]", Kind::NotNegative),
            parameter("width", "5", "width [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: bridge::bridge,
    },
    Template {
        name: "flying-buttress",
        summary: "half an arch between a pier with a pinnacle and a wall",
        own: &[
            parameter("span", "6", "clear distance between pier and wall [m]", Kind::Positive),
            parameter("rise", "4", "rise of the intrados [m]", Kind::Positive),
            parameter("thickness", "0.5", "thickness of the ring [m]", Kind::Positive),
            parameter("voussoirs", "12", "number of voussoirs", Kind::Count),
            parameter("pier", "1.8", "width of the pier [m]", Kind::Positive),
            parameter("height", "8", "height of the pier up to the springing [m]", Kind::Positive),
            parameter("pinnacle", "2", "height of the pinnacle [m]", Kind::Positive),
            parameter("width", "1", "width [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: bridge::flying_buttress,
    },
    Template {
        name: "stair",
        summary: "a stair of treads around an axis",
        own: &[
            parameter("treads", "12", "number of treads", Kind::Count),
            parameter("inner_radius", "0.5", "inner radius [m]", Kind::Positive),
            parameter("outer_radius", "1.8", "outer radius [m]", Kind::Positive),
            parameter("rise", "0.1", "height from tread to tread [m]", Kind::Positive),
            parameter("turn_deg", "17", "angle of a tread [degrees]", Kind::Positive),
            parameter("thickness", "0.15", "thickness of a tread [m]", Kind::Positive),
        ],
        dimensions: &[3],
        write: round::stair,
    },
    Template {
        name: "masonry-cylinder",
        summary: "a full cylinder of rings of blocks over a hole, in which a false dome forms",
        own: &[
            parameter("radius", "3", "outer radius [m]", Kind::Positive),
            parameter("courses", "6", "number of courses", Kind::Count),
            parameter("course_height", "0.4", "height of a course [m]", Kind::Positive),
            parameter("rings", "4", "rings of blocks in a course", Kind::Count),
            parameter("slices", "12", "blocks of a ring", Kind::Count),
            parameter("hole", "2.8", "diameter of the hole [m]", Kind::Positive),
        ],
        dimensions: &[3],
        write: round::cylinder,
    },
    Template {
        name: "pier-dome",
        summary: "a dome with an oculus on piers, with courses of springers",
        own: &[
            parameter("radius", "3.8", "mean radius [m]", Kind::Positive),
            parameter("thickness", "0.4", "thickness [m]", Kind::Positive),
            parameter("rings", "9", "rings, springers included", Kind::Count),
            parameter("slices", "25", "blocks of a whole ring", Kind::Count),
            parameter("oculus_deg", "8", "oculus, from the axis [degrees]", Kind::Positive),
            parameter("piers", "5", "number of piers", Kind::Count),
            parameter("pier", "[0.7, 0.4, 2.0]", "width, depth and height of a pier [m]", Kind::ThreePositive),
        ],
        dimensions: &[3],
        write: round::pier_dome,
    },
    Template {
        name: "pile",
        summary: "random stones that fall into a container",
        own: &[
            parameter("count", "60", "number of stones", Kind::Count),
            parameter("seed", "1", "seed of the random numbers", Kind::Seed),
            parameter("size", "0.2", "largest diameter of a stone [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::pile,
    },
    Template {
        name: "ice-channel",
        summary: "ice floes that the wind drives through a narrowing channel",
        own: ice![
            parameter("opening", "600", "width of the channel [m]", Kind::Positive),
            parameter("count", "150", "number of floes", Kind::Count),
            parameter("concentration", "0.7", "area of floes over area, at most 1", Kind::Positive),
            parameter("wind", "10", "speed of the wind [m/s]", Kind::NotNegative),
            THICKNESS,
            RESTITUTION,
            SEED,
        ],
        dimensions: &[2],
        write: ice::channel,
    },
    Template {
        name: "ice-basin",
        summary: "ice floes in a basin with an island under a travelling storm",
        own: ice![
            parameter("size", "10000", "side of the basin [m]", Kind::Positive),
            parameter("count", "100", "number of floes", Kind::Count),
            parameter("concentration", "0.6", "area of floes over area, at most 1", Kind::Positive),
            parameter("wind", "20", "largest speed of the wind [m/s]", Kind::NotNegative),
            THICKNESS,
            RESTITUTION,
            SEED,
        ],
        dimensions: &[2],
        write: ice::basin,
    },
    Template {
        name: "ice-row",
        summary: "a row of ice floes that the wind presses against a wall",
        own: ice![
            parameter("count", "10", "number of floes", Kind::Count),
            parameter("side", "100", "side of a floe [m]", Kind::Positive),
            parameter("gap", "3", "gap between floes [m]", Kind::Positive),
            parameter("wind", "10", "speed of the wind [m/s]", Kind::NotNegative),
            THICKNESS,
            RESTITUTION,
        ],
        dimensions: &[2],
        write: ice::row,
    },
    Template {
        name: "ice-ship",
        summary: "a ship on a path through a pack of ice floes",
        own: &[
            parameter("speed", "2", "speed of the ship [m/s]", Kind::Positive),
            parameter("count", "150", "number of floes", Kind::Count),
            parameter("concentration", "0.6", "area of floes over area, at most 1", Kind::Positive),
            parameter("wind", "5", "speed of the wind [m/s]", Kind::NotNegative),
            THICKNESS,
            RESTITUTION,
            SEED,
            ICE[0],
            ICE[1],
            ICE[2],
            parameter("duration", "1000", "simulated time [s]", Kind::Positive),
            parameter("step", "1", "force step [s]", Kind::Positive),
        ],
        dimensions: &[2],
        write: ice::ship,
    },
    Template {
        name: "ice-shear",
        summary: "ice floes in a sheared current, doubly periodic",
        own: ice![
            parameter("size", "100000", "side of the domain [m]", Kind::Positive),
            parameter("count", "200", "number of floes", Kind::Count),
            parameter("concentration", "0.75", "area of floes over area, at most 1", Kind::Positive),
            parameter("current", "0.5", "largest speed of the current [m/s]", Kind::NotNegative),
            THICKNESS,
            RESTITUTION,
            SEED,
        ],
        dimensions: &[2],
        write: ice::shear,
    },
    Template {
        name: "oedometer",
        summary: "test on a sample: a lid pressed into a box of grains; modulus",
        own: &[
            parameter("width", "1", "width of the sample [m]", Kind::Positive),
            parameter("height", "1", "height of the sample [m]", Kind::Positive),
            parameter("lid", "2600", "weight of the lid [N]", Kind::Positive),
            parameter("load", "25e3", "load increment [N]", Kind::Positive),
            parameter("increments", "12", "number of increments", Kind::Count),
            parameter("count", "47", "number of discs", Kind::Count),
            parameter("porosity", "0.205", "porosity of the packing", Kind::Positive),
            NORMAL,
            TANGENTIAL,
            parameter("cohesion", "10e3", "cohesion between grains [Pa]", Kind::NotNegative),
            PACKING,
        ],
        dimensions: &[2],
        write: samples::oedometer,
    },
    Template {
        name: "biaxial",
        summary: "test on a sample: a lid pressed down between walls under pressure; angle of friction",
        own: &[
            parameter("width", "1", "width of the sample [m]", Kind::Positive),
            parameter("height", "2", "height of the sample [m]", Kind::Positive),
            parameter("pressure", "100e3", "pressure on the walls and the lid [Pa]", Kind::Positive),
            parameter("load", "10e3", "load increment on the lid [N]", Kind::Positive),
            parameter("count", "200", "number of discs", Kind::Count),
            parameter("porosity", "0.18", "porosity of the packing", Kind::Positive),
            NORMAL,
            TANGENTIAL,
            parameter("cohesion", "0", "cohesion between grains [Pa]", Kind::NotNegative),
            PACKING,
        ],
        dimensions: &[2],
        write: samples::biaxial,
    },
    Template {
        name: "direct-shear",
        summary: "test on a sample: the upper half of a box pushed over the lower half; angle of friction",
        own: &[
            parameter("width", "1", "width of the sample [m]", Kind::Positive),
            parameter("height", "0.5", "height of the sample [m]", Kind::Positive),
            parameter("pressure", "100e3", "pressure on the lid [Pa]", Kind::Positive),
            parameter("load", "2e3", "load increment [N]", Kind::Positive),
            parameter("count", "150", "number of discs", Kind::Count),
            parameter("porosity", "0.18", "porosity of the packing", Kind::Positive),
            NORMAL,
            TANGENTIAL,
            parameter("cohesion", "0", "cohesion between grains [Pa]", Kind::NotNegative),
            PACKING,
        ],
        dimensions: &[2],
        write: samples::direct_shear,
    },
    Template {
        name: "repose",
        summary: "test on a sample: grains that slide out of a box; angle of repose",
        own: &[
            parameter("width", "1", "width of the box [m]", Kind::Positive),
            parameter("height", "0.8", "height of the box [m]", Kind::Positive),
            parameter("count", "300", "number of discs", Kind::Count),
            parameter("porosity", "0.2", "porosity of the packing", Kind::Positive),
            NORMAL,
            TANGENTIAL,
            parameter("cohesion", "0", "cohesion between grains [Pa]", Kind::NotNegative),
            PACKING,
        ],
        dimensions: &[2],
        write: samples::repose,
    },
];
