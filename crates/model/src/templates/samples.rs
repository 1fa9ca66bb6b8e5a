//! Templates of tests on samples of grains (2D, explicit analysis).

use super::Values;

/// Head of a test: title, materials, joints.
fn head(values: &Values, title: &str, command: &str) -> String {
    format!(
        "# {title}\n\
         # Lengths in m, forces in N, stresses in Pa. Try:\n\
         #   voussoir sample THIS_FILE --seeds 10    run the test on ten packings: values and their scatter\n\
         {command}\
         #   voussoir run THIS_FILE                  run it once and record it\n\
         title = \"{title}\"\n\
         dim = 2                      # x to the right, y up\n\
         gravity = 9.81               # m/s2\n\
         allow_overlap = true         # the packing presses its discs against each other\n\
         record = {{ every = 2000, history_every = 200 }}\n\
         \n\
         [materials.soil]\n\
         density = {density:?}             # kg/m3, of the grains\n\
         \n\
         [materials.plate]\n\
         density = 2000.0\n\
         \n\
         # Springs between grains [Pa/m]; a point stands for the mean diameter.\n\
         [[joints]]\n\
         between = [\"soil\", \"soil\"]\n\
         friction = {friction:?}\n\
         cohesion = {cohesion:?}\n\
         elastic = {{ normal = {normal:?}, tangential = {tangential:?} }}\n\
         \n\
         [[joints]]\n\
         between = [\"soil\", \"plate\"]\n\
         friction = {friction:?}\n\
         elastic = {{ normal = 4.84e9, tangential = 0.573e9 }}\n\
         \n\
         [[joints]]\n\
         between = [\"plate\", \"plate\"]\n\
         law = \"none\"\n\
         \n",
        density = values.number("density"),
        friction = values.number("friction"),
        cohesion = values.number("cohesion"),
        normal = values.number("normal"),
        tangential = values.number("tangential"),
    )
}

/// Grains between x = 0 … width and y = 0 … height.
fn grains(values: &Values) -> String {
    let (width, height) = (values.number("width"), values.number("height"));
    format!(
        "[[bodies]]\n\
         name = \"grains\"\n\
         generator = \"fill\"\n\
         material = \"soil\"\n\
         region = [[0.0, 0.0], [{width:?}, 0.0], [{width:?}, {height:?}], [0.0, {height:?}]]\n\
         count = {count}\n\
         porosity = {porosity:?}\n\
         seed = {seed}\n\
         \n",
        count = values.number("count"),
        porosity = values.number("porosity"),
        seed = values.number("seed"),
    )
}

/// A plate by its left and right, lower and upper sides; `more` are further keys.
fn plate(name: &str, x: [f64; 2], y: [f64; 2], more: &str) -> String {
    let middle = |[a, b]: [f64; 2]| round(0.5 * (a + b));
    let size = |[a, b]: [f64; 2]| round(b - a);
    format!(
        "[[bodies]]\n\
         name = \"{name}\"\n\
         shape = \"rectangle\"\n\
         material = \"plate\"\n\
         size = [{:?}, {:?}]\n\
         position = [{:?}, {:?}]\n\
         {more}\n",
        size(x),
        size(y),
        middle(x),
        middle(y)
    )
}

/// A load on one body.
fn load(name: &str, body: &str, force: [f64; 2]) -> String {
    let [x, y] = force.map(round);
    format!("[[loads]]\nname = \"{name}\"\nselect = \"{body}\"\nforce = [{x:?}, {y:?}]\n\n")
}

/// Rounds away the rounding errors of sums.
fn round(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}

pub(super) fn oedometer(values: &Values) -> String {
    let (width, height) = (values.number("width"), values.number("height"));
    let thick = 0.2 * width;
    let walls = [
        plate("floor", [-thick, width + thick], [-thick, 0.0], ""),
        plate("left", [-thick, 0.0], [0.0, 1.5 * height], ""),
        plate("right", [width, width + thick], [0.0, 1.5 * height], ""),
        plate(
            "lid",
            [0.002 * width, 0.998 * width],
            [height, height + thick],
            &format!("mass = {:?}              # kg\n", round(values.number("lid") / 9.81)),
        ),
    ]
    .concat();
    let body = format!(
        "{walls}\
         [[supports]]\n\
         select = [\"floor\", \"left\", \"right\"]\n\
         \n\
         {press}\
         # The lid only moves down; every increment is held until the grains rest.\n\
         [[stages]]\n\
         analysis = \"explicit\"\n\
         damping = {{ local = {{ blocks = 0.8, particles = 0.8 }} }}\n\
         guides = [{{ select = \"lid\", free = [\"y\"] }}]\n\
         increments = {{ load = \"press\", by = 1.0, most = {most:?}, unbalanced = 1e-4, collapse = {{ displacement = {fall:?}, of = \"lid\" }} }}\n\
         \n\
         [sample]\n\
         test = \"oedometer\"\n\
         lid = \"lid\"\n\
         width = {width:?}\n\
         height = {height:?}\n",
        press = load("press", "lid", [0.0, -values.number("load")]),
        most = values.number("increments"),
        fall = 0.8 * height,
    );
    let command = "#   voussoir calibrate THIS_FILE --modulus 40e6   find the springs for a modulus\n";
    head(values, "Oedometer test", command) + &grains(values) + &body
}

pub(super) fn biaxial(values: &Values) -> String {
    let (width, height) = (values.number("width"), values.number("height"));
    let (thick, pressure) = (0.2 * width, values.number("pressure"));
    let walls = [
        plate("floor", [-width, 2.0 * width], [-thick, 0.0], ""),
        plate("left", [-thick, 0.0], [0.0, 1.2 * height], ""),
        plate("right", [width, width + thick], [0.0, 1.2 * height], ""),
        plate("lid", [-thick, width + thick], [height, height + thick], ""),
    ]
    .concat();
    let loads = [
        load("confine-left", "left", [pressure * height, 0.0]),
        load("confine-right", "right", [-pressure * height, 0.0]),
        load("confine", "lid", [0.0, -pressure * width]),
        load("press", "lid", [0.0, -values.number("load")]),
    ]
    .concat();
    let body = format!(
        "{walls}\
         [[supports]]\n\
         select = \"floor\"\n\
         \n\
         # A constant pressure on the walls and on the lid, and a load on the lid that grows.\n\
         {loads}\
         [[stages]]\n\
         analysis = \"explicit\"\n\
         damping = {{ local = {{ blocks = 0.8, particles = 0.8 }} }}\n\
         guides = [{{ select = \"lid\", free = [\"y\"] }}, {{ select = [\"left\", \"right\"], free = [\"x\"] }}]\n\
         increments = {{ load = \"press\", by = 1.0, unbalanced = 1e-3, patience = 300000, collapse = {{ displacement = {fall:?}, of = \"lid\" }} }}\n\
         \n\
         [sample]\n\
         test = \"biaxial\"\n\
         lid = \"lid\"\n\
         sides = [\"left\", \"right\"]\n\
         width = {width:?}\n\
         height = {height:?}\n",
        fall = round(0.1 * height),
    );
    head(values, "Biaxial test", "") + &grains(values) + &body
}

pub(super) fn direct_shear(values: &Values) -> String {
    let (width, height) = (values.number("width"), values.number("height"));
    let (thick, middle, slit) = (0.2 * width, 0.5 * height, 0.002 * height);
    let walls = [
        plate("floor", [-thick, width + thick], [-thick, 0.0], ""),
        plate("low-left", [-thick, 0.0], [0.0, middle - slit], ""),
        plate("low-right", [width, width + thick], [0.0, middle - slit], ""),
        plate("left", [-thick, 0.0], [middle + slit, 1.5 * height], ""),
        plate("right", [width, width + thick], [middle + slit, 1.5 * height], ""),
        plate("lid", [0.002 * width, 0.998 * width], [height, height + thick], ""),
    ]
    .concat();
    let body = format!(
        "{walls}\
         [[supports]]\n\
         select = [\"floor\", \"low-left\", \"low-right\"]\n\
         \n\
         {loads}\
         # The walls of the upper half and the lid move together along x; the lid also moves along y.\n\
         [[stages]]\n\
         analysis = \"explicit\"\n\
         damping = {{ local = {{ blocks = 0.8, particles = 0.8 }} }}\n\
         guides = [\n\
         \x20   {{ select = [\"left\", \"right\"], free = [\"x\"], together = \"box\" }},\n\
         \x20   {{ select = \"lid\", free = [\"x\", \"y\"], together = \"box\" }},\n\
         ]\n\
         increments = {{ load = \"push\", by = 1.0, unbalanced = 1e-3, patience = 300000, collapse = {{ displacement = {fall:?}, of = \"left\" }} }}\n\
         \n\
         [sample]\n\
         test = \"direct-shear\"\n\
         lid = \"lid\"\n\
         width = {width:?}\n\
         height = {height:?}\n",
        loads = load("confine", "lid", [0.0, -values.number("pressure") * width])
            + &load("push", "left", [values.number("load"), 0.0]),
        fall = round(0.08 * width),
    );
    head(values, "Direct shear test", "") + &grains(values) + &body
}

pub(super) fn repose(values: &Values) -> String {
    let (width, height) = (values.number("width"), values.number("height"));
    let thick = 0.1 * width;
    let walls = [
        plate("floor", [-thick, 5.0 * width], [-thick, 0.0], ""),
        plate("left", [-thick, 0.0], [0.0, 1.5 * height], ""),
        plate("gate", [width, width + thick], [0.0, 1.5 * height], ""),
        plate("end", [5.0 * width, 5.0 * width + thick], [-thick, height], ""),
    ]
    .concat();
    let body = format!(
        "{walls}\
         [[supports]]\n\
         select = [\"floor\", \"left\", \"gate\", \"end\"]\n\
         \n\
         # The grains settle; then the gate is removed, and they slide until they rest.\n\
         [[stages]]\n\
         analysis = \"explicit\"\n\
         damping = {{ local = {{ particles = 0.8 }} }}\n\
         until = {{ unbalanced = 1e-3, patience = 300000 }}\n\
         \n\
         [[stages]]\n\
         analysis = \"explicit\"\n\
         remove = \"gate\"\n\
         damping = {{ viscous = 20.0 }}   # 1/s\n\
         until = {{ unbalanced = 1e-2, patience = 400000 }}\n\
         \n\
         [sample]\n\
         test = \"repose\"\n\
         width = {width:?}\n\
         height = {height:?}\n"
    );
    head(values, "Angle of repose", "") + &grains(values) + &body
}
