//! Bridges and fill: packings in scenes, collapse loads by three analyses, export and import of plane drawings.

use std::path::Path;

use crate::common::Workshop;
use voussoir_model::AnyModel;
use voussoir_run::SceneFile;

/// Corners and radii of all bodies in world axes, in order.
fn shapes(path: &Path) -> Vec<Vec<[f64; 2]>> {
    let AnyModel::Two(model) = SceneFile::load(path).unwrap().built.model else { panic!("a plane scene") };
    let of = |body: &voussoir_mechanics::model::Body<voussoir_geometry::D2>| {
        if let Some(radius) = voussoir_geometry::Solid::centred_ball(&*body.shape) {
            return vec![body.pose.position.to_array(), [radius, 0.0]];
        }
        let mut points: Vec<[f64; 2]> = voussoir_geometry::Solid::surface(&*body.shape, 1.0)
            .points
            .iter()
            .map(|p| body.pose.point(voussoir_geometry::glam::DVec2::new(p[0], p[1])).to_array())
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        points
    };
    model.bodies.iter().map(of).collect()
}

const ARCH: &str = "title = \"Arch with fill\"\ndim = 2\nallow_overlap = true\nmaterials.stone.density = 2000.0\n\
    materials.soil.density = 2000.0\n\
    joints = [{ between = [\"*\", \"*\"], friction = 0.7, elastic = { normal = 5e9, tangential = 2e9, influence = 0.1 } }]\n\
    loads = [{ name = \"push\", select = \"bridge.span[0].voussoir[4]\", force = [0.0, -1e3] }]\n\
    [[bodies]]\nname = \"bridge\"\nmaterial = \"stone\"\ngenerator = \"bridge\"\nroad = [[0.0, 1.6]]\n\
    spans = [{ kind = \"segmental\", span = 4.0, rise = 1.0, thickness = 0.4, voussoirs = 15 }]\n\
    abutments = { length = 0.5, wall = 0.3 }\n";

#[test]
fn packings_are_written_into_scenes() {
    let shop = Workshop::new();
    let fill = "[[bodies]]\nname = \"fill\"\nmaterial = \"soil\"\ngenerator = \"fill\" # sand\nroad = [[-2.7, 1.6], [2.7, 1.6]]\n\
                diameter = 0.12\nbulk_density = 1800.0\n";
    let scene = shop.write("bridge.toml", &format!("{ARCH}{fill}"));
    let said = shop.run(&["fill", "bridge.toml", "-o", "packed.toml"]).expect(0).stdout();
    assert!(said.contains("porosity by cells") && said.contains("wrote packed.toml: 1 fills"), "{said}");
    assert_eq!(shapes(&scene), shapes(&shop.path("packed.toml")));
    assert!(shop.run(&["fill", "packed.toml", "-o", "again.toml"]).expect(2).stderr().contains("no fill"));
    assert!(shop.run(&["fill", "bridge.toml", "-o", "packed.toml"]).expect(2).stderr().contains("--force"));
}

#[test]
fn three_analyses_of_one_collapse() {
    let shop = Workshop::new();
    // stiff joints: all three answers are close
    shop.write("arch.toml", &ARCH.replace("normal = 5e9, tangential = 2e9", "normal = 5e11, tangential = 2e11"));
    let answer = shop.run(&["compare", "arch.toml", "--load", "push", "--json"]).expect(0).json();
    let of = |analysis: &str, key: &str| {
        let rows = answer["answers"].as_array().unwrap();
        rows.iter().find(|row| row["analysis"] == analysis).and_then(|row| row[key].as_f64())
    };
    let limit = of("limit", "stands_at").unwrap();
    for analysis in ["explicit", "dynamic"] {
        let [stands, falls] = ["stands_at", "falls_at"].map(|key| of(analysis, key).unwrap());
        assert!(stands < limit && falls > stands && (falls - limit).abs() < 0.1 * limit, "{analysis}: {answer}");
    }
    assert!(shop.run(&["compare", "arch.toml", "--load", "wind"]).expect(2).stderr().contains("wind"));
}

#[test]
fn plane_drawings_return_to_within_a_nanometre() {
    let shop = Workshop::new();
    let discs = "[[bodies]]\nname = \"fill\"\nmaterial = \"soil\"\ngenerator = \"fill\"\npacking = \"hexagonal\"\ndiameter = 0.12\n\
                 road = [[-2.7, 1.6], [2.7, 1.6]]\n[[stages]]\nanalysis = \"dynamic\"\nduration = 1e-3\nstep = 1e-3\n";
    let scene = shop.write("bridge.toml", &format!("{ARCH}{discs}"));
    shop.run(&["run", "bridge.toml", "-o", "out"]).expect(0);
    shop.run(&["export", "out", "--to", "dxf", "--time", "first", "-o", "drawing"]).expect(0);
    shop.run(&["import", "drawing/frame_0000.dxf", "-o", "back.toml", "--dim", "2"]).expect(0);
    let [before, after] = [scene, shop.path("back.toml")].map(|path| shapes(&path));
    assert_eq!(before.len(), after.len());
    // drawings list blocks first, then discs
    let mut left: Vec<&Vec<[f64; 2]>> = after.iter().collect();
    for shape in &before {
        let near = |other: &&Vec<[f64; 2]>| {
            let far = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            other.len() == shape.len() && other.iter().zip(shape).map(far).fold(0.0, f64::max) < 1e-9
        };
        let index = left.iter().position(near).unwrap_or_else(|| panic!("{shape:?} is missing"));
        left.swap_remove(index);
    }
    let text = std::fs::read_to_string(shop.path("drawing/frame_0000.dxf")).unwrap();
    assert!(text.contains("stone-support") && text.contains("CIRCLE"));
}
