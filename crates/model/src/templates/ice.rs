//! Templates of drifting ice floes.

use super::Values;

/// Title, material, joint and a comment.
fn head(values: &Values, title: &str, comment: &str) -> String {
    format!(
        "# {title}\n\
         # Seen from above: x to the right, y up. Lengths in m, masses in kg, times in s. Try:\n\
         #   voussoir check THIS_FILE     check and describe the scene\n\
         #   voussoir run THIS_FILE       run all stages\n\
         {comment}\
         title = \"{title}\"\n\
         dim = 2\n\
         depth = {thickness:?}                  # m, thickness of the ice\n\
         \n\
         [materials.ice]\n\
         density = {density:?}              # kg/m3\n\
         \n\
         [[joints]]\n\
         between = [\"ice\", \"ice\"]\n\
         friction = {friction:?}               # coefficient of friction\n\
         restitution = {{ poisson = {restitution:?} }}\n\
         \n",
        thickness = values.number("thickness"),
        density = values.number("density"),
        friction = values.number("friction"),
        restitution = values.number("restitution"),
    )
}

/// The analysis and the recording.
fn foot(values: &Values) -> String {
    format!(
        "[[stages]]\n\
         analysis = \"events\"          # from impact to impact; \"dynamic\" moves the same scene by time steps\n\
         duration = {duration:?}           # s\n\
         step = {step:?}                  # s, force step: wind and water act with their values in its middle\n\
         \n\
         [record]\n\
         every = 10                   # number of steps per frame\n",
        duration = values.number("duration"),
        step = values.number("step"),
    )
}

/// Environment with a uniform wind; `more` are further lines.
fn wind(values: &Values, more: &str) -> String {
    format!(
        "[environment]\n\
         latitude_deg = 80.0          # Coriolis force; below zero in the southern hemisphere\n\
         wind = [{{ uniform = [{wind:?}, 0.0] }}]    # m/s\n\
         {more}\n",
        wind = values.number("wind"),
    )
}

pub(super) fn channel(values: &Values) -> String {
    let half = 0.5 * values.number("opening");
    let side = |name: &str, sign: f64| {
        let bank = [(-3200.0, 1000.0), (-1000.0, 1000.0), (-1000.0, 1300.0), (-3200.0, 1300.0)];
        let strait = [(-1000.0, 1000.0), (0.0, half), (1500.0, half), (1500.0, 1300.0), (-1000.0, 1300.0)];
        let part = |outline: &[(f64, f64)]| {
            let mut corners: Vec<String> = outline.iter().map(|(x, y)| format!("[{x:?}, {:?}]", sign * y)).collect();
            if sign < 0.0 {
                corners.reverse();
            }
            format!("    {{ shape = \"polygon\", vertices = [{}] }},\n", corners.join(", "))
        };
        format!(
            "[[bodies]]\n\
             name = \"{name}\"\n\
             shape = \"compound\"\n\
             material = \"ice\"\n\
             parts = [\n{}{}]\n\
             \n\
             [[supports]]\n\
             select = \"{name}\"\n\
             \n",
            part(&bank),
            part(&strait)
        )
    };
    let pack = format!(
        "# Floes pack.floe[i] are cut along the coasts, which are written before them.\n\
         [[bodies]]\n\
         name = \"pack\"\n\
         generator = \"floes\"\n\
         material = \"ice\"\n\
         position = [-3000.0, -1000.0]\n\
         size = [2000.0, 2000.0]      # m\n\
         count = {count}\n\
         concentration = {concentration:?}\n\
         seed = {seed}\n\
         \n",
        count = values.number("count"),
        concentration = values.number("concentration"),
        seed = values.number("seed"),
    );
    let domain = "# Floes that pass the channel are removed and counted (columns left, left_area_m2).\n\
                  domain = { min = [-6000.0, -2000.0], max = [1500.0, 2000.0], x = \"open\" }\n";
    head(values, "Ice in a narrowing channel", "")
        + &side("north_coast", 1.0)
        + &side("south_coast", -1.0)
        + &pack
        + &wind(values, domain)
        + &foot(values)
}

pub(super) fn basin(values: &Values) -> String {
    let size = values.number("size");
    let sides = [("west", [1.0, 0.0], [0.0, 0.0]), ("south", [0.0, 1.0], [0.0, 0.0])].into_iter();
    let sides = sides.chain([("east", [-1.0, 0.0], [size, 0.0]), ("north", [0.0, -1.0], [0.0, size])]);
    let coasts: String = sides
        .map(|(name, normal, place)| {
            format!(
                "[[bodies]]\n\
                 name = \"{name}\"\n\
                 shape = \"half-plane\"\n\
                 material = \"ice\"\n\
                 normal = {normal:?}          # out of the land\n\
                 position = {place:?}\n\
                 \n"
            )
        })
        .collect();
    let rest = format!(
        "[[bodies]]\n\
         name = \"island\"\n\
         shape = \"polygon\"\n\
         material = \"ice\"\n\
         position = [{middle:?}, {middle:?}]\n\
         vertices = [[-{a:?}, -{b:?}], [{b:?}, -{a:?}], [{a:?}, {c:?}], [0.0, {a:?}], [-{b:?}, {c:?}]]\n\
         \n\
         [[supports]]\n\
         select = \"island\"\n\
         \n\
         [[bodies]]\n\
         name = \"pack\"\n\
         generator = \"floes\"\n\
         material = \"ice\"\n\
         size = [{size:?}, {size:?}]    # m\n\
         count = {count}\n\
         concentration = {concentration:?}\n\
         seed = {seed}\n\
         \n\
         # A storm that travels over the basin.\n\
         [environment]\n\
         latitude_deg = 80.0\n\
         wind = [{{ vortex = {{ centre = [{start:?}, {middle:?}], radius = {radius:?}, speed = {wind:?}, travel = [{travel:?}, 0.0] }} }}]\n\
         \n",
        middle = 0.5 * size,
        a = 0.06 * size,
        b = 0.05 * size,
        c = 0.02 * size,
        count = values.number("count"),
        concentration = values.number("concentration"),
        seed = values.number("seed"),
        start = -size,
        radius = 0.75 * size,
        wind = values.number("wind"),
        travel = 3.0 * size / values.number("duration"),
    );
    head(values, "A storm over a basin with an island", "") + &coasts + &rest + &foot(values)
}

pub(super) fn row(values: &Values) -> String {
    let (count, side, gap) = (values.number("count"), values.number("side"), values.number("gap"));
    let length = count * (side + gap);
    let body = format!(
        "[[bodies]]\n\
         name = \"wall\"\n\
         shape = \"half-plane\"\n\
         material = \"ice\"\n\
         normal = [-1.0, 0.0]\n\
         position = [{length:?}, 0.0]\n\
         \n\
         # Squares row.floe[i] in cells of side + gap; row.floe[{last}] is the nearest to the wall.\n\
         [[bodies]]\n\
         name = \"row\"\n\
         generator = \"floes\"\n\
         material = \"ice\"\n\
         floe = \"rectangles\"\n\
         columns = {count}\n\
         size = [{length:?}, {width:?}]\n\
         concentration = {concentration:?}\n\
         \n\
         [environment]\n\
         coriolis = 0.0\n\
         wind = [{{ uniform = [{wind:?}, 0.0] }}]    # m/s; at rest the wall carries the stress of the wind on all floes\n\
         \n",
        last = count - 1.0,
        width = side + gap,
        concentration = (side / (side + gap)).powi(2),
        wind = values.number("wind"),
    );
    head(values, "A row of floes against a wall", "") + &body + &foot(values)
}

pub(super) fn ship(values: &Values) -> String {
    let (speed, duration) = (values.number("speed"), values.number("duration"));
    let way = speed * duration;
    let body = format!(
        "# The hull of a ship, its bow towards +x.\n\
         [[bodies]]\n\
         name = \"ship\"\n\
         shape = \"polygon\"\n\
         material = \"ice\"\n\
         vertices = [[-50.0, -10.0], [25.0, -10.0], [40.0, -6.0], [50.0, 0.0], [40.0, 6.0], [25.0, 10.0], [-50.0, 10.0]]\n\
         \n\
         # Rows: time, x, y, heading in degrees; the ship starts at the place where it is written.\n\
         [[supports]]\n\
         select = \"ship\"\n\
         motion = {{ quantity = \"position\", path = [[0.0, 0.0, 0.0, 0.0], [{half:?}, {x1:?}, 0.0, 0.0], [{duration:?}, {x2:?}, {y2:?}, 20.0]] }}\n\
         \n\
         [[bodies]]\n\
         name = \"pack\"\n\
         generator = \"floes\"\n\
         material = \"ice\"\n\
         position = [60.0, -{side:?}]\n\
         size = [{length:?}, {width:?}]\n\
         count = {count}\n\
         concentration = {concentration:?}\n\
         seed = {seed}\n\
         \n",
        half = 0.5 * duration,
        x1 = 0.5 * way,
        x2 = 0.97 * way,
        y2 = 0.17 * way,
        side = 0.5 * way,
        length = 1.2 * way,
        width = way,
        count = values.number("count"),
        concentration = values.number("concentration"),
        seed = values.number("seed"),
    );
    head(values, "A ship through a pack of ice", "") + &body + &wind(values, "") + &foot(values)
}

pub(super) fn shear(values: &Values) -> String {
    let size = values.number("size");
    let body = format!(
        "[[bodies]]\n\
         name = \"pack\"\n\
         generator = \"floes\"\n\
         material = \"ice\"\n\
         size = [{size:?}, {size:?}]    # m\n\
         count = {count}\n\
         concentration = {concentration:?}\n\
         periodic = true\n\
         seed = {seed}\n\
         \n\
         # Floes that leave at one edge enter at the other.\n\
         [environment]\n\
         latitude_deg = 80.0\n\
         current = [{{ profile = [[0.0, 0.0, 0.0], [{half:?}, {current:?}, 0.0], [{size:?}, 0.0, 0.0]] }}]    # y; m/s\n\
         domain = {{ min = [0.0, 0.0], max = [{size:?}, {size:?}], x = \"periodic\", y = \"periodic\" }}\n\
         \n",
        count = values.number("count"),
        concentration = values.number("concentration"),
        seed = values.number("seed"),
        half = 0.5 * size,
        current = values.number("current"),
    );
    head(values, "Ice in a sheared current, doubly periodic", "") + &body + &foot(values)
}
