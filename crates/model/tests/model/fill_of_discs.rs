//! Granular fill: areas, regular and random packings, errors.

use std::path::Path;

use voussoir_model::{AnyModel, Built, Scene, build};

pub(super) fn built(bodies: &str) -> Result<Built, String> {
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

/// Bridgemill with its road: bridge, then fill.
fn bridgemill(fill: &str) -> String {
    format!(
        "{{ name = \"bridge\", generator = \"bridge\", spans = [{{ kind = \"segmental\", span = 18.3, rise = 2.85, thickness = 0.711, \
         voussoirs = 62 }}], abutments = {{ length = 2.0, height = 1.0 }}, material = \"soil\" }},\n\
         {{ name = \"fill\", generator = \"fill\", {fill}, material = \"soil\" }},"
    )
}

/// A number in a note.
fn noted(built: &Built, before: &str) -> f64 {
    let note = built.warnings.iter().find(|warning| warning.contains(before)).unwrap_or_else(|| panic!("{before}"));
    let rest = note.split(before).nth(1).unwrap().trim_start();
    rest.split([' ', ',']).next().unwrap().parse().unwrap()
}

#[test]
fn fill_below_a_road_lies_above_the_bodies_and_weighs_its_bulk() {
    let keys = "packing = \"hexagonal\", diameter = 0.15, bulk_density = 1890.0, road = [[-11.0, 4.0], [0.0, 4.3], [11.0, 4.1]]";
    let built = built(&bridgemill(keys)).unwrap();
    let all = discs(&built);
    let area = noted(&built, "area of the region");
    let AnyModel::Two(model) = &built.model else { unreachable!("a plane scene") };
    let mass: f64 = model.bodies.iter().filter(|body| body.name.starts_with("fill")).map(|body| body.mass).sum();
    assert!((mass - 1890.0 * area).abs() < 1e-3, "{mass} {area}");
    // the area by lines: road minus the highest body
    let mut sum = 0.0;
    let lines = 20_000;
    let outline = |body: &voussoir_mechanics::model::Body<voussoir_geometry::D2>| -> Vec<[f64; 2]> {
        let surface = voussoir_geometry::Solid::surface(&*body.shape, 1.0);
        let at = |p: &[f64; 3]| body.pose.point(voussoir_geometry::glam::DVec2::new(p[0], p[1])).to_array();
        surface.points.iter().map(at).collect()
    };
    let blocks: Vec<Vec<[f64; 2]>> =
        model.bodies.iter().filter(|b| b.name.starts_with("bridge")).map(outline).collect();
    for k in 0..lines {
        let x = -11.0 + 22.0 * (k as f64 + 0.5) / f64::from(lines);
        let road = if x < 0.0 { 4.0 + 0.3 * (x + 11.0) / 11.0 } else { 4.3 - 0.2 * x / 11.0 };
        let mut top = f64::NEG_INFINITY;
        for block in &blocks {
            for (i, a) in block.iter().enumerate() {
                let b = block[(i + 1) % block.len()];
                if (a[0] - x) * (b[0] - x) < 0.0 {
                    top = top.max(a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]));
                }
            }
        }
        sum += (road - top) * 22.0 / f64::from(lines);
    }
    assert!((area - sum).abs() < 1e-5 * sum, "{area} {sum}");
    // no disc below the arch
    assert!(all.iter().all(|([x, y], _)| *y > 3.5 - (x * x) * 0.04), "a disc lies below the ring");
    let fails = |keys: &str| super::fill_of_discs::built(&bridgemill(keys)).unwrap_err();
    assert!(
        fails("packing = \"hexagonal\", diameter = 0.15, road = [[-13.0, 4.0], [11.0, 4.0]]").contains("no body below")
    );
    assert!(
        fails("packing = \"hexagonal\", diameter = 0.15, road = [[-11.0, 3.0], [11.0, 3.0]]")
            .contains("rises above the road")
    );
    assert!(fails("packing = \"hexagonal\", diameter = 0.15").contains("either `region` or `road`"));
}

#[test]
fn grading_curves_are_shares_of_the_mass() {
    let body = "{ name = \"fill\", generator = \"fill\", grading = [[0.02, 0.0], [0.04, 0.3], [0.1, 1.0]], porosity = 0.3, \
                region = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 1.0]], material = \"soil\" },";
    let all = discs(&built(body).unwrap());
    let total: f64 = all.iter().map(|(_, r)| r * r).sum();
    let finer = |d: f64| all.iter().filter(|(_, r)| 2.0 * r < d).map(|(_, r)| r * r).sum::<f64>() / total;
    // random numbers of some hundred discs
    assert!((finer(0.04) - 0.3).abs() < 0.05 && (finer(0.07) - 0.65).abs() < 0.06, "{} {}", finer(0.04), finer(0.07));
    assert!(all.iter().all(|(_, r)| 2.0 * r > 0.0195 && 2.0 * r < 0.1025));
}

#[test]
fn a_packing_that_locks_in_too_much_is_refused_with_a_porosity_that_would_do() {
    let keys = |porosity: f64, most: f64| {
        format!(
            "{{ name = \"fill\", generator = \"fill\", count = 150, porosity = {porosity}, pressure = {{ normal = 1e9, most = {most} }}, \
             region = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], material = \"soil\" }},"
        )
    };
    let message = built(&keys(0.13, 1e4)).unwrap_err();
    assert!(message.contains("locks in a pressure"), "{message}");
    let porosity: f64 = message.split("about ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((0.13..0.25).contains(&porosity), "{message}");
    // a little looser than the advice, for the packing is another one
    let kept = built(&keys(porosity + 0.02, 1e4)).unwrap();
    assert!(noted(&kept, "under its lid") <= 10.0);
    assert!(noted(&kept, "required porosity") > 0.13);
}
