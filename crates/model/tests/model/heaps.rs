//! Boxes that fall into a container come to rest: speeds become exactly zero, and steps cost nothing.

use std::path::Path;

use voussoir_geometry::Solid;
use voussoir_mechanics::Stepper;
use voussoir_model::{AnyModel, Scene, build};

const HEAP: &str = r#"
dim = 2
materials.stone.density = 2000.0
bodies = [{ name = "s", generator = "pile", material = "stone", count = 20, seed = 3, stone = "box", container = 1.0 }]
joints = [{ between = ["stone", "stone"], friction = 0.6 }]
stages = [{ analysis = "dynamic", duration = 3.2, step = 0.004 }]
"#;

#[test]
fn a_heap_comes_to_rest() {
    let scene = Scene::parse(HEAP, "heap.toml").unwrap();
    let built = build(&scene, Path::new(".")).unwrap();
    let AnyModel::Two(model) = built.model else { panic!("a heap in 2D") };
    let settings = built.stages[0].dynamic().unwrap().clone();
    let sizes = model.bodies.iter().map(|body| body.shape.size());
    let smallest = sizes.filter(|size| size.is_finite()).fold(f64::INFINITY, f64::min);
    let mut stepper = Stepper::new(model, settings).unwrap();
    let reports: Vec<_> = (0..800).map(|_| stepper.step().unwrap()).collect();
    let fastest = reports.iter().map(|report| report.speed).fold(0.0, f64::max);
    assert!(fastest > 1.0, "{fastest} m/s");
    for report in &reports {
        assert!(report.converged && report.penetration < 1e-4 * smallest, "{report:?}");
        // kinetic and potential energy against works and losses, relative to what gravity has put in
        let ledger = &report.ledger;
        let left = report.kinetic_energy + report.potential_energy + ledger.taken() - ledger.loads - ledger.supports;
        assert!(left.abs() <= 1e-6 * reports[799].potential_energy.abs(), "{left} J");
    }
    for report in &reports[700..] {
        assert_eq!((report.speed, report.solve.factorisations, report.solve.iterations), (0.0, 0, 0));
    }
}
