//! Templates of structures about a vertical axis.

use super::Values;
use super::text::{foot, head, hints};

pub(super) fn stair(values: &Values) -> String {
    let treads = values.number("treads");
    let body = format!(
        "# Treads stair.tread[0] (below) to stair.tread[{last}] around the z axis, from the support stair.base on.\n\
         # Their joints are vertical; the treads carry only under compression, by a cable.\n\
         [[bodies]]\n\
         name = \"stair\"\n\
         generator = \"stair\"\n\
         material = \"stone\"\n\
         treads = {treads}\n\
         inner_radius = {inner:?}           # m\n\
         outer_radius = {outer:?}           # m\n\
         rise = {rise:?}                   # m, from tread to tread\n\
         turn_deg = {turn:?}              # degrees, of a tread\n\
         thickness = {thickness:?}             # m, more than the rise\n\
         \n\
         [[bodies]]\n\
         name = \"floor\"               # stops falling blocks\n\
         shape = \"ground\"\n\
         material = \"stone\"\n\
         \n",
        last = treads - 1.0,
        inner = values.number("inner_radius"),
        outer = values.number("outer_radius"),
        rise = values.number("rise"),
        turn = values.number("turn_deg"),
        thickness = values.number("thickness"),
    );
    let cable = "# A cable that presses the treads together (remove the # signs to use it).\n\
                 # [[cables]]\n\
                 # name = \"tendon\"\n\
                 # through = [\"stair.base\", \"stair.tread\"]\n\
                 # stiffness = 3e5              # N/m\n\
                 # prestress = 107e3            # N\n\
                 \n";
    head(values, &format!("Stair of {treads} treads"), 1.0)
        + &body
        + cable
        + &hints("stair.top", "stair.base", values)
        + &foot(values)
}

pub(super) fn cylinder(values: &Values) -> String {
    let (courses, height) = (values.number("courses"), values.number("course_height"));
    let body = format!(
        "# Blocks cylinder.course[j].ring[k].block[i], on the supports cylinder.ground[i] around an octagon.\n\
         [[bodies]]\n\
         name = \"cylinder\"\n\
         generator = \"masonry-cylinder\"\n\
         material = \"stone\"\n\
         radius = {radius:?}                 # m\n\
         courses = {courses}\n\
         course_height = {height:?}          # m\n\
         rings = {rings}                    # of an even course; odd ones are shifted by half a ring\n\
         slices = {slices}                  # blocks of a ring\n\
         hole = {hole:?}                   # m, diameter; omit for a plane ground\n\
         hole_sides = 8\n\
         \n\
         [[bodies]]\n\
         name = \"floor\"               # stops falling blocks\n\
         shape = \"ground\"\n\
         material = \"stone\"\n\
         position = [0.0, 0.0, {below:?}]\n\
         \n",
        radius = values.number("radius"),
        rings = values.number("rings"),
        slices = values.number("slices"),
        hole = values.number("hole"),
        below = -2.0 * values.number("radius"),
    );
    let top = format!("cylinder.course[{}]", courses - 1.0);
    head(values, "Cylinder over a hole", 1.0) + &body + &hints(&top, "cylinder.ground", values) + &foot(values)
}

pub(super) fn pier_dome(values: &Values) -> String {
    let [width, depth, height] = values.three("pier");
    let piers = values.number("piers");
    let body = format!(
        "# Piers dome.pier[k], blocks dome.ring[j].block[i] with courses of springers (dome.springers) below; the\n\
         # support is dome.ground. Without a cable around the springers the piers are pushed apart.\n\
         [[bodies]]\n\
         name = \"dome\"\n\
         generator = \"pier-dome\"\n\
         material = \"stone\"\n\
         radius = {radius:?}                 # m, mean\n\
         thickness = {thickness:?}              # m\n\
         rings = {rings}                    # springers included\n\
         slices = {slices}                  # blocks of a whole ring\n\
         oculus_deg = {oculus:?}             # degrees, from the axis\n\
         piers = {piers}\n\
         pier = [{width:?}, {depth:?}, {height:?}]       # m: around the dome, towards its axis, height\n\
         \n",
        radius = values.number("radius"),
        thickness = values.number("thickness"),
        rings = values.number("rings"),
        slices = values.number("slices"),
        oculus = values.number("oculus_deg"),
    );
    let cable = "# A ring cable around the lowest course (remove the # signs to use it).\n\
                 # [[cables]]\n\
                 # name = \"ring\"\n\
                 # through = [\"dome.ring[0]\"]\n\
                 # closed = true\n\
                 # modulus = 200e9              # Pa\n\
                 # diameter = 0.02              # m\n\
                 # prestress = 117e3            # N\n\
                 \n";
    head(values, &format!("Dome on {piers} piers"), 1.0)
        + &body
        + cable
        + &hints("dome.springers", "dome.ground", values)
        + &foot(values)
}
