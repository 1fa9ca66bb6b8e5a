//! Granular fill: areas, regular and random packings, errors.

use std::path::Path;

use voussoir_model::{AnyModel, Built, Scene, build};

fn built(bodies: &str) -> Result<Built, String> {
    let text = format!(
        "dim = 2\nallow_overlap = true\nmaterials.soil.density = 2000.0\n\
         joints = [{{ between = [\"soil\", \"soil\"], friction = 0.5, elastic = {{ normal = 1e9, tangential = 1e9 }} }}]\n\
         bodies = [\n{bodies}\n]\n"
    );
    let scene = Scene::parse(&text, "fill.toml").map_err(|error| error.to_string())?;
    build(&scene, Path::new(".")).map_err(|error| error.message)
}

/// Centre and radius of every disc.
fn discs(built: &Built) -> Vec<([f64; 2], f64)> {
    let AnyModel::Two(model) = &built.model else { unreachable!("a plane scene") };
    let of = |body: &voussoir_mechanics::model::Body<voussoir_geometry::D2>| {
        let radius = voussoir_geometry::Solid::centred_ball(&*body.shape)?;
        Some((body.pose.position.to_array(), radius))
    };
    model.bodies.iter().filter_map(of).collect()
}

#[test]
fn regular_packings_fill_a_square() {
    let region = "region = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]";
    let fill = |kind: &str| {
        let body = format!(
            "{{ name = \"fill\", generator = \"fill\", packing = \"{kind}\", diameter = 0.1, {region}, material = \"soil\" }},"
        );
        discs(&built(&body).unwrap()).len()
    };
    assert_eq!(fill("rectangular"), 100);
    // rows of 10 and 9 discs, 0.0866 m apart: eleven rows
    assert_eq!(fill("hexagonal"), 105);
}

#[test]
fn the_area_of_the_region_is_that_between_road_and_extrados() {
    // Bridgemill: 41.175873 m² above the circular extrados; straight voussoirs leave 62 slivers more
    let (span, rise, ring, road) = (18.3f64, 2.85f64, 0.711f64, 4.039f64);
    let radius = (span * span / 4.0 + rise * rise) / (2.0 * rise);
    let half = (span / 2.0 / radius).asin();
    let (x, y) = ((radius + ring) * half.sin() + 2.0, (radius + ring) * half.cos() - (radius - rise));
    let bodies = format!(
        "{{ name = \"ring\", generator = \"arch\", kind = \"segmental\", span = {span}, rise = {rise}, thickness = {ring}, voussoirs = 62, material = \"soil\" }},\n\
         {{ name = \"fill\", generator = \"fill\", packing = \"hexagonal\", diameter = 0.15, material = \"soil\",\n\
         region = [[{}, {y}], [{x}, {y}], [{x}, {road}], [{}, {road}]],\n\
         without = [{{ circle = {{ centre = [0.0, {}], radius = {radius} }} }}] }},",
        -x,
        -x,
        rise - radius
    );
    let built = built(&bodies).unwrap();
    let note = built.warnings.iter().find(|warning| warning.contains("area of the region")).unwrap();
    let area: f64 = note.split("region ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let angle = 2.0 * half / 62.0;
    let slivers = 62.0 * 0.5 * (radius + ring).powi(2) * (angle - angle.sin());
    assert!((area - (41.175873 + slivers)).abs() < 2e-5, "{area} {slivers}");
}

#[test]
fn random_packings_have_the_porosity_asked_for() {
    let body = |seed: u64| {
        format!(
            "{{ name = \"block\", shape = \"rectangle\", size = [0.6, 0.4], position = [1.0, 0.2], material = \"soil\" }},\n\
             {{ name = \"fill\", generator = \"fill\", count = 200, porosity = 0.18, seed = {seed}, material = \"soil\",\n\
             region = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]] }},"
        )
    };
    let first = built(&body(1)).unwrap();
    let all = discs(&first);
    assert_eq!(all.len(), 200);
    let covered: f64 = all.iter().map(|(_, r)| std::f64::consts::PI * r * r).sum();
    assert!((covered - 0.82 * (2.0 - 0.24)).abs() < 1e-9, "{covered}");
    let inside = |[x, y]: [f64; 2], r: f64| x > 0.8 * r && x < 2.0 - 0.8 * r && y > 0.8 * r && y < 1.0 - 0.8 * r;
    assert!(all.iter().all(|&(at, r)| inside(at, r)));
    let note = first.warnings.iter().find(|warning| warning.contains("coordination")).unwrap();
    let number: f64 = note.split("coordination ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((3.6..4.6).contains(&number), "{note}");
    // the same seed gives the same bits, another one another packing
    assert_eq!(all, discs(&built(&body(1)).unwrap()));
    assert_ne!(all, discs(&built(&body(2)).unwrap()));
}

#[test]
fn fills_that_cannot_be_made_are_explained() {
    let fails = |keys: &str| {
        built(&format!("{{ name = \"fill\", generator = \"fill\", {keys}, material = \"soil\" }},")).unwrap_err()
    };
    let square = "region = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]";
    assert!(fails(&format!("{square}, porosity = 0.2")).contains("one of `count`, `diameter` and `grading`"));
    assert!(fails(&format!("{square}, packing = \"hexagonal\", diameter = 3.0")).contains("has room"));
    assert!(fails("region = [[0.0, 0.0], [1.0, 0.0], [0.1, 0.1], [0.0, 1.0]], count = 5").contains("convex"));
    let full = format!(
        "{{ name = \"block\", shape = \"rectangle\", size = [4.0, 4.0], material = \"soil\" }},\n\
         {{ name = \"fill\", generator = \"fill\", {square}, count = 5, material = \"soil\" }},"
    );
    assert!(built(&full).unwrap_err().contains("no room"));
}
