//! The texts of the templates. Each is a scene that a newcomer can read from top to bottom.

use super::Values;

/// Head of every scene: title, dimension, material and joint.
pub(super) fn head(values: &Values, title: &str, depth: f64) -> String {
    let dimension = if values.is_2d() {
        format!(
            "dim = 2                      # x to the right, y up\n\
             depth = {depth:?}                  # m, thickness out of the plane\n"
        )
    } else {
        "dim = 3                      # z up\n".into()
    };
    format!(
        "# {title}\n\
         # Lengths in m, masses in kg, times in s. Try:\n\
         #   voussoir check THIS_FILE     check and describe the scene\n\
         #   voussoir run THIS_FILE       run all stages\n\
         title = \"{title}\"\n\
         {dimension}\
         gravity = 9.81               # m/s2, downwards; or a vector\n\
         \n\
         [materials.stone]\n\
         density = {density:?}             # kg/m3\n\
         \n\
         # Joint laws between materials.\n\
         [[joints]]\n\
         between = [\"stone\", \"stone\"]\n\
         law = \"coulomb\"\n\
         friction = {friction:?}               # coefficient of friction\n\
         # restitution = 0.0          # 0 (default): inelastic impacts\n\
         \n",
        density = values.number("density"),
        friction = values.number("friction"),
    )
}

/// End of every scene: the analysis and the recording.
pub(super) fn foot(values: &Values) -> String {
    format!(
        "# Analysis: Moreau-Jean time stepping with exact contact and friction.\n\
         [[stages]]\n\
         analysis = \"dynamic\"\n\
         duration = {duration:?}               # s\n\
         step = {step:?}                 # s\n\
         # tolerance = 1e-8           # on the residual of the contact law\n\
         # solver = \"auto\"            # auto, nlgs, sap, proximal-newton\n\
         \n\
         [record]\n\
         every = 10                   # number of steps per frame\n",
        duration = values.number("duration"),
        step = values.number("step"),
    )
}

/// Comment that shows how to add a load and a motion of the support.
pub(super) fn hints(load: &str, ground: &str, values: &Values) -> String {
    let (force, direction) =
        if values.is_2d() { ("[500.0, 0.0]", "[1.0, 0.0]") } else { ("[500.0, 0.0, 0.0]", "[1.0, 0.0, 0.0]") };
    format!(
        "# A load, and a support that moves (remove the # signs to use them).\n\
         # [[loads]]\n\
         # name = \"push\"\n\
         # select = \"{load}\"\n\
         # force = {force}\n\
         # [[supports]]\n\
         # select = \"{ground}\"\n\
         # motion = {{ quantity = \"acceleration\", direction = {direction}, sine = {{ amplitude = 2.0, frequency = 1.0 }} }}\n\
         \n"
    )
}

pub(super) fn stack(values: &Values) -> String {
    let (count, size) = (values.number("count"), values.number("size"));
    let body = format!(
        "# Cubes stack.block[0] (below) to stack.block[{last}], on the support stack.ground.\n\
         [[bodies]]\n\
         name = \"stack\"\n\
         generator = \"stack\"\n\
         material = \"stone\"\n\
         count = {count}\n\
         size = {size:?}                   # m; or one length per axis\n\
         ground = \"plane\"             # plane, block or none\n\
         \n",
        last = count - 1.0,
    );
    head(values, &format!("Stack of {count} cubes"), size)
        + &body
        + &hints("stack.top", "stack.ground", values)
        + &foot(values)
}

pub(super) fn column(values: &Values) -> String {
    let (drums, radius) = (values.number("drums"), values.number("radius"));
    let body = format!(
        "# Drums column.drum[0] (below) to column.drum[{last}], on the support column.ground.\n\
         [[bodies]]\n\
         name = \"column\"\n\
         generator = \"column\"\n\
         material = \"stone\"\n\
         drums = {drums}\n\
         drum_height = {height:?}            # m\n\
         radius = {radius:?}                 # m, at the foot\n\
         top_radius = {top:?}             # m\n\
         {sides}\
         ground = \"plane\"             # plane, block or none\n\
         \n",
        last = drums - 1.0,
        height = values.number("drum_height"),
        top = values.number("top_radius"),
        sides = if values.is_2d() { "" } else { "sides = 16                   # of the drums\n" },
    );
    head(values, &format!("Column of {drums} drums"), 2.0 * radius)
        + &body
        + &hints("column.top", "column.ground", values)
        + &foot(values)
}

pub(super) fn wall(values: &Values) -> String {
    let (courses, bricks) = (values.number("courses"), values.number("bricks"));
    let [length, width, height] = values.three("brick");
    let brick = if values.is_2d() {
        format!("brick = [{length:?}, {height:?}]          # m: length, height\n")
    } else {
        format!("brick = [{length:?}, {width:?}, {height:?}]    # m: length, width, height\n")
    };
    let body = format!(
        "# Running bond: bricks wall.course[j].brick[i], courses from below, bricks along x.\n\
         # Odd courses start and end with a half brick. The support is wall.ground.\n\
         [[bodies]]\n\
         name = \"wall\"\n\
         generator = \"wall\"\n\
         material = \"stone\"\n\
         courses = {courses}\n\
         bricks = {bricks}                  # whole bricks in an even course\n\
         {brick}\
         ground = \"plane\"             # plane, block or none\n\
         \n"
    );
    let top = format!("wall.course[{}]", courses - 1.0);
    head(values, &format!("Wall of {courses} courses"), width)
        + &body
        + &hints(&top, "wall.ground", values)
        + &foot(values)
}

pub(super) fn arch(values: &Values) -> String {
    let (radius, thickness, width) = (values.number("radius"), values.number("thickness"), values.number("width"));
    let (voussoirs, embrace) = (values.number("voussoirs"), values.number("embrace_deg"));
    let width_line = if values.is_2d() { String::new() } else { format!("width = {width:?}                  # m\n") };
    let body = format!(
        "# Voussoirs arch.voussoir[0] (left) to arch.voussoir[{last}], between the supports\n\
         # arch.springer[0] and arch.springer[1].\n\
         [[bodies]]\n\
         name = \"arch\"\n\
         generator = \"arch\"\n\
         material = \"stone\"\n\
         kind = \"semicircular\"        # semicircular, segmental, pointed or flat\n\
         radius = {radius:?}                 # m, inner\n\
         thickness = {thickness:?}              # m\n\
         {width_line}\
         voussoirs = {voussoirs}\n\
         embrace_deg = {embrace:?}          # degrees\n\
         \n\
         [[supports]]\n\
         select = \"arch.springers\"    # fixed, or moved by `motion`\n\
         \n",
        last = voussoirs - 1.0,
    );
    let force = if values.is_2d() { "[0.0, -1000.0]" } else { "[0.0, 0.0, -1000.0]" };
    let load = format!(
        "# A load (remove the # signs to use it).\n\
         # [[loads]]\n\
         # name = \"footfall\"\n\
         # select = \"arch.voussoir[{quarter}]\"\n\
         # force = {force}\n\
         \n",
        quarter = (voussoirs / 4.0).floor(),
    );
    head(values, &format!("Arch of {voussoirs} voussoirs"), width) + &body + &load + &foot(values)
}

pub(super) fn pile(values: &Values) -> String {
    let (count, seed, size) = (values.number("count"), values.number("seed"), values.number("size"));
    // about as wide as high
    let across = count.powf(if values.is_2d() { 1.0 / 2.0 } else { 1.0 / 3.0 }).ceil();
    let inner = (across + 0.5) * size * 1.05;
    let inner = format!("{:?}", (inner * 1e3).ceil() / 1e3).parse::<f64>().unwrap_or(inner).max(1.2 * size);
    let container = if values.is_2d() { format!("{inner:?}") } else { format!("[{inner:?}, {inner:?}]") };
    let body = format!(
        "# Random stones pile.stone[i] in a loose grid above the ground; they fall between the walls.\n\
         [[bodies]]\n\
         name = \"pile\"\n\
         generator = \"pile\"\n\
         material = \"stone\"\n\
         count = {count}\n\
         seed = {seed}                     # seed of the random numbers\n\
         size = {size:?}                   # m, largest diameter\n\
         spread = 0.3                 # the smallest stones are 30 % smaller\n\
         stone = \"polyhedron\"         # polyhedron, sphere or box (polygon, disc, rectangle in 2D)\n\
         container = {container}        # m, inner size; omit for no walls\n\
         ground = \"plane\"             # plane, block or none\n\
         \n"
    );
    head(values, &format!("Pile of {count} stones"), size) + &body + &foot(values)
}
