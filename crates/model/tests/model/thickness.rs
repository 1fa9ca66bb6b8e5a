//! Varying thickness, holes, paths of supports: results, and invalid input.

use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::D2;
use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::model::{Model, Role};
use voussoir_model::{AnyModel, Scene, SceneError, build};

fn built(bodies: &str, more: &str) -> Result<Arc<Model<D2>>, SceneError> {
    let text = format!(
        "dim = 2\ngravity = 0.0\nmaterials.ice.density = 900.0\n\
         joints = [{{ between = [\"ice\", \"ice\"], friction = 0.3 }}]\nbodies = [{bodies}]\n{more}"
    );
    match build(&Scene::parse(&text, "ice.toml")?, Path::new("."))?.model {
        AnyModel::Two(model) => Ok(model),
        AnyModel::Three(_) => panic!("not in the plane"),
    }
}

fn near(computed: f64, expected: f64, tolerance: f64) {
    assert!((computed / expected - 1.0).abs() <= tolerance, "{computed} instead of {expected}");
}

/// Thickness h = a + b x over a rectangle: mass, centre and inertia in closed form, also if grid lines cut it.
#[test]
fn a_wedge_of_ice_has_its_moments() {
    for (nodes, spacing, angle) in [(2, 200.0, 0.0), (9, 25.0, 0.0), (9, 25.0, 90.0)] {
        // a length of 80 along x and of 40 along y, or the other way round, about (100, 50)
        let row: Vec<String> = (0..nodes).map(|i| format!("{:?}", 1.0 + 0.01 * spacing * f64::from(i))).collect();
        let rows = vec![format!("[{}]", row.join(", ")); 3].join(", ");
        let body = format!(
            "{{ name = \"floe\", shape = \"rectangle\", size = [80.0, 40.0], position = [100.0, 50.0], material = \"ice\", \
             rotation = {{ angle_deg = {angle:?} }}, \
             depths = {{ grid = {{ origin = [0.0, 0.0], spacing = [{spacing:?}, 40.0], rows = [{rows}] }} }} }}"
        );
        let model = built(&body, "").unwrap();
        let floe = &model.bodies[0];
        let (l, b) = if angle == 0.0 { (80.0_f64, 40.0_f64) } else { (40.0, 80.0) };
        let mean = 2.0;
        near(floe.mass, 900.0 * mean * l * b, 1e-13);
        // ∫ x h / ∫ h = b l²/12 / mean
        let shift = 0.01 * l * l / 12.0 / mean;
        near(floe.pose.position.x, 100.0 + shift, 1e-13);
        near(floe.pose.position.y, 50.0, 1e-13);
        near(floe.inertia, floe.mass * ((l * l + b * b) / 12.0 - shift * shift), 1e-12);
        // the outline has not moved
        let corner = floe.shape.as_ref();
        let voussoir_geometry::Shape2::Polygon(polygon) = corner else { panic!("no polygon") };
        let right = polygon.vertices().iter().map(|p| floe.pose.point(*p).x).fold(0.0, f64::max);
        near(right, 100.0 + 0.5 * l, 1e-13);
    }
}

/// A disc on h = a + b x + c xy: moments in closed form.
#[test]
fn a_disc_on_a_grid_has_its_moments() {
    let (radius, centre) = (30.0_f64, DVec2::new(50.0, 40.0));
    let h = |x: f64, y: f64| 2.0 + 0.01 * x + 0.001 * x * y;
    let rows: Vec<String> = (0..11)
        .map(|j| {
            let row: Vec<String> =
                (0..11).map(|i| format!("{:?}", h(10.0 * f64::from(i), 10.0 * f64::from(j)))).collect();
            format!("[{}]", row.join(", "))
        })
        .collect();
    let body = format!(
        "{{ name = \"floe\", shape = \"disc\", radius = {radius:?}, position = [50.0, 40.0], material = \"ice\", \
         depths = {{ grid = {{ origin = [0.0, 0.0], spacing = [10.0, 10.0], rows = [{}] }} }} }}",
        rows.join(", ")
    );
    let model = built(&body, "").unwrap();
    let floe = &model.bodies[0];
    let area = std::f64::consts::PI * radius * radius;
    // h about the centre: h0 + p u + q v + r uv; uv and odd terms vanish, ∫u² = area R²/4
    let (h0, p, q) = (h(centre.x, centre.y), 0.01 + 0.001 * centre.y, 0.001 * centre.x);
    near(floe.mass, 900.0 * h0 * area, 1e-12);
    let shift = DVec2::new(p, q) * (radius * radius / 4.0 / h0);
    assert!((floe.pose.position - centre - shift).length() < 1e-11, "{}", floe.pose.position);
    let polar = h0 * area * radius * radius / 2.0;
    near(floe.inertia, 900.0 * (polar - h0 * area * shift.length_squared()), 1e-12);
}

/// One number for each floe, and distributions with their mean.
#[test]
fn floes_have_their_own_thickness() {
    let pack = |depths: &str| {
        format!(
            "{{ name = \"pack\", generator = \"floes\", size = [10e3, 10e3], concentration = 0.5, material = \"ice\", \
             floe = \"rectangles\", columns = 20, rows = 20, depths = {{ {depths} }} }}"
        )
    };
    let area = 0.5 * 1e8 / 400.0;
    let thickness = |depths: &str| -> Vec<f64> {
        let model = built(&pack(depths), "").unwrap();
        model.bodies.iter().map(|body| body.mass / (900.0 * area)).collect()
    };
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let uniform = thickness("between = [0.5, 2.5], seed = 4");
    assert!(uniform.iter().all(|h| (0.49..2.51).contains(h)) && (mean(&uniform) - 1.5).abs() < 0.1);
    assert!(uniform != thickness("between = [0.5, 2.5]") && uniform == thickness("between = [0.5, 2.5], seed = 4"));
    let normal = thickness("lognormal = [1.2, 0.4]");
    let square: Vec<f64> = normal.iter().map(|h| (h - 1.2).powi(2)).collect();
    assert!((mean(&normal) - 1.2).abs() < 0.08 && (mean(&square).sqrt() - 0.4).abs() < 0.08, "{}", mean(&normal));
    let two = "{ name = \"row\", generator = \"floes\", size = [200.0, 100.0], concentration = 0.5, material = \"ice\", \
               floe = \"rectangles\", columns = 2, depths = { values = [1.0, 3.0] } }";
    let model = built(two, "").unwrap();
    near(model.bodies[1].mass, 3.0 * model.bodies[0].mass, 1e-12);
    near(model.bodies[1].inertia, 3.0 * model.bodies[0].inertia, 1e-12);
}

/// A polygon with a hole: mass and inertia of the difference.
#[test]
fn holes_are_left_out() {
    let model = built(
        "{ name = \"floe\", shape = \"polygon\", vertices = [[0, 0], [40, 0], [40, 40], [0, 40]], material = \"ice\", \
         holes = [[[10, 10], [30, 10], [30, 30], [10, 30]]] }",
        "",
    )
    .unwrap();
    near(model.bodies[0].mass, 900.0 * 1200.0, 1e-13);
    near(model.bodies[0].inertia, 900.0 * (40_f64.powi(4) - 20_f64.powi(4)) / 6.0, 1e-13);
}

/// A ship on a path: where it is and how it turns.
#[test]
fn supports_follow_paths() {
    let ship = "{ name = \"ship\", shape = \"rectangle\", size = [120.0, 20.0], position = [100.0, 50.0], material = \"ice\" }, \
                { name = \"floe\", shape = \"disc\", radius = 10.0, position = [900.0, 900.0], material = \"ice\" }";
    let path = "supports = [{ select = \"ship\", motion = { quantity = \"position\", \
                path = [[0, 100, 50, 0], [100, 400, 50, 0], [300, 1000, 250, 90]] } }]";
    let model = built(ship, path).unwrap();
    let Role::Support(Some(motion)) = model.bodies[0].role else { panic!("not moved") };
    let at = |t: f64| model.motions[motion].pose(&model.bodies[0].pose, t);
    assert!((at(0.0).position - DVec2::new(100.0, 50.0)).length() < 1e-12);
    assert!((at(200.0).position - DVec2::new(700.0, 150.0)).length() < 1e-12);
    assert!((at(200.0).rotation - 45_f64.to_radians()).abs() < 1e-12);
    assert!((at(1e4).position - DVec2::new(1000.0, 250.0)).length() < 1e-12);
    let speed = model.motions[motion].velocity(&model.bodies[0].pose, 50.0);
    assert!((speed.0 - DVec2::new(3.0, 0.0)).length() < 1e-12 && speed.1 == 0.0);
}

/// Every mistake has its message and its line.
#[test]
fn mistakes_have_their_place() {
    let floe = |keys: &str| format!("\n{{ name = \"floe\", shape = \"polygon\", material = \"ice\", {keys} }}");
    let square = "vertices = [[0, 0], [40, 0], [40, 40], [0, 40]]";
    let path = |keys: &str| format!("supports = [{{ select = \"floe\", motion = {{ {keys} }} }}]");
    for (keys, more, message) in [
        ("vertices = [[0, 0], [40, 40], [40, 0], [0, 41]]", String::new(), "crosses itself: side 0 meets side 2"),
        ("vertices = [[0, 0], [40, 0], [20, 0]]", String::new(), "it is flat"),
        ("vertices = [[0, 0], [40, 0]]", String::new(), "at least 3 are needed"),
        (&format!("{square}, holes = [[[50, 0], [60, 0], [60, 9]]]"), String::new(), "hole 0 is not inside"),
        (&format!("{square}, depth = -1.0"), String::new(), "the depth is -1; it must be above zero"),
        (&format!("{square}, depths = {{ values = [-1.0] }}"), String::new(), "the thickness is -1"),
        (&format!("{square}, depths = {{ values = [1.0, 2.0] }}"), String::new(), "2 numbers for 1 bodies"),
        (&format!("{square}, depths = {{ between = [2.0, 1.0] }}"), String::new(), "1 m is less than 2 m"),
        (&format!("{square}, depths = {{ }}"), String::new(), "exactly one of `values`"),
        (&format!("{square}, depth = 1.0, depths = {{ values = [1.0] }}"), String::new(), "both `depth` and `depths`"),
        (
            &format!(
                "{square}, depths = {{ grid = {{ origin = [0, 0], spacing = [1, 1], rows = [[1, 2], [1, -2]] }} }}"
            ),
            String::new(),
            "the thickness of node 2 of row 2 is -2",
        ),
        (
            &format!("{square}, depths = {{ grid = {{ origin = [0, 0], spacing = [1, 1], rows = [[1, 2], [1]] }} }}"),
            String::new(),
            "row 2 has 1 numbers",
        ),
        (square, path("quantity = \"velocity\", path = [[0, 0, 0, 0]]"), "a path is a position"),
        (square, path("quantity = \"position\", constant = 1.0, path = [[0, 0, 0, 0]]"), "`path` stands alone"),
        (square, path("quantity = \"position\", path = [[1, 0, 0, 0], [0, 0, 0, 0]]"), "is before the time"),
    ] {
        let error = built(&floe(keys), &more).unwrap_err();
        assert!(error.message.contains(message), "{keys} {more}: {}", error.message);
        assert!(error.line >= 5, "{keys}: line {}", error.line);
    }
}

/// Floes that overlap each other or a coast, and laws out of range, are refused with their line.
#[test]
fn overlaps_and_laws_have_their_place() {
    let scene = |friction: f64, restitution: f64, coast: f64, other: f64| {
        let text = format!(
            "dim = 2\ngravity = 0.0\nmaterials.ice.density = 900.0\n[[joints]]\nbetween = [\"ice\", \"ice\"]\n\
             friction = {friction:?}\nrestitution = {{ poisson = {restitution:?} }}\n\
             [[bodies]]\nname = \"coast\"\nshape = \"half-plane\"\nnormal = [0.0, 1.0]\nposition = [0.0, {coast:?}]\nmaterial = \"ice\"\n\
             [[bodies]]\nname = \"a\"\nshape = \"rectangle\"\nsize = 10.0\nmaterial = \"ice\"\n\
             [[bodies]]\nname = \"b\"\nshape = \"disc\"\nradius = 5.0\nposition = [{other:?}, 0.0]\nmaterial = \"ice\"\n"
        );
        build(&Scene::parse(&text, "ice.toml").unwrap(), Path::new(".")).map(|_| ())
    };
    scene(0.3, 0.4, -5.0, 10.0).unwrap();
    for (result, message, lines) in [
        (scene(-0.1, 0.4, -5.0, 10.0), "friction", 6..=6),
        (scene(0.3, 1.2, -5.0, 10.0), "1.2", 7..=7),
        (scene(0.3, -0.1, -5.0, 10.0), "-0.1", 7..=7),
        (scene(0.3, 0.4, -4.0, 10.0), "overlap by 1.000e0 m", 8..=23),
        (scene(0.3, 0.4, -5.0, 9.0), "overlap by 1.000e0 m", 8..=23),
    ] {
        let error = result.unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
        assert!(lines.contains(&error.line), "{}: line {}", error.message, error.line);
    }
}
