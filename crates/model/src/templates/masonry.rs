//! Templates of walls in bond with openings.

use super::Values;
use super::text::{foot, head, hints};

/// The bonds, in the order of their numbers.
pub(super) const BONDS: [&str; 4] = ["stretcher", "english", "flemish", "american"];

/// The line with the size of a brick.
fn brick(values: &Values) -> String {
    let [length, width, height] = values.three("brick");
    if values.is_2d() {
        format!("brick = [{length:?}, {height:?}]          # m: length, height\n")
    } else {
        format!("brick = [{length:?}, {width:?}, {height:?}]    # m: length, width, height\n")
    }
}

pub(super) fn wall(values: &Values) -> String {
    let (length, courses) = (values.number("length"), values.number("courses"));
    let (door, stones) = (values.number("door"), values.number("stones"));
    let bond = BONDS.get(values.number("bond") as usize).copied().unwrap_or(BONDS[0]);
    // two courses above the lintel, two of the lintel
    let high = (courses - 4.0).max(1.0);
    let body = format!(
        "# Bricks wall.course[j].brick[i], courses from below; stones of the flat arch wall.opening[0].lintel[i].\n\
         # The support is wall.ground.\n\
         [[bodies]]\n\
         name = \"wall\"\n\
         generator = \"masonry-wall\"\n\
         material = \"stone\"\n\
         bond = \"{bond}\"             # stretcher, english, flemish or american\n\
         length = {length:?}                 # m\n\
         courses = {courses}\n\
         {brick}\
         ground = \"plane\"             # plane, block or none\n\
         \n\
         [[bodies.openings]]\n\
         at = 0.0                     # m, from the middle of the wall\n\
         width = {door:?}                  # m\n\
         sill = 0                     # courses below it\n\
         courses = {high}                 # up to the lintel\n\
         lintel = {{ stones = {stones}, courses = 2, embrace_deg = 40.0 }}   # 0 degrees: vertical joints\n\
         \n",
        brick = brick(values),
    );
    let across = values.three("brick")[if bond == "stretcher" { 1 } else { 0 }];
    head(values, &format!("Wall in {bond} bond with a door"), across)
        + &body
        + &hints("wall.lintels", "wall.ground", values)
        + &foot(values)
}

// Every template is a complete text: lines of other templates are repeated, so that each can be read alone.
pub(super) fn arch_wall(values: &Values) -> String {
    let (length, courses) = (values.number("length"), values.number("courses"));
    let (radius, thickness, voussoirs) =
        (values.number("radius"), values.number("thickness"), values.number("voussoirs"));
    let body = format!(
        "# Bricks wall.course[j].brick[i], courses from below; voussoirs wall.opening[0].voussoir[i] from the left.\n\
         # The backs of the voussoirs are stepped to the courses. The support is wall.ground.\n\
         [[bodies]]\n\
         name = \"wall\"\n\
         generator = \"masonry-wall\"\n\
         material = \"stone\"\n\
         length = {length:?}                # m\n\
         courses = {courses}\n\
         {brick}\
         ground = \"plane\"             # plane, block or none\n\
         \n\
         [[bodies.openings]]\n\
         width = {width:?}                  # m, twice the inner radius of the arch\n\
         courses = 0                  # below the springing of the arch\n\
         arch = {{ thickness = {thickness:?}, voussoirs = {voussoirs} }}   # rise = … for a segmental one\n\
         \n",
        brick = brick(values),
        width = 2.0 * radius,
    );
    head(values, "Wall with an arch", values.three("brick")[1])
        + &body
        + &hints("wall.voussoirs", "wall.ground", values)
        + &foot(values)
}
